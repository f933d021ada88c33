"""The schema of a journal's records, by their kind, which is checked when a file is read.

Views may rely on it: they need not check that a time exists or that a node is in the cluster.
"""

import json
from collections.abc import Iterator
from typing import Any

import pandas as pd
import pyarrow as pa

from model.core.journal.file import SCHEMA
from model.core.scenario import BaseScenario
from model.ground.errors import cut, shown

_ALWAYS = ("time_ns", "kind", "id", "cause")
_MESSAGE = ("what", "phase", "hears", "node", "peer", "size_bytes")
_SERVICE = ("station", "start_ns", "end_ns")
_STEP = ("job", "rank", "node")
#: The further fields of each kind of record.
_SAYS = {
    "sent": _MESSAGE,
    "hop": (*_MESSAGE, *_SERVICE),
    "delivered": _MESSAGE,
    "lost": _MESSAGE,
    **dict.fromkeys(("crashed", "restarted", "paused", "continued"), ("what", "node")),
    "decided": ("hears", "node", "payload"),
    "disk": (*_STEP, *_SERVICE, "size_bytes"),
    **dict.fromkeys(("fault", "io", "barrier", "started", "finished"), _STEP),
    **dict.fromkeys(
        ("submitted", "resumed", "suspended", "held", "ended", "killed", "failed"), ("job",)
    ),
    **dict.fromkeys(("placed", "moved"), ("job", "payload")),
    **dict.fromkeys(("switch", "switched"), ("slot",)),
    "unified": ("slot", "payload"),
    "resized": (*_STEP, "amount_bytes"),
    **dict.fromkeys(("departed", "arrived"), (*_STEP, "peer", "amount_bytes")),
    **dict.fromkeys(("lent", "returned"), ("node", "amount_bytes")),
    **dict.fromkeys(("borrowed", "given back"), ("node", "peer", "amount_bytes")),
}
_PLACED_IN_A_SLOT = ("slot", "amount_bytes")  # by a scheduler of parallel jobs
_ONCE = ("placed", "ended")  # in the life of a parallel job, and in between:
_NOT_PLACED = "it is of a job that is not placed"
_BETWEEN = ("resumed", "suspended", "started", "resized", "departed", "arrived", "finished")
_DECIDED = ("search", "missing", "candidates")  # what the payload of a decision says
_LIMITS = {  # so that sums of millions of them fit into 64 bits
    **dict.fromkeys(("time_ns", "start_ns", "end_ns", "job"), 2**62),
    **dict.fromkeys(("size_bytes", "amount_bytes", "rank"), 2**50),
}


class Damaged(ValueError):
    """A journal cannot have been written by a run; says which record is wrong, and how."""


def check_types(schema: pa.Schema) -> None:
    """Raise Damaged if a column has not the type that it has in a journal."""
    for field in schema:
        wanted = SCHEMA.field(field.name).type
        if field.type != wanted and not (pa.types.is_dictionary(wanted) and field.type == "string"):
            raise Damaged(f"its column {field.name} is of type {field.type}, not {wanted}")


def check_managers(managers: Any, name: str, scenario: BaseScenario) -> tuple[int, ...]:
    """A run's managers, from all that a journal names; raises Damaged if they are not nodes."""
    named = managers.get(name, []) if isinstance(managers, dict) else None
    if not _are_nodes(named, scenario):
        raise Damaged(f"the managers of {cut(name)} are no nodes: {shown(named)}")
    return tuple(named)


def _are_nodes(named: Any, scenario: BaseScenario) -> bool:
    return isinstance(named, list) and all(
        type(node) is int and 0 <= node < scenario.nodes for node in named
    )


def check_records(records: pd.DataFrame, scenario: BaseScenario) -> None:
    """Raise Damaged if one run's records are not what a run of the scenario can have written."""
    for wrong, complaint in _rules(records, scenario):
        if wrong.any():
            place = int(wrong.to_numpy(bool, na_value=False).argmax())
            kind = cut(str(records["kind"].iat[place]))
            raise Damaged(f"record {place + 1} ({kind}): {complaint}")
    _check_payloads(records, scenario)


