"""Processes that move to other nodes: who moves, when and where to, worked out by hand."""

import json

import pytest

from agents.pnr.process import MOVING
from model.ground.errors import CheckFailed, InputError
from model.pnr.cluster import Cluster
from model.pnr.comparison import DesignComparison
from model.pnr.explore.setting import Setting
from model.pnr.migration import Migration
from model.pnr.scenario import make_scenario
from model.systems import measure, run
from model.terminal.designs import tables
from tests.journaled import journaled
from tests.model.pnr.compiled.equality import assert_equal

MB, S = 2**20, 10**9
#: 20 MB over two links of 100 Mbps of 50 ns each, and the switch between them of 80 µs.
TRANSFER_NS = 2 * (20 * MB * 80 + 50) + 80_000
DISK_NS = 78_125  # 4 KB at 50 MB/s, without seek or rotation

#: Two processes of each job are on nodes 0 and 1, 8 MB of which are on the disk; node 2 is idle.
#: A page is read so fast that a process nearly always computes, or is ready to.
TWO_JOBS = {
    "nodes": 3,
    "quantum_s": 5,
    "job": [{"processes": 2, "memory_mb": 20, "demand_s": 12}] * 2,
    "seek_ms": 0,
    "rotation": False,
    "migration_gain": 0,
}


def journal_of(design, level="protocol", **given):
    """The cluster and the records of a run that keeps its own rules."""
    options = {"check": True, "plane": "actors", "journal_level": level}
    cluster, records = journaled(make_scenario(**given), design, **options)
    return cluster, records


def moves(records):
    """(ns, kind, job, rank, node, peer, MB) of each departure and arrival."""
    return [
        (it.time_ns, it.kind, it.job, it.rank, it.node, it.peer, it.amount_bytes / MB)
        for it in records
        if it.kind in ("departed", "arrived")
    ]


def test_a_process_moves_when_its_job_is_suspended_and_then_nobody_pages():
    cluster, records = journal_of("MIGRATE(DP)", "all", **TWO_JOBS)
    arrival_ns = 5 * S + TRANSFER_NS
    # Rank 0 of several never moves. When job 2 is suspended, 5.004 s later, node 2 holds 20 MB.
    assert moves(records) == [
        (5 * S, "departed", 1, 1, 1, 2, 20),
        (arrival_ns, "arrived", 1, 1, 2, 1, 20),
    ]
    assert cluster.jobs[0].nodes == [0, 2]
    assert cluster.nodes[2].faults_disk == 0
    on_1_ns = [one.time_ns for one in records if one.kind == "disk" and one.node == 1]
    assert 5 * S < max(on_1_ns) < arrival_ns + DISK_NS  # until then its memory was there, too
    its = [one for one in records if one.kind in ("delivered", "sent") and one.job == 1]
    barriers = [it for it in its if it.phase == "barrier" and it.time_ns > 5 * S]
    assert {it.node for it in barriers} == {0, 2}


