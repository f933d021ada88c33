"""A switch: forwards one message at a time, each after the same processing delay."""

from agents.interfaces import Surroundings
from agents.station import Forwarder


class Switch(Forwarder):
    """One unbounded FIFO queue for all messages that pass (thesis, section 3.1.2)."""

    def __init__(self, model: Surroundings, name: str, switch_ns: int) -> None:
        super().__init__(model, name, latency_ns=0)
        self.switch_ns = switch_ns

    def service_ns(self, size_bytes: int) -> int:
        """The processing delay, whatever the size."""
        return self.switch_ns
