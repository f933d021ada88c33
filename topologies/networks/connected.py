"""Connected: a link of its own between any two nodes, no switch (thesis, section 3.2.1)."""

from itertools import combinations

import networkx as nx


def connected(nodes: int, bandwidth_mbps: float, latency_ns: int, switch_ns: int) -> nx.Graph:
    """`nodes * (nodes - 1)` links, one for each direction of each pair.

    The thesis has "links for both directions" here and nowhere else, so they are separate whatever
    the scenario's `duplex`.
    """
    graph = nx.Graph(name="connected")
    graph.add_nodes_from(range(nodes))
    graph.add_edges_from(
        combinations(range(nodes), 2),
        bandwidth_mbps=bandwidth_mbps,
        latency_ns=latency_ns,
        duplex="full",
    )
    return graph
