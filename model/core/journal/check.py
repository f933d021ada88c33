"""The check of a journal that somebody else may have written, by the classes of `kinds.py`.

Who reads a checked journal may rely on it: it need not check that a time exists, that a node is in
the cluster, or that a payload has what its kind has. What it must expect is a payload with fields
of a user's own, and records that lack what others tell of, as parts of a journal do.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pyarrow as pa
from msgspec import MsgspecError, convert

from model.core.journal.file import SCHEMA
from model.core.journal.kinds import ALWAYS, KINDS, LIMITS, Ended, Extent, Killed, Placed
from model.core.scenario import BaseScenario
from model.ground.errors import cut, shown

if TYPE_CHECKING:
    import pandas as pd


class Damaged(ValueError):
    """A journal cannot be that of a run; the message names the record that is wrong, and how."""


def check_types(schema: pa.Schema) -> None:
    """Raise Damaged if a column has not the type that it has in a journal."""
    for field in schema:
        wanted = SCHEMA.field(field.name).type
        if field.type != wanted and not (pa.types.is_dictionary(wanted) and field.type == "string"):
            raise Damaged(f"its column {field.name} is of type {field.type}, not {wanted}")


def check_managers(managers: object, name: str, scenario: BaseScenario) -> tuple[int, ...]:
    """A run's managers, from all that a journal names; raises Damaged if they are not nodes."""
    try:
        named = convert(managers, dict[str, tuple[int, ...]]).get(name, ())
        extent_of(scenario).check_nodes(named)
    except (MsgspecError, ValueError):
        raise Damaged(f"the managers of {cut(name)} are no nodes: {shown(managers)}") from None
    return named


def extent_of(scenario: BaseScenario) -> Extent:
    """How many nodes and time slots there are, and whether parallel jobs are placed in these."""
    return Extent(scenario.nodes, getattr(scenario, "slots", 1), scenario.lends_memory)


def check_records(records: "pd.DataFrame", scenario: BaseScenario) -> None:
    """Raise Damaged if one run's records are not what a run of the scenario can have written."""
    extent = extent_of(scenario)
    for wrong, complaint in _rules(records, extent):
        if wrong.any():
            place = int(wrong.to_numpy(bool, na_value=False).argmax())
            kind = cut(str(records["kind"].iat[place]))
            raise Damaged(f"record {place + 1} ({kind}): {complaint}")
    _check_payloads(records, extent)


def _rules(records: "pd.DataFrame", extent: Extent) -> "Iterator[tuple[pd.Series, str]]":
    """Which records break each rule, and how."""
    missing = records.isna()
    for name in ALWAYS:
        yield missing[name], f"it has no {name}"
    for name, limit in LIMITS.items():
        most = getattr(extent, limit) - 1 if isinstance(limit, str) else limit
        yield (records[name] < 0) | (records[name] > most), f"its {name} is not 0 to {most}"
    kinds = records["kind"].astype(str)
    met = set(kinds.unique())
    for kind in KINDS.values():
        if kind.name in met:
            of_kind = kinds == kind.name
            for name in kind.required + kind.required_in_slots * extent.in_slots:
                yield of_kind & missing[name], f"it has no {name}"
    yield records["time_ns"].diff() < 0, "it is of an earlier time than the one before it"
    of_kinds = {kind.name: kind.__annotations__ for kind in KINDS.values()}
    only_ends = [
        name for name, its in of_kinds.items() if "end_ns" in its and "start_ns" not in its
    ]
    unpaired = missing["start_ns"] != missing["end_ns"]
    yield unpaired & ~kinds.isin(only_ends), "it starts or ends, but not both"
    starts_ns = records["start_ns"].fillna(records["time_ns"])
    yield records["end_ns"] < starts_ns, "it ends before it starts"
    if extent.in_slots:
        yield from _rules_of_lives(records, kinds)


def _rules_of_lives(
    records: "pd.DataFrame", kinds: "pd.Series"
) -> "Iterator[tuple[pd.Series, str]]":
    """Which records break the order of parallel jobs' lives, and how."""
    order = kinds.reset_index(drop=True).index.to_series(index=records.index)
    attempts = _attempts(records["job"], kinds)
    once = (Placed.name, Ended.name)
    for name in once:
        of_kind = kinds == name
        yield of_kind & attempts[of_kind].duplicated(), "it is the second of its job"
    first, last = (order[kinds == name].groupby(attempts).min() for name in once)
    within = kinds.isin([kind.name for kind in KINDS.values() if kind.while_placed])
    living = within | kinds.isin((Ended.name, Killed.name))
    unplaced = ~(attempts.map(first) < order).fillna(False)
    yield living & unplaced, "it is of a job that is not placed"
    yield within & (attempts.map(last) < order), "it is of a job that has ended"


def _attempts(jobs: "pd.Series", kinds: "pd.Series") -> "pd.Series":
    """A number for each job and each of its attempts: one that is killed may be placed again."""
    killed = kinds == Killed.name
    if not killed.any():
        return jobs
    before = killed.groupby(jobs).cumsum() - killed
    return jobs.groupby([jobs, before]).ngroup()


def _check_payloads(records: "pd.DataFrame", extent: Extent) -> None:
    distinct = records[["kind", "payload"]].dropna().drop_duplicates()
    for name, payload in distinct.itertuples(index=False, name=None):
        if name not in KINDS:
            continue
        kind = KINDS[name]
        try:
            kind.check(kind.contents(payload), extent)
        except (MsgspecError, ValueError) as error:
            what = f"the payload of a record ({name}) cannot be: {cut(str(error), 200)}"
            raise Damaged(f"{what}: {shown(payload)}") from None
