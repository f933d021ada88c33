"""Star: one link from each node to one switch (thesis, section 3.2.1; the base case)."""

import networkx as nx


def star(nodes: int, bandwidth_mbps: float, latency_ns: int, switch_ns: int) -> nx.Graph:
    """One link for each node, and one switch, through which every message passes."""
    graph = nx.Graph(name="star")
    graph.add_nodes_from(range(nodes))
    graph.add_node("switch", switch_ns=switch_ns)
    for node in range(nodes):
        graph.add_edge(node, "switch", bandwidth_mbps=bandwidth_mbps, latency_ns=latency_ns)
    return graph
