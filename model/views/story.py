"""Why things happened: the causal history of a job, or of one record, as text."""

import json
import re
from collections.abc import Iterator, Sequence

import pandas as pd

from model.core.journal.kinds import Record, identity
from model.ground.errors import InputError
from model.ground.units import NS_PER_MS, NS_PER_S, megabytes, seconds
from model.views.caption import caption
from model.views.recording import Recording, Selection

#: By the category of an id: failure, message, disk, process, scheduler, loan, timer, note.
LETTERS = "fmdpsltn"
_LONGEST = 12  # records of a block that is repeated
_MESSAGE = ("sent", "hop", "delivered", "lost")


def tell(
    recording: Recording,
    selection: Selection,
    record: str | None = None,
    at_s: float | None = None,
    node: int | None = None,
) -> str:
    """What happened and why, with one line per record: time in s, place, event, id and cause.

    If `record`, an id, is given, or a time and a node, of which it is the last record then, these
    are the chain of causes from the root to that record, and what it caused directly; else the
    records of the selected job. What is repeated, of other nodes or amounts, is told once. Raises
    InputError without a job, for an unknown id, or if a node has no record up to that time.
    """
    if (at_s is None) != (node is None):
        raise InputError("--at and --node: give both, or neither; they name the record to tell of")
    if record is not None and at_s is not None:
        raise InputError("--record: names the record itself; leave out --at and --node")
    if at_s is not None and node is not None:
        return _story_of_record(recording, _found(recording, selection, at_s, node))
    if record is not None:
        return _story_of_record(recording, number_of(record))
    if selection.job is None:
        raise InputError("--job: a story is about one job or one record; give its number")
    records = selection.of(recording)
    causes = recording.records[recording.records["id"].isin(records["cause"])]
    known = {row.id: row for row in causes.drop_duplicates("id").itertuples()}
    lines = [caption(recording, selection)]
    lines.append(f"Job {selection.job}, {recording.design}: {len(records)} records")
    rows = list(records.itertuples())
    shapes = [(row.kind, row.what, _shape(known.get(row.cause))) for row in rows]
    for first, length, times in repeats(shapes):
        for row in rows[first : first + length]:
            lines.append(f"{_line(row)}  <- {_cause(row.cause, known)}")
        if times > 1:
            last = rows[first + length * times - 1]
            what = "this" if length == 1 else f"these {length}"
            lines.append(
                f"{'':20}x {times - 1} alike, as {what}, until {seconds(last.time_ns):.6f} s"
            )
    return "\n".join(lines)


def short(number: int) -> str:
    """An id for people: a letter for what counts it, its agent, and its count there."""
    category, rest = number >> 60 & 7, number & ((1 << 60) - 1)
    return f"{LETTERS[category]}{rest >> 36}.{rest & ((1 << 36) - 1)}"


def number_of(text: str) -> int:
    """The id that a text names, short or as a number; raises InputError if it is none."""
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    found = re.fullmatch(rf"#?([{LETTERS}])(\d+)\.(\d+)", text)
    if found is None:
        raise InputError(f"--record {text}: give an id as stories tell them, such as m6.25")
    letter, agent, count = found.groups()
    return identity(LETTERS.index(letter), int(agent), int(count))


