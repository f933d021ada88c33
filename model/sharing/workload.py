"""The sequential jobs of a scenario, each with a home node: listed, or from its system."""

from dataclasses import replace

from agents.sharing.job import SequentialSpec
from model.ground.errors import InputError
from model.ground.units import NS_PER_S, exact, round_half_up
from model.sharing.scenario import SharingScenario
from model.sharing.system import system_of

LATEST_S = 10**9  # the latest simulated second that a scenario may name


def load_jobs(scenario: SharingScenario) -> list[SequentialSpec]:
    """The jobs in the order of arrival; raises InputError."""
    inline = scenario.job is not None
    jobs = _inline_jobs(scenario) if inline else system_of(scenario).workload(scenario)
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
    return jobs


def _inline_jobs(scenario: SharingScenario) -> list[SequentialSpec]:
    jobs = []
    for number, job in enumerate(scenario.job or (), start=1):
        if job.home >= scenario.nodes:
            raise InputError(
                f"job {number} has home {job.home}; the cluster's nodes are 0 to "
                f"{scenario.nodes - 1}"
            )
        jobs.append(job.spec(number))
    return sorted(jobs, key=lambda job: job.submit_ns)
