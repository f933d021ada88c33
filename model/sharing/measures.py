"""The measures of a load sharing run, one in a line, as in `model/pnr/measures.py`."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import pandas as pd

from model.core.measures import COUNT, SHORT, Measure, Summary, mean_of, where
from model.core.result import sent
from model.ground.units import NS_PER_MS

if TYPE_CHECKING:
    from model.sharing.cluster import SharingCluster

SHARES = "shares"  # the topic of where response time goes
#: The parts of response time, which are columns of the jobs' table.
BREAKDOWN = ("cpu_s", "queueing_s", "paging_s", "io_s", "migration_s")


class Run:
    """A run that has ended, as measures see it."""

    def __init__(self, cluster: "SharingCluster", jobs: pd.DataFrame) -> None:
        self.cluster = cluster
        self.jobs = jobs  # all of them, as in jobs.csv
        self.end_s = float(jobs["end_s"].max())
        #: How many I/O requests jobs are expected to make.
        self.asked = sum(job.io_per_ms * job.demand_ns / NS_PER_MS for job in cluster.jobs)
        self.served = sum(job.requests for job in cluster.jobs)  # by disks

    def total(self, column: str) -> int:
        """The sum of a column of the jobs' table."""
        return int(self.jobs[column].sum())


def _slowdown_of_sums(ended: pd.DataFrame) -> float | None:
    if ended.empty:
        return None
    response_s = float(ended["response_s"].sum())
    return response_s / float((ended["cpu_s"] + ended["unshared_io_s"]).sum())


def _share_of(column: str) -> Callable[[pd.DataFrame], float | None]:
    """The share of a part in the response times of all jobs together."""

    def share(ended: pd.DataFrame) -> float | None:
        if ended.empty:
            return None
        return float(ended[column].sum()) / float(ended["response_s"].sum())

    return share


def _without_killed(summary: Summary) -> str | None:
    """How many jobs were not killed of how many, where a policy has killed others."""
    if "jobs_compared" not in summary:
        return None
    return f"{summary['jobs'] - summary['killed']:,} of {summary['jobs']:,}"


_with_io = partial(where, lambda run: run.asked)

# fmt: off
MEASURES: tuple[Measure, ...] = (
    Measure("jobs", of=lambda run: len(run.jobs)),
    Measure("slowdown_of_sums", "Slowdown (ratio of sums)", topic=SHORT, column="slowdown of sums", over_jobs=_slowdown_of_sums),
    Measure("mean_slowdown", "Mean slowdown", topic=SHORT, column="mean slowdown", over_jobs=mean_of("slowdown")),
    Measure("jobs_compared", "Jobs not killed", form="{}", topic=SHORT, column="not killed", derived=_without_killed),
    Measure("over_all_ended.slowdown_of_sums", "Slowdown of all jobs not killed (different jobs: do not compare)", topic=SHORT, column="all not killed *"),
    Measure("mean_response_s", "Mean response time", "s", over_jobs=mean_of("response_s")),
    *(Measure(f"breakdown.{part}", over_jobs=mean_of(part)) for part in BREAKDOWN),
    Measure("shares.cpu_s", "CPU", "%", "{:.1f}", None, SHARES, "CPU", 100, _share_of("cpu_s")),
    Measure("shares.queueing_s", "Queueing", "%", "{:.1f}", None, SHARES, "queueing", 100, _share_of("queueing_s")),
    Measure("shares.paging_s", "Paging", "%", "{:.1f}", None, SHARES, "paging", 100, _share_of("paging_s")),
    Measure("shares.io_s", "I/O", "%", "{:.1f}", None, SHARES, "I/O", 100, _share_of("io_s")),
    Measure("shares.migration_s", "Moving", "%", "{:.1f}", None, SHARES, "moving", 100, _share_of("migration_s")),
    Measure("faults", "Page faults", "", COUNT, lambda run: run.total("faults"), SHORT, "faults"),
    *_with_io(
        Measure("disk_requests", "I/O requests that reached a disk", "", COUNT, lambda run: run.served),
        Measure("hit_rate", "Hit rate of the buffers, of expected requests", "", "{:.3f}", lambda run: 1 - run.served / run.asked),
    ),
    Measure("remote_submissions", "Remote submissions", "", COUNT, lambda run: run.total("remote_submissions"), SHORT, "remote"),
    Measure("migrations", "Migrations", "", COUNT, lambda run: run.total("migrations"), SHORT, "migrated"),
    Measure("killed", "Jobs killed", "", COUNT, lambda run: run.total("killed"), SHORT, "killed"),
    Measure("messages", of=lambda run: sent(run.cluster)["messages"]),
    Measure("bytes", of=lambda run: sent(run.cluster)["bytes"]),
    Measure("utilization", of=lambda run: float(run.jobs["cpu_s"].sum()) / (len(run.cluster.nodes) * run.end_s)),
    Measure("sim_end_s", of=lambda run: run.end_s),
    Measure("events", of=lambda run: run.cluster.clock.executed),
    Measure("wall_s", of=lambda run: run.cluster.wall_s),
)
# fmt: on
