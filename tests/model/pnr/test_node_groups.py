"""Nodes that differ: what tables say, what is wrong with them, and runs worked out by hand."""

import pytest

from model.core.journal.kinds import Decided, Lent, Placed
from model.ground.errors import InputError
from model.pnr.constants import Constants
from model.pnr.explore.setting import Setting
from model.pnr.explore.world import World
from model.pnr.scenario import make_scenario
from model.systems import measure, run
from tests.journaled import journaled

MB = 2**20
ALONE = {"processes": 1, "memory_mb": 1, "demand_s": 1}


def times_s(cluster) -> list[float]:
    return [(job.end_ns - job.submit_ns) / 10**9 for job in cluster.jobs]


def test_nodes_are_numbered_in_the_order_of_the_tables_and_ram_scales_all_of_them():
    groups = [{"count": 2, "ram_mb": 400}, {"ram_mb": 1000}, {"count": 2}]
    scenario = make_scenario(node=groups, ram=50, ram_mb=64)
    assert scenario.nodes == 5
    assert Constants.of(scenario).rams == (200 * MB, 200 * MB, 500 * MB, 32 * MB, 32 * MB)
    assert scenario.ram_in_words == "2 x 200 + 1 x 500 + 2 x 32 MB of RAM"


def test_tables_come_from_a_scenario_or_from_a_file_of_their_own(tmp_path):
    tables = "[[node]]\ncount = 3\n[[node]]\ncount = 1\nmips = 66\n"
    (tmp_path / "groups.toml").write_text(tables)
    (tmp_path / "named.toml").write_text('node_groups = "groups.toml"')
    (tmp_path / "listed.toml").write_text(tables)
    listed, named = (make_scenario(tmp_path / name) for name in ("listed.toml", "named.toml"))
    assert listed == named == make_scenario(node_groups=str(tmp_path / "groups.toml"))
    assert Constants.of(listed).speeds == (1, 1, 1, 2)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"nodes": 4, "node": [{"count": 3}]}, "nodes: 4, but the counts .* are 3 together"),
        ({"node": [{"count": 3, "rams": 1}]}, "node 1, rams: there is no such parameter"),
        ({"node": [{"count": 0}]}, "node 1, count: .*greater than or equal to 1"),
        ({"node": [{}, {"ram_mb": 0.1}]}, r"node 2: ram_mb: .* than threshold_mb 0\.1"),
        ({"node": [{"seats": False}]}, "node: jobs run on no node"),
        ({"node": []}, "node: "),
        ({"node": 3}, r"node: give a list, as of \[\[node\]\] tables"),
    ],
)
def test_one_line_says_what_is_wrong_with_the_tables(given, said):
    with pytest.raises(InputError, match=said) as error:
        make_scenario(**given)
    assert "\n" not in str(error.value)


def test_a_preset_gives_way_to_tables(tmp_path):
    scenario = make_scenario(preset="beowulf-2004", node=[{"count": 3}, {"ram_mb": 2048}])
    assert scenario.nodes == 4
    assert Constants.of(scenario).rams == (1024 * MB,) * 3 + (2048 * MB,)


@pytest.mark.parametrize("plane", ["actors", "compiled"])
def test_a_faster_node_takes_less_time_for_the_same_cpu_time(plane):
    # jobs go to the lowest free node: at 33 MHz 1 s, at 66 MHz 0.5 s, at 99 MHz a third, rounded up
    groups = [{}, {"cpu_mhz": 66}, {"cpu_mhz": 99}]
    scenario = make_scenario(node=groups, job=[ALONE] * 3, barrier_s=10)
    assert times_s(run(scenario, "DP", plane=plane)) == [1, 0.5, 0.333333334]


