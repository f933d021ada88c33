"""Workloads: sequential jobs, each with a home node, and the rate at which they fault.

`memory.py` generates the traces of CPU-memory load sharing, `log.py` reads an SWF log.
"""

from dataclasses import dataclass, replace

from model.scenario import InputError
from model.sharing.job import SequentialSpec
from model.sharing.scenario import SharingScenario
from model.sharing.workloads import log, memory
from model.units import BYTES_PER_MB, NS_PER_S, exact, round_half_up

LATEST_S = 10**9  # of a simulated second that anything is asked for


@dataclass(frozen=True, slots=True)
class Workload:
    """Jobs in the order of arrival, and page faults per million instructions."""

    jobs: list[SequentialSpec]
    faults_per_mi: float


def load_sharing_workload(scenario: SharingScenario) -> Workload:
    """The scenario's workload; raises InputError."""
    rate = 1.0
    if scenario.job is not None:
        jobs = _inline_jobs(scenario)
    elif scenario.trace.isdecimal():
        number = int(scenario.trace)
        jobs = memory.generate(number, scenario)
        rate = memory.calibrated_rate(number, scenario.mean_mb)
    else:
        jobs = log.read_jobs(scenario)
    if scenario.jobs is not None:
        if len(jobs) < scenario.jobs:
            raise InputError(f"--jobs {scenario.jobs}: the workload has only {len(jobs)} jobs")
        jobs = jobs[: scenario.jobs]
    load_factor = exact(scenario.load_factor)
    jobs = [replace(job, submit_ns=round_half_up(job.submit_ns / load_factor)) for job in jobs]
    for job in jobs:
        if job.submit_ns > LATEST_S * NS_PER_S or job.demand_ns > LATEST_S * NS_PER_S:
            raise InputError(
                f"job {job.number} is submitted after or needs CPU time of more than the "
                f"{LATEST_S} s that an emulation takes"
            )
    return Workload(jobs, rate if scenario.fault_rate is None else scenario.fault_rate)


def _inline_jobs(scenario: SharingScenario) -> list[SequentialSpec]:
    jobs = []
    for number, job in enumerate(scenario.job or (), start=1):
        if job.home >= scenario.nodes:
            raise InputError(
                f"job {number} has home {job.home}; the cluster's nodes are 0 to "
                f"{scenario.nodes - 1}"
            )
        jobs.append(
            SequentialSpec(
                number,
                round_half_up(exact(job.submit_s) * NS_PER_S),
                job.home,
                round_half_up(exact(job.demand_s) * NS_PER_S),
                round_half_up(exact(job.memory_mb) * BYTES_PER_MB),
            )
        )
    return sorted(jobs, key=lambda job: job.submit_ns)
