"""What a node's jobs hold of its RAM, how often they fault and do I/O: each system has its rule."""

from collections.abc import Hashable
from typing import Any

from agents.sharing.job import SequentialJob


class NodeMemory:
    """The memory of one node. Its jobs never fault; a system overrides what it has to say.

    `load` is what the node reports of itself: a record with `plus(job)` and `minus(job)`.
    """

    def __init__(self, load: Any) -> None:
        self.load = load

    def hold(self, job: SequentialJob) -> None:
        """A job comes to the node, or needs other memory than before (after `release`)."""
        self.load = self.load.plus(job)

    def release(self, job: SequentialJob) -> None:
        """A job leaves the node."""
        self.load = self.load.minus(job)

    @property
    def regime(self) -> Hashable:
        """What the intervals below depend on: while this stays equal, no job's answer changes."""
        return None

    def fault_every_ns(self, job: SequentialJob) -> int | None:
        """CPU time from one fault of the job to its next, 1 ns or more; None: it does not fault."""
        return None

    def requests_every_ns(self, job: SequentialJob) -> float | None:
        """Mean CPU time between the I/O requests of a job that reach the disk, if it does I/O."""
        return None

    def set_buffer(self, size: int) -> None:
        """So many bytes of the RAM buffer I/O from now on, if the system has such a buffer."""
