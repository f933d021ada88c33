"""Processes that move to other nodes while their job is suspended: MIGRATE(…).

When jobs are suspended, this looks at their processes in order of job and rank. One moves if

- it is ready to compute, in a job of several not rank 0, and waits for nobody at barriers: arrivals
  may be on their way there;
- its node keeps memory on its disk, though nothing is asked for there any more;
- some node that is free in the job's time slot has enough idle RAM for all of it: the most idle
  one, of equal ones the lowest, is the target;
- since its job was resumed, it has waited longer for its disk than `migration_gain` times what its
  memory takes over the unloaded route to the target.

Like the scheduler, this sees the whole cluster and sends no messages. Source: the thesis, section
5.3 (future work), would like a system that may choose between migration and network RAM; these
rules are ours.
"""

from collections.abc import Sequence
from typing import Protocol

from agents.interfaces import Parameters
from agents.messages import LARGEST
from agents.pnr.process import DISK_FAULT, READY, ParallelJob, Process
from agents.pnr.processing_element import ProcessingElement
from agents.pnr.surroundings import PnrSurroundings
from model.core.network import Network
from model.ground.units import exact
from model.pnr.job import Job


class MigrationParameters(Parameters, Protocol):
    """The part of the scenario that says which processes move."""

    @property
    def migration_gain(self) -> float:
        """How many times longer than a move a process has waited for its disk before it moves."""


class MigrationScheduler(Protocol):
    """A scheduler of jobs whose processes move."""

    def free_beside(self, job: Job) -> list[int]: ...

    def move(self, job: Job, source: int, target: int) -> None: ...


class MigratingCluster(PnrSurroundings, Protocol):
    """The part of a cluster on which processes move."""

    parameters: MigrationParameters
    nodes: Sequence[ProcessingElement]
    network: Network
    scheduler: MigrationScheduler


class Migration:
    """Decides which processes of one run move, and where to."""

    def __init__(self, model: MigratingCluster) -> None:
        self._model = model
        self._gain = exact(model.parameters.migration_gain)
        self._waited_ns: dict[int, list[int]] = {}  # job -> for the disk so far, by rank

    def resumed(self, job: ParallelJob) -> None:
        """A job's processes may compute again: from now on, count how they wait for the disk."""
        self._waited_ns[job.number] = [process.spent_ns[DISK_FAULT] for process in job.processes]

    def suspended(self, jobs: Sequence[tuple[Job, int]]) -> bool:
        """Move what should move of these suspended jobs; returns whether anything does.

        With each job comes the id of the journal's record of its suspension.
        """
        moves = False
        synchronization = self._model.constants.synchronization
        for job, cause in sorted(jobs, key=lambda waiting: waiting[0].number):
            for process in job.processes[job.size > 1 :]:
                if synchronization.awaited(process.rank, job.size):
                    continue
                target = self._target(job, process)
                if target is None:
                    continue
                moves = True
                if self._model.journal is not None:
                    self._model.journal.because(cause, job.number)
                self._model.scheduler.move(job, process.node.index, target)
                job.move(process.rank, self._model.nodes[target])
        return moves

    def _target(self, job: Job, process: Process) -> int | None:
        """The node that a process should move to; None if it should stay."""
        memory = process.node.memory
        waited_ns = process.spent_ns[DISK_FAULT] - self._waited_ns[job.number][process.rank]
        if process.state != READY or memory.asked or not waited_ns:
            return None
        if not memory.unmet or not memory.beyond_ram:  # its limit goes with a process
            return None
        if not 0 < process.size <= LARGEST:  # nothing to move, or too much for one message
            return None
        ledgers = self._model.nodes
        wanted = process.size if job.limit is None else min(process.size, job.limit)
        able = [index for index in self._free(job) if ledgers[index].memory.load >= wanted]
        target = max(able, key=lambda index: (ledgers[index].memory.load, -index), default=None)
        if target is None:
            return None
        network = self._model.network
        transfer_ns = network.unloaded_ns(process.node.index, target, process.size)
        return target if waited_ns > self._gain * transfer_ns else None

    def _free(self, job: Job) -> list[int]:
        """The nodes that the scheduler could have given to one more process of a job."""
        return [
            index
            for index in self._model.scheduler.free_beside(job)
            if all(
                number != job.number or job.nodes[rank] == index  # else it is leaving
                for number, rank in self._model.nodes[index].memory.processes
            )
        ]
