"""Compiled code for what happens on one node between two decisions: CPU turns, faults, pages.

The rules are those of `round_robin.py`, `workstation.py` and `disk.py`. Jobs are rows of an array;
`circle` and `queue` are rings of row numbers.
"""

from typing import NamedTuple

import numpy as np

from model.core.jit import compiled, inner

NEVER = 2**62
STOPS, PAGE, GOES_ON = range(3)  # how a stretch ends; see `go_on`

_JOB = ("cpu_left", "fault_left", "event_left", "every", "faults", "ready", "paging", "since")
_FLAGS = ("waits", "leaves", "gone")
#: A job: the CPU time until it ends, faults and changes, and between faults (0: it has none); then,
#: for this stretch, its faults, its time ready and paging, and when it entered its state (ns).
#: `waits`: for the disk; `leaves`: after its page; `gone`: it was killed and needs no page.
JOB = np.dtype([*((name, np.int64) for name in _JOB), *((name, "?") for name in _FLAGS)])


class Node(NamedTuple):
    """A node, as a row of an array of `NODE` has it; times in ns, jobs by row."""

    now: int
    switch_left: int  # of a turn
    slice_left: int
    loaded: int  # the job whose context the CPU holds, or -1
    stopping: int  # the job that stops now, or -1
    first: int  # where the CPU's circle begins
    ready: int  # jobs
    oldest: int  # where the disk's queue begins
    waiting: int  # jobs, for the disk
    free: int  # when the disk is
    served: int  # by the disk in this stretch
    waited: int  # by jobs for the disk in this stretch, in sum and at most
    longest: int
    steps: int  # faults and pages


NODE = np.dtype([(name, np.int64) for name in Node._fields])


@inner
def _until_stop(job: np.record) -> int:
    time_ns: int = min(job.cpu_left, job.fault_left, job.event_left)
    return time_ns


@inner
def _compute(job: np.record, time_ns: int) -> None:
    job.cpu_left -= time_ns
    if job.every:
        job.fault_left -= time_ns
    if job.event_left != NEVER:
        job.event_left -= time_ns


@inner
def _dispatch(node: np.record, circle: np.ndarray, slice_ns: int, switch_ns: int) -> None:
    first = circle[node.first]
    node.switch_left = 0 if node.loaded == first else switch_ns
    node.slice_left = slice_ns
    node.loaded = first


@inner
def _pass_turn(node: np.record, circle: np.ndarray, slice_ns: int, switch_ns: int) -> None:
    """Move the first job of the circle, which has used up its slice, to the end."""
    circle[(node.first + node.ready) % len(circle)] = circle[node.first]
    node.first = (node.first + 1) % len(circle)
    _dispatch(node, circle, slice_ns, switch_ns)


@inner
def _leave(node: np.record, circle: np.ndarray, job: int, slice_ns: int, switch_ns: int) -> None:
    """Take a job, the first or the last one, out of the circle."""
    node.ready -= 1
    if circle[node.first] == job:
        node.first = (node.first + 1) % len(circle)
        if node.ready:
            _dispatch(node, circle, slice_ns, switch_ns)
    else:  # its slice ended just now; jobs that have come since are behind it
        place, last = node.first, (node.first + node.ready) % len(circle)
        while circle[place] != job:
            place = (place + 1) % len(circle)
        while place != last:
            following = (place + 1) % len(circle)
            circle[place] = circle[following]
            place = following


@inner
def _fault(node: np.record, jobs: np.ndarray, queue: np.ndarray, i: int, disk_ns: int) -> None:
    job, now = jobs[i], node.now
    job.fault_left = job.every
    job.faults += 1
    job.ready += now - job.since
    job.since = now
    job.waits = True
    start = max(now, node.free)
    node.waited += start - now
    node.longest = max(node.longest, start - now)
    node.free = start + disk_ns
    node.served += 1
    node.steps += 1
    queue[(node.oldest + node.waiting) % len(queue)] = i
    node.waiting += 1


@inner
def _whole_rounds(
    node: np.record, jobs: np.ndarray, circle: np.ndarray, slice_ns: int, switch_ns: int, limit: int
) -> None:
    """Do all rounds before the limit in which no job stops; they end where they began."""
    count = node.ready
    round_ns = count * (slice_ns + switch_ns) if count > 1 else slice_ns
    rounds = (limit - node.now - 1) // round_ns
    if rounds <= 0 or (count == 1 and node.switch_left):
        return
    for k in range(count):
        job = jobs[circle[(node.first + k) % len(circle)]]
        rounds = min(rounds, (_until_stop(job) - 1) // slice_ns)
    if rounds > 0:
        node.now += rounds * round_ns
        for k in range(count):
            _compute(jobs[circle[(node.first + k) % len(circle)]], rounds * slice_ns)


@inner
def _page_loaded(
    node: np.record, job: np.record, i: int, circle: np.ndarray, slice_ns: int, switch_ns: int
) -> None:
    """Let job i, whose page has come, wait for its next turn behind the others."""
    job.waits = False
    job.paging += node.now - job.since
    job.since = node.now
    job.event_left = max(1, job.event_left)
    circle[(node.first + node.ready) % len(circle)] = i
    node.ready += 1
    if node.ready == 1:
        _dispatch(node, circle, slice_ns, switch_ns)


@compiled
def go_on(
    nodes: np.ndarray,
    jobs: np.ndarray,
    circle: np.ndarray,
    queue: np.ndarray,
    slice_ns: int,
    switch_ns: int,
    disk_ns: int,
    until_ns: int,
) -> int:
    """Go on until `until_ns`, or until the workstation must act; returns which.

    It must act when a job ends or changes (STOPS; the job is `stopping`), or when the page of a job
    that leaves has come (PAGE; the job was just taken off the queue). Otherwise: GOES_ON.
    """
    node = nodes[0]
    while True:
        if node.stopping < 0:
            page_ns = NEVER
            if node.waiting:
                page_ns = node.free - (node.waiting - 1) * disk_ns
            next_ns = turn_ns = stop_ns = NEVER
            if node.ready:
                limit = min(until_ns, page_ns)
                _whole_rounds(node, jobs, circle, slice_ns, switch_ns, limit)
                first = circle[node.first]
                begin_ns = node.now + node.switch_left
                turn_ns = begin_ns + node.slice_left
                stop_ns = begin_ns + _until_stop(jobs[first])
                next_ns = min(turn_ns, stop_ns)
            next_ns = min(next_ns, page_ns)
            ends = next_ns > until_ns
            if ends:
                next_ns = until_ns
            if node.ready:
                passed = next_ns - node.now
                switching = min(passed, node.switch_left)
                node.switch_left -= switching
                node.slice_left -= passed - switching
                _compute(jobs[first], passed - switching)
            node.now = next_ns
            if ends:
                return GOES_ON
            if stop_ns == next_ns:
                node.stopping = first
            if turn_ns == next_ns:
                _pass_turn(node, circle, slice_ns, switch_ns)
            if page_ns == next_ns:
                i = queue[node.oldest]
                node.oldest = (node.oldest + 1) % len(queue)
                node.waiting -= 1
                node.steps += 1
                job = jobs[i]
                if job.leaves:
                    return PAGE
                if not job.gone:
                    _page_loaded(node, job, i, circle, slice_ns, switch_ns)
        if node.stopping >= 0:
            i = node.stopping
            if jobs[i].cpu_left == 0 or jobs[i].fault_left > 0:
                return STOPS
            node.stopping = -1
            _leave(node, circle, i, slice_ns, switch_ns)
            _fault(node, jobs, queue, i, disk_ns)
