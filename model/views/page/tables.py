"""The tables of a run that the page draws, made from its journal.

Records become *items*: a message with its sending, hops and arrival is one, and so is each other
record. -1 stands for what an item does not have; times are ns, sizes bytes.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

import numpy as np
import pandas as pd

from model.core.journal.file import rows
from model.core.journal.kinds import (
    KINDS,
    OF_MESSAGES,
    TOPICS,
    WAY_ENDS,
    Decided,
    Ended,
    Lost,
    Sent,
)
from model.core.journal.over_time import decisions
from model.core.journal.past import GRANT, RUNNING, SWITCHED_OUT
from model.core.journal.words import LETTERS, SPENT, span
from model.core.journal.words import time as in_words
from model.pnr.waste import USES
from model.views.caption import caption
from model.views.gantt import Stint, stints
from model.views.memory import memory_of
from model.views.page.packing import Columns
from model.views.recording import Recording, Selection
from model.views.residence import residences
from model.views.style import JOB_COLORS, color_of, in_order

#: Columns that mostly rise from row to row.
RISING = ("time", "item", "node_of_memory", "id_low")
_WORDS = ("kind", "what", "phase", "hears")
_NUMBERS = ("job", "rank", "node", "peer", "slot", "size_bytes", "amount_bytes")
#: What is alike under two designs: the n-th item with all of these.
_LIKENESS = ("kind", "what", "job", "rank", "node", "peer", "slot")
#: States of a job on its nodes, as the page knows them.
_OUT, _RUNS, _WAITS, _STUCK = range(4)
_STATES = {SWITCHED_OUT: _OUT, RUNNING: _RUNS, GRANT: _WAITS}
_PARTS = ("own", "lent", "idle", "borrowed", "asked", "on_disk")  # of a node's memory
_LOW = 36  # bits of an id that count; above them are its category and its agent


def tables_of(recordings: Sequence[Recording]) -> list[tuple[dict[str, Columns], Any, list[str]]]:
    """For each run its tables, what else there is to know of it, and the texts of its payloads."""
    all_items = [_items(recording.records) for recording in recordings]
    likeness = _likeness(all_items)
    return [
        _run(recording, items, alike)
        for recording, items, alike in zip(recordings, all_items, likeness, strict=True)
    ]


def _run(
    recording: Recording, items: pd.DataFrame, alike: np.ndarray
) -> tuple[dict[str, Columns], Any, list[str]]:
    records, scenario = recording.records, recording.scenario
    columns: dict[str, np.ndarray] = {"time": items["time_ns"].to_numpy()}
    words: dict[str, list[str]] = {}
    for name in _WORDS:
        columns[name], found = _coded(items[name])
        words[name] = found
    columns["payload"], payloads = _coded(items["payload"])
    for name in _NUMBERS:
        columns[name.removesuffix("_bytes")] = _numbers(items[name])
    columns |= _ids(items) | _ends(items, records) | {"alike": alike} | _beliefs(recording, items)
    use = recording.use_of
    columns["use"] = np.array(
        [USES.index(use[it]) if it in use else -1 for it in items["id"]], dtype=np.int64
    )
    stations, station_names = _coded(records["station"])
    served = records[stations >= 0]
    hops = {
        "item": items_of(items, served).to_numpy(np.int64),
        "station": stations[stations >= 0],
        "at": _numbers(served["time_ns"]),
        "waits": _numbers(served["start_ns"]) - _numbers(served["time_ns"]),
        "lasts": _numbers(served["end_ns"]) - _numbers(served["start_ns"]),
    }
    tables: dict[str, Columns] = {"items": columns, "hops": hops, "jobs": _jobs(recording)}
    if scenario.lends_memory:
        tables["memory"] = _memory(recording)
    down = recording.outages
    tables["outages"] = {
        "node": np.array([it.node for it in down], dtype=np.int64),
        "whole": np.array([it.what == "node" for it in down], dtype=np.int64),
        "paused": np.array([it.how == "paused" for it in down], dtype=np.int64),
        "start": np.array([it.start_ns for it in down], dtype=np.int64),
        "end": np.array([it.end_ns for it in down], dtype=np.int64),
    }
    kinds = in_order(items.loc[items["phase"].notna(), "what"].dropna())
    about = {
        "design": recording.design,
        "noun": scenario.noun,
        "caption": caption(recording, Selection()),
        "finding": recording.finding,
        "nodes": scenario.nodes,
        "managers": list(recording.managers),
        "ram": recording.constants.ram if scenario.lends_memory else None,
        "slots": scenario.slots if scenario.lends_memory else None,
        "every_hop": recording.every_hop,
        "id_letters": LETTERS,
        "topics": list(TOPICS),
        "topic_of": {name: kind.topic for name, kind in KINDS.items()},
        "spent": _spent(recording),
        "unended": _unended(recording),
        "words": words | {"station": station_names, "use": list(USES)},
        "colors": {kind: color_of(kind) for kind in kinds},
        "job_colors": list(JOB_COLORS),
        "last": int(records["time_ns"].max()),
    }
    return tables, about, payloads


def _items(records: pd.DataFrame) -> pd.DataFrame:
    """The first record of each message, and every other record; nodes as seen by the sender."""
    is_message = records["kind"].isin(OF_MESSAGES)
    later = is_message & records["id"].where(is_message).duplicated()
    items = records[~later].copy()
    turned = items["kind"].isin(WAY_ENDS)
    if turned.any():  # a cut-out may begin while a message is on its way
        items.loc[turned, ["node", "peer"]] = items.loc[turned, ["peer", "node"]].to_numpy()
    items["kind"] = items["kind"].astype(str).where(~items["kind"].isin(OF_MESSAGES), Sent.name)
    return items.reset_index(drop=True)


def items_of(items: pd.DataFrame, records: pd.DataFrame, name: str = "id") -> pd.Series:
    """The number of the item that each record belongs to (or names as its cause), or -1."""
    first = items["id"].drop_duplicates()
    numbers = pd.Series(first.index, index=first.to_numpy(np.int64))
    return records[name].astype("int64").map(numbers).fillna(-1).astype("int64")


def _ids(items: pd.DataFrame) -> dict[str, np.ndarray]:
    """Each item's id in two parts, and how many items ago its cause was (0 if it has none here)."""
    ids = items["id"].to_numpy(np.int64)
    causes = items_of(items, items, "cause").to_numpy()
    back = np.arange(len(items)) - causes
    return {
        "id_high": ids >> _LOW,
        "id_low": ids & (2**_LOW - 1),
        "back": np.where(causes < 0, 0, np.maximum(back, 0)),
        "caused": (items["cause"].to_numpy(np.int64) != 0).astype(np.int64),
    }


