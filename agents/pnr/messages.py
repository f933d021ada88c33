"""What servents and processes say to each other (spec: messages, and servents and their roles).

Contents are immutable and know neither sender nor time; the `Message` that carries one does.
`job` is the trace's job number everywhere.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple


class Word(NamedTuple):
    """What a node said of its own load, and when."""

    load: int  # RAM - demand, in bytes
    stated_ns: int


class Loan(NamedTuple):
    """Memory granted by one server, with the manager's newest word of that server."""

    server: int
    amount: int
    word: Word


@dataclass(frozen=True, slots=True)
class PageRequest:
    """Process -> lender: the page that was missing."""

    job: int
    rank: int


@dataclass(frozen=True, slots=True)
class PageReply:
    """Lender -> process: the page."""

    job: int
    rank: int


@dataclass(frozen=True, slots=True)
class BarrierArrive:
    """Worker -> master: this rank has computed up to the barrier."""

    job: int
    rank: int


@dataclass(frozen=True, slots=True)
class BarrierRelease:
    """Master -> worker: all have arrived, go on."""

    job: int
    rank: int


@dataclass(frozen=True, slots=True)
class RamRequest:
    """Client -> manager: a process starts here and `need` bytes have no place.

    `clients` is how many requests of this job the manager is to wait for.
    """

    job: int
    rank: int
    clients: int
    need: int
    word: Word


@dataclass(frozen=True, slots=True)
class ServerRequest:
    """Manager -> server: lend up to `amount` bytes."""

    job: int
    amount: int


@dataclass(frozen=True, slots=True)
class ServerReply:
    """Server -> manager: `granted` bytes are lent, from now on."""

    job: int
    granted: int
    word: Word


@dataclass(frozen=True, slots=True)
class RamGrant:
    """Manager -> client: your loans (perhaps none); the process may start."""

    job: int
    rank: int
    loans: tuple[Loan, ...]


@dataclass(frozen=True, slots=True)
class LoadBroadcast:
    """Manager -> manager: the newest words I have, by node."""

    job: int
    table: tuple[tuple[int, Word], ...]


@dataclass(frozen=True, slots=True)
class ReleaseNotice:
    """Client -> manager: a process ended here; these (server, amount) pairs are free again."""

    job: int
    rank: int
    clients: int
    returns: tuple[tuple[int, int], ...]
    word: Word


@dataclass(frozen=True, slots=True)
class ServerRelease:
    """Manager -> server: `amount` bytes that you lent are yours again."""

    job: int
    amount: int


@dataclass(frozen=True, slots=True)
class ReleaseAck:
    """Server -> manager: taken back."""

    job: int
    word: Word


PAGE_TRAFFIC = (PageRequest, PageReply)
BARRIER_TRAFFIC = (BarrierArrive, BarrierRelease)
PROTOCOL = (
    RamRequest,
    ServerRequest,
    ServerReply,
    RamGrant,
    LoadBroadcast,
    ReleaseNotice,
    ServerRelease,
    ReleaseAck,
)
KINDS = tuple(content.__name__ for content in PAGE_TRAFFIC + BARRIER_TRAFFIC + PROTOCOL)


@dataclass(frozen=True, slots=True)
class MessageSizes:
    """Sizes in bytes (spec: hardware); what a message carries beside its text adds to it."""

    page_request: int
    page_reply: int
    barrier: int
    protocol: int
    pair: int  # each (server, amount) pair of a protocol message
    broadcast: int
    entry: int  # each node of a broadcast table

    def of(self, content: Any) -> int:
        """The size of a message with this content."""
        match content:
            case PageRequest():
                return self.page_request
            case PageReply():
                return self.page_reply
            case BarrierArrive() | BarrierRelease():
                return self.barrier
            case RamGrant(loans=pairs) | ReleaseNotice(returns=pairs):
                return self.protocol + self.pair * len(pairs)
            case LoadBroadcast(table=table):
                return self.broadcast + self.entry * len(table)
        return self.protocol


class Send(NamedTuple):
    """What a role wants: this content, to that node's servent (perhaps its own)."""

    target: int
    content: Any


class StartProcess(NamedTuple):
    """What a client wants: the process of this job on its node may start."""

    job: int
