"""DP, disk paging: nobody manages, nothing is borrowed (thesis, section 1.2)."""

import networkx as nx


def dp(nodes: int) -> nx.DiGraph:
    """No managers: what does not fit into RAM is paged to the local disk."""
    graph = nx.DiGraph(name="DP", asks="own")
    graph.add_nodes_from(range(nodes), manager=False)
    return graph
