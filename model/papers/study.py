"""A study: what a folder here compares with what its runs measured, and its bundled results.

A folder with `claims.toml` has the runs of a study (`runs.toml`), their results, condensed
(`results.parquet`), and perhaps claims of its own kind (`kinds.py`) and figures (`figures.py`). Its
page is the `README.md` there, or in the folder above, where several studies share one.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from math import inf
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from model.core.files import put_in_place
from model.core.measures import COUNT
from model.ground.errors import InputError, cut
from model.papers.cases import FILES, base_case, declared, declared_values, plain, stated
from model.papers.claims import CLAIMS_FILE, Evaluator, Statements
from model.papers.measurements import Measurements
from model.pnr.measures import MEASURES
from model.sweeps.identity import model_version
from model.sweeps.results import load_results, parameters_of
from model.sweeps.sweep import Run, declared_runs, sweep_file, sweeps_in
from model.systems import parameter_names

if TYPE_CHECKING:
    from model.papers.figures import PaperFigure

PAPERS = Path(__file__).parent
RESULTS_FILE, PAGE_FILE = "results.parquet", "README.md"
_SHORT = 16  # letters of a run's key in condensed results

# Columns of `load_results` that nothing here needs: what a run cost, counts by kind of message, and
# everything about stations except the utilization of the busiest.
_LEFT_OUT = (
    r"policy|wall_s|took_s|events|optimization_ratio_pct"
    r"|(messages|bytes|beyond)\..*|stations\.(?!.*\.utilization_max$).*"
)
_OF_ALL_ENDED = "over_all_ended."  # before the names of means over different jobs
# What all condensed results have.
_IN_BRIEF = ("key", "version", "conditions", "design", "seed", "mean_response_s")


class Declared:
    """Runs, found by rows of results.

    Results that are older than a parameter have its value in the `base` case.
    """

    def __init__(self, runs: Iterable[Run], columns: Collection[str], base: dict[str, Any]) -> None:
        self._names = [name for name in parameter_names() if name in columns and name != "jobs"]
        self._runs: dict[tuple[Any, ...], dict[int | None, Run]] = {}  # by jobs; None: all
        for run in runs:
            values = parameters_of(run.scenario.model_dump(mode="json"))
            younger = values.keys() - {*columns}
            if all(plain(values[name]) == base.get(name) for name in younger):
                key = run.design.upper(), *(stated(name, values.get(name)) for name in self._names)
                self._runs.setdefault(key, {}).setdefault(values["jobs"], run)

    def run_of(self, row: Mapping[str, Any]) -> Run | None:
        """The run whose result is this row; None if there is none."""
        key = row["design"].upper(), *(plain(row[name]) for name in self._names)
        of_jobs = self._runs.get(key, {})
        return of_jobs.get(row["jobs"]) or of_jobs.get(None)


@dataclass(frozen=True)
class Study:
    """A folder with claims, the runs that they are of, and their results."""

    folder: Path

    @property
    def name(self) -> str:
        """What commands call it: the name of its folder, with - for _."""
        return self.folder.name.replace("_", "-")

    @property
    def page(self) -> Path:
        """The page that tells what came of it."""
        own = self.folder / PAGE_FILE
        return (
            own if own.is_file() or self.folder.parent == PAPERS else self.folder.parent / own.name
        )

    @cached_property
    def states(self) -> Statements:
        """What its claims.toml states; raises InputError for a mistake in it."""
        return Statements(self.folder)

    @property
    def version(self) -> str:
        """The version of the model that would do its runs today."""
        return model_version(declared(self.name).get("system"))

    def module(self, name: str) -> ModuleType | None:
        """The Python module with this name in its folder, if there is one."""
        if not (self.folder / f"{name}.py").is_file():
            return None
        place = self.folder.relative_to(PAPERS.parents[1])
        return import_module(".".join((*place.parts, name)))

    def evaluator(self, measured: Measurements) -> Evaluator:
        """What gives the numbers of its claims."""
        own = self.module("kinds")
        known = getattr(own, "with_chance", lambda same: same)(measured)
        stated = getattr(own, "stated_part", None)
        return Evaluator(self.states, known, getattr(own, "KINDS", {}), stated)

    @property
    def figures(self) -> "tuple[PaperFigure, ...]":
        """What is drawn of it."""
        return getattr(self.module("figures"), "FIGURES", ())

    def of_another_version(self, measured: Measurements) -> str:
        """One line if some results are not of today's version of the model; else nothing."""
        runs = measured.runs
        others = runs[runs.version != self.version]
        if others.empty:
            return ""
        return (
            f"{self.name}: {len(others):,} of {len(runs):,} results are of another version of the "
            f"model than today's; `run.py papers check {self.name} --rerun 5` runs some again"
        )

    # Results.

    def load(self, folder: Path | None = None) -> Measurements:
        """The results in a sweep's folder, by today's code, or (None) the bundled ones.

        Raises InputError if there are none.
        """
        if folder is None:
            return self.measured(self.in_brief())
        results = load_results(folder, self.version)
        try:
            return self.measured(self.condense(results, self.version))
        except InputError as error:
            raise InputError(f"{folder}: {error}") from None

    def in_brief(self) -> pd.DataFrame:
        """The bundled results; raises InputError if there are none."""
        file = self.folder / RESULTS_FILE
        if not file.is_file():
            raise InputError(
                f"no results of {self.name} come with the code; `run.py sweep {self.name}` makes "
                f"them, in results/{self.name}"
            )
        try:
            table = pd.read_parquet(file)
            if missing := [name for name in _IN_BRIEF if name not in table]:
                raise ValueError(f"it has no column {missing[0]}")
        except (OSError, ValueError) as error:  # pyarrow's errors are of these kinds
            problem = cut(str(error), 200)
            raise InputError(
                f"{file}: no condensed results ({problem}); check it out again"
            ) from None
        return table

    def measured(self, brief: pd.DataFrame) -> Measurements:
        """The measurements in condensed results; raises InputError without runs of the study."""
        states = self.states
        try:
            own = {name: _computed(brief, given) for name, given in states.measures.items()}
        except pd.errors.UndefinedVariableError as error:
            raise InputError(
                f"no results of {self.name} ({error}); `run.py sweep {self.name}` makes them"
            ) from None
        table = brief.assign(**own) if own else brief
        return Measurements(
            self.name,
            table,
            states.measure,
            states.workloads,
            states.aliases(),
            states.arrivals,
        )

    def condense(self, results: pd.DataFrame, version: str) -> pd.DataFrame:
        """The columns of `load_results` that are needed here, and the model's `version`.

        Measures but counts are rounded to the 7 digits of a 32-bit float, keys to 16 digits. Means
        are over all jobs that ended in the run itself: which of them ended elsewhere would depend
        on which other runs are there.
        """
        brief = results.loc[:, ~results.columns.str.fullmatch(_LEFT_OUT)]
        own = brief.filter(regex=rf"^{_OF_ALL_ENDED}")
        means = {str(name).removeprefix(_OF_ALL_ENDED): values for name, values in own.items()}
        brief = brief.drop(columns=["jobs_compared", "jobs_ended", *own], errors="ignore").assign(
            **{name: values.fillna(brief[name]) for name, values in means.items()}
        )
        sums = {
            name: _whole(results.filter(regex=columns).sum(axis="columns"))
            for name, columns in self.states.sums.items()
        }
        exact = {
            *declared_values(self.name),
            *(measure.name for measure in MEASURES if measure.form == COUNT),
        }
        shorter = {
            name: "float32"
            for name, column in brief.items()
            if name not in exact and column.dtype == "float64"
        }
        for name in [name for name in FILES if name in brief]:
            brief = brief.assign(**{name: [stated(name, file) for file in brief[name]]})
        brief = brief.astype(shorter).copy()  # or each of its columns is a piece, and joins slowly
        keys = brief.key.str.slice(0, _SHORT)
        return brief.assign(**sums, key=keys, version=version)

    def keep(self, measured: Measurements) -> None:
        """Bundle condensed results, with those of other runs that are bundled already.

        A parameter that is younger than those had its base value; of a measure that only other runs
        have nothing is known.
        """
        results = measured.runs.drop(columns=[*self.states.measures], errors="ignore")
        file = self.folder / RESULTS_FILE
        if file.is_file():
            results = self._joined(results, self.in_brief())
        with put_in_place(file) as unfinished:
            write_in_brief(results, unfinished)

    def _joined(self, results: pd.DataFrame, there: pd.DataFrame) -> pd.DataFrame:
        younger = {
            name: [value] * len(there)
            for name, value in base_case(self.name).items()
            if name in results and name not in there
        }
        both = pd.concat([results, there.assign(**younger)])
        parameters = both[["design", *(name for name in parameter_names() if name in both)]]
        return both[~parameters.map(plain).duplicated()].reset_index(drop=True)

    def declared(self, results: pd.DataFrame, runs: Iterable[Run] | None = None) -> Declared:
        """The runs of its sweeps (or these), by rows of its results."""
        if runs is None:
            runs = (run for file in sweeps_in(self.folder) for _, run in declared_runs(file))
        return Declared(runs, {*results}, base_case(self.name))

    def not_bundled(self, runs: Sequence[Run]) -> list[Run]:
        """The runs whose results, of whatever version, do not come with the code."""
        if not (self.folder / RESULTS_FILE).is_file():
            return [*runs]
        bundled = self.in_brief()
        declared = self.declared(bundled, runs)
        there = {id(declared.run_of(row)) for row in bundled.to_dict("records")}
        return [run for run in runs if id(run) not in there]


