"""A node: a disk and a port to the network, for whatever runs on it and exchanges messages."""

from collections.abc import Callable

import mesa

from agents.disk import Disk
from agents.interfaces import Surroundings
from agents.messages import Content, Message, Reaction
from model.ground.clock import SELF


class Node(mesa.Agent):
    """The node of every system: `disk` serves its pages, and the network brings it messages.

    `takes` maps a message's `hears` to the method that takes it.
    """

    model: Surroundings

    def __init__(self, model: Surroundings, index: int, disk: Disk) -> None:
        super().__init__(model)
        self.index = index
        self.clock = model.clock
        self.journal = model.journal
        self.network = model.network
        self.sizes = model.constants.sizes
        self.disk = disk
        self.messages = 0  # sent, to others and to itself
        self.faults_disk = 0
        self.takes: dict[str, Callable[[Message], None]] = {}

    def send(
        self, target: int, content: Content, header: object = None, reaction: Reaction | None = None
    ) -> None:
        """Send a message: over the network, or to this node itself at once and at no cost."""
        now_ns = self.clock.now_ns
        number = self.next_number()
        message = Message(self.index, target, number, content, content.size_of(self.sizes), now_ns)
        if reaction is not None:
            message.header, message.reaction = header, reaction
        if self.journal is not None:
            self.journal.sent(message)
        if target == self.index:
            self.clock.schedule((now_ns, SELF, target, target, number, self.receive, message))
        else:
            self.network.send(message)

    def next_number(self) -> int:
        """Count a message that is sent now; returns its number."""
        self.messages += 1
        return self.messages

    def receive(self, message: Message) -> None:
        if self.journal is not None:
            self.journal.delivered(message)
        self.takes[message.content.hears](message)
