"""Carries the bundled results over to today's version of the model."""

from collections.abc import Iterator
from functools import partial
from math import nan
from typing import Any

import pandas as pd

from model.core.files import alone_in
from model.ground.errors import InputError
from model.papers.cases import plain
from model.papers.declared_runs import DeclaredRuns, lost_log, sweeps_of
from model.papers.page import keep_results
from model.papers.paper import RESULTS_FILE, Paper, short_key, with_short_keys
from model.sweeps.carrying import Sample, Stored, verified
from model.sweeps.identity import conditions_of, key_of
from model.sweeps.results import as_table
from model.sweeps.store import Note, Result


def carry_paper(paper: Paper, sample: Sample, version: str | None = None) -> list[Note]:
    """Carry over a paper's condensed results that are not of today's version.

    It works as `carry_folder` does, but compares at the precision of what is stored, and writes the
    page of findings again. The notes are kept in the table (`attrs["carried"]`). Results on a
    person's own log that is not there are carried over with the others of their version, which the
    note says; `sample.progress` is told of them.
    """
    with alone_in(paper.folder):
        return _carried(paper, paper.in_brief(), sample, version)


def _carried(paper: Paper, table: pd.DataFrame, sample: Sample, version: str | None) -> list[Note]:
    chosen = table[table.version != paper.version]
    if version is not None:
        chosen = chosen[chosen.version == version]
    lost = [log for file in sweeps_of(paper) if (log := lost_log(file))]
    apart = chosen.trace.isin(lost) if lost else pd.Series(data=False, index=chosen.index)
    alone, chosen = chosen[apart], chosen[~apart]
    stored = [*_stored(paper, chosen)]
    notes = verified(stored, sample)
    for note in notes:
        without = alone[alone.version == note["from"]]
        for log, count in without.trace.value_counts(sort=False).items():
            note.setdefault("without_log", {})[log] = int(count)
            sample.progress(f"{log} is not in this folder: {count} results on it are not run again")
        table.loc[without.index, "version"] = note["to"]  # conditions and keys stay distinct
    if notes:
        today = [one.run.identity for one in stored]
        table.loc[chosen.index, "version"] = [who["version"] for who in today]
        table.loc[chosen.index, "conditions"] = [conditions_of(who) for who in today]
        table.loc[chosen.index, "key"] = [short_key(key_of(who)) for who in today]
        table.attrs["carried"] = [
            *table.attrs.get("carried", []),
            *map(with_short_keys, notes),
        ]
        keep_results(paper, paper.measured(table), paper.folder)
    return notes


def _stored(paper: Paper, table: pd.DataFrame) -> Iterator[Stored]:
    """Each row with the run that the paper's sweeps declare; raises InputError if there is none."""
    declared = DeclaredRuns(paper, [*table])
    for place, row in zip(table.index, table.to_dict("records"), strict=True):
        if (found := declared.run_of(row)) is None:
            raise InputError(
                f"row {place} of {paper.folder / RESULTS_FILE} ({row['design']}, seed "
                f"{row['seed']}): the sweeps beside it declare no such run"
            )
        of_code = ("key", "version", "conditions")
        kept = {name: table[name].dtype for name in table if name not in of_code}
        compare = partial(_difference, paper, {name: row[name] for name in kept}, kept)
        expected_s = found.scenario.expected_s(row["jobs"])
        yield Stored(f"row {place}", row["version"], found, expected_s, compare)


def _difference(paper: Paper, row: dict[str, Any], dtypes: dict[str, Any], today: Result) -> str:
    """A sentence on the first column that differs today, at its stored precision, or ""."""
    whole = as_table(today)
    brief = paper.condense(whole, today["version"]).iloc[0]
    found = {**brief, **whole.iloc[0], "trace": brief.get("trace")}  # measures in full
    for name, stored in row.items():
        value = found.get(name, nan)
        if dtypes[name].kind == "f" and value is not None:
            value = dtypes[name].type(value)
        if plain(value) != plain(stored):
            return f"{name} is stored as {stored}, today {value}"
    return ""
