"""Processes that move to other nodes, in the views that say what is where and when."""

import pytest

from agents.pnr.process import MOVING as MOVING_STATE
from model.core.journal.kinds import Record
from model.core.journal.over_time import memory, spans_of_processes
from model.core.journal.past import MOVING as MOVING_NAME
from model.pnr.cluster import Cluster
from model.pnr.scenario import make_scenario
from model.views.exports.batsim import jobs
from model.views.gantt import draw, stints
from model.views.recording import Selection, recording_of
from model.views.why import DISK, MOVING, path, totals_s

S = 10**9
#: As in tests/model/pnr/test_migration.py: rank 1 of job 1 moves from node 1 to node 2, where it
#: arrives while its job runs again.
SCENARIO = make_scenario(
    nodes=3,
    quantum_s=1,
    page_bytes=2**16,
    job=[{"processes": 2, "memory_mb": 20, "demand_s": 6}] * 2,
    seek_ms=0,
    rotation=False,
    migration_gain=0,
)
DESIGN = "MIGRATE(DP)"


@pytest.fixture(scope="module")
def made():
    """The cluster, and the recording of its run; what nodes held after each event."""
    records: list[Record] = []
    cluster = Cluster(SCENARIO, DESIGN, readers=(records.append,))
    held = {}
    cluster.running = True
    while cluster.running:
        cluster.step()
        held[cluster.clock.now_ns] = [sum(node.memory.processes.values()) for node in cluster.nodes]
    return cluster, recording_of(SCENARIO, DESIGN, records, ()), held


def move_of(recording):
    """The first departure, and its arrival."""
    its = recording.records[recording.records["kind"].isin(("departed", "arrived"))]
    departed, arrived = list(its.itertuples())[:2]
    assert (departed.kind, arrived.kind, departed.rank) == ("departed", "arrived", arrived.rank)
    return departed, arrived


def test_memory_is_that_of_the_model_at_every_event(made):
    _, recording, held = made
    over_time = memory(recording.records, 3)
    for time_ns, processes in zip(
        over_time.times_ns.tolist(), over_time.own.T.tolist(), strict=True
    ):
        assert processes == held[time_ns]


def test_a_job_is_on_its_new_node_from_the_departure_on(made):
    _, recording, _ = made
    departed, arrived = move_of(recording)
    of_job = [one for one in stints(recording.job_spans) if one.job == departed.job]
    for stint in of_job:
        assert stint.nodes == ((0, 1) if stint.end_ns <= departed.time_ns else (0, 2))
    assert departed.time_ns < arrived.time_ns < of_job[-1].end_ns
    draw(recording, Selection())
    draw(recording, Selection(), recording)
    resources = jobs(recording, Selection(job=departed.job))["allocated_resources"]
    assert resources.tolist() == ["0-2"]


def test_a_process_is_moving_while_its_job_runs_and_it_has_not_arrived(made):
    cluster, recording, _ = made
    departed, arrived = move_of(recording)
    its = [
        one
        for one in spans_of_processes(recording.records, 3)
        if (one.job, one.rank) == (departed.job, 1)
    ]
    moving = [one for one in its if one.state == MOVING_NAME]
    process = cluster.job(departed.job).processes[1]
    spent_ns = process.spent_ns[MOVING_STATE]
    assert sum(one.end_ns - one.start_ns for one in moving) == spent_ns > 0
    for one in its:
        assert one.nodes == ((1,) if one.end_ns <= departed.time_ns else (2,))
    assert max(one.end_ns for one in moving) == arrived.time_ns


def test_the_path_of_its_job_goes_with_it(made):
    cluster, recording, _ = made
    departed, _ = move_of(recording)
    job = cluster.job(departed.job)
    totals = totals_s(path(recording, job.number))
    assert sum(totals.values()) == pytest.approx((job.end_ns - job.submit_ns) / S)
    assert totals[MOVING] == pytest.approx(job.processes[1].spent_ns[MOVING_STATE] / S)
    assert totals[DISK] > 0
