"""The designs between CLI and MAN: who searches for memory, how it is divided, who hears of loads.

| | each client for itself | one search, in the order of ranks | one search, evenly |
|---|---|---|---|
| nobody hears of loads | CLI | RANKS-SILENT | MAN-SILENT |
| all managers hear of loads | CLI-TELLS | RANKS | MAN |
"""

import networkx as nx

from agents.pnr.manager import Allocation
from agents.pnr.protocol import Effect, Manager, Protocol


class InOrder(Manager):
    """Fills the needs of a job's clients in the order of their ranks, as long as there is any."""

    def _grant(self, job: int, allocation: Allocation, now_ns: int) -> list[Effect]:
        left = sum(amount for _, amount in allocation.grants)
        for rank in sorted(allocation.clients):
            node, need, request = allocation.clients[rank]
            given = min(need, left)
            allocation.clients[rank] = node, given, request
            left -= given
        return super()._grant(job, allocation, now_ns)


def cli_tells(nodes: int) -> nx.DiGraph:
    """As CLI, but managers tell each other loads."""
    graph = nx.DiGraph(name="CLI-TELLS", asks="own", tells="all")
    graph.add_nodes_from(range(nodes), manager=True)
    return graph


def man_silent(nodes: int) -> nx.DiGraph:
    """As MAN, but nobody is told anything."""
    graph = nx.DiGraph(name="MAN-SILENT", asks="member")
    graph.add_nodes_from(range(nodes), manager=True)
    return graph


def ranks(nodes: int) -> nx.DiGraph:
    """As MAN, but the lower ranks of a job come first."""
    return _in_order(nodes, name="RANKS", tells="all")


def ranks_silent(nodes: int) -> nx.DiGraph:
    """As MAN-SILENT, but the lower ranks of a job come first."""
    return _in_order(nodes, name="RANKS-SILENT")


def _in_order(nodes: int, **attributes: str) -> nx.DiGraph:
    graph = nx.DiGraph(asks="member", protocol=Protocol(manager=InOrder), **attributes)
    graph.add_nodes_from(range(nodes), manager=True)
    return graph
