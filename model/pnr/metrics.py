"""What a run measured, as tables."""

from collections.abc import Mapping
from statistics import fmean
from typing import Any

import pandas as pd

from agents.pnr.moving import ProcessTransfer
from agents.pnr.process import DISK_FAULT, NETWORK_FAULT, PARTS
from model.core.network import Tally
from model.core.result import RunResult, kinds, sent, station_table
from model.ground.units import NS_PER_MS, megabytes, seconds
from model.pnr.cluster import Cluster
from model.pnr.job import Job

PAGING = "DP"  # the design that all others are compared with
BOUNDED_SLOWDOWN_S = 10  # Feitelson's bound: shorter jobs count as if they took this long

BREAKDOWN = {f"{part}_s": states for part, states in PARTS.items()}


def measure(cluster: Cluster) -> RunResult:
    """The tables of a run that has ended."""
    ended = [job for job in cluster.jobs if job.end_ns is not None]
    columns = (
        *_JOB_COLUMNS,
        *(_OF_MOVES if cluster.design.migrates else ()),
        *(_OF_ATTEMPTS if cluster.nodes_crash else ()),
        *(_OF_ESTIMATES if cluster.scheduler.estimates_memory else ()),
    )
    jobs = pd.DataFrame([_job_row(cluster, job) for job in ended], columns=columns)
    return RunResult(
        summary=_summary(cluster, jobs),
        jobs=jobs,
        stations=station_table(cluster, "design", cluster.name, cluster.clock.now_ns),
        samples=cluster.datacollector.get_model_vars_dataframe(),
        kinds=kinds(cluster),
    )


def optimization_ratio_pct(paging_s: float | None, design_s: float | None) -> float | None:
    """By how many percent a mean response time is shorter than disk paging's (thesis, 3.1.5)."""
    return None if paging_s is None or design_s is None else (paging_s - design_s) / paging_s * 100


def submitted(summary: Mapping[str, Any]) -> int:
    """How many jobs a run had, those included that never ended or were given up.

    In a summary of load sharing, where every job ends or is killed, `faults` are those of pages.
    """
    faults = summary.get("faults")
    lost = faults["jobs_stuck"] + faults["jobs_failed"] if isinstance(faults, Mapping) else 0
    return summary["jobs"] + lost


def _job_row(cluster: Cluster, job: Job) -> dict[str, Any]:
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


#: The measures that are means over jobs.
JOB_MEANS = (
    *("mean_response_s", "mean_wait_s", "mean_slowdown", "mean_bounded_slowdown"),
    "breakdown",
)


def job_means(ended: pd.DataFrame) -> dict[str, Any]:
    """The measures that are means over jobs, over these; None of no job."""
    breakdown = {"waiting_s": _mean(ended["wait_s"])}
    breakdown |= {name: _mean(ended[name]) for name in (*BREAKDOWN, "lost_s") if name in ended}
    return {
        "mean_response_s": _mean(ended["response_s"]),
        "mean_wait_s": _mean(ended["wait_s"]),
        "mean_slowdown": _mean(ended["slowdown"]),
        "mean_bounded_slowdown": _mean(ended["bounded_slowdown"]),
        "breakdown": breakdown,
    }


def _mean(values: pd.Series) -> float | None:
    return float(values.mean()) if len(values) else None


# Where the design moves processes: how long they were on their way while their job ran (a mean,
# like the other parts of the response time), and how many there were.
_OF_MOVES = ("moving_s", "migrations")
_JOB_COLUMNS = (
    *("design", "job", "submit_s", "start_s", "end_s", "response_s", "wait_s", "processes"),
    *("memory_mb", "demand_s", "slowdown", "bounded_slowdown"),
    *(name for name in BREAKDOWN if name not in _OF_MOVES),
)
# Of jobs, where nodes may crash: how often they were begun, and how long those were placed that a
# crash has killed.
_OF_ATTEMPTS = ("attempts", "lost_s")
_OF_ESTIMATES = ("estimated_mb",)  # where the scheduler places jobs by what it believes they need


