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
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from inspect import signature
from types import ModuleType
from typing import Any, ClassVar, TypeVar, dataclass_transform

from model.ground.errors import ProtocolMistake, shown
from model.ground.units import memory_in_words

DATA_PHASES = ("page", "barrier", "exchange")
ROLES = ("client", "server", "manager")  # of a servent: who hears protocol messages
LARGEST = 2**36  # bytes of a message: at 0.001 Mbps, its service time in ns fits into 64 bits

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
        """Its bytes; `@message` makes this method."""
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
    shows all fields but those named in `hidden`. What has `words` and no `amount` is there for its
    words only.

    Raises TypeError for an unknown role, a hidden field that there is not, or a field called
    `phase`, `hears`, `shown_fields`, `size_of` or `carries`.
    """
    if hears not in (*ROLES, "process", "node"):
        raise TypeError(f"hears is {hears!r}; take one of {', '.join(ROLES)}, process, node")
    if not isinstance(phase, str) or not phase:
        raise TypeError(f"phase is {phase!r}; give a word for what the message is for")

    def declare(cls: Kind) -> Kind:
        for name in ("phase", "hears", "shown_fields", "size_of", "carries"):
            if name in cls.__annotations__:
                raise TypeError(f"{cls.__name__}.{name}: every message has one; name it otherwise")
        kind: Any = dataclass(frozen=True, slots=True)(_derived(cls))
        names = [field.name for field in fields(kind)]
        for name in hidden:
            if name not in names:
                raise TypeError(f"{cls.__name__}: hidden names {name!r}, which is no field of it")
        kind.phase = phase
        kind.hears = hears
        kind.shown_fields = tuple(name for name in names if name not in ("job", "rank", *hidden))
        kind.size_of = _size_of(size_bytes)
        declared: Kind = kind
        return declared

    return declare


def _derived(cls: type) -> Any:
    """The same class, derived from Content, none of whose answers is the default of a field."""
    own = {name: of for name, of in vars(cls).items() if name not in ("__dict__", "__weakref__")}
    for name in cls.__annotations__:
        if hasattr(Content, name):
            own.setdefault(name, field())
    bases = tuple(base for base in cls.__bases__ if base is not object)
    return type(cls)(cls.__name__, bases if issubclass(cls, Content) else (*bases, Content), own)


def astray_in_words(server: int, amount: int) -> str:
    """What is wrong where so many bytes that a server lends are nowhere, or (below 0) twice."""
    if amount > 0:
        lost = f"{memory_in_words(amount)} that node {server} lends"
        return f"{lost} are neither borrowed nor held by a role nor carried by a message"
    more = memory_in_words(-amount)
    return f"{more} are borrowed, held or carried that node {server} does not lend"


def _size_of(size_bytes: SizeInBytes) -> Callable[[Content, object], int]:
    """The method `size_of(sizes)` of a kind: its bytes.

    It raises ProtocolMistake if a function gives no size; a constant that is none is refused at
    once.
    """
    if isinstance(size_bytes, str):
        size_named: Callable[[object], int] = operator.attrgetter(size_bytes)
        return lambda content, sizes: size_named(sizes)
    if not callable(size_bytes):
        size = _size(size_bytes)
        return lambda content, sizes: size
    if len(signature(size_bytes).parameters) > 1:
        return lambda content, sizes: _size(size_bytes(content, sizes))
    return lambda content, sizes: _size(size_bytes(content))


def _size(size: int) -> int:
    if type(size) is not int or not 1 <= size <= LARGEST:
        right = f"make it a whole number from 1 to {LARGEST}"
        raise ProtocolMistake(f"sends a message of {shown(size)} bytes; {right}")
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
        self, source: int, target: int, number: int, content: Content, size_bytes: int, sent_ns: int
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
