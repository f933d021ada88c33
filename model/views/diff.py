"""One job under two designs, side by side: by effect, and only what differs.

It answers: where do two designs part, and what did it cost?
"""

from math import inf

import pandas as pd

from model.core.journal import words
from model.core.journal.kinds import (
    Borrowed,
    Delivered,
    Disk,
    Ended,
    Moved,
    Placed,
    Sent,
    Started,
    Submitted,
)
from model.ground.errors import InputError
from model.ground.units import NS_PER_MS, megabytes, seconds
from model.pnr.waste import UNUSED
from model.views.caption import caption
from model.views.recording import Recording, Selection
from model.views.style import in_order
from model.views.traffic import messages
from model.views.why import name_of, parting, sentence_of, spent_by, spent_s

Values = dict[str, float]  # by the name of a row; unknown values are missing

_NOTHING = "-"
_MESSAGES, _BYTES = ", messages", ", bytes"  # the ends of a kind's row names
_MOVES, _BY_DISK, _BY_NETWORK = _COUNTS = "moves", "faults by disk", "faults by network"


def tell(one: Recording, other: Recording, selection: Selection) -> str:
    """A table of what differs: times, unmet need by rank, waste, messages, loans or moves, faults.

    Above it, the first record at which they part, and of which part of its processes' time the
    difference is most. Messages that nodes send to themselves do not count, and faults are known
    only if every hop was journaled. The last column is `other` minus `one`. Raises InputError
    without a job.
    """
    if selection.job is None:
        raise InputError("--job: a diff shows one job under two designs; give the job's number")
    left, right = (_values(run, selection) for run in (one, other))
    table = [("", one.design, other.design, "difference")]
    names = left.keys() | right.keys()
    kinds = in_order(name.removesuffix(_MESSAGES) for name in names if name.endswith(_MESSAGES))
    equal = 0
    for name in sorted(names, key=lambda name: _order(name, kinds)):
        # a kind that a design never sends counts as 0; a time that is unknown stays unknown
        counted = name.endswith((_MESSAGES, _BYTES))
        default = 0.0 if name.startswith(("borrowed", "unmet", *_PARTS)) else 0 if counted else None
        a, b = left.get(name, default), right.get(name, default)
        if a == b:
            equal += 1
            continue
        change = None if a is None or b is None else b - a
        table.append((name, _text(a), _text(b), _text(change, sign="+")))
    widths = [max(len(row[column]) for row in table) for column in range(4)]
    lines = [caption(run, selection) for run in (one, other)]
    lines += [f"Job {selection.job}", *_effect(one, other, selection.job)]
    for name, *cells in table:
        numbers = [f"{cell:>{width}}" for cell, width in zip(cells, widths[1:], strict=True)]
        lines.append("  ".join([f"{name:{widths[0]}}", *numbers]))
    if equal:
        lines.append(f"({equal} rows that are equal are left out)")
    if not any(name in left or name in right for name in (_BY_DISK, _BY_NETWORK)):
        lines.append("Faults are not known: neither journal has every hop")
    return "\n".join(lines)


def _effect(one: Recording, other: Recording, job: int) -> list[str]:
    """Where two runs part, and what cost most on the critical path if the job ended in both."""
    lines = []
    apart = parting(one, other, job)
    if apart is not None:
        lines.append("The first records that differ:")
        for run, row in zip((one, other), apart, strict=True):
            lines.append(f"  {run.design}: {sentence_of(row)}")
    spent = [spent_by(run, job) for run in (one, other)]
    if all(spent):
        before, after = map(spent_s, spent)
        changes = {
            what: after.get(what, 0.0) - before.get(what, 0.0)
            for what in dict.fromkeys([*before, *after])
        }
        whole_s = sum(changes.values())
        if any(changes.values()):
            most = max(changes, key=lambda what: abs(changes[what]))
            lines.append(
                f"What differs most for its processes, in the mean: {name_of(most)}, "
                f"{changes[most]:+,.6g} s (in all {whole_s:+,.6g} s)"
            )
    return lines


def _values(recording: Recording, selection: Selection) -> Values:
    records = selection.of(recording)
    kinds = records["kind"].value_counts()
    values = _times(records) | _unmet(records) | _uses(recording, records) | _messages(records)
    if (spent := spent_by(recording, selection.job)) is not None:
        values |= {f"{name_of(what)}, s": part_s for what, part_s in spent_s(spent).items()}
    if recording.scenario.lends_memory:
        values |= _loans(records)
    else:
        values[_MOVES] = int(kinds.get(Moved.name, 0))
    # a run without messages has no hops, but its faults or barriers show the journal's level
    if recording.in_detail:
        values[_BY_DISK] = int(kinds.get(Disk.name, 0))
        if recording.scenario.lends_memory:
            asked = (records["kind"] == Sent.name) & _is(records, "page", "node")
            values[_BY_NETWORK] = int(asked.sum())
    return values


