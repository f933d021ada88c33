"""RECLAIM(MAN) that asks again more often, or more seldom, than every minute."""

import networkx as nx

from agents.pnr.wrappers.reclaim import reclaim
from topologies.managers.man import man


def every_10_s(nodes: int) -> nx.DiGraph:
    """RECLAIM(MAN) with a period of 10 s."""
    return _every(10, nodes)


def every_300_s(nodes: int) -> nx.DiGraph:
    """RECLAIM(MAN) with a period of 5 minutes."""
    return _every(300, nodes)


def _every(period_s: int, nodes: int) -> nx.DiGraph:
    graph = reclaim(man(nodes))
    graph.graph |= {"name": f"{graph.name} every {period_s} s", "ask_again_s": period_s}
    return graph
