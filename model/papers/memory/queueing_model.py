"""The paper's argument for memory: two nodes as open queues (Zhang, Qu, Xiao: tables 1 and 2).

The printed numbers follow from none of the three readings, so all of them are given here.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple


class NodeLoad(NamedTuple):
    """One node of table 1: jobs per second, and a job's service demands in s."""

    arrivals: float
    cpu_s: float
    disk_s: float


#: Table 1, for policies that ignore or consider memory; node 1 has less of it.
POLICIES = {
    "CPU": (NodeLoad(1.92, 0.39, 0.10), NodeLoad(1.92, 0.39, 0.01)),
    "CPU & memory": (NodeLoad(1.73, 0.39, 0.10), NodeLoad(2.11, 0.39, 0.01)),
}
PRINTED_S = {"CPU": 2.50, "CPU & memory": 1.43}


def queue_s(arrivals: float, demand_s: float) -> float:
    """Mean response time of an open queue: D / (1 - lambda D), infinite when overloaded."""
    free = 1 - arrivals * demand_s
    return demand_s / free if free > 0 else float("inf")


def one_queue_s(node: NodeLoad) -> float:
    """Mean response time if a node's CPU and disk are one queue."""
    return queue_s(node.arrivals, node.cpu_s + node.disk_s)


def separate_queues_s(node: NodeLoad) -> float:
    """Mean response time if a node has a queue for the CPU and then one for the disk."""
    return queue_s(node.arrivals, node.cpu_s) + queue_s(node.arrivals, node.disk_s)


def mean_response_s(nodes: Sequence[NodeLoad], node_s: Callable[[NodeLoad], float]) -> float:
    """The mean response time over the jobs of all nodes."""
    arrivals = sum(node.arrivals for node in nodes)
    return sum(node.arrivals * node_s(node) for node in nodes) / arrivals


def table() -> list[tuple[str, float, float, float, float]]:
    """One row per policy: name; s with one queue, half of that, separate queues, as printed."""
    rows = []
    for name, nodes in POLICIES.items():
        one_s = mean_response_s(nodes, one_queue_s)
        separate_s = mean_response_s(nodes, separate_queues_s)
        rows.append((name, one_s, one_s / 2, separate_s, PRINTED_S[name]))
    return rows
