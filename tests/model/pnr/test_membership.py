"""Nodes that join and leave while jobs run: what happens when, by hand."""

import pytest

from agents.pnr.protocol import Note, Protocol, Server
from model.core.journal.kinds import Lent, Placed
from model.core.journal.over_time import Outage, outages
from model.ground.errors import InputError
from model.ground.units import NS_PER_S
from model.pnr.metrics import measure
from model.pnr.scenario import make_scenario
from tests.journaled import journaled
from topologies.managers.man import man

MB = 2**20
FITS = {"processes": 1, "memory_mb": 8, "demand_s": 1}
PLANES = pytest.mark.parametrize("plane", ["actors", "compiled"])
#: Long pages and few barriers, so that little happens.
GIVEN = {"page_bytes": 2**20, "barrier_s": 100}


def emulate(groups, jobs, design="DP", plane="actors", **given):
    """A run with checks: the cluster, its journal, its summary."""
    scenario = make_scenario(node=groups, job=jobs, **{**GIVEN, **given})
    options = {"journal_level": "protocol", "plane": plane, "check": True}
    cluster, records = journaled(scenario, design, **options)
    return cluster, records, measure(cluster).summary


def placements(records):
    placed = [record for record in records if record.kind == Placed.name]
    return [(it.job, Placed.contents(it.payload).nodes, it.time_ns / NS_PER_S) for it in placed]


def comings(records):
    kinds = ("absent", "joined", "leaving", "gone")
    return [(it.kind, it.node, it.time_ns / NS_PER_S) for it in records if it.kind in kinds]


@PLANES
def test_a_node_gets_jobs_from_when_it_joins(plane):
    groups = [{}, {"joins_s": 5}]
    jobs = [{**FITS, "processes": 2}, FITS]  # the first waits for node 1, the second behind it
    _, records, summary = emulate(groups, jobs, plane=plane)
    assert placements(records) == [(1, (0, 1), 5), (2, (0,), 5)]
    assert comings(records) == [("absent", 1, 0), ("joined", 1, 5)]
    faults = summary["faults"]
    assert (faults["restarts"], faults["jobs_failed"], faults["jobs_stuck"]) == (0, 0, 0)
    assert faults["messages_lost"] in ({}, 0)


@PLANES
def test_nobody_asks_a_node_that_has_not_joined_and_that_nobody_has_heard_of(plane):
    # 40 MB on node 0: 8 are missing. At 0 s node 2 is not there, so node 1 lends. At 6 s there is
    # a job on all three nodes, so that the others may hear of node 2; at 20 s it may be asked, too.
    groups = [{}, {}, {"joins_s": 5}]
    lacks = {"processes": 1, "memory_mb": 40, "demand_s": 1}
    three = {"processes": 3, "memory_mb": 33, "demand_s": 1, "submit_s": 6}
    jobs = [lacks, three, {**lacks, "submit_s": 20}]
    _, records, summary = emulate(groups, jobs, "MAN", plane, mpl=1)
    lent = [(it.node, it.amount_bytes) for it in records if it.kind == Lent.name]
    assert lent[0] == (1, 8 * MB)
    assert not any(it.kind == "lost" and it.what == "ServerRequest" for it in records)
    assert summary["faults"]["jobs_stuck"] == 0


@PLANES
def test_a_node_that_is_leaving_gets_no_jobs_and_is_gone_after_its_grace(plane):
    groups = [{"leaves_s": 2, "leave_grace_s": 3}, {}]
    jobs = [{**FITS, "demand_s": 10}, {**FITS, "submit_s": 3, "demand_s": 20}]
    _, records, summary = emulate(groups, jobs, plane=plane)
    # job 1 ends at 10 s on node 0, which stays for it; job 2 is placed on node 1
    assert placements(records) == [(1, (0,), 0), (2, (1,), 3)]
    assert comings(records) == [("leaving", 0, 2), ("gone", 0, 10)]
    assert [it.end_ns for it in records if it.kind == "leaving"] == [5 * NS_PER_S]
    assert summary["jobs"] == 2
    faults = summary["faults"]
    assert (faults["attempts"], faults["jobs_restarted"]) == (2, 0)  # no job was killed


@PLANES
def test_a_job_that_fits_does_not_wait_for_those_on_a_node_that_is_leaving(plane):
    groups = [{"count": 3}, {"leaves_s": 10}]
    three = {**FITS, "processes": 3, "demand_s": 5}
    jobs = [three, {**FITS, "demand_s": 1000}, {**three, "submit_s": 20}]
    # job 2 is on node 3 up to 1,000 s; from 5 s on nodes 0 to 2 are free
    _, records, _ = emulate(groups, jobs, plane=plane, scheduler="space")
    assert placements(records) == [(1, (0, 1, 2), 0), (2, (3,), 0), (3, (0, 1, 2), 20)]


