"""Processes that a test has started, and those that these have."""

import os
import time
from pathlib import Path


def descendants(pid: int) -> list[int]:
    """The processes that a process has started, and those that they did, but for dead ones."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent, *_ = stat.read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        if state != "Z":
            parents[int(stat.parent.name)] = int(parent)
    found = [pid]
    for known in found:
        found += [child for child, parent in parents.items() if parent == known]
    return found[1:]


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def all_end(pids: list[int]) -> bool:
    """Whether all of them end soon."""
    deadline_s = time.monotonic() + 120
    while any(is_there(pid) for pid in pids):
        if time.monotonic() > deadline_s:
            return False
        time.sleep(0.05)
    return True
