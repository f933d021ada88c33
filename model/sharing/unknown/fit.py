"""Fits the mix of programs, which the paper does not give, to how many jobs its no-LS completes.

`python -m model.sharing.unknown.fit` prints shares. Those in `scenario.py` (`FITTED`) are from a
longer walk with the same misfit, begun at the best of 400 random mixes, on other draws. For speed
no-LS runs as a fluid: between two arrivals or ends the jobs of a node share what the CPU
gets done at the node's paging rate, the disk being busy 10 ms a fault, and keep their mean working
set. Seven shares and three counts leave a choice, which the penalty makes: a mix nearer to equal
shares (Kullback-Leibler) is preferred.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from model.sharing.job import SequentialSpec
from model.sharing.scenarios import make_sharing_scenario
from model.sharing.unknown.paging import paging_rate
from model.sharing.unknown.scenario import UnknownScenario
from model.sharing.unknown.workload import TRACES, generate
from model.units import BYTES_PER_MB

#: Jobs that no-LS completes (section 6.1), by trace.
COMPLETED = {1: 363, 2: 390, 3: 341}
RAM, RAM_AND_SWAP = 128 * BYTES_PER_MB, 256 * BYTES_PER_MB
FAULT_S, SWITCHING = 0.01, 0.01  # a fault at the disk; context switches per CPU time


def completed(jobs: Iterable[SequentialSpec]) -> int:
    """How many of these jobs no-LS completes."""
    by_home: dict[int, list[SequentialSpec]] = {}
    for job in jobs:
        by_home.setdefault(job.home, []).append(job)
    return sum(map(_completed_here, by_home.values()))


def _completed_here(arrivals: list[SequentialSpec]) -> int:
    left_s: list[float] = []  # CPU time of the residents
    sets: list[tuple[float, int]] = []  # their working sets and I/Os
    now_s, count = 0.0, 0
    for job in arrivals:
        until_s = job.submit_ns / 1e9
        while left_s:
            demand = sum(memory for memory, _ in sets)
            speed = _speed(demand / RAM - 1, sum(ios for _, ios in sets), len(sets))
            first = min(range(len(left_s)), key=left_s.__getitem__)
            step_s = min(left_s[first] / speed, until_s - now_s)
            left_s = [left - speed * step_s for left in left_s]
            now_s += step_s
            if now_s >= until_s:
                break
            del left_s[first], sets[first]
        now_s = until_s
        sizes = [job.memory, *(event.memory for event in job.events)]
        if sum(memory for memory, _ in sets) + sizes[0] <= RAM_AND_SWAP:
            left_s.append(job.demand_ns / 1e9)
            sets.append((sum(sizes) / len(sizes), job.ios))
            count += 1
    return count


def _speed(oversized: float, ios: int, jobs: int) -> float:
    """CPU time that each job gets per second: that of the CPU, of the disk, or without overlap."""
    faults_s = paging_rate(oversized, ios) * FAULT_S  # at the disk per second of CPU time
    node = min(1 / (1 + SWITCHING), jobs / (1 + faults_s), 1 / faults_s if faults_s else 1)
    return node / jobs


def counts(mix: Sequence[float], seeds: Iterable[int]) -> list[float]:
    """Jobs that no-LS completes of each trace, the mean over the seeds."""
    seeds = list(seeds)
    return [
        float(np.mean([completed(generate(trace, _scenario(trace, seed, mix))) for seed in seeds]))
        for trace in TRACES
    ]


def _scenario(trace: int, seed: int, mix: Sequence[float]) -> UnknownScenario:
    return make_sharing_scenario(system="unknown", trace=str(trace), seed=seed, mix=tuple(mix))


def fit(seeds: Sequence[int] = range(1, 5), steps: int = 150) -> np.ndarray:
    """The shares: a random walk that keeps what fits better, from equal shares on."""
    random = np.random.default_rng(1)
    shares = np.full(7, 1 / 7)
    least, width = _misfit(shares, seeds), 0.6
    for _ in range(steps):
        moved = shares * np.exp(random.normal(size=7) * width * (random.random(7) < 0.5))
        moved /= moved.sum()
        misfit = _misfit(moved, seeds)
        if misfit < least:
            shares, least, width = moved, misfit, min(1, 1.3 * width)
        else:
            width = max(0.03, 0.95 * width)
    return shares


def _misfit(shares: np.ndarray, seeds: Sequence[int]) -> float:
    stated = zip(counts(shares.tolist(), seeds), TRACES.items(), strict=True)
    errors = [(found - COMPLETED[number]) / trace.jobs for found, (number, trace) in stated]
    unequal = float(np.sum(shares * np.log(7 * shares)))
    return 1000 * sum(error**2 for error in errors) + 0.3 * unequal


if __name__ == "__main__":
    found = [round(share, 3) for share in fit().tolist()]
    print(found, counts(found, range(1, 5)), counts(found, range(101, 121)))
