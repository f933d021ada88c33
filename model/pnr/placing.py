"""Which jobs have short memory if paging takes no time; compiled, as logs are large.

Jobs are placed by the rules of `ousterhout.py`, first come, first served, and time slots take turns
at once, so that each job computes in its share of the time. A job is known by its place in the
order of submission.
"""

from typing import Any

import numpy as np

from model.core.jit import compiled, inner

NOBODY = -1


def mark_short(jobs: Any, rams: Any, nodes: Any, slots: int) -> None:
    """Mark the short ones of jobs in the order of submission; `nodes` has the node of each seat."""
    shape = slots, len(nodes)
    of_slots = np.full(shape, NOBODY), np.zeros(shape, np.int64), np.zeros(slots, np.int64)
    scratch = np.zeros(len(nodes), np.bool_), np.zeros(slots * len(nodes), np.int64)
    _go_through(jobs, rams.copy(), nodes, *of_slots, *scratch)


# The arrays: `grid` has the job in each slot and seat; `members` the jobs of each slot in the order
# of placement, and `counts` how many there are; `rams` what is left of each node's RAM.


@compiled
def _go_through(
    jobs: Any, rams: Any, nodes: Any, grid: Any, members: Any, counts: Any, taken: Any, running: Any
) -> None:
    now_ns, coming, waiting, placed = 0.0, 0, 0, 0
    while coming < len(jobs) or placed:
        first, end_ns = NOBODY, np.inf
        for place in range(placed):
            job = running[place]
            at_ns = now_ns + jobs[job].left_ns / jobs[job].share
            if at_ns < end_ns:
                first, end_ns = job, at_ns
        ends = coming == len(jobs) or end_ns <= jobs[coming].submit_ns
        then_ns = end_ns if ends else jobs[coming].submit_ns
        for place in range(placed):
            job = running[place]
            jobs[job].left_ns -= (then_ns - now_ns) * jobs[job].share
        now_ns = then_ns
        if ends:
            _remove(first, jobs, rams, nodes, grid, members, counts)
            _unify(grid, members, counts)
        else:
            coming += 1
        changed = ends
        while waiting < coming:
            slot = _best_fit(jobs[waiting].processes, grid)
            if slot == NOBODY:
                break
            _place(waiting, slot, jobs, rams, nodes, grid, members, counts)
            waiting += 1
            changed = True
        if changed:
            placed = _share_time(jobs, grid, members, counts, taken, running)


@inner
def _best_fit(size: int, grid: Any) -> int:
    slots, seats = grid.shape
    best, fewest = NOBODY, seats + 1
    for slot in range(slots):
        free = 0
        for seat in range(seats):
            free += grid[slot, seat] == NOBODY
        if size <= free < fewest:
            best, fewest = slot, free
    return best


@inner
def _place(
    job: int, slot: int, jobs: Any, rams: Any, nodes: Any, grid: Any, members: Any, counts: Any
) -> None:
    """Place a job on the lowest seats, and mark all jobs on nodes that hold more than their RAM."""
    slots, seats = grid.shape
    seat = 0
    for _ in range(jobs[job].processes):
        while grid[slot, seat] != NOBODY:
            seat += 1
        grid[slot, seat] = job
        rams[nodes[seat]] -= jobs[job].needed
    members[slot, counts[slot]] = job
    counts[slot] += 1
    for seat in range(seats):
        if rams[nodes[seat]] < 0:
            for any_slot in range(slots):
                if grid[any_slot, seat] != NOBODY:
                    jobs[grid[any_slot, seat]].short = True


@inner
def _remove(
    job: int, jobs: Any, rams: Any, nodes: Any, grid: Any, members: Any, counts: Any
) -> None:
    slots, seats = grid.shape
    for slot in range(slots):
        for seat in range(seats):
            if grid[slot, seat] == job:
                grid[slot, seat] = NOBODY
                rams[nodes[seat]] += jobs[job].needed
        kept = 0
        for place in range(counts[slot]):
            members[slot, kept] = members[slot, place]
            kept += members[slot, place] != job
        counts[slot] = kept


@inner
def _unify(grid: Any, members: Any, counts: Any) -> None:
    slots, seats = grid.shape
    for low in range(slots):
        for high in range(low + 1, slots):
            apart = not counts[low] or not counts[high]
            for seat in range(seats):
                apart |= grid[low, seat] != NOBODY and grid[high, seat] != NOBODY
            if apart:
                continue
            for seat in range(seats):
                grid[low, seat] = max(grid[low, seat], grid[high, seat])
                grid[high, seat] = NOBODY
            for place in range(counts[high]):
                members[low, counts[low] + place] = members[high, place]
            counts[low] += counts[high]
            counts[high] = 0


@inner
def _share_time(jobs: Any, grid: Any, members: Any, counts: Any, taken: Any, running: Any) -> int:
    """Find in which share of the time each job computes; returns how many jobs are running."""
    slots, seats = grid.shape
    filled, placed = 0, 0
    for slot in range(slots):
        filled += counts[slot] > 0
        for place in range(counts[slot]):
            jobs[members[slot, place]].share = 0
    for slot in range(slots):
        taken[:] = counts[slot] == 0  # an empty slot has no turn
        for turn in range(slots):
            other = slot if turn == 0 else turn - (turn <= slot)  # the slot's own jobs come first
            for seat in range(seats):
                if taken[seat] and grid[other, seat] != NOBODY:
                    jobs[grid[other, seat]].blocked = True
            for seat in range(seats):
                job = grid[other, seat]
                taken[seat] |= job != NOBODY and not jobs[job].blocked
            for place in range(counts[other]):
                job = members[other, place]
                if not jobs[job].blocked:
                    if not jobs[job].share:
                        running[placed] = job
                        placed += 1
                    jobs[job].share += 1 / filled
                jobs[job].blocked = False
    return placed
