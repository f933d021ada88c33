"""CEN, centralized: one manager for all (thesis, section 2.3.2)."""

from typing import Literal

import networkx as nx
from pydantic import PositiveFloat


def cen(
    nodes: int,
    *,
    load: Literal["bytes", "share"] = "bytes",
    takes: Literal["need", "server", "all"] | PositiveFloat = "need",
    surplus: Literal["deal", "keep", "back"] = "deal",
) -> nx.DiGraph:
    """Node 0 manages; there is nobody to tell."""
    graph = nx.DiGraph(name="CEN", asks="any")
    graph.add_nodes_from(range(nodes), manager=False)
    graph.nodes[0]["manager"] = True
    return graph
