"""MAN, local managers: one of the job's own nodes manages it (thesis, section 2.3.3)."""

from typing import Literal

import networkx as nx
from pydantic import PositiveFloat


def man(
    nodes: int,
    *,
    load: Literal["bytes", "share"] = "bytes",
    takes: Literal["need", "server", "all"] | PositiveFloat = "need",
    surplus: Literal["deal", "keep", "back"] = "deal",
) -> nx.DiGraph:
    """Every servent may manage, so load information goes to every servent."""
    graph = nx.DiGraph(name="MAN", asks="member", tells="all")
    graph.add_nodes_from(range(nodes), manager=True)
    return graph
