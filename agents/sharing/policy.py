"""What a load sharing policy is: how it is asked, what it sees, what it answers."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, Protocol

from agents.sharing.job import SequentialJob
from agents.sharing.node_memory import NodeMemory
from model.ground.randomness import TIE, draws


class Move(NamedTuple):
    """This job is to go to that node: remotely submitted if it has not begun yet, else migrated.

    A job that is held back begins at its home if that is the target.
    """

    job: SequentialJob
    target: int


class Hold(NamedTuple):
    """This job, which has just arrived, is held back at its home until a `Move` is the answer."""

    job: SequentialJob


class Kill(NamedTuple):
    """This job, which arrives or is here, ends without having done its work."""

    job: SequentialJob


Answer = Move | Hold | Kill | None


class Deciding(Protocol):
    """The node that asks its policy (`workstation.py`)."""

    index: int
    memory: NodeMemory
    held: list[SequentialJob]
    model: Any

    def states(self) -> Any:
        """Its load, in the words of the policy."""

    def movable_jobs(self) -> list[SequentialJob]:
        """Its jobs without those about to leave."""

    def running_jobs(self) -> list[SequentialJob]:
        """Its jobs that compute or wait for the CPU."""


class View:
    """What the node that decides knows: its own load now, of the others what they last stated."""

    __slots__ = ("_workstation", "here", "node", "others", "seed")

    def __init__(self, workstation: Deciding, others: Mapping[int, Any], seed: int) -> None:
        self._workstation = workstation
        self.node = workstation.index
        self.here = workstation.states()  # without a job that has just arrived
        self.others = others  # by node, in node order
        self.seed = seed

    @property
    def held(self) -> list[SequentialJob]:
        """The jobs that are held back here, in the order of arrival."""
        return self._workstation.held

    @property
    def jobs(self) -> list[SequentialJob]:
        """The jobs here, without those about to leave; one that waits for a page moves after it."""
        return self._workstation.movable_jobs()

    @property
    def running(self) -> list[SequentialJob]:
        """The jobs here that compute or wait for the CPU; one that waits for a page cannot move."""
        return self._workstation.running_jobs()

    def set_buffers(self, size: int) -> None:
        """All nodes buffer I/O in so many bytes of their RAM from now on."""
        self._workstation.model.set_buffers(size)

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

    Each question is asked at the node that it is about; the answer says what happens to one job, or
    is None.
    """

    def __init__(self, constants: Any) -> None:
        self.constants = constants

    def stated(self) -> dict[str, Any]:
        """What a summary says of it after the run."""
        return {}

    def states(self, node: Deciding) -> Any:
        """What a node reports about itself."""
        return node.memory.load

    def expecting(self, load: Any, job: SequentialJob) -> Any:
        """What a node with this load counts for while the job is on its way there."""
        return load.plus(job)

    def arrived(self, view: View, job: SequentialJob) -> Answer:
        """A job arrives at its home node: where does it, or one that runs there, go?"""

    def resized(self, view: View, job: SequentialJob) -> Answer:
        """A job on the node needs other memory than before: does it, or another one, leave?"""

    def reported(self, view: View) -> Answer:
        """The node is about to send its periodic report: does a job leave, or begin?"""

    def ended(self, view: View, job: SequentialJob) -> Answer:
        """A job ended on the node: does another one leave, or begin?"""
