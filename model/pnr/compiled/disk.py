"""What serves pages on a node, as `agents/disk.py` does it event by event.

While a process runs, it alone asks, so the disk's state (`records.DISK`) is in its record then, and
goes back in time with it (`processes.settle`); between turns it is in the node's record. Another
station than a disk with one queue changes its state there, these functions, and nothing else here.
"""

import numpy as np

from agents.disk import Disk
from agents.pnr.page_costs import LOADED, QUANTILES, WAITING
from model.core.jit import inner, seldom
from model.ground.randomness import following, uniform
from model.pnr.compiled.records import Row, World


@inner
def take_over(asking: Row, keeps: Row) -> None:
    """Let the record of a node or of the process that runs there have the disk's state."""
    asking.disk_free_ns = keeps.disk_free_ns
    asking.disk_served = keeps.disk_served
    asking.disk_wait_ns = keeps.disk_wait_ns
    asking.disk_max_wait_ns = keeps.disk_max_wait_ns


@inner
def enter(seat: Row, now: int, service: int) -> int:
    """Queue up now for a page that takes `service`; returns when it has been read."""
    start = now
    waits = seat.disk_free_ns - now
    if waits > 0:
        start = seat.disk_free_ns
        seat.disk_wait_ns += waits
        if waits > seat.disk_max_wait_ns:
            seat.disk_max_wait_ns = waits
    end = start + service
    seat.disk_free_ns = end
    seat.disk_served += 1
    return end


@seldom
def drawn_ns(seat: Row, node: Row, world: World) -> int:
    """How long the disk takes for a page, if that is drawn, as `PageCosts.drawn_ns`."""
    by = world.runs[0].costs_by
    row = 0
    if by == LOADED:
        row = seat.loaded_class
    elif by == WAITING:
        row = seat.waiting_class
    seat.cost = following(seat.cost)
    costs = world.page_costs[min(row, len(world.page_costs) - 1)]
    service_ns: int = costs[int(uniform(seat.cost) * QUANTILES)]
    node.disk_busy_ns += service_ns
    return service_ns


@inner
def is_idle(seat: Row, now: int) -> bool:
    """Whether a page would not wait now, nor any that the same process asks for after it."""
    return seat.disk_free_ns <= now


@inner
def serve_alone(seat: Row, pages: int, end: int) -> None:
    """Read pages one after another, none of which has waited; the last was read at `end`."""
    seat.disk_served += pages
    seat.disk_free_ns = end


def counted(seats: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """What each node's disk has served until now, wherever that is kept: services, delay, peak.

    The peak, in its last column, begins anew. No process may have run ahead.
    """
    names = ["disk_served", "disk_wait_ns", "disk_max_wait_ns"]
    table = np.stack([nodes[name] for name in names], axis=1)
    runs = nodes["running"] >= 0
    for column, name in enumerate(names):
        table[runs, column] = seats[name][nodes["running"][runs]]
    seats["disk_max_wait_ns"] = nodes["disk_max_wait_ns"] = 0
    return table


def write_back(disk: Disk, record: np.void) -> None:
    """Copy what a disk has done to the agent."""
    disk.served = int(record["disk_served"])
    disk.bytes = disk.served * disk.page_bytes
    busy_ns = int(record["disk_busy_ns"])  # 0 unless services are drawn
    disk.busy_ns = busy_ns or disk.served * int(record["disk_ns"])
    disk.wait_ns = int(record["disk_wait_ns"])
    disk.max_wait_ns = int(record["disk_max_wait_ns"])
