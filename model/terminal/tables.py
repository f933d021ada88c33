"""A sweep's results as tables for people: one row per design, with how sure its mean is."""

from collections.abc import Sequence
from math import isinf, isnan, nan

import pandas as pd

from model.core.files import put_in_place
from model.core.measures import BEYOND, SHORT, Summary, Table
from model.ground.errors import InputError
from model.ground.text import escaped
from model.pnr.measures import MEASURES as DESIGNS
from model.pnr.measures import PAGING
from model.sharing.measures import MEASURES as POLICIES
from model.sweeps.results import failures_in, load_results
from model.sweeps.statistics import (
    Estimate,
    Rank,
    by_design,
    estimates,
    groups,
    leaders,
    ranked,
    replications_needed,
)
from model.sweeps.store import Failed
from model.sweeps.sweep import meets, parse_condition
from model.systems import parameter_names
from model.terminal.commands.results import Results
from model.terminal.plain import warn
from model.terminal.printing import print_table, table_of, text_of
from model.terminal.progress import said_if_slow
from model.terminal.sweeps import varying

COLUMNS = {"seed": ("seed",), "window": ("first",)}  # what differs between replications
NOT_SURE, SINGLE = "~", "?"
_NOT_COMPARED = "means over the jobs that ended under every design (*: over different jobs)"


def show_results(asked: Results) -> None:
    """Print or write one row per design, or with `runs` one row per run; raises InputError.

    Conditions on the design select rows last: the comparison is with DP even if it is not shown.
    With `failures`, print instead why runs have failed.
    """
    folder, measure, version = asked.folder, asked.measure, asked.model_version
    if asked.failures:
        _print_failures(failures_in(folder, version))
        return
    with said_if_slow(f"reading {folder}"):
        table = load_results(folder, version)
    wanted = asked.where or ()
    parsed = [parse_condition(condition, dict.fromkeys(table.columns)) for condition in wanted]
    designs = [condition for condition in parsed if condition[0] == "design"]
    table = _chosen(table, [condition for condition in parsed if condition[0] != "design"])
    chosen = _chosen(table, designs)
    if chosen.empty:
        raise InputError(f"--where {' '.join(wanted)}: no run in {folder} has these values")
    if asked.runs:
        rows = chosen
    else:
        _check(measure, table)
        rows = _chosen(estimates(table, [measure], COLUMNS[asked.replicated]), designs)
        if asked.half_width_pct is not None:
            needed = _needed(rows, measure, asked.half_width_pct)
            rows = rows.assign(**{f"n_for_{asked.half_width_pct:g}_pct": needed})
    if asked.csv is not None:
        with put_in_place(asked.csv, "--csv") as unfinished:
            rows.to_csv(unfinished, index=False)
    if asked.parquet is not None:
        with put_in_place(asked.parquet, "--parquet") as unfinished:
            rows.to_parquet(unfinished, index=False)
    if asked.csv is None and asked.parquet is None:
        if asked.runs:
            _print_runs(rows)
        else:
            _print_estimates(rows, measure)
            _print_lowest(chosen, measure, COLUMNS[asked.replicated])
    if not asked.runs:
        _warn(rows, measure)


def _print_failures(failures: Sequence[Failed]) -> None:
    names = varying(failed.run for failed in failures)
    for failed in failures:
        run = " ".join(f"{name}={text_of(failed.run[name])}" for name in names)
        print(f"{escaped(run)}, {failed.key[:8]}: {failed.error}\n{failed.traceback}")


def against_dp(row: Summary, measure: str) -> Estimate:
    """A design's reduction against DP, in percent, from a row of `estimates`."""
    name = f"{measure}_vs_dp_pct"
    return Estimate(row[name], row[f"{name}_low"], row[f"{name}_high"], row["n_vs_dp"])


def with_half_width(mean: float, half_width: float, form: str = ",.2f") -> str:
    """A mean and its half width as a text for people; beyond, if it is infinite."""
    if isnan(mean):
        return "-"
    if isinf(mean):
        return BEYOND
    return f"{mean:{form}}" + ("" if isnan(half_width) else f" ± {half_width:,.2f}")


def _chosen(table: pd.DataFrame, conditions: list[tuple[str, list[str]]]) -> pd.DataFrame:
    for name, values in conditions:
        table = table[[meets({name: actual}, name, values) for actual in table[name]]]
    return table


def _check(measure: str, table: pd.DataFrame) -> None:
    """Raise InputError if the runs have no such measure."""
    numbers = table.select_dtypes("number").columns
    known = [name for name in numbers if name not in parameter_names()]
    if measure not in known:
        raise InputError(f"--measure {measure}: give one of {', '.join(known)}")


