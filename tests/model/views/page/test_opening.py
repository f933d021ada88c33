"""The sentences with which the page opens, and the burst; expected values by other code."""

import re

import pytest

from model.core.journal.kinds import SCHEDULING, Record, identity
from model.pnr.scenario import make_scenario
from model.sharing.scenarios import make_sharing_scenario
from model.views.page.opening import opening
from model.views.recording import record, recording_of
from tests.model.views.test_differences import runs_of

JOB = {"processes": 2, "memory_mb": 66, "demand_s": 0.01, "number": 7}
SMALL = {"nodes": 3, "minimum_demand_s": 0.001, "page_bytes": 2**29}


def recorded(*designs, **parameters):
    scenario = make_scenario(**SMALL | {"job": [JOB]} | parameters)
    return [record(scenario, design, "protocol") for design in designs]


def story_of(recordings):
    """The story on which the page opens, with the names of its runs."""
    begin = opening(runs_of(recordings), [], None)
    return {"runs": begin["runs"]} | begin["stories"]["|".join(begin["runs"])]


def response_ms(recording):
    times = recording.records[recording.records["job"] == 7].set_index("kind")["time_ns"]
    return (times["ended"] - times["submitted"]) / 1e6


def test_of_three_designs_the_two_that_differ_most_in_a_job_that_borrows_otherwise():
    recordings = recorded("DP", "CLI", "CEN")
    story = story_of(recordings)
    times = {it.design: response_ms(it) for it in recordings}
    apart = abs(times[story["runs"][0]] - times[story["runs"][1]])
    assert apart == pytest.approx(max(times.values()) - min(times.values()))
    assert story["job"] == 7
    part, cost = story["sentences"][:2]
    for design in story["runs"]:
        assert f"{times[design]:,.4g} ms under {design}" in cost
    assert part.startswith(f"{story['runs'][0]} and {story['runs'][1]} diverge at 0.000")
    assert part.endswith(", for job 7.")


def test_each_run_and_each_pair_has_its_story_and_those_that_are_asked_for_are_shown():
    runs = runs_of(recorded("DP", "CLI", "CEN"))
    begin = opening(runs, ["CLI", "DP"], None)
    assert begin["runs"] == ["CLI", "DP"]  # as they are asked for
    alone, pairs = ("DP", "CLI", "CEN"), ("DP|CLI", "DP|CEN", "CLI|CEN")
    assert [*begin["stories"]] == [*alone, *pairs]
    for names in pairs:
        story = begin["stories"][names]
        assert story["sentences"][0].startswith(names.replace("|", " and "))
        assert story["differences"]["all"] == len(story["differences"]["some"]) > 0


def test_many_pairs_share_the_differences_that_a_page_has(monkeypatch):
    monkeypatch.setattr("model.views.page.opening._MOST_OF_ALL", 6)
    stories = opening(runs_of(recorded("DP", "CLI", "CEN")), [], None)["stories"]
    found = [its["differences"] for its in stories.values() if "differences" in its]
    assert [len(its["some"]) for its in found] == [2, 2, 2]
    assert all(its["all"] > 2 for its in found)


def test_of_one_design_the_job_that_lost_most():
    jobs = [JOB, {"processes": 1, "memory_mb": 8, "demand_s": 0.02, "number": 8, "submit_s": 1}]
    (recording,) = recorded("CEN", job=jobs)
    story = story_of([recording])
    assert (story["runs"], story["job"], "differences" in story) == (["CEN"], 7, False)
    lost, attempt = story["sentences"]
    in_ms = {"s": 1e3, "ms": 1, "µs": 1e-3}
    spent = re.findall(r"([\d.,]+) (s|ms|µs)", lost)
    whole, *parts = [float(number) * in_ms[unit] for number, unit in spent]
    assert whole == pytest.approx(response_ms(recording), rel=1e-3)
    assert sum(parts) == pytest.approx(whole, rel=1e-3)
    assert attempt.startswith("Attempt 1: placed at 0.000000 s in slot 0 on nodes 0-1; ")
    assert "unmet 36.10 MB of 68.00 MB; borrowed 31.90 MB from 1 node; " in attempt


