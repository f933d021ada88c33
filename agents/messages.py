"""A message is content on its way from node to node; the class of its content is its kind.

`@message(phase, hears, size_bytes)` declares a kind. Everything about a kind stands in its class,
and nothing else lists kinds. The phase is what a message is for, in tables, pictures and reports:

- "page", "barrier", "exchange": data traffic, repeated at each page fault and barrier, which a
  journal of the level `protocol` leaves out;
- "start": what leads to the start of a process: who lacks memory and who lends it;
- "telling": news between nodes, for which nobody waits; several messages of one kind that a node
  sends at one instant for one cause are a broadcast;
- "end": what leads to the return of lent memory;
- "moving": a job or a process on its way to another node.

Your own protocol may name other phases.
"""

import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields
from inspect import signature
from types import ModuleType
from typing import Any, ClassVar, SupportsIndex, TypeVar, dataclass_transform

from model.ground.amounts import MOST_BYTES, amount_mistake
from model.ground.errors import ProtocolMistake, cut, shown
from model.ground.units import memory_in_words

DATA_PHASES = ("page", "barrier", "exchange")
ROLES = ("client", "server", "manager")  # of a servent: who hears protocol messages
LARGEST = 2**36  # bytes of a message: at 0.001 Mbps, its service time in ns fits into 64 bits
#: Of what a message is about.
MOST_JOBS, MOST_PROCESSES = 2**62, 2**50

#: Of a message on its way, or of a role: (server, bytes lent by it).
Carried = Sequence[tuple[int, int]]

#: A number, a name among the scenario's sizes, or a function of the content and perhaps of those.
SizeInBytes = int | str | Callable[..., int]


class Content:
    """The content of a message; the classes that `@message` derives from it are kinds of messages.

    What can be asked of every message has its default here, the answer of one that is about
    nothing. A kind overrides defaults by fields, properties or methods of the same names.
    """

    __slots__ = ()

    phase: ClassVar[str]  # what the message is for
    hears: ClassVar[str]  # who receives it
    shown_fields: ClassVar[tuple[str, ...]]  # the fields that a journal has in a record's payload
    may_carry: ClassVar[bool]  # whether it may carry what somebody has lent

    @property
    def job(self) -> int | None:
        """The number of the job that it is about."""
        return None

    @property
    def rank(self) -> int | None:
        """The rank of the process that it is about."""
        return None

    @property
    def amount(self) -> int | None:
        """The bytes of memory that it is about."""
        return None

    @property
    def refused(self) -> bool:
        """Whether it answers a need above 0 with 0."""
        return False

    @property
    def words(self) -> Sequence[tuple[int | str | None, object]]:
        """Nodes and what is stated of their loads.

        The node None is the sender, "group" the nodes for which it stands.
        """
        return ()

    def size_of(self, sizes: object) -> int:
        """Its bytes; `@message` makes this method. Raises Undetermined if they cannot be known."""
        raise NotImplementedError

    def carries(self, sender: int, target: int) -> Carried | None:
        """The lent memory that travels in it, by server; None if that is not known.

        By default a message without an amount carries none, and of one with an amount it is not
        known.
        """
        return () if self.amount is None else None

    def carries_nothing(self, sender: int, target: int) -> Carried:
        """What a kind `carries` whose amount is only wanted, or is elsewhere."""
        return ()


Kind = TypeVar("Kind", bound=type)