def _rules(records: pd.DataFrame, scenario: BaseScenario) -> Iterator[tuple[pd.Series, str]]:
    """Which records break each rule, and how."""
    for name in _ALWAYS:
        yield records[name].isna(), f"it has no {name}"
    for name, most in (
        *_LIMITS.items(),
        *dict.fromkeys(("node", "peer"), scenario.nodes - 1).items(),
        ("slot", getattr(scenario, "slots", 1) - 1),
    ):
        yield (records[name] < 0) | (records[name] > most), f"its {name} is not 0 to {most}"
    kinds = records["kind"].astype(str)
    for kind, says in _SAYS.items():
        if scenario.lends_memory and kind == "placed":
            says = (*says, *_PLACED_IN_A_SLOT)
        its = kinds == kind
        for name in says:
            yield its & records[name].isna(), f"it has no {name}"
    yield records["time_ns"].diff() < 0, "it is of an earlier time than the one before it"
    unpaired = records["start_ns"].isna() != records["end_ns"].isna()
    yield unpaired, "it starts or ends, but not both"
    yield records["end_ns"] < records["start_ns"], "it ends before it starts"
    if scenario.lends_memory:
        order = pd.Series(range(len(records)), records.index)
        attempts = _attempts(records["job"], kinds)
        for kind in _ONCE:
            its = kinds == kind
            yield its & attempts[its].duplicated(), "it is the second of its job"
        first, last = (order[kinds == kind].groupby(attempts).min() for kind in _ONCE)
        living = kinds.isin((*_BETWEEN, "ended", "killed"))
        yield living & ~(attempts.map(first) < order).fillna(False), _NOT_PLACED
        yield kinds.isin(_BETWEEN) & (attempts.map(last) < order), "it is of a job that has ended"


def _attempts(jobs: pd.Series, kinds: pd.Series) -> pd.Series:
    """A number for each job and each of its attempts: one that is killed may be placed again."""
    killed = kinds == "killed"
    if not killed.any():
        return jobs
    before = killed.groupby(jobs).cumsum() - killed
    return jobs.groupby([jobs, before]).ngroup()


def _check_payloads(records: pd.DataFrame, scenario: BaseScenario) -> None:
    payloads = records[["kind", "payload"]].dropna().drop_duplicates()
    for kind, payload in payloads.itertuples(index=False):
        try:
            says: Any = json.loads(payload)
        except (ValueError, RecursionError):
            raise Damaged(
                f"the payload of a record ({kind}) is no JSON: {shown(payload)}"
            ) from None
        if kind == "decided" and not (isinstance(says, dict) and {*_DECIDED} <= says.keys()):
            raise Damaged(
                f"the payload of a record (decided) lacks one of {', '.join(_DECIDED)}: "
                f"{shown(payload)}"
            )
        if kind == "unified" and not _moves(says, getattr(scenario, "slots", 1)):
            raise Damaged(
                f"the payload of a record (unified) does not name the jobs that moved, each with "
                f"its old slot and its new one: {shown(payload)}"
            )
        places = says.get("nodes", []) if isinstance(says, dict) else []
        wanted = range(1, scenario.nodes + 1) if scenario.lends_memory else (1,)
        counts = {"placed": wanted, "moved": (2,)}.get(kind, range(scenario.nodes + 1))
        if not _are_nodes(places, scenario) or len(places) not in counts:
            raise Damaged(
                f"the payload of a record ({kind}) names no nodes of 0 to {scenario.nodes - 1}: "
                f"{shown(payload)}"
            )


def _moves(says: Any, slots: int) -> bool:
    """Whether a payload names jobs, each with two of so many slots."""
    moved = says.get("moved") if isinstance(says, dict) else None
    return isinstance(moved, list) and all(
        isinstance(move, list)
        and [type(number) for number in move] == [int, int, int]
        and all(0 <= slot < slots for slot in move[1:])
        for move in moved
    )
