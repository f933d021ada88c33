"""What is watched is the run itself, at any moment, forwards and backwards, alone or beside one."""

from copy import deepcopy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.messages import DATA_PHASES
from model.core.journal.kinds import is_detail
from model.core.journal.past import Past
from model.dashboard import history as history_module
from model.dashboard.feed import state_line
from model.dashboard.goals import GOALS, SPANS_S
from model.dashboard.session import Session
from model.ground.errors import InputError
from model.pnr.cluster import Cluster
from model.pnr.scenario import make_scenario
from model.sharing.scenarios import make_sharing_scenario
from model.systems import emulation_of
from model.views.recording import record
from tests.model.core.journal.test_past import everything_known
from tests.model.dashboard.steps import run_out, step

JOBS = [
    {"processes": 2, "memory_mb": 40, "demand_s": 0.03},
    {"processes": 1, "memory_mb": 20, "demand_s": 0.02, "submit_s": 0.01},
    {"processes": 3, "memory_mb": 30, "demand_s": 0.02, "submit_s": 0.015},
]
SCENARIO = make_scenario(nodes=4, job=JOBS, page_bytes=2**18, barrier_s=0.01)
PROTOCOL = "a protocol message arrives"


@pytest.fixture(scope="module")
def journal():
    """All records of a run with the design MAN."""
    records = []
    Cluster(SCENARIO, "MAN", readers=(records.append,)).run()
    return records


def shown(session):
    """All that is shown, without what tells how one has come there."""
    runs = [[run.shown, everything_known(run.state, disks=True)] for run in session.runs]
    return deepcopy([session.at_ns, runs])  # the latest state goes on


@pytest.mark.parametrize("goal", GOALS)
def test_every_goal_leads_to_the_end_of_an_unwatched_run(goal, journal):
    session = Session(SCENARIO, "MAN")
    for _ in run_out(session, goal):
        pass
    (run,) = session.runs
    assert run.history.records == journal
    assert run.source.emulation.unfinished == 0
    assert {job.state for job in run.state.jobs.values()} == {"ended"}
    assert not run.state.under_way


def test_the_state_is_that_of_the_emulation():
    session = Session(SCENARIO, "MAN")
    (run,) = session.runs
    emulation, borrowed = run.source.emulation, False
    for _ in run_out(session, PROTOCOL):
        tip = run.history.tip
        for node, now in zip(emulation.nodes, tip.nodes, strict=True):
            memory = node.memory
            assert now.own + now.lent == memory.demand
            assert now.lent == memory.lent
            assert now.loans == {who: size for who, size in memory.loans.items() if size}
            parts = now.parts(memory.ram)
            assert parts.own + parts.lent + parts.idle == memory.ram
            assert parts.on_disk + parts.asked == memory.unmet
            borrowed |= parts.borrowed > 0
        tallies = emulation.network.tallies.values()
        assert len(tip.under_way) == sum(tally.sent - tally.delivered for tally in tallies)
    assert borrowed


@given(number=st.integers(0, 10**6))
@settings(max_examples=25)
def test_any_moment_is_all_records_up_to_it(number, journal):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(history_module, "_BETWEEN_STATES", 50)
        history = history_module.History(4)
        for one in journal:
            history.read(one)
    number %= len(journal) + 1
    folded = Past(4)
    for one in journal[:number]:
        folded.read(one)
    found = history.state(number)
    assert everything_known(found, disks=True) == everything_known(folded, disks=True)
    assert found.counts == folded.counts
    assert [job.since_ns for job in found.jobs.values()] == [
        job.since_ns for job in folded.jobs.values()
    ]


def test_going_back_shows_what_was_shown():
    session = Session(SCENARIO, "MAN")
    seen = [shown(session)]
    for _ in run_out(session, PROTOCOL):
        seen.append(shown(session))
    if seen[-1] == seen[-2]:
        seen.pop()  # the last step went to the end, where the last message had arrived
    while session.at_ns or session.runs[0].shown:
        session.back(PROTOCOL)
        assert shown(session) == seen.pop(-2) or not seen
        if len(seen) == 1:
            break
    assert session.at_ns == 0


@pytest.mark.parametrize("goal", [PROTOCOL, "1 s", "memory is lent"])
def test_a_replay_shows_what_the_run_has_shown(goal):
    recording = record(SCENARIO, "MAN")
    replay, live = Session([recording], "MAN"), Session(SCENARIO, "MAN")
    for _ in run_out(live, goal):
        step(replay, goal)
        assert shown(replay) == shown(live)
    assert replay.has_ended