@pytest.mark.parametrize("plane", ["actors", "compiled"])
def test_all_wait_at_barriers_for_the_slowest_node(plane):
    # two processes, a second of CPU time between barriers: the slower node sets the pace
    groups = [{"cpu_mhz": 66}, {"cpu_mhz": 16.5}]
    given = {"bandwidth_mbps": 10**5, "latency_ns": 0, "switch_us": 0, "barrier_bytes": 1}
    job = {"processes": 2, "memory_mb": 1, "demand_s": 2}
    cluster = run(make_scenario(node=groups, job=[job], **given), "DP", plane=plane)
    assert times_s(cluster) == [4]
    spent = [process.spent_ns for process in cluster.jobs[0].processes]
    assert [states[1] for states in spent] == [10**9, 4 * 10**9]  # computing
    assert measure(cluster).summary["utilization"] == 5 / 8  # of both nodes for 4 s


@pytest.mark.parametrize("plane", ["actors", "compiled"])
def test_a_disk_takes_as_long_as_its_group_says(plane):
    # 1 ms of seek, no rotation, 4,096 bytes at 1 MB/s: 4.90625 ms; the other 0.1 ms and no more
    slow = {"seek_ms": 1, "rotation": False, "disk_mb_per_s": 1}
    fast = {"seek_ms": 0.1, "rotation": False, "disk_mb_per_s": 10**9}
    large = {"processes": 1, "memory_mb": 40, "demand_s": 1}
    scenario = make_scenario(node=[slow, fast], job=[large] * 2)
    disks = run(scenario, "DP", plane=plane).disks
    assert disks[0].served > 50
    assert [disk.busy_ns / disk.served for disk in disks] == [4_906_250, 100_000]


def test_a_message_passes_the_links_of_the_groups_of_both_its_ends():
    # 64 bytes: 5,120 ns at 100 Mbps and 50 ns; 80,000 ns in the switch; 51,200 and 1,000 ns
    groups = [{}, {"bandwidth_mbps": 10, "latency_ns": 1000}, {}]
    network = run(make_scenario(node=groups, job=[ALONE]), "DP").network
    assert network.unloaded_ns(0, 1, 64) == 5_120 + 50 + 80_000 + 51_200 + 1_000
    assert network.unloaded_ns(0, 2, 64) == 2 * (5_120 + 50) + 80_000
    # a link between two nodes is as slow as that of either
    network = run(make_scenario(node=groups, job=[ALONE], topology="connected"), "DP").network
    assert network.unloaded_ns(2, 1, 64) == network.unloaded_ns(1, 2, 64) == 51_200 + 1_000
    assert network.unloaded_ns(0, 2, 64) == 5_120 + 50


def test_nodes_on_a_bus_have_no_links_of_their_own():
    scenario = make_scenario(node=[{}, {"bandwidth_mbps": 10}], job=[ALONE], topology="bus")
    with pytest.raises(InputError, match="node: bandwidth_mbps: nodes on bus share"):
        run(scenario, "DP")


@pytest.mark.parametrize("plane", ["actors", "compiled"])
def test_a_node_without_seats_lends_and_runs_no_job(plane):
    # of 40 MB 8 do not fit, on two nodes; both ask, so node 1 alone can lend
    groups = [{}, {"ram_mb": 100, "seats": False}, {}]
    job = {"processes": 2, "memory_mb": 40, "demand_s": 1}
    _, records = journaled(make_scenario(node=groups, job=[job]), "MAN", plane=plane)
    placed = [Placed.contents(it.payload).nodes for it in records if it.kind == Placed.name]
    assert placed == [(0, 2)]
    assert [(it.node, it.amount_bytes) for it in records if it.kind == Lent.name] == [(1, 16 * MB)]


def test_a_job_needs_as_many_seats_as_it_has_processes():
    scenario = make_scenario(node=[{}, {"seats": False}], job=[{**ALONE, "processes": 2}])
    with pytest.raises(InputError, match="2 processes, more than the cluster's 1 nodes with seats"):
        run(scenario, "DP")


