"""A node's load, as it knows it and states it to others (Alves and others)."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from agents.sharing.job import SequentialJob


class Load(NamedTuple):
    """A node's queue of jobs, and the bytes that they use and request."""

    queue: int  # jobs, including those that wait for the disk or are on their way here
    active: int  # bytes of working sets
    requested: int

    def plus(self, job: "SequentialJob") -> "Load":
        return Load(self.queue + 1, self.active + job.threshold, self.requested + job.memory)

    def minus(self, job: "SequentialJob") -> "Load":
        return Load(self.queue - 1, self.active - job.threshold, self.requested - job.memory)
