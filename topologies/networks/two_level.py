"""Two-level star: nodes share leaf switches, and the leaf switches share one root switch."""

from math import isqrt

import networkx as nx


def two_level(
    nodes: int, bandwidth_mbps: float, latency_ns: int, switch_ns: int, per_leaf: int | None = None
) -> nx.Graph:
    """`per_leaf` nodes on each leaf switch (8 for `two-level8`); by default the root of `nodes`.

    Raises ValueError if there is no room for a node on a leaf.
    """
    if per_leaf is None:
        per_leaf = isqrt(nodes - 1) + 1  # rounded up
    if per_leaf < 1:
        raise ValueError("a leaf switch has at least 1 node")
    link = {"bandwidth_mbps": bandwidth_mbps, "latency_ns": latency_ns}
    graph = nx.Graph(name="two-level")
    graph.add_nodes_from(range(nodes))
    graph.add_node("root", switch_ns=switch_ns)
    for node in range(nodes):
        leaf = f"leaf {node // per_leaf}"
        if leaf not in graph:
            graph.add_node(leaf, switch_ns=switch_ns)
            graph.add_edge(leaf, "root", **link)
        graph.add_edge(node, leaf, **link)
    return graph
