"""Networks by name: ours, and files of the user's."""

import importlib
import sys
from itertools import combinations

import networkx as nx
import pytest

from agents.pnr.process import NETWORK_FAULT
from model.core.names import known
from model.core.network import check_network
from model.core.topology import load_topology
from model.ground.errors import InputError
from model.pnr.cluster import Cluster
from model.pnr.scenario import make_scenario
from model.systems import run

ARGUMENTS = (100, 50, 80_000)  # Mbps, ns, ns
WIRE = {"bandwidth_mbps": 100, "latency_ns": 50}
#: A process on a cluster of 3 that lacks 8 MB: its faults go over the network, one at a time.
ALONE = {
    "job": [{"processes": 1, "memory_mb": 40, "demand_s": 0.02}],
    "nodes": 3,
    "minimum_demand_s": 0.001,
}
#: Every node at a switch of its own, the switches in a ring.
RING = """
import networkx as nx

def ring(nodes, bandwidth_mbps, latency_ns, switch_ns):
    graph = nx.Graph()
    graph.add_nodes_from(range(nodes))
    wire = {"bandwidth_mbps": bandwidth_mbps, "latency_ns": latency_ns}
    for node in range(nodes):
        graph.add_node(f"hub {node}", switch_ns=switch_ns)
    for node in range(nodes):
        graph.add_edge(node, f"hub {node}", **wire)
        graph.add_edge(f"hub {node}", f"hub {(node + 1) % nodes}", **wire)
    return graph

RADIUS = 3

def table(nodes, bandwidth_mbps, latency_ns, switch_ns):
    return {0: [1]}

def refuses(nodes, bandwidth_mbps, latency_ns, switch_ns):
    raise ValueError(f"{nodes} nodes make no ring")

def wants_nodes_only(nodes):
    return nx.Graph()
"""


#: Those of ours, besides the star, in which every message passes switches.
SWITCHED = [
    *("ring", "torus", "two-level", "two-level8", "fat-tree"),
    *("leaf-spine", "leaf-spine2", "dragonfly", "hypercube", "jellyfish", "jellyfish4"),
]


def network(name, nodes=5):
    return load_topology("networks", name, nodes, *ARGUMENTS)


def edges(graph):
    return {frozenset(edge) for edge in graph.edges}


def fault_ns(**parameters):
    """How long a page fault over the network takes when there is no other traffic."""
    cluster = run(make_scenario(**ALONE, **parameters), "CEN")
    faults = cluster.nodes[0].faults_network
    assert faults > 1
    spent_ns = cluster.jobs[0].processes[0].spent_ns[NETWORK_FAULT]
    assert spent_ns % faults == 0
    return spent_ns // faults


def switches_between(graph, one, other):
    """How many switches the shortest path has; a path of n + 1 hops has n vertices between."""
    return nx.shortest_path_length(graph, one, other) - 1


def is_switch(graph, vertex):
    return "switch_ns" in graph.nodes[vertex]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(RING)
    return path


# Ours


def test_a_star_wires_each_node_to_one_switch():
    graph = network("star")
    assert dict(graph.nodes(data="switch_ns")) == {**dict.fromkeys(range(5)), "switch": 80_000}
    assert edges(graph) == {frozenset((node, "switch")) for node in range(5)}


def test_a_bus_is_one_station_between_any_two_nodes():
    graph = network("bus")
    assert dict(graph.nodes(data=True)) == {node: {} for node in range(5)}
    assert edges(graph) == {frozenset(pair) for pair in combinations(range(5), 2)}
    assert {station for _, _, station in graph.edges(data="station")} == {"bus"}


def test_connected_wires_any_two_nodes_to_each_other_and_shares_nothing():
    graph = network("connected")
    assert dict(graph.nodes(data=True)) == {node: {} for node in range(5)}
    assert edges(graph) == {frozenset(pair) for pair in combinations(range(5), 2)}
    assert not any("station" in attributes for _, _, attributes in graph.edges(data=True))


@pytest.mark.parametrize("name", [*known("networks"), *SWITCHED])
def test_every_link_has_the_bandwidth_and_latency_asked_for(name):
    for _, _, attributes in load_topology("networks", name, 4, 1000, 7, 8_000).edges(data=True):
        assert attributes.items() >= {"bandwidth_mbps": 1000, "latency_ns": 7}.items()


def test_a_name_may_be_written_in_any_case():
    assert edges(network("Star")) == edges(network("STAR")) == edges(network("star"))
    assert edges(network("Two-Level3")) == edges(network("TWO_LEVEL3"))
    assert edges(network("Fat-Tree")) == edges(network("fat_tree")) == edges(network("FAT-TREE"))


