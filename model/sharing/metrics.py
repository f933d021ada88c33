"""What a load sharing run measured, as tables."""

import json

import pandas as pd

from agents.sharing.job import KILLED, SequentialJob
from model.core.measures import measured
from model.core.result import RunResult, kinds, station_table
from model.core.users_code import plain
from model.ground.errors import InputError, shown
from model.ground.units import megabytes, seconds
from model.sharing.cluster import SharingCluster
from model.sharing.measures import MEASURES, Run


def measure(cluster: SharingCluster) -> RunResult:
    """The tables of a run that has ended; raises InputError if every job was killed."""
    jobs = pd.DataFrame([_job_row(cluster, job) for job in cluster.jobs])
    end_ns = max(job.end_ns for job in cluster.jobs if job.end_ns is not None)
    return RunResult(
        summary=_summary(cluster, jobs),
        jobs=jobs,
        stations=station_table(cluster, "policy", cluster.name, end_ns),
        kinds=kinds(cluster),
    )


def _job_row(cluster: SharingCluster, job: SequentialJob) -> dict[str, object]:
    assert job.end_ns is not None
    response_ns = job.end_ns - job.submit_ns
    return {
        "policy": cluster.name,
        "job": job.number,
        "home": job.home,
        "submit_s": seconds(job.submit_ns),
        "end_s": seconds(job.end_ns),
        "response_s": seconds(response_ns),
        "demand_s": seconds(job.demand_ns),
        "memory_mb": megabytes(job.memory),
        "slowdown": None if job.state == KILLED else job.slowdown,
        **{f"{part}_s": seconds(time_ns) for part, time_ns in job.parts_ns().items()},
        "unshared_io_s": seconds(job.unshared_io_ns),
        "faults": job.faults,
        "disk_requests": job.requests,
        "remote_submissions": job.remote_submissions,
        "migrations": job.migrations,
        "killed": job.state == KILLED,
    }


def ended(jobs: pd.DataFrame) -> pd.DataFrame:
    return jobs[~jobs["killed"]]


def _summary(cluster: SharingCluster, jobs: pd.DataFrame) -> dict[str, object]:
    """The summary of a run; slowdowns and response times are those of jobs not killed."""
    done = ended(jobs)
    if done.empty:
        raise InputError(f"{cluster.name} killed every job; give nodes more RAM, or smaller jobs")
    return {
        "policy": cluster.name,
        "seed": cluster.parameters.seed,
        **cluster.constants.stated(),
        **_stated(cluster),
        **measured(MEASURES, Run(cluster, jobs), done),
    }


def _stated(cluster: SharingCluster) -> dict[str, object]:
    """What the policy reports about its run, in plain values; raises InputError for others."""
    stated = cluster.policy.stated()
    try:
        return {
            name: json.loads(json.dumps(value, default=plain)) for name, value in stated.items()
        }
    except (AttributeError, TypeError, ValueError):
        raise InputError(
            f"{cluster.name}: stated gives a dict of texts, numbers and lists of them "
            f"(not {shown(stated)})"
        ) from None
