"""MAN, local managers: one of the job's own nodes manages it (thesis, section 2.3.3)."""

from itertools import permutations

import networkx as nx


def man(nodes: int) -> nx.DiGraph:
    """Every servent may manage, so load information goes to every servent."""
    graph = nx.DiGraph(name="MAN", asks="member")
    graph.add_nodes_from(range(nodes), manager=True)
    graph.add_edges_from(permutations(range(nodes), 2))
    return graph
