"""How far one step goes: one record, some seconds, or up to the next record that is wanted."""

from collections.abc import Callable

from agents.messages import DATA_PHASES
from model.core.journal.kinds import KINDS, Delivered, Record

Wanted = Callable[[Record], bool]

ONE_RECORD = "anything happens"
SPANS_S = {"0.001 s": 0.001, "1 s": 1.0, "10 s": 10.0, "1 min": 60.0, "10 min": 600.0}
#: By what one waits for, the kinds of records that bring it.
_KINDS: dict[str, tuple[str, ...]] = {
    goal: tuple(kind.name for kind in KINDS.values() if kind.goal == goal)
    for goal in (kind.goal for kind in KINDS.values())
    if goal is not None
}
_ARRIVES = " arrives"
PROTOCOL = f"a protocol message{_ARRIVES}"
GOALS = (ONE_RECORD, *SPANS_S, PROTOCOL, *_KINDS)  # and "KIND arrives" for any kind of message


def arrival_of(kind: str) -> str:
    return kind + _ARRIVES


def wanted(goal: str) -> Wanted:
    """Whether a record is what this goal, which is no span of time, waits for."""
    if goal == ONE_RECORD:
        return lambda record: True
    if goal == PROTOCOL:
        return lambda record: record.kind == Delivered.name and record.phase not in DATA_PHASES
    if goal in _KINDS:
        kinds = _KINDS[goal]
        return lambda record: record.kind in kinds
    kind = goal.removesuffix(_ARRIVES)
    return lambda record: record.kind == Delivered.name and record.what == kind
