"""CLI, client only: each servent manages for itself alone (thesis, section 2.3.1)."""

from typing import Literal

import networkx as nx
from pydantic import PositiveFloat


def cli(
    nodes: int,
    *,
    load: Literal["bytes", "share"] = "bytes",
    takes: Literal["need", "server", "all"] | PositiveFloat = "need",
) -> nx.DiGraph:
    """Every servent is the manager of its own client; load information is not shared.

    A client takes what it needs, or a multiple of that; all that a server has, until the need is
    met; or all that there is.
    """
    graph = nx.DiGraph(name="CLI", asks="own")
    graph.add_nodes_from(range(nodes), manager=True)
    return graph