def repeats(shapes: Sequence[object]) -> Iterator[tuple[int, int, int]]:
    """Blocks of a sequence: where each begins, its length, and how often it is there in a row.

    What is there less than three times in a row stays as it is.
    """
    first = 0
    while first < len(shapes):
        best = (0, 1, 1)  # what is saved, length, times
        for length in range(1, min(_LONGEST, (len(shapes) - first) // 3) + 1):
            block, times = shapes[first : first + length], 1
            while shapes[first + length * times : first + length * (times + 1)] == block:
                times += 1
            if times >= 3 and length * (times - 1) > best[0]:
                best = (length * (times - 1), length, times)
        _, length, times = best
        yield first, length, times
        first += length * times


def _shape(row: Record) -> object:
    """What a record is, whatever its node and amount."""
    return None if row is None else (row.kind, row.what)


def _found(recording: Recording, selection: Selection, at_s: float, node: int) -> int:
    """The id of the last record of a node up to a time."""
    records = selection.of(recording)
    its = records[(records["node"] == node) & (records["time_ns"] <= round(at_s * NS_PER_S))]
    if its.empty:
        raise InputError(
            f"--at {at_s:g} --node {node}: node {node} has no record up to then in this part of "
            f"the journal of {recording.design}"
        )
    return int(its["id"].iloc[-1])


def tell_steps(recording: Recording) -> str:
    """A path that `explore` has found: what happened in each step, without ids and causes."""
    lines, told = [], 0
    for row in recording.records.itertuples():
        step = row.time_ns // NS_PER_S
        if step and row.kind not in ("resumed", "note"):
            number = f"{step:5}" if step != told else " " * 5
            lines.append(f"{number}  {_where(row):10} {_what(row)}")
            told = step
    return "\n".join(lines)


def _story_of_record(recording: Recording, number: int) -> str:
    records = recording.records
    firsts = records.drop_duplicates("id")
    cause_of = dict(zip(firsts["id"], firsts["cause"], strict=True))
    if number not in cause_of:
        raise InputError(f"record {short(number)} is not in the journal of {recording.design}")
    chain = [number]
    links = set(chain)
    while (cause := cause_of[chain[-1]]) in cause_of:
        if cause in links:
            raise InputError(
                f"record {short(number)} of {recording.design} causes itself, by way of "
                f"{short(cause)}: no run wrote such a journal; write it anew with --journal"
            )
        chain.append(cause)
        links.add(cause)
    lines = [caption(recording, Selection())]
    lines.append(f"Record {short(number)}, {recording.design}: what led to it")
    if cause_of[chain[-1]]:
        lines.append(f"  {_cause(cause_of[chain[-1]], {})}")
    of_chain = records[records["id"].isin(chain)].groupby("id")
    for link in reversed(chain):
        lines += [_line(row) for row in of_chain.get_group(link).itertuples()]
    caused = firsts[firsts["cause"] == number]
    lines.append("What it caused directly" if len(caused) else "It caused nothing")
    return "\n".join(lines + [_line(row) for row in caused.itertuples()])


def told(row: Record) -> str:
    """A record in one line: when, where and what."""
    return f"{seconds(row.time_ns):.6f} s, {_where(row)} {_what(row)}"


def _line(row: Record) -> str:
    return f"{seconds(row.time_ns):16.6f} s  {_where(row):10} {_what(row)}  #{short(row.id)}"


def _where(row: Record) -> str:
    return "scheduler" if pd.isna(row.node) else f"node {row.node}"


def _cause(cause: int, known: dict[int, Record]) -> str:
    if cause == 0:
        return "nothing before it"
    if cause not in known:
        return f"#{short(cause)}, which this journal leaves out (its level is protocol)"
    row = known[cause]
    where = "" if pd.isna(row.node) or row.kind in _MESSAGE else f" at node {row.node}"
    return f"{_name(row)}{where}, #{short(cause)}"


def _name(row: Record) -> str:
    """What a record is about; all records of a message have the same name."""
    if row.kind not in _MESSAGE:
        return _what(row)
    source, target = (
        (row.peer, row.node) if row.kind in ("delivered", "lost") else (row.node, row.peer)
    )
    return f"{row.what} from node {source} to node {target}"


def _what(row: Record) -> str:
    amount = "" if pd.isna(row.amount_bytes) else f"{megabytes(row.amount_bytes):.2f} MB"
    took = "" if pd.isna(row.end_ns) else f"until {seconds(row.end_ns):.6f} s"
    if took and row.start_ns > row.time_ns:
        took = f"after waiting {(row.start_ns - row.time_ns) / NS_PER_MS:.3f} ms, {took}"
    match row.kind:
        case "sent":
            about = f" about {amount}" if amount else ""
            return f"sends {row.what} to node {row.peer}{about}"
        case "hop":
            return f"{row.what} to node {row.peer} is at {row.station} {took}"
        case "delivered":
            return f"receives {row.what} from node {row.peer}"
        case "lost":
            return f"{row.what} from node {row.peer} is lost ({json.loads(row.payload)['by']})"
        case "timer":
            return f"the {row.hears}'s timer '{row.what}' fires"
        case "note":
            return f"the {row.hears} notes {row.what}: {row.payload}"
        case "crashed" | "restarted" | "paused" | "continued":
            return f"{row.what} {row.kind}"
        case "decided":
            return (
                "finds nobody to ask"
                if pd.isna(row.peer)
                else f"chooses {_peer(row)}, {_belief(row)}"
            )
        case "disk":
            return f"{row.station} reads a page for rank {row.rank} {took}"
        case "resized":
            return f"rank {row.rank} holds {amount} from now on"
        case "departed" | "arrived":
            way = "to" if row.kind == "departed" else "from"
            return f"rank {row.rank} {row.kind} {way} {_peer(row)} with {amount}"
        case "lent" | "returned":
            return f"{amount} {row.kind}"
        case "asked" | "answered":
            return f"asks for {amount}" + " no longer" * (row.kind == "answered")
        case "borrowed" | "given back":
            return f"{amount} {row.kind} {'from' if row.kind == 'borrowed' else 'to'} {_peer(row)}"
        case "fault":
            return f"rank {row.rank} faults"
        case "barrier":
            return f"rank {row.rank} is at a barrier"
        case "started" | "finished":
            return f"rank {row.rank} {row.kind}"
        case "switch" | "switched" | "unified":
            return f"slots: {row.kind}" + ("" if pd.isna(row.slot) else f", slot {row.slot}")
        case "moved":
            home, target = json.loads(row.payload)["nodes"]
            return f"job {row.job} moves from node {home} to node {target}, {amount}"
    slot = "" if pd.isna(row.slot) else f" in slot {row.slot}"
    told = f"job {row.job} {row.kind}{slot}" + (f", {amount} per process" if amount else "")
    estimate = json.loads(row.payload).get("estimate") if row.kind == "placed" else None
    return told if estimate is None else f"{told}, estimated at {megabytes(estimate):.2f} MB"


def _belief(row: Record) -> str:
    """What was believed of the node chosen, and what was true."""
    candidates = json.loads(row.payload)["candidates"]
    if str(row.peer) not in candidates:
        return "of which it believes what it did"
    believed, stated_ns, true = candidates[str(row.peer)]
    if believed is None:
        return f"of which it has not heard; it has {megabytes(true):.2f} MB"
    told = f"believed to have {megabytes(believed):.2f} MB since {seconds(stated_ns):.6f} s"
    return f"{told}; it has {megabytes(true):.2f} MB"


def _peer(row: Record) -> str:
    return "nobody" if pd.isna(row.peer) else f"node {row.peer}"
