"""A node's load, as it knows it and states it to others (Chen, Xiao, Zhang: table 3)."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from agents.sharing.job import SequentialJob


class Load(NamedTuple):
    """The number of a node's jobs, the bytes that they demand now, and their reads and writes."""

    jobs: int  # including those on their way to it
    memory: int
    ios: int
    coming: int = 0  # bytes of the jobs on their way to it

    def plus(self, job: "SequentialJob") -> "Load":
        """The load with one more job."""
        return Load(self.jobs + 1, self.memory + job.memory, self.ios + job.ios, self.coming)

    def minus(self, job: "SequentialJob") -> "Load":
        """The load with one job less."""
        return Load(self.jobs - 1, self.memory - job.memory, self.ios - job.ios, self.coming)

    def expecting(self, job: "SequentialJob") -> "Load":
        """The load with one more job on its way."""
        return self._replace(jobs=self.jobs + 1, coming=self.coming + job.memory)
