"""The two policies of Alves and others: group scheduling, and the one that it is measured by."""

from typing import TYPE_CHECKING

from agents.sharing.policy import Move, Policy, View
from model.sharing.cmgs.constants import CmgsConstants
from model.sharing.cmgs.load import Load

if TYPE_CHECKING:
    from agents.sharing.job import SequentialJob


class ShortestQueue(Policy):
    """A job that leaves its home goes to the shortest ready queue among some of the others."""

    constants: CmgsConstants

    def expecting(self, load: Load, job: "SequentialJob") -> Load:
        """A job under way counts in the ready queue; it has no pages yet."""
        return load._replace(queue=load.queue + 1)

    def shortest(self, view: View, job: "SequentialJob", nodes: list[int]) -> Move | None:
        """To that of these nodes with the shortest ready queue, of equals one at random."""
        target = view.least(nodes, lambda load: (load.queue,), job.number)
        return None if target is None else Move(job, target)


class CMGS(ShortestQueue):
    """CPU and memory group scheduling: first by active pages, then by ready queue."""

    def arrived(self, view: View, job: "SequentialJob") -> Move | None:
        """Away, if there are more active pages here than on average: to one with fewer."""
        nodes = 1 + len(view.others)
        active = view.here.active + sum(load.active for load in view.others.values())
        if view.here.active * nodes <= active:
            return None
        below = [node for node, load in view.others.items() if load.active * nodes < active]
        return self.shortest(view, job, below)


class CPU_MEM(ShortestQueue):
    """CPU memory based load sharing: away from a full node, whatever memory there is elsewhere."""

    def arrived(self, view: View, job: "SequentialJob") -> Move | None:
        """Away, if the index (jobs if the memory is not used up, else CT) is CT or more."""
        full = view.here.requested >= self.constants.rams[view.node]
        if not full and view.here.queue < self.constants.cpu_threshold:
            return None
        return self.shortest(view, job, list(view.others))


POLICIES: dict[str, type[Policy]] = {policy.__name__: policy for policy in (CPU_MEM, CMGS)}
