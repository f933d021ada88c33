"""`run.py results`."""

from pathlib import Path
from typing import Annotated, ClassVar, Literal

import typer

from model.terminal.command import Command
from model.terminal.options import Where


class Results(Command):
    """Tabulate a sweep's results: means with 95 % intervals, and paired differences from DP.

    Example: run.py results results/thesis --measure faults_disk --where ram=50
    """

    emulates: ClassVar = True
    done_by: ClassVar = "model.terminal.tables.show_results"

    folder: Annotated[Path, typer.Argument()]
    """The folder with a sweep's results."""
    measure: str = "mean_response_s"
    """The measure to tabulate: any column that `--runs --csv FILE` writes."""
    replicated: Literal["seed", "window"] = "seed"
    """What replications differ in: the seed, or the window of the trace."""
    half_width_pct: Annotated[float | None, typer.Option("--half-width")] = None
    """Print how many replications are needed to know the difference from DP to within ± this,
    percent."""
    runs: bool = False
    """Show one row per run instead of one per design."""
    failures: bool = False
    """Show why runs have failed instead."""
    where: Where = None
    model_version: str | None = None
    """Read results of this version of the model. Default: the version of this code."""
    csv: Path | None = None
    """Write all columns to this CSV file."""
    parquet: Path | None = None
    """Write all columns to this Parquet file."""

    def run(self) -> int | None:
        self.refuse_with("runs", "measure", "replicated", "half_width_pct")
        self.refuse_with("failures", "runs", "measure", "half_width_pct", "csv", "parquet")
        return super().run()
