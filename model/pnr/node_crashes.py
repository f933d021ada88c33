"""Crashes of whole nodes: what was in their memory is gone, and their jobs begin again elsewhere.

In this order, in one nanosecond:
1. the jobs that hold the node are killed on all their nodes, with what they have computed;
2. the node holds, lends and borrows nothing any more, and nobody borrows from it; what it borrowed
   stays lent by others. Its servent crashes;
3. the killed processes on other nodes free their memory, and their clients learn of it, by rank;
4. the jobs are first in the queue again, and the scheduler does what it does after a job's end.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from agents.messages import Message
from agents.pnr.process import FINISHED, Process
from model.pnr.job import Hosts, Job

MOST_ATTEMPTS = 100  # to run one job


class FaultsOfNodes(Protocol):
    """What goes wrong in a run, as far as nodes crash, come or go."""

    def void(self, message: Message) -> None: ...

    def at(
        self,
        time_ns: int,
        node: int,
        place: int,
        action: Callable[[int], None],
        argument: int,
        ends: bool = False,
    ) -> None: ...


class CrashScheduler(Protocol):
    """A scheduler of jobs whose nodes crash."""

    def node_lost(self, index: int, for_ever: bool) -> None: ...

    def node_back(self, index: int) -> None: ...

    def evict(self, job: Job) -> None: ...

    def put_back(self, jobs: list[Job], most_attempts: int) -> None:
        """Queue killed jobs again; those tried too often are given up."""


class CrashingCluster(Hosts, Protocol):
    """The part of a cluster on which whole nodes crash."""

    jobs: Sequence[Job]
    faults: FaultsOfNodes | None  # not None if nodes crash, come or go
    scheduler: CrashScheduler

    def vanish(self, processes: list[Process]) -> list[Message]: ...


class NodeCrashes:
    """The nodes that are down in one run, and the jobs that a crash has stopped."""

    def __init__(self, model: CrashingCluster) -> None:
        self._model = model
        self._crashes: dict[int, int] = {}  # node -> crashes of which it has not recovered
        self._stopped_by: dict[Job, dict[int, None]] = {}  # killed job -> nodes that crashed

    def crash(self, index: int, for_ever: bool) -> None:
        """Let a node lose everything; jobs are placed there no more until it restarts."""
        model = self._model
        self._crashes[index] = self._crashes.get(index, 0) + 1
        model.scheduler.node_lost(index, for_ever)
        if self._crashes[index] > 1:  # nothing is left to lose
            model.servents[index].crash(for_ever)
            return
        node, servent = model.nodes[index], model.servents[index]
        if model.journal is not None:
            model.journal.failed("crashed", index, "node")
        jobs = [job for job in model.jobs if job.end_ns is None and index in job.nodes]
        killed = self._kill(jobs)
        node.lose_memory()
        for other in model.nodes:
            if index in other.memory.loans:
                other.memory.give_back(index, other.memory.loans[index])
        servent.lose_node(jobs, for_ever)
        for job in jobs:
            self._stopped_by.setdefault(job, {})[index] = None
        for process in killed:
            if process.node is not node and process.state != FINISHED:
                process.node.free(process.key)
                model.servents[process.node.index].process_ended(process)
        model.scheduler.put_back(jobs, MOST_ATTEMPTS)

    def restart(self, index: int) -> None:
        """The node is back, empty; jobs are placed there again."""
        model = self._model
        self._crashes[index] -= 1
        if self._crashes[index]:  # it has crashed again meanwhile
            model.servents[index].restart()
            return
        if model.journal is not None:
            model.journal.failed("restarted", index, "node")
        model.nodes[index].come_back()
        model.servents[index].restart()
        model.scheduler.node_back(index)

    def settled(self, job: Job) -> None:
        """A job that a crash has stopped is placed again, or never will be."""
        for node in self._stopped_by.pop(job, ()):
            self._model.servents[node].has_recovered(job)

    def _kill(self, jobs: list[Job]) -> list[Process]:
        """End jobs where they stand; what they have under way is lost at the receiver's door."""
        model = self._model
        killed: list[Process] = []
        assert model.faults is not None
        for job in jobs:
            if model.journal is not None:
                model.journal.scheduled("killed", job.number)
            killed += job.kill()
            model.scheduler.evict(job)
        for message in model.vanish(killed):
            model.faults.void(message)
        return killed
