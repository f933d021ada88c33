"""Gives a run up whose mean response time is certain to be beyond what a scenario waits for.

The mean over all jobs is at least the sum of the response times of those that have ended and of the
ages of those that have not, over the number of all jobs. Once that passes `give_up_response_s`, the
run ends, at the first nanosecond in which it has. So a run is *beyond* if and only if its mean
response time would be longer than that, however it goes on; any other run is not changed by it.
Jobs that have failed are in neither the sum nor the number; nobody knows before which ones will.

Ages grow by themselves, so the time at which they will pass if no further job ends is known. It is
the time of the next look, which then finds either that it is so, or that a job has ended meanwhile.
When a job fails, that time is another.
"""

from typing import Protocol

from model.ground.clock import SAMPLE
from model.ground.errors import Beyond, Stalled
from model.ground.units import NS_PER_S, exact, round_half_up, seconds
from model.pnr.job import Job
from model.pnr.sampling import SampledCluster

_NEVER = 2**62  # ns: no run is so long


class AwaitedCluster(SampledCluster, Protocol):
    """The part of a cluster that giving up looks at."""

    unfinished: int  # jobs


class GivingUp:
    """Ends a run once its mean response time is certain to pass the scenario's limit."""

    def __init__(self, model: AwaitedCluster) -> None:
        self._model = model
        limit_s = model.parameters.give_up_response_s
        self._limit_ns = _NEVER if limit_s is None else round_half_up(exact(limit_s) * NS_PER_S)
        self._next: tuple[int, ...] | None = None  # the event of the next look
        self._looks = 0
        self.look_anew()  # for the first time when it may be so at the earliest

    def look_anew(self) -> None:
        """Look at another time: a job has failed."""
        if self._next is not None:
            self._model.clock.cancel(*self._next)
            self._next = None
        if self._limit_ns < _NEVER:
            self._look_again()

    def last_job_ended(self) -> None:
        """Wait no longer, unless the ages pass in this very nanosecond."""
        if self._next is not None and self._next[0] > self._model.clock.now_ns:
            self._model.clock.cancel(*self._next)
            self._next = None

    def _look(self, _: None) -> None:
        """Raise Beyond if the mean is certain to be longer; else look again when it may be."""
        model, now_ns = self._model, self._model.clock.now_ns
        if model.unfinished and model.clock.next_ns(SAMPLE) is None:
            raise Stalled(model.stall_story())
        counted = [job for job in model.jobs if not job.failed]
        known_ns = sum(
            (now_ns if job.end_ns is None else job.end_ns) - job.submit_ns
            for job in counted
            if job.submit_ns <= now_ns
        )
        if known_ns > self._limit_ns * len(counted):
            limit_s = seconds(self._limit_ns)
            raise Beyond(f"the mean response time is beyond {limit_s:,.10g} s")
        self._look_again()

    def _look_again(self) -> None:
        """Look when the ages of the jobs that have not ended pass what is left of the sum."""
        left_ns = 0
        waiting: list[Job] = []
        for job in self._model.jobs:
            if job.failed:
                continue
            left_ns += self._limit_ns
            if job.end_ns is None:
                waiting.append(job)
            else:
                left_ns -= job.end_ns - job.submit_ns
        when_ns, submitted_ns = 0 if left_ns < 0 else _NEVER, 0
        for count, job in enumerate(waiting, start=1):  # in the order of arrival
            submitted_ns += job.submit_ns
            passes_ns = (left_ns + submitted_ns) // count + 1
            if count == len(waiting) or passes_ns <= waiting[count].submit_ns:
                when_ns = passes_ns
                break
        self._next = None
        if when_ns < _NEVER:
            when_ns = max(when_ns, self._model.clock.now_ns)
            self._looks += 1
            self._next = (when_ns, SAMPLE, 2, 0, self._looks)  # after samples and the watchdog's
            self._model.clock.schedule((*self._next, self._look, None))
