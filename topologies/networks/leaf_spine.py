"""Leaf-spine: nodes share leaf switches, and each leaf is linked to every spine switch (Clos 1953;
Alizadeh, Edsall: On the Data Path Performance of Leaf-Spine Datacenter Fabrics, HotI 2013).
"""

from math import isqrt

import networkx as nx


def leaf_spine(
    nodes: int, bandwidth_mbps: float, latency_ns: int, switch_ns: int, spines: int | None = None
) -> nx.Graph:
    """As many nodes on each leaf as the root of `nodes`, and `spines` ways from leaf to leaf.

    By default there are as many spines as nodes on a leaf, so as much bandwidth up as down; with
    fewer (2 for `leaf-spine2`) the leaves are oversubscribed. Each leaf adds its links beginning at
    another spine. Raises ValueError if there is no spine.
    """
    per_leaf = isqrt(nodes - 1) + 1  # rounded up
    if spines is None:
        spines = per_leaf
    if spines < 1:
        raise ValueError("leaf switches meet at 1 spine at least")
    leaves = -(-nodes // per_leaf)
    link = {"bandwidth_mbps": bandwidth_mbps, "latency_ns": latency_ns}
    graph = nx.Graph(name="leaf-spine")
    graph.add_nodes_from(range(nodes))
    graph.add_nodes_from((f"spine {number}" for number in range(spines)), switch_ns=switch_ns)
    graph.add_nodes_from((f"leaf {number}" for number in range(leaves)), switch_ns=switch_ns)
    graph.add_edges_from(((node, f"leaf {node // per_leaf}") for node in range(nodes)), **link)
    for leaf in range(leaves):
        for step in range(spines):
            graph.add_edge(f"leaf {leaf}", f"spine {(leaf + step) % spines}", **link)
    return graph