def _ends(items: pd.DataFrame, records: pd.DataFrame) -> dict[str, np.ndarray]:
    """How long each item took (-1 if it has no end), and whether it is a message that was lost."""
    began = items["time_ns"].to_numpy(np.int64)
    lasts = _numbers(items["end_ns"])
    lasts = np.where(lasts < 0, -1, lasts - began)
    lasts[items["kind"].to_numpy() == Sent.name] = -1
    lost = np.zeros(len(items), dtype=np.int64)
    for kind in WAY_ENDS:
        ended = records[records["kind"] == kind]
        which = items_of(items, ended).to_numpy()
        lasts[which] = ended["time_ns"].to_numpy(np.int64) - began[which]
        lost[which] = kind == Lost.name
    return {"lasts": lasts, "lost": lost}


def _beliefs(recording: Recording, items: pd.DataFrame) -> dict[str, np.ndarray]:
    """What was believed of the node that was chosen: bytes, stated when; and what was true.

    `has_word` is 1 where there was a word, `chosen` where the truth is in the journal, and `group`
    where the node stands for its group.
    """
    group, has_word, believed, stated, true, chosen = np.zeros((6, len(items)), dtype=np.int64)
    which = np.flatnonzero(items["kind"] == Decided.name)
    choices = decisions(recording.records, recording.scenario.nodes)
    for row, (_, decision) in zip(which, choices, strict=True):
        group[row] = decision.groups
        belief = decision.belief
        if belief is not None:
            chosen[row], true[row] = 1, belief.true
            if belief.believed is not None:
                has_word[row] = 1
                believed[row], stated[row] = belief.believed, belief.stated_ns
    return {
        "group": group,
        "chosen": chosen,
        "has_word": has_word,
        "believed": believed,
        "stated": stated,
        "true": true,
    }