def test_memory_is_held_at_both_nodes_while_a_process_moves():
    loads = []

    def watch(record):
        if record.kind in ("departed", "arrived"):
            loads.append([node.memory.demand // MB for node in cluster.nodes])

    cluster = Cluster(make_scenario(**TWO_JOBS), "MIGRATE(DP)", readers=(watch,))
    cluster.run()
    assert loads == [[40, 40, 20], [40, 40, 20]]  # it is freed just after the second record
    assert [node.memory.demand for node in cluster.nodes] == [0, 0, 0]


@pytest.mark.parametrize(("ram_mb", "says"), [(19, "has not the RAM"), (40, "pages nothing")])
def test_a_check_notices_a_move_against_the_rules(monkeypatch, ram_mb, says):
    monkeypatch.setattr(Migration, "_target", lambda self, job, process: 2)
    with pytest.raises(CheckFailed, match=says):
        journal_of("MIGRATE(DP)", **{**TWO_JOBS, "ram_mb": ram_mb})


def test_a_process_computes_when_it_has_arrived_however_often_its_job_was_switched():
    # A quantum of 1 s: job 1 runs again from 2.008 to 3.008 s and from 4.016 s on, and rank 1 is on
    # its way until 1 s + 3.36 s. Meanwhile it is moving, if its job runs, or switched out.
    given = {**TWO_JOBS, "quantum_s": 1}
    cluster, records = journal_of("MIGRATE(DP)", **given)
    (departed_ns, *_), (arrived_ns, *_) = moves(records)
    assert (departed_ns, arrived_ns) == (S, S + TRANSFER_NS)
    moving_ns = S + (arrived_ns - 4_016_000_000)
    first, second = cluster.jobs[0].processes
    assert (first.spent_ns[MOVING], second.spent_ns[MOVING]) == (0, moving_ns)
    row = measure(cluster).jobs.iloc[0]
    assert row["moving_s"] == pytest.approx(moving_ns / 2 / S)
    assert row["migrations"] == 1


def test_a_process_moves_only_if_it_waited_longer_for_the_disk_than_it_moves():
    _, records = journal_of("MIGRATE(DP)", "all", **{**TWO_JOBS, "migration_gain": 10**6})
    assert not moves(records)
    reads = [one for one in records if one.kind == "disk" and one.job == 1 and one.rank == 1]
    waited_ns = DISK_NS * sum(one.end_ns <= 5 * S for one in reads)
    thousandths = waited_ns * 1000 // TRANSFER_NS
    for gain, departs in ((thousandths / 1000, True), ((thousandths + 1) / 1000, False)):
        _, records = journal_of("MIGRATE(DP)", **{**TWO_JOBS, "migration_gain": gain})
        assert (5 * S in [time_ns for time_ns, *_ in moves(records)]) == departs


@pytest.mark.parametrize(
    ("design", "changed"),
    [
        ("MIGRATE(DP)", {"nodes": 2}),  # no node is free
        ("MIGRATE(DP)", {"scheduler": "space"}),  # no job is ever suspended
        ("MIGRATE(MAN)", {}),  # all that is missing is borrowed
        ("MIGRATE(DP)", {"ram_mb": 19}),  # nobody has RAM for all of it
        ("MIGRATE(DP)", {"ram_mb": 40}),  # nobody pages
        ("DP", {}),
    ],
)
def test_nothing_moves(design, changed):
    scenario = make_scenario(**{**TWO_JOBS, **changed})
    cluster = run(scenario, design, plane="compiled")
    assert [job.migrations for job in cluster.jobs] == [0, 0]
    assert measure(cluster).summary.get("migrations", 0) == 0


def test_the_most_idle_node_is_taken_and_of_equal_ones_the_lowest():
    sizes = (1, 2, 4)
    jobs = [{"processes": size, "memory_mb": 20, "demand_s": 12} for size in sizes]
    _, records = journal_of("MIGRATE(DP)", **{**TWO_JOBS, "nodes": 6, "job": jobs})
    placed = [json.loads(it.payload)["nodes"] for it in records if it.kind == "placed"]
    assert placed == [[0], [1, 2], [0, 1, 2, 3]]  # the last one in the second slot
    # Nodes 0 to 2 page. When jobs 1 and 2 are suspended, 12 MB of node 3, and 32 MB of nodes 4 and
    # 5 are idle.
    # The one process of job 1 goes first, though it is a rank 0; that of job 2 is no rank 0.
    departed = [move for move in moves(records) if move[:2] == (5 * S, "departed")]
    assert [move[2:] for move in departed] == [(1, 0, 0, 4, 20), (2, 1, 2, 5, 20)]


def test_what_the_node_had_borrowed_for_it_is_given_back_in_a_notice_of_its_own():
    # Servers lend 4 MB at most: nodes 0 and 1 get 2 MB each of node 2, and have 6 MB on the disk.
    _, records = journal_of("MIGRATE(MAN)", **TWO_JOBS, threshold_mb=28)
    (_, *_, source, target, _), (arrived_ns, *_) = moves(records)
    assert (source, target) == (1, 2)
    then = [one for one in records if one.time_ns == arrived_ns]
    arrived = next(one for one in then if one.kind == "arrived")
    given = next(one for one in then if one.kind == "given back")
    notice = next(one for one in then if one.what == "ReleaseNotice" and one.kind == "sent")
    assert (given.node, given.peer, given.amount_bytes) == (1, 2, 2 * MB)
    assert (notice.node, notice.cause) == (1, arrived.id)
    # Its manager does not wait for the job's other client, whose process goes on.
    returned = next(one for one in records if one.kind == "returned")
    assert (returned.node, returned.amount_bytes) == (2, 2 * MB)
    assert arrived_ns < returned.time_ns < arrived_ns + S / 100


@pytest.mark.parametrize("topology", ["star", "bus", "connected", "fat-tree", "ring"])
def test_a_move_takes_what_the_unloaded_route_takes_if_nobody_else_sends(topology):
    cluster, records = journal_of("MIGRATE(DP)", **TWO_JOBS, topology=topology)
    (departed_ns, _, _, _, source, target, _), (arrived_ns, *_) = moves(records)
    assert arrived_ns - departed_ns == cluster.network.unloaded_ns(source, target, 20 * MB)


def test_what_moved_is_in_the_summary_and_in_the_table_if_anything_did():
    comparison = DesignComparison(make_scenario(**TWO_JOBS, designs=("DP", "MIGRATE(DP)")))
    results = list(comparison.results())
    summaries = [result.summary for result in results]
    assert "migrations" not in summaries[0]
    assert (summaries[1]["migrations"], summaries[1]["migrated_mb"]) == (1, 20)
    assert summaries[1]["messages"]["ProcessTransfer"] == 1
    assert sum(summaries[1]["breakdown"].values()) == pytest.approx(summaries[1]["mean_response_s"])
    table = tables(results)[0]
    assert [line[-2:] for line in table.lines] == [("-", "-"), ("1", "20.0")]
    (still,) = DesignComparison(make_scenario(**TWO_JOBS, designs=("DP",))).results()
    assert len(tables([still])[0].headings) == len(table.headings) - 2


def test_faults_and_exploring_are_refused_in_one_line():
    loss = [{"kind": "loss", "rate": 0.1}]
    with pytest.raises(
        InputError,
        match=r"^MIGRATE\(MAN\): a process that is lost .* no faults and nodes that stay$",
    ):
        run(make_scenario(**TWO_JOBS, fault=loss), "MIGRATE(MAN)")
    with pytest.raises(InputError, match=r"^MIGRATE\(MAN\): explore suspends no jobs"):
        _ = Setting("MIGRATE(MAN)").design


#: Little is lent, pages are large and quanta short, so processes move often.
MOVING_OFTEN = {
    "minimum_demand_s": 0.001,
    "page_bytes": 2**14,
    "barrier_s": 0.02,
    "bandwidth_mbps": 10_000,
    "threshold_mb": 28,
    "migration_gain": 0,
}


@pytest.mark.parametrize(
    ("design", "level"),
    [
        ("MIGRATE(DP)", "all"),
        ("RECLAIM(MIGRATE(MAN))", "protocol"),
        ("MIGRATE(RECLAIM(CEN))", "all"),
        ("RELIABLE(MIGRATE(BB2))", "protocol"),
    ],
)
def test_both_planes_move_the_same_processes(design, level):
    jobs = [{"processes": 5, "memory_mb": 20, "demand_s": 0.3}] * 3
    jobs += [{"processes": 1, "memory_mb": 25, "demand_s": 0.2}] * 4
    scenario = make_scenario(nodes=9, job=jobs, quantum_s=0.05, mpl=3, **MOVING_OFTEN)
    cluster = run(scenario, design, plane="compiled")
    assert sum(job.migrations for job in cluster.jobs) > 2
    assert_equal(scenario, design, level)
