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
    weight: int = 0  # sum of its jobs' fault weights

    def plus(self, job: "SequentialJob") -> "Load":
        return self._changed(job, 1)

    def minus(self, job: "SequentialJob") -> "Load":
        return self._changed(job, -1)

    def _changed(self, job: "SequentialJob", by: int) -> "Load":
        return Load(
            self.jobs + by,
            self.memory + by * job.memory,
            self.ios + by * job.ios,
            self.coming,
            self.weight + by * job.fault_weight,
        )

    def expecting(self, *jobs: "SequentialJob") -> "Load":
        """The load with these jobs more on their way."""
        coming = self.coming + sum(job.memory for job in jobs)
        return Load(self.jobs + len(jobs), self.memory, self.ios, coming, self.weight)
