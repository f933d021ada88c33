"""A switch: forwards one message at a time, each after the same processing delay."""

from agents.interfaces import Surroundings
from agents.station import Forwarder
from model.ground.units import NS_PER_US, exact, round_half_up


def switch_delay_ns(switch_us: float, bandwidth_mbps: float, scaling: bool = True) -> int:
    """The processing delay: as given to 100 Mbps, then inversely proportional (thesis, 3.2.1).

    Without `scaling` it is as given at any bandwidth.
    """
    at_most_100 = max(100, exact(bandwidth_mbps)) if scaling else 100
    return round_half_up(exact(switch_us) * NS_PER_US * 100 / at_most_100)


class Switch(Forwarder):
    """One unbounded FIFO queue for all messages that pass (thesis, section 3.1.2)."""

    def __init__(self, model: Surroundings, name: str, switch_ns: int) -> None:
        super().__init__(model, name, latency_ns=0)
        self.switch_ns = switch_ns

    def service_ns(self, size_bytes: int) -> int:
        """The processing delay, whatever the size."""
        return self.switch_ns
