"""Eight traces for CPU-memory load sharing, in place of the lost ones.

The originals (Harchol-Balter and Downey) were taken on one workstation at different times of day
and divided among six. The paper says that their inter-arrival times and Pareto lifetimes differ.
Here jobs come in bursts: a burst begins at a uniform time in the trace's span, and has a geometric
number of jobs and exponential gaps; a share of its jobs comes to one home node, the others to any.
Lifetimes are bounded Pareto. CPUs are half used, and without page faults `NO_LS` has a slowdown of
3 to 5, about that of the paper's best policies; anything above that is due to memory. Memory gets
scarce when a job comes whose working set alone is near the RAM or beyond it, as does about one job
in a few hundred.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np

from agents.sharing.job import SequentialSpec
from model.ground.errors import InputError
from model.ground.streams import stream
from model.ground.units import BYTES_PER_MB, NS_PER_S
from model.sharing.log import read_jobs
from model.sharing.memory.scenario import GeneratedTrace
from model.sharing.pareto import BoundedPareto
from model.sharing.scenario import SharingScenario


@dataclass(frozen=True, slots=True)
class Trace:
    """The distributions from which one trace is drawn."""

    jobs: int
    burst: float  # mean number of jobs in a burst
    gap_s: float  # mean time between the jobs of a burst
    local: float  # share of its jobs that come to the burst's home
    lifetimes: BoundedPareto  # CPU time, s
    span_s: int = 1800  # in which bursts begin


TRACES = (
    Trace(2_500, 30, 0.20, 0.2, BoundedPareto(0.10, 1.00, 60), 600),
    Trace(2_100, 35, 0.22, 0.2, BoundedPareto(0.10, 0.95, 60), 600),
    Trace(2_000, 30, 0.25, 0.3, BoundedPareto(0.12, 1.00, 60), 600),
    Trace(2_900, 25, 0.16, 0.2, BoundedPareto(0.10, 1.05, 60), 600),
    Trace(1_900, 25, 0.28, 0.3, BoundedPareto(0.12, 0.95, 60), 600),
    Trace(3_100, 40, 0.15, 0.2, BoundedPareto(0.10, 1.10, 90), 600),
    Trace(2_700, 30, 0.20, 0.2, BoundedPareto(0.12, 1.10, 60), 600),
    Trace(2_400, 35, 0.22, 0.3, BoundedPareto(0.10, 1.00, 80), 600),
)


def jobs_of(scenario: GeneratedTrace, traces: Sequence[Trace] = TRACES) -> list[SequentialSpec]:
    if scenario.trace.isdecimal():
        return generate(int(scenario.trace), scenario, requests_mb(scenario), traces)
    return read_jobs(scenario, requests_mb(scenario))


def generate(
    number: int,
    scenario: SharingScenario,
    memory_mb: BoundedPareto,
    traces: Sequence[Trace],
) -> list[SequentialSpec]:
    """The jobs of a trace in the order of arrival, the first at 0; raises InputError."""
    if number >= len(traces):
        raise InputError(f"--trace {number}: give 0 to {len(traces) - 1}, or an SWF file")
    trace, seed = traces[number], scenario.seed
    submit_s, homes = arrivals(trace, scenario.nodes, seed, number)
    demands_s = trace.lifetimes.draw(stream(seed, "lifetimes", number), trace.jobs)
    sizes_mb = memory_mb.draw(stream(seed, "memory", number), trace.jobs)
    return [
        SequentialSpec(
            job,
            round(at_s * NS_PER_S),
            int(home),
            round(demand_s * NS_PER_S),
            round(size_mb * BYTES_PER_MB),
        )
        for job, at_s, home, demand_s, size_mb in zip(
            count(1), submit_s, homes, demands_s, sizes_mb, strict=False
        )
    ]


def requests_mb(scenario: GeneratedTrace) -> BoundedPareto:
    """The distribution of requests for memory, in MB."""
    return BoundedPareto.with_mean(
        scenario.mean_mb, scenario.memory_exponent, scenario.memory_cap_mb
    )


def arrivals(trace: Trace, nodes: int, seed: int, number: int) -> tuple[np.ndarray, np.ndarray]:
    """When jobs arrive, in s, increasing from 0, and their home nodes."""
    random = stream(seed, "bursts", number)
    bursts = 2 * int(trace.jobs / trace.burst) + 100  # more than enough
    size = 1 + np.floor(np.log(1 - random.random(bursts)) / np.log(1 - 1 / trace.burst))
    size = size.astype(int)
    used = int(np.searchsorted(np.cumsum(size), trace.jobs)) + 1
    size = size[:used]
    start_s = random.random(used) * trace.span_s
    jobs_used = int(size.sum())
    to_homes = stream(seed, "homes", number)
    home = np.repeat((to_homes.random(used) * nodes).astype(int), size)
    elsewhere = to_homes.random(jobs_used) >= trace.local
    home = np.where(elsewhere, (to_homes.random(jobs_used) * nodes).astype(int), home)
    gaps_s = -trace.gap_s * np.log(1 - random.random(jobs_used))
    ends = np.cumsum(size)
    since_s = np.cumsum(gaps_s)
    before_s = np.repeat(since_s[ends - size], size)  # the first of a burst is at its start
    at_s = (np.repeat(start_s, size) + since_s - before_s)[: trace.jobs]
    order = np.argsort(at_s, kind="stable")
    at_s = at_s[order]
    return at_s - at_s[0], home[: trace.jobs][order]
