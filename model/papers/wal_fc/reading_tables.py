"""What hangs on how the text is read, and on what it does not state."""

from collections.abc import Iterator, Sequence
from math import exp, log
from statistics import stdev

import pandas as pd

from model.papers.cases import Case
from model.papers.measurements import Measurements, geometric_mean
from model.papers.page import interval, table
from model.papers.wal_fc.figures import cases, readings

_FIGURES = ("5.2", "5.3")
_MOVING = ("CM", "IO", "WAL")
_OVER_EXPONENTS = ("NLB", "IO", "WAL")
_TOLD = {
    "first": "the first reading",
    "offered_load": "arrivals stretched to an offered load of 0.8",
    "memory_draws": "stratified requests for memory",
    "disk_load": "misses and faults load the disk",
    "data_mb": "a job moves with its own data",
    "guard": "the guard of section 3",
    "together": "all of them",
}


def tables(measured: Measurements) -> str:
    """All tables, in Markdown."""
    return "\n".join([*_readings(measured), *_denominators(measured), *_exponents(measured)])


def _readings(measured: Measurements) -> Iterator[str]:
    yield "## How the text is read"
    yield ""
    yield (
        "The first reading had bursts as they come (three times as fast), independent requests "
        "for memory, a disk loaded by all I/O requests, 1 MB that moves with each job, and no "
        "guard. Each of today's readings alone, and all together, as in the figures: geometric "
        "means over the seeds that all of them have, and by which factor seeds deviate from WAL's "
        "(its geometric standard deviation)."
    )
    yield ""
    rows = []
    for figure in _FIGURES:
        by_name = readings(f"readings {figure}")
        found = _paired(measured, by_name, _MOVING)
        rows += [(figure, _TOLD[name], *_reading(found, name), f"{len(found)}") for name in by_name]
    ratios = "IO over WAL", "CM over WAL"
    headings = ("In figure", "Reading", *_MOVING, "Seeds deviate", *ratios, "Seeds")
    yield from table(headings, rows)


def _reading(found: pd.DataFrame, name: str) -> tuple[str, ...]:
    return (
        *(_slowdown(found, name, policy) for policy in _MOVING),
        _spread(found[name, "WAL"].tolist() if (name, "WAL") in found else []),
        *(_ratio(found, name, than) for than in ("IO", "CM")),
    )


def _paired(
    measured: Measurements, by_name: dict[str, Case], policies: Sequence[str]
) -> pd.DataFrame:
    """The slowdowns of policies in cases, by seed, for the seeds that all that were run have."""
    every = {
        (name, policy): measured.values(case, policy)
        for name, case in by_name.items()
        for policy in policies
    }
    return pd.DataFrame({which: found for which, found in every.items() if len(found)}).dropna()


def _slowdown(found: pd.DataFrame, name: str, policy: str) -> str:
    if (name, policy) not in found or found.empty:
        return "not run"
    return f"{geometric_mean(found[name, policy].tolist()).mean:.1f}"


def _ratio(found: pd.DataFrame, name: str, than: str) -> str:
    """A policy in multiples of WAL."""
    if not {(name, than), (name, "WAL")}.issubset(found.columns) or found.empty:
        return "not run"
    return interval(geometric_mean((found[name, than] / found[name, "WAL"]).tolist()))


def _spread(values: list[float]) -> str:
    return f"{exp(stdev(map(log, values))):.2f} times" if len(values) > 1 else ""


def _denominators(measured: Measurements) -> Iterator[str]:
    yield "## Figure 4.2 with another denominator"
    yield ""
    yield (
        "Slowdowns of IO in multiples of that with 160 MB, where the denominator has the time of "
        "the job's I/O alone with 160 MB for all buffers, as in figure 4.2, or with the buffer of "
        "each run."
    )
    yield ""
    by_size = {size: case for (size,), case in cases("figure 4.2").items()}
    start, rows = by_size[160], []
    for size in (110, 360):
        (own,) = cases(f"own denominators {size}").values()
        ratios = (measured.ratio((case, "IO"), (start, "IO")) for case in (by_size[size], own))
        rows.append((f"{size}", *map(interval, ratios)))
    yield from table(("Buffer, MB", "Of 160 MB", "Of each run's buffer"), rows)


def _exponents(measured: Measurements) -> Iterator[str]:
    yield "## The exponent of memory"
    yield ""
    yield (
        "The paper has requests for memory that are Pareto with a mean of 4 MB, and does not state "
        "the exponent. Without a cap only exponents above 1 have a mean; 0.5 lives by its cap, "
        "640 MB. Geometric means of slowdowns over the seeds that all have, and faults in the mean "
        "of NLB's runs."
    )
    yield ""
    rows = []
    for figure in _FIGURES:
        by_name = {
            f"{exponent:g}": case for (exponent,), case in cases(f"exponent {figure}").items()
        }
        found = _paired(measured, by_name, _OVER_EXPONENTS)
        for name, case in by_name.items():
            faults = measured.values(case, "NLB", "faults").reindex(found.index).dropna()
            rows.append(
                (
                    *(figure, name, "not run" if faults.empty else f"{faults.mean():,.0f}"),
                    *(_slowdown(found, name, policy) for policy in _OVER_EXPONENTS),
                    *(_ratio(found, name, "IO"), f"{len(found)}"),
                )
            )
    headings = ("In figure", "Exponent", "Faults, NLB", *_OVER_EXPONENTS, "IO over WAL", "Seeds")
    yield from table(headings, rows)