def _needed(rows: pd.DataFrame, measure: str, half_width_pct: float) -> pd.arrays.IntegerArray:
    """How many replications such an interval of the difference from DP needs; None if unknown."""
    if not half_width_pct > 0:
        raise InputError(f"--half-width {half_width_pct:g}: give a positive number of percent")
    found = [against_dp(row, measure) for row in rows.to_dict("records")]
    return pd.array(
        [None if isnan(f.half_width) else replications_needed(f, half_width_pct) for f in found],
        dtype="Int64",
    )


def _conditions(table: pd.DataFrame) -> list[str]:
    """The parameters that vary, the design first."""
    parameters = ["design", *(name for name in parameter_names() if name in table.columns)]
    return varying(table[parameters].to_dict("records"))


def _print_estimates(rows: pd.DataFrame, measure: str) -> None:
    names = _conditions(rows)
    (extra,) = [name for name in rows if name.startswith("n_for_")] or [None]
    headings = [f"{measure} ±", "below DP, % ±", "", "n"]
    of_all = f"over_all_ended.{measure}"
    if lacking := "ended" in rows:
        headings += ["ended", *(["all that ended *"] if of_all in rows else [])]
    if extra is not None:
        headings.append(f"n for ±{extra.removeprefix('n_for_').removesuffix('_pct')} %")
    lines = []
    for row in rows.to_dict("records"):
        half = (row[f"{measure}_high"] - row[f"{measure}_low"]) / 2
        found = against_dp(row, measure)
        paging = row["design"] == PAGING
        cells = [
            with_half_width(row[measure], half),
            "-" if paging else with_half_width(found.mean, found.half_width, "+,.2f"),
            "" if paging else _mark(found),
            str(row["n"]) + ("" if row["n_vs_dp"] in (0, row["n"]) else f" ({row['n_vs_dp']})"),
        ]
        if lacking:
            cells.append(row["ended"] if isinstance(row["ended"], str) else "all")
        if lacking and of_all in rows:
            cells.append(with_half_width(row[of_all], nan))
        if extra is not None:
            cells.append("-" if paging or pd.isna(row[extra]) else f"{row[extra]:,}")
        lines.append([*(text_of(row[name]) for name in names), *cells])
    print_table(Table(names, headings, lines, _NOT_COMPARED if lacking else None))


def _print_runs(rows: pd.DataFrame) -> None:
    names = _conditions(rows)
    runs = rows.to_dict("records")
    measures = POLICIES if "policy" in rows else DESIGNS
    title = _NOT_COMPARED if "jobs_ended" in rows else None
    print_table(table_of(measures, SHORT, runs, names, title))


def _print_lowest(runs: pd.DataFrame, measure: str, replicated: Sequence[str]) -> None:
    """Print the lowest design under each set of conditions, or those that may be the lowest."""
    names = [name for name in _conditions(runs) if name not in ("design", *replicated)]
    for conditions, own in groups(runs, replicated):
        ranks = ranked(by_design(own, measure))
        if len(ranks) < 2 or ranks[0].behind_pct.n < 2:
            continue
        where = " ".join(f"{name}={text_of(conditions[name])}" for name in names)
        print(escaped(f"{where}: {verdict(ranks)}" if where else verdict(ranks)))


def verdict(ranks: list[Rank]) -> str:
    """A sentence with the lowest design and its lead, or with those that have no winner."""
    first = leaders(ranks)
    if len(first) > 1:
        return f"no winner among {', '.join(first)}"
    second = ranks[1]
    if isinf(second.mean):
        return f"{first[0]} is lowest, {second.design} is {BEYOND}"
    gap = with_half_width(second.behind_pct.mean, second.behind_pct.half_width)
    return f"{first[0]} is lowest, {gap} % below {second.design}"


def _warn(rows: pd.DataFrame, measure: str) -> None:
    others = [row for row in rows.to_dict("records") if row["design"] != PAGING]
    marks = [_mark(against_dp(row, measure)) for row in others]
    pnr = [row for row in others if not isinstance(row.get("system"), str)]  # not load sharing
    if alone := sum(not row["n_vs_dp"] for row in pnr):
        warn(f"{alone} rows have no run of {PAGING} under the same conditions")
    if single := marks.count(SINGLE):
        warn(f"{single} rows ({SINGLE}) have only one replication, so no interval")
    if unsure := marks.count(NOT_SURE):
        warn(
            f"{unsure} rows ({NOT_SURE}) may not differ from DP: the interval of their difference "
            "covers zero"
        )


def _mark(found: Estimate) -> str:
    if isnan(found.mean):
        return ""
    if found.n == 1:
        return SINGLE
    return "" if found.excludes_zero else NOT_SURE
