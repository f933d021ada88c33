"""What a record is: its fields, its kinds, and the ids that say what caused what."""

from typing import NamedTuple

LEVELS = ("protocol", "all")  # protocol and scheduling only, or every hop, fault and barrier too

MESSAGE, DISK_READ, PROCESS_STEP, SCHEDULING, LOAN, TIMER = range(1, 7)
NOTE, FAILURE = 7, 0  # three bits hold a category


def identity(category: int, agent: int, number: int) -> int:
    """An id: the category, the agent that counts, and its count; fits into 64 bits with a sign."""
    return category << 60 | agent << 36 | number


class Record(NamedTuple):
    """One record. Fields that do not apply to its kind are None.

    Kinds: sent, hop, delivered (a message; `what` is its kind, which declares `phase` and `hears`;
    so a view need not know the kind) · disk (a page read) · fault, io, barrier, started, finished
    (a process) · submitted, held, placed, moved, resumed, suspended, killed, failed, ended (a job)
    · switch, switched, unified (time slots) · lent, returned, borrowed, given back (memory) ·
    resized (a process holds `amount_bytes` from now on) · departed, arrived (a process moves from
    or to `peer`, and holds `amount_bytes`, from its departure at both nodes, from its arrival at
    the new one) · timer (of a role, `hears`, fires; `what` is its name) · note (what a role says
    about itself) · decided (a role turns to `peer`, or to nobody) · lost (a message, its payload
    says why) · crashed, restarted, paused, continued (`what`: a servent or a node).
    """

    time_ns: int
    kind: str
    what: str | None
    phase: str | None  # what a message is for
    hears: str | None  # who receives a message
    id: int
    cause: int  # an id, or 0
    job: int | None  # its number in the trace
    rank: int | None
    node: int | None  # where it happened; for "sent" and "hop", the sender
    peer: int | None  # the other node: receiver ("sent", "hop"), sender ("delivered") or server
    station: str | None
    slot: int | None
    size_bytes: int | None
    amount_bytes: int | None
    start_ns: int | None
    end_ns: int | None
    payload: str | None  # JSON