def test_a_log_is_scaled_to_the_nodes_with_seats():
    def processes(**given) -> list[int]:
        cluster = run(make_scenario(first=1, jobs=5, minimum_demand_s=0.1, **given), "DP")
        return [job.size for job in cluster.jobs]

    groups = [{"count": 32}, {"count": 32, "seats": False}]
    assert processes(node=groups) == processes(nodes=32)


def test_a_node_needs_and_lends_by_its_own_ram():
    # 30 MB of which 10 fit; node 1 lends all but the threshold of its 4 MB
    job = {"processes": 1, "memory_mb": 30, "demand_s": 1}
    groups = [{"ram_mb": 10}, {"ram_mb": 4}]
    _, records = journaled(make_scenario(node=groups, job=[job], threshold_mb=1), "MAN")
    of_kinds = {it.kind: it.amount_bytes for it in records if it.kind in ("asked", "lent")}
    assert of_kinds == {"asked": 20 * MB, "lent": 3 * MB}


@pytest.mark.parametrize("plane", ["actors", "compiled"])
@pytest.mark.parametrize(("design", "again"), [("CEN", True), ("CEN(load=share)", False)])
def test_managers_compare_bytes_or_shares_of_unequal_nodes(design, again, plane):
    # Of 14 MB 10 fit on node 0. Whom of nodes 1 and 2 the first job's search asks is drawn. It has
    # 96 or 36 MB left then, more than the 10 MB that node 0 believes the other, idle one to have;
    # but of its RAM that is 96 or 90 %, and the other has all of its own.
    jobs = [{"processes": 1, "memory_mb": 14, "demand_s": 1, "submit_s": at} for at in (0, 0.5)]
    groups = [{"ram_mb": 10}, *({"ram_mb": ram, "seats": False} for ram in (100, 40))]
    scenario = make_scenario(node=groups, job=jobs, threshold_mb=1)
    _, records = journaled(scenario, design, plane=plane)
    one, other = (it.node for it in records if it.kind == Lent.name)
    assert (one == other) == again
    _, second = (Decided.contents(it.payload) for it in records if it.kind == Decided.name)
    idle = {1: 100 * MB, 2: 40 * MB}
    of_which = {node: None if again else ram for node, ram in idle.items()}
    left, stated_ns = idle[one] - 4 * MB, second.candidates[one].stated_ns
    assert stated_ns is not None
    assert 0 < stated_ns < 10**9 / 2
    assert second.candidates == {
        one: (left, stated_ns, left, of_which[one]),
        3 - one: (None, None, idle[3 - one], of_which[3 - one]),
    }


@pytest.mark.parametrize("design", ["MAN", "BB2", "CLI"])
def test_on_equal_nodes_shares_and_bytes_are_the_same(design):
    jobs = [{"processes": 2, "memory_mb": size, "demand_s": 1} for size in (40, 20, 60)]
    scenario = make_scenario(nodes=6, job=jobs, page_bytes=2**20)
    journals = []
    for name in (design, f"{design}(load=share)"):
        _, records = journaled(scenario, name)
        journals.append([it._replace(payload=None) for it in records])
    assert journals[0] == journals[1]


def test_a_search_has_the_groups_of_its_scenario(tmp_path):
    # 10 MB on a node of 8: only node 1 can lend the 2 MB that are missing, and must not lend more
    file = tmp_path / "groups.toml"
    file.write_text(
        "threshold_mb = 1\n[[node]]\nram_mb = 8\n[[node]]\nram_mb = 3\nseats = false\n"
        "[[job]]\nprocesses = 1\nmemory_mb = 10\ndemand_s = 1\n"
    )
    setting = Setting("MAN", nodes=2, jobs=1, scenario_file=str(file))
    world = World(setting)
    state = world.beginning().state
    most = 0
    while steps := world.steps(state):
        state = world.take(state, steps[0]).state
        most = max(most, state.nodes[1].summary.lent)
        assert world.host(state, 1).memory.ram == 3 * MB
    assert most == 2 * MB
