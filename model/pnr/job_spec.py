"""A parallel job as a workload describes it."""

from dataclasses import dataclass
from typing import NamedTuple


class Mark(NamedTuple):
    """What each process of a job holds, from the first barrier at or after this CPU time."""

    cpu_ns: int
    size: int  # bytes


Marks = tuple[Mark, ...]  # the first at 0, in order of CPU time


@dataclass(frozen=True, slots=True)
class JobSpec:
    """A job as a workload describes it: its number in the trace, times in ns, memory in bytes."""

    number: int
    submit_ns: int
    processes: int
    memory: int  # of each process, at its largest
    demand_ns: int  # CPU time of each process
    marks: Marks = ()  # of its profile; none: it holds all of its memory from start to end
    requested: int | None = None  # memory of each process that its user asked for, in bytes
    user: int | None = None  # the number of the user
    limit: int | None = None  # what each process may hold in RAM, in bytes

    @property
    def in_ram(self) -> int:
        """The most that each process may hold in RAM, in bytes."""
        return self.memory if self.limit is None else min(self.memory, self.limit)
