"""A path that `explore` has found in the Informal Trace Format, which Apalache and Quint write.

The format: apalache-mc.org/docs/adr/015adr-trace.html. A state is what holds after a step: of each
node what it holds and has lent and borrowed, of each job its state, and the messages under way.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path

from model.core.journal import words
from model.core.journal.file import rows
from model.core.journal.kinds import Note, Record
from model.core.journal.past import Past
from model.ground.errors import InputError
from model.ground.units import NS_PER_S
from model.views.caption import caption
from model.views.recording import Recording, Selection

Value = str | bool | list["Value"] | dict[str, "Value"]
VARIABLES = ("happened", "own", "lent", "borrowed", "jobs", "messages")


def itf(recording: Recording, selection: Selection, path: Path) -> None:
    """Write all steps of a path; raises InputError for any other run, or a part of it."""
    if recording.finding is None:
        raise InputError(
            "--format itf: shows a path that explore has found; give the journal of one "
            "(run.py explore --out FILE.parquet)"
        )
    if selection != Selection():
        raise InputError("--format itf: shows a whole path; leave the selection out")
    trace = {
        "#meta": {
            "format": "ITF",
            "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
            "source": caption(recording, selection),
            "status": "violation",
            "description": recording.finding,
        },
        "vars": list(VARIABLES),
        "states": [*_states(recording)],
    }
    path.write_text(json.dumps(trace, indent=1) + "\n", encoding="utf-8")


def _states(recording: Recording) -> Iterator[dict[str, object]]:
    """The state before the first step, and that after each."""
    now = Past(recording.scenario.nodes)
    steps = groupby(rows(recording.records), key=lambda record: record.time_ns // NS_PER_S)
    for index, (_, step) in enumerate(steps):
        records = list(step)
        for record in records:
            now.read(record)
        yield {"#meta": {"index": index}, **_state(now, records)}


def _state(now: Past, step: list[Record]) -> dict[str, Value]:
    happened = [it for it in step if it.kind != Note.name and words.is_worth_a_line(it)]
    under_way = [it.sent for it in now.under_way.values()]
    return {
        "happened": [words.sentence(record) for record in happened],
        "own": _map({node.number: node.own for node in now.nodes}),
        "lent": _map({node.number: node.lent for node in now.nodes}),
        "borrowed": _map({node.number: node.borrowed for node in now.nodes}),
        "jobs": {"#map": [[_whole(number), job.state] for number, job in now.jobs.items()]},
        "messages": _set(
            {
                "id": words.short(sent.id),
                "kind": str(sent.what),
                "sender": _whole(sent.node),
                "receiver": _whole(sent.peer),
            }
            for sent in under_way
        ),
    }


def _whole(number: int | None) -> Value:
    assert number is not None
    return {"#bigint": str(number)}


def _map(amounts: Mapping[int, int]) -> Value:
    return {"#map": [[_whole(key), _whole(amount)] for key, amount in amounts.items()]}


def _set(values: Iterable[dict[str, Value]]) -> Value:
    return {"#set": [*values]}
