"""Nodes that join and leave while jobs run, as their groups say (`node_groups.py`).

- Before it joins, a node is not there: its servent is down, its RAM is nobody's, jobs are placed
  elsewhere. That is no crash. When it joins, it is empty, and its roles start; others learn of it
  as their protocol lets them.
- A node that is leaving gets no jobs and lends nothing new; its roles are told. At the deadline it
  goes as in a crash, but kills no job: where jobs are, it goes when the last of them has ended.
  What it has lent is on its borrowers' disks from then on.
- Faults of what is not there have no effect.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from model.ground.clock import DELIVERY
from model.pnr.node_crashes import MOST_ATTEMPTS, CrashingCluster

_NO_TABLE = -1  # of faults


class QuietWatchdog(Protocol):
    """What sees whether the last loan is over."""

    def may_be_quiet(self) -> None: ...


class ChangingCluster(CrashingCluster, Protocol):
    """The part of a cluster whose nodes come and go."""

    watchdog: QuietWatchdog
    absent: Sequence[int]


class Membership:
    """Which nodes are there in one run."""

    def __init__(self, model: ChangingCluster) -> None:
        self._model = model
        self._away: dict[int, None] = {}  # nodes that are not there yet, or no longer
        self._overdue: dict[int, None] = {}  # nodes that only wait for the end of their jobs

    def begin(self) -> None:
        """Take away the nodes that join later, and schedule who comes and goes when."""
        model, constants = self._model, self._model.constants
        for index in model.absent:
            self._away[index] = None
            model.scheduler.node_lost(index, for_ever=False)
            model.nodes[index].lose_memory()
            model.servents[index].be_absent()
            self._at(constants.joins_ns[index], index, self._join, ends=True)
        if model.absent:  # before all else at that time
            model.clock.schedule((0, DELIVERY, -1, -1, 0, self._say_who_is_absent, None))
        for index, leaves_ns in enumerate(constants.leaves_ns):
            if leaves_ns is not None:
                self._at(leaves_ns[0], index, self._leaving)

    def is_away(self, index: int) -> bool:
        return index in self._away

    def job_evicted(self) -> None:
        """Let nodes go that only wait for jobs, if this was their last one."""
        for index in self._overdue:
            self._at(self._model.clock.now_ns, index, self._go)

    def _at(
        self, time_ns: int, index: int, action: Callable[[int], None], ends: bool = False
    ) -> None:
        """Have something happen to a node, after all faults of that time that are of nodes."""
        faults = self._model.faults
        assert faults is not None
        faults.at(time_ns, len(self._model.nodes) + index, _NO_TABLE, action, index, ends)

    def _say_who_is_absent(self, _: None) -> None:
        for index in self._model.absent:
            self._journal("absent", index)

    def _join(self, index: int) -> None:
        model = self._model
        del self._away[index]
        self._journal("joined", index)
        model.nodes[index].come_back()
        model.servents[index].join()
        model.scheduler.node_back(index)
        model.watchdog.may_be_quiet()

    def _leaving(self, index: int) -> None:
        model = self._model
        leaves_ns = model.constants.leaves_ns[index]
        assert leaves_ns is not None
        _, deadline_ns = leaves_ns
        self._journal("leaving", index, deadline_ns)
        self._at(deadline_ns, index, self._go)
        model.scheduler.node_lost(index, for_ever=True)
        model.servents[index].leaving(deadline_ns)
        model.scheduler.put_back([], MOST_ATTEMPTS)  # jobs that fit nowhere any more are given up

    def _go(self, index: int) -> None:
        model = self._model
        if index in self._away:
            return
        if any(job.end_ns is None and index in job.nodes for job in model.jobs):
            self._overdue[index] = None
            return
        self._overdue.pop(index, None)
        self._away[index] = None
        self._journal("gone", index)
        model.nodes[index].lose_memory()
        for other in model.nodes:
            if index in other.memory.loans:
                other.memory.give_back(index, other.memory.loans[index])
        model.servents[index].leave()
        model.watchdog.may_be_quiet()

    def _journal(self, kind: str, index: int, end_ns: int | None = None) -> None:
        if self._model.journal is not None:
            self._model.journal.failed(kind, index, "node", end_ns)
