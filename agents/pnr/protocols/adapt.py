"""ADAPT: one design that switches between the thesis's, by what each node sees of the cluster.

Source: the thesis, section 5.3: an algorithm that uses "the designs proposed in this thesis, but
switch[es] among which design is being used based on the current state of the cluster". A client
that is refused much asks a manager that knows more; a manager to which the network seems slow tells
fewer others. Round trips are smoothed as in TCP: Jacobson, Congestion Avoidance and Control
(SIGCOMM 1988). What is measured, and the limits, are ours.
"""

from collections.abc import Sequence
from math import isqrt

import networkx as nx

from agents.messages import Content
from agents.pnr.manager import Run
from agents.pnr.messages import (
    Placed,
    RamRequest,
    ReleaseNotice,
    Request,
    ServerReply,
    ServerRequest,
)
from agents.pnr.parameters import Count, Share, Times
from agents.pnr.protocol import Client, Effect, Manager, Note, Protocol, Send, Site


class Switching(Client):
    """Asks its own node's manager as long as that finds memory, or else one of the backbone."""

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.backbone_requests: int | None = None  # since it asks the backbone; None: it does not
        self.managers: dict[tuple[int, ...], int] = {}  # job, rank, attempt -> the manager it asked
        self.answers: list[tuple[int, int]] = []  # the last: how much was needed, and granted

    def process_placed(self, process: Placed, now_ns: int) -> list[Effect]:
        if self.memory.missing:
            manager = self._manager()
            process = process._replace(manager=manager)
            self.managers[*process.key, process.attempt] = manager
        return super().process_placed(process, now_ns)

    def process_ended(self, process: Placed, now_ns: int) -> list[Effect]:
        """Give back by way of the manager that was asked for the process, or else its own."""
        manager = self.managers.pop((*process.key, process.attempt), process.manager)
        return super().process_ended(process._replace(manager=manager), now_ns)

    def process_left(self, process: Placed, now_ns: int) -> list[Effect]:
        manager = self.managers.pop((*process.key, process.attempt), process.manager)
        return super().process_left(process._replace(manager=manager), now_ns)

    def answered(self, request: Request, granted: int, now_ns: int) -> list[Effect]:
        asking = self.asking[request]
        effects = super().answered(request, granted, now_ns)
        if not asking.counts:
            return effects
        window = self.parameters["window"]
        recent = self.answers = [*self.answers, (asking.need, granted)][-window:]
        refused = 1 - sum(found for _, found in recent) / sum(need for need, _ in recent)
        if self.backbone_requests is None and refused > self.parameters["refused_above"]:
            self.backbone_requests = 0
            return [*effects, Note("asks", self._of_backbone())]
        if self.backbone_requests is not None and refused < self.parameters["refused_below"]:
            self.backbone_requests = None
            return [*effects, Note("asks", self.node)]
        return effects

    def _manager(self) -> int:
        """Whom to ask now; of requests to the backbone, one in `own_every` goes to its own."""
        if self.backbone_requests is None:
            return self.node
        self.backbone_requests += 1
        own = self.backbone_requests % self.parameters["own_every"] == 0
        return self.node if own else self._of_backbone()

    def _of_backbone(self) -> int:
        backbone: Sequence[int] = self.parameters["backbone_nodes"]
        return backbone[self.node % len(backbone)]


class Measuring(Manager):
    """Serves each client alone, and tells fewer other managers while round trips are long."""

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.at_once = len(self.tells)  # how many others it tells at a time
        self.turn = 0  # the place in `tells` of the next one to be told
        self.sent_ns: dict[Request, int] = {}  # when open requests to servers were sent
        self.least_ns: int | None = None  # the shortest round trip of such a request
        self.mean_ns = 0  # of them all, smoothed

    def receive(self, sender: int, content: Content, now_ns: int) -> list[Effect]:
        if isinstance(content, ServerReply) and content.request in self.sent_ns:
            self._measure(now_ns - self.sent_ns.pop(content.request))
        effects = super().receive(sender, content, now_ns)
        for send in (effect for effect in effects if isinstance(effect, Send)):
            if send.target != self.node and isinstance(send.content, ServerRequest):
                self.sent_ns[send.content.request] = now_ns
        return effects

    def run_of(self, content: RamRequest | ReleaseNotice) -> Run:
        return content.job, content.attempt, content.rank

    def tell(self, job: int, now_ns: int) -> list[Effect]:
        """Tell so many of the others as the network seems to bear, in turn."""
        notes = self._adapt()
        sends = super().tell(job, now_ns)
        in_turn = sends[self.turn :] + sends[: self.turn]
        self.turn = (self.turn + self.at_once) % max(1, len(sends))
        return notes + in_turn[: self.at_once]

    def validate(self) -> None:
        super().validate()
        some = min(1, len(self.tells)) <= self.at_once <= len(self.tells)
        self.require(some, f"tells {self.at_once} of {len(self.tells)} others")

    def _measure(self, round_trip_ns: int) -> None:
        if self.least_ns is None:
            self.least_ns = self.mean_ns = round_trip_ns
        self.least_ns = min(self.least_ns, round_trip_ns)
        self.mean_ns += (round_trip_ns - self.mean_ns) // self.parameters["smoothing"]

    def _adapt(self) -> list[Effect]:
        """Halve or double how many are told, by the mean round trip."""
        before, least_ns = self.at_once, self.least_ns
        if least_ns is not None and self.mean_ns > self.parameters["slow"] * least_ns:
            self.at_once = max(min(1, before), before // 2)
        elif least_ns is not None and self.mean_ns < self.parameters["fast"] * least_ns:
            self.at_once = min(len(self.tells), before * 2)
        return [Note("tells", self.at_once)] if self.at_once != before else []


def adapt(
    nodes: int,
    *,
    backbone: int | None = None,  # managers of which a node asks one; none: ⌈√nodes⌉, as of BB
    window: Count = 8,  # answers by which a client judges
    refused_above: Share = 0.5,  # of what it needed in these: it asks the backbone
    refused_below: Share = 0.25,  # its own manager again
    own_every: Count = 16,  # requests while it asks the backbone, to see what its own manager finds
    smoothing: Count = 8,  # 1 / the weight of a round trip in the mean
    slow: Times = 4,  # times the shortest round trip: it tells half as many
    fast: Times = 2,  # twice as many
) -> nx.DiGraph:
    """Every servent manages, and nodes ask their own or one of the backbone's."""
    managers = isqrt(nodes - 1) + 1 if backbone is None else backbone
    if not 1 <= managers <= nodes:
        raise ValueError(f"a backbone of {managers} does not fit a cluster of {nodes} nodes")
    graph = nx.DiGraph(
        name="ADAPT",
        asks="own",
        tells="all",
        protocol=Protocol(client=Switching, manager=Measuring),
        backbone_nodes=tuple(position * nodes // managers for position in range(managers)),
        window=window,
        refused_above=refused_above,
        refused_below=refused_below,
        own_every=own_every,
        smoothing=smoothing,
        slow=slow,
        fast=fast,
    )
    graph.add_nodes_from(range(nodes), manager=True)
    return graph
