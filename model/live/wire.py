"""The wire format: the packets that processes of a run send each other, and messages as bytes.

The head sends nodes what its scheduler and the scenario's faults do; nodes send the head what has
become of processes. Nodes send each other the protocol's messages, with the pages that go along.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Union, cast, get_type_hints

import msgspec

from agents.messages import DATA_PHASES, Content, Message
from agents.pnr.messages import Placed
from agents.pnr.protocol import Protocol
from agents.pnr.role import Metrics
from model.core.journal.kinds import Record
from model.core.users_code import plain
from model.ground.errors import ProtocolMistake, cut, shown
from model.pnr.cluster import Cluster
from model.pnr.design import Design
from model.pnr.job_spec import JobSpec


class Packet(msgspec.Struct, array_like=True, tag=True, frozen=True):
    """What one process sends another; a frame holds one."""


# The head -> a node


class Setup(Packet, frozen=True):
    """What the run is: the scenario as JSON, the design, and what the node is to do."""

    node: int
    scenario: str
    design: str
    jobs: list[int]  # the numbers of all
    time_scale: float
    journal_level: str | None  # None: no journal
    checks: bool
    incarnation: int  # how often the node's process was started before
    stored: str | None  # what its roles have stored before, as in `Report`


class Peer(Packet, frozen=True):
    """The node's end of a connection to another node is on the channel."""

    node: int


class Begin(Packet, frozen=True):
    """The run began at this time of the machine's clock."""

    epoch_ns: int


class Place(Packet, frozen=True):
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


class Switch(Packet, frozen=True):
    """The process of a job runs from now on, or no longer."""

    job: int
    runs: bool


class Kill(Packet, frozen=True):
    """The process of a job is no more, since another node of the job has crashed."""

    job: int


class NodeGone(Packet, frozen=True):
    """Another node is gone, with all that was in its memory."""

    node: int


class Stop(Packet, frozen=True):
    """The run has ended."""


# A node -> the head


class ProcessState(msgspec.Struct, array_like=True, frozen=True):
    """How far a process is."""

    job: int
    state: int
    cpu_ns: int
    spent_ns: list[int]


OF_MEMORY = ("demand", "lent", "borrowed", "over", "beyond_ram")


class NodeState(Packet, frozen=True):
    """The node's memory, in bytes, and its processes."""

    memory: list[int]  # by the names in OF_MEMORY
    asked: int
    loans: dict[int, int]
    processes: list[ProcessState]
    progress: int  # counts starts, page faults, barriers and ends
    time_ns: int = 0  # up to which it has told what it has journaled


class Finished(Packet, frozen=True):
    """A process has computed its demand, at this time."""

    job: int
    attempt: int
    rank: int
    time_ns: int
    cpu_ns: int
    spent_ns: list[int]
    steps: int


class Report(Packet, frozen=True):
    """What the node has journaled, and what its roles have stored, since it last told."""

    records: list[Record]
    stored: str | None  # all of it, by role: a Python literal; None: as before


class Totals(Packet, frozen=True):
    """All that the node has counted."""

    tallies: dict[str, list[int]]  # by kind of message, as in `Tally`
    to: dict[int, tuple[int, int]]  # messages and bytes by target
    page_faults: tuple[int, int]  # from the disk, from the network
    disk: tuple[int, int, int, int, int]  # served, bytes, busy, waited, longest wait, in ns
    metrics: Metrics
    lost: int  # messages to nodes that were not there
    pages_checked: int  # that came back, byte for byte as they left
    pages_from_copy: int  # that a lender did not have any more, or not as they left
    events: int


class Failed(Packet, frozen=True):
    """The node cannot go on: `mistake` if a person can mend it, or else a bug's traceback."""

    text: str
    mistake: bool


# A node -> another


class MessagePacket(Packet, frozen=True):
    """A message, and with a page request or reply the page that goes along."""

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


_ANY_PACKET: Any = Union[tuple(Packet.__subclasses__())]  # noqa: UP007  # it is made here


def _in_plain(value: object) -> object:
    """What msgspec does not know: a sequence or a number of somebody's."""
    if isinstance(value, Sequence):
        return list(value)
    made_plain = plain(value)
    if made_plain is value:
        raise TypeError(f"{shown(value)} is neither a number nor a text, tuple, list or dict")
    return made_plain


_encoder = msgspec.msgpack.Encoder(enc_hook=_in_plain)
_decoder = msgspec.msgpack.Decoder(_ANY_PACKET)


def encode(packet: Packet) -> bytes:
    """The frame that holds a packet."""
    return _encoder.encode(packet)


def decode(frame: bytes) -> Packet:
    """The packet that a frame holds."""
    return cast(Packet, _decoder.decode(frame))


def kinds_of(design: Design) -> tuple[type[Content], ...]:
    """The kinds of messages that nodes send each other under a design."""
    return (*Cluster.message_kinds, *design.message_kinds())


class MessageCodec:
    """Encodes messages as packets, and decodes them.

    Contents and headers come back in the types with which their fields are annotated.
    """

    def __init__(self, kinds: Iterable[type[Content]], protocol: Protocol) -> None:
        self._kinds = {kind.__name__: kind for kind in kinds}
        headed = protocol.client.receive_with_header
        self._decoders: dict[object, msgspec.msgpack.Decoder[Any]] = {}
        self._header = get_type_hints(headed).get("header", Any) | None

    def encode(self, message: Message) -> MessagePacket:
        """A message as it travels, without a page; ProtocolMistake if it cannot."""
        kind = type(message.content)
        try:
            content = msgspec.Raw(_encoder.encode(message.content))
            header = msgspec.Raw(_encoder.encode(message.header))
            if message.content.phase not in DATA_PHASES:  # those are ours
                self._decoded(content, kind)
        except (NameError, TypeError, ValueError, OverflowError, msgspec.MsgspecError) as error:
            reason = cut(f"{error}", 200)
            raise ProtocolMistake(f"sends {kind.__name__}, which cannot travel: {reason}") from None
        return MessagePacket(
            kind.__name__,
            message.number,
            getattr(message, "cause", 0),
            message.sent_ns,
            message.size_bytes,
            content,
            header,
        )

    def decode(self, packet: MessagePacket, source: int, target: int) -> Message:
        content = self._decoded(packet.content, self._kinds[packet.kind])
        message = Message(source, target, packet.number, content, packet.size_bytes, packet.sent_ns)
        message.cause = packet.cause
        message.header = self._decoded(packet.header, self._header)
        return message

    def _decoded(self, raw: msgspec.Raw, kind: object) -> Any:
        if kind not in self._decoders:
            self._decoders[kind] = msgspec.msgpack.Decoder(kind)
        return self._decoders[kind].decode(raw)
