"""Hypercube: a switch at each node, linked to those whose numbers differ in one binary digit
(Seitz: The Cosmic Cube, 1985; incomplete: Katseff, IEEE Transactions on Computers 37(5), 1988).
"""

import networkx as nx


def hypercube(nodes: int, bandwidth_mbps: float, latency_ns: int, switch_ns: int) -> nx.Graph:
    """`nodes` switches; a message passes one more of them than its ends differ in digits.

    If `nodes` is no power of two, the switches from there on are missing, and all are connected
    still: leaving out digits of a number makes it smaller.
    """
    graph = nx.Graph(name="hypercube")
    graph.add_nodes_from(range(nodes))
    graph.add_nodes_from((f"switch {node}" for node in range(nodes)), switch_ns=switch_ns)
    link = {"bandwidth_mbps": bandwidth_mbps, "latency_ns": latency_ns}
    for node in range(nodes):
        graph.add_edge(node, f"switch {node}", **link)
        for digit in range((nodes - 1).bit_length()):
            neighbour = node ^ (1 << digit)
            if node < neighbour < nodes:
                graph.add_edge(f"switch {node}", f"switch {neighbour}", **link)
    return graph
