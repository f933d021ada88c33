"""CLI, client only: each servent manages for itself alone (thesis, section 2.3.1)."""

from typing import Literal

import networkx as nx


def cli(nodes: int, *, load: Literal["bytes", "share"] = "bytes") -> nx.DiGraph:
    """Every servent is the manager of its own client; load information is not shared."""
    graph = nx.DiGraph(name="CLI", asks="own")
    graph.add_nodes_from(range(nodes), manager=True)
    return graph
