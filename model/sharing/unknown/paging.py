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
def paging_rate(oversized: float, ios: float) -> float:
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
    """The jobs of a node share its paging rate by their weights.

    The node faults at its paging rate per second of its CPU time if its jobs have equal parts of
    that. A job whose weight is the mean one faults at the same rate per second of its own CPU time;
    others fault in proportion to their weights. With equal weights, a job's share of the faults to
    come is proportional to the CPU time that it still demands.
    """

    load: Load

    def __init__(self, constants: "UnknownConstants", _node: int) -> None:
        super().__init__(Load(0, 0, 0))
        self._constants = constants

    @property
    def regime(self) -> float | None:
        """CPU time from one fault to the next of a job with a weight of 1, ns; None if none do."""
        load = self.load
        rate = paging_rate(self._constants.oversized(load.memory), load.ios)
        return NS_PER_S * load.weight / (load.jobs * rate) if rate else None

    def fault_every_ns(self, job: "SequentialJob") -> int | None:
        """CPU time from one fault of the job to the next, in ns."""
        regime = self.regime
        return None if regime is None else max(1, round(regime / job.fault_weight))
