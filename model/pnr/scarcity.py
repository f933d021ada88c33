"""Whether memory is short for a workload, found out before anything runs.

A process pages only while its node is over-allocated: the processes there and what the node lends
exceed its RAM (thesis, section 3.1.3; `Memory.over`). Processes count whether they are switched in
or out, and a node hosts at most one in each time slot. Nobody lends before some node's processes
alone exceed its RAM. So there are two answers:

- `most_on_a_node`, the largest processes of as many jobs as there are slots. If a node's RAM holds
  that, no process ever pages, under any design: the scenario asks no question.
- `placed` goes through the jobs as gang scheduling places them (`OusterhoutMatrix`; first come,
  first served), as if none ever waited for memory, network or a context switch and slots took turns
  at once. A job is short of memory if any of its nodes is over-allocated meanwhile. Where processes
  page, jobs stay for longer and share nodes with more others, so that more of them may be short.
"""

from bisect import bisect_left
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import nlargest
from math import inf

from model.ground.units import seconds
from model.pnr.constants import Constants
from model.pnr.job_spec import JobSpec
from model.pnr.ousterhout import OusterhoutMatrix
from model.pnr.scenario import Scenario

_TRIED = 300  # jobs with which a size of RAM is suggested


@dataclass(frozen=True)
class Room:
    """What a cluster has for jobs: nodes with their RAM in bytes, and time slots."""

    rams: tuple[int, ...]  # of the nodes on which jobs run
    slots: int

    @classmethod
    def of(cls, scenario: Scenario) -> "Room":
        """That of a scenario's cluster; raises InputError."""
        constants = Constants.of(scenario)
        return cls(tuple(constants.rams[node] for node in constants.seats), scenario.slots)


@dataclass(frozen=True)
class Placed:
    """What jobs ask of a cluster's memory."""

    jobs: int
    alone: int  # jobs of which one process is larger than the smallest node's RAM
    short: int  # jobs of which a node was over-allocated, those included
    span_s: float  # from the first submission to the last
    load: float  # CPU time that they need, of what all nodes have in that time; inf if it is 0
    wanted: float  # RAM that they hold while they compute, of all RAM in that time, in the mean


def most_on_a_node(jobs: Sequence[JobSpec], slots: int) -> int:
    """The most that processes of different jobs can hold on one node, in bytes."""
    return sum(nlargest(slots, (job.memory for job in jobs)))


def suggested_ram_pct(jobs: Sequence[JobSpec], room: Room, ram_pct: float) -> int | None:
    """The largest percentage of RAM below the present one under which a tenth of jobs are short.

    It is one of 1, 2, 3, 4 and the multiples of 5 up to 100, and is found with the first jobs; None
    if even the smallest is enough for all but a tenth.
    """
    some = jobs[:_TRIED]
    sizes = [pct for pct in (1, 2, 3, 4, *range(5, 101, 5)) if pct < ram_pct]

    def is_enough(pct: int) -> bool:
        rams = tuple(int(ram * pct / ram_pct) for ram in room.rams)
        return 10 * len(_short(some, replace(room, rams=rams))) < len(some)

    enough = bisect_left(sizes, True, key=is_enough)
    return sizes[enough - 1] if enough else None


def placed(jobs: Sequence[JobSpec], room: Room) -> Placed:
    """Go through jobs as the module says."""
    short = _short(jobs, room)
    submitted_ns = [job.submit_ns for job in jobs]
    span_s = seconds(max(submitted_ns) - min(submitted_ns))
    work_s = [job.processes * seconds(job.demand_ns) for job in jobs]
    held = sum(time_s * job.memory for time_s, job in zip(work_s, jobs, strict=True))
    smallest = min(room.rams)
    return Placed(
        len(jobs),
        sum(job.memory > min(smallest, job.in_ram) for job in jobs),
        len(short),
        span_s,
        sum(work_s) / (len(room.rams) * span_s) if span_s else inf,
        held / (span_s * sum(room.rams)) if span_s else inf,
    )


def scarce_windows(
    jobs: Sequence[JobSpec], room: Room, length: int, most: int
) -> list[tuple[int, Placed]]:
    """The windows of so many consecutive jobs in which most are short, and where they begin.

    There are at most `most`, none of which overlap, from the one with the most short jobs down; of
    equal ones the first. A window begins at every half of its length, on an empty cluster, as when
    it is run alone. One without a short job is left out.
    """
    starts = range(0, len(jobs) - length + 1, max(1, length // 2))
    tried = [(start, placed(jobs[start : start + length], room)) for start in starts]
    chosen: list[tuple[int, Placed]] = []
    for start, found in sorted(tried, key=lambda window: -window[1].short):
        if found.short and all(abs(start - other) >= length for other, _ in chosen):
            chosen.append((start, found))
    return chosen[:most]


@dataclass(eq=False, slots=True)
class _Running:
    """A job that is placed, and the CPU time that it still needs."""

    job: JobSpec
    left_ns: float


def _short(jobs: Sequence[JobSpec], room: Room) -> set[int]:
    """The numbers of the jobs of which a node was over-allocated."""
    short: set[int] = set()
    for matrix, placed in _placements(jobs, room):
        for node in [node for row in matrix.rows for node, held in row.items() if held is placed]:
            there = [row[node].job for row in matrix.rows if node in row]
            crowded = sum(job.in_ram for job in there) > room.rams[node]
            if crowded or any(job.memory > job.in_ram for job in there):
                short.update(job.number for job in there)
    return short


def _placements(
    jobs: Sequence[JobSpec], room: Room
) -> Iterator[tuple[OusterhoutMatrix[_Running], _Running]]:
    matrix: OusterhoutMatrix[_Running] = OusterhoutMatrix(room.slots, [*range(len(room.rams))])
    coming = deque(sorted(jobs, key=lambda job: job.submit_ns))
    queue = deque[JobSpec]()
    now_ns = 0.0
    while coming or matrix.filled():
        rates = _rates(matrix)
        ends_ns = {running: now_ns + running.left_ns / rate for running, rate in rates.items()}
        first = min(ends_ns, key=ends_ns.__getitem__, default=None)
        end_ns = inf if first is None else ends_ns[first]
        then_ns = min(end_ns, coming[0].submit_ns if coming else inf)
        for running, rate in rates.items():
            running.left_ns -= (then_ns - now_ns) * rate
        now_ns = then_ns
        if first is not None and end_ns <= then_ns:
            matrix.remove(first)
            matrix.unify()
        else:
            queue.append(coming.popleft())
        while queue and (fit := matrix.best_fit(queue[0].processes)):
            running = _Running(queue[0], queue.popleft().demand_ns)
            matrix.place(running, *fit)
            yield matrix, running


def _rates(matrix: OusterhoutMatrix[_Running]) -> dict[_Running, float]:
    """The share of the time in which each job is switched in."""
    filled = matrix.filled()
    turns = [running for slot in filled for running in matrix.runnable(slot)]
    rates = dict.fromkeys(turns, 0.0)
    for running in turns:
        rates[running] += 1 / len(filled)
    return rates
