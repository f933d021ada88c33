"""The messages that servents and processes exchange (thesis, sections 2.2 and 3.1.3).

Contents are immutable and know neither their sender nor the time; the `Message` that carries one
does.
`job` is always the job's number in the trace.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple
from warnings import warn

from agents.messages import Carried, Content, message


@dataclass(frozen=True, slots=True)
class MessageSizes:
    """Sizes in bytes; pairs and table entries that a message carries add to its own size."""

    page_request: int
    page_reply: int
    barrier: int
    protocol: int
    pair: int  # each (server, amount) pair of a protocol message
    broadcast: int
    entry: int  # each node of a broadcast table
    exchange: int = 0  # data for the next process of a job; 0: they exchange none


class LoadReport(NamedTuple):
    """What a node stated about its own load, and when.

    Messages that have one call it `word`, as journals do.
    """

    load: int  # RAM - demand, in bytes
    stated_ns: int


def __getattr__(name: str) -> object:
    """`Word`, the name that LoadReport had, is read for one release."""
    if name == "Word":
        warn("agents.pnr.messages.Word is called LoadReport now", FutureWarning, stacklevel=2)
        return LoadReport
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class ToProcess(Content):
    """Base of messages to a process, here to the one that they are about."""

    __slots__ = ()
    job: int
    rank: int
    #: The job and the rank of the process that hears it.
    receiver = property(attrgetter("job", "rank"))


class LoanAnswer(Content):
    """Base of messages that answer a need for memory; the sender lends `amount` bytes."""

    __slots__ = ()

    def carries(self, sender: int, target: int) -> Carried | None:
        return ((sender, self.amount),) if self.amount else ()

    @property
    def refused(self) -> bool:
        return not self.amount


class LoanReturned(Content):
    """Base of messages that tell a server that `amount` bytes it has lent are free again."""

    __slots__ = ()

    def carries(self, sender: int, target: int) -> Carried:
        return ((target, self.amount),) if self.amount else ()


class LoadStated(Content):
    """Base of messages that report their sender's load, in `word`, and no other."""

    __slots__ = ()
    word: LoadReport

    @property
    def words(self) -> tuple[tuple[None, LoadReport]]:
        return ((None, self.word),)


class Request(NamedTuple):
    """The id of a request: the role that asks, and its count of requests. It costs no bytes."""

    node: int
    role: str
    incarnation: int  # of the node's servent
    count: int  # type: ignore[assignment]  # from 1 on; it hides the method of tuples


class Loan(NamedTuple):
    """Memory granted by one server, with the manager's newest load report about that server."""

    server: int
    amount: int
    word: LoadReport


class Return(NamedTuple):
    """Memory of one loan that a client does not need any more."""

    server: int
    request: Request | None  # for which the server has lent it
    amount: int


class Placed(NamedTuple):
    """What a client must know about a process that the scheduler has placed on its node."""

    job: int
    rank: int
    clients: int  # of the job that ask the same manager
    manager: int | None  # whom to ask; None if nobody manages
    attempt: int = 1  # to run the job, which begins again after a crash of one of its nodes

    @property
    def key(self) -> tuple[int, int]:
        """Its job and its rank."""
        return self.job, self.rank


@message("page", hears="node", size_bytes="page_request")
class PageRequest(Content):
    """Process -> lender: the page that was missing; where pages may be lost, it has a number."""

    job: int
    rank: int
    page: int = 0


@message("page", hears="process", size_bytes="page_reply")
class PageReply(ToProcess):
    """Lender -> process: the page."""

    job: int
    rank: int
    page: int = 0


@message("barrier", hears="process", size_bytes="barrier")
class BarrierArrive(ToProcess):
    """Worker -> master: this rank has reached the barrier, after so much CPU time.

    Where processes do not synchronize centrally, it goes to other ranks (`synchronization.py`).
    """

    job: int
    rank: int
    barrier_ns: int = 0
    to: int = 0
    receiver = property(attrgetter("job", "to"))


@message("barrier", hears="process", size_bytes="barrier")
class BarrierRelease(ToProcess):
    """Master -> worker: all have arrived; go on."""

    job: int
    rank: int
    barrier_ns: int = 0


@message("start", hears="manager", size_bytes="protocol", hidden=("clients", "request", "attempt"))
class RamRequest(Content):
    """Client -> manager: a process starts here, and `need` bytes do not fit.

    `clients` is the number of requests of this job that the manager waits for.
    """

    job: int
    rank: int
    clients: int
    need: int
    word: LoadReport
    request: Request
    attempt: int = 1

    @property
    def amount(self) -> int:
        return self.need

    carries = Content.carries_nothing


@message("start", hears="server", size_bytes="protocol", hidden=("request",))
class ServerRequest(Content):
    """Manager -> server: lend up to `amount` bytes."""

    job: int
    amount: int
    request: Request

    carries = Content.carries_nothing


@message("start", hears="manager", size_bytes="protocol", hidden=("request",))
class ServerReply(LoanAnswer):
    """Server -> manager: `granted` bytes are lent, from now on."""

    job: int
    granted: int
    word: LoadReport
    request: Request

    @property
    def amount(self) -> int:
        return self.granted


@message(
    "start",
    hears="client",
    size_bytes=lambda grant, sizes: sizes.protocol + sizes.pair * len(grant.loans),
    hidden=("request", "lent_for"),
)
class RamGrant(Content):
    """Manager -> client: your loans (perhaps none); the process may start.

    `lent_for` has the request for which each loan is lent, and `need` what was asked for; they cost
    no bytes.
    """

    job: int
    rank: int
    loans: tuple[Loan, ...]
    request: Request
    lent_for: tuple[Request | None, ...] = ()
    need: int = 0

    @property
    def amount(self) -> int:
        return sum(loan.amount for loan in self.loans)

    def carries(self, sender: int, target: int) -> Carried:
        return tuple((loan.server, loan.amount) for loan in self.loans)

    @property
    def refused(self) -> bool:
        return self.need > 0 and not self.loans


@message(
    "telling",
    hears="manager",
    size_bytes=lambda news, sizes: sizes.broadcast + sizes.entry * len(news.words),
)
class LoadBroadcast(Content):
    """Manager -> manager: the newest load reports that I have, by node."""

    job: int
    words: Sequence[tuple[int, LoadReport]]


@message(
    "end",
    hears="manager",
    size_bytes=lambda notice, sizes: sizes.protocol + sizes.pair * len(notice.returns),
    hidden=("clients", "parts", "attempt"),
)
class ReleaseNotice(Content):
    """Client -> manager: a process ended here; these (server, amount) pairs are free again.

    `parts` has the loans that they are parts of; it costs no bytes.
    """

    job: int
    rank: int
    clients: int
    returns: tuple[tuple[int, int], ...]
    word: LoadReport
    parts: tuple[Return, ...] = ()
    attempt: int = 1

    @property
    def amount(self) -> int:
        return sum(amount for _, amount in self.returns)

    def carries(self, sender: int, target: int) -> Carried:
        return self.returns


@message("end", hears="server", size_bytes="protocol", hidden=("parts", "request"))
class ServerRelease(LoanReturned):
    """Manager -> server: `amount` bytes that you lent are yours again.

    `parts` has the requests for which they were lent; it costs no bytes. A release of no job says
    `None`.
    """

    job: int | None
    amount: int
    parts: tuple[tuple[Request | None, int], ...] = ()
    request: Request | None = None


@message("end", hears="manager", size_bytes="protocol", hidden=("request",))
class ReleaseAck(Content):
    """Server -> manager: I have taken them back."""

    job: int | None
    word: LoadReport
    request: Request | None = None