def _times(records: pd.DataFrame) -> Values:
    times = records.groupby("kind", observed=True)["time_ns"]
    first, last = times.min(), times.max()
    values = {
        name: seconds(of[kind])
        for name, kind, of in (
            ("submitted, s", Submitted.name, first),
            ("placed, s", Placed.name, first),
            ("first process starts, s", Started.name, first),
            ("last process starts, s", Started.name, last),
            ("ended, s", Ended.name, first),
        )
        if kind in of
    }
    for name, until in (("waiting, s", Placed.name), ("response, s", Ended.name)):
        if Submitted.name in first and until in first:
            values[name] = seconds(first[until] - first[Submitted.name])
    asked = _by_rank(records[_is(records, "start", "manager")], Sent.name)
    granted = _by_rank(records[_is(records, "start", "client")], Delivered.name)
    waited_ms = ((granted - asked) / NS_PER_MS).dropna()
    if len(waited_ms):
        values["request to grant, mean ms"] = float(waited_ms.mean())
        values["request to grant, longest ms"] = float(waited_ms.max())
    return values


def _is(records: pd.DataFrame, phase: str, hears: str) -> pd.Series:
    return (records["phase"] == phase) & (records["hears"] == hears)


def _by_rank(records: pd.DataFrame, kind: str) -> pd.Series:
    """When each rank's first message was sent or delivered, in ns."""
    return records[records["kind"] == kind].groupby("rank")["time_ns"].min()


def _unmet(records: pd.DataFrame) -> Values:
    """What each rank asked a manager for and had not borrowed when it began, in MB; and in all."""
    asked = records[(records["kind"] == Sent.name) & _is(records, "start", "manager")]
    asked = asked.dropna(subset=["rank", "amount_bytes"]).groupby("rank").first()
    loans = records[records["kind"] == Borrowed.name]
    started = records[records["kind"] == Started.name].reset_index().groupby("rank")["index"].min()
    values: Values = {}
    for rank, row in asked.iterrows():
        # Later loans make good what lenders have called back, or are another attempt's.
        before = loans.index < started.get(rank, inf)
        got = loans[before & (loans["node"] == row["node"])]["amount_bytes"].sum()
        missing = int(row["amount_bytes"]) - int(got)
        values[f"unmet by rank {rank}, MB"] = megabytes(missing)
    return values | {"unmet, MB": sum(values.values())} if values else {}


def _uses(recording: Recording, records: pd.DataFrame) -> Values:
    """How many messages over the network changed nothing."""
    sent = messages(records)
    uses = [recording.use_of.get(number) for number in sent["id"]]
    if not any(uses):
        return {}
    return {use + _MESSAGES: uses.count(use) for use in UNUSED}


def _messages(records: pd.DataFrame) -> Values:
    sent = messages(records)
    values: Values = {}
    for kind, sizes in sent.groupby("what", observed=True)["size_bytes"]:
        values[kind + _MESSAGES] = len(sizes)
        values[kind + _BYTES] = int(sizes.sum())
    return values


def _loans(records: pd.DataFrame) -> Values:
    loans = records[records["kind"] == Borrowed.name]
    values: Values = {"borrowed, MB": megabytes(int(loans["amount_bytes"].sum()))}
    for server, amounts in loans.groupby("peer")["amount_bytes"]:
        values[f"borrowed from node {server}, MB"] = megabytes(int(amounts.sum()))
    return values


_TIMES = (
    "submitted, s",
    "placed, s",
    "waiting, s",
    "first process starts, s",
    "last process starts, s",
    "ended, s",
    "response, s",
    "request to grant, mean ms",
    "request to grant, longest ms",
)


#: Where the time of a job's processes went, in the mean.
_PARTS = tuple(dict.fromkeys(words.SPENT.values()))


def _order(name: str, kinds: list[str]) -> tuple[int, ...]:
    """The order of rows: times, need unmet, waste, messages by kind, loans by server, moves."""
    if name in _TIMES:
        return 0, _TIMES.index(name)
    if name.removesuffix(", s") in _PARTS:
        return 0, len(_TIMES) + _PARTS.index(name.removesuffix(", s"))
    kind, _, unit = name.partition(", ")
    if kind.startswith("unmet"):
        return 1, int(kind.rpartition(" ")[2]) if "rank" in kind else -1
    if kind in UNUSED:
        return 2, UNUSED.index(kind)
    if kind in kinds:
        return 3, kinds.index(kind), int(unit == "bytes")
    if name in _COUNTS:
        return 5, _COUNTS.index(name)
    return 4, int(kind.rpartition(" ")[2]) if "from" in kind else -1


def _text(value: float | None, sign: str = "") -> str:
    if value is None:
        return _NOTHING
    return f"{value:{sign}d}" if isinstance(value, int) else f"{value:{sign}.6f}"
