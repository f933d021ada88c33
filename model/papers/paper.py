"""A paper or a study of ours: its cases, figures and findings, and the bundled results.

Each paper has a folder here with its name, and is the `PAPER` of `paper.py` in it.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from math import inf
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from model.core.measures import COUNT
from model.ground.errors import InputError, cut
from model.papers.cases import base_case, declared, declared_values, plain, stated
from model.papers.figures import PaperFigure
from model.papers.findings import CONFIRMED, REPRODUCED, Finding
from model.papers.measurements import Measurements
from model.papers.text import Named
from model.pnr.measures import MEASURES
from model.sweeps.identity import model_version
from model.sweeps.results import load_results
from model.sweeps.sweep import BUNDLED, Run, declared_runs, sweep_file

Note = dict[str, Any]  # on results that were carried over
PAPERS = Path(__file__).parent
RESULTS_FILE = "results.parquet"

# Columns of `load_results` that no figure or finding needs: what a run cost, counts by kind of
# message, and everything about stations except the utilization of the busiest.
_LEFT_OUT = (
    r"policy|wall_s|took_s|events|optimization_ratio_pct"
    r"|(messages|bytes|beyond)\..*|stations\.(?!.*\.utilization_max$).*"
)

_OF_ALL_ENDED = "over_all_ended."  # before the names of means over different jobs


# What all of them have.
_IN_BRIEF = ("key", "version", "conditions", "design", "seed", "mean_response_s")


@dataclass(frozen=True)
class Paper:
    """A paper, a thesis or a study of ours, and what is compared with it."""

    name: str  # that of its sweep, and (with _ for -) of its folder
    measure: str  # what its figures and findings are about if they name no other measure
    figures: tuple[PaperFigure, ...]
    findings: tuple[Finding, ...]
    #: What names stand for in `text/page.md`, its page: tables and numbers.
    named: Mapping[str, Named] = field(default_factory=dict)
    #: Measures that are the sum of the columns with such names (a regular expression).
    sums: Mapping[str, str] = field(default_factory=dict)
    ours: bool = False  # a study of ours, with hypotheses instead of what somebody found
    #: The parts of its sweep that were declared where the others left findings open.
    later: tuple[str, ...] = ()
    #: The workload of each seed, if several share one: then intervals are over workloads.
    workloads: Mapping[int, int] = field(default_factory=dict)
    #: The disk of a null model: disk paging with it is judged, too, as if it were each design.
    null: Mapping[str, Any] = field(default_factory=dict)
    reading: str = ""  # the name of that under which its findings are judged, if it has others
    #: Other readings under which findings are judged, too, by name: what every case has there.
    readings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        """The folder with everything that belongs to it."""
        return PAPERS / self.name.replace("-", "_")

    @property
    def classes(self) -> bool:
        """Whether its findings are told by class."""
        return any(finding.kind for finding in self.findings)

    @property
    def replications(self) -> str:
        """What intervals are over."""
        return "workloads" if self.workloads else "seeds"

    def in_words(self, verdict: str) -> str:
        """A verdict in words: findings are reproduced, hypotheses of ours are confirmed."""
        return verdict.replace(REPRODUCED, CONFIRMED) if self.ours else verdict

    @property
    def version(self) -> str:
        """The version of the model that would run its sweep today."""
        return model_version(declared(self.name).get("system"))

    def load(self, folder: Path | None, version: str | None = None) -> Measurements:
        """The results in a sweep's folder, or (None) the bundled ones.

        `version` selects the results of a version of the model, by default the code's own, and of
        the bundled ones whatever version they are of. Raises InputError if there are none.
        """
        if folder is None:
            file = self.folder / RESULTS_FILE
            if not file.is_file():
                raise InputError(
                    f"no results of {self.name} come with the code; `run.py sweep {self.name}` "
                    f"makes them, in results/{self.name}"
                )
            brief = self.in_brief()
            of_version = brief[brief.version == version] if version else brief
            if of_version.empty:
                raise InputError(
                    f"--model-version {version}: the results of {self.name} that come with the "
                    f"code are of {', '.join(sorted({*brief.version}))}"
                )
            return self.measured(of_version)
        version = version or self.version
        results = load_results(folder, version)
        try:
            return self.measured(self.condense(results, version))
        except InputError as error:
            raise InputError(f"{folder}: {error}") from None

    def in_brief(self, folder: Path | None = None) -> pd.DataFrame:
        """The condensed results in a folder, by default the bundled ones; raises InputError."""
        file = (folder or self.folder) / RESULTS_FILE
        try:
            table = pd.read_parquet(file)
            if missing := [name for name in _IN_BRIEF if name not in table]:
                raise ValueError(f"it has no column {missing[0]}")
        except (OSError, ValueError) as error:  # pyarrow's errors are of these kinds
            raise InputError(
                f"{file}: not the results of {self.name} in brief ({cut(str(error), 200)}); "
                f"{'check it out again' if folder is None else 'delete it'}"
            ) from None
        return table

    def not_bundled(self, runs: Iterable[Run]) -> list[Run]:
        """The runs whose results, of today's code, do not come with it.

        That code is the model's and the design's, which are part of a run's key.
        """
        if not (self.folder / RESULTS_FILE).is_file():
            return [*runs]
        bundled = {*self.in_brief().key}
        return [run for run in runs if short_key(run.key) not in bundled]

    def joined(self, results: pd.DataFrame, folder: Path) -> pd.DataFrame:
        """Condensed results together with those of the same version that only the folder has.

        A parameter that is younger than those had its base value; of a measure that only other runs
        have nothing is known. Raises InputError if they cannot be read.
        """
        if not (folder / RESULTS_FILE).is_file():
            return results
        there = self.in_brief(folder)
        there = there[there.version.isin(results.version)]
        if there.empty:
            return results
        for name, value in base_case(self.name).items():
            if name in results and name not in there:
                there = there.assign(**{name: [value] * len(there)})
        both = pd.concat([results, there])
        # of these columns alone: of all, pandas copies the notes below with each
        twice = both[["version", "conditions", "design"]].duplicated()
        table = both[~twice].reset_index(drop=True)
        notes = [*_notes(there), *_notes(results)]
        table.attrs["carried"] = [note for at, note in enumerate(notes) if note not in notes[:at]]
        return table

    def measured(self, results: pd.DataFrame) -> Measurements:
        """The measurements in a table made by `condense`; raises InputError without its runs."""
        return Measurements(self.name, results, self.measure, self.workloads)

    def at_first(self, measured: Measurements) -> Measurements | None:
        """The measurements without the runs that only the `later` parts of its sweep declare.

        None if there are no such runs, or no others.
        """
        varied = [name for name, values in declared_values(self.name).items() if len(values) > 1]
        columns = ("design", "seed", *(name for name in varied if name in measured.runs))
        only = _only_in(self.name, self.later, columns)
        first = [
            tuple(map(plain, row)) not in only
            for row in measured.runs[[*columns]].itertuples(index=False, name=None)
        ]
        return self.measured(measured.runs[first]) if 0 < sum(first) < len(first) else None

    def condense(self, results: pd.DataFrame, version: str) -> pd.DataFrame:
        """The columns of `load_results` that figures and findings need, and the model's `version`.

        Measures but counts are rounded to the 7 digits of a 32-bit float, keys to 16 digits. Means
        are over all jobs that ended in the run itself: which of them ended elsewhere would depend
        on which other runs are there, and a page says of how many runs it is true that some never
        ended.
        """
        brief = results.loc[:, ~results.columns.str.fullmatch(_LEFT_OUT)]
        own = brief.filter(regex=rf"^{_OF_ALL_ENDED}")
        means = {str(name).removeprefix(_OF_ALL_ENDED): values for name, values in own.items()}
        brief = brief.drop(columns=["jobs_compared", "jobs_ended", *own], errors="ignore").assign(
            **{name: values.fillna(brief[name]) for name, values in means.items()}
        )
        sums = {
            name: _whole(results.filter(regex=columns).sum(axis="columns"))
            for name, columns in self.sums.items()
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
        if "trace" in brief:
            brief = brief.assign(trace=[stated("trace", log) for log in brief.trace])
        brief = brief.astype(shorter).copy()  # or each of its columns is a piece, and joins slowly
        brief.attrs["carried"] = [with_short_keys(note) for note in _notes(results)]
        return brief.assign(**sums, key=brief.key.map(short_key), version=version)


def _whole(counts: pd.Series) -> pd.Series:
    """Counts as integers, unless they are infinite, since a run was given up."""
    return counts if inf in counts.values else counts.astype(int)


@cache
def _only_in(
    name: str, later: tuple[str, ...], columns: tuple[str, ...]
) -> set[tuple[object, ...]]:
    """These parameters of the runs that no other parts of a sweep declare.

    Runs' keys would not do: they change with every change of the model, and take seconds to find.
    """
    first, last = set[tuple[object, ...]](), set[tuple[object, ...]]()
    for part, run in declared_runs(BUNDLED[name]):
        row = tuple(stated(column, run.parameters[column]) for column in columns)
        (last if part in later else first).add(row)
    return last - first


def write_in_brief(runs: pd.DataFrame, file: Path) -> None:
    """Write condensed results (a row per run, with the notes in `attrs`), for `Paper.in_brief`.

    As `DataFrame.to_parquet` would, but without Arrow's and pandas's accounts of the columns, which
    take as much room as some hundred runs.
    """
    rows = pa.Table.from_pandas(runs, preserve_index=False)
    with pq.ParquetWriter(
        file, rows.schema, compression="zstd", compression_level=19, store_schema=False
    ) as writer:
        writer.write_table(rows)
        writer.add_key_value_metadata({"PANDAS_ATTRS": json.dumps(runs.attrs)})


def short_key(key: str) -> str:
    """A run's key as condensed results have it; as long as `conditions`."""
    return key[:16]


def with_short_keys(note: Note) -> Note:
    """A note on results that were carried over, with keys as condensed results have them."""
    again = [{**run, "key": short_key(run["key"])} for run in note["run_again"]]
    return {**note, "run_again": again}


def _notes(table: pd.DataFrame) -> list[Note]:
    notes: list[Note] = table.attrs.get("carried", [])
    return notes


def paper_names() -> list[str]:
    """The names of all papers."""
    return [file.parent.name.replace("_", "-") for file in sorted(PAPERS.glob("*/paper.py"))]


def paper_of(name: str) -> Paper:
    """The paper with this name; raises InputError if there is none."""
    if name not in paper_names():
        raise InputError(f"{name}: no such paper; give one of {', '.join(paper_names())}")
    paper: Paper = import_module(f"model.papers.{name.replace('-', '_')}.paper").PAPER
    return paper


def paper_of_sweep(name: str) -> Paper | None:
    """The paper to which a sweep belongs: one of a bundled file. Raises InputError for no sweep."""
    folder = sweep_file(name).resolve().parent
    own = folder.name.replace("_", "-")
    return paper_of(own) if folder.parent == PAPERS and own in paper_names() else None
