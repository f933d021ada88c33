"""The jobs of CPU-memory load sharing, each with a rate of I/O requests (section 5.1)."""

from dataclasses import replace

from agents.sharing.job import SequentialSpec
from model.ground.errors import InputError
from model.ground.streams import stream
from model.ground.units import NS_PER_S, exact, round_half_up
from model.sharing.memory import workload
from model.sharing.wal_fc.scenario import WalFcScenario
from model.sharing.wal_fc.traces import TRACES


def jobs_of(scenario: WalFcScenario) -> list[SequentialSpec]:
    """The trace's jobs with uniform rates of I/O around the mean; raises InputError.

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
    return [replace(job, io_per_ms=rate) for job, rate in zip(jobs, rates.tolist(), strict=True)]
