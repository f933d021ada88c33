"""What the jobs of a node hold of its RAM, and how often they fault: each system has its rule."""

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from model.sharing.job import SequentialJob


class NodeMemory:
    """The memory of one node. Its jobs never fault; a system overrides what it has to say.

    `load` is what the node reports of itself: a record with `plus(job)` and `minus(job)`.
    """

    def __init__(self, load: Any) -> None:
        self.load = load

    def hold(self, job: "SequentialJob") -> None:
        """A job comes to the node, or needs other memory than before (after `release`)."""
        self.load = self.load.plus(job)

    def release(self, job: "SequentialJob") -> None:
        """A job leaves the node."""
        self.load = self.load.minus(job)

    @property
    def regime(self) -> Hashable:
        """What `fault_every_ns` depends on: while this stays equal, no job's answer changes."""
        return None

    def fault_every_ns(self, job: "SequentialJob") -> int | None:
        """CPU time from one fault of the job to its next, 1 ns or more; None: it does not fault."""
        return None
