"""What the head and the nodes of a run tell each other, and how contents become bytes.

The head tells nodes what its scheduler and the scenario's faults do; nodes tell the head what has
become of processes. Nodes send each other the protocol's messages, pages and barriers as `Carried`.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Union, cast, get_type_hints

import msgspec

from agents.messages import DATA_PHASES, Content, Message
from agents.pnr.messages import Placed
from agents.pnr.moving import ProcessTransfer
from agents.pnr.protocol import Protocol
from agents.pnr.role import Answer, Level
from model.core.journal.kinds import Record
from model.core.users_code import plain
from model.ground.errors import ProtocolMistake, cut, shown
from model.pnr.cluster import Cluster
from model.pnr.design import Design
from model.pnr.job_spec import JobSpec


class Told(msgspec.Struct, array_like=True, tag=True, frozen=True):
    """Something that one process tells another."""


# The head -> a node


class Setup(Told, frozen=True):
    """What the run is: the scenario as JSON, the design, and what the node is to do."""

    scenario: str
    design: str
    jobs: tuple[int, ...]  # the numbers of all
    time_scale: float
    journal_level: str | None  # None: no journal
    checks: bool
    spins: bool  # whether it is busy while a process computes
    incarnation: int  # how often the node's process was started before
    stored: str  # what its roles have stored before, as `Stored` told it


class Peers(Told, frozen=True):
    """Where the nodes listen, by node; None: nobody is there."""

    addresses: list[tuple[str, int] | None]


class Begin(Told, frozen=True):
    """The run begins, at this time of the node's clock; or goes on, for a node that comes back.

    Its servent is down, with so many crashes of which it has not recovered; 0: it starts.
    """

    epoch_ns: int
    crashes: int
    for_ever: bool  # whether the servent stays down


class Place(Told, frozen=True):
    """A process of a job is on the node from `start_ns` on."""

    spec: JobSpec
    first_process: int
    rank: int
    nodes: list[int]
    placed: Placed  # what its client must know
    steps: int  # that its earlier attempts may have journaled
    start_ns: int
    runs: bool  # whether its job does
    cause: int  # the record of its placing


class Switch(Told, frozen=True):
    """The processes of a job run from now on, or no longer."""

    job: int
    runs: bool


class Kill(Told, frozen=True):
    """A process is no more, since a node of its job has crashed."""

    job: int


class Depart(Told, frozen=True):
    """A process moves to another node."""

    job: int
    target: int


class Expect(Told, frozen=True):
    """A process of a job comes from another node: it has its memory here from now on."""

    place: Place
    source: int


class Moved(Told, frozen=True):
    """The process of this rank is on another node from now on."""

    job: int
    rank: int
    node: int


class Left(Told, frozen=True):
    """A process that has moved is on its new node: free what it held here."""

    job: int


class CrashServent(Told, frozen=True):
    """The servent loses its roles' state."""

    for_ever: bool


class RestartServent(Told, frozen=True):
    """The servent begins anew."""


class LoseMemory(Told, frozen=True):
    """The node is not there: it holds nothing and answers no page requests."""


class ComeBack(Told, frozen=True):
    """The node answers page requests again."""


class Leave(Told, frozen=True):
    """The node is leaving."""

    deadline_ns: int


class NodeGone(Told, frozen=True):
    """Another node is gone, with all that was in its memory."""

    node: int


class Stop(Told, frozen=True):
    """The run has ended."""


class ReadClock(Told, frozen=True):
    """Say what your clock shows."""


# A node -> the head


class Hello(Told, frozen=True):
    """Which node this is; `boot` names the machine and what its clock counts from."""

    node: int
    boot: str


class Listening(Told, frozen=True):
    """The design is loaded, and the node listens at this address."""

    host: str
    port: int


class Connected(Told, frozen=True):
    """The others that are there have been reached, but for what is said here."""

    complaints: list[str]


class ClockShows(Told, frozen=True):
    """What the node's clock shows."""

    time_ns: int


class Standing(msgspec.Struct, array_like=True, frozen=True):
    """Where a process stands."""

    job: int
    state: int
    cpu_ns: int
    spent_ns: list[int]


class Ledger(Told, frozen=True):
    """The ledger of the node as it is now, in bytes, and its processes."""

    demand: int
    lent: int
    borrowed: int
    over: int
    beyond_ram: int
    asked: int
    loans: dict[int, int]
    processes: list[Standing]
    progress: int  # counts starts, page faults, barriers and ends


class Finished(Told, frozen=True):
    """A process has computed its demand, at this time."""

    job: int
    attempt: int
    rank: int
    time_ns: int
    cpu_ns: int
    spent_ns: list[int]
    steps: int
    awaited_ns: list[int]  # for how long the others waited for each rank at barriers: the master's


class Arrived(Told, frozen=True):
    """A process that has moved is on its new node."""

    job: int
    rank: int


class Records(Told, frozen=True):
    """What the node has journaled since it last told."""

    records: list[Record]


class Failed(Told, frozen=True):
    """The node cannot go on: `mistake` if a person can mend it, or else a bug's traceback."""

    text: str
    mistake: bool


class Stored(Told, frozen=True):
    """What the roles of the node have stored, by role: a Python literal."""

    values: str


class Complaint(Told, frozen=True):
    """Something that is no reason to stop: a stranger has connected, say."""

    text: str