def _faults(cluster: Cluster) -> dict[str, Any]:
    """What came of faults, for the summary; means are over the jobs that ended.

    `attempts` are those to run all jobs, of which `jobs_restarted` needed several.

    `leaked_mb` is what is lent at the end, when no job needs it any more; time to recover goes from
    a crash to the moment when nothing waits any longer that it had stopped.
    """
    faults, servents = cluster.faults, cluster.servents
    roles = [role for one in servents for role in (*one.former, *one.roles.values())]
    recoveries_s = [seconds(time_ns) for time_ns in faults.recoveries_ns]
    return {
        "messages_lost": sum(faults.lost.values()),
        "messages_lost_by": faults.lost,
        "messages_duplicated": faults.duplicated,
        "messages_delayed": faults.delayed,
        "messages_ignored": sum(role.ignored for role in roles),
        "restarts": faults.restarts,
        "attempts": sum(job.attempt for job in cluster.jobs),
        "jobs_restarted": sum(1 for job in cluster.jobs if job.attempt > 1),
        "jobs_failed": sum(1 for job in cluster.jobs if job.failed),
        "jobs_stuck": cluster.unfinished,
        "leaked_mb": megabytes(sum(node.memory.lent for node in cluster.nodes)),
        "mean_time_to_recover_s": fmean(recoveries_s) if recoveries_s else None,
    }


def _moves(cluster: Cluster) -> dict[str, Any]:
    """How many processes have moved to other nodes, and how much memory with them."""
    moved = cluster.network.tallies.get(ProcessTransfer, Tally())
    return {
        "migrations": sum(job.migrations for job in cluster.jobs),
        "migrated_mb": megabytes(moved.sent_bytes),
    }


def _page_ms(cluster: Cluster, fault: str) -> float | None:
    """For how long a running process waits for a page from the disk or over the network; a mean.

    What it waits while it is switched out is not counted. None without such faults.
    """
    of_disk = fault == DISK_FAULT
    faults = sum(node.faults_disk if of_disk else node.faults_network for node in cluster.nodes)
    waited_ns = sum(one.spent_ns[fault] for job in cluster.jobs for one in job.processes)
    return waited_ns / faults / NS_PER_MS if faults else None


def _summary(cluster: Cluster, jobs: pd.DataFrame) -> dict[str, Any]:
    end_s = seconds(cluster.clock.now_ns)
    answers = [answer for servent in cluster.servents for answer in servent.answers()]
    work_s = sum(seconds(job.demand_ns) * job.size for job in cluster.jobs if job.end_ns)
    means = job_means(jobs)
    return {
        "design": cluster.name,
        "seed": cluster.parameters.seed,
        "jobs": len(jobs),
        "mean_response_s": means["mean_response_s"],
        "optimization_ratio_pct": None,
        "sim_end_s": end_s,
        "faults_disk": sum(node.faults_disk for node in cluster.nodes),
        "faults_network": sum(node.faults_network for node in cluster.nodes),
        "disk_page_ms": _page_ms(cluster, DISK_FAULT),
        "network_page_ms": _page_ms(cluster, NETWORK_FAULT),
        **sent(cluster),
        "pcs": cluster.scheduler.switches,
        "allocated_mb_mean": cluster.sampling.mean("allocated_mb_mean"),
        "allocated_mb_sd": cluster.sampling.mean("allocated_mb_sd"),
        "disk_mb_mean": cluster.sampling.mean("disk_mb_mean"),
        "disk_mb_sd": cluster.sampling.mean("disk_mb_sd"),
        **{name: means[name] for name in ("mean_wait_s", "mean_slowdown", "mean_bounded_slowdown")},
        "utilization": work_s / (len(cluster.nodes) * end_s) if end_s else 0.0,
        "throughput_jobs_per_h": len(jobs) * 3600 / end_s if end_s else 0.0,
        "breakdown": means["breakdown"],
        "requests": len(answers),
        "requests_in_need": sum(1 for a in answers if a.need),
        "mean_request_to_grant_s": fmean(seconds(a.waited_ns) for a in answers)
        if answers
        else None,
        "requests_granted_nothing": sum(1 for a in answers if a.need and not a.granted),
        "need_mb": megabytes(sum(a.need for a in answers)),
        "need_unmet_mb": megabytes(sum(a.need - a.granted for a in answers)),
        **(_moves(cluster) if cluster.design.migrates else {}),
        **({"faults": _faults(cluster)} if cluster.faults is not None else {}),
        "events": cluster.clock.executed,
        "wall_s": cluster.wall_s,
    }
