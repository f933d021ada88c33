"""A switch: forwards one message at a time, after the same processing delay for each frame."""

from agents.interfaces import Surroundings
from agents.station import Forwarder
from model.ground.delays import frames


class Switch(Forwarder):
    """One unbounded FIFO queue for all messages that pass (thesis, section 3.1.2)."""

    def __init__(
        self, model: Surroundings, name: str, switch_ns: int, frame_bytes: int | None = None
    ) -> None:
        super().__init__(model, name, latency_ns=0)
        self.switch_ns = switch_ns
        self.frame_bytes = frame_bytes  # None: each message is one frame

    def service_ns(self, size_bytes: int) -> int:
        return self.switch_ns * frames(size_bytes, self.frame_bytes)
