"""Several processes on a node: where they are placed, and what they share."""

import pytest

from model.core.journal.kinds import Placed
from model.ground.memory import Memory
from model.pnr.explore.search import search
from model.pnr.explore.setting import Setting
from model.pnr.scarcity import Room, most_on_a_node, placed
from model.pnr.scenario import Scenario, make_scenario
from model.pnr.workload import load_workload
from model.systems import measure, run
from model.views.picture import Rows
from tests.journaled import journaled
from tests.model.pnr.test_gang import job

MB = 2**20


def run_of(*jobs, design="DP", **given):
    """A run, and for each job the nodes and the cores on which it was placed."""
    scenario = make_scenario(job=list(jobs), **given)
    cluster, records = journaled(scenario, design, check=True)
    found = [Placed.contents(it.payload) for it in records if it.kind == Placed.name]
    return cluster, [(it.nodes, it.cores) for it in found]


def test_jobs_fill_the_cores_of_a_node_before_those_of_the_next():
    cluster, found = run_of(job(3), job(2), nodes=3, cores=2, barrier_s=100)
    assert found == [((0, 0, 1), (0, 1, 0)), ((1, 2), (1, 0))]
    assert [it.end_ns for it in cluster.jobs] == [10 * 10**9] * 2
    groups = [{"cores": 1}, {"cores": 4, "seats": False}, {}]
    assert run_of(job(4), node=groups, cores=3)[1] == [((0, 2, 2, 2), (0, 0, 1, 2))]


def test_one_core_is_as_if_there_were_none():
    assert run_of(job(2), nodes=2)[1] == [((0, 1), ())]
    tables = make_scenario(node=[{"count": 2}]).model_dump(mode="json")
    kept = Scenario.as_run(tables)
    assert "cores" not in kept
    assert "cores" not in kept["node"][0]


def test_a_log_is_scaled_to_the_cores(tmp_path):
    log = tmp_path / "log.swf"
    log.write_text("; MaxProcs: 16\n1 0 0 9 8 9 1024 8 9 -1 1 1 1 1 1 1 -1 -1\n")
    scenario = make_scenario(trace=log, nodes=2, cores=4)
    assert [it.processes for it in load_workload(scenario)] == [4]


def test_processes_that_compute_at_once_share_what_does_not_fit_by_their_sizes():
    memory = Memory(60)
    memory.allocate("a", 30)
    memory.allocate("b", 50)
    assert (memory.outside("a"), memory.room_of("a")) == (20, 60)  # alone, as in time slots
    memory.together = 80
    assert (memory.outside("a"), memory.outside("b")) == (7, 12)  # of 20 bytes, 30 and 50 in 80
    assert (memory.room_of("a"), memory.room_of("b")) == (22, 37)


@pytest.mark.parametrize("plane", ["actors", "compiled"])
def test_each_loads_its_share_once_and_the_disk_serves_one_after_the_other(plane):
    # 40 MB on 32: of each process 4 MB are out, which are 4 pages
    one = {"processes": 1, "memory_mb": 20, "demand_s": 100}
    given = {"page_bytes": MB, "relocality": False, "nodes": 1, "cores": 2}
    cluster = run(make_scenario(job=[one, one], **given), "DP", plane=plane)
    assert cluster.nodes[0].faults_disk == 8
    whole = run(make_scenario(job=[{**one, "processes": 2}], **given), "DP", plane=plane)
    assert whole.nodes[0].faults_disk == 8


def test_processes_of_a_node_meet_at_barriers_without_the_network():
    cluster, _ = run_of(job(4, demand_s=3), nodes=2, cores=2)
    messages = measure(cluster).summary["messages"]
    assert (messages["BarrierArrive"], messages["BarrierRelease"]) == (4, 4)  # ranks 2 and 3, twice


def test_a_scheduler_that_estimates_memory_counts_all_processes_that_it_puts_on_a_node():
    given = {"nodes": 2, "cores": 4, "scheduler": "gang-memory"}
    _, found = run_of(job(1), job(3, memory_mb=14), **given)
    assert [nodes for nodes, _ in found] == [(0,), (0, 0, 1)]  # 31 MB are left, then 32


def test_a_plan_counts_the_cores():
    scenario = make_scenario(job=[job(2, memory_mb=20)], nodes=2, cores=2)
    jobs, room = load_workload(scenario), Room.of(scenario)
    assert most_on_a_node(jobs, 2, 2) == 40 * MB
    assert placed(jobs, room).short == 1
    assert placed(jobs, Room(room.rams, 2)).short == 0


def test_all_orders_of_events_are_searched_with_several_processes_on_a_node(tmp_path):
    file = tmp_path / "two.toml"
    jobs = "[[job]]\nprocesses = 3\nmemory_mb = 5\ndemand_s = 1\n"
    file.write_text(f"nodes = 2\ncores = 2\nram_mb = 8\nthreshold_mb = 1\n{jobs}")
    for design in ("CLI", "MAN"):
        found = search(Setting(design, scenario_file=file))
        assert found.finding is None


def test_cores_share_the_row_of_their_node():
    rows = Rows([0, 2], cores=(2, 1, 4))
    assert rows.blocks((0, 0, 2), (0, 1, 0)) == [(-0.5, 0.75)]
    assert rows.blocks((0, 2, 2), (0, 1, 2)) == [(-0.5, 0), (0.75, 1.25)]
