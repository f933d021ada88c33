"""The graph of the traffic, read again by NetworkX."""

import networkx as nx

from model.views.exports.traffic_graph import graphml
from model.views.recording import Selection, over_network
from model.views.traffic import matrix
from tests.model.views.exports.conftest import BARRIER, BORROWER, recorded


def test_the_graph_of_a_barrier(tmp_path):
    # Node 0, the master, hears of both others and tells both; DP has no managers
    made = recorded(BARRIER, nodes=3, design="DP")
    graphml(made, Selection(), tmp_path / "a.graphml")
    graph = nx.read_graphml(tmp_path / "a.graphml", node_type=int)
    assert graph.is_directed()
    assert graph.graph["design"] == "DP"
    assert dict(graph.nodes(data=True)) == {
        0: {"manager": False, "sent": 2, "received": 2},
        1: {"manager": False, "sent": 1, "received": 1},
        2: {"manager": False, "sent": 1, "received": 1},
    }
    arrive, release = (
        {"messages": 1, "bytes": 64, kind: 1} for kind in ("BarrierArrive", "BarrierRelease")
    )
    assert {(one, other): data for one, other, data in graph.edges(data=True)} == {
        (1, 0): arrive,
        (2, 0): arrive,
        (0, 1): release,
        (0, 2): release,
    }


def test_the_graph_agrees_with_the_matrix_and_knows_managers(tmp_path):
    made = recorded(BARRIER, BORROWER, nodes=4, design="CEN", page_bytes=2**16)
    graphml(made, Selection(), tmp_path / "a.graphml")
    graph = nx.read_graphml(tmp_path / "a.graphml", node_type=int)
    sizes = nx.to_numpy_array(graph, nodelist=range(4), weight="bytes")
    assert sizes.tolist() == matrix(over_network(made.records), 4).tolist()
    assert [node for node, data in graph.nodes(data=True) if data["manager"]] == [0]
    for _, _, data in graph.edges(data=True):
        kinds = {k: v for k, v in data.items() if k not in ("messages", "bytes", "id")}
        assert sum(kinds.values()) == data["messages"]
    for node, data in graph.nodes(data=True):
        assert data["sent"] == graph.out_degree(node, weight="messages")
        assert data["received"] == graph.in_degree(node, weight="messages")
