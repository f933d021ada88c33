"""Gang scheduling that knows, or guesses, how much memory jobs need, so that they do not page.

Source: Batat and Feitelson, Gang Scheduling with Memory Considerations (IPDPS 2000), which the
thesis proposes to compare with (section 5.3).
"""

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

from agents.interfaces import Parameters
from model.ground.units import round_half_up
from model.pnr.gang import GangScheduler
from model.pnr.scheduler import ScheduledCluster

if TYPE_CHECKING:
    from model.pnr.job import Job


class EstimatingParameters(Parameters, Protocol):
    """The part of the scenario that says how memory is estimated."""

    @property
    def memory_estimate(self) -> str:
        """ "exact", "requested" or "user"."""


class EstimatingCluster(ScheduledCluster, Protocol):
    """The part of a cluster that this scheduler uses."""

    parameters: EstimatingParameters


class MemoryGangScheduler(GangScheduler):
    """Places a job only on nodes that have room for it, unless no job is placed at all.

    The room of a node is its RAM less what it lends and the estimates of the processes there, in
    all slots. A job is estimated once, when it is submitted.
    """

    model: EstimatingCluster
    about = (
        "gang scheduling on nodes whose RAM holds the job beside all others, by --memory-estimate"
    )
    estimates_memory = True
    looks_after_quanta = True

    def __init__(self, model: EstimatingCluster) -> None:
        super().__init__(model)
        self._estimates: dict[int, int] = {}  # job -> bytes of each process
        constants = model.constants
        self._largest_ram = max(constants.rams[self.node_of(seat)] for seat in constants.seats)
        self._used: dict[int, list[int]] = {}  # user -> of each of its jobs that have ended

    def job_arrives(self, job: "Job") -> None:
        """Estimate the memory of a job, and queue it."""
        self._estimates[job.number] = self._estimate(job)
        super().job_arrives(job)

    def job_ends(self, job: "Job") -> None:
        """Learn how much memory a job of its user has needed, and react as to any job's end."""
        if job.user is not None:
            self._used.setdefault(job.user, []).append(job.in_ram)
        super().job_ends(job)

    def estimate_of(self, job: "Job") -> int:
        """What each process of a job that was submitted is believed to need, in bytes."""
        return self._estimates[job.number]

    def room(self, index: int) -> int:
        """The bytes of a node's RAM that no estimate and no loan takes; perhaps below 0."""
        node = self.model.nodes[index]
        taken = sum(self._estimates[job] for job, _ in node.memory.processes)
        return node.memory.ram - node.memory.lent - taken

    def free_beside(self, job: "Job") -> list[int]:
        estimate = self.estimate_of(job)
        return [index for index in super().free_beside(job) if self.room(index) >= estimate]

    def _estimate(self, job: "Job") -> int:
        believed = self._believed(job)
        return believed if job.limit is None else min(believed, job.limit)

    def _believed(self, job: "Job") -> int:
        """What each process of a job is believed to hold, in RAM or not."""
        how = self.model.parameters.memory_estimate
        if how == "user" and job.user in self._used:
            used = self._used[job.user]
            return round_half_up(Fraction(sum(used), len(used)))
        if how != "exact" and job.requested is not None:
            return job.requested
        return self._largest_ram if how == "user" else job.memory

    def _fit(self, job: "Job") -> tuple[int, list[int]] | None:
        if not self.matrix.filled():
            return super()._fit(job)
        estimate = self.estimate_of(job)

        def able(seats: list[int]) -> list[int]:
            """Those on nodes whose room is the estimate of the process there and those before."""
            found, wanted = [], Counter[int]()
            for seat in seats:
                node = self.node_of(seat)
                if self.room(node) >= wanted[node] + estimate:
                    wanted[node] += estimate
                    found.append(seat)
            return found

        return self.matrix.best_fit(job.size, able)
