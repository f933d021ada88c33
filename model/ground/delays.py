"""How long links and switches serve a message."""

from fractions import Fraction

from model.ground.units import NS_PER_US, exact, round_half_up


def transmission_ns(size_bytes: int, bandwidth_mbps: float) -> int:
    """How long a message of this size occupies a link (thesis, section 3.1.2)."""
    return round_half_up(Fraction(8000 * size_bytes) / exact(bandwidth_mbps))


def frames(size_bytes: int, frame_bytes: int | None) -> int:
    """How many frames a message of this size is; one, if `frame_bytes` is None."""
    return 1 if frame_bytes is None else max(1, -(-size_bytes // frame_bytes))


def switch_delay_ns(switch_us: float, bandwidth_mbps: float, scaling: bool = True) -> int:
    """The processing delay: as given to 100 Mbps, then inversely proportional (thesis, 3.2.1).

    Without `scaling` it is as given at any bandwidth.
    """
    at_most_100 = max(Fraction(100), exact(bandwidth_mbps)) if scaling else Fraction(100)
    return round_half_up(exact(switch_us) * NS_PER_US * 100 / at_most_100)
