"""Why things happened: the causal history of a job, or of one record, as text."""

import json
from typing import Any

import pandas as pd

from model.ground.errors import InputError
from model.ground.units import NS_PER_MS, NS_PER_S, megabytes, seconds
from model.views.caption import caption
from model.views.recording import Recording, Selection

_MESSAGE = ("sent", "hop", "delivered", "lost")


def tell(recording: Recording, selection: Selection, number: int | None = None) -> str:
    """What happened and why, with one line per record: time in s, place, event, id and cause.

    If `number`, an id, is given, these are the chain of causes from the root to that record, and
    what it caused directly; else the records of the selected job. Raises InputError without a job
    or for an unknown id.
    """
    if number is not None:
        return _story_of_record(recording, number)
    if selection.job is None:
        raise InputError("--job: a story is about one job or one record; give its number")
    records = selection.of(recording)
    causes = recording.records[recording.records["id"].isin(records["cause"])]
    known = {row.id: row for row in causes.drop_duplicates("id").itertuples()}
    lines = [caption(recording, selection)]
    lines.append(f"Job {selection.job}, {recording.design}: {len(records)} records")
    lines += [f"{_line(row)}  <- {_cause(row.cause, known)}" for row in records.itertuples()]
    return "\n".join(lines)


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
        raise InputError(f"record {number} is not in the journal of {recording.design}")
    chain = [number]
    links = set(chain)
    while (cause := cause_of[chain[-1]]) in cause_of:
        if cause in links:
            raise InputError(
                f"record {number} of {recording.design} causes itself, by way of {cause}: "
                "no run wrote such a journal; write it anew with --journal"
            )
        chain.append(cause)
        links.add(cause)
    lines = [caption(recording, Selection())]
    lines.append(f"Record {number}, {recording.design}: what led to it")
    if cause_of[chain[-1]]:
        lines.append(f"  {_cause(cause_of[chain[-1]], {})}")
    of_chain = records[records["id"].isin(chain)].groupby("id")
    for link in reversed(chain):
        lines += [_line(row) for row in of_chain.get_group(link).itertuples()]
    caused = firsts[firsts["cause"] == number]
    lines.append("What it caused directly" if len(caused) else "It caused nothing")
    return "\n".join(lines + [_line(row) for row in caused.itertuples()])


def told(row: Any) -> str:
    """A record in one line: when, where and what."""
    return f"{seconds(row.time_ns):.6f} s, {_where(row)} {_what(row)}"


def _line(row: Any) -> str:
    return f"{seconds(row.time_ns):16.6f} s  {_where(row):10} {_what(row)}  #{row.id}"


def _where(row: Any) -> str:
    return "scheduler" if pd.isna(row.node) else f"node {row.node}"


def _cause(cause: int, known: dict[int, Any]) -> str:
    if cause == 0:
        return "nothing before it"
    if cause not in known:
        return f"#{cause}, which this journal leaves out (its level is protocol)"
    row = known[cause]
    where = "" if pd.isna(row.node) or row.kind in _MESSAGE else f" at node {row.node}"
    return f"{_name(row)}{where}, #{cause}"


def _name(row: Any) -> str:
    """What a record is about; all records of a message have the same name."""
    if row.kind not in _MESSAGE:
        return _what(row)
    source, target = (
        (row.peer, row.node) if row.kind in ("delivered", "lost") else (row.node, row.peer)
    )
    return f"{row.what} from node {source} to node {target}"


def _what(row: Any) -> str:
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
        case "lent" | "returned":
            return f"{amount} {row.kind}"
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


def _belief(row: Any) -> str:
    """What was believed of the node chosen, and what was true."""
    candidates = json.loads(row.payload)["candidates"]
    if str(row.peer) not in candidates:
        return "of which it believes what it did"
    believed, stated_ns, true = candidates[str(row.peer)]
    if believed is None:
        return f"of which it has not heard; it has {megabytes(true):.2f} MB"
    told = f"believed to have {megabytes(believed):.2f} MB since {seconds(stated_ns):.6f} s"
    return f"{told}; it has {megabytes(true):.2f} MB"


def _peer(row: Any) -> str:
    return "nobody" if pd.isna(row.peer) else f"node {row.peer}"
