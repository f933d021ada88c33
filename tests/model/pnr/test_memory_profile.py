"""Memory that changes while a job runs: ramps, phases and files, with values worked out by hand."""

from fractions import Fraction
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.pnr.process import Process
from model.ground.errors import CheckFailed, InputError
from model.ground.randomness import PHASE, following, stream_key, uniform
from model.pnr.job import Job
from model.pnr.memory_profile import phases
from model.pnr.scenario import Scenario, make_scenario
from model.pnr.workload import load_workload
from model.systems import measure, run
from tests.journaled import journaled

MB, S = 2**20, 10**9


def journal_of(scenario, design="DP", **options):
    """The records of a run that keeps its own rules."""
    _, records = journaled(scenario, design, check=True, **options)
    return records


def changes(records):
    """(s, rank, MB) of each change of memory."""
    its = [record for record in records if record.kind == "resized"]
    return [(one.time_ns / S, one.rank, one.amount_bytes / MB) for one in its]


def test_a_ramp_by_hand():
    # 9 s are nine equal parts, so mark m is at m s of CPU time. It begins with 10 of 40 MB and gets
    # 3.75 MB more each time: 32.5 MB after the sixth second. RAM is 32 MB, so only then can it
    # page: up to that point CPU time is wall-clock time, and there is no fault.
    job = {"processes": 1, "memory_mb": 40, "demand_s": 9}
    scenario = make_scenario(nodes=1, job=[job], memory_profile="ramp")
    records = journal_of(scenario)
    (placed,) = [record for record in records if record.kind == "placed"]
    assert placed.amount_bytes == 10 * MB
    told = changes(records)
    assert told[:6] == [(m, 0, 10 + 3.75 * m) for m in range(1, 7)]
    assert [size for _, _, size in told[6:]] == [36.25, 40]
    faults = [record.time_ns / S for record in records if record.kind == "fault"]
    assert min(faults) > 6
    assert measure(run(scenario, "DP")).jobs["memory_mb"].tolist() == [40]


def test_marks_between_two_barriers_take_effect_together_and_those_after_the_last_never():
    # 3 s in nine parts: mark m is at m/3 s; at 1 s it is the third, at 2 s the sixth. The next
    # pause is the end.
    job = {"processes": 1, "memory_mb": 16, "demand_s": 3}
    scenario = make_scenario(nodes=1, job=[job], memory_profile="ramp", memory_start=0)
    assert changes(journal_of(scenario)) == [(1, 0, 16 * 3 / 8), (2, 0, 16 * 6 / 8)]


@pytest.mark.parametrize("processes", [1, 2])
def test_a_job_without_barriers_keeps_its_first_share(processes):
    job = {"processes": processes, "memory_mb": 16, "demand_s": 1}
    scenario = make_scenario(nodes=2, job=[job], memory_profile="ramp")
    records = journal_of(scenario)
    assert changes(records) == []
    assert [record.amount_bytes for record in records if record.kind == "placed"] == [4 * MB]


def test_a_mark_lies_at_its_part_of_the_demand_rounded_half_up():
    # 7 ns in two parts: 3.5 ns. 3 bytes: half of them are 1.5
    memory_mb, demand_s = 3 / MB, 7 / S
    job = {"processes": 1, "memory_mb": memory_mb, "demand_s": demand_s}
    (spec,) = load_workload(
        Scenario(
            job=[job],
            memory_profile="ramp",
            memory_start=0.5,
            memory_steps=1,
            minimum_demand_s=10**-6,
        )
    )
    assert spec.demand_ns == 1000  # the least
    assert spec.marks == ((0, 2), (500, 3))


@given(
    seed=st.integers(0, 2**63 - 1),
    job=st.integers(0, 2**40),
    start=st.fractions(0, 1),
    steps=st.integers(1, 20),
)
def test_phases_are_the_draws_of_seed_and_job_and_their_largest_is_all(seed, job, start, steps):
    shares = phases(seed, job, start, steps)
    state, drawn = stream_key(seed, PHASE, job), []
    for _ in range(steps + 1):
        state = following(state)
        drawn.append(uniform(state))
    largest = drawn.index(max(drawn))
    expected = [start + (1 - start) * Fraction(one) for one in drawn]
    assert shares[largest] == max(shares) == 1
    assert [one for place, one in enumerate(shares) if place != largest] == [
        one for place, one in enumerate(expected) if place != largest
    ]
    assert min(shares) >= start


