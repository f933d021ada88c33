"""Ring: a switch at each node, linked to those of its two neighbours."""

import networkx as nx


def ring(nodes: int, bandwidth_mbps: float, latency_ns: int, switch_ns: int) -> nx.Graph:
    """`nodes` switches; a message to a node k steps away passes k + 1 of them."""
    graph = nx.Graph(name="ring")
    graph.add_nodes_from(range(nodes))
    graph.add_nodes_from((f"switch {node}" for node in range(nodes)), switch_ns=switch_ns)
    link = {"bandwidth_mbps": bandwidth_mbps, "latency_ns": latency_ns}
    for node in range(nodes):
        graph.add_edge(node, f"switch {node}", **link)
        neighbour = (node + 1) % nodes
        if neighbour != node:
            graph.add_edge(f"switch {node}", f"switch {neighbour}", **link)
    return graph
