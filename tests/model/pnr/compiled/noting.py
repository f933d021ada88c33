"""A design whose roles note how many pages their node has missed so far."""

import networkx as nx

from agents.pnr.protocol import Client, Note, Protocol, Server, SetTimer
from topologies.managers.cli import cli


class Noting:
    """Notes the count when its memory has changed, and 30 times every 7 ms and 1 ns."""

    def start(self, now_ns):
        self.left = 30
        return [SetTimer("look", 7 * 10**6 + 1)]

    def timer(self, name, now_ns):
        self.left -= 1
        again = [SetTimer("look", 7 * 10**6 + 1)] if self.left else []
        return [*self.memory_changed(now_ns), *again]

    def memory_changed(self, now_ns):
        return [Note("page faults", self.page_faults())]


class NotingClient(Noting, Client):
    pass


class NotingServer(Noting, Server):
    pass


def noting(nodes: int) -> nx.DiGraph:
    """CLI, whose clients and servers note how many pages their nodes have missed."""
    graph = cli(nodes)
    graph.graph |= {"name": "NOTING", "protocol": Protocol(NotingClient, NotingServer)}
    return graph
