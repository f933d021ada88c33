"""Samples of the nodes' memory over time."""

from collections.abc import Sequence
from math import isqrt, sqrt
from operator import mul
from statistics import fmean, pvariance
from typing import Protocol

from agents.pnr.servent import Servent
from model.ground.clock import SAMPLE
from model.ground.errors import Stalled
from model.ground.units import NS_PER_S, exact, megabytes, round_half_up, seconds
from model.pnr.job import Hosts, Job
from model.pnr.scenario import Scenario

_SAMPLES_OF_A_SHORT_RUN = 20
_BITS = 128  # of a root's fraction: more than decide how it is rounded
_COLUMNS = ("time_s", "allocated_mb_mean", "allocated_mb_sd", "disk_mb_mean", "disk_mb_sd")


class SampledCluster(Hosts, Protocol):
    """The part of a cluster that is sampled."""

    parameters: Scenario
    jobs: Sequence[Job]

    def stall_story(self) -> str: ...


class Sampling:
    """Samples all nodes' memory, in MB: allocated RAM (at most all), and what is on disk.

    Samples are taken every `sample_s` of simulated time until the last job has ended. If the
    submissions span less than two such intervals, there are twenty samples over their span, or over
    the longest demand if all are submitted at once.
    """

    def __init__(self, model: SampledCluster) -> None:
        self.model = model
        #: What was found at each time, by the name of the measure; `time_s` is when.
        self.samples: dict[str, list[float]] = {name: [] for name in _COLUMNS}
        self.every_ns = round_half_up(exact(model.parameters.sample_s) * NS_PER_S)
        self.last_ns: int | None = None  # in a short run; None: to the end
        self._next: tuple[int, ...] | None = None  # the event of the next sample
        span_ns = max(job.submit_ns for job in model.jobs)
        if span_ns < 2 * self.every_ns:
            span_ns = span_ns or max(job.demand_ns for job in model.jobs)
            self.every_ns = max(1, span_ns // _SAMPLES_OF_A_SHORT_RUN)
            self.last_ns = span_ns
        self._schedule(self.every_ns)

    def mean(self, measure: str) -> float | None:
        """The mean of a measure over all samples; None if there are none."""
        values = self.samples[measure]
        return fmean(values) if values else None

    def pooled_sd(self, amount: str) -> float | None:
        """The standard deviation over all nodes and samples (thesis, 3.1.5); None without any.

        `mean` of the deviations is over nodes alone: the load that comes and goes is not in it.
        """
        means, deviations = (self.samples[f"{amount}_{what}"] for what in ("mean", "sd"))
        if not means:
            return None
        within = fmean(deviation**2 for deviation in deviations)
        return sqrt(within + pvariance(means))

    def stop(self) -> None:
        """Cancel the next sample, which would only lengthen a run whose last job has ended."""
        if self._next:
            self.model.clock.cancel(*self._next)

    def _sample(self, time_ns: int) -> None:
        self._next = None
        if self.model.clock.next_ns(SAMPLE) is None:
            raise Stalled(self.model.stall_story())
        allocated = mean_and_sd_mb([node.memory.allocated for node in self.model.nodes])
        on_disk = mean_and_sd_mb([*map(_on_disk, self.model.servents)])
        for name, value in zip(_COLUMNS, (seconds(time_ns), *allocated, *on_disk), strict=True):
            self.samples[name].append(value)
        if self.last_ns is None or time_ns + self.every_ns <= self.last_ns:
            self._schedule(time_ns + self.every_ns)

    def _schedule(self, time_ns: int) -> None:
        self._next = (time_ns, SAMPLE, 0, 0, 0)
        self.model.clock.schedule((*self._next, self._sample, time_ns))


def _on_disk(servent: Servent) -> int:
    """What of its node's memory is on the disk: see `parts` of the journal's past.

    NumPy, which that needs for arrays, would take ten times as long for each node.
    """
    host, memory = servent.host, servent.host.memory
    if not (unmet := memory.unmet):
        return 0
    held, residents = memory.processes, host.residents.items()
    unstarted = sum([held[job] for job, (_, has_started) in residents if not has_started])
    knows = unstarted and not (host.is_down or host.pauses)
    asked = sum(memory.asked.values()) if knows else unstarted
    return min(unmet - min(unmet, asked, unstarted), sum(held.values()) - unstarted)


def mean_and_sd_mb(amounts: Sequence[int]) -> tuple[float, float]:
    """The mean and the standard deviation of amounts of bytes, in MB.

    Nothing is rounded before the end, as by `statistics`, which takes ten times as long.
    """
    count, total = len(amounts), sum(amounts)
    deviation = isqrt((count * sum(map(mul, amounts, amounts)) - total**2) << 2 * _BITS)
    return megabytes(total) / count, megabytes(deviation / (count << _BITS))
