"""The measures of a run, one in a line: what it is called, how it is written and computed.

Whoever adds a line finds it in summary.json, in the report and in tables of results and, if it has
a `column`, in the table at the terminal (`model/core/measures.py`).
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, partial
from math import nan
from statistics import fmean
from typing import TYPE_CHECKING

import pandas as pd

from agents.pnr.moving import ProcessTransfer
from agents.pnr.process import COMPUTING, DISK_FAULT, NETWORK_FAULT
from agents.pnr.role import Answer, Level, Metrics
from model.core.measures import COUNT, SHORT, Measure, Summary, is_beyond, mean_of, where
from model.core.network import Tally
from model.core.result import sent
from model.ground.units import NS_PER_MS, megabytes, seconds
from model.pnr.faults import DATA_KINDS

if TYPE_CHECKING:
    from model.pnr.cluster import Cluster

PAGING = "DP"  # the design that all others are compared with

#: What the measures are about, as tables are headed.
TIME, GRANTS, MEMORY, FAULTS, OWN = "time", "grants", "memory", "faults", "own"


class Run:
    """A run that has ended, as measures see it."""

    def __init__(self, cluster: "Cluster", jobs: pd.DataFrame) -> None:
        self.cluster = cluster
        self.faults = cluster.faults
        self.jobs = jobs  # those that ended, as in jobs.csv
        self.end_s = seconds(cluster.clock.now_ns)

    @cached_property
    def answers(self) -> list[Answer]:
        """What clients have been granted; requests that nobody has answered are not among them."""
        return [answer for metrics in self.metrics for answer in metrics.answers]

    @cached_property
    def in_need(self) -> list[Answer]:
        return [answer for answer in self.answers if answer.need]

    @property
    def counts(self) -> dict[str, int]:
        """What the protocol's own counters have counted, over all servents."""
        counts: dict[str, int] = {}
        for metrics in self.metrics:
            for name, count in metrics.counts.items():
                counts[name] = counts.get(name, 0) + count
        return dict(sorted(counts.items()))

    @property
    def gauges(self) -> dict[str, dict[str, float]]:
        """The means over time of the protocol's own gauges, over roles that have one, and mosts."""
        end_ns = self.cluster.clock.now_ns
        levels: dict[str, list[Level]] = {}
        for metrics in self.metrics:
            for (_, name), level in metrics.levels.items():
                levels.setdefault(name, []).append(level)
        return {
            name: {
                "mean": fmean(level.mean(end_ns) for level in own),
                "max": max(level.most for level in own),
            }
            for name, own in sorted(levels.items())
        }

    @property
    def metrics(self) -> list[Metrics]:
        """What was counted of the roles of each servent, those included that a crash has ended."""
        return [servent.host.metrics for servent in self.cluster.servents]

    def page_ms(self, fault: int) -> float | None:
        """For how long a running process waits for a page from disk or over the network; a mean.

        What it waits while it is switched out is not counted. None without such faults.
        """
        nodes, jobs = self.cluster.nodes, self.cluster.jobs
        of_disk = fault == DISK_FAULT
        faults = sum(node.faults_disk if of_disk else node.faults_network for node in nodes)
        waited_ns = sum(job.lost_spent_ns[fault] for job in jobs)
        waited_ns += sum(process.spent_ns[fault] for job in jobs for process in job.processes)
        return waited_ns / faults / NS_PER_MS if faults else None

    @property
    def utilization(self) -> float:
        """For how long cores computed for the jobs that ended, over what all had till the end.

        All are those, too, on which no job runs, or which are not there all the time.
        """
        busy_s = sum(
            seconds(job.demand_ns)
            * sum(process.spent_ns[COMPUTING] / job.demand_ns for process in job.processes)
            for job in self.cluster.jobs
            if job.end_ns
        )
        return busy_s / (sum(self.cluster.constants.cores) * self.end_s) if self.end_s else 0.0

    @property
    def mean_request_to_grant_s(self) -> float | None:
        """From a client's request to its grant; None if none was answered."""
        return fmean(seconds(answer.waited_ns) for answer in self.answers) if self.answers else None

    @property
    def mean_time_to_recover_s(self) -> float | None:
        """From a crash to when nothing waits any longer that it had stopped."""
        assert self.faults is not None
        recoveries_s = [seconds(time_ns) for time_ns in self.faults.recoveries_ns]
        return fmean(recoveries_s) if recoveries_s else None


