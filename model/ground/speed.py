"""Nodes of different speeds: CPU time is that of the cluster's CPU, and nodes take as long as it
takes them.

Speeds are whole numbers in the proportions of the nodes' clocks; `reference` is that of the
cluster's. On a node of the reference speed, CPU time and the time that it takes are the same.
"""


def time_taken_ns(cpu_ns: int, speed: int, reference: int) -> int:
    """How long a node of this speed takes for so much CPU time, rounded up."""
    return cpu_ns if speed == reference else -(-cpu_ns * reference // speed)


def computed_ns(time_ns: int, speed: int, reference: int) -> int:
    """The CPU time that a node of this speed has computed after a time, rounded down."""
    return time_ns if speed == reference else time_ns * speed // reference
