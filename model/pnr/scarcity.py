"""Whether memory is short for a workload, found out before anything runs.

A process pages only while its node is over-allocated: the processes there and what the node lends
exceed its RAM (thesis, section 3.1.3; `Memory.over`). Processes count whether they are switched in
or out, and a node hosts at most one for each core and time slot. Nobody lends before some node's
processes alone exceed its RAM. So there are two answers:

- `most_on_a_node`, the largest processes of as many jobs as there are slots, on each core. If a
  node's RAM holds that, no process ever pages, under any design: the scenario asks no question.
- `placed` goes through the jobs as gang scheduling places them (`placing.py`; first come, first
  served), as if none ever waited for memory, network or a context switch and slots took turns
  at once. A job is short of memory if any of its nodes is over-allocated meanwhile. Where processes
  page, jobs stay for longer and share nodes with more others, so that more of them may be short.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from heapq import nlargest
from itertools import chain, repeat
from math import inf
from typing import Any

import numpy as np

from model.ground.units import seconds
from model.pnr.constants import Constants
from model.pnr.job_spec import JobSpec
from model.pnr.scenario import Scenario

_TRIED = 300  # jobs with which a size of RAM is suggested
_BEYOND = 2**52  # bytes: more than any node's RAM
_JOB = np.dtype(
    [
        ("submit_ns", np.int64),
        ("processes", np.int64),
        ("memory", np.int64),  # of each
        ("needed", np.int64),  # in RAM; _BEYOND if it may not hold all of its memory there
        ("left_ns", np.float64),  # of its CPU time
        ("share", np.float64),  # of the time in which it computes
        ("blocked", np.bool_),  # by jobs of another slot
        ("short", np.bool_),  # whether a node of it was over-allocated
    ]
)


@dataclass(frozen=True)
class Room:
    """What a cluster has for jobs: nodes with their RAM in bytes, and time slots."""

    rams: tuple[int, ...]  # of the nodes on which jobs run
    slots: int
    cores: tuple[int, ...] = ()  # of these nodes; none: each has one

    @classmethod
    def of(cls, scenario: Scenario) -> "Room":
        """That of a scenario's cluster; raises InputError."""
        constants = Constants.of(scenario)
        nodes = [seat for seat in constants.seats if seat < scenario.nodes]
        rams, cores = ([of[node] for node in nodes] for of in (constants.rams, constants.cores))
        return cls(tuple(rams), scenario.slots, tuple(cores))

    @property
    def seats(self) -> Any:
        """The place of its node among these, by seat."""
        return np.repeat(np.arange(len(self.rams)), self.cores or 1)


@dataclass(frozen=True)
class Placed:
    """What jobs ask of a cluster's memory."""

    jobs: int
    alone: int  # jobs of which one process is larger than the smallest node's RAM
    short: int  # jobs of which a node was over-allocated, those included
    span_s: float  # from the first submission to the last
    load: float  # CPU time that they need, of what all cores have in that time; inf if it is 0
    wanted: float  # RAM that they hold while they compute, of all RAM in that time, in the mean


def most_on_a_node(jobs: Sequence[JobSpec], slots: int, cores: int = 1) -> int:
    """The most that processes can hold on one node with so many cores, in bytes."""
    of_jobs = (repeat(job.memory, min(job.processes, cores)) for job in jobs)
    return sum(nlargest(slots * cores, chain.from_iterable(of_jobs)))


def suggested_ram_pct(jobs: Sequence[JobSpec], room: Room, ram_pct: float) -> int | None:
    """The largest percentage of RAM below the present one under which a tenth of jobs are short.

    It is one of 1, 2, 3, 4 and the multiples of 5 up to 100, and is found with the first jobs; None
    if even the smallest is enough for all but a tenth.
    """
    sizes = [pct for pct in (1, 2, 3, 4, *range(5, 101, 5)) if pct < ram_pct]
    lacking = _lacking(jobs, room, sizes, ram_pct)
    return sizes[lacking - 1] if lacking else None


def scarcity_begins(jobs: Sequence[JobSpec], room: Room) -> float | None:
    """The largest multiple of the RAM at which a tenth of the first jobs are short, to 1 %.

    None if it is not between a millionth and a million.
    """
    multiples = [2 ** (step / 64) for step in range(-20 * 64, 20 * 64 + 1)]
    lacking = _lacking(jobs, room, multiples, 1)
    return multiples[lacking - 1] if 0 < lacking < len(multiples) else None


def _lacking(jobs: Sequence[JobSpec], room: Room, sizes: Sequence[float], present: float) -> int:
    """How many of these rising sizes of RAM, beside the present one, a tenth of jobs are short of.

    Found with the first jobs.
    """
    some = _table(jobs[:_TRIED])

    def is_enough(size: float) -> bool:
        rams = tuple(max(1, int(ram * size / present)) for ram in room.rams)
        return 10 * _short(some, replace(room, rams=rams)) < len(some)

    return bisect_left(sizes, True, key=is_enough)


def placed(jobs: Sequence[JobSpec], room: Room) -> Placed:
    """Go through jobs as the module says."""
    return _placed(_table(jobs), room)


def scarce_windows(
    jobs: Sequence[JobSpec], room: Room, length: int, most: int
) -> list[tuple[int, Placed]]:
    """The windows of so many consecutive jobs in which most are short, and where they begin.

    There are at most `most`, none of which overlap, from the one with the most short jobs down; of
    equal ones the first. A window begins at every half of its length, on an empty cluster, as when
    it is run alone. One without a short job is left out.
    """
    table = _table(jobs)
    starts = range(0, len(jobs) - length + 1, max(1, length // 2))
    tried = [(start, _placed(table[start : start + length], room)) for start in starts]
    chosen: list[tuple[int, Placed]] = []
    for start, found in sorted(tried, key=lambda window: -window[1].short):
        if found.short and all(abs(start - other) >= length for other, _ in chosen):
            chosen.append((start, found))
    return chosen[:most]


def _table(jobs: Sequence[JobSpec]) -> Any:
    rows = [
        (job.submit_ns, job.processes, job.memory, beyond or job.memory, job.demand_ns, 0, 0, 0)
        for job in jobs
        for beyond in [_BEYOND * (job.memory > job.in_ram)]
    ]
    return np.array(rows, _JOB)


def _placed(jobs: Any, room: Room) -> Placed:
    span_s = seconds(int(np.ptp(jobs["submit_ns"])))
    work_s = jobs["processes"] * seconds(jobs["left_ns"])
    held = sum((work_s * jobs["memory"]).tolist())
    return Placed(
        len(jobs),
        int((jobs["needed"] > min(room.rams)).sum()),
        _short(jobs, room),
        span_s,
        sum(work_s.tolist()) / (len(room.seats) * span_s) if span_s else inf,
        held / (span_s * sum(room.rams)) if span_s else inf,
    )


def _short(jobs: Any, room: Room) -> int:
    """How many of the jobs have a node that is over-allocated at some time."""
    from model.pnr.placing import mark_short  # loads Numba

    ordered = jobs[np.argsort(jobs["submit_ns"], kind="stable")]
    mark_short(ordered, np.array(room.rams), room.seats, room.slots)
    return int(ordered["short"].sum())