def submitted(summary: Summary) -> int:
    """How many jobs a run had, those included that never ended or were given up.

    In a summary of load sharing, where every job ends or is killed, `faults` are those of pages.
    """
    if is_beyond(summary):
        return int(summary["beyond"]["jobs"])
    faults = summary.get("faults")
    lost = faults["jobs_stuck"] + faults["jobs_failed"] if isinstance(faults, Mapping) else 0
    ended: int = summary["jobs"]
    return ended + lost


def optimization_ratio_pct(paging_s: float | None, design_s: float | None) -> float | None:
    """By how many percent a mean response time is shorter than disk paging's (thesis, 3.1.5)."""
    return None if paging_s is None or design_s is None else (paging_s - design_s) / paging_s * 100


def _than_paging(summary: Summary) -> float | None:
    """The optimization ratio, of which disk paging itself has none to show."""
    return None if summary["design"] == PAGING else summary["optimization_ratio_pct"]


def _ended(summary: Summary) -> str | None:
    """How many jobs ended of how many, where not all did under every design.

    A row of results has both numbers; a summary's `jobs` are those that ended.
    """
    if not summary.get("jobs_compared", nan) >= 0:
        return None
    of = summary["jobs"] if "jobs_ended" in summary else submitted(summary)
    return f"{summary.get('jobs_ended', summary['jobs']):,.0f} of {of:,}"


def _unmet_pct(summary: Summary) -> float | None:
    """The share of what clients needed that nobody lent."""
    need_mb = summary["need_mb"]
    return 100 * summary["need_unmet_mb"] / need_mb if need_mb else None


def protocol_messages(summary: Summary) -> object:
    """How many messages were neither pages nor barriers; None of a row of results."""
    if "messages" not in summary:
        return None
    return sum(count for kind, count in summary["messages"].items() if kind not in DATA_KINDS)


def _total(name: str) -> Callable[[Summary], int | None]:
    """The sum over all kinds of messages, from a summary or a row of results, which has none."""
    return lambda summary: sum(summary[name].values()) if name in summary else None


#: What there is of the measures below, by the run.
_with_faults = partial(where, lambda run: run.faults is not None)
_if_it_migrates = partial(where, lambda run: run.cluster.design.migrates)
_where_roles_count = partial(where, lambda run: any(metrics.counts for metrics in run.metrics))
_where_roles_gauge = partial(where, lambda run: any(metrics.levels for metrics in run.metrics))
_if_roles_store = partial(where, lambda run: any(metrics.stored for metrics in run.metrics))