def _whole(counts: pd.Series) -> pd.Series:
    """Counts as integers, unless they are infinite, since a run was given up."""
    return counts if inf in counts.values else counts.astype(int)


def _computed(table: pd.DataFrame, given: str | dict[str, str]) -> pd.Series:
    """A measure that follows from others, perhaps only of the runs for which something is so."""
    if isinstance(given, str):
        return table.eval(given)
    return table.eval(given["of"]).where(table.eval(given["where"]))


def write_in_brief(runs: pd.DataFrame, file: Path) -> None:
    """Write condensed results, a row per run, for `Study.in_brief`.

    As `DataFrame.to_parquet` would, but without Arrow's and pandas's accounts of the columns, which
    take as much room as some hundred runs.
    """
    rows = pa.Table.from_pandas(runs, preserve_index=False).replace_schema_metadata()
    pq.write_table(rows, file, compression="zstd", compression_level=19, store_schema=False)


def studies() -> list[Study]:
    """All studies."""
    return [Study(file.parent) for file in sorted(PAPERS.glob(f"*/**/{CLAIMS_FILE}"))]


def study_names() -> list[str]:
    """Their names."""
    return [study.name for study in studies()]


def study_of(name: str) -> Study:
    """The study with this name; raises InputError if there is none."""
    for study in studies():
        if study.name == name:
            return study
    raise InputError(f"{name}: no such paper; give one of {', '.join(study_names())}")


def study_of_sweep(name: str) -> Study | None:
    """The study to which a sweep belongs: one of a bundled file. Raises InputError for no sweep."""
    folder = sweep_file(name).resolve().parent
    return next((study for study in studies() if study.folder == folder), None)
