"""A load sharing policy: when it is asked, what it sees and what it answers."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, Protocol

from agents.sharing.job import SequentialJob
from agents.sharing.node_memory import Load, NodeMemory
from model.ground.clock import Clock
from model.ground.randomness import TIE, draws


class Move(NamedTuple):
    """Send this job to that node: remotely submitted if it has not begun yet, else migrated.

    A job that is held back begins at its home if that is the target.
    """

    job: SequentialJob
    target: int


class Hold(NamedTuple):
    """Hold this job, which has just arrived, back at its home until an answer is to move it."""

    job: SequentialJob


class Kill(NamedTuple):
    """End this job, which arrives or is here, before it has done its work."""

    job: SequentialJob


Answer = Move | Hold | Kill | None


class Buffered(Protocol):
    """The cluster, whose nodes may buffer I/O."""

    def set_buffers(self, size: int) -> None:
        """Let all nodes use `size` bytes of their RAM to buffer I/O from now on."""


class Deciding(Protocol):
    """The node that asks its policy (`workstation.py`)."""

    index: int
    memory: NodeMemory
    held: list[SequentialJob]
    clock: Clock

    @property
    def model(self) -> Buffered:
        """The cluster that it is in."""

    def states(self) -> Load:
        """Its load, in the form that the policy gives it."""

    def movable_jobs(self, settled: bool = True) -> list[SequentialJob]:
        """Its jobs, without those about to leave; `settled`: with their accounts up to date."""

    def running_jobs(self) -> list[SequentialJob]:
        """Its jobs that compute or wait for the CPU."""


class View:
    """What the deciding node knows: its own load now, and what the others last stated."""

    __slots__ = ("_workstation", "here", "node", "others", "seed")

    here: Any  # a Load of the policy's system
    others: Mapping[int, Any]  # by node, in node order

    def __init__(self, workstation: Deciding, others: Mapping[int, Load], seed: int) -> None:
        self._workstation = workstation
        self.node = workstation.index
        self.here = workstation.states()  # without a job that has just arrived
        self.others = others
        self.seed = seed

    @property
    def now_ns(self) -> int:
        """The time, in ns."""
        return self._workstation.clock.now_ns

    @property
    def held(self) -> list[SequentialJob]:
        """The jobs that are held back here, in the order of arrival."""
        return self._workstation.held

    @property
    def jobs(self) -> list[SequentialJob]:
        """The jobs here, without those about to leave; one that waits for a page moves after it."""
        return self._workstation.movable_jobs()

    @property
    def present(self) -> list[SequentialJob]:
        """The same jobs, but state, age and faults are of their last account: this is quicker."""
        return self._workstation.movable_jobs(settled=False)

    @property
    def running(self) -> list[SequentialJob]:
        """The jobs here that compute or wait for the CPU; one that waits for a page cannot move."""
        return self._workstation.running_jobs()

    def set_buffers(self, size: int) -> None:
        """Let all nodes use `size` bytes of their RAM to buffer I/O from now on."""
        self._workstation.model.set_buffers(size)

    def least(
        self, nodes: Iterable[int], key: Callable[[Any], tuple[float, ...]], job: int
    ) -> int | None:
        """The node with the smallest key, drawn among equals; None if there are no nodes."""
        keys = {node: key(self.others[node]) for node in nodes}
        if not keys:
            return None
        best = min(keys.values())
        equals = [node for node, value in keys.items() if value == best]
        if len(equals) == 1:
            return equals[0]
        return equals[int(next(draws(self.seed, TIE, job, self.node)) * len(equals))]


class Policy:
    """One policy in one run. This one moves nothing; others override the questions they answer.

    Each question is asked at the node that it is about; the answer is what happens to one job, or
    is None if nothing does.
    """

    def __init__(self, constants: Any) -> None:
        self.constants = constants

    def stated(self) -> Mapping[str, object]:
        """What the summary of a run has about the policy, by name."""
        return {}

    def states(self, node: Deciding) -> Load:
        """What a node reports about itself."""
        return node.memory.load

    def expecting(self, load: Any, job: SequentialJob) -> Load:
        """The load to count for a node with this load while the job is on its way to it."""
        expected: Load = load.plus(job)
        return expected

    def arrived(self, view: View, job: SequentialJob) -> Answer:
        """A job arrives at its home node: where does it, or one that runs there, go?"""

    def resized(self, view: View, job: SequentialJob) -> Answer:
        """A job on the node needs more memory, or less: does it, or another one, leave?"""

    def reported(self, view: View) -> Answer:
        """The node, which has jobs, is about to report its load: does one leave, or begin?"""

    def ended(self, view: View, job: SequentialJob) -> Answer:
        """A job ended on the node: does another one leave, or begin?"""
