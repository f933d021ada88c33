"""How the jobs of a node share its RAM (Alves and others, section 5.2)."""

from typing import TYPE_CHECKING

from agents.sharing.node_memory import NodeMemory
from model.ground.units import round_half_up
from model.sharing.cmgs.load import Load

if TYPE_CHECKING:
    from agents.sharing.job import SequentialJob
    from model.sharing.cmgs.constants import CmgsConstants


class SharedRam(NodeMemory):
    """A job faults while the requests of the others leave less RAM than its working set.

    How often depends on how much of its request is allocated to it, which the paper does not
    define. Here, if requests exceed the RAM, all are cut in proportion; global page replacement
    tends to do the same.
    """

    load: Load

    def __init__(self, constants: "CmgsConstants", node: int) -> None:
        super().__init__(Load(0, 0, 0))
        self._ram = constants.rams[node]
        self._whole_ns = constants.fault_every_ns[node]
        self._requested = 0  # the requests for which the interval was computed
        self._every_ns = 0  # the interval

    @property
    def regime(self) -> int | None:
        """The sum of requests if it exceeds the RAM; else None, and no job faults."""
        return self.load.requested if self.load.requested > self._ram else None

    def fault_every_ns(self, job: "SequentialJob") -> int | None:
        """Faults are sigma * allocated / requested million instructions apart.

        This is equation 1 the right way round.
        """
        requested = self.load.requested
        if self._ram - (requested - job.memory) >= job.threshold:
            return None
        if requested != self._requested:
            self._requested = requested
            self._every_ns = max(1, round_half_up(self._whole_ns * self._ram / requested))
        return self._every_ns
