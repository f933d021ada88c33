"""A station: anything that serves one thing at a time, in the order of arrival."""

import mesa

from agents.interfaces import Surroundings
from agents.messages import Message
from model.ground.clock import DELIVERY


class Station(mesa.Agent):
    """A FIFO server with an unbounded queue; links, switches and disks are stations.

    Service times are known on arrival, so a queue needs no list: service starts when that of
    everything before has ended.
    """

    model: Surroundings

    def __init__(self, model: Surroundings, name: str) -> None:
        super().__init__(model)
        self.name = name
        self.clock = model.clock
        self.journal = model.journal
        self.free_ns = 0  # when all that has arrived will have been served
        self.served = 0
        self.bytes = 0
        self.busy_ns = 0
        self.wait_ns = 0  # summed over all served
        self.max_wait_ns = 0

    def enter(self, service_ns: int, size_bytes: int) -> int:
        """Queue up now for a service of `service_ns`; returns the time at which it ends."""
        start = self.clock.now_ns
        wait = self.free_ns - start
        if wait > 0:
            start = self.free_ns
            self.wait_ns += wait
            if wait > self.max_wait_ns:
                self.max_wait_ns = wait
        self.served += 1
        self.bytes += size_bytes
        self.busy_ns += service_ns
        self.free_ns = end = start + service_ns
        return end


class Forwarder(Station):
    """A station on a message's route: it serves the message, then hands it to the next hop."""

    def __init__(self, model: Surroundings, name: str, latency_ns: int) -> None:
        super().__init__(model, name)
        self.latency_ns = latency_ns
        self.services_ns: dict[int, int] = {}  # by size; there are few sizes

    def service_ns(self, size_bytes: int) -> int:
        """How long a message of this size occupies the station."""
        raise NotImplementedError

    def accept(self, message: Message) -> None:
        """Queue a message that reaches this station, and schedule its arrival at the next hop."""
        size_bytes = message.size_bytes
        try:
            service_ns = self.services_ns[size_bytes]
        except KeyError:
            service_ns = self.services_ns[size_bytes] = self.service_ns(size_bytes)
        end = self.enter(service_ns, size_bytes)
        if self.journal is not None:
            self.journal.hop(message, self.name, end - service_ns, end)
        message.hop = hop = message.hop + 1
        at_ns, hears = end + self.latency_ns, message.route[hop]
        self.clock.schedule(  # in one tuple: this is most of what a run on this plane does
            (at_ns, DELIVERY, message.target, message.source, message.number, hears, message)
        )
