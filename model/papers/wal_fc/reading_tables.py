"""What depends on how the text is read, and on what it does not state."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import exp, log
from statistics import stdev

import pandas as pd

from model.papers.cases import Case
from model.papers.measurements import Measurements, geometric_mean_of, of_common_seeds
from model.papers.tables import Row, Table, columns, interval, listed
from model.papers.wal_fc.figures import cases, readings
from model.sweeps.statistics import Estimate

_FIGURES = ("5.2", "5.3")
_MOVING = ("CM", "IO", "WAL")
_OVER_EXPONENTS = ("NLB", "IO", "WAL")
_WORDS = {
    "first": "the first reading",
    "offered_load": "arrivals stretched to an offered load of 0.8",
    "memory_draws": "stratified requests for memory",
    "disk_load": "misses and faults load the disk",
    "data_mb": "a job moves with its own data",
    "guard": "the guard of section 3",
    "together": "all of them",
}


def _readings(measured: Measurements) -> Iterator[Row]:
    for figure in _FIGURES:
        by_name = readings(f"readings {figure}")
        found = _paired(measured, by_name, _MOVING)
        for name in by_name:
            spread = _spread(found[name, "WAL"].tolist() if (name, "WAL") in found else [])
            yield (
                *(figure, _WORDS[name], *(_slowdown(found, name, policy) for policy in _MOVING)),
                *(spread, _ratio(found, name, "IO"), _ratio(found, name, "CM"), f"{len(found)}"),
            )


def _paired(
    measured: Measurements, by_name: dict[str, Case], policies: Sequence[str]
) -> pd.DataFrame:
    """The slowdowns of policies in cases, by seed, for the seeds that all that were run have."""
    cells = product(by_name.items(), policies)
    return of_common_seeds({(name, one): measured.values(case, one) for (name, case), one in cells})


def _slowdown(found: pd.DataFrame, name: str, policy: str) -> str:
    mean = geometric_mean_of(found[name, policy]) if (name, policy) in found else None
    return interval(None) if mean is None else f"{mean.mean:.1f}"


def _ratio(found: pd.DataFrame, name: str, than: str) -> str:
    """A policy in multiples of WAL."""
    both = {(name, than), (name, "WAL")}.issubset(found.columns)
    return interval(geometric_mean_of(found[name, than] / found[name, "WAL"]) if both else None)


def _spread(values: list[float]) -> str:
    return f"{exp(stdev(map(log, values))):.2f} times" if len(values) > 1 else ""


def _over_160_mb(measured: Measurements, case: Case) -> Estimate | None:
    return measured.ratio((case, "IO"), (_BY_SIZE[160], "IO"))


def _exponents(measured: Measurements) -> Iterator[Row]:
    for figure in _FIGURES:
        by_name = {f"{one:g}": case for (one,), case in cases(f"exponent {figure}").items()}
        found = _paired(measured, by_name, _OVER_EXPONENTS)
        for name, case in by_name.items():
            faults = measured.values(case, "NLB", "faults").reindex(found.index).dropna()
            yield (
                *(figure, name, interval(None) if faults.empty else f"{faults.mean():,.0f}"),
                *(_slowdown(found, name, policy) for policy in _OVER_EXPONENTS),
                *(_ratio(found, name, "IO"), f"{len(found)}"),
            )


_BY_SIZE = {size: case for (size,), case in cases("figure 4.2").items()}

TABLES: Mapping[str, Table] = {
    "readings": listed(
        (
            *("In figure", "Reading", *_MOVING, "Seeds deviate"),
            *("IO over WAL", "CM over WAL", "Seeds"),
        ),
        _readings,
    ),
    "denominators": columns(
        ("Buffer, MB",),
        {
            f"{size}": (_BY_SIZE[size], *cases(f"own denominators {size}").values())
            for size in (110, 360)
        },
        {
            "Of 160 MB": lambda measured, case, _: _over_160_mb(measured, case),
            "Of each run's buffer": lambda measured, _, own: _over_160_mb(measured, own),
        },
    ),
    "exponents": listed(
        ("In figure", "Exponent", "Faults, NLB", *_OVER_EXPONENTS, "IO over WAL", "Seeds"),
        _exponents,
    ),
}
