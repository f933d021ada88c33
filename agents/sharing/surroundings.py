"""What workstations expect of the cluster that they live in."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from agents.disk import Disk
from agents.interfaces import BaseConstants, Parameters, Place, Surroundings
from agents.sharing.job import SequentialJob
from agents.sharing.messages import JobSent, SharingSizes
from agents.sharing.node_memory import Load, NodeMemory
from agents.sharing.policy import Policy
from model.ground.delays import transmission_ns


@dataclass(frozen=True, slots=True, kw_only=True)
class SharingCosts(BaseConstants):
    """What moving and running jobs costs, in ns and bytes; systems override what differs."""

    disk: Callable[[Surroundings, int], Disk]  # makes what serves the pages of a node
    sizes: SharingSizes
    speeds: tuple[int, ...]  # by node: units of work done in a ns of CPU time
    disk_ns: int  # of every node
    slice_ns: int
    context_switch_ns: int
    remote_ns: int  # r: fixed cost of every move
    bandwidth_mbps: float

    def request_ns(self, size: int) -> int:
        """Service time of an I/O request at the disk, in a system whose jobs do I/O."""
        raise NotImplementedError

    def submission_data(self, job: SequentialJob) -> int:
        """The bytes that go with a job that is remotely submitted."""
        return 0

    def moving_ns(self, data: int) -> int:
        """r: the cost of moving a job with `data` bytes, without the network's part."""
        return self.remote_ns

    def migration_ns(self, data: int) -> int:
        """r + D/B: the cost of moving a job with `data` bytes."""
        return self.moving_ns(data) + transmission_ns(data, self.bandwidth_mbps)


class SharingParameters(Parameters, Protocol):
    """The part of the scenario that workstations use."""

    @property
    def transfer(self) -> str:
        """How jobs travel: "formula", or as messages."""


class Reports(Protocol):
    """What nodes know about each other's load, and how they learn it."""

    def table(self, node: int) -> Mapping[int, Load]:
        """What this node believes about the others now."""

    def sent(self, source: int, target: int, job: SequentialJob) -> None:
        """Let a node that sends a job to another remember it until that one reports again."""

    def arrived(self, node: int, source: int, load: Load) -> None:
        """Store a report that arrives at a node."""

    def announced(self, node: int, news: JobSent) -> None:
        """Let a node count a job that it hears is on its way."""

    def changed(self, node: int) -> None:
        """React to a node's load that may have changed."""


class Neighbor(Place, Protocol):
    """Another workstation, to which a job is sent."""

    coming: dict[int, SequentialJob]

    def place(self, job: SequentialJob) -> None:
        """Take in a job, which is here from now on."""


class SharingSurroundings(Surroundings, Protocol):
    """The part of the cluster that workstations use."""

    name: str  # of the policy
    constants: SharingCosts
    parameters: SharingParameters
    policy: Policy
    reports: Reports
    nodes: Sequence[Neighbor]

    def memory_of(self, node: int) -> NodeMemory:
        """A new ledger of a node's memory."""

    def job(self, number: int) -> SequentialJob:
        """The job with this number; raises KeyError if there is none."""

    def job_ended(self) -> None:
        """Count one more job as done."""

    def set_buffers(self, size: int) -> None: ...
