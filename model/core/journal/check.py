"""The check of a journal that somebody else may have written, by the classes of `kinds.py`.

Who reads a checked journal may rely on it: it need not check that a time exists, that a node is in
the cluster, or that a payload has what its kind has. What it must expect is a payload with fields
of a user's own, and records that lack what others tell of, as parts of a journal do.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import pyarrow as pa
from msgspec import MsgspecError, convert

from model.core.journal.file import SCHEMA
from model.core.journal.kinds import ALWAYS, KINDS, Placement
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
        _check_nodes(named, scenario.nodes)
    except (MsgspecError, ValueError):
        raise Damaged(f"the managers of {cut(name)} are no nodes: {shown(managers)}") from None
    return named


def check_records(records: "pd.DataFrame", scenario: BaseScenario) -> None:
    """Raise Damaged if one run's records are not what a run of the scenario can have written."""
    for wrong, complaint in _rules(records, scenario):
        if wrong.any():
            place = int(wrong.to_numpy(bool, na_value=False).argmax())
            kind = cut(str(records["kind"].iat[place]))
            raise Damaged(f"record {place + 1} ({kind}): {complaint}")
    _check_payloads(records, scenario.nodes)


def _rules(records: "pd.DataFrame", scenario: BaseScenario) -> "Iterator[tuple[pd.Series, str]]":
    """Which records break each rule, and how."""
    missing = records.isna()
    for name in ALWAYS:
        yield missing[name], f"it has no {name}"
    counts = {"node": scenario.nodes, "peer": scenario.nodes, "slot": getattr(scenario, "slots", 1)}
    for name, count in counts.items():
        outside = (records[name] < 0) | (records[name] >= count)
        yield outside, f"its {name} is not 0 to {count - 1}"
    kinds = records["kind"].astype(str)
    for name in kinds.unique():
        if name in KINDS:
            for column in KINDS[name].required:
                yield (kinds == name) & missing[column], f"it has no {column}"
    yield records["time_ns"].diff() < 0, "it is of an earlier time than the one before it"


def _check_payloads(records: "pd.DataFrame", nodes: int) -> None:
    distinct = records[["kind", "payload"]].dropna().drop_duplicates()
    for name, payload in distinct.itertuples(index=False, name=None):
        if name not in KINDS:
            continue
        try:
            contents = KINDS[name].contents(payload)
            if isinstance(contents, Placement):
                _check_nodes(contents.nodes, nodes)
        except (MsgspecError, ValueError) as error:
            what = f"the payload of a record ({name}) cannot be: {cut(str(error), 200)}"
            raise Damaged(f"{what}: {shown(payload)}") from None


def _check_nodes(named: Iterable[int], nodes: int) -> None:
    if not all(0 <= node < nodes for node in named):
        raise ValueError(f"it names nodes that are not 0 to {nodes - 1}")
