"""What a load sharing policy is: how it is asked, what it sees, what it answers."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from model.randomness import TIE, draws
from model.sharing.constants import SharingConstants

if TYPE_CHECKING:
    from agents.workstation import Workstation
    from model.sharing.job import SequentialJob


class Move(NamedTuple):
    """This job is to go to that node: remotely submitted if it has just arrived, else migrated."""

    job: "SequentialJob"
    target: int


class View:
    """What the node that decides knows: its own load now, of the others what they last stated."""

    __slots__ = ("_workstation", "here", "node", "others", "seed")

    def __init__(self, workstation: "Workstation", others: Mapping[int, Any], seed: int) -> None:
        self._workstation = workstation
        self.node = workstation.index
        self.here = workstation.states()  # without a job that has just arrived
        self.others = others  # by node, in node order
        self.seed = seed

    @property
    def running(self) -> list["SequentialJob"]:
        """The jobs here that compute or wait for the CPU; one that waits for a page cannot move."""
        return self._workstation.running_jobs()

    def set_buffers(self, size: int) -> None:
        """All nodes buffer I/O in so many bytes of their RAM from now on."""
        self._workstation.set_buffers(size)

    def least(
        self, nodes: Iterable[int], key: Callable[[Any], tuple[float, ...]], job: int
    ) -> int | None:
        """The node with the smallest key, of equals one at random; None if there are no nodes."""
        keys = {node: key(self.others[node]) for node in nodes}
        if not keys:
            return None
        best = min(keys.values())
        equals = [node for node, value in keys.items() if value == best]
        if len(equals) == 1:
            return equals[0]
        return equals[int(next(draws(self.seed, TIE, job, self.node)) * len(equals))]


class Policy:
    """One policy in one run. This one moves nothing; a policy overrides what it has to say about.

    Each question is asked at the node that it is about; the answer is a move, or None.
    """

    def __init__(self, constants: SharingConstants) -> None:
        self.constants = constants

    def stated(self) -> dict[str, Any]:
        """What a summary says of it after the run."""
        return {}

    def states(self, node: "Workstation") -> Any:
        """What a node reports about itself."""
        return node.memory.load

    def expecting(self, load: Any, job: "SequentialJob") -> Any:
        """What a node with this load counts for while the job is on its way there."""
        return load.plus(job)

    def arrived(self, view: View, job: "SequentialJob") -> Move | None:
        """A job arrives at its home node: where does it, or one that runs there, go?"""

    def reported(self, view: View) -> Move | None:
        """The node has just sent its periodic report: does a job leave?"""

    def ended(self, view: View, job: "SequentialJob") -> Move | None:
        """A job ended on the node: does another one leave?"""
