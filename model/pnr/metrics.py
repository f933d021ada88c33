"""What a run measured, as tables."""

from statistics import fmean

import pandas as pd

from model.core.measures import measured, without_numbers
from model.core.result import RunResult, kinds, station_table
from model.ground.units import megabytes, seconds
from model.pnr.cluster import Cluster
from model.pnr.job import BREAKDOWN, COLUMNS, OF_ATTEMPTS, OF_ESTIMATES, OF_MOVES, Job
from model.pnr.measures import MEASURES, Run
from model.pnr.page_costs import page_table

BOUNDED_SLOWDOWN_S = 10  # Feitelson's bound: shorter jobs count as if they took this long


def measure(cluster: Cluster) -> RunResult:
    """The tables of a run that has ended; empty ones of a run that was given up."""
    ended = [job for job in cluster.jobs if job.end_ns is not None and not cluster.beyond]
    columns = (
        *COLUMNS,
        *(OF_MOVES if cluster.design.migrates else ()),
        *(OF_ATTEMPTS if cluster.nodes_crash else ()),
        *(OF_ESTIMATES if cluster.scheduler.estimates_memory else ()),
    )
    jobs = pd.DataFrame([_job_row(cluster, job) for job in ended], columns=columns)
    for name, counts in _counted_of_jobs(cluster).items():
        jobs[name] = [counts.get(number, 0) for number in jobs["job"]]
    values = measured(MEASURES, Run(cluster, jobs), jobs)
    stations = station_table(cluster, "design", cluster.name, cluster.clock.now_ns)
    samples = pd.DataFrame(cluster.sampling.samples)
    if cluster.beyond:
        values, stations, samples = _beyond(cluster, values), stations[:0], samples[:0]
    return RunResult(
        summary={"design": cluster.name, "seed": cluster.parameters.seed, **values},
        jobs=jobs,
        stations=stations,
        samples=samples,
        pages=page_table(cluster.page_costs, cluster.name),
        kinds=kinds(cluster),
    )


def _beyond(cluster: Cluster, values: dict[str, object]) -> dict[str, object]:
    """The measures of a run that was given up: how long it took until then, and no others."""
    of_run = {name: values[name] for name in ("jobs", "sim_end_s", "events", "wall_s")}
    limit_s = cluster.parameters.give_up_response_s
    return {
        **without_numbers(values),
        **of_run,
        "beyond": {"response_s": limit_s, "jobs": len(cluster.jobs)},
    }


def _counted_of_jobs(cluster: Cluster) -> dict[str, dict[int, int]]:
    """What the protocol has counted of jobs: by name, then job."""
    counted: dict[str, dict[int, int]] = {}
    for servent in cluster.servents:
        for (name, job), count in servent.host.metrics.job_counts.items():
            of_jobs = counted.setdefault(name, {})
            of_jobs[job] = of_jobs.get(job, 0) + count
    return dict(sorted(counted.items()))


def _job_row(cluster: Cluster, job: Job) -> dict[str, object]:
    assert job.start_ns is not None
    assert job.end_ns is not None
    response_s, demand_s = seconds(job.end_ns - job.submit_ns), seconds(job.demand_ns)
    estimate = cluster.scheduler.estimate_of(job)
    return {
        "design": cluster.name,
        "job": job.number,
        "submit_s": seconds(job.submit_ns),
        "start_s": seconds(job.start_ns),
        "end_s": seconds(job.end_ns),
        "response_s": response_s,
        "wait_s": seconds(job.start_ns - job.submit_ns - job.lost_ns),
        "processes": job.size,
        "memory_mb": megabytes(job.memory),
        "demand_s": demand_s,
        "slowdown": response_s / demand_s,
        "bounded_slowdown": max(1.0, response_s / max(demand_s, BOUNDED_SLOWDOWN_S)),
        **{
            name: fmean(
                seconds(sum(process.spent_ns[state] for state in states))
                for process in job.processes
            )
            for name, states in BREAKDOWN.items()
        },
        "migrations": job.migrations,
        "attempts": job.attempt,
        "lost_s": seconds(job.lost_ns),
        "estimated_mb": None if estimate is None else megabytes(estimate),
    }
