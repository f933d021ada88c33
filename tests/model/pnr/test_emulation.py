"""Whole runs: the emulation's own checks hold for every design, network, scheduler and workload."""

from collections import Counter
from math import ceil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.core.checks import CheckFailed
from model.ground.memory import Memory
from model.pnr.metrics import BREAKDOWN, measure
from model.pnr.scenario import make_scenario
from model.systems import run
from tests.journaled import journaled
from tests.model.pnr.compiled.equality import totals
from tests.model.pnr.compiled.test_equality import HARDWARE, JOB, SCARCE, SMALL

PROTOCOL = (
    *("RamRequest", "ServerRequest", "ServerReply", "RamGrant"),
    *("ReleaseNotice", "ServerRelease", "ReleaseAck", "LoadBroadcast"),
)

#: A process may have all of its memory in RAM, all meet at barriers, and no run is given up.
PLAIN = {
    **dict.fromkeys(("memory_limit", "give_up_response_s")),
    **{"synchronization": "central", "memory_profile": "static", "barrier_s": 0.01},
}
HARDWARE = HARDWARE.map(lambda drawn: drawn | PLAIN | {"nodes": max(2, drawn["nodes"])})
JOB = JOB.map(lambda drawn: drawn | {"limit_mb": None})
DESIGN = st.sampled_from(["DP", "CLI", "CEN", "MAN", "BB1", "BB2", "MIGRATE(DP)"])


@given(hardware=HARDWARE, jobs=st.lists(JOB, min_size=1, max_size=5), design=DESIGN)
def test_any_workload_on_any_cluster(hardware, jobs, design):
    jobs = [{**job, "processes": min(job["processes"], hardware["nodes"])} for job in jobs]
    scenario = make_scenario(job=jobs, minimum_demand_s=0.001, **hardware)
    cluster, journal = journaled(scenario, design, check=True)
    result = measure(cluster)
    summary, messages = result.summary, result.summary["messages"]

    for row in result.jobs.itertuples():
        assert row.response_s >= row.demand_s
        parts_s = sum(getattr(row, name) for name in BREAKDOWN if name in result.jobs)
        assert row.wait_s + parts_s == pytest.approx(row.response_s, abs=1e-8)
        assert row.computing_s == pytest.approx(row.demand_s, abs=1e-8)

    # a page asked for over the network is a fault over the network, and is answered
    assert messages["PageRequest"] == messages["PageReply"] == summary["faults_network"]
    # every worker is at each barrier: one after every 10 ms of CPU time, none at the finish
    at_barriers = sum(
        (job["processes"] - 1) * (ceil(round(job["demand_s"] / 0.01, 6)) - 1) for job in jobs
    )
    sent = Counter(record.what for record in journal if record.kind == "sent")
    assert sent["BarrierArrive"] == sent["BarrierRelease"] == at_barriers
    over_network = Counter(it.what for it in journal if it.kind == "sent" and it.node != it.peer)
    assert messages["BarrierArrive"] == over_network["BarrierArrive"]
    processes = sum(job["processes"] for job in jobs)
    assert sent["ServerRequest"] == sent["ServerReply"]
    assert sent["ServerRelease"] == sent["ReleaseAck"]
    assert sent["RamRequest"] == sent["RamGrant"]
    match design:
        case "DP" | "MIGRATE(DP)":
            assert not any(sent[kind] for kind in PROTOCOL)
            assert summary["faults_network"] == 0
        case "CLI":
            assert sent["RamRequest"] <= processes
        case _:
            assert sent["RamRequest"] == sent["ReleaseNotice"] == processes
    if design in ("CLI", "CEN", "BB1"):
        assert sent["LoadBroadcast"] == 0

    # what is watched runs as what is not, and the same seed gives the same run
    assert totals(run(scenario, design)) == totals(cluster)


@given(hardware=HARDWARE, jobs=st.lists(JOB, min_size=1, max_size=4))
@settings(max_examples=20)
def test_while_nobody_lacks_memory_uncoordinated_clients_change_nothing(hardware, jobs):
    # at most 3 cores with 4 slots of processes of at most 70 MB never fill 1024 MB
    jobs = [{**job, "processes": min(job["processes"], hardware["nodes"])} for job in jobs]
    scenario = make_scenario(job=jobs, minimum_demand_s=0.001, ram_mb=1024, **hardware)
    paging, local = (measure(run(scenario, design, check=True)) for design in ("DP", "CLI"))
    assert paging.summary["faults_disk"] == local.summary["faults_disk"] == 0
    assert paging.jobs.drop(columns="design").equals(local.jobs.drop(columns="design"))


def test_all_nodes_overloaded_means_disk_for_all():
    jobs = [{"processes": 4, "memory_mb": 50, "demand_s": 0.05}] * 2
    scenario = make_scenario(job=jobs, **{**SMALL, "nodes": 4})
    for design in ("CLI", "CEN", "MAN", "BB2"):
        summary = measure(run(scenario, design, check=True)).summary
        assert summary["faults_disk"] > 0
        assert summary["faults_network"] == 0
        # each of the 8 processes asked for what it lacked: 18 MB, then 50 MB more
        assert summary["requests_granted_nothing"] == summary["requests"] == 8
        assert summary["need_unmet_mb"] == pytest.approx(4 * 18 + 4 * 50)


def test_the_checks_notice_memory_from_nowhere(monkeypatch):
    borrow = Memory.borrow
    too_much = lambda memory, server, amount, *of: borrow(memory, server, amount + 1, *of)  # noqa: E731
    monkeypatch.setattr(Memory, "borrow", too_much)
    with pytest.raises(CheckFailed, match="borrowed"):
        run(make_scenario(job=SCARCE, **SMALL), "CEN", check=True)


def test_the_checks_notice_memory_that_is_never_returned(monkeypatch):
    monkeypatch.setattr(Memory, "surplus", property(lambda memory: 0))
    with pytest.raises(CheckFailed, match="keeps memory"):
        run(make_scenario(job=SCARCE, **SMALL), "CLI", check=True)
