"""How much of a node's RAM its jobs hold, and how often they fault and do I/O."""

from collections.abc import Hashable
from typing import Protocol, Self

from agents.sharing.job import SequentialJob


class Load(Protocol):
    """What a node reports about itself, in the form that a system gives it."""

    def plus(self, job: SequentialJob) -> Self:
        """The load with one more job."""

    def minus(self, job: SequentialJob) -> Self:
        """The load with one job less."""


class NodeMemory:
    """The memory of one node, whose jobs never fault; each system overrides what differs."""

    def __init__(self, load: Load) -> None:
        self.load = load

    def hold(self, job: SequentialJob) -> None:
        """Count a job that comes to the node, or that needs other memory (after `release`)."""
        self.load = self.load.plus(job)

    def release(self, job: SequentialJob) -> None:
        """Uncount a job that leaves the node."""
        self.load = self.load.minus(job)

    @property
    def regime(self) -> Hashable:
        """What the intervals below depend on: while this stays equal, so do all intervals."""
        return None

    def fault_every_ns(self, job: SequentialJob) -> int | None:
        """CPU time from one fault of the job to the next, at least 1 ns; None: it never faults."""
        return None

    def requests_every_ns(self, job: SequentialJob) -> float | None:
        """Mean CPU time between a job's I/O requests that reach the disk; None: there are none."""
        return None

    def set_buffer(self, size: int) -> None:
        """Use `size` bytes of the RAM to buffer I/O from now on, if the system has a buffer."""
