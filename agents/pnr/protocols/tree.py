"""TREEk: what MAN's managers tell everybody travels along a tree, from neighbour to neighbour.

Source: the thesis's MAN (section 2.3.3), whose broadcasts are n - 1 messages that one node sends at
once. Here a manager sends at most k + 1. Broadcasting along a spanning tree is old: Dalal and
Metcalfe, Reverse Path Forwarding of Broadcast Packets (Communications of the ACM 21, 1978), compare
it with separate messages to all. This tree, and what travels on, are ours.
"""

from collections.abc import Iterator

import networkx as nx

from agents.messages import Content
from agents.pnr.messages import LoadBroadcast, LoadReport
from agents.pnr.protocol import Effect, Manager, Protocol, Send, Site


class Branch(Manager):
    """Passes words that are news to it on to its other neighbours, instead of telling everybody."""

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.own_ns = -1  # when the newest load report that it told about its own node was stated

    def receive(self, sender: int, content: Content, now_ns: int) -> list[Effect]:
        """Pass on what a broadcast has that is newer than its table, but not back."""
        if not isinstance(content, LoadBroadcast):
            return super().receive(sender, content, now_ns)
        news = tuple(report for report in content.words if self.is_news(*report))
        for node, report in news:
            if node == self.node:
                self.own_ns = report.stated_ns
        self.hear(*news)
        others = [neighbour for neighbour in self.tells if neighbour != sender]
        passed_on = LoadBroadcast(content.job, news)
        return [Send(neighbour, passed_on) for neighbour in others if news]

    def tell(self, job: int, now_ns: int) -> list[Effect]:
        self.own_ns = now_ns
        return super().tell(job, now_ns)

    def is_news(self, node: int, report: LoadReport) -> bool:
        """Whether it is newer than what it has heard; of its own node, than what it has told."""
        if node == self.node:
            return report.stated_ns > self.own_ns
        return super().is_news(node, report)


def tree(nodes: int, k: int = 2) -> nx.DiGraph:
    """Every servent may manage; neighbours of i are (i-1) // k and k·i + 1 … k·i + k.

    Raises ValueError if nobody has children.
    """
    if k < 1:
        raise ValueError(f"a tree in which each node has {k} children: take TREE1 or more")
    graph = nx.DiGraph(name=f"TREE{k}", asks="member", protocol=Protocol(manager=Branch))
    graph.add_nodes_from(range(nodes), manager=True)
    graph.add_edges_from(neighbours(nodes, k))
    return graph


def neighbours(size: int, k: int) -> Iterator[tuple[int, int]]:
    """Parents and children in both directions, in a tree of so many places."""
    for child in range(1, size):
        parent = (child - 1) // k
        yield from ((parent, child), (child, parent))
