"""What holds of every bundled design: both planes, any order of messages, and no memory is lost."""

import pytest

from model.core.names import known
from model.pnr.explore.setting import Setting
from model.pnr.explore.walks import walk
from model.pnr.scenario import make_scenario
from tests.model.pnr.compiled.equality import assert_equal
from tests.model.pnr.compiled.test_equality import FAULTS, SCARCE, SMALL

#: With short periods, so that timers fire while the jobs run.
BARE = [
    *("ADAPT", "BB2", "CEN", "CLI", "DP", "GOSSIP(round_s=0.02)", "LEASE(lease_s=0.1)", "MAN"),
    "INFINISWAP(slab_mb=2, hot_slab=0.5, period_s=0.02, extra=1)",
    "MASTER(strategy=random, heartbeat_s=0.05)",
    *("PROBE2", "RACK3", "SURVIVOR(answer_s=0.01, check_s=0.05, lease_s=0.2, lost_s=0.5)"),
    *("TREE2", "GRAPH(managers=3, tells=next, fanout=1, asks=nearest)"),
]
WRAPPED = ["MIGRATE(MAN)", "RECLAIM(MAN, ask_again_s=0.05)", "RELIABLE(RECLAIM(CLI))"]
DESIGNS = [*BARE, *WRAPPED]
TOPOLOGIES = ("star", "bus", "fat-tree")


def test_these_are_all_bundled_designs():
    named = {name for kind in ("managers", "wrappers") for name in known(kind)}
    assert {name for name in named if any(name in one.lower() for one in DESIGNS)} == named


@pytest.mark.parametrize(("place", "design"), [*enumerate(DESIGNS)])
def test_both_planes_run_it_alike_and_all_memory_comes_back(place, design):
    level, topology = ("all", "protocol")[place % 2], TOPOLOGIES[place % 3]
    scenario = make_scenario(job=SCARCE, topology=topology, drain_s=5, **SMALL)
    cluster = assert_equal(scenario, design, level)
    assert all(job.end_ns is not None for job in cluster.jobs)
    assert {(node.memory.lent, node.memory.borrowed) for node in cluster.nodes} == {(0, 0)}


@pytest.mark.parametrize("design", [one for one in DESIGNS if not one.startswith("MIGRATE")])
def test_both_planes_run_it_alike_whatever_goes_wrong(design):
    faults = [*FAULTS, {"kind": "node", "nodes": [1], "from_s": 0.2, "restart_s": 1}]
    clock = {"grant_timeout_s": 0.5, "drain_s": 5, "stall_s": 3}
    assert_equal(make_scenario(job=SCARCE, fault=faults, **clock, **SMALL), design, "protocol")


@pytest.mark.parametrize("design", [one.partition("(")[0] for one in BARE if one != "DP"])
def test_in_any_order_all_processes_run_and_all_memory_comes_back(design):
    found = walk(Setting(design, nodes=4, jobs=3, late_timers=True), 20, most_depth=200)
    assert found.finding is None
    assert found.states > 100
