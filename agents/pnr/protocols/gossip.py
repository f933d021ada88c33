"""GOSSIP: each node manages for itself, and what changes is told on to nodes drawn at random.

Sources: Barak and La'adan, The MOSIX Multicomputer Operating System for High Performance Cluster
Computing (Future Generation Computer Systems 13, 1998), whose nodes tell randomly drawn others
every second what they newly know; Demers et al., Epidemic Algorithms for Replicated Database
Maintenance (PODC 1987), of which this is rumor mongering that ends after a fixed number of rounds.
"""

from math import ceil, log2

import networkx as nx

from agents.messages import Content
from agents.pnr.messages import LoadReport, LoadStated
from agents.pnr.parameters import Count, Seconds, Several
from agents.pnr.protocol import (
    Effect,
    Manager,
    Protocol,
    Send,
    Server,
    SetTimer,
    Site,
    message,
)
from model.ground.randomness import GOSSIP, Stream

ROUND = "round"  # the name of the timer


@message("telling", hears="manager", size_bytes="protocol")
class OwnWord(LoadStated):
    """Server -> the manager of its own node: our load is another now."""

    word: LoadReport


@message(
    "telling",
    hears="manager",
    size_bytes=lambda gossip, sizes: sizes.broadcast + sizes.entry * len(gossip.words),
)
class Gossip(Content):
    """Manager -> manager: what has changed lately, by node."""

    words: tuple[tuple[int, LoadReport], ...]


class Stating(Server):
    """Tells the manager of its node whenever the node's load has changed."""

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        #: Last; at first all believe of it that it is idle, but after a crash it may be otherwise.
        self.stated = None if site.incarnation else self.memory.ram

    def start(self, now_ns: int) -> list[Effect]:
        return self.memory_changed(now_ns)

    def memory_changed(self, now_ns: int) -> list[Effect]:
        if self.memory.load == self.stated:
            return []
        self.stated = self.memory.load
        return [Send(self.node, OwnWord(self.own_report(now_ns)))]


class Gossiping(Manager):
    """Tells a servent drawn at random, round by round, each load that changed lately."""

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.targets = Stream.of(self.seed, GOSSIP, 0, self.node)
        self.own = LoadReport(self.memory.ram, 0)  # the newest that its server has stated
        self.left: dict[int, int] = {}  # node whose load is to be told -> how often from now on
        self.in_round = False  # whether a round is to come

    def receive(self, sender: int, content: Content, now_ns: int) -> list[Effect]:
        match content:
            case OwnWord():
                self.own = content.word
                self._tell_on(self.node)
                effects: list[Effect] = []
            case Gossip():
                news = [report for report in content.words if self.is_news(*report)]
                self._tell_on(*(node for node, _ in news))
                super().hear(*news)
                effects = []
            case _:
                effects = super().receive(sender, content, now_ns)
        return effects + self._next_round(now_ns)

    def hear(self, *reports: tuple[int, LoadReport]) -> None:
        """Keep the newest load reports; those that change a belief are to be told on."""
        for node, report in reports:
            if self.is_news(node, report) and report.load != self.believed(node):
                self._tell_on(node)
        super().hear(*reports)

    def timer(self, name: str, now_ns: int) -> list[Effect]:
        """Tell one servent: its own load report first, then the newest of the others."""
        self.in_round = False
        others = self.table.newest_first(node for node in self.left if node != self.node)
        own = [self.node] if self.node in self.left else []
        due = own + others[: self.parameters["words"] - 1]
        for node in due:
            self.left[node] -= 1
            if not self.left[node]:
                del self.left[node]
        drawn = int(next(self.targets) * (self.nodes - 1))
        target = drawn + (drawn >= self.node)  # never itself
        reports = tuple((node, self.own if node == self.node else self.table[node]) for node in due)
        return [Send(target, Gossip(reports)), *self._next_round(now_ns)]

    def validate(self) -> None:
        super().validate()
        for node in self.left:
            known = node in self.table or node == self.node
            self.require(known, f"is to tell of node {node}, of which it knows nothing")
        self.require(self.in_round == bool(self.left), f"{len(self.left)} news, no round")

    def _tell_on(self, *nodes: int) -> None:
        rounds = ceil(log2(self.nodes)) + self.parameters["extra_rounds"]
        self.left |= dict.fromkeys(nodes if self.nodes > 1 else (), rounds)

    def _next_round(self, now_ns: int) -> list[Effect]:
        """The timer of the next round, if there is something to tell; nodes begin in turn."""
        if self.in_round or not self.left:
            return []
        self.in_round = True
        period_ns = self.parameter_ns("round_s")
        first_ns = period_ns * (self.node + 1) // self.nodes
        return [SetTimer(ROUND, period_ns - (now_ns - first_ns) % period_ns)]


def gossip(
    nodes: int, *, round_s: Seconds = 1, words: Count = 16, extra_rounds: Several = 1
) -> nx.DiGraph:
    """Every servent is the manager of its own client; nothing is broadcast.

    A message has at most `words` load reports, in rounds of `round_s`; a changed load is told in
    ⌈log2 nodes⌉ + `extra_rounds` of them.
    """
    graph = nx.DiGraph(name="GOSSIP", asks="own")
    graph.graph |= {"round_s": round_s, "words": words, "extra_rounds": extra_rounds}
    graph.graph["protocol"] = Protocol(server=Stating, manager=Gossiping)
    graph.add_nodes_from(range(nodes), manager=True)
    return graph
