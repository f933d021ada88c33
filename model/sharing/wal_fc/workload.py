"""The jobs of CPU-memory load sharing, each with a rate of I/O requests (section 5.1).

Seeds differ in which jobs come when, but not in how much they load the cluster: their requests for
memory are stratified, and their arrivals stretched to one offered load.
"""

from dataclasses import replace
from fractions import Fraction

from agents.sharing.job import SequentialSpec
from model.ground.errors import InputError
from model.ground.streams import stream
from model.ground.units import BYTES_PER_MB, NS_PER_S, exact, round_half_up
from model.sharing.memory import workload
from model.sharing.memory.workload import Trace
from model.sharing.pareto import BoundedPareto
from model.sharing.wal_fc.scenario import WalFcScenario

#: Their jobs come in heavier bursts than in CPU-memory load sharing.
TRACES = (
    Trace(7_600, 90, 0.10, 0.2, BoundedPareto(0.10, 1.00, 100)),
    Trace(6_400, 100, 0.12, 0.2, BoundedPareto(0.10, 0.95, 100)),
    Trace(6_200, 110, 0.15, 0.1, BoundedPareto(0.12, 1.00, 120)),
    Trace(8_800, 80, 0.08, 0.2, BoundedPareto(0.10, 1.05, 100)),
    Trace(5_600, 90, 0.15, 0.2, BoundedPareto(0.12, 0.95, 80)),
    Trace(9_400, 110, 0.08, 0.1, BoundedPareto(0.10, 1.10, 150)),
    Trace(8_000, 100, 0.10, 0.2, BoundedPareto(0.12, 1.10, 100)),
    Trace(7_200, 120, 0.14, 0.1, BoundedPareto(0.10, 1.00, 120)),
)


def jobs_of(scenario: WalFcScenario) -> list[SequentialSpec]:
    """The trace's first jobs with uniform rates of I/O around the mean; raises InputError.

    Very long jobs are left out: no buffer helps with that much data, and a job of 300 s would keep
    its disk busy for hours.
    """
    longest_ns = round_half_up(exact(scenario.longest_s) * NS_PER_S)
    jobs = [job for job in workload.jobs_of(scenario, TRACES) if job.demand_ns <= longest_ns]
    if not jobs:
        raise InputError(f"--longest-s {scenario.longest_s:g}: all jobs compute for longer")
    trace = int(scenario.trace) if scenario.trace.isdecimal() else 0
    uniform = stream(scenario.seed, "I/O rates", trace).random(len(jobs))
    rates = scenario.io_per_ms * (1 + scenario.io_range_pct / 100 * (2 * uniform - 1))
    jobs = [replace(job, io_per_ms=rate) for job, rate in zip(jobs, rates.tolist(), strict=True)]
    jobs = jobs[: scenario.jobs]
    if scenario.trace.isdecimal() and scenario.memory_draws == "stratified":
        jobs = _with_stratified_memory(jobs, scenario)
    return _stretched(jobs, scenario) if scenario.offered_load else jobs


def _with_stratified_memory(
    jobs: list[SequentialSpec], scenario: WalFcScenario
) -> list[SequentialSpec]:
    """The jobs with requests for memory that stand for as many equally likely ranges."""
    random = stream(scenario.seed, "memory", int(scenario.trace))
    sizes = workload.requests_mb(scenario).draw_stratified(random, len(jobs)) * BYTES_PER_MB
    return [replace(job, memory=round(size)) for job, size in zip(jobs, sizes, strict=True)]


def _stretched(jobs: list[SequentialSpec], scenario: WalFcScenario) -> list[SequentialSpec]:
    """The jobs, with intervals in proportion, so that they offer the scenario's load.

    Jobs that all come at once stay so.
    """
    demand_ns = sum(job.demand_ns for job in jobs)
    span_ns = max(job.submit_ns for job in jobs)
    if not span_ns:
        return jobs
    longer = Fraction(demand_ns, span_ns * scenario.nodes) / exact(scenario.offered_load)
    return [replace(job, submit_ns=round_half_up(job.submit_ns * longer)) for job in jobs]
