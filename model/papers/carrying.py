"""Carries the bundled results over to today's version of the model."""

from collections.abc import Iterator
from functools import partial
from math import nan
from typing import Any

import pandas as pd

from model.ground.errors import InputError
from model.papers.cases import plain
from model.papers.page import keep_results
from model.papers.paper import RESULTS_FILE, Paper
from model.sweeps.carrying import Sample, Stored, verified
from model.sweeps.identity import conditions_of, identity
from model.sweeps.results import as_table, parameters_of
from model.sweeps.store import Note, Result
from model.sweeps.sweep import Run, load_sweep
from model.systems import PARAMETERS


def carry_paper(paper: Paper, sample: Sample, version: str | None = None) -> list[Note]:
    """Carry over a paper's condensed results that are not of today's version.

    It works as `carry_folder` does, but compares at the precision of what is stored, and writes the
    page of findings again. The notes are kept in the table (`attrs["carried"]`).
    """
    table = paper.in_brief()
    chosen = table[table.version != paper.version]
    if version is not None:
        chosen = chosen[chosen.version == version]
    stored = [*_stored(paper, chosen)]
    notes = verified(stored, sample)
    if notes:
        today = [identity(one.run.scenario) for one in stored]
        table.loc[chosen.index, "version"] = [who["version"] for who in today]
        table.loc[chosen.index, "conditions"] = [conditions_of(who) for who in today]
        table.attrs["carried"] = [*table.attrs.get("carried", []), *notes]
        keep_results(paper, paper.measured(table), paper.folder)
    return notes


def _stored(paper: Paper, table: pd.DataFrame) -> Iterator[Stored]:
    """Each row with the run that the paper's sweeps declare; raises InputError if there is none."""
    names = [name for name in PARAMETERS if name in table and name != "jobs"]
    declared: dict[tuple[Any, ...], dict[int | None, Run]] = {}  # by number of jobs; None: all
    for file in sorted(paper.folder.glob("*.toml")):
        for run in load_sweep(str(file)).runs.values():
            values = parameters_of(run.scenario.model_dump(mode="json"))
            key = run.design.upper(), *(plain(values.get(name)) for name in names)
            declared.setdefault(key, {}).setdefault(values["jobs"], run)
    for place, row in zip(table.index, table.to_dict("records"), strict=True):
        key = row["design"].upper(), *(plain(row[name]) for name in names)
        found = declared.get(key, {})
        run = found.get(row["jobs"]) or found.get(None)
        if run is None:
            raise InputError(
                f"row {place} of {paper.folder / RESULTS_FILE} ({row['design']}, seed "
                f"{row['seed']}): the sweeps beside it declare no such run"
            )
        kept = {name: table[name].dtype for name in table if name not in ("version", "conditions")}
        compare = partial(_difference, paper, {name: row[name] for name in kept}, kept)
        expected_s = run.scenario.expected_s(row["jobs"])
        yield Stored(f"row {place}", row["version"], run, expected_s, compare)


def _difference(paper: Paper, row: dict[str, Any], dtypes: dict[str, Any], today: Result) -> str:
    """A sentence on the first column that differs today, at its stored precision, or ""."""
    whole = as_table(today)
    found = {**paper.condense(whole, today["version"]).iloc[0], **whole.iloc[0]}
    for name, stored in row.items():
        value = found.get(name, nan)
        if dtypes[name].kind == "f" and value is not None:
            value = dtypes[name].type(value)
        if plain(value) != plain(stored):
            return f"{name} is stored as {stored}, today {value}"
    return ""
