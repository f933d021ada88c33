"""Networks: how long a page takes, by which route, what a graph must be to be a network."""

from itertools import pairwise

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.pnr.messages import BarrierArrive, PageReply
from agents.pnr.process import NETWORK_FAULT
from model.core.network import check_network
from model.core.routing import predecessors
from model.ground.errors import InputError
from model.pnr.cluster import Cluster
from model.pnr.scenario import make_scenario
from tests.journaled import journaled

REPLY = PageReply(1, 0)  # 4,160 bytes, 33,280 bits: 332,800 ns at 100 Mbps
ARRIVE = BarrierArrive(1, 0)  # 64 bytes, 512 bits: 5,120 ns
WIRE = {"bandwidth_mbps": 100, "latency_ns": 50}


def wired(*edges, nodes=2, switches="", **attributes):
    """A graph whose edges are alike, added in this order; each letter of `switches` is a switch."""
    graph = nx.Graph()
    graph.add_nodes_from(range(nodes))
    graph.add_nodes_from(switches, switch_ns=80_000)
    graph.add_edges_from(edges, **{**WIRE, **attributes})
    return graph


@pytest.fixture
def cluster_on(monkeypatch):
    """Makes nodes on a network of the test's, that take every message and answer none."""

    def build(graph, **parameters):
        monkeypatch.setattr("model.core.network.load_topology", lambda *arguments: graph)
        nodes = sum("switch_ns" not in data for _, data in graph.nodes(data=True))
        job = {"processes": 1, "memory_mb": 1, "demand_s": 1}  # computes, sends nothing
        records = []
        scenario = make_scenario(job=[job], nodes=nodes, **parameters)
        cluster = Cluster(scenario, "DP", (records.append,))
        for node in cluster.nodes:
            node.takes = dict.fromkeys(node.takes, lambda message: None)
        return cluster, records

    return build


def deliveries(cluster, records):
    """What arrived: when, at which node, from which."""
    cluster.run()
    return [(r.time_ns, r.node, r.peer) for r in records if r.kind == "delivered"]


# How long a page takes. On the bus and connected one link each way; on the star two links and the
# switch each way.


@pytest.mark.parametrize(
    ("topology", "mbps", "fault_ns"),
    [
        # request 512 bits: 5,120 ns, reply 33,280 bits: 332,800 ns, latency 50 ns, switch 80,000
        ("star", 100, 2 * (5_120 + 50) + 80_000 + 2 * (332_800 + 50) + 80_000),  # 836,040
        ("bus", 100, 5_120 + 50 + 332_800 + 50),  # 338,020
        # ten times as long on the links, the switch as before
        ("connected", 10, 51_200 + 50 + 3_328_000 + 50),
        # a tenth of the time on the links and at the switch
        ("star", 1000, 2 * (512 + 50) + 8_000 + 2 * (33_280 + 50) + 8_000),  # 83,784
        # 5.12 and 332.8 ns: each message is rounded once
        ("star", 100_000, 2 * (5 + 50) + 80 + 2 * (333 + 50) + 80),
    ],
)
def test_a_page_fault_takes_its_request_and_its_reply(topology, mbps, fault_ns):
    job = {"processes": 1, "memory_mb": 40, "demand_s": 0.02}  # 8 MB over, all of it lent by one
    cluster, records = journaled(
        make_scenario(
            job=[job], nodes=2, topology=topology, bandwidth_mbps=mbps, minimum_demand_s=0.001
        ),
        "CEN",
    )
    faults = [r.time_ns for r in records if r.kind == "fault"]
    pages = [r.time_ns for r in records if (r.kind, r.what) == ("delivered", "PageReply")]
    assert len(faults) > 1
    assert {page - fault for fault, page in zip(faults, pages, strict=True)} == {fault_ns}
    assert cluster.jobs[0].processes[0].spent_ns[NETWORK_FAULT] == len(faults) * fault_ns


