"""A message is a content on its way from node to node; its content's class is its kind.

The decorator `@message(phase, hears, size_bytes)` declares a kind. The class alone says everything
about its kind; nothing else lists kinds. The phase says, in tables, pictures and reports, what the
message is for:

- "page", "barrier": data traffic, repeated at each page fault and barrier; a journal of the level
  `protocol` leaves it out;
- "start": what leads to the start of a process: who lacks memory and who lends it;
- "telling": news that nodes send each other and nobody waits for; several messages of one kind
  that a node sends at one instant for one cause are a broadcast;
- "end": what leads to the return of lent memory;
- "moving": a job on its way to another node (load sharing).

Your own protocol may name other phases.
"""

import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from inspect import signature
from types import ModuleType
from typing import Any, dataclass_transform

from model.ground.errors import InputError, cut

DATA_PHASES = ("page", "barrier")
ROLES = ("client", "server", "manager")  # of a servent: who hears protocol messages
LARGEST = 2**36  # bytes of a message: at any bandwidth, its service time in ns fits into 64 bits

#: Of a message on its way, or of a role: (server, bytes lent by it).
Carried = Sequence[tuple[int, int]]

SizeInBytes = int | Callable[[Any], int] | Callable[[Any, Any], int]


@dataclass_transform(frozen_default=True)
def message(phase: str, hears: str, size_bytes: SizeInBytes) -> Callable[[type], type]:
    """Turn a class into a kind of message: a frozen dataclass with its phase, hearer and size.

    `hears` says who receives it: "client", "server" or "manager" for a role of a servent, "process"
    or "node" for a message outside the protocol. `size_bytes` is a number, a function of the
    content, or a function of the content and of the sizes that the scenario states. Kinds that are
    about a job's process have the fields `job` and `rank`. What a message was good for is measured
    by three attributes that a kind may declare, as fields or properties: `amount`, the bytes of
    memory that it is about; `refused`, whether it answers a need above 0 with 0; and `words`, pairs
    of a node and what is said of its load (the node None is the sender, "group" the nodes for which
    it stands). A field `word` is what the sender says of itself, beside all else. What has `words`
    and no `amount` is there for its words only. A kind with an `amount` may also have a method
    `carries(sender, target)`: pairs of a server and the bytes lent by it that are on their way in
    this message, none for an amount that is only wanted. A kind without an amount carries nothing.

    Raises TypeError for an unknown role, or for a field called `phase`, `hears`, `size_of` or
    `carries`.
    """
    if hears not in (*ROLES, "process", "node"):
        raise TypeError(f"hears is {hears!r}; take one of {', '.join(ROLES)}, process, node")
    if not isinstance(phase, str) or not phase:
        raise TypeError(f"phase is {phase!r}; give a word that says what the message is for")

    def declare(cls: type) -> type:
        kind = dataclass(frozen=True, slots=True)(cls)
        for name in ("phase", "hears", "size_of"):
            if hasattr(kind, name):
                raise TypeError(f"{cls.__name__}.{name}: every message has one; name it otherwise")
        kind.phase = phase
        kind.hears = hears
        kind.size_of = _size_of(size_bytes)
        defaults = {"job": None, "rank": None, "amount": None, "refused": False, "words": ()}
        defaults["carries"] = None if hasattr(kind, "amount") else _carries_nothing
        if "carries" in cls.__annotations__:
            raise TypeError(f"{cls.__name__}.carries: this is a method; name the field otherwise")
        for name, default in defaults.items():
            if not hasattr(kind, name):
                setattr(kind, name, default)
        return kind

    return declare


class Untold(InputError):
    """What a message says of itself cannot be told; names its kind, but not who sends it."""


def amounts_by_server(pairs: Iterable[Any], nodes: int) -> Carried:
    """The same pairs, checked: a node of so many, and bytes. Raises TypeError or ValueError."""
    known = [(operator.index(server), operator.index(amount)) for server, amount in pairs]
    for server, amount in known:
        if not 0 <= server < nodes or amount < 0:
            raise ValueError(f"{amount} bytes of node {server}; nodes are 0 to {nodes - 1}")
    return known


def carried_by(content: Any, sender: int, target: int, nodes: int) -> Carried | None:
    """What a message carries, among so many nodes; None if its kind does not say.

    Raises Untold.
    """
    if content.carries is None:
        return None
    try:
        return amounts_by_server(content.carries(sender, target), nodes)
    except Exception as error:
        raise _untold(content, "what it carries", error) from error


def _untold(content: Any, what: str, error: Exception) -> Untold:
    told = cut(f"{type(error).__name__}: {error}", 200)
    return Untold(f"sends {type(content).__name__}, and {what} cannot be told: {told}")


def stated_by(content: Any) -> tuple[int | None, dict[str, Any]]:
    """The amount of a message, and what else it says: whether it refuses, and words.

    Raises Untold.
    """
    try:
        amount = None if content.amount is None else operator.index(content.amount)
        says = {name: said for name in ("refused", "words") if (said := getattr(content, name))}
    except Exception as error:
        raise _untold(content, "its amount, refused or words", error) from error
    return amount, says


def _carries_nothing(content: Any, sender: int, target: int) -> Carried:
    return ()


def _size_of(size_bytes: SizeInBytes) -> Callable[[Any, Any], int]:
    """The method `size_of(sizes)` of a kind: its bytes.

    It raises Untold if the function fails or gives no size; a number that is none is refused at
    once (ValueError).
    """
    if not callable(size_bytes):
        size = _checked(size_bytes)
        return lambda content, sizes: size
    takes_sizes = len(signature(size_bytes).parameters) > 1

    def size_of(content: Any, sizes: Any) -> int:
        try:
            return _checked(size_bytes(content, sizes) if takes_sizes else size_bytes(content))
        except Exception as error:
            raise _untold(content, "its size", error) from error

    return size_of


def _checked(size: int) -> int:
    size = operator.index(size)
    if not 1 <= size <= LARGEST:
        raise ValueError(f"a message of {size} bytes; make it a number from 1 to {LARGEST}")
    return size


def kinds_in(module: ModuleType) -> tuple[type, ...]:
    """The kinds of messages that a module declares, in the order of their declaration."""
    return tuple(
        kind
        for kind in vars(module).values()
        if isinstance(kind, type) and kind.__module__ == module.__name__ and hasattr(kind, "hears")
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

    def __init__(
        self,
        source: int,
        target: int,
        number: int,
        content: Any,
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
        self.header: Any = None  # see `agents/pnr/role.py`: Send
        self.hop = 0