@dataclass_transform(frozen_default=True)
def message(
    phase: str, hears: str, size_bytes: SizeInBytes, hidden: Sequence[str] = ()
) -> Callable[[Kind], Kind]:
    """Turn a class into a kind of message: a frozen dataclass with its phase, receiver and size.

    The class is derived from Content, if it is not already. `hears` is who receives the message:
    "client", "server" or "manager" for a role of a servent, "process" or "node" for a message
    outside the protocol. `size_bytes` is a number, the name of one of the sizes that the scenario
    states, a function of the content, or a function of the content and of those sizes. A journal
    shows all fields but those that are named in `hidden`, such as one that only distinguishes
    requests; `job` and `rank`, which kinds about a job's process have, stand in columns of their
    own.

    What a message was good for is measured by `amount`, `refused` and `words`. A field `word` is
    what the sender states of its own load, beside all else. What has `words` and no `amount` is
    there for its words only.

    A message to a role that is made about a job or rank that none can have, or about an amount or a
    load that is no whole number of bytes, is a ProtocolMistake.
    Raises TypeError for an unknown role, a hidden field that there is not, or a field called
    `phase`, `hears`, `shown_fields`, `may_carry`, `size_of` or `carries`.
    """
    if hears not in (*ROLES, "process", "node"):
        raise TypeError(f"hears is {hears!r}; take one of {', '.join(ROLES)}, process, node")
    if not isinstance(phase, str) or not phase:
        raise TypeError(f"phase is {phase!r}; give a word for what the message is for")

    def declare(cls: Kind) -> Kind:
        for name in ("phase", "hears", "shown_fields", "may_carry", "size_of", "carries"):
            if name in cls.__annotations__ or (name != "carries" and _has_own(cls, name)):
                raise TypeError(f"{cls.__name__}.{name}: every message has one; name it otherwise")
        derived = _derived(cls)
        if hears in ROLES:
            derived.__post_init__ = _checked(derived, getattr(derived, "__post_init__", None))
        kind: Any = dataclass(frozen=True, slots=True)(derived)
        names = [field.name for field in fields(kind)]
        for name in hidden:
            if name not in names:
                raise TypeError(f"{cls.__name__}: hidden names {name!r}, which is no field of it")
        kind.phase = phase
        kind.hears = hears
        kind.may_carry = derived.carries not in (Content.carries, Content.carries_nothing)
        kind.shown_fields = tuple(name for name in names if name not in ("job", "rank", *hidden))
        kind.size_of = _size_of(size_bytes)
        declared: Kind = kind
        return declared

    return declare


def _has_own(cls: type, name: str) -> bool:
    """Whether a class has an attribute that is not Content's."""
    return hasattr(cls, name) and getattr(cls, name) is not getattr(Content, name, None)


def _checked(kind: type[Content], also: Callable[..., None] | None) -> Callable[..., None]:
    """What every message of a servent does when it is made, and its class `also` does then.

    A mistake in what it is about is told there, where the traceback leads to who made it.
    """
    states_amount = "amount" in kind.__annotations__ or kind.amount is not Content.amount
    states_load = "word" in kind.__annotations__ or hasattr(kind, "word")

    def __post_init__(self: Content, *given: object) -> None:
        if also is not None:
            also(self, *given)
        mistake = subject_mistake(self)
        if mistake is None and states_amount:
            amount = self.amount
            if type(amount) is not int or not 0 <= amount <= MOST_BYTES:
                mistake = None if amount is None else amount_mistake(amount)
                mistake = mistake and f"about {mistake}"
        if mistake is None and states_load:
            load = getattr(getattr(self, "word", None), "load", 0)
            if type(load) is not int or not -MOST_BYTES <= load <= MOST_BYTES:
                mistake = amount_mistake(load, -MOST_BYTES)
                mistake = mistake and f"with a load of {mistake}"
        if mistake is not None:
            raise ProtocolMistake(f"makes {type(self).__name__} {mistake}")

    return __post_init__


def _derived(cls: type) -> Any:
    """The same class, derived from Content, none of whose answers is the default of a field."""
    own = {name: of for name, of in vars(cls).items() if name not in ("__dict__", "__weakref__")}
    for name in cls.__annotations__:
        if hasattr(Content, name):
            own.setdefault(name, field())
    bases = tuple(base for base in cls.__bases__ if base is not object)
    return type(cls)(cls.__name__, bases if issubclass(cls, Content) else (*bases, Content), own)


class Undetermined(ProtocolMistake):
    """What a message states about itself cannot be determined; names its kind, not its sender."""


def amounts_by_server(pairs: Iterable[tuple[SupportsIndex, SupportsIndex]], nodes: int) -> Carried:
    """The same pairs, checked: a node of so many, and bytes. Raises TypeError or ValueError."""
    known = []
    for server, amount in pairs:
        if mistake := amount_mistake(amount):
            raise ValueError(mistake)
        known.append((operator.index(server), operator.index(amount)))
        if not 0 <= known[-1][0] < nodes:
            raise ValueError(f"{amount} bytes of node {server}; nodes are 0 to {nodes - 1}")
    return known


def carried_by(content: Content, sender: int, target: int, nodes: int) -> Carried | None:
    """What a message carries, among so many nodes; None if its kind does not state it.

    Raises Undetermined.
    """
    try:
        carried = content.carries(sender, target)
        return None if carried is None else amounts_by_server(carried, nodes)
    except Exception as error:
        raise _undetermined(content, "what it carries", error) from error


def astray_in_words(server: int, amount: int) -> str:
    """What is wrong where so many bytes that a server lends are nowhere, or (below 0) twice."""
    if amount > 0:
        lost = f"{memory_in_words(amount)} that node {server} lends"
        return f"{lost} are neither borrowed nor held by a role nor carried by a message"
    more = memory_in_words(-amount)
    return f"{more} are borrowed, held or carried that node {server} does not lend"