@PLANES
def test_without_jobs_it_is_gone_at_the_deadline(plane):
    groups = [{}, {"leaves_s": 2, "leave_grace_s": 3}]
    _, records, _ = emulate(groups, [{**FITS, "demand_s": 10}], plane=plane)
    assert comings(records) == [("leaving", 1, 2), ("gone", 1, 5)]
    gone = Outage(1, "node", "gone", 5 * NS_PER_S, records[-1].time_ns, lasts=True)
    assert outages(records, 2) == [gone]


@PLANES
def test_what_it_has_lent_is_on_its_borrowers_disks_when_it_is_gone(plane):
    groups = [{}, {"leaves_s": 2, "leave_grace_s": 3}]
    job = {"processes": 1, "memory_mb": 40, "demand_s": 100}
    cluster, records, _ = emulate(groups, [job], "MAN", plane)
    loans = [
        (it.kind, it.node, it.amount_bytes, it.time_ns / NS_PER_S)
        for it in records
        if it.kind in ("returned", "given back")
    ]
    assert loans == [("returned", 1, 8 * MB, 5), ("given back", 0, 8 * MB, 5)]
    node = cluster.nodes[0]
    assert node.faults_network > 0
    assert node.faults_disk > 0
    assert cluster.nodes[1].memory.demand == 0


@PLANES
def test_a_node_that_is_leaving_lends_nothing_new(plane):
    groups = [{}, {"leaves_s": 2, "leave_grace_s": 1000}]
    jobs = [{"processes": 1, "memory_mb": 40, "demand_s": 1, "submit_s": at} for at in (0, 50)]
    _, records, _ = emulate(groups, jobs, "MAN", plane)
    assert [it.time_ns < NS_PER_S for it in records if it.kind == Lent.name] == [True]
    granted = [it.amount_bytes for it in records if it.kind == "sent" and it.what == "ServerReply"]
    assert granted == [8 * MB, 0]


def test_jobs_that_fit_nowhere_any_more_are_given_up():
    groups = [{}, {"leaves_s": 2}]
    jobs = [{**FITS, "demand_s": 5}, {**FITS, "processes": 2, "submit_s": 1}]
    _, records, summary = emulate(groups, jobs, mpl=1)
    failed = [(it.job, it.time_ns / NS_PER_S) for it in records if it.kind == "failed"]
    assert failed == [(2, 2)]
    assert summary["faults"]["jobs_failed"] == 1


class Telling(Server):
    """Notes what it hears of its node."""

    def start(self, now_ns):
        return [Note("started", now_ns)]

    def leaving(self, deadline_ns):
        return [Note("leaving", deadline_ns)]


def telling(nodes):
    graph = man(nodes)
    graph.graph |= {"name": "TELLING", "protocol": Protocol(server=Telling)}
    return graph


@PLANES
def test_the_roles_of_the_node_alone_hear_that_it_joins_and_is_leaving(plane):
    groups = [{}, {"joins_s": 4, "leaves_s": 6, "leave_grace_s": 2}]
    given = {"fault": [{"kind": "servent", "nodes": [1], "from_s": 6.5, "restart_s": 1}]}
    design = f"{__file__}:telling"
    _, records, _ = emulate(groups, [{**FITS, "demand_s": 20}], design, plane, **given)
    notes = [
        (it.node, it.what, int(it.payload) / NS_PER_S, it.time_ns / NS_PER_S)
        for it in records
        if it.kind == "note"
    ]
    assert notes == [
        (0, "started", 0, 0),
        (1, "started", 4, 4),
        (1, "leaving", 8, 6),
        (1, "started", 7.5, 7.5),  # after a crash new roles hear of it, too
        (1, "leaving", 8, 7.5),
    ]


@PLANES
def test_faults_of_what_is_not_there_have_no_effect(plane):
    groups = [{}, {"joins_s": 4, "leaves_s": 6}]
    faults = [
        {"kind": "node", "nodes": [1], "from_s": 1, "restart_s": 4},  # until 5 s, if it were there
        {"kind": "servent", "nodes": [1], "from_s": 3, "restart_s": 10},
        {"kind": "node", "nodes": [1], "from_s": 7, "restart_s": 1},
    ]
    _, records, summary = emulate(groups, [{**FITS, "demand_s": 20}], plane=plane, fault=faults)
    came, went = [("absent", 1, 0), ("joined", 1, 4)], [("leaving", 1, 6), ("gone", 1, 6)]
    assert comings(records) == [*came, *went]
    assert not any(it.kind in ("crashed", "restarted") for it in records)
    assert summary["faults"]["restarts"] == 0


@pytest.mark.parametrize(
    ("group", "said"),
    [
        ({"joins_s": 5, "leaves_s": 5}, "leaves_s 5 is not after joins_s 5"),
        ({"leave_grace_s": 5}, "leave_grace_s: say when the nodes begin to leave"),
    ],
)
def test_one_line_says_what_is_wrong(group, said):
    with pytest.raises(InputError, match=said):
        make_scenario(node=[{}, group])
