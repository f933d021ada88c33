"""A link: it is busy with a message for size / bandwidth; then the message takes the latency."""

from agents.interfaces import Surroundings
from agents.station import Forwarder
from model.ground.delays import transmission_ns


class Link(Forwarder):
    """One direction of a link (both if half duplex), or a medium that several links share."""

    def __init__(
        self, model: Surroundings, name: str, latency_ns: int, bandwidth_mbps: float
    ) -> None:
        super().__init__(model, name, latency_ns)
        self.bandwidth_mbps = bandwidth_mbps

    def change_bandwidth(self, bandwidth_mbps: float) -> None:
        self.bandwidth_mbps = bandwidth_mbps
        self.services_ns.clear()

    def service_ns(self, size_bytes: int) -> int:
        return transmission_ns(size_bytes, self.bandwidth_mbps)
