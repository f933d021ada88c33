"""Recognizes a cluster that stands still while its time slots take turns, and passes over turns.

A *round* is a turn of each slot. If nothing but turns happens in a round, and no process computes
in its slot, the round leaves the cluster as it was, but for what is counted: turns, events, and the
time that processes were in and out. So is the next round, up to the first other event. Therefore

- the run has stalled if there is no other event to come, and
- if there is one, the rounds before it are not executed: what one has counted is added as often.

A journal has every turn, so with one all rounds are executed; so are they where processes move.
"""

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from model.ground.clock import PCS, QUANTUM, SAMPLE
from model.ground.errors import Stalled
from model.pnr.ousterhout import OusterhoutMatrix
from model.pnr.scheduler import ScheduledCluster

if TYPE_CHECKING:  # a scenario knows the kinds of schedulers, and need not wait for Mesa
    from agents.pnr.process import Process
    from model.pnr.job import Job
    from model.pnr.migration import Migration


class TurningScheduler(Protocol):
    """A scheduler whose time slots take turns."""

    matrix: "OusterhoutMatrix[Job]"
    queue: "deque[Job]"
    slot: int  # whose turn it is
    running: "list[Job]"
    switches: int  # turns so far
    migration: "Migration | None"


@dataclass(frozen=True)
class Seen:
    """The cluster at the end of a quantum."""

    setting: tuple[object, ...]  # what no turn changes while the cluster stands still
    slot: int
    inside: tuple[object, ...]  # what is the same again when it is this slot's turn again
    time_ns: int
    switches: int
    spent: "list[tuple[Process, list[int], int]]"  # by each process in each state, and since when


class StandStill:
    """Looks at one cluster whenever a quantum ends."""

    def __init__(self, model: ScheduledCluster, scheduler: TurningScheduler) -> None:
        self._model = model
        self._scheduler = scheduler
        self._before: Seen | None = None  # at most a round ago

    def look(self) -> None:
        """Pass over rounds while the cluster stands still; raises Stalled if it always will."""
        scheduler = self._scheduler
        placed = [job for jobs in scheduler.matrix.jobs for job in jobs]
        if any(process.may_compute for job in placed for process in job.processes):
            self._before = None
            return
        now, before = self._see(placed), self._before
        if before is None or before.setting != now.setting:
            self._before = now
        elif before.slot == now.slot:
            self._before = now
            if before.inside == now.inside:
                self._after_a_round(before, now)

    def _see(self, placed: "list[Job]") -> Seen:
        model, scheduler = self._model, self._scheduler
        processes = [process for job in placed for process in job.processes]
        next_ns = model.clock.next_ns(QUANTUM, PCS, SAMPLE)
        return Seen(
            (next_ns, model.unfinished, len(scheduler.queue), scheduler.matrix.filled()),
            scheduler.slot,
            (list(scheduler.running), placed, [process.state for process in processes]),
            model.clock.now_ns,
            scheduler.switches,
            [(process, process.spent_ns[:], process.since_ns) for process in processes],
        )

    def _after_a_round(self, before: Seen, now: Seen) -> None:
        """Nothing has happened for a round, and nothing will before the next event."""
        model, scheduler = self._model, self._scheduler
        next_ns, *_ = now.setting
        if next_ns is None:
            raise Stalled(model.stall_story())
        if model.journal is not None or scheduler.migration is not None:
            return
        other_ns = model.clock.next_ns()  # perhaps a sample
        assert other_ns is not None
        round_ns = now.time_ns - before.time_ns
        rounds = (other_ns - 1 - now.time_ns) // round_ns
        turns = rounds * (now.switches - before.switches)
        scheduler.switches += turns
        model.clock.pass_over(rounds * round_ns, events=2 * turns)  # each quantum and switch ends
        for process, spent_ns, since_ns in before.spent:
            process.pass_over(rounds, spent_ns, since_ns)
        self._before = None
