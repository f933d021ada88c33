"""What a load sharing run measured, as tables."""

import json

import pandas as pd

from agents.sharing.job import KILLED, SequentialJob
from model.core.result import RunResult, kinds, sent, station_table
from model.core.users_code import plain
from model.ground.errors import InputError, shown
from model.ground.units import NS_PER_MS, megabytes, seconds
from model.sharing.cluster import SharingCluster

#: The parts of the response time.
BREAKDOWN = ("cpu_s", "queueing_s", "paging_s", "io_s", "migration_s")


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


def _summary(cluster: SharingCluster, jobs: pd.DataFrame) -> dict[str, object]:
    """The summary of a run; slowdowns and response times are those of jobs not killed."""
    done = ended(jobs)
    if done.empty:
        raise InputError(f"{cluster.name} killed every job; give nodes more RAM, or smaller jobs")
    end_s = float(jobs["end_s"].max())
    means = job_means(done)
    return {
        "policy": cluster.name,
        "seed": cluster.parameters.seed,
        "jobs": len(cluster.jobs),
        "killed": len(jobs) - len(done),
        **cluster.constants.stated(),
        **_stated(cluster),
        **means,
        "faults": int(jobs["faults"].sum()),
        **_io(cluster),
        "remote_submissions": int(jobs["remote_submissions"].sum()),
        "migrations": int(jobs["migrations"].sum()),
        **sent(cluster),
        "utilization": float(jobs["cpu_s"].sum()) / (len(cluster.nodes) * end_s),
        "sim_end_s": end_s,
        "events": cluster.clock.executed,
        "wall_s": cluster.wall_s,
    }


def ended(jobs: pd.DataFrame) -> pd.DataFrame:
    """Of a run's jobs, those that were not killed."""
    return jobs[~jobs["killed"]]


def job_means(ended: pd.DataFrame) -> dict[str, object]:
    """The measures that are means over jobs, over these; None of no job."""
    if ended.empty:
        alone = dict.fromkeys(("slowdown_of_sums", "mean_slowdown", "mean_response_s"))
        return {**alone, "breakdown": dict.fromkeys(BREAKDOWN), "shares": dict.fromkeys(BREAKDOWN)}
    response_s = float(ended["response_s"].sum())
    return {
        "slowdown_of_sums": response_s / float((ended["cpu_s"] + ended["unshared_io_s"]).sum()),
        "mean_slowdown": float(ended["slowdown"].mean()),
        "mean_response_s": float(ended["response_s"].mean()),
        "breakdown": {name: float(ended[name].mean()) for name in BREAKDOWN},
        "shares": {name: float(ended[name].sum()) / response_s for name in BREAKDOWN},
    }


def _io(cluster: SharingCluster) -> dict[str, float]:
    """How many I/O requests reached the disk, and the buffer's hit rate; {} without I/O."""
    asked = sum(job.io_per_ms * job.demand_ns / NS_PER_MS for job in cluster.jobs)
    if not asked:
        return {}
    served = sum(job.requests for job in cluster.jobs)
    return {"disk_requests": served, "hit_rate": 1 - served / asked}  # of the expected number


def _stated(cluster: SharingCluster) -> dict[str, object]:
    """What the policy says about its run, in plain values; raises InputError for other values."""
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
