"""A node: one CPU, some RAM, a disk, a port to the network, and a servent."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import mesa

from agents.disk import Disk
from agents.messages import Message
from agents.pnr.messages import PROTOCOL, BarrierArrive, BarrierRelease, PageReply, PageRequest
from agents.pnr.servent import Servent
from model.ground.clock import SELF
from model.ground.memory import Memory

if TYPE_CHECKING:
    from agents.pnr.process import Process
    from model.pnr.cluster import Cluster


class Node(mesa.Agent):
    """One processing element. Runs at most one process at a time; several may reside on it."""

    memory_type = Memory

    def __init__(self, model: "Cluster", index: int) -> None:
        super().__init__(model)
        self.index = index
        self.clock = model.clock
        self.journal = model.journal
        self.network = model.network
        on_loan = partial(model.journal.loan, index) if model.journal is not None else None
        self.memory = self.memory_type(model.constants.ram, on_loan)
        self.disk = Disk(model, index)
        self.residents: dict[int, Process] = {}  # by job number
        self.last_ran: Process | None = None
        self.stretches = 0  # of computing, begun by processes here
        self.messages = 0  # sent, to others and to itself
        self.faults_disk = 0
        self.faults_network = 0
        self.sizes = model.constants.sizes
        self.routes: list[tuple[Callable[[Message], None], ...] | None] = []

    def connect(self, servent: Servent) -> None:
        """Put the servent on this node, and say who takes which message."""
        self.servent = servent
        self.takes: dict[type, Callable[[Message], None]] = {
            PageRequest: self._serve_page,
            PageReply: self._page_arrives,
            BarrierArrive: self._worker_arrives,
            BarrierRelease: self._master_releases,
            **dict.fromkeys(PROTOCOL, servent.receive),
        }

    def send(self, target: int, content: Any) -> None:
        """Send a message: over the network, or to itself, free and at once."""
        now_ns = self.clock.now_ns
        number = self.next_number()
        message = Message(self.index, target, number, content, self.sizes.of(content), now_ns)
        if self.journal is not None:
            self.journal.sent(message)
        if target == self.index:
            self.clock.schedule((now_ns, SELF, target, target, number, self.receive, message))
        else:
            self.network.send(message)

    def next_number(self) -> int:
        """The number of the message that it sends now."""
        self.messages += 1
        return self.messages

    def receive(self, message: Message) -> None:
        """A message reaches this node: whoever it is for takes it."""
        if self.journal is not None:
            self.journal.delivered(message)
        self.takes[type(message.content)](message)

    def overallocation_changed(self) -> None:
        """The node's memory changed: its processes' limits L did."""
        for process in self.residents.values():
            process.overallocation_changed()

    def _serve_page(self, message: Message) -> None:
        request = message.content
        self.send(message.source, PageReply(request.job, request.rank))

    def _page_arrives(self, message: Message) -> None:
        self.residents[message.content.job].page_loaded()

    def _worker_arrives(self, message: Message) -> None:
        self.residents[message.content.job].worker_arrives()

    def _master_releases(self, message: Message) -> None:
        self.residents[message.content.job].pass_barrier()