def _likeness(all_items: list[pd.DataFrame]) -> list[np.ndarray]:
    """A number for each item of each run; items of two runs with the same number are partners."""
    every = pd.concat(
        [
            items[list(_LIKENESS)].astype(object).fillna(-1).assign(run=run)
            for run, items in enumerate(all_items)
        ],
        ignore_index=True,
    )
    alike = every.groupby(list(_LIKENESS), sort=False)
    group, turn = alike.ngroup(), every.groupby([*_LIKENESS, "run"], sort=False).cumcount()
    codes = pd.factorize(pd.MultiIndex.from_arrays([group, turn]))[0]
    return [codes[(every["run"] == run).to_numpy()] for run in range(len(all_items))]


def _jobs(recording: Recording) -> Columns:
    """Where jobs were over time: a row for adjacent nodes in a slot, or for a place on a node."""
    rows: list[tuple[int, ...]] = []
    if recording.scenario.lends_memory:
        for stint in stints(recording.job_spans):
            for _, block in groupby(enumerate(sorted(stint.nodes)), lambda it: it[1] - it[0]):
                nodes = [node for _, node in block]
                span = (stint.start_ns, stint.end_ns)
                rows.append((stint.job, stint.slot, nodes[0], nodes[-1], _state(stint), *span))
    else:
        for it in residences(recording.job_spans):
            rows.append((it.job, it.place, it.node, it.node, _RUNS, it.start_ns, it.end_ns))
    names = ("job", "slot", "first", "last", "state", "start", "end")
    table = np.array(rows, dtype=np.int64).reshape(-1, len(names))
    return dict(zip(names, table.T, strict=True))


def _spent(recording: Recording) -> dict[int, dict[str, Any]]:
    """Where the time of each job that has ended went, as its end says, and what held it up.

    By the names of the parts: ns, the mean over its processes, so that they add up to its response.
    """
    found: dict[int, dict[str, Any]] = {}
    for record in rows(recording.of_kinds(Ended)):
        if record.payload is None:
            continue  # a path that was explored takes no time
        spent = Ended.contents(record.payload)
        parts = dict.fromkeys(SPENT.values(), 0.0)
        for name, part_ns in spent.spent_ns.items():
            parts[SPENT[name]] += part_ns / spent.processes
        behind = ""
        if spent.behind is not None:
            waited = span(spent.waited_ns / spent.processes)
            behind = f"node {spent.behind} ({waited} a process)"
        shown = {name: part_ns for name, part_ns in parts.items() if part_ns}
        found[record.job] = {"parts": shown, "behind": behind}
    return found


def _unended(recording: Recording) -> dict[int, str]:
    """What each job that has not ended is, and since when."""
    return {
        it.job: f"{it.state} since {in_words(it.start_ns)}"
        for it in recording.job_spans
        if it.lasts
    }


def _state(stint: Stint) -> int:
    return _STUCK if stint.stuck else _STATES[stint.state]


def _memory(recording: Recording) -> Columns:
    """Each node's memory after each of its changes; rows by node, then by time."""
    ram = recording.constants.ram
    held = memory_of(recording)
    split = held.parts(ram)
    parts = {name: getattr(split, name) for name in _PARTS}
    changed = np.ones(held.own.shape, dtype=bool)
    changed[:, 1:] = np.any([np.diff(part, axis=1) != 0 for part in parts.values()], axis=0)
    node, column = np.nonzero(changed)
    amounts = {name: part[node, column] for name, part in parts.items()}
    return {"node_of_memory": node, "at": held.times_ns[column], **amounts}


def _coded(values: pd.Series) -> tuple[np.ndarray, list[str]]:
    """Numbers for words (-1: none), and the words."""
    codes, found = pd.factorize(values.astype(object))
    return codes.astype(np.int64), [str(word) for word in found]


def _numbers(values: pd.Series) -> np.ndarray:
    return values.astype("Int64").fillna(-1).to_numpy(np.int64)
