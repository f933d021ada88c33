"""A load sharing paper's experiments: its cases, figures and findings, whatever the system.

What a system adds, in its package:

1. `model/sweeps/NAME.toml` declares the runs (`run.py sweep NAME`); NAME is the system's.
   `declared(NAME)` is that file, so that figures repeat none of its numbers;
2. `figures.py`: `FIGURES`, a tuple of `PaperFigure`. A figure has panels; a panel has cases along
   its axis (`Case(fault_rate=2.4, mean_mb=1)`: the parameters of its runs that are not the
   system's defaults), and a line or a group of bars for each policy. `value` says what is shown:
   `shows("slowdown_of_sums")` takes a measure, `compares(...)` a ratio, any function
   `(measured, case, policy) -> Estimate | None` will do;
3. `findings.py`: `FINDINGS`, a tuple of `Finding` (`model/papers/findings.py`); `ranges` and
   `ratios` here make their claims;
4. `experiments.py`: `EXPERIMENTS = Experiments(...)`, which puts these together.

`run.py figures NAME FOLDER` then draws the figures and writes the page (`report.py`). Replications
are seeds, and policies are compared in pairs: they have their jobs in common. With `--condense
model/sweeps/data/NAME` it keeps the results in brief there, and the page that follows from
them: these come with the code, and `run.py figures NAME` draws them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass
from importlib import import_module
from math import exp, log
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pandas as pd

from model.core.scenario import read_toml
from model.ground.errors import InputError
from model.papers.findings import Claim, Claims, Finding, claim, in_range
from model.papers.paper import PAPERS, RESULTS_FILE
from model.sharing.scenarios import SHARING as SCENARIOS
from model.sweeps.identity import model_version
from model.sweeps.results import load_results
from model.sweeps.statistics import Estimate, estimate
from model.sweeps.sweep import BUNDLED

SLOWDOWN = "slowdown_of_sums"


class Case:
    """The parameters of some runs that differ in policy and seed; what is not said is a default."""

    def __init__(self, **parameters: Any) -> None:
        self.parameters = parameters

    def but(self, **varied: Any) -> "Case":
        """The same with other values of these parameters."""
        return Case(**{**self.parameters, **varied})

    def __str__(self) -> str:
        """For a person."""
        return ", ".join(f"{name} {value}" for name, value in self.parameters.items()) or "defaults"


class Measurements:
    """What the runs of one system measured."""

    def __init__(self, system: str, results: pd.DataFrame) -> None:
        """Of a table as `load_results` makes it; raises InputError without runs of the system."""
        if "system" in results:
            results = results[results.system == system]
        if "system" not in results or results.empty:
            raise InputError(
                f"no run of --system {system} there; `run.py sweep {system}` does them"
            )
        self.runs = results
        fields = SCENARIOS[system].model_fields
        self._defaults = {
            name: field.default
            for name, field in fields.items()
            if name in results and name not in ("seed", "policies", "jobs")  # jobs: those that ran
        }

    def of(self, case: Case, policy: str, measure: str = SLOWDOWN) -> Estimate | None:
        """The mean over the seeds; None if there is no run."""
        found = self.values(case, policy, measure)
        return None if found.empty else estimate(found.tolist())

    def ratio(self, case: Case, policy: str, than: str, measure: str = SLOWDOWN) -> Estimate | None:
        """How many times a policy's measure is another's: geometric mean over common seeds."""
        own, other = self.values(case, policy, measure), self.values(case, than, measure)
        common = own.index.intersection(other.index)
        pairs = [(own[seed], other[seed]) for seed in common]
        if not pairs or any(a <= 0 or b <= 0 for a, b in pairs):
            return None
        return geometric_mean([a / b for a, b in pairs])

    def values(self, case: Case, policy: str, measure: str) -> pd.Series:
        """By seed."""
        chosen = self.runs.design == policy
        for name, value in {**self._defaults, **case.parameters}.items():
            if name not in self.runs:
                return pd.Series(dtype=float)
            column = self.runs[name]
            chosen &= column.isna() if value is None else _equals(column, value)
        return self.runs[chosen].set_index("seed").get(measure, pd.Series()).dropna()


def geometric_mean(values: Sequence[float]) -> Estimate:
    """Of positive values; its interval is that of the mean of their logarithms."""
    found = estimate([log(value) for value in values])
    return Estimate(*map(exp, found[:3]), found.n)


def _equals(column: pd.Series, value: Any) -> pd.Series:
    if isinstance(value, list | tuple):  # which a column would take for its own values
        return column.map(lambda own: isinstance(own, Sized) and tuple(own) == tuple(value))
    return column == value


Value = Callable[[Measurements, Case, str], Estimate | None]


def shows(measure: str, times: float = 1) -> Value:
    """A measure of a run, times something."""

    def value(measured: Measurements, case: Case, policy: str) -> Estimate | None:
        found = measured.of(case, policy, measure)
        return found and Estimate(*(times * part for part in found[:3]), found.n)

    return value


def compares(policy_above: str, measure: str = SLOWDOWN) -> Value:
    """How many times this policy's measure is that of the one shown: its speedup."""
    return lambda measured, case, policy: measured.ratio(case, policy_above, policy, measure)


