"""Which of several shortest ways messages take."""

from collections import Counter
from itertools import pairwise, permutations
from types import SimpleNamespace

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import chdtrc

from model.core.network import check_network
from model.core.routing import Routing, predecessors
from model.core.topology import load_topology
from model.ground.errors import InputError


def routing(graph, rule, seed=1):
    return Routing(graph, SimpleNamespace(routing=rule, seed=seed))


@pytest.fixture(scope="module")
def fat_tree():
    return load_topology("networks", "fat-tree", 128, 100, 50, 80_000)


def shares_up(graph, rule):
    """How many pairs of the 128 nodes go over each link up, by its lower switch, and by its pod."""
    up = Counter()
    paths = routing(graph, rule).path
    for pair in permutations(range(128), 2):
        up.update(pairwise(paths(*pair)))
    links = [
        (edge, f"aggregation {edge.split()[1].split('.')[0]}.{number}")
        for edge in graph
        if str(edge).startswith("edge")
        for number in range(4)
    ]
    to_core = [
        (one, core)
        for one in graph
        if str(one).startswith("aggregation")
        for core in graph[one]
        if core.startswith("core")
    ]
    by_edge, by_pod = {}, {}
    for one, other in links:
        by_edge.setdefault(one, []).append(up[one, other])
    for one, other in to_core:
        by_pod.setdefault(one.split(".")[0], []).append(up[one, other])
    return by_edge, by_pod


def p_value(groups):
    """How probable it is that counts which are even in each group differ at least as much."""
    statistic = freedom = 0
    for counts in groups.values():
        even = sum(counts) / len(counts)
        statistic += sum((count - even) ** 2 / even for count in counts)
        freedom += len(counts) - 1
    return chdtrc(freedom, statistic)  # scipy.stats, which calls it, takes a while to load


def test_the_up_links_of_a_fat_tree_carry_equal_shares_within_binomial_error(fat_tree):
    by_edge, by_pod = shares_up(fat_tree, "ecmp")
    # 4 nodes of an edge switch send to 124 others, 4 ways up; 16 of a pod to 112, over 16 cores
    assert {sum(counts) for counts in by_edge.values()} == {4 * 124}
    assert {sum(counts) for counts in by_pod.values()} == {16 * 112}
    assert [len(counts) for counts in by_edge.values()] == [4] * 32
    assert [len(counts) for counts in by_pod.values()] == [16] * 8
    assert 0.001 < p_value(by_edge) < 0.999
    assert 0.001 < p_value(by_pod) < 0.999


VERTICES = st.sampled_from([0, 1, 2, *"abcde"])
EDGES = st.lists(st.tuples(VERTICES, VERTICES).filter(lambda edge: edge[0] != edge[1]), max_size=25)


@given(EDGES)
def test_a_drawn_way_is_a_shortest_one_through_switches_and_any_may_be_drawn(edges):
    graph = nx.Graph()
    graph.add_nodes_from(range(3))
    graph.add_nodes_from("abcde", switch_ns=1)
    graph.add_edges_from(edges)
    passable = graph.subgraph({0, 1, *"abcde"})  # no third node on the way
    if not nx.has_path(passable, 0, 1):
        return
    shortest = {tuple(path) for path in nx.all_shortest_paths(passable, 0, 1)}
    drawn = {tuple(routing(graph, "ecmp", seed).path(0, 1)) for seed in range(40 * len(shortest))}
    # at most 5 ways through 5 switches: one of 5 is left out by 200 seeds once in 10^18
    assert drawn == shortest
    assert tuple(routing(graph, "single").path(0, 1)) in shortest


def test_a_route_is_a_table_that_depends_on_the_seed_alone(fat_tree):
    pairs = [(0, 64), (64, 0), (1, 127)]
    here = routing(fat_tree, "ecmp")
    ways = [here.path(*pair) for pair in pairs]
    assert [here.path(*pair) for pair in pairs] == ways
    assert [routing(fat_tree, "ecmp").path(*pair) for pair in reversed(pairs)] == ways[::-1]
    assert [routing(fat_tree, "ecmp", seed=2).path(*pair) for pair in pairs] != ways


@pytest.mark.parametrize(
    "name", ["star", "two-level", "fat-tree", "torus", "dragonfly", "connected"]
)
def test_nodes_at_one_switch_find_the_ways_that_each_would_find_by_itself(name):
    graph = load_topology("networks", name, 24, 100, 50, 80_000)
    path = routing(graph, "single").path
    for source, target in permutations(range(24), 2):
        own, way = predecessors(graph, source), [target]
        while way[-1] != source:
            way.append(own[way[-1]])
        assert path(source, target) == way[::-1]


def test_a_network_of_two_fabrics_is_still_connected_if_nodes_link_them():
    graph = nx.Graph()
    link = {"bandwidth_mbps": 100, "latency_ns": 0}
    graph.add_nodes_from(range(3))
    graph.add_nodes_from(["left", "right"], switch_ns=0)
    graph.add_edges_from([(0, "left"), (1, "left"), (1, "right"), (2, "right")], **link)
    with pytest.raises(InputError, match="no path through switches from node 0 to node 2"):
        check_network("two", graph, 3)
    graph.add_edge(0, 2, **link)
    check_network("two", graph, 3)
