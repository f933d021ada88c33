"""What the jobs of a node hold of its RAM (Alves and others, section 5.2)."""

from typing import TYPE_CHECKING

from model.sharing.cmgs.load import Load
from model.sharing.node_memory import NodeMemory
from model.units import round_half_up

if TYPE_CHECKING:
    from model.sharing.cmgs.constants import CmgsConstants
    from model.sharing.job import SequentialJob


class SharedRam(NodeMemory):
    """Where requests exceed the RAM, each job is allocated the same share of what it requested.

    The paper says how often a job faults that has so many of the pages that it requested, and that
    it faults when less than its working set is available; not how a node's pages are allocated.
    Equal shares are what page replacement over all jobs tends to, and all working sets fit or none.
    """

    load: Load

    def __init__(self, constants: "CmgsConstants", node: int) -> None:
        super().__init__(Load(0, 0, 0))
        self._ram = constants.rams[node]
        self._fault_every_ns = constants.fault_every_ns[node]

    @property
    def regime(self) -> int | None:
        """The sum of requests, if the working sets do not fit."""
        return self.load.requested if self.load.active > self._ram else None

    def fault_every_ns(self, job: "SequentialJob") -> int | None:
        """sigma * allocated / requested million instructions (equation 1, the right way round)."""
        if self.load.active <= self._ram:
            return None
        return max(1, round_half_up(self._fault_every_ns * self._ram / self.load.requested))
