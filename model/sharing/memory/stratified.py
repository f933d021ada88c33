"""The jobs of CPU-memory load sharing, if drawn so that seeds differ in little but when jobs come.

A trace has some 5 jobs (mean 1 MB) to 20 (4 MB) that overload a node by themselves, and how long
they live decides how much is paged; drawn one by one, they make a slowdown chance. With stratified
draws every seed has the same requests: the medians of as many equally likely ranges as there are
jobs. And each group of jobs next to each other by request has the same lifetimes in every seed: the
means of as many equally likely ranges, so that each group computes as much as is expected. The seed
decides which job has which, when it comes, and where.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from agents.sharing.job import SequentialSpec
from model.ground.streams import stream
from model.ground.units import BYTES_PER_MB, NS_PER_S
from model.sharing.memory import workload
from model.sharing.memory.scenario import MemoryScenario
from model.sharing.pareto import BoundedPareto

_LARGEST = 4  # jobs of the first group; the first two have as many, then each twice as many
_POINTS = 1_000  # of a range, to find its mean


def jobs_of(scenario: MemoryScenario) -> list[SequentialSpec]:
    jobs = workload.jobs_of(scenario)
    if scenario.trace.isdecimal() and scenario.draws == "stratified":
        return _stratified(jobs, scenario)
    return jobs


def _stratified(jobs: list[SequentialSpec], scenario: MemoryScenario) -> list[SequentialSpec]:
    number, seed = int(scenario.trace), scenario.seed
    requests_mb = workload.requests_mb(scenario)
    sizes_mb = requests_mb.draw_stratified(stream(seed, "memory", number), len(jobs))
    demands_s = np.empty(len(jobs))
    by_size, random = np.argsort(-sizes_mb), stream(seed, "lifetimes", number)
    for group in _groups(len(jobs)):
        lifetimes_s = range_means(workload.TRACES[number].lifetimes, len(by_size[group]))
        demands_s[by_size[group]] = random.permutation(lifetimes_s)
    drawn = zip(jobs, sizes_mb.tolist(), demands_s.tolist(), strict=True)
    return [
        replace(job, memory=round(size_mb * BYTES_PER_MB), demand_ns=round(demand_s * NS_PER_S))
        for job, size_mb, demand_s in drawn
    ]


def _groups(count: int) -> Iterator[slice]:
    """The groups of `count` jobs, by size from the largest."""
    first, size = 0, _LARGEST
    while first < count:
        yield slice(first, first + size)
        first += size
        size = first


def range_means(distribution: BoundedPareto, count: int) -> np.ndarray:
    """The means of `count` equally likely ranges, increasing."""
    shares = (np.arange(count * _POINTS) + 0.5) / (count * _POINTS)
    means: np.ndarray = distribution.quantiles(shares).reshape(count, _POINTS).mean(axis=1)
    return means
