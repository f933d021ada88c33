"""What is known from a journal is what the cluster is like: after every event, whatever happens.

Within one event the cluster may change before it is said (a node frees its memory just after the
record of its crash), so the two are compared between events. A disk's end has no record: the past
has it at the beginning of its nanosecond, so what waits for disks is compared when that is over.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.messages import Message
from agents.pnr import process as live
from agents.sharing import job as sequential
from model.core.journal import kinds
from model.core.journal.past import HELD, MOVING, QUEUED, RUNNING, Past
from model.ground.errors import Beyond, Stalled
from model.pnr.scenario import make_scenario
from model.sharing.scenarios import make_sharing_scenario
from model.systems import comparison_of, declared_as
from tests.model.pnr.compiled.test_equality import (
    FAULT,
    GROUPS,
    HARDWARE,
    JOB,
    seats_of,
    unequal,
)

WAITS = {
    live.DISK_FAULT: kinds.DISK,
    live.NETWORK_FAULT: kinds.PAGE,
    live.BARRIER: kinds.BARRIER,
}
WAITS_OF_SEQUENTIAL = {sequential.PAGING: kinds.DISK, sequential.IO: kinds.IO}
DESIGN = st.sampled_from(
    [
        *("DP", "CLI", "CEN", "MAN", "MAN(load=share)", "BB2"),
        *("PROBE1", "GOSSIP", "TREE2", "RACK2", "LEASE", "MASTER", "INFINISWAP", "ADAPT"),
        *("RELIABLE(MAN)", "RECLAIM(MAN)", "RELIABLE(RECLAIM(CLI))", "MIGRATE(DP)", "MIGRATE(MAN)"),
    ]
)


class Beliefs:
    """What decisions believed, kept beside the journal as roles order it: without deltas."""

    def __init__(self, cluster):
        self.latest = {}
        write = cluster.journal.decided

        def decided(node, role, choice, true):
            before = self.latest.get((node, role))
            known = dict(before[1]) if before and before[0] == tuple(choice.search) else {}
            for candidate, word in choice.believed:
                ram = choice.rams and choice.rams[candidate]
                known[candidate] = (*(word or (None, None)), true[candidate], ram)
            entry = tuple(choice.search), known, bool(choice.groups), choice.chosen
            self.latest[node, role] = entry
            write(node, role, choice, true)

        cluster.journal.decided = decided

    def now(self, cluster):
        down = {node.index for node in cluster.nodes if cluster.servents[node.index].is_down}
        for role in [role for role in self.latest if role[0] in down]:
            del self.latest[role]
        return self.latest


def messages_under_way(cluster):
    """By sender and number, the station that each has reached last."""
    found = {}
    for _, what in cluster.clock.pending_events():
        if isinstance(what, Message) and what.source != what.target:
            reached = what.route[what.hop - 1].__self__.name if what.hop else None
            found[kinds.identity(kinds.MESSAGE, what.source, what.number)] = reached
    return found


def memory_now(cluster):
    return [
        (
            node.memory.processes,
            node.memory.lent,
            {lender: amount for lender, amount in node.memory.loans.items() if amount},
            sum(node.memory.asked.values()),
            node.memory.borrowed,
            node.memory.beyond_limits,
            node.memory.withdrawn,
            node.is_down,
        )
        for node in cluster.nodes
    ]


def jobs_now(cluster):
    scheduler, found = cluster.scheduler, {}
    for job in cluster.jobs:
        if job.end_ns is not None:
            found[job.number] = "ended"
        elif job.failed:
            found[job.number] = "failed"
        elif job in scheduler.queue:
            found[job.number] = QUEUED
        elif job.start_ns is not None:
            running = job in scheduler.running
            found[job.number] = (scheduler.matrix.slot_of(job), tuple(job.nodes), running)
    return found


def processes_now(cluster, disks):
    return {
        (job.number, process.rank): (
            process.node.index,
            process.state != live.GRANT,
            process.state == live.MOVING,
            process.left.index if process.left is not None else None,
            known_wait(WAITS.get(process.state), disks),
        )
        for job in cluster.jobs
        for process in job.processes
        if process.state != live.FINISHED
    }


def known_wait(wait, disks):
    return wait if disks or wait not in (kinds.DISK, kinds.IO) else None


def outages_now(cluster):
    return [
        {("node", "gone" if node.memory.withdrawn else "absent")}
        if cluster.membership.is_away(node.index)
        else {
            which
            for which, holds in (
                (("servent", "crashed"), servent.is_down),
                (("servent", "paused"), servent.host.pauses > 0),
                (("node", "crashed"), node.is_down),
            )
            if holds
        }
        for servent, node in zip(cluster.servents, cluster.nodes, strict=True)
    ]


def slots_now(cluster):
    scheduler = cluster.scheduler
    return scheduler.slot if scheduler.matrix.filled() else None, bool(scheduler._switching)


def everything_now(cluster, beliefs, disks):
    return {
        "memory": memory_now(cluster),
        "jobs": jobs_now(cluster),
        "processes": processes_now(cluster, disks),
        "outages": outages_now(cluster),
        "slots": slots_now(cluster),
        "under way": messages_under_way(cluster),
        "beliefs": beliefs.now(cluster),
    }


def over_of(node, ram):
    split = node.parts(ram)
    return split.borrowed + split.asked + split.on_disk


def everything_known(past, disks):
    def job(it):
        return (it.slot, it.nodes, it.running) if it.phase == RUNNING else it.phase

    placed = any(it.slot is not None for it in past.jobs.values())
    return {
        "memory": [
            (
                {job: it.size for job, it in node.processes.items()},
                node.lent,
                node.loans,
                node.asked,
                node.borrowed,
                node.beyond,
                node.leaving,
                node.is_down,
            )
            for node in past.nodes
        ],
        "jobs": {number: job(it) for number, it in past.jobs.items()},
        "processes": {
            (it.job, it.rank): (
                it.node,
                it.started,
                it.source is not None,
                it.source,
                known_wait(it.waits_for, disks),
            )
            for job in past.jobs.values()
            for it in job.processes.values()
        },
        "outages": [{*node.down} for node in past.nodes],
        "slots": (past.slot if placed else None, past.switching),
        "under way": {
            number: None if it.hop is None else it.hop.station
            for number, it in past.under_way.items()
        },
        "beliefs": {
            role: (it.search, {n: tuple(b) for n, b in it.candidates.items()}, it.groups, it.chosen)
            for role, it in past.decisions.items()
        },
    }


def follow(scenario, design):
    """Run a design event by event; after each, what is known is what is so. Returns the past."""
    past = Past(scenario.nodes)
    comparison = comparison_of(scenario.comparing(declared_as(scenario, design)))
    (name,) = comparison.contestants
    cluster = comparison.emulation(name, (past.read,), "all", "actors")
    beliefs, more = Beliefs(cluster), True
    rams = cluster.constants.rams
    try:
        while more:
            more = cluster.clock.run(1)
            following = cluster.clock.next_key()
            disks = following is None or following[0] > cluster.clock.now_ns
            past.reach(cluster.clock.now_ns)
            now, known = everything_now(cluster, beliefs, disks), everything_known(past, disks)
            for what in now:
                assert known[what] == now[what], f"{what} at {cluster.clock.now_ns} ns"
            over = [over_of(*of_one) for of_one in zip(past.nodes, rams, strict=True)]
            assert over == [node.memory.over for node in cluster.nodes]
    except (Stalled, Beyond):
        pass
    return past


#: What groups of nodes may state that are there throughout.
STAYS = ("ram_mb", "cpu_mhz", "seats", "seek_ms", "disk_mb_per_s")


#: Pages and barriers that are lost, or come twice.
DATA_FAULT = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(["loss", "duplicate", "delay"]),
        "messages": st.sampled_from([["page"], ["barrier"], ["page", "barrier", "start"]]),
    }
).map(lambda it: it | ({"delay_ms": 15} if it["kind"] == "delay" else {"rate": 0.2}))


@given(
    hardware=HARDWARE,
    groups=GROUPS,
    jobs=st.lists(JOB, min_size=1, max_size=5),
    design=DESIGN,
    faults=st.one_of(st.lists(FAULT, max_size=3), st.lists(DATA_FAULT, min_size=1, max_size=1)),
    grant_timeout_s=st.sampled_from([None, None, 0.005]),
    nodes=st.integers(2, 9),
)
@settings(max_examples=35)
def test_after_every_event_the_past_is_the_live_cluster(
    hardware, groups, jobs, design, faults, grant_timeout_s, nodes
):
    if any(0 in fault.get("nodes", ()) or 1 in fault.get("nodes", ()) for fault in faults):
        nodes = max(nodes, 3)
    if "MIGRATE" in design:
        faults = []  # which would lose a process that moves
        groups = [{name: of for name, of in it.items() if name in STAYS} for it in groups]
    hardware = {**hardware, "nodes": nodes, "grant_timeout_s": grant_timeout_s, "drain_s": 5}
    hardware["stall_s"] = 1  # jobs may be stuck, and time slots go round
    hardware = unequal(hardware, groups)
    jobs = [{**job, "processes": min(job["processes"], seats_of(hardware))} for job in jobs]
    scenario = make_scenario(job=jobs, fault=faults or None, minimum_demand_s=0.001, **hardware)
    follow(scenario, design)


@pytest.mark.parametrize("design", ["MIGRATE(DP)", "MIGRATE(MAN)", "MIGRATE(RECLAIM(MAN))"])
@pytest.mark.parametrize("quantum_s", [0.05, 0.2])
def test_the_past_follows_processes_that_move(design, quantum_s):
    jobs = [{"processes": 2, "memory_mb": 20, "demand_s": 0.9}] * 2
    given = {"nodes": 3, "quantum_s": quantum_s, "page_bytes": 2**16, "barrier_s": 0.1}
    quick = {"seek_ms": 0, "rotation": False, "migration_gain": 0, "bandwidth_mbps": 1000}
    past = follow(make_scenario(job=jobs, **given, **quick), design)
    assert past.counts["arrived"] == past.counts["departed"]
    assert past.counts["departed"] or "MAN" in design


# Load sharing


def sharing_now(cluster, disks):
    states = {
        sequential.READY: RUNNING,
        sequential.PAGING: RUNNING,
        sequential.IO: RUNNING,
        sequential.MOVING: MOVING,
        sequential.ENDED: "ended",
        sequential.HELD: HELD,
        sequential.KILLED: "killed",
    }
    jobs = {
        job.number: (
            states[job.state],
            () if job.node is None else (job.node.index,),
            job.memory if job.node is not None else None,
            known_wait(WAITS_OF_SEQUENTIAL.get(job.state), disks),
        )
        for job in cluster.jobs
        if job.state != sequential.SUBMITTED
    }
    return jobs, [{*node.residents} for node in cluster.nodes], messages_under_way(cluster)


def sharing_known(past, disks):
    jobs = {}
    for number, job in past.jobs.items():
        process = job.processes.get(0)
        waits = None if process is None else known_wait(process.waits_for, disks)
        jobs[number] = job.state, job.nodes, process.size if process else None, waits
    under_way = {
        number: None if it.hop is None else it.hop.station for number, it in past.under_way.items()
    }
    return jobs, [{job for job, _ in node.processes} for node in past.nodes], under_way


def follow_sharing(scenario, policy):
    past, more = Past(scenario.nodes), True
    cluster = comparison_of(scenario).emulation(policy, (past.read,), "all", "actors")
    while more:
        more = cluster.clock.run(1)
        following = cluster.clock.next_key()
        disks = following is None or following[0] > cluster.clock.now_ns
        past.reach(cluster.clock.now_ns)
        # a job arrives at once: before its policy has answered, it is nowhere
        assert sharing_known(past, disks) == sharing_now(cluster, disks), cluster.clock.now_ns
    return past


SEQUENTIAL = st.lists(
    st.fixed_dictionaries(
        {
            "submit_s": st.sampled_from([0, 0, 0.01, 0.02, 0.5]),
            "home": st.integers(0, 2),
            "memory_mb": st.sampled_from([1, 5, 9, 12]),
            "demand_s": st.sampled_from([0.05, 0.2, 1.1]),
        }
    ),
    min_size=1,
    max_size=8,
)


@given(
    jobs=SEQUENTIAL,
    nodes=st.integers(3, 5),
    policy=st.sampled_from(["NO_LS", "CPU_RE", "MEM_RE", "CPU_PM", "CPU_MEM_HP_PM"]),
    transfer=st.sampled_from(["formula", "messages"]),
)
def test_the_past_is_the_live_workstations(jobs, nodes, policy, transfer):
    small = {"ram_mb": 10, "working_set_pct": 100, "mips": 100, "fault_rate": 2.5}
    scenario = make_sharing_scenario(job=jobs, nodes=nodes, transfer=transfer, **small)
    follow_sharing(scenario, policy)