@pytest.mark.parametrize(
    ("switch_us", "mbps", "delay_ns"),
    [
        (80, 100, 80_000),
        (80, 101, 79_208),  # 8,000,000 / 101 = 79,207.9
        (80, 1000, 8_000),
        (0.5, 100_000, 1),  # 0.5 ns: halves upwards
        (0, 100, 0),
    ],
)
def test_above_100_mbps_the_switch_delay_shrinks_in_proportion(switch_us, mbps, delay_ns):
    job = {"processes": 1, "memory_mb": 1, "demand_s": 1}
    scenario = make_scenario(job=[job], nodes=2, switch_us=switch_us, bandwidth_mbps=mbps)
    assert Cluster(scenario, "DP").network.switches["switch"].switch_ns == delay_ns


def test_messages_between_two_nodes_arrive_in_the_order_in_which_they_were_sent(cluster_on):
    pair, records = cluster_on(wired((0, "s"), ("s", 1), switches="s"))
    pair.nodes[0].send(1, REPLY)
    pair.nodes[0].send(1, ARRIVE)
    # the page: 332,850, switch to 412,850, + 332,850. Behind it the small one leaves the first link
    # at 332,800 + 5,120, waits for the switch until 412,850, is processed at 492,850, and finds the
    # second link taken until 745,650: + 5,120 + 50
    assert deliveries(pair, records) == [(745_700, 1, 0), (750_820, 1, 0)]


def test_links_of_one_network_may_differ(cluster_on):
    graph = wired((0, "s"), ("s", 1), switches="s")
    graph.edges["s", 1].update(bandwidth_mbps=10, latency_ns=7)
    graph.nodes["s"]["switch_ns"] = 1_000
    pair, records = cluster_on(graph)
    pair.nodes[0].send(1, ARRIVE)
    # 5,120 + 50, switch 1,000, then ten times 5,120, + 7
    assert deliveries(pair, records) == [(5_170 + 1_000 + 51_207, 1, 0)]


def test_edges_with_the_same_station_take_one_message_at_a_time_together(cluster_on):
    graph = wired((0, 1), (2, 3), nodes=4, station="cable")
    graph.add_edges_from([(0, 2), (0, 3), (1, 2), (1, 3)], **WIRE)
    four, records = cluster_on(graph)
    assert len(four.network.links) == 1 + 4
    for source, target in ((0, 1), (2, 3), (0, 2)):
        four.nodes[source].send(target, REPLY)
    # 2 -> 3 waits for 0 -> 1; the wire between 0 and 2 is another
    assert deliveries(four, records) == [(332_850, 1, 0), (332_850, 2, 0), (665_650, 3, 2)]
    assert four.network.links["cable"].wait_ns == 332_800


def test_a_message_to_oneself_is_free_immediate_and_not_counted(cluster_on):
    pair, records = cluster_on(wired((0, 1)))
    pair.nodes[1].send(1, REPLY)
    assert deliveries(pair, records) == [(0, 1, 1)]
    assert pair.network.tallies[PageReply].sent == 0
    assert [station.served for station in pair.network.stations()] == [0]  # the one wire


# Routes


def test_a_node_never_forwards(cluster_on):
    # from 0 to 2 it is two hops over node 1, and three over the switches
    edges = [(0, 1), (1, 2), (0, "a"), ("a", "b"), ("b", 2)]
    three, records = cluster_on(wired(*edges, nodes=3, switches="ab"))
    assert three.network.routing.path(0, 2) == [0, "a", "b", 2]
    three.nodes[0].send(2, ARRIVE)
    assert deliveries(three, records) == [(3 * 5_170 + 2 * 80_000, 2, 0)]
    hops = [r.station for r in records if r.kind == "hop"]
    # a wire is named from the end that the graph has first
    assert hops == ["0<->a", "a", "a<->b", "b", "2<->b"]


VERTICES = st.sampled_from([0, 1, 2, *"abcde"])