_SLOWDOWN = shows(SLOWDOWN)


class Style(NamedTuple):
    """How a policy is drawn, in all figures of its paper."""

    color: str
    dashed: bool = False  # of bars: hatched


@dataclass(frozen=True)
class Panel:
    """One pair of axes: cases along `axis`, at their `ticks`."""

    cases: tuple[Case, ...]
    ticks: tuple[float | str, ...]  # numbers are places on the axis, words stand one by one
    axis: str
    heading: str = ""
    value: Value | None = None  # if not that of the figure


@dataclass(frozen=True)
class PaperFigure:
    """A figure of a paper."""

    number: str
    caption: str
    panels: tuple[Panel, ...]
    policies: Mapping[str, Style]
    label: str  # of the vertical axis
    value: Value = _SLOWDOWN
    form: Literal["lines", "bars"] = "lines"
    level: float | None = None  # where a horizontal line stands
    log: bool = False  # the vertical axis

    @property
    def cases(self) -> list[Case]:
        """Of all panels."""
        return [case for panel in self.panels for case in panel.cases]


@dataclass(frozen=True)
class Experiments:
    """A paper's."""

    system: str
    paper: str
    figures: tuple[PaperFigure, ...]
    findings: tuple[Finding, ...]
    assumed: str  # what it leaves open, and what was taken, for the page's head
    tables: Callable[[Measurements], str] = lambda measured: ""  # for the page's end, Markdown


def experiments_of(system: str) -> Experiments:
    """Those of a system: `EXPERIMENTS` in `experiments.py` beside its scenario."""
    return import_module(f"model.papers.{system.replace('-', '_')}.experiments").EXPERIMENTS


def measurements_of(system: str, folder: Path | None, version: str | None = None) -> Measurements:
    """What a sweep's folder holds of a system, or (None) what comes with this code, in brief.

    `version` is that of the model whose results to take; by default the code's own. Raises
    InputError if that is nothing.
    """
    if folder is None:
        if not (file := condensed_file(system)).is_file():
            raise InputError(
                f"no results of --system {system} come with the code; `run.py sweep {system}` "
                f"makes them, in results/{system}"
            )
        return Measurements(system, pd.read_parquet(file))
    version = version or model_version(system)
    return Measurements(system, condense(system, load_results(folder, version), version))


def condensed_file(system: str, folder: Path | None = None) -> Path:
    """Where a system's results in brief are: in this folder, or where those of the code are."""
    return (folder or PAPERS / system.replace("-", "_")) / RESULTS_FILE


# Columns of `load_results` that no figure or finding needs.
_GROUPS_LEFT_OUT = ("stations.", "messages.", "bytes.")
_LEFT_OUT = ("key", "policy", "wall_s", "took_s", "events", "optimization_ratio_pct")


def condense(system: str, results: pd.DataFrame, version: str) -> pd.DataFrame:
    """The system's runs of a table as `load_results` makes it, with the model's `version`.

    Without counts of messages and the like; measures have the 7 digits of a short float.
    """
    if "system" in results:
        results = results[results.system == system]
    kept = [n for n in results if n not in _LEFT_OUT and not n.startswith(_GROUPS_LEFT_OUT)]
    brief = results[kept]
    measures = brief.columns.difference([*SCENARIOS[system].model_fields, "design", "conditions"])
    shorter = {
        name: brief[name].astype("float32") for name in measures if brief[name].dtype == "float64"
    }
    return brief.assign(version=version, **shorter)


def declared(system: str) -> dict[str, Any]:
    """The bundled sweep of a system, as its file says."""
    return read_toml(BUNDLED[system])


# Claims, for findings.


def ranges(
    says: str, case: Case, policies: Sequence[str], low: float, high: float, value: Value
) -> Claims:
    """What is shown of each policy in a case lies from low to high."""

    def claims(measured: Measurements) -> Iterator[Claim]:
        parts = [(policy, value(measured, case, policy)) for policy in policies]
        yield claim(f"{case}: {says}, {in_range(low, high, '')}", parts, low, high)

    return claims


def ratios(
    case: Case, policy: str, low: float, high: float, than: Sequence[str], measure: str = SLOWDOWN
) -> Claims:
    """A policy's measure in multiples of that of each of the others."""

    def claims(measured: Measurements) -> Iterator[Claim]:
        parts = [(other, measured.ratio(case, policy, other, measure)) for other in than]
        words = f"{case}: {policy} in multiples of others, {in_range(low, high, '')}"
        yield claim(words, parts, low, high)

    return claims
