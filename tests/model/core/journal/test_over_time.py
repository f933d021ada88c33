"""Spans and levels are what the emulation itself has counted."""

from itertools import pairwise

import numpy as np
import pytest

from agents.pnr import process as live
from model.core.journal import kinds
from model.core.journal.kinds import Record
from model.core.journal.over_time import memory, outages, spans_of_jobs, spans_of_processes
from model.core.journal.past import GRANT, QUEUED, RUNNING, Past
from model.pnr.cluster import Cluster
from model.pnr.scenario import make_scenario
from model.views.recording import recording_of
from tests.model.pnr.compiled.test_equality import SCARCE, SMALL

MB, S = 2**20, 10**9
STATES = {
    live.COMPUTING: RUNNING,
    live.DISK_FAULT: kinds.DISK,
    live.NETWORK_FAULT: kinds.PAGE,
    live.BARRIER: kinds.BARRIER,
}


def run(design, **given):
    records = []
    scenario = make_scenario(**given)
    cluster = Cluster(scenario, design, readers=(records.append,)).run()
    return cluster, records, recording_of(scenario, design, records, ()).records


@pytest.mark.parametrize("design", ["DP", "MAN", "RACK2"])
def test_processes_are_in_each_state_as_long_as_they_have_counted(design):
    cluster, records, table = run(design, job=SCARCE, **SMALL)
    spans = spans_of_processes(table, 8)
    assert spans == spans_of_processes(records, 8)
    for job in cluster.jobs:
        for process in job.processes:
            of_it = [it for it in spans if (it.job, it.rank) == (job.number, process.rank)]
            for state, name in STATES.items():
                lasted_ns = sum(it.end_ns - it.start_ns for it in of_it if it.state == name)
                assert lasted_ns == process.spent_ns[state], name
            assert of_it[0].start_ns == job.start_ns
            assert all(a.end_ns == b.start_ns for a, b in pairwise(of_it))


def test_a_jobs_spans_follow_each_other_from_its_submission_to_its_end():
    cluster, _, table = run("MAN", job=SCARCE, **SMALL)
    for job in cluster.jobs:
        spans = [it for it in spans_of_jobs(table, 8) if it.job == job.number]
        assert (spans[0].start_ns, spans[-1].end_ns) == (job.submit_ns, job.end_ns)
        assert all(a.end_ns == b.start_ns for a, b in pairwise(spans))
        assert not any(it.lasts for it in spans)
        queued = [it for it in spans if it.state == QUEUED]
        assert all(not it.nodes and it.slot is None for it in queued)


def test_who_waits_for_a_grant_that_never_comes_still_does_at_the_end():
    fault = [{"kind": "loss", "messages": ["RamGrant"], "rate": 1}]
    jobs = [{"processes": 2, "memory_mb": 40, "demand_s": 1}]
    _, _, table = run("CEN", job=jobs, fault=fault, nodes=4)
    (span,) = [it for it in spans_of_jobs(table, 4) if it.state == GRANT]
    assert (span.job, span.nodes, span.lasts) == (1, (0, 1), True)


def test_only_what_has_started_is_on_disk_whatever_a_crash_clears():
    """Job 1's request is lost; job 2 finds its RAM full and no lender, and starts all the same.

    A crash of the servent clears what the client has asked for: job 1 has not started all the same.
    """
    fault = [
        {"kind": "loss", "messages": ["ServerRequest"], "until_s": 1},
        {"kind": "servent", "nodes": [0], "from_s": 4, "restart_s": 2},
        {"kind": "loss", "messages": ["ServerRequest"], "from_s": 5},
    ]
    full = {"processes": 1, "memory_mb": 32, "demand_s": 100, "submit_s": 0.5}
    short = {"processes": 1, "memory_mb": 40, "demand_s": 1}
    last = {"processes": 2, "memory_mb": 6, "demand_s": 100, "submit_s": 2}
    _, _, table = run("CLI", job=[short, full, last], fault=fault, nodes=2, mpl=2, stall_s=50)
    held = memory(table, 2)
    parts = held.parts(32 * MB)
    between = (held.times_ns > 2.1 * S) & (held.times_ns < 90 * S)
    assert held.crashed.sum() == 0 < between.sum()
    assert set(parts.asked[0, between]) == {8 * MB}
    assert set(parts.on_disk[0, between]) == {6 * MB}


def test_what_a_killed_attempt_asked_for_is_what_the_next_one_waits_for():
    """Its client asks for nothing again, as the answer to its first request may still come."""
    past = Past(1)

    def read(kind, job, **fields):
        past.read(Record(1, kind, id=1, job=job, **fields))

    def place(job):
        read("placed", job, slot=job - 1, amount_bytes=10 * MB, payload='{"nodes": [0]}')

    for job in (1, 2):
        read("submitted", job)
        place(job)
    read("started", 1, rank=0, node=0)
    read("asked", 2, node=0, amount_bytes=4 * MB)
    assert past.nodes[0].parts(16 * MB)[-2:] == (4 * MB, 0)
    read("killed", 2)
    place(2)
    assert past.nodes[0].parts(16 * MB)[-2:] == (4 * MB, 0)


def test_memory_and_outages_of_a_crash():
    fault = [{"kind": "node", "nodes": [0], "from_s": 1, "restart_s": 1}]
    jobs = [{"processes": 1, "memory_mb": 40, "demand_s": 3}]
    _, records, table = run("MAN", job=jobs, fault=fault, nodes=3)
    held = memory(table, 3)
    assert np.array_equal(held.own, memory(records, 3).own)
    parts = held.parts(32 * MB)
    column = int(np.searchsorted(held.times_ns, S, side="right")) - 1
    assert parts.crashed[:, column].tolist() == [32 * MB, 0, 0]
    # It begins again on node 1, which still lends the 8 MB that node 0 had borrowed.
    assert parts.own[:, column].tolist() == [0, 24 * MB, 0]
    assert parts.lent[:, column].tolist() == [0, 8 * MB, 0]
    assert parts.idle[0, column] == 0
    assert (parts.asked[1, column], parts.on_disk[1, column]) == (16 * MB, 0)
    assert [(it.node, it.what, it.start_ns, it.end_ns) for it in outages(table, 3)] == [
        (0, "node", S, 2 * S)
    ]
    whole = sum(parts[:4])
    assert (whole == 32 * MB).all()
