"""How often a node faults: the paging rate of section 3.2 (Chen, Xiao, Zhang)."""

from typing import TYPE_CHECKING

from numba.extending import register_jitable

from agents.sharing.node_memory import NodeMemory
from model.ground.units import NS_PER_S
from model.sharing.unknown.load import Load

if TYPE_CHECKING:
    from agents.sharing.job import SequentialJob
    from model.sharing.unknown.constants import UnknownConstants


@register_jitable  # compiled for `fit.py`
def paging_rate(oversized: float, ios: int) -> float:
    """Page faults per second of CPU time, from the oversized fraction Qo and the I/Os Nio.

    It is the sum of equations 1 and 2, each at least 0, and 0 while nothing is oversized. Equation
    4 has no such bounds: with it, jobs would page even with enough memory, and so would a single
    r-wing (3,541 I/Os), which does not according to table 1.
    """
    if oversized <= 0:
        return 0.0
    by_memory = 120 - 4 / (0.31 * oversized**2 + 0.19 * oversized + 0.034)
    by_io = -174.98 + 0.061 * ios
    return max(0.0, by_memory) + max(0.0, by_io)


class PagedMemory(NodeMemory):
    """The jobs of a node fault at its paging rate, each per second of its own CPU time.

    So the node faults at that rate per second of its CPU time, whichever job has the CPU, and each
    job's share of the faults to come is proportional to the CPU time that it still demands.
    """

    load: Load

    def __init__(self, constants: "UnknownConstants", _node: int) -> None:
        super().__init__(Load(0, 0, 0))
        self._constants = constants

    @property
    def regime(self) -> int | None:
        """CPU time from one fault to the next, in ns; None if there are none."""
        rate = paging_rate(self._constants.oversized(self.load.memory), self.load.ios)
        return max(1, round(NS_PER_S / rate)) if rate else None

    def fault_every_ns(self, job: "SequentialJob") -> int | None:
        """CPU time from one fault to the next, in ns: the same for every job of the node."""
        return self.regime
