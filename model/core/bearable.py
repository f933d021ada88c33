"""What memory bears, counted before anything is built: a network's links, what managers believe."""

import os
import resource
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from model.ground.errors import InputError

LINK_BYTES = 2_300  # of a link, its ends in the graph, and the stations on both sides of it
BELIEF_BYTES = 16  # of what a manager believes of a node
_GB = 10**9


def free_bytes() -> int:
    """The memory that this process can still have: what is free here, as far as it is allowed."""
    free = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    with suppress(OSError, ValueError, StopIteration):  # elsewhere than on Linux
        lines = Path("/proc/meminfo").read_text().splitlines()
        line = next(line for line in lines if line.startswith("MemAvailable:"))
        free = int(line.split()[1]) * 1024
    with suppress(OSError, ValueError):  # no container, or one without a limit
        group = Path("/sys/fs/cgroup")
        most = int((group / "memory.max").read_text())
        free = min(free, most - int((group / "memory.current").read_text()))
    allowed = resource.getrlimit(resource.RLIMIT_AS)[0]
    return free if allowed == resource.RLIM_INFINITY else min(free, allowed)


def check_bearable(
    name: str, nodes: int, noun: str, count: Callable[[int], int], bytes_each: int
) -> None:
    """Raise InputError if memory does not bear what so many nodes make.

    `count` says how many of the `noun` there are for a number of nodes, and each takes so many
    bytes.
    """
    free, many = free_bytes(), count(nodes)
    if many * bytes_each <= free:
        return
    fewest, most = 0, nodes  # of nodes: that are borne, and that are not
    while most - fewest > 1:
        middle = (fewest + most) // 2
        if count(middle) * bytes_each <= free:
            fewest = middle
        else:
            most = middle
    large = many * bytes_each // _GB
    possible = f"{fewest:,} nodes" if fewest else f"{free // bytes_each:,} {noun}"
    raise InputError(
        f"{name}: {nodes:,} nodes have {many:,} {noun}, which take some {large:,} GB of "
        f"memory; {free / _GB:,.1f} GB are free, which bear up to {possible}"
    )
