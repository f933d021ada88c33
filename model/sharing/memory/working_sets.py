"""When the jobs of a node fault (Zhang, Qu, Xiao: sections 3.1 and 4.2)."""

from typing import TYPE_CHECKING

from agents.sharing.node_memory import NodeMemory
from model.sharing.memory.load import Load

if TYPE_CHECKING:
    from agents.sharing.job import SequentialJob
    from model.sharing.memory.constants import MemoryConstants


class WorkingSets(NodeMemory):
    """A job's memory threshold is its working set; where they fill the RAM, every job faults."""

    load: Load

    def __init__(self, constants: "MemoryConstants", _node: int) -> None:
        super().__init__(Load(0, 0, 0))
        self._ram = constants.ram
        self._fault_every_ns = constants.fault_every_ns
        self._of_node = constants.fault_rate_of_node

    @property
    def regime(self) -> int:
        """How many times the given rate each job faults; 0 while the RAM holds the thresholds."""
        if self.load.threshold < self._ram:
            return 0
        return self.load.jobs if self._of_node else 1

    def fault_every_ns(self, job: "SequentialJob") -> int | None:
        """The same interval for all jobs while the thresholds reach the RAM; else None."""
        if not self.regime or self._fault_every_ns is None:
            return None
        return max(1, self._fault_every_ns // self.regime)
