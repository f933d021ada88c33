"""Processes that may hold a part of their memory in RAM only: the fault process, by hand."""

from math import log

import pytest

from model.core.journal.kinds import Fault, Lent
from model.core.journal.over_time import memory
from model.ground.errors import InputError
from model.ground.randomness import FAULT_TIME, draws
from model.pnr.explore.setting import Setting
from model.pnr.explore.world import World
from model.pnr.scenario import make_scenario
from model.pnr.workload import load_workload
from model.sweeps.identity import identity
from tests.journaled import journaled

MB = 2**20
PAGE = 2**16
R_NS = 242
#: Two processes of which the first may have 8 of its 20 MB in RAM, in two slots of one node.
TWO = [
    {"number": 1, "processes": 1, "memory_mb": 20, "limit_mb": 8, "demand_s": 2},
    {"number": 2, "processes": 1, "memory_mb": 10, "demand_s": 2},
]
GIVEN = {"nodes": 1, "page_bytes": PAGE, "barrier_s": 100, "quantum_s": 1000}


def faults_of(records, job: int) -> list:
    return [it for it in records if it.kind == Fault.name and it.job == job]


@pytest.mark.parametrize("plane", ["actors", "compiled"])
def test_of_two_processes_the_limited_one_alone_faults_where_the_node_has_room(plane):
    # 8 + 10 of 32 MB are in RAM; O = 12 MB are job 1's, whose L is 12 MB, while job 2's is 0
    scenario = make_scenario(job=TWO, **GIVEN)
    cluster, records = journaled(scenario, "DP", plane=plane)
    assert not faults_of(records, 2)
    assert cluster.jobs[1].spent_ns().keys() <= {"waiting", "switched_out", "computing"}
    # the first faults by hand: D grows by a page each, U = (L - D) / L
    uniforms = draws(scenario.seed, FAULT_TIME, 1, 0)
    limit, loaded, now_ns, expected_ns = 12 * MB, 0, 0, []
    disk_ns = cluster.constants.disks_ns[0]
    for _ in range(20):
        mean_ns = R_NS * PAGE * limit / (limit - loaded)
        now_ns += int(0.5 - mean_ns * log(next(uniforms)))
        expected_ns.append(now_ns)
        now_ns += disk_ns
        loaded += PAGE
    assert [it.time_ns for it in faults_of(records, 1)[:20]] == expected_ns


@pytest.mark.parametrize("plane", ["actors", "compiled"])
def test_what_it_has_loaded_in_full_changes_as_for_a_node_of_that_ram(plane):
    # alone: a process of 9 MB that may hold 8 faults as on a node that has 8, to the nanosecond
    job = {"number": 1, "processes": 1, "memory_mb": 9, "demand_s": 3}
    given = {**GIVEN, "page_bytes": 2**18}  # four pages to load, then its locality changes
    _, limited = journaled(make_scenario(job=[{**job, "limit_mb": 8}], **given), "DP", plane=plane)
    _, small = journaled(make_scenario(job=[job], ram_mb=8, **given), "DP", plane=plane)
    assert len(faults_of(limited, 1)) > 10
    times = [[it.time_ns for it in faults_of(records, 1)] for records in (limited, small)]
    assert times[0] == times[1]


@pytest.mark.parametrize("plane", ["actors", "compiled"])
def test_the_node_of_a_limited_process_borrows_what_it_may_not_hold_and_lends_what_is_free(plane):
    # node 0: 20 MB, of which 8 in RAM: it lacks 12, and has 24 free for node 1, which lacks 12
    jobs = [
        {"processes": 1, "memory_mb": 20, "limit_mb": 8, "demand_s": 1},
        {"processes": 1, "memory_mb": 44, "demand_s": 1, "submit_s": 0.1},
    ]
    scenario = make_scenario(nodes=2, job=jobs, mpl=1, threshold_mb=1)
    _, records = journaled(scenario, "MAN", plane=plane)
    lent = [(it.node, it.amount_bytes) for it in records if it.kind == Lent.name]
    assert lent == [(1, 12 * MB), (0, 23 * MB)]  # 1 lacks 44 + 12 - 32 = 24, and 0 keeps 1 MB
    held = memory(records, 2)
    split = held.parts(32 * MB)
    peak = int(held.borrowed.sum(axis=0).argmax())
    assert [part[:, peak].tolist() for part in (split.own, split.lent, split.borrowed)] == [
        [8 * MB, 20 * MB],
        [23 * MB, 12 * MB],
        [12 * MB, 23 * MB],
    ]
    assert split.on_disk[:, peak].tolist() == [0, 1 * MB]


def test_a_limit_is_a_job_s_own_or_a_share_of_all():
    jobs = [{"number": 2, "processes": 1, "memory_mb": 10, "demand_s": 1}, TWO[0]]
    scenario = make_scenario(job=jobs, memory_limit=0.25, nodes=1)
    assert {job.memory: job.limit for job in load_workload(scenario)} == {
        10 * MB: 5 * MB // 2,
        20 * MB: 8 * MB,
    }
    with pytest.raises(InputError, match=r"memory-limit: .* less than or equal to 1"):
        make_scenario(memory_limit=1.5)


def test_without_limits_the_identity_of_a_run_knows_nothing_of_them():
    job = {"processes": 1, "memory_mb": 40, "demand_s": 1}
    plain = identity(make_scenario(designs=("DP",), nodes=1, job=[job]))
    assert "memory_limit" not in plain
    assert "limit_mb" not in plain["job"][0]
    with_limit = identity(make_scenario(designs=("DP",), nodes=1, job=[{**job, "limit_mb": 9}]))
    assert with_limit["job"][0]["limit_mb"] == 9


def test_a_search_has_the_limits_of_its_scenario(tmp_path):
    file = tmp_path / "limits.toml"
    file.write_text(
        "nodes = 2\nram_mb = 8\nthreshold_mb = 1\n"
        "[[job]]\nprocesses = 1\nmemory_mb = 6\nlimit_mb = 4\ndemand_s = 1\n"
    )
    world = World(Setting("MAN", nodes=2, jobs=1, scenario_file=str(file)))
    state = world.beginning().state
    lent = 0
    while steps := world.steps(state):
        state = world.take(state, steps[0]).state
        lent = max(lent, *(node.summary.lent for node in state.nodes))
    assert lent == 2 * MB
