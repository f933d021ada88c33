"""The runs that a paper's sweeps declare, found by the rows of its results."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from model.core.scenario import read_toml
from model.papers.cases import plain, stated
from model.papers.paper import Paper
from model.sweeps.results import parameters_of
from model.sweeps.sweep import Run, declared_runs, sweeps_in
from model.systems import PARAMETERS


class DeclaredRuns:
    """The runs of all sweeps in a paper's folder whose logs are there."""

    def __init__(self, paper: Paper, columns: Collection[str]) -> None:
        """Take those parameters that are `columns` of the results; others do not tell runs apart.

        Raises InputError.
        """
        self._names = [name for name in PARAMETERS if name in columns and name != "jobs"]
        self._runs: dict[tuple[Any, ...], dict[int | None, Run]] = {}  # by jobs; None: all
        for file in sweeps_of(paper):
            for _, run in () if lost_log(file) else declared_runs(file):
                values = parameters_of(run.scenario.model_dump(mode="json"))
                key = run.design.upper(), *(stated(name, values.get(name)) for name in self._names)
                self._runs.setdefault(key, {}).setdefault(values["jobs"], run)

    def run_of(self, row: Mapping[str, Any]) -> Run | None:
        """The run whose result is this row; None if none is declared."""
        key = row["design"].upper(), *(plain(row[name]) for name in self._names)
        of_jobs = self._runs.get(key, {})
        return of_jobs.get(row["jobs"]) or of_jobs.get(None)


def sweeps_of(paper: Paper) -> list[Path]:
    """The files of the sweeps that a paper's results are of."""
    return sweeps_in(paper.folder)


def lost_log(sweep: Path) -> str | None:
    """The person's own log that a sweep is of, if it is not there."""
    log = read_toml(sweep).get("trace")
    return None if log is None or Path(log).is_file() else stated("trace", log)
