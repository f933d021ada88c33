"""What the jobs of a node hold of its RAM (Zhang, Qu, Xiao: sections 3.1 and 4.2)."""

from typing import TYPE_CHECKING, Any

from model.sharing.load import Load

if TYPE_CHECKING:
    from model.sharing.job import SequentialJob


class WorkingSets:
    """Sums over the jobs of one node, in bytes: of the memory requested, and of the thresholds.

    A job's memory threshold is its working set; where they fill the RAM, every job faults.
    """

    def __init__(self, ram: int, _on_loan: Any = None) -> None:
        self.ram = ram
        self.load = Load(0, 0, 0)

    def hold(self, job: "SequentialJob") -> None:
        """A job comes to the node."""
        self.load = self.load.plus(job)

    def release(self, job: "SequentialJob") -> None:
        """A job leaves the node."""
        self.load = self.load.minus(job)

    @property
    def overloaded(self) -> bool:
        """Whether the thresholds reach the RAM."""
        return self.load.threshold >= self.ram