def _undetermined(content: Content, what: str, error: Exception) -> Undetermined:
    reason = cut(f"{type(error).__name__}: {error}", 200)
    return Undetermined(
        f"sends {type(content).__name__}, and {what} cannot be determined: {reason}"
    )


def stated_by(content: Content) -> tuple[int | None, dict[str, object]]:
    """The amount of a message, and whether it refuses and its words, as far as it does and has any.

    Raises Undetermined.
    """
    try:
        if (amount := content.amount) is not None:
            if mistake := amount_mistake(amount):
                raise ValueError(mistake)
            amount = operator.index(amount)
        answers = {name: getattr(content, name) for name in ("refused", "words")}
        stated = {name: answer for name, answer in answers.items() if answer}
    except Exception as error:
        raise _undetermined(content, "its amount, refused or words", error) from error
    return amount, stated


def subject_mistake(content: Content) -> str | None:
    """Why a message cannot be about the job and the rank that it names, or None."""
    job, rank = content.job, content.rank
    is_rank = rank is None or (type(rank) is int and 0 <= rank <= MOST_PROCESSES)
    if is_rank and type(job) is int and 0 <= job <= MOST_JOBS:
        return None  # as most are
    for name, number, most in (("job", job, MOST_JOBS), ("rank", rank, MOST_PROCESSES)):
        try:
            known = number is None or 0 <= operator.index(number) <= most
        except TypeError:
            known = False
        if not known or isinstance(number, bool):
            return f"about {name} {shown(number)}; give its number, from 0 to {most}, or None"
    return None


def _size_of(size_bytes: SizeInBytes) -> Callable[[Content, object], int]:
    """The method `size_of(sizes)` of a kind: its bytes.

    It raises Undetermined if there is no size of that name, or if the function fails or gives no
    size; a constant that is none is refused at once (ValueError).
    """
    if isinstance(size_bytes, str):
        name = size_bytes

        def size_named(content: Content, sizes: object) -> int:
            try:
                size: int = getattr(sizes, name)
                return size
            except AttributeError as error:
                raise _undetermined(content, "its size", error) from error

        return size_named
    if not callable(size_bytes):
        size = _size(size_bytes)
        return lambda content, sizes: size
    takes_sizes = len(signature(size_bytes).parameters) > 1

    def size_of(content: Content, sizes: object) -> int:
        try:
            size = size_bytes(content, sizes) if takes_sizes else size_bytes(content)
            return size if type(size) is int and 1 <= size <= LARGEST else _size(size)
        except Exception as error:
            raise _undetermined(content, "its size", error) from error

    return size_of


def _size(size: int) -> int:
    size = operator.index(size)
    if not 1 <= size <= LARGEST:
        raise ValueError(f"a message of {size} bytes; make it a number from 1 to {LARGEST}")
    return size


def kinds_in(module: ModuleType) -> tuple[type[Content], ...]:
    """The kinds of messages that a module declares, in the order of their declaration.

    What only kinds are derived from is none.
    """
    return tuple(
        kind
        for kind in vars(module).values()
        if isinstance(kind, type)
        and issubclass(kind, Content)
        and kind.__module__ == module.__name__
        and hasattr(kind, "phase")
    )


class Reaction:
    """All that nodes say because one thing happened: a process, a timer, a start.

    It counts the messages handled, so that those who never stop answering each other are noticed.
    """

    __slots__ = ("messages",)

    def __init__(self) -> None:
        self.messages = 0


class Message:
    """A content on its way from node to node, over the stations of its route."""

    __slots__ = (
        "cause",
        "content",
        "header",
        "hop",
        "number",
        "reaction",
        "route",
        "sent_ns",
        "size_bytes",
        "source",
        "target",
    )

    cause: int  # the record because of which it was sent, if there is a journal
    route: tuple[Callable[["Message"], None], ...]  # what takes it at each hop

    def __init__(
        self,
        source: int,
        target: int,
        number: int,
        content: Content,
        size_bytes: int,
        sent_ns: int,
    ) -> None:
        self.source = source
        self.target = target
        self.number = number  # the sender counts its messages
        self.content = content
        self.size_bytes = size_bytes
        self.sent_ns = sent_ns
        self.reaction: Reaction | None = None  # of which it is part, if it is a servent's
        self.header: object = None  # see `agents/pnr/role.py`: Send
        self.hop = 0
