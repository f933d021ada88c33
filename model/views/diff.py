"""One job under two designs, side by side: by effect, and only what differs.

It answers: where do two designs part, and what did it cost?
"""

from model.core.journal import words
from model.core.journal.kinds import Borrowed
from model.ground.errors import InputError
from model.ground.text import in_lines
from model.views.caption import caption
from model.views.differences import cost, end, parting
from model.views.outcomes import (
    BY_DISK,
    BY_NETWORK,
    Outcome,
    Row,
    attempts_of,
    in_common_order,
    outcome_of,
    outcomes,
)
from model.views.recording import Recording, Selection

_NOTHING = "-"


def tell(one: Recording, selection: Selection, against: Recording | None = None) -> str:
    """A table of what differs: times, unmet need by rank, waste, messages, loans or moves, faults.

    Above it, what became of each attempt, the first record at which they diverge, and what made the
    difference in time, unless chance may have. Messages that nodes send to themselves do not count,
    and faults are known only if every hop was journaled. The last column is the other run's value
    minus this one's. Raises InputError without a job or another run.
    """
    if against is None:
        raise InputError("--against: name the design to compare with")
    if selection.job is None:
        raise InputError("--job: a diff shows one job under two designs; give the job's number")
    other = against
    both = [outcomes(run, selection.of(run))[selection.job] for run in (one, other)]
    numbered = max(len(outcome.attempts) for outcome in both) > 1
    left, right = (
        outcome.values(run.use_of, numbered)
        for outcome, run in zip(both, (one, other), strict=True)
    )
    table = [("", one.design, other.design, "difference")]
    equal = 0
    rows = in_common_order((left, right))
    for row in rows:
        a, b = (
            values.get(row, 0 if _is_counted(row, outcome) else None)
            for values, outcome in zip((left, right), both, strict=True)
        )
        if a == b:
            equal += 1
            continue
        change = None if a is None or b is None else b - a
        table.append((_name(row), _text(row, a), _text(row, b), _text(row, change, sign="+")))
    widths = [max(len(row[column]) for row in table) for column in range(4)]
    lines = [caption(run, selection) for run in (one, other)]
    lines += [f"Job {selection.job}", *_effect(one, other, *both)]
    for name, *cells in table:
        numbers = [f"{cell:>{width}}" for cell, width in zip(cells, widths[1:], strict=True)]
        lines.append("  ".join([f"{name:{widths[0]}}", *numbers]))
    if equal:
        lines.append(f"({equal} equal rows are left out)")
    if not {BY_DISK, BY_NETWORK} & {row.name for row in rows}:
        lines.append("Page faults are not known: neither journal has all hops")
    return in_lines(lines)


def _effect(one: Recording, other: Recording, *both: Outcome) -> list[str]:
    """What became of each attempt, where two runs diverge, and what that cost the job."""
    lines = []
    for run in (one, other):
        whole = outcome_of(run, both[0].job)
        lines += [f"{run.design}, {line}" for line in attempts_of(run, whole)]
    apart = parting(one, other, both[0].job)
    if apart is not None:
        lines.append("The first records that differ:")
        for run, row in zip((one, other), apart, strict=True):
            lines.append(f"  {run.design}: {words.sentence_with_time(row)}")
    if cost(*both):
        lines.append(f"At the end {end((one.design, other.design), both)}")
    return lines


def _is_counted(row: Row, outcome: Outcome) -> bool:
    """Whether what a run lacks is zero: a kind of message that is never sent, a loan, a wait."""
    if row.name in words.SPENT.values():
        return outcome.spent is not None
    if row.what.startswith("unmet"):
        return any(attempt.asked for attempt in outcome.attempts)
    if row.unit == "MB":
        return row.what.startswith(Borrowed.name)
    return row.unit in ("messages", "bytes")


def _name(row: Row) -> str:
    return row.name + (" " if "," in row.name else ", ") * bool(row.unit) + row.unit


def _text(row: Row, raw: float | None, sign: str = "") -> str:
    if raw is None:
        return _NOTHING
    is_count = row.unit in ("", "messages", "bytes", "processes")
    return f"{raw:{sign}d}" if is_count else f"{row.number(raw):{sign}.6f}"
