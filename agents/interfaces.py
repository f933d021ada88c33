"""The types of what agents expect of one another and of the emulation that they live in.

They stand here so that no file has to import another one merely to name a type.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from agents.messages import Message
from model.ground.clock import Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseConstants:
    """What the agents of every system must know about the scenario, in ns and bytes."""

    rams: tuple[int, ...]  # by node
    page: int
    disks_ns: tuple[int, ...]  # service of one page fault, by node
    disk_bytes: int  # that a disk moves for a page fault: one page, or one out and one in
    latency_ns: int
    switch_ns: int
    sizes: object  # of messages, for their kinds' functions of size


class Parameters(Protocol):
    """The part of the scenario that the agents of every system use."""

    @property
    def seed(self) -> int:
        """Of all random draws."""


class Place(Protocol):
    """A node as the journal names it."""

    index: int


class Drive(Protocol):
    """A disk as the journal names it; what it has served counts its requests."""

    node: int
    name: str
    served: int


class Job(Protocol):
    """The job to which something that computes on a node belongs."""

    number: int  # in the trace
    first_process: int  # the index of its first process among the processes of all jobs


class Computing(Protocol):
    """Something that computes on a node, as the journal names it."""

    rank: int
    cause: int  # the record that let it compute, for the journal
    steps: int  # journaled so far

    @property
    def job(self) -> Job:
        """The job that it belongs to, or is."""

    @property
    def node(self) -> Place | None:
        """Where it is."""


class Resident(Computing, Protocol):
    """Something that computes on a node and waits for its disk: a process or a sequential job."""

    def page_loaded(self) -> None:
        """Go on: the page has been read."""


class Moving(Resident, Protocol):
    """A process that moves with its memory."""

    size: int  # of its memory, in bytes


class Journal(Protocol):
    """What agents report to (`model/core/journal/writer.py` has what becomes of it)."""

    cause: int
    job: int | None

    def because(self, cause: int, job: int | None) -> None:
        """Record `cause` and `job` as the reason for whatever is reported from now on."""

    def sent(self, message: Message) -> None:
        """A node sends a message, over the network or to itself."""

    def hop(self, message: Message, station: str, start_ns: int, end_ns: int) -> None:
        """A message reaches a station, which serves it from start to end."""

    def delivered(self, message: Message) -> None:
        """A message reaches its node."""

    def lost(self, message: Message, why: str) -> None:
        """A message does not reach the one that it is for."""

    def failed(self, kind: str, node: int, what: str, end_ns: int | None = None) -> None:
        """A servent or a node crashed, restarted, paused or continued; a node comes or goes."""

    def disk(
        self, process: Computing, disk: Drive, size_bytes: int, start_ns: int, end_ns: int
    ) -> int:
        """A disk will serve `size_bytes` from start to end; returns the record's id."""

    def process(self, kind: str, process: Computing) -> None:
        """A process started, faults, reaches a barrier, goes on from it or finishes."""

    def scheduled(
        self,
        kind: str,
        job: int | None = None,
        slot: int | None = None,
        nodes: list[int] | None = None,
        memory: int | None = None,
        **details: object,
    ) -> None:
        """The scheduler did something with a job or with its time slots; memory is in bytes."""

    def timer(self, node: int, role: str, name: str, count: int, cause: int) -> None:
        """A timer of this name fires, which the role of a node has set because of `cause`."""

    def noted(self, node: int, role: str, name: str, value: object) -> None:
        """A role notes something about itself, in words of its own."""

    def decided(self, node: int, role: str, choice: object, true: Mapping[int, int]) -> None:
        """A role chose a node, or none (`Decided` in `agents/pnr/role.py`); loads are in bytes."""

    def loan(self, node: int, kind: str, amount: int, server: int | None) -> None:
        """Memory is lent or returned at a server, borrowed or given back at a client."""

    def resized(self, process: Computing, size: int) -> int:
        """A process holds `size` bytes from now on; returns the record's id."""

    def moved(self, kind: str, process: Moving, node: Place, peer: Place) -> None:
        """A process has departed from a node to its peer, or arrived at a node from its peer."""


class Faults(Protocol):
    """What decides what becomes of messages (`model/pnr/faults.py`)."""

    touch_data: bool  # whether pages and barriers may be lost

    def sent(self, message: Message) -> None:
        """A message has been put on its way."""

    def lets_in(self, message: Message) -> bool:
        """Whether a message that has arrived is handed to its node."""


class Network(Protocol):
    """What carries messages between nodes (`model/core/network.py`)."""

    def send(self, message: Message) -> None:
        """Put a message on its way to another node."""


class Surroundings(Protocol):
    """The part of the Mesa model (`model/core/emulation.py`) that the agents of all systems use.

    A system's agents derive their own, which names what they use besides.
    """

    clock: Clock
    journal: Journal | None  # None if nobody reads it
    network: Network
    constants: BaseConstants
    parameters: Parameters
    nodes: Sequence[Place]
