"""BBx, backbone: x well-known managers that tell each other (thesis, section 2.3.4)."""

from typing import Literal

import networkx as nx
from pydantic import PositiveFloat


def bb(
    nodes: int,
    x: int,
    *,
    load: Literal["bytes", "share"] = "bytes",
    takes: Literal["need", "server", "all"] | PositiveFloat = "need",
    surplus: Literal["deal", "keep", "back"] = "deal",
) -> nx.DiGraph:
    """`x` evenly spaced servents manage and broadcast among themselves.

    Raises ValueError if there are more managers than nodes, or none.
    """
    if not 1 <= x <= nodes:
        raise ValueError(
            f"a backbone of {x} managers does not fit a cluster of {nodes} nodes: "
            f"take BB1 to BB{nodes}"
        )
    backbone = [position * nodes // x for position in range(x)]
    graph = nx.DiGraph(name=f"BB{x}", asks="any", tells="all")
    graph.add_nodes_from(range(nodes), manager=False)
    for node in backbone:
        graph.nodes[node]["manager"] = True
    return graph