def test_phases_are_the_same_for_all_processes_of_a_job_and_differ_between_jobs():
    jobs = [{"processes": 3, "memory_mb": 8, "demand_s": 9} for _ in range(2)]
    records = journal_of(make_scenario(nodes=6, job=jobs, memory_profile="phases"))
    sizes = {}
    for record in records:
        if record.kind == "resized":
            sizes.setdefault((record.job, record.rank), []).append(record.amount_bytes)
    assert sizes[1, 0] == sizes[1, 1] == sizes[1, 2] != sizes[2, 0] == sizes[2, 1] == sizes[2, 2]
    assert len(sizes[1, 0]) == 8


def test_it_changes_at_the_master_s_release_for_all_ranks_before_the_releases_are_sent():
    job = {"processes": 3, "memory_mb": 8, "demand_s": 9}
    records = journal_of(make_scenario(nodes=3, job=[job], memory_profile="ramp"), "MAN")
    first = next(place for place, record in enumerate(records) if record.kind == "resized")
    what = [(record.kind, record.what, record.rank) for record in records[first:]]
    assert what[:4] == [("resized", None, rank) for rank in range(3)] + [
        ("sent", "BarrierRelease", 1)
    ]
    arrived = records[first - 1]
    assert (arrived.kind, arrived.what) == ("delivered", "BarrierArrive")
    assert {record.cause for record in records[first : first + 4]} == {arrived.id}
    assert len({record.time_ns for record in records[first - 1 : first + 4]}) == 1


#: Node 0's process grows to 40 MB of 32; node 1's 20 MB leave it 12 to lend.
GROWING = [
    {"processes": 1, "memory_mb": 40, "demand_s": 9},
    {"processes": 1, "memory_mb": 20, "demand_s": 30},
]


@pytest.mark.parametrize("plane", ["actors", "compiled"])
def test_the_thesis_s_protocol_hears_nothing_of_it_and_reclaim_does(plane):
    given = {"nodes": 2, "job": GROWING, "memory_profile": "ramp", "page_bytes": 2**16}
    asks = {}
    for design in ("CLI", "RECLAIM(CLI)"):
        records = journal_of(make_scenario(**given), design, plane=plane)
        ids = {record.id: record for record in records if record.kind == "resized"}
        asks[design] = [
            (record.node, ids[record.cause].amount_bytes / MB, record.amount_bytes / MB)
            for record in records
            if record.kind == "sent" and record.what == "RamRequest" and record.cause in ids
        ]
        assert sum(record.what == "RamRequest" for record in records) >= len(asks[design])
    assert asks["CLI"] == []
    # 32.5, 36.25 and 40 MB: each time it asks for what it lacks more
    assert asks["RECLAIM(CLI)"] == [(0, 32.5, 0.5), (0, 36.25, 3.75), (0, 40, 3.75)]


def test_a_lender_that_grows_recalls_what_it_lent_only_under_reclaim(tmp_path):
    # node 1 begins with 1 MB and lends node 0 what it lacks: 16 MB; from 7 s on it holds 30 MB
    jobs = [
        {"number": 7, "processes": 1, "memory_mb": 48, "demand_s": 20},
        {"number": 8, "processes": 1, "memory_mb": 30, "demand_s": 20},
    ]
    given = {"nodes": 2, "job": jobs, "page_bytes": 2**16}

    def told(design, file):
        scenario = make_scenario(**given, memory_profile=str(file))
        records = journal_of(scenario, design)
        grown = next(record for record in records if record.kind == "resized")
        recalls = [record for record in records if record.what == "Recall"]
        returned = [record for record in records if record.kind == "returned"]
        return grown, recalls, returned

    file = tmp_path / "own.csv"
    file.write_text("job,cpu_s,memory_mb\n8,0,1\n8,7,30\n")
    grown, recalls, returned = told("RECLAIM(CLI)", file)
    assert (grown.time_ns, grown.amount_bytes) == (7 * S, 30 * MB)
    # 30 + 16 - 32 = 14 MB over its RAM
    assert [(one.cause, one.amount_bytes) for one in recalls[:1]] == [(grown.id, 14 * MB)]
    assert returned[0].amount_bytes == 14 * MB
    _, recalls, returned = told("CLI", file)
    assert recalls == []
    assert [one.amount_bytes for one in returned] == [16 * MB]


def test_a_job_that_a_crash_has_killed_begins_with_its_first_share_again():
    job = {"processes": 1, "memory_mb": 8, "demand_s": 9}
    crash = {"kind": "node", "nodes": [0], "from_s": 2.5, "restart_s": 1}
    scenario = make_scenario(nodes=1, job=[job], memory_profile="ramp", fault=[crash])
    records = journal_of(scenario)
    placed = [record for record in records if record.kind == "placed"]
    assert [record.amount_bytes for record in placed] == [2 * MB, 2 * MB]
    ramp = [(m, 0, 2 + 0.75 * m) for m in range(1, 9)]
    assert changes(records) == ramp[:2] + [(3.5 + m, rank, size) for m, rank, size in ramp]