# fmt: off
MEASURES: tuple[Measure, ...] = (
    Measure("jobs", of=lambda run: len(run.jobs)),
    Measure("mean_response_s", "Mean response time", "s", topic=SHORT, column="response, s", over_jobs=mean_of("response_s")),
    Measure("optimization_ratio_pct", "Shorter than DP by", "%", "{:+.2f}", lambda run: None, SHORT, "below DP, %", derived=_than_paging),
    Measure("jobs_compared", "Jobs that ended", form="{}", topic=SHORT, column="ended", derived=_ended),
    Measure("over_all_ended.mean_response_s", "Mean response time of all that ended (different jobs: do not compare)", "s", topic=SHORT, column="all that ended, s *"),
    Measure("sim_end_s", of=lambda run: run.end_s),
    Measure("faults_disk", "Page faults from disk", "", COUNT, lambda run: sum(node.faults_disk for node in run.cluster.nodes), SHORT, "disk faults"),
    Measure("faults_network", "Page faults over the network", "", COUNT, lambda run: sum(node.faults_network for node in run.cluster.nodes), SHORT, "network faults"),
    Measure("disk_page_ms", "Mean wait for a page from disk, while switched in", "ms", "{:,.3f}", lambda run: run.page_ms(DISK_FAULT)),
    Measure("network_page_ms", "Mean wait for a page over the network, while switched in", "ms", "{:,.3f}", lambda run: run.page_ms(NETWORK_FAULT)),
    Measure("messages", "Messages over the network", "", COUNT, lambda run: sent(run.cluster)["messages"], SHORT, "messages", derived=_total("messages")),
    Measure("protocol_messages", "Messages of the protocol", "", COUNT, topic=SHORT, column="protocol messages", derived=protocol_messages),
    Measure("bytes", of=lambda run: sent(run.cluster)["bytes"]),
    Measure("pcs", "Parallel context switches", "", COUNT, lambda run: run.cluster.scheduler.switches, SHORT, "PCS"),
    Measure("allocated_mb_mean", "RAM allocated, mean over nodes", "MB", "{:.2f}", lambda run: run.cluster.sampling.mean("allocated_mb_mean"), MEMORY),
    Measure("allocated_mb_sd", "RAM allocated, standard deviation over nodes", "MB", "{:.2f}", lambda run: run.cluster.sampling.mean("allocated_mb_sd"), MEMORY),
    Measure("allocated_mb_pooled_sd", "RAM allocated, standard deviation over nodes and times", "MB", "{:.2f}", lambda run: run.cluster.sampling.pooled_sd("allocated_mb"), MEMORY),
    Measure("disk_mb_mean", "Swapped to disk, mean over nodes", "MB", "{:.2f}", lambda run: run.cluster.sampling.mean("disk_mb_mean"), MEMORY),
    Measure("disk_mb_sd", "Swapped to disk, standard deviation over nodes", "MB", "{:.2f}", lambda run: run.cluster.sampling.mean("disk_mb_sd"), MEMORY),
    Measure("mean_wait_s", over_jobs=mean_of("wait_s")),
    Measure("mean_slowdown", "Mean slowdown", topic=SHORT, over_jobs=mean_of("slowdown")),
    Measure("mean_bounded_slowdown", "Mean bounded slowdown", topic=SHORT, over_jobs=mean_of("bounded_slowdown")),
    Measure("utilization", of=lambda run: run.utilization),
    Measure("throughput_jobs_per_h", of=lambda run: len(run.jobs) * 3600 / run.end_s if run.end_s else 0.0),
    Measure("breakdown.waiting_s", "Waiting in the queue", "s", topic=TIME, over_jobs=mean_of("wait_s")),
    Measure("breakdown.switched_out_s", "Switched out", "s", topic=TIME, over_jobs=mean_of("switched_out_s")),
    Measure("breakdown.computing_s", "Computing", "s", topic=TIME, over_jobs=mean_of("computing_s")),
    Measure("breakdown.disk_faults_s", "Disk faults", "s", topic=TIME, over_jobs=mean_of("disk_faults_s")),
    Measure("breakdown.network_faults_s", "Network faults", "s", topic=TIME, over_jobs=mean_of("network_faults_s")),
    Measure("breakdown.barriers_s", "At barriers, or finished before others", "s", topic=TIME, over_jobs=mean_of("barriers_s")),
    Measure("breakdown.grant_s", "Waiting for a grant", "s", topic=TIME, over_jobs=mean_of("grant_s")),
    Measure("breakdown.moving_s", "Moving to another node", "s", topic=TIME, over_jobs=mean_of("moving_s")),
    Measure("breakdown.lost_s", "Lost when nodes crashed", "s", topic=TIME, over_jobs=mean_of("lost_s")),
    Measure("requests", "Requests of clients that were answered", "", COUNT, lambda run: len(run.answers), GRANTS),
    Measure("requests_in_need", "Of these, from clients in need", "", COUNT, lambda run: len(run.in_need), GRANTS),
    Measure("mean_request_to_grant_s", "Mean time from a request to its grant", "ms", "{:,.3f}", lambda run: run.mean_request_to_grant_s, GRANTS, scale=1e3),
    Measure("requests_granted_nothing", "Requests in need, granted nothing", "", COUNT, lambda run: sum(1 for answer in run.in_need if not answer.granted), GRANTS),
    Measure("need_mb", "Memory that clients needed", "MB", "{:,.1f}", lambda run: megabytes(sum(answer.need for answer in run.answers)), GRANTS),
    Measure("need_unmet_mb", "Need left unmet", "MB", "{:,.1f}", lambda run: megabytes(sum(max(0, answer.need - answer.granted) for answer in run.answers)), GRANTS),
    Measure("need_unmet_pct", "Need left unmet", "%", "{:.1f}", topic=GRANTS, derived=_unmet_pct),
    *_if_it_migrates(
        Measure("migrations", "Processes moved", "", COUNT, lambda run: sum(job.migrations for job in run.cluster.jobs), SHORT, "moves"),
        Measure("migrated_mb", "Memory moved with them", "MB", "{:,.1f}", lambda run: megabytes(run.cluster.network.tallies.get(ProcessTransfer, Tally()).sent_bytes), SHORT, "moved, MB"),
    ),
    *_if_roles_store(
        Measure("stored", "Values stored to survive crashes", "", COUNT, lambda run: sum(metrics.stored for metrics in run.metrics), GRANTS),
    ),
    *_where_roles_count(Measure("counts", of=lambda run: run.counts)),
    *_where_roles_gauge(Measure("gauges", of=lambda run: run.gauges)),
    *_with_faults(
        Measure("faults.jobs_stuck", "Jobs that never end", "", COUNT, lambda run: run.cluster.unfinished, FAULTS, "stuck"),
        Measure("faults.jobs_failed", "Jobs given up", "", COUNT, lambda run: sum(1 for job in run.cluster.jobs if job.failed), FAULTS, "failed"),
        Measure("faults.attempts", "Attempts to run jobs", "", COUNT, lambda run: sum(job.attempt for job in run.cluster.jobs), FAULTS, "attempts"),
        Measure("faults.jobs_restarted", "Jobs started more than once", "", COUNT, lambda run: sum(1 for job in run.cluster.jobs if job.attempt > 1), FAULTS),
        Measure("faults.messages_lost", "Messages lost", "", COUNT, lambda run: sum(run.faults.lost.values()), FAULTS, "lost"),
        Measure("faults.messages_lost_by", of=lambda run: run.faults.lost),
        Measure("faults.messages_duplicated", "Messages duplicated", "", COUNT, lambda run: run.faults.duplicated, FAULTS),
        Measure("faults.messages_delayed", "Messages delayed", "", COUNT, lambda run: run.faults.delayed, FAULTS),
        Measure("faults.messages_ignored", "Messages that no role expected", "", COUNT, lambda run: sum(metrics.ignored for metrics in run.metrics), FAULTS, "ignored"),
        Measure("faults.restarts", "Restarts of servents", "", COUNT, lambda run: run.faults.restarts, FAULTS, "restarts"),
        Measure("faults.leaked_mb", "Memory still lent at the end", "MB", "{:,.2f}", lambda run: megabytes(sum(node.memory.lent for node in run.cluster.nodes)), FAULTS, "leaked, MB"),
        Measure("faults.mean_time_to_recover_s", "Mean time to recover from a crash", "s", "{:,.2f}", lambda run: run.mean_time_to_recover_s, FAULTS, "recovery, s"),
    ),
    Measure("events", of=lambda run: run.cluster.clock.executed),
    Measure("wall_s", of=lambda run: run.cluster.wall_s),
)
# fmt: on


def own_measures(summaries: Iterable[Summary]) -> list[Measure]:
    """A line for each counter and gauge of the protocols' own that any of these runs has."""
    summaries = list(summaries)

    def names(group: str) -> list[str]:
        return [*dict.fromkeys(name for summary in summaries for name in summary.get(group, ()))]

    return [
        *(
            Measure(f"counts.{name}", name, "", COUNT, topic=OWN, column=name)
            for name in names("counts")
        ),
        *(
            Measure(f"gauges.{name}.{part}", f"{name}, {word}", topic=OWN, column=f"{name}, {word}")
            for name in names("gauges")
            for part, word in (("mean", "mean"), ("max", "maximum"))
        ),
    ]