def test_a_file_put_into_the_folder_is_found_by_its_name(tmp_path, monkeypatch):
    (tmp_path / "hoop.py").write_text(RING.replace("def ring", "def hoop"))
    package = importlib.import_module("topologies.networks")
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path)])
    try:
        assert "hoop" in known("networks")
        assert len(edges(network("hoop"))) == 5 + 5
    finally:
        sys.modules.pop("topologies.networks.hoop", None)


# Ours of many switches: how many


@pytest.mark.parametrize(
    ("name", "nodes", "switches", "links"),
    [
        # core, aggregation, edge; links of nodes, edge to aggregation, aggregation to core
        ("fat-tree", 1, 1 + 1 + 1, 1 + 1 + 1),  # k = 2: pods of 1 node, 1 of 2 pods
        ("fat-tree", 3, 4 + 2 + 2, 3 + 4 + 4),  # k = 4: pods of 4 nodes, 1 of 4 pods
        ("fat-tree", 129, 25 + 30 + 30, 129 + 150 + 150),  # k = 10: pods of 25, 6 of 10 pods
        # leaves and spines; links of nodes, and of each leaf to each spine
        ("leaf-spine", 65, 8 + 9, 65 + 8 * 9),  # 7 times 9, and 2
        # links of nodes, in groups, between groups
        ("dragonfly", 1, 2, 1 + 1 + 0),  # h = 1: groups of 2 switches, 1 node each, 1 of 3 groups
        ("dragonfly", 73, 5 * 6, 73 + 5 * 15 + 10),  # h = 3: groups of 18 nodes, 5 of 19
        # links of nodes, and half of as many ends as switches have
        ("jellyfish", 1, 1, 1 + 0),  # 1 on each, which would have 3 others
        ("jellyfish", 7, 7, 7 + 7 * 4 // 2),  # 7 times 3 ends are odd
    ],
)
def test_switches_and_links_are_as_many_as_by_hand(name, nodes, switches, links):
    graph = network(name, nodes)
    assert sum(is_switch(graph, vertex) for vertex in graph) == switches
    assert graph.number_of_edges() == links
    assert not any(nx.selfloop_edges(graph))


@pytest.mark.parametrize("nodes", [1, 2, 3, 7, 8, 64])
@pytest.mark.parametrize("name", SWITCHED)
def test_every_node_reaches_every_other_through_switches_only(name, nodes):
    graph = network(name, nodes)
    check_network(name, graph, nodes)
    # a node hangs on one switch alone, and the switches are connected without the nodes
    assert [len(graph[node]) for node in range(nodes)] == [1] * nodes
    assert all(is_switch(graph, neighbour) for node in range(nodes) for neighbour in graph[node])
    assert nx.is_connected(graph.subgraph(set(graph) - set(range(nodes))))


@pytest.mark.parametrize("name", SWITCHED)
def test_every_switch_has_the_delay_asked_for_and_no_link_is_shared(name):
    graph = load_topology("networks", name, 7, 1000, 7, 8_000)
    delays = {vertex: delay for vertex, delay in graph.nodes(data="switch_ns") if delay is not None}
    assert set(delays) == set(graph) - set(range(7))
    assert set(delays.values()) == {8_000}
    assert not any("station" in attributes for _, _, attributes in graph.edges(data=True))


# How far it is


@pytest.mark.parametrize(
    ("nodes", "switches"),  # from node 0 to nodes 1, 2, ...
    [
        (1, []),
        (2, [2]),
        (3, [2, 2]),
        (7, [2, 3, 4, 4, 3, 2]),
        (8, [2, 3, 4, 5, 4, 3, 2]),
        (64, [*range(2, 34), *range(32, 1, -1)]),  # node 32 is opposite: 32 steps, 33 switches
    ],
)
@pytest.mark.parametrize("start", [0, 1, -1])
def test_a_ring_is_taken_the_shorter_way_round(nodes, switches, start):
    graph = network("ring", nodes)
    start %= nodes
    others = [(start + step) % nodes for step in range(1, nodes)]
    assert [switches_between(graph, start, other) for other in others] == switches
    assert [switches_between(graph, other, start) for other in others] == switches


def test_on_a_torus_it_is_as_far_as_along_its_rows_and_columns_with_wrap_around():
    graph = network("torus", 64)
    for one, other in combinations(range(64), 2):
        down, right = (other // 8 - one // 8) % 8, (other % 8 - one % 8) % 8
        steps = min(down, 8 - down) + min(right, 8 - right)
        assert switches_between(graph, one, other) == 1 + steps


@pytest.mark.parametrize(
    ("nodes", "switches"),  # from node 0
    [
        (4, [2, 2, 3]),  # 2 x 2
        (6, [2, 2, 2, 3, 3]),  # 2 x 3: one step to each of its row, a third below
        (7, [2, 3, 4, 4, 3, 2]),  # prime: a ring
        (8, [2, 3, 2, 2, 3, 4, 3]),  # 2 x 4
        (12, [2, 3, 2, 2, 3, 4, 3, 2, 3, 4, 3]),  # 3 x 4: both other rows are one step away
    ],
)
def test_a_torus_is_as_nearly_square_as_can_be(nodes, switches):
    graph = network("torus", nodes)
    assert [switches_between(graph, 0, node) for node in range(1, nodes)] == switches


@pytest.mark.parametrize(
    ("name", "nodes", "leaves"),
    [
        ("two-level", 7, [(0, 1, 2), (3, 4, 5), (6,)]),
        ("two-level", 64, [tuple(range(first, first + 8)) for first in range(0, 64, 8)]),
        ("two-level8", 64, [tuple(range(first, first + 8)) for first in range(0, 64, 8)]),
        ("two-level1", 3, [(0,), (1,), (2,)]),
    ],
)
def test_on_two_levels_it_is_one_switch_on_a_leaf_and_three_across(name, nodes, leaves):
    graph = network(name, nodes)
    leaf_of = {node: leaf for leaf in leaves for node in leaf}
    for one, other in combinations(range(nodes), 2):
        switches = 1 if leaf_of[one] == leaf_of[other] else 3
        assert switches_between(graph, one, other) == switches


def test_in_a_fat_tree_all_pairs_are_as_far_as_their_edges_and_pods_say():
    graph = network("fat-tree", 64)
    distances = [switches_between(graph, *pair) for pair in combinations(range(64), 2)]
    # 16 edge switches of 4 * 3 / 2 pairs; 4 pods of 16 * 15 / 2, less those; 64 * 63 / 2 in all
    assert {switches: distances.count(switches) for switches in sorted(set(distances))} == {
        1: 16 * 6,
        3: 4 * 120 - 96,
        5: 2016 - 480,
    }


@pytest.mark.parametrize("nodes", [7, 64, 65])
@pytest.mark.parametrize("name", ["leaf-spine", "leaf-spine2"])
def test_from_leaf_to_leaf_every_spine_is_a_way(name, nodes):
    graph = network(name, nodes)
    spines = [vertex for vertex in graph if level(vertex) == "spine"]
    for one, other in combinations(range(nodes), 2):
        alike = graph[one] == graph[other]
        assert switches_between(graph, one, other) == (1 if alike else 3)
        if not alike:
            ways = [path[2] for path in nx.all_shortest_paths(graph, one, other)]
            assert sorted(ways) == sorted(spines)


@pytest.mark.parametrize("nodes", [1, 6, 7, 64, 72])
def test_a_dragonfly_links_all_switches_of_a_group_and_any_two_groups_once(nodes):
    graph = network("dragonfly", nodes)
    h = 1 if nodes <= 6 else 2
    groups = {}
    for vertex in graph:
        if is_switch(graph, vertex):
            groups.setdefault(vertex.split(".")[0], []).append(vertex)
    for own in groups.values():
        assert len(own) == 2 * h
        assert all(graph.has_edge(*pair) for pair in combinations(own, 2))
        for switch in own:  # nodes below, others of the group, links to other groups
            assert len(graph[switch]) <= h + (2 * h - 1) + h
    for one, other in combinations(groups.values(), 2):
        assert nx.cut_size(graph, one, other) == 1
    if nodes in (6, 72):  # all groups are there: each switch uses all of its ports
        switches = [switch for own in groups.values() for switch in own]
        assert {len(graph[switch]) for switch in switches} == {4 * h - 1}
    # at most to the switch with the link to the other group, over it, and on to the node's
    assert all(switches_between(graph, *pair) <= 4 for pair in combinations(range(nodes), 2))


@pytest.mark.parametrize("nodes", [2, 7, 8, 48, 64])
def test_in_a_hypercube_a_message_passes_a_switch_more_than_digits_differ(nodes):
    graph = network("hypercube", nodes)
    for one, other in combinations(range(nodes), 2):
        assert switches_between(graph, one, other) == 1 + (one ^ other).bit_count()


@pytest.mark.parametrize(
    ("name", "nodes"), [("jellyfish", 64), ("jellyfish", 63), ("jellyfish2", 50)]
)
def test_a_jellyfish_is_always_the_same_random_regular_graph(name, nodes):
    graph = network(name, nodes)
    assert list(graph.edges) == list(network(name, nodes).edges)
    fabric = graph.subgraph(vertex for vertex in graph if is_switch(graph, vertex))
    degrees = {degree for _, degree in fabric.degree}
    assert degrees == {6}
    # Short ways, for which it is there: of r = 6 links each, 1 + 6 + 6 * 5 switches could at best
    # be within 2 hops, and all of these 25 or 32 are within 3; a ring of so many has 12 or 16.
    assert nx.diameter(fabric) <= 3
    around = nx.circulant_graph(len(fabric), [1, 2, 3])  # as regular, and not drawn
    assert nx.average_shortest_path_length(fabric) < nx.average_shortest_path_length(around)


# Bandwidth


def level(vertex):
    return str(vertex).split()[0] if isinstance(vertex, str) else "node"


@pytest.mark.parametrize(
    ("nodes", "half", "pods"),
    [(2, 1, 2), (16, 2, 4), (54, 3, 6), (64, 4, 4), (128, 4, 8)],
)
def test_a_fat_tree_of_full_pods_has_as_many_links_up_as_down(nodes, half, pods):
    graph = network("fat-tree", nodes)
    between = [frozenset(map(level, edge)) for edge in graph.edges]
    for levels in (("node", "edge"), ("edge", "aggregation"), ("aggregation", "core")):
        assert between.count(frozenset(levels)) == nodes
    for switch in graph:
        neighbours = [level(neighbour) for neighbour in graph[switch]]
        expected = {
            "node": ["edge"],
            "edge": ["aggregation"] * half + ["node"] * half,
            "aggregation": ["core"] * half + ["edge"] * half,
            "core": ["aggregation"] * pods,
        }
        assert sorted(neighbours) == expected[level(switch)]


@pytest.mark.parametrize(
    ("name", "nodes", "links"),
    [
        ("fat-tree", 64, 32),  # full: a link for each node of a half
        ("fat-tree", 16, 8),
        ("two-level8", 64, 4),  # the links of 4 leaves to the root
        ("ring", 64, 2),  # cut twice
        ("torus", 64, 16),  # 8 columns, each a ring cut twice
        ("leaf-spine", 64, 32),  # 4 leaves of 8 links up
        ("leaf-spine2", 64, 8),
        ("dragonfly", 64, 16),  # 4 groups with a link to each of 4
        ("hypercube", 64, 32),  # one from each to the one that differs in the first digit
    ],
)
def test_so_many_links_join_the_first_half_of_the_nodes_to_the_second(name, nodes, links):
    wires = nx.Graph(network(name, nodes).edges)
    nx.set_edge_attributes(wires, 1, "capacity")
    for node in range(nodes):  # without a capacity: endless
        wires.add_edge("first" if node < nodes // 2 else "second", node)
    assert nx.maximum_flow_value(wires, "first", "second") == links


def test_the_edge_switches_of_a_fat_tree_send_over_different_core_switches():
    job = {"processes": 1, "memory_mb": 1, "demand_s": 1}
    routes = Cluster(make_scenario(job=[job], nodes=64, topology="fat-tree"), "DP").network.routing
    # node 0, 4, 8, ... each is the first of an edge switch; to the same place in the next pod
    paths = [routes.path(node, (node + 16) % 64) for node in range(0, 64, 4)]
    assert {len(path) for path in paths} == {1 + 5 + 1}
    assert len({path[3] for path in paths}) == 16  # one each of 16 core switches


# The user's


def test_a_function_in_a_file_of_the_users_is_a_network(file):
    graph = network(f"{file}:ring", nodes=4)
    assert graph.edges[0, "hub 0"] == WIRE
    assert graph.nodes["hub 3"] == {"switch_ns": 80_000}
    assert graph.has_edge("hub 3", "hub 0")


def test_a_users_network_gets_the_scenarios_hardware(file):
    # at 1000 Mbps all is a tenth but the latency: 3 · (512 + 5) + 2 · 8,000 there,
    # 3 · (33,280 + 5) + 16,000 back
    times_ns = 17_551 + 115_855
    assert fault_ns(topology=f"{file}:ring", bandwidth_mbps=1000, latency_ns=5) == times_ns


def test_a_graphml_file_is_a_network_whose_numbers_are_nodes(tmp_path):
    path = tmp_path / "mine.graphml"
    graph = nx.Graph()
    graph.add_node("core", switch_ns=1_000)
    for node in range(3):
        graph.add_edge(node, "core", bandwidth_mbps=10, latency_ns=7)
    nx.write_graphml(graph, path)
    read = network(str(path), nodes=3)
    assert set(read) == {0, 1, 2, "core"}
    assert read.edges == graph.edges
    # its own hardware counts: 2 · (51,200 + 7) + 1,000 there, 2 · (3,328,000 + 7) + 1,000 back
    assert fault_ns(topology=str(path)) == 103_414 + 6_657_014


def test_a_graphml_file_can_share_a_medium(tmp_path):
    path = tmp_path / "mine.graphml"
    nx.write_graphml(network("bus", nodes=3), path)
    cluster = Cluster(make_scenario(**ALONE, topology=str(path)), "DP")
    assert list(cluster.network.links) == ["bus"]


# What is refused


@pytest.mark.parametrize("name", ["", "unknown", "stars", "5", "MAN", "graphml", "two-level-1"])
def test_a_name_nobody_knows_is_refused_with_those_known(name):
    ours = ", ".join(it.replace("_", "-") for it in known("networks"))
    complaint = (
        f"^'{name}' is no topology known here; take one of {ours}, "
        r"or file\.py:function or a \.graphml, \.gml or \.json file of your own$"
    )
    with pytest.raises(InputError, match=complaint):
        network(name)


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("star4", "take star"),
        ("Fat_Tree8", "take fat-tree"),
        ("two-level0", "a leaf switch has at least 1 node"),
        ("leaf-spine0", "leaf switches meet at 1 spine at least"),
        ("jellyfish0", "a switch has at least 1 node"),
        ("gone.py:ring", r"no such file: gone\.py"),
        (":ring", r"no such file: \."),
    ],
)
def test_a_number_or_file_that_does_not_do_is_refused(here, name, complaint):
    with pytest.raises(InputError, match=rf"^{name}: {complaint}$"):
        network(name)


@pytest.mark.parametrize(
    ("function", "complaint"),
    [
        ("", r"mine\.py: give a function of a Python file, as file\.py:function$"),
        (":star", r"mine\.py:star: .*mine\.py has no function 'star'$"),
        (":RADIUS", r"mine\.py has no function 'RADIUS'$"),  # it is there, and no function
        (":table", r"mine\.py:table: returns a dict, not a networkx graph$"),
        (":refuses", r"mine\.py, line \d+, in refuses: ValueError: 5 nodes make no ring$"),
        (":wants_nodes_only", r"in wants_nodes_only: TypeError: .* takes 1 positional argument"),
    ],
)
def test_a_function_that_does_not_do_is_refused(file, function, complaint):
    with pytest.raises(InputError, match=complaint):
        network(f"{file}{function}")


def test_a_file_without_the_suffix_py_is_refused(tmp_path):
    path = tmp_path / "ring.txt"
    path.write_text(RING)
    with pytest.raises(InputError, match=r"ring\.txt:ring: give a function of a Python file"):
        network(f"{path}:ring")


def test_a_file_that_is_no_python_is_refused_with_its_line(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("import networkx\n\ndef ring(:\n    pass\n")
    with pytest.raises(InputError, match=r"mine\.py, line 3: SyntaxError: invalid syntax$"):
        network(f"{path}:ring")


def test_a_users_graph_that_is_no_network_is_refused_before_the_run(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "import networkx as nx\n\ndef line(nodes, *_):\n    return nx.path_graph(nodes)\n"
    )
    complaint = r"mine\.py:line: the link 0 - 1: .* missing required field `bandwidth_mbps`"
    with pytest.raises(InputError, match=complaint):
        Cluster(make_scenario(**ALONE, topology=f"{path}:line"), "DP")


NUMPY = """
import networkx as nx
import numpy as np

def bus(nodes, bandwidth_mbps, latency_ns, switch_ns):
    graph = nx.Graph()
    graph.add_node(np.str_("hub"), switch_ns=np.uint8(200))
    for node in np.arange(nodes):
        wire = {"bandwidth_mbps": np.float64(100), "latency_ns": np.int32(50)}
        graph.add_edge(node, "hub", **wire)
    return graph
"""


def test_numpys_numbers_are_numbers(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(NUMPY)
    graph = network(f"{path}:bus", nodes=3)
    assert {type(vertex) for vertex in graph} == {int, str}
    assert type(graph.nodes["hub"]["switch_ns"]) is int
    assert {type(value) for value in graph.edges[0, "hub"].values()} == {int, float}
    # two links of 5,120 + 50 and 332,800 + 50 ns, and a switch of 200 ns, there and back
    assert fault_ns(topology=f"{path}:bus") == 2 * 338_020 + 2 * 200
