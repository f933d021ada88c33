"""Bus: all nodes share one link, without a switch (thesis, section 3.2.1)."""

from itertools import combinations

import networkx as nx


def bus(nodes: int, bandwidth_mbps: float, latency_ns: int, switch_ns: int) -> nx.Graph:
    """Any two nodes are neighbours, over a station that all edges share."""
    graph = nx.Graph(name="bus")
    graph.add_nodes_from(range(nodes))
    graph.add_edges_from(
        combinations(range(nodes), 2),
        station="bus",
        bandwidth_mbps=bandwidth_mbps,
        latency_ns=latency_ns,
    )
    return graph