def test_of_two_designs_what_broke_and_who_waits_for_it_is_told_of_each():
    """Of two jobs that never end the one that was stopped first has the story."""
    fault = [
        {"kind": "loss", "messages": ["RamGrant"], "rate": 1},
        {"kind": "servent", "nodes": [2], "from_s": 0.5, "restart_s": 1},
    ]
    jobs = [JOB, JOB | {"number": 8, "submit_s": 1}]
    recordings = recorded("CEN", "DP", fault=fault, job=jobs, mpl=1)
    story = story_of(recordings)
    assert story["job"] == 7
    apart, before, *_, of_cen, never, of_dp = story["sentences"]
    lost = recordings[0].records.query("kind == 'lost'")
    since = f"{lost['time_ns'].iloc[0] / 1e9:.6f} s"
    assert apart.startswith(f"CEN and DP diverge at {since}: job 7 never ends under CEN and takes ")
    assert apart.endswith(
        f"it hangs since {since}, when RamGrant from node 0 to node 1 was lost: rank 1 on node 1."
    )
    assert before.startswith("Already at 0.000302 s node 0 borrows 15.95 MB from node 2 under CEN")
    crash = "the servent of node 2 crashed at 0.500000 s"
    assert (
        of_cen
        == f"Under CEN 1 protocol message was lost (under way) and {crash} (until 1.500000 s)."
    )
    waits = "1 is waiting for a grant in vain (job 7 since 0.000405 s)"
    queued = "1 is queued (job 8 since 1.000000 s)"
    assert never == f"Under CEN 2 of 2 jobs never end: {waits} and {queued}."
    assert of_dp == f"Under DP {crash} (to the end) and all jobs end."


def test_a_job_that_is_given_up_never_ends():
    """Its processes fit nowhere once one of three nodes is down for ever."""
    fault = {"kind": "node", "nodes": [2], "from_s": 0.5}
    (run,) = recorded("DP", fault=[fault], job=[JOB | {"processes": 3, "demand_s": 1}])
    given_up, *_, never = story_of([run])["sentences"]
    assert given_up == "Job 7 was given up at 0.500000 s."
    assert never == "Under DP 1 of 1 job never ends: 1 is given up (job 7 since 0.500000 s)."


def test_of_many_outages_the_first_are_told_and_the_others_named():
    fault = {"kind": "servent", "nodes": [*range(6)], "from_s": 0.5}
    (run,) = recorded("DP", nodes=6, fault=[fault], job=[JOB | {"demand_s": 1}])
    *_, broken = story_of([run])["sentences"]
    assert broken.endswith("(to the end), 3 more outages (nodes 3-5) and all jobs end.")


@pytest.mark.parametrize(
    ("times_s", "said"),
    [
        ((100, 109), "9 % apart, which chance alone may make (up to 10 %). Compare several seeds"),
        ((100, 187), "87 % longer under B; chance alone makes up to 10 %."),
        ((1000, 100), "10 times as long under A; chance alone makes up to 10 %."),
    ],
)
def test_the_story_says_whether_chance_may_have_made_the_difference(times_s, said):
    runs = [taking(time_s, name) for time_s, name in zip(times_s, "AB", strict=True)]
    mean = next(it for it in story_of(runs)["sentences"] if it.startswith("Mean response"))
    assert mean.startswith(f"Mean response time over all 2 jobs: {times_s[0]:,} s (A)")
    assert said in mean


def taking(time_s, name):
    """A run of two jobs that take so long."""
    moments = [("submitted", 1, 0), ("submitted", 2, 0), ("ended", 1, time_s), ("ended", 2, time_s)]
    made = [
        Record(at_s * 10**9, kind, id=identity(SCHEDULING, 0, place), job=job)
        for place, (kind, job, at_s) in enumerate(moments, start=1)
    ]
    return recording_of(make_scenario(nodes=4), name, made, ())


def test_the_start_lasts_until_the_processes_compute():
    (run,) = runs_of(recorded("CEN"))
    begin, until = run.outcomes[7].start_ns()
    records = run.recording.records
    times = records.groupby("kind", observed=True)["time_ns"]
    assert begin == 0
    sent = records[(records["kind"] == "sent") & (records["time_ns"] <= times.max()["started"])]
    arrived = records[(records["kind"] == "delivered") & records["id"].isin(sent["id"])]
    assert until <= arrived["time_ns"].max()
    assert (arrived["time_ns"] <= until).mean() >= 0.9


SUBMITTED = {"kind": "submitted", "job": 7}
TIMER = {"kind": "timer", "node": 0, "what": "x", "hears": "client"}


@pytest.mark.parametrize("row", [SUBMITTED, TIMER])
def test_a_single_record_has_no_story_but_a_page(row):
    made = [Record(10, **row, id=identity(SCHEDULING, 0, 1))]
    recordings = [recording_of(make_scenario(nodes=4), name, made, ()) for name in ("MAN", "DP")]
    assert story_of(recordings[:1])["job"] == row.get("job")
    both = story_of(recordings)
    assert both["sentences"] in ([], ["This journal shows no difference between MAN and DP."])


def test_load_sharing_parts_where_a_job_goes_elsewhere():
    jobs = [{"memory_mb": 1, "demand_s": 2, "home": 0, "submit_s": at} for at in range(4)]
    policies = ["CPU_RE", "NO_LS"]
    scenario = make_sharing_scenario(system="memory", policies=policies, nodes=2, ct=1, job=jobs)
    recordings = [record(scenario, policy) for policy in ("CPU_RE", "NO_LS")]
    story = story_of(recordings)
    first = story["sentences"][0]
    assert first.startswith("CPU_RE and NO_LS diverge at 1.000000 s: job 2 runs on node ")
    assert story["job"] == 2
