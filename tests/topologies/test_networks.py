"""Networks by name: star, bus and connected, and files of the user's."""

import importlib
import sys
from itertools import combinations

import networkx as nx
import pytest

from agents.process import NETWORK_FAULT
from model.cluster import Cluster
from model.comparison import run
from model.network import check_network
from model.scenario import InputError, make_scenario
from model.topology import is_file_name, known, load_topology

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


@pytest.mark.parametrize("name", ["star", "bus", "connected"])
def test_every_link_has_the_bandwidth_and_latency_asked_for(name):
    for _, _, attributes in load_topology("networks", name, 4, 1000, 7, 8_000).edges(data=True):
        assert attributes.items() >= {"bandwidth_mbps": 1000, "latency_ns": 7}.items()


@pytest.mark.parametrize(
    ("name", "nodes", "links", "switches"),
    [
        ("star", 1, 2, 1),  # n wires of two directions each
        ("star", 2, 4, 1),
        ("star", 64, 128, 1),
        ("bus", 1, 0, 0),
        ("bus", 2, 1, 0),
        ("bus", 64, 1, 0),
        ("connected", 1, 0, 0),
        ("connected", 2, 2, 0),  # n (n - 1), directed
        ("connected", 64, 4032, 0),
    ],
)
def test_a_cluster_has_as_many_links_and_switches_as_its_topology_says(
    name, nodes, links, switches
):
    job = {"processes": 1, "memory_mb": 1, "demand_s": 1}
    stations = Cluster(make_scenario(job=[job], nodes=nodes, topology=name), "DP").network
    assert (len(stations.links), len(stations.switches)) == (links, switches)


@pytest.mark.parametrize("nodes", [1, 2, 64, 128])
@pytest.mark.parametrize("name", ["star", "bus", "connected"])
def test_ours_are_networks_of_any_size(name, nodes):
    graph = network(name, nodes)
    check_network(name, graph, nodes)
    hops = 2 if name == "star" else 1  # from the first to the last
    assert nodes == 1 or nx.shortest_path_length(graph, 0, nodes - 1) == hops


def test_the_names_known_are_the_files_in_the_folder():
    assert known("networks") == ["bus", "connected", "star"]
    assert known("managers") == ["bb", "cen", "cli", "dp", "man"]


def test_a_name_may_be_written_in_any_case():
    assert edges(network("Star")) == edges(network("STAR")) == edges(network("star"))


def test_a_file_put_into_the_folder_is_found_by_its_name(tmp_path, monkeypatch):
    (tmp_path / "ring.py").write_text(RING)
    package = importlib.import_module("topologies.networks")
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path)])
    try:
        assert known("networks") == ["bus", "connected", "ring", "star"]
        assert len(edges(network("ring"))) == 5 + 5
    finally:
        sys.modules.pop("topologies.networks.ring", None)


# The user's


def test_a_function_in_a_file_of_the_users_is_a_network(file):
    graph = network(f"{file}:ring", nodes=4)
    assert graph.edges[0, "hub 0"] == WIRE
    assert graph.nodes["hub 3"] == {"switch_ns": 80_000}
    assert graph.has_edge("hub 3", "hub 0")


def test_a_users_network_is_run(file):
    # three links and two switches each way: 3 · (5,120 + 50) + 160,000 there,
    # 3 · (332,800 + 50) + 160,000 back
    assert fault_ns(topology=f"{file}:ring") == 175_510 + 1_158_550


def test_a_users_network_gets_the_scenarios_hardware(file):
    # at 1000 Mbps all is a tenth but the latency: 3 · (512 + 5) + 2 · 8,000 there,
    # 3 · (33,280 + 5) + 16,000 back
    times_ns = 17_551 + 115_855
    assert fault_ns(topology=f"{file}:ring", network=1000, latency_ns=5) == times_ns


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


@pytest.mark.parametrize(
    ("name", "is_file"),
    [("mine.py:ring", True), ("mine.py", True), ("a.graphml", True), ("star", False)],
)
def test_a_name_with_a_colon_or_suffix_points_into_a_file(name, is_file):
    assert is_file_name(name) == is_file


# What is refused


@pytest.mark.parametrize("name", ["", "ring", "stars", "5", "MAN", "graphml"])
def test_a_name_nobody_knows_is_refused_with_those_known(name):
    complaint = (
        f"^'{name}' is no topology known here; take one of bus, connected, star, or "
        r"file\.py:function or a \.graphml file of your own$"
    )
    with pytest.raises(InputError, match=complaint):
        network(name)


def test_a_number_after_a_name_that_takes_none_is_refused():
    with pytest.raises(InputError, match=r"^star4: star cannot be called so: too many positional"):
        network("star4")


@pytest.mark.parametrize(
    ("function", "complaint"),
    [
        ("", r"mine\.py: say which function, as .*mine\.py:name$"),
        (":", r"mine\.py:: say which function, as .*mine\.py:name$"),
        (":star", r"mine\.py:star: .*mine\.py has no function 'star'$"),
        (":RADIUS", r"mine\.py has no function 'RADIUS'$"),  # it is there, and no function
        (":table", r"mine\.py:table: returns a dict, not a networkx graph$"),
        (":refuses", r"mine\.py:refuses: 5 nodes make no ring$"),
        (":wants_nodes_only", "wants_nodes_only cannot be called so: too many positional"),
    ],
)
def test_a_function_that_does_not_do_is_refused(file, function, complaint):
    with pytest.raises(InputError, match=complaint):
        network(f"{file}{function}")


@pytest.mark.parametrize("name", ["gone.py:ring", "gone.py", ":ring"])
def test_a_file_that_is_not_there_is_refused(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=rf"^{name}: no such file: (gone\.py|\.)$"):
        network(name)


def test_a_file_without_the_suffix_py_is_refused(tmp_path):
    path = tmp_path / "ring.txt"
    path.write_text(RING)
    with pytest.raises(InputError, match=r"ring\.txt: not a Python file \(\.py\)$"):
        network(f"{path}:ring")


def test_a_file_that_is_no_python_is_refused_with_its_line(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("import networkx\n\ndef ring(:\n    pass\n")
    with pytest.raises(InputError, match=r"mine\.py, line 3: invalid syntax$"):
        network(f"{path}:ring")


def test_a_graphml_file_that_is_not_there_is_refused(tmp_path):
    complaint = r"gone\.graphml: No such file or directory; give a readable GraphML file$"
    with pytest.raises(InputError, match=complaint):
        network(str(tmp_path / "gone.graphml"))


@pytest.mark.parametrize("text", ["", "star", "<graphml>", "<html></html>"])
def test_a_file_that_is_no_graphml_is_refused(tmp_path, text):
    path = tmp_path / "mine.graphml"
    path.write_text(text)
    with pytest.raises(InputError, match=r"mine\.graphml: not a GraphML file: \w+"):
        network(str(path))


def test_a_users_graph_that_is_no_network_is_refused_before_the_run(tmp_path):
    path = tmp_path / "mine.graphml"
    nx.write_graphml(nx.path_graph(3), path)  # links without bandwidth
    complaint = r"mine\.graphml: the link 0 - 1 needs bandwidth_mbps, a number from"
    with pytest.raises(InputError, match=complaint):
        Cluster(make_scenario(**ALONE, topology=str(path)), "DP")
