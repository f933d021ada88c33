"""What nodes, processes and servents expect of one another and of the cluster they live in."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from agents.interfaces import BaseConstants, Faults, Job, Moving, Surroundings
from agents.messages import Content, Message
from agents.pnr.messages import MessageSizes, Placed
from agents.pnr.synchronization import Synchronization

if TYPE_CHECKING:
    from agents.disk import Disk  # whose Mesa is slow to import
    from agents.pnr.page_costs import PageCosts


@dataclass(frozen=True, slots=True, kw_only=True)
class PnrConstants(BaseConstants):
    """What agents, schedulers and faults must know about the scenario, in ns and bytes."""

    disk: "Callable[[PnrSurroundings, int], Disk]"  # makes what serves the pages of a node
    sizes: MessageSizes
    speeds: tuple[int, ...]  # by node (model/ground/speed.py)
    reference_speed: int
    cores: tuple[int, ...]  # by node; each computes for one process
    most_cores: int  # of a node
    #: On which processes run, in the order in which jobs take them: one for each core, by node.
    #: Seat s is on node s % nodes; a node's first seat has the node's number.
    seats: tuple[int, ...]
    joins_ns: tuple[int, ...]  # when each node is there; 0: from the beginning
    #: By node, from when on it is leaving, and how long it stays at least; None: it never leaves.
    leaves_ns: tuple[tuple[int, int] | None, ...]
    threshold: int  # what a server never lends
    skip_below: int | None  # managers skip servers believed to have no more; None: they ask all
    relocates_above: int  # a process relocates if it exceeds a node's RAM by more
    relocality_unit: int  # what a change of locality unloads is a multiple of so many bytes
    drifts: bool  # a page that is loaded displaces another, so D stays 0
    page_walk_ns: int  # R * page: the CPU time for which a linear walk stays in one page
    barrier_ns: int
    synchronization: Synchronization
    grant_timeout_ns: int | None  # a process waits no longer for its grant; None: for ever
    quantum_ns: int
    pcs_ns: int
    slots: int
    drain_ns: int  # for so long timers go on after the last job, at most
    stall_ns: int  # a run that stands still for longer has stalled
    page_timeout_ns: int  # after which a process notices that a page message is lost
    barrier_timeout_ns: int


class FaultyNetwork(Protocol):
    """A network on which messages may be lost."""

    @property
    def faults(self) -> Faults | None:
        """None: nothing happens to messages."""

    def send(self, message: Message) -> None: ...


class PnrSurroundings(Surroundings, Protocol):
    """The part of the cluster that nodes and processes use."""

    constants: PnrConstants
    network: FaultyNetwork
    page_costs: "PageCosts | None"


class PlacedJob(Job, Protocol):
    """A job whose processes are on nodes."""

    nodes: list[int]  # by rank
    attempt: int  # to run it
    running: bool  # whether its processes may compute now


class PlacedProcess(Moving, Protocol):
    """A process as its node and the node's servent see it."""

    state: int
    placed: Placed | None  # what its client must know about it; None before that is known

    @property
    def job(self) -> PlacedJob:
        """The job that it belongs to."""

    @property
    def key(self) -> tuple[int, int]:
        """Its job's number and its rank."""

    def start(self) -> None:
        """Begin, as the client allows; the process computes as soon as its job runs."""

    def receive(self, content: Content) -> None:
        """Take a message of the data plane."""

    def give_up_page(self, when_ns: int, request: Message) -> None:
        """Read a page from the disk at a time, for its lender has crashed: the request is lost."""

    def send_again(self, when_ns: int, lost: Message) -> None:
        """Ask again for a page, or send a barrier message again, at a time: it was lost."""

    def overallocation_changed(self) -> None:
        """React to the node's O, which has changed."""
