"""The two policies of Alves and others: group scheduling, and the one it is compared with."""

from typing import TYPE_CHECKING

from agents.sharing.policy import Move, Policy, View
from model.sharing.cmgs.constants import CmgsConstants
from model.sharing.cmgs.load import Load

if TYPE_CHECKING:
    from agents.sharing.job import SequentialJob


class ShortestQueue(Policy):
    """A job that leaves its home goes to the node with the shortest ready queue among some."""

    constants: CmgsConstants

    def expecting(self, load: Load, job: "SequentialJob") -> Load:
        """A job on its way counts in the ready queue; it has no pages yet."""
        return load._replace(queue=load.queue + 1)

    def shortest(self, view: View, job: "SequentialJob", nodes: list[int]) -> Move | None:
        """Move the job to the node with the shortest ready queue, drawn among equals."""
        target = view.least(nodes, lambda load: (load.queue,), job.number)
        return None if target is None else Move(job, target)


class CMGS(ShortestQueue):
    """CPU and memory group scheduling: first by active pages, then by ready queue."""

    def arrived(self, view: View, job: "SequentialJob") -> Move | None:
        """If this node has more active pages than the mean, send the job to one with fewer."""
        nodes = 1 + len(view.others)
        active = view.here.active + sum(load.active for load in view.others.values())
        if view.here.active * nodes <= active:
            return None
        below = [node for node, load in view.others.items() if load.active * nodes < active]
        return self.shortest(view, job, below)


class CPU_MEM(ShortestQueue):
    """CPU-memory-based load sharing: jobs leave a full node, whatever memory others have."""

    def arrived(self, view: View, job: "SequentialJob") -> Move | None:
        """Send the job away if the index (CT if the memory is used up, else jobs) reaches CT."""
        full = view.here.requested >= self.constants.rams[view.node]
        if not full and view.here.queue < self.constants.cpu_threshold:
            return None
        return self.shortest(view, job, list(view.others))


POLICIES: dict[str, type[Policy]] = {policy.__name__: policy for policy in (CPU_MEM, CMGS)}
