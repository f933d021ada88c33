"""The message: a content on its way from node to node, and how a kind of content is declared.

A kind of message is a class that `@message(phase, hears, size_bytes)` makes; it alone says what is
to be known of the kind, and nothing else lists kinds. Its phase says what the message is for, in
tables, pictures and reports:

- "page", "barrier": data traffic, which recurs with each page fault and barrier; a journal of
  protocol and scheduling leaves it out;
- "start": what leads to the start of a process: who lacks memory, who lends it;
- "telling": what nodes let each other know, for which nobody waits; several messages of one kind
  that a node sends at one instant for one cause are a broadcast;
- "end": what leads to lent memory being returned;
- "moving": a job on its way to another node (load sharing).

A protocol of one's own may name other phases.
"""

import operator
from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature
from types import ModuleType
from typing import Any, dataclass_transform

DATA_PHASES = ("page", "barrier")
ROLES = ("client", "server", "manager")  # of a servent: who hears protocol messages
LARGEST = 2**36  # bytes of a message: its service at any bandwidth stays within 64 bits of ns

SizeInBytes = int | Callable[[Any], int] | Callable[[Any, Any], int]


@dataclass_transform(frozen_default=True)
def message(phase: str, hears: str, size_bytes: SizeInBytes) -> Callable[[type], type]:
    """Make a class a kind of message: a frozen dataclass that knows its phase, hearer and size.

    `hears` is the role that receives it: "client", "server" or "manager", a servent's; or
    "process" or "node", for what is no protocol's. `size_bytes` is a number, a function of the
    content, or of the content and the sizes that the scenario states. Beside its fields a kind may
    declare `amount`, the bytes of memory that it is about; `job` and `rank` are fields of those
    that are about a job's process.

    Raises TypeError for a role that there is not, or a field that has the name of one of these.
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
        for name in ("job", "rank", "amount"):
            if not hasattr(kind, name):
                setattr(kind, name, None)
        return kind

    return declare


def _size_of(size_bytes: SizeInBytes) -> Callable[[Any, Any], int]:
    """The method `size_of(sizes)` of a kind: its bytes; raises ValueError if that is no size."""
    knows_sizes = callable(size_bytes) and len(signature(size_bytes).parameters) > 1

    def size_of(content: Any, sizes: Any) -> int:
        size = size_bytes
        if callable(size_bytes):
            size = size_bytes(content, sizes) if knows_sizes else size_bytes(content)
        size = operator.index(size)
        if not 1 <= size <= LARGEST:
            name = type(content).__name__
            raise ValueError(f"{name} has {size} bytes; make it a number from 1 to {LARGEST}")
        return size

    return size_of


def kinds_in(module: ModuleType) -> tuple[type, ...]:
    """The kinds of messages that a module declares, in its order."""
    return tuple(
        kind
        for kind in vars(module).values()
        if isinstance(kind, type) and kind.__module__ == module.__name__ and hasattr(kind, "hears")
    )


class Message:
    """A content on its way from node to node, over the stations of its route."""

    __slots__ = (
        "cause",
        "content",
        "hop",
        "number",
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
        self.number = number  # the sender's count of messages
        self.content = content
        self.size_bytes = size_bytes
        self.sent_ns = sent_ns
        self.hop = 0
