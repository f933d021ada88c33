"""Lets a run with timers come to an end, and notices when it no longer makes progress.

Without timers a run ends when nothing is left to happen. Timers may go on for ever, and so may
messages that roles send each other:

- After the last job, timers go on until no node lends, borrows or has asked for memory, but for at
  most `drain_s`; then they are cancelled. Memory that is still lent then has leaked.
- A run has stalled when jobs are left, no process goes on by itself or will when its job runs, no
  job is about to arrive, no fault to end, and for `stall_s`, or while each node has failed
  `MOST_FAILURES` times, no process has started and no loan was made or ended. Protocol messages and
  timers are no progress. (`Servent` notices roles that answer each other without end,
  `stand_still.py` that nothing is left but turns of time slots.)
"""

from collections.abc import Sequence
from typing import Protocol

from agents.messages import DATA_PHASES, Message
from agents.pnr.process import MOVING
from agents.pnr.timers import Timers
from model.ground.clock import ARRIVAL, DISK, PROCESS, SAMPLE, TIMER
from model.ground.errors import Stalled
from model.ground.units import seconds
from model.pnr.job import Hosts, Job

MOST_FAILURES = 1_000  # of a node, on average, until the run is looked at


class EndingFaults(Protocol):
    """What goes wrong in a run, as far as its end depends on it."""

    @property
    def ends_are_pending(self) -> bool: ...

    def stop(self) -> None: ...


class WatchedCluster(Hosts, Protocol):
    """The part of a cluster whose progress is followed."""

    jobs: Sequence[Job]
    faults: EndingFaults | None  # None if nothing may go wrong

    def data_plane_pending(self) -> bool: ...

    def stall_story(self) -> str: ...


class Watchdog:
    """Follows the progress of one run; servents report what their roles handle."""

    def __init__(self, model: WatchedCluster, timers: Timers) -> None:
        self._model = model
        self._timers = timers
        self._stall_ns = model.constants.stall_ns
        self._progress_ns = 0  # when it was last seen that the run goes on
        self._failures = 0  # since then
        self._drains: tuple[int, ...] | None = None  # the event that ends the draining
        self._watches: tuple[int, ...] | None = None  # the event of the next look, with faults

    def begin(self) -> None:
        """With faults, look twice in this time whether the run goes on: perhaps nothing happens."""
        when = self._model.clock.now_ns + max(1, self._stall_ns // 2)
        self._watches = (when, SAMPLE, 1, 0, 0)  # it only looks, as samples do
        self._model.clock.schedule((*self._watches, self._look, None))

    def _look(self, _: None) -> None:
        if self._model.clock.next_ns(SAMPLE) is None:
            raise Stalled(self._model.stall_story())
        if self._model.clock.now_ns - self._progress_ns > self._stall_ns:
            self._check(self._long)
        self.begin()

    def made_progress(self) -> None:
        self._progress_ns, self._failures = self._model.clock.now_ns, 0

    def may_be_quiet(self) -> None:
        """A role has handled a message, or a fault began or ended: the last loan may be over."""
        if self._drains:
            self._stop_if_quiet()

    def has_failed(self) -> None:
        """A node or its servent has failed; raises Stalled if there has been nothing else."""
        self.may_be_quiet()
        self._failures += 1
        if self._failures > MOST_FAILURES * len(self._model.nodes):
            self._check(f"{self._failures:,} failures have passed")

    def handled_timer(self) -> None:
        """A role has handled a timer; raises Stalled if there have been nothing else for long."""
        if self._drains:
            self._stop_if_quiet()
        elif self._model.clock.now_ns - self._progress_ns > self._stall_ns:
            self._check(self._long)

    def last_job_ended(self) -> None:
        """From now on timers and faults are there only to bring memory back."""
        clock, faults = self._model.clock, self._model.faults
        if self._watches:
            clock.cancel(*self._watches)
        if self._timers or faults is not None:
            end_ns = clock.now_ns + self._model.constants.drain_ns
            self._drains = (end_ns, TIMER, len(self._model.nodes), 0, 0)  # after those of all nodes
            clock.schedule((*self._drains, self._stop, None))
            self._stop_if_quiet()

    def _stop_if_quiet(self) -> None:
        ledgers = (node.memory for node in self._model.nodes)
        if not any(memory.lent or memory.borrowed or memory.asked for memory in ledgers):
            assert self._drains is not None
            self._model.clock.cancel(*self._drains)
            self._stop(None)

    def _stop(self, _: None) -> None:
        self._drains = None
        self._timers.stop()
        if self._model.faults is not None:
            self._model.faults.stop()

    @property
    def _long(self) -> str:
        return f"{seconds(self._stall_ns):,.10g} s have passed"

    def _check(self, meanwhile: str) -> None:
        """Raise Stalled if nothing goes on by itself."""
        if not self._goes_on():
            raise Stalled(f"{self._model.stall_story()} ({meanwhile})")
        self.made_progress()

    def _goes_on(self) -> bool:
        """Whether a process will do something by itself, a job arrive, or a fault end."""
        faults = self._model.faults
        return (
            self._model.data_plane_pending()
            or (faults is not None and faults.ends_are_pending)
            or any(
                process.may_compute or process.state == MOVING
                for job in self._model.jobs
                if job.end_ns is None
                for process in job.processes
            )
            or any(
                key[1] in (DISK, PROCESS, ARRIVAL) or _is_data(what)
                for key, what in self._model.clock.pending_events()
            )
        )


def _is_data(what: object) -> bool:
    """Whether what an event is about is a page or a barrier under way."""
    return isinstance(what, Message) and what.content.phase in DATA_PHASES