class Counted(msgspec.Struct, array_like=True, frozen=True):
    """Messages of one kind: sent, arrived, lost; each with its bytes."""

    sent: int
    sent_bytes: int
    delivered: int
    delivered_bytes: int
    lost: int
    lost_bytes: int


class Totals(Told, frozen=True):
    """All that a node has counted."""

    kinds: dict[str, Counted]
    to: dict[int, tuple[int, int]]  # messages and bytes by target
    faults_disk: int
    faults_network: int
    disk: tuple[int, int, int, int, int]  # served, bytes, busy, waited, longest wait, in ns
    answers: list[Answer]
    counts: dict[str, int]
    job_counts: list[tuple[str, int, int]]
    levels: list[tuple[str, str, Level]]
    ignored: int
    stored: int
    lost: dict[str, int]
    duplicated: int
    delayed: int
    pages_checked: int  # that came back, byte for byte as they left
    pages_from_copy: int  # that a lender did not have any more, or not as they left
    events: int


# A node -> another


class Carried(Told, frozen=True):
    """A message on its way, and with a page request or reply the page that goes along."""

    kind: str
    number: int
    cause: int
    sent_ns: int
    size_bytes: int
    content: msgspec.Raw
    header: msgspec.Raw
    page: bytes = b""
    evicted: int = -1  # which one that is, in a page request; -1: none
    wanted: int = -1  # of a page request: the page that is to come back
    forget: list[int] = []  # pages that its sender has back


class PagesMoved(Told, frozen=True):
    """Some pages of a process that moves, from the first one's number on."""

    job: int
    first: int
    versions: list[int]
    contents: list[bytes]


class Luggage(Told, frozen=True):
    """What a process that moves takes along besides its pages."""

    job: int
    cpu_ns: int
    pause_ns: int
    spent_ns: list[int]
    since_ns: int
    steps: int
    drawn: list[int]  # the states of its streams of draws
    reached_ns: int


class Introduction(Told, frozen=True):
    """The node that has connected to another says which one it is."""

    node: int


_ANYTHING: Any = Union[tuple(Told.__subclasses__())]  # noqa: UP007  # it is made here


def _in_plain(value: object) -> object:
    """What msgspec does not know: a sequence or a number of somebody's."""
    if isinstance(value, Sequence):
        return list(value)
    made_plain = plain(value)
    if made_plain is value:
        raise TypeError(f"{shown(value)} is neither a number nor a text, tuple, list or dict")
    return made_plain


_encoder = msgspec.msgpack.Encoder(enc_hook=_in_plain)
_decoder = msgspec.msgpack.Decoder(_ANYTHING)


def told(frame: bytes) -> Told:
    """What a frame says; raises ValueError if it says nothing of this."""
    try:
        said: Told = _decoder.decode(frame)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise ValueError(str(error)) from None
    return said


def frame_of(what: Told) -> bytes:
    """The frame that says this."""
    return _encoder.encode(what)


def kinds_of(design: Design) -> tuple[type[Content], ...]:
    """The kinds of messages that nodes send each other under a design."""
    return (*Cluster.message_kinds, *design.message_kinds(), ProcessTransfer)


class Contents:
    """How contents of messages, and headers, become bytes and come back.

    What comes back has the types that the fields of its kind are annotated with.
    """

    def __init__(self, kinds: Iterable[type[Content]], protocol: Protocol) -> None:
        self._kinds: Mapping[str, type[Content]] = {kind.__name__: kind for kind in kinds}
        self._decoders: dict[object, Any] = {}
        headed = protocol.client.receive_with_header
        self._header = get_type_hints(headed).get("header", Any)

    def carried(self, message: Message) -> Carried:
        """A message as it travels, without a page. Raises ProtocolMistake if it cannot."""
        try:
            content = _encoder.encode(message.content)
            header = _encoder.encode(message.header)
            if message.content.phase not in DATA_PHASES:  # those are ours
                self._decoded(msgspec.Raw(content), type(message.content))
        except (
            NameError,
            TypeError,
            ValueError,
            OverflowError,
            RecursionError,
            msgspec.MsgspecError,
        ) as error:
            name = type(message.content).__name__
            reason = cut(f"{error}", 200)
            raise ProtocolMistake(f"sends {name}, which cannot travel: {reason}") from None
        return Carried(
            type(message.content).__name__,
            message.number,
            getattr(message, "cause", 0),
            message.sent_ns,
            message.size_bytes,
            msgspec.Raw(content),
            msgspec.Raw(header),
        )

    def message(self, carried: Carried, source: int, target: int) -> Message:
        """The message that has travelled. Raises ValueError if it is none."""
        kind = self._kinds.get(carried.kind)
        if kind is None:
            raise ValueError(f"no message is called {cut(carried.kind, 40)}")
        try:
            content = cast(Content, self._decoded(carried.content, kind))
            header = self._decoded(carried.header, self._header | None)
        except (msgspec.MsgspecError, ProtocolMistake, RecursionError, TypeError) as error:
            raise ValueError(f"{carried.kind}: {cut(str(error), 200)}") from None
        message = Message(
            source, target, carried.number, content, carried.size_bytes, carried.sent_ns
        )
        message.cause, message.header = carried.cause, header
        return message

    def _decoded(self, raw: msgspec.Raw, kind: object) -> object:
        if kind not in self._decoders:
            self._decoders[kind] = msgspec.msgpack.Decoder(kind)
        decoded: object = self._decoders[kind].decode(raw)
        return decoded
