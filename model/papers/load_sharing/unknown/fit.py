"""Fits the mix of programs, which the paper does not state, to how many jobs its no-LS completes.

`python -m model.papers.load_sharing.unknown.fit` finds, in seconds, the shares in `scenario.py`
(`FITTED`) with seeds 1 to 24; it prints them with the counts for these seeds and for others. For
speed, no-LS is approximated as a fluid: between two arrivals or ends, the jobs of a node share what
its CPU gets done at the node's paging rate, with 10 ms of disk time per fault, and keep their mean
working sets.
Three counts do not identify seven shares; a penalty prefers mixes closer to equal shares
(Kullback-Leibler). `runs.toml` has another mix that fits as well.
"""

from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np
from numba.extending import register_jitable

from agents.sharing.job import SequentialSpec
from model.core.jit import compiled
from model.ground.units import BYTES_PER_MB
from model.sharing.unknown.paging import paging_rate
from model.sharing.unknown.programs import PROGRAMS
from model.sharing.unknown.workload import TRACES, places, submissions_s

#: Jobs that no-LS completes (section 6.1), by trace.
COMPLETED = {1: 363, 2: 390, 3: 341}
NODES = 32
RAM, RAM_AND_SWAP = 128 * BYTES_PER_MB, 256 * BYTES_PER_MB
FAULT_S, SWITCHING = 0.01, 0.01  # a fault at the disk; context switches per CPU time


def completed(jobs: Iterable[SequentialSpec]) -> int:
    """How many of these jobs no-LS completes."""
    rows = []
    for job in jobs:
        sizes = [job.memory, *(event.memory for event in job.events)]
        mean = sum(sizes) / len(sizes)
        rows.append((job.home, job.submit_ns / 1e9, job.demand_ns / 1e9, sizes[0], mean, job.ios))
    rows.sort(key=lambda row: row[0])  # stable: arrivals at a home stay in their order
    return _count_of(np.array(rows, float).T)


def _count_of(columns: np.ndarray) -> int:
    jobs = columns.shape[1]
    room = np.empty(jobs), np.empty(jobs, np.int64)
    return _completed(*[*np.ascontiguousarray(columns), *room])


@compiled
def _completed(
    homes: np.ndarray,
    submit_s: np.ndarray,
    demand_s: np.ndarray,
    first: np.ndarray,
    mean: np.ndarray,
    ios: np.ndarray,
    left_s: np.ndarray,
    who: np.ndarray,
) -> int:
    """`completed` for columns, ordered by home and arrival; first and mean working sets in bytes.

    `left_s` and `who` provide room for the CPU time left and the rows of a node's residents.
    """
    residents, now_s, count = 0, 0.0, 0
    for job in range(len(homes)):
        if job and homes[job] != homes[job - 1]:
            residents, now_s = 0, 0.0
        while residents and now_s < submit_s[job]:
            demand, reads, least = 0.0, 0.0, 0
            for k in range(residents):
                demand += mean[who[k]]
                reads += ios[who[k]]
                if left_s[k] < left_s[least]:
                    least = k
            speed = _speed(demand / RAM - 1, reads, residents)
            ends = left_s[least] / speed <= submit_s[job] - now_s
            step_s = left_s[least] / speed if ends else submit_s[job] - now_s
            for k in range(residents):
                left_s[k] -= speed * step_s
            now_s = now_s + step_s if ends else submit_s[job]
            if ends:
                residents -= 1
                left_s[least], who[least] = left_s[residents], who[residents]
        now_s = submit_s[job]
        demand = first[job]
        for k in range(residents):
            demand += mean[who[k]]
        if demand <= RAM_AND_SWAP:
            left_s[residents], who[residents] = demand_s[job], job
            residents += 1
            count += 1
    return count


@register_jitable
def _speed(oversized: float, ios: float, jobs: int) -> float:
    """CPU time that each job gets per second, as limited by the CPU, the disk or its own waits."""
    faults_s = paging_rate(oversized, ios) * FAULT_S  # at the disk per second of CPU time
    node = min(1 / (1 + SWITCHING), jobs / (1 + faults_s))
    if faults_s > 0:
        node = min(node, 1 / faults_s)
    return node / jobs


def counts(mix: Sequence[float], seeds: Iterable[int]) -> list[float]:
    """How many jobs of each trace no-LS completes; means over the seeds."""
    seeds = list(seeds)
    return [float(np.mean([_count(trace, seed, tuple(mix)) for seed in seeds])) for trace in TRACES]


def _count(number: int, seed: int, mix: tuple[float, ...]) -> int:
    homes, rows = places(number, seed, NODES, mix)
    by_home = np.argsort(homes, kind="stable")
    programs = _programs()[:, rows[by_home]]
    return _count_of(np.vstack([homes[by_home], _times_s(number, seed)[by_home], programs]))


#: When the jobs of a trace arrive, in s: the same for every mix.
_times_s = cache(submissions_s)


@cache
def _programs() -> np.ndarray:
    """Each program's CPU time in s, its first and mean working set in bytes, and its I/Os."""
    rows = []
    for program in PROGRAMS:
        sizes = [program.memory, *(event.memory for event in program.growth)]
        rows.append((program.demand_ns / 1e9, sizes[0], sum(sizes) / len(sizes), program.ios))
    return np.array(rows, float).T.copy()


def fit(seeds: Sequence[int] = range(1, 25), tries: int = 300, steps: int = 700) -> np.ndarray:
    """The shares found by a random walk from the best of random mixes that keeps better fits."""
    random = np.random.default_rng(1)
    shares: np.ndarray = min(
        random.dirichlet(np.ones(7), tries), key=lambda mix: misfit(mix, seeds)
    )
    least, width = misfit(shares, seeds), 0.6
    for _ in range(steps):
        moved = shares * np.exp(random.normal(size=7) * width * (random.random(7) < 0.5))
        moved /= moved.sum()
        now = misfit(moved, seeds)
        if now < least:
            shares, least, width = moved, now, min(1, 1.3 * width)
        else:
            width = max(0.03, 0.95 * width)
    return shares


def misfit(shares: np.ndarray, seeds: Sequence[int]) -> float:
    """How far from what the paper states these shares are: what the fit makes small."""
    stated = zip(counts(shares.tolist(), seeds), TRACES.items(), strict=True)
    errors = [(found - COMPLETED[number]) / trace.jobs for found, (number, trace) in stated]
    unequal = float(np.sum(shares * np.log(7 * shares)))
    return 1000 * sum(error**2 for error in errors) + 0.3 * unequal


if __name__ == "__main__":
    found = [round(share, 3) for share in fit().tolist()]
    print(found, counts(found, range(1, 25)), counts(found, range(201, 241)))
