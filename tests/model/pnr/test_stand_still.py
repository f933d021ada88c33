"""A cluster that stands still while its time slots take turns: by hand, and against each turn."""

import pytest

from model.pnr.cluster import Cluster
from model.pnr.scenario import make_scenario
from model.systems import emulation_of
from tests.model.pnr.compiled.equality import assert_equal

#: Two jobs share both nodes, and each lacks memory.
TWO_JOBS = [{"processes": 2, "memory_mb": 20, "demand_s": 1}] * 2
LATE = {"processes": 1, "memory_mb": 4, "demand_s": 1, "submit_s": 60}
SHARED = {"job": TWO_JOBS, "nodes": 3, "ram_mb": 16, "mpl": 2, "quantum_s": 0.1, "pcs_ms": 10}
ALL_LOST = {"kind": "loss"}
PLANES = ["actors", "compiled"]


def emulated(plane, readers=(), design="MAN", **parameters) -> Cluster:
    scenario = make_scenario(**{**SHARED, **parameters})
    return emulation_of(scenario, design, readers=readers, plane=plane).run()


@pytest.mark.parametrize("plane", PLANES)
@pytest.mark.parametrize("quantum_s", [0.1, 0.001])
def test_a_run_whose_messages_are_all_lost_is_stuck_after_two_rounds(plane, quantum_s):
    cluster = emulated(plane, fault=[ALL_LOST], quantum_s=quantum_s)
    assert cluster.stuck
    assert cluster.unfinished == 2
    # The last request is lost within the first quanta; a round is two turns.
    assert cluster.clock.now_ns < 0.5 * 10**9
    assert cluster.clock.executed < 2_000


#: Nobody hears anything for 40 s; then both clients begin anew at 41 s, and ask again.
WOKEN = [
    {"kind": "loss", "until_s": 40},
    {"kind": "servent", "nodes": [0, 1], "from_s": 40, "restart_s": 1},
]


@pytest.mark.parametrize("design", ["MAN", "CLI", "LEASE", "GOSSIP"])
@pytest.mark.parametrize("scheduler", ["gang", "gang-memory"])
def test_a_run_that_is_woken_is_the_same_with_each_turn_or_with_rounds_passed_over(
    design, scheduler
):
    # with a journal each turn is executed, without one most are passed over
    assert_equal(make_scenario(fault=WOKEN, scheduler=scheduler, **SHARED), design, "protocol")


@pytest.mark.parametrize("plane", PLANES)
def test_samples_are_taken_while_rounds_are_passed_over(plane):
    cluster = emulated(plane, fault=WOKEN, sample_s=1, job=[*TWO_JOBS, LATE])
    assert cluster.sampling.samples["time_s"][:40] == [float(second) for second in range(1, 41)]


def test_a_job_that_arrives_later_is_no_stall():
    cluster = emulated("actors", job=[*TWO_JOBS, LATE], fault=[ALL_LOST])
    assert cluster.job(3).end_ns is not None
    assert cluster.stuck


@pytest.mark.parametrize("plane", PLANES)
def test_in_one_slot_a_sample_or_a_look_tells_a_stall(plane):
    one = {"mpl": 1, "fault": [ALL_LOST]}
    # of a sample in each twentieth of the second for which a job computes, the first
    assert emulated(plane, **one).clock.now_ns == 5 * 10**7
    later = {"job": [*TWO_JOBS, {**LATE, "submit_s": 5.5}], "sample_s": 1}
    sampled = emulated(plane, **one, **later)  # job 3 arrives, and has no node
    assert sampled.clock.now_ns == 6 * 10**9
    assert sampled.sampling.samples["time_s"] == [1, 2, 3, 4, 5]
    # Twenty samples are taken up to 62 s, when the third job comes, of which all answers are lost.
    lost = {"kind": "loss", "from_s": 61}
    jobs = [{**LATE, "submit_s": 0}, LATE, {**TWO_JOBS[0], "submit_s": 62}]
    looked = emulated(plane, mpl=1, fault=[lost], stall_s=80, job=jobs, sample_s=100)
    assert looked.clock.now_ns == 80 * 10**9  # the second look


@pytest.mark.parametrize("plane", PLANES)
def test_a_job_that_will_compute_in_its_turn_is_no_stall(plane):
    # Job 1 computes for 100 s of each 120; looks are at 5 s, 10 s, and so on. In the first turn of
    # job 2, whose grant is lost, nothing is to come for job 1 but that turn's end, at 120.008 s.
    # Job 1 has computed 59.98 s then, goes on for 40.02 s, and ends at 160.028 s and two barriers.
    lost = {"kind": "loss", "messages": ["RamGrant"], "nodes": [1], "from_s": 10}
    jobs = [
        {"processes": 2, "memory_mb": 1, "demand_s": 100},
        {"processes": 2, "memory_mb": 1, "demand_s": 1, "submit_s": 20},
    ]
    parameters = {"job": jobs, "fault": [lost], "stall_s": 10, "barrier_s": 50}
    cluster = emulated(plane, design="CEN", quantum_s=60, **parameters)
    first, second = cluster.jobs
    assert first.end_ns is not None
    assert second.end_ns is None
    assert cluster.stuck
