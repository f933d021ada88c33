"""A node's load, as it knows it of itself and states it to others (Alves and others)."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from agents.sharing.job import SequentialJob


class Load(NamedTuple):
    """The jobs of a node, and the bytes that they use."""

    queue: int  # jobs, also those that wait for the disk, and those that are under way to here
    active: int  # working sets
    requested: int

    def plus(self, job: "SequentialJob") -> "Load":
        """With one more job."""
        return Load(self.queue + 1, self.active + job.threshold, self.requested + job.memory)

    def minus(self, job: "SequentialJob") -> "Load":
        """With one job less."""
        return Load(self.queue - 1, self.active - job.threshold, self.requested - job.memory)