def test_a_time_is_shown_with_all_that_has_happened_by_then(journal):
    session = Session(SCENARIO, "MAN")
    (run,) = session.runs
    for time_ns in (20_000_000, 5_000_000, 30_000_000, 0):
        while not session.seek(time_ns):
            pass
        assert session.at_ns == time_ns
        upto = sum(it.time_ns <= time_ns for it in journal) if time_ns else 0
        assert run.shown == upto


def test_a_time_behind_the_end_is_the_end(journal):
    for session in (Session(SCENARIO, "MAN"), Session([record(SCENARIO, "MAN")], "MAN")):
        while not session.seek(10**39):
            pass
        assert session.at_ns == session.known_ns == journal[-1].time_ns
        assert session.has_ended


@pytest.mark.parametrize("goal", ["0.001 s", "1 s"])
def test_a_span_takes_as_long_though_nothing_happens(goal):
    later = {"processes": 1, "memory_mb": 1, "demand_s": 1, "submit_s": 10_000}
    session = Session(make_scenario(nodes=4, job=[*JOBS, later]), "DP")
    for steps in range(1, 4):
        step(session, goal)
        assert session.at_ns == round(steps * SPANS_S[goal] * 10**9)


def test_two_runs_are_at_the_same_time_and_the_first_one_to_get_there_ends_the_step():
    session = Session(SCENARIO, "MAN", "CLI")
    ends = []
    for _ in run_out(session, "a job ends"):
        found = [run.found for run in session.runs]
        assert any(found) or session.has_ended
        assert all(one.time_ns == session.at_ns for one in found if one is not None)
        ends.append(session.at_ns)
        for run in session.runs:
            within = [it for it in run.history.records if it.time_ns < session.at_ns]
            assert run.shown >= len(within)
    alone = {job.end_ns for name in ("MAN", "CLI") for job in Cluster(SCENARIO, name).run().jobs}
    assert alone <= {*ends}


def test_looking_for_what_happens_in_one_run_does_not_lead_the_other_beyond_it():
    session = Session(SCENARIO, "MAN", "DP")  # DP has no protocol
    step(session, PROTOCOL)
    assert session.runs[1].found is None
    assert session.runs[1].source.emulation.clock.now_ns <= session.at_ns


def test_details_are_forgotten_and_nothing_else(monkeypatch, journal):
    monkeypatch.setattr(history_module, "_DETAILS_KEPT", 100)
    monkeypatch.setattr(history_module, "_BETWEEN_STATES", 50)
    short, long = history_module.History(4), history_module.History(4)
    for one in journal:
        short.read(one)
    monkeypatch.setattr(history_module, "_DETAILS_KEPT", 10**9)
    for one in journal:
        long.read(one)
    of_protocol = [it for it in journal if not is_detail(it)]
    assert [it for it in short.records if not is_detail(it)] == of_protocol
    assert 100 <= len(short.records) - len(of_protocol) <= 200
    assert short.complete_from_ns > 0
    for number in short.numbers:
        few, all_of_it = short.state(number), long.state(number)
        ours, theirs = (everything_known(it, disks=False) for it in (few, all_of_it))
        for what in ("memory", "jobs", "outages", "slots", "beliefs"):
            assert ours[what] == theirs[what]
        assert ours["under way"].keys() <= theirs["under way"].keys()
        lacking = theirs["under way"].keys() - ours["under way"].keys()
        assert all(all_of_it.under_way[it].sent.phase in DATA_PHASES for it in lacking)
        for whose, (*known, waits) in ours["processes"].items():
            *known_of_all, waits_in_truth = theirs["processes"][whose]
            assert known == known_of_all
            assert waits in (None, waits_in_truth)


def test_load_sharing_is_watched_too():
    scenario = make_sharing_scenario(jobs=20, policies="CPU_RE")
    session = Session(scenario, "CPU_RE")
    for _ in run_out(session, "a job ends"):
        pass
    emulation = emulation_of(scenario, "CPU_RE").run()
    (run,) = session.runs
    assert state_line(run.state).startswith("jobs: 20 ended")
    assert {number: job.end_ns for number, job in run.state.jobs.items()} == {
        job.number: job.end_ns for job in emulation.jobs
    }
    assert not any(node.lent for node in run.state.nodes)


def test_what_is_not_there_or_twice_is_said():
    recording = record(SCENARIO, "MAN", "protocol")
    with pytest.raises(InputError, match="CLI: the journal has MAN"):
        Session([recording], "CLI")
    with pytest.raises(InputError, match="MAN is shown already"):
        Session(SCENARIO, "MAN", "man")