@pytest.mark.parametrize("plane", ["actors", "compiled"])
def test_a_servent_that_pauses_hears_of_it_when_it_goes_on(plane):
    pause = {"kind": "pause", "nodes": [0], "from_s": 5.5, "until_s": 6.5}
    given = {"nodes": 2, "job": GROWING, "memory_profile": "ramp", "page_bytes": 2**16}
    scenario = make_scenario(**given, fault=[pause])
    records = journal_of(scenario, "RECLAIM(CLI)", plane=plane)
    first = next(record for record in records if record.what == "RamRequest")
    assert (first.time_ns, first.amount_bytes) == (6.5 * S, MB // 2)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_file_says_what_a_job_holds_from_when(tmp_path, kind):
    # job 1 holds at first what the workload says, 6 MB; job 2 is not named, and keeps its own
    table = pd.DataFrame({"job": [1, 1], "cpu_s": [2.5, 1.5], "memory_mb": [0.5, 9.0]})
    file = tmp_path / f"own.{kind}"
    (table.to_csv if kind == "csv" else table.to_parquet)(file, index=False)
    jobs = [{"processes": 1, "memory_mb": 6, "demand_s": 5} for _ in range(2)]
    scenario = make_scenario(nodes=2, job=jobs, memory_profile=str(file))
    own, other = load_workload(scenario)
    assert own.marks == ((0, 6 * MB), (1.5 * S, 9 * MB), (2.5 * S, MB // 2))
    assert (own.memory, other.memory, other.marks) == (9 * MB, 6 * MB, ((0, 6 * MB),))
    assert changes(journal_of(scenario)) == [(2, 0, 9), (3, 0, 0.5)]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("job,s,mb\n1,0,5\n", r"columns are \['job', 's', 'mb'\].*job, cpu_s, memory_mb"),
        ("job,cpu_s,memory_mb\n1,0,5\n1,x,5\n", r"row 2: .*'x'.*give a job's number"),
        ("job,cpu_s,memory_mb\n1,0,-5\n", r"row 1: .*MB from 0 to 10\^9"),
        ("job,cpu_s,memory_mb\n1,2,5\n1,2.0,6\n", "row 2: job 1 has two rows for 2.0 s; give one"),
        ("job,cpu_s,memory_mb\n9,0,5\n", "none of its jobs is in the workload"),
        ("", "give static, ramp, phases, or a CSV or Parquet file with the columns"),
    ],
)
def test_a_file_that_says_no_profile_is_refused_in_one_line(tmp_path, text, complaint):
    (tmp_path / "own.csv").write_text(text)
    job = {"processes": 1, "memory_mb": 6, "demand_s": 5}
    scenario = make_scenario(job=[job], memory_profile=str(tmp_path / "own.csv"))
    with pytest.raises(InputError, match=complaint) as refused:
        load_workload(scenario)
    assert "\n" not in str(refused.value)


def test_what_is_no_profile_and_no_file_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # long paths are cut in messages
    with pytest.raises(InputError, match=r"--memory-profile: give static, ramp, phases, or a"):
        make_scenario(memory_profile="flat")
    with pytest.raises(InputError, match=r"none\.csv: No such file"):
        load_workload(make_scenario(memory_profile="none.csv"))
    Path("own.parquet").write_text("job,cpu_s,memory_mb\n1,0,5\n")
    with pytest.raises(InputError, match=r"own\.parquet: .*give static"):
        load_workload(make_scenario(memory_profile="own.parquet"))


RAMP = {
    "nodes": 1,
    "memory_profile": "ramp",
    "job": [{"processes": 1, "memory_mb": 8, "demand_s": 9}],
}


def test_check_notices_memory_that_is_not_the_profile_s(monkeypatch):
    resize = Process.resize
    monkeypatch.setattr(Process, "resize", lambda process, size: resize(process, size + 1))
    with pytest.raises(CheckFailed, match="not what its profile has"):
        journal_of(make_scenario(**RAMP), plane="actors")


def test_check_notices_a_change_that_is_missed(monkeypatch):
    monkeypatch.setattr(Job, "all_at_barrier", lambda job, cpu_ns: None)
    with pytest.raises(CheckFailed, match="at its end it holds other memory"):
        journal_of(make_scenario(**RAMP), plane="actors")