@given(st.lists(st.tuples(VERTICES, VERTICES), max_size=25))
def test_routes_are_the_first_of_all_shortest_paths_through_switches(edges):
    graph = wired(*[edge for edge in edges if edge[0] != edge[1]], nodes=3, switches="abcde")

    def places(path):  # of each hop among the hops that the graph names at its vertex
        return [list(graph[here]).index(there) for here, there in pairwise(path)]

    for source, target in ((0, 1), (1, 0), (0, 2), (2, 1)):
        passable = graph.subgraph({source, target, *"abcde"})  # no third node on the way
        try:
            all_shortest = list(nx.all_shortest_paths(passable, source, target))
        except nx.NetworkXNoPath:
            assert target not in predecessors(graph, source)
            continue
        path, before = [target], predecessors(graph, source)
        while path[-1] != source:
            path.append(before[path[-1]])
        assert path[::-1] == min(all_shortest, key=places)


# What a graph must be


def link_with(**attributes):
    graph = wired()
    graph.add_edge(0, 1, **attributes)
    return graph


def switch_with(switch_ns):
    graph = wired((0, "a"), ("a", 1), switches="a")
    graph.nodes["a"]["switch_ns"] = switch_ns
    return graph


UNDIRECTED = "mine: a network is an undirected graph"
NOT_JUST_NODES = "mine: without its switches .* not just 0 to 1, the 2 nodes of the cluster"
LINK = "mine: the link 0 - 1: .*(bandwidth_mbps|latency_ns)"
TWICE = "^mine: 2 stations are called {}; give each"
NO_PATH = "mine: no path through switches from node 0 to node 1"


@pytest.mark.parametrize(
    ("graph", "complaint"),
    [
        (nx.DiGraph(wired((0, 1))), UNDIRECTED),
        (wired(nodes=1), NOT_JUST_NODES),
        (wired((0, 1), (1, 2), nodes=3), NOT_JUST_NODES),
        (wired((0, "hub"), ("hub", 1)), NOT_JUST_NODES),  # a hub without switch_ns
        (nx.relabel_nodes(wired((0, 1)), {0: "0"}), NOT_JUST_NODES),
        (wired((0, 1), switches=[0]), NOT_JUST_NODES),  # a node that is a switch
        (switch_with(-1), "mine: switch a: Expected `int` >= 0"),
        (link_with(bandwidth_mbps=0, latency_ns=50), LINK),
        (link_with(bandwidth_mbps=100), LINK),
        (link_with(bandwidth_mbps="100", latency_ns=50), LINK),  # as in a GraphML of text
        (switch_with("80000"), "mine: switch a: Expected `int`"),
        (wired((0, 1), (1, 1)), "mine: the link 1 - 1 leads from a node to itself"),
        (wired((0, 7), ("7", 1), (7, "7"), switches=[7, "7"]), TWICE.format("'7'")),
        (wired((0, "disk 1"), ("disk 1", 1), switches=["disk 1"]), TWICE.format("'disk 1'")),
        (wired((0, "bus"), ("bus", 1), switches=["bus"], station="bus"), TWICE.format("'bus'")),
        (wired(), NO_PATH),
        (wired((0, "a"), ("b", 1), switches="ab"), NO_PATH),
    ],
)
def test_a_graph_that_is_no_network_is_refused(graph, complaint):
    with pytest.raises(InputError, match=complaint):
        check_network("mine", graph, 2)


def test_edges_that_share_a_station_must_agree_on_its_bandwidth_and_latency():
    graph = wired((0, 1), (0, 2), (1, 2), nodes=3, station="cable")
    graph.edges[1, 2]["bandwidth_mbps"] = 10
    with pytest.raises(InputError, match="cable"):
        check_network("mine", graph, 3)


@pytest.mark.parametrize(
    ("graph", "nodes"),
    [
        (wired(nodes=1), 1),  # a node alone has nobody to reach
        (link_with(bandwidth_mbps=0.001, latency_ns=0), 2),
        (switch_with(0), 2),
        (wired((0, "a"), ("a", "b"), ("b", 1), ("b", "c"), switches="abc"), 2),  # c leads nowhere
    ],
)
def test_a_network_at_its_limits_is_accepted(graph, nodes):
    check_network("mine", graph, nodes)
