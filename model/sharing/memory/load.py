"""A node's load, as it knows it and states it to others (Zhang, Qu, Xiao)."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from agents.sharing.job import SequentialJob


class Load(NamedTuple):
    """The number of a node's jobs, and the bytes of their thresholds and requests."""

    jobs: int
    threshold: int  # MT
    requested: int  # U

    def plus(self, job: "SequentialJob") -> "Load":
        return Load(self.jobs + 1, self.threshold + job.threshold, self.requested + job.memory)

    def minus(self, job: "SequentialJob") -> "Load":
        return Load(self.jobs - 1, self.threshold - job.threshold, self.requested - job.memory)
