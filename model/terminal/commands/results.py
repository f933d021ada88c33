"""`run.py results`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer

from model.terminal.command import Command
from model.terminal.options import ModelVersion, ResultsFolder, Where


@dataclass(frozen=True, kw_only=True)
class Results(Command):
    """Tabulate a sweep's results: means with 95 % intervals, and paired differences from DP.

    Example: run.py results results/thesis --measure faults_disk --where ram=50
    """

    folder: ResultsFolder
    measure: Annotated[
        str,
        typer.Option(
            metavar="<column>",
            help="The measure to tabulate: any column that --runs --csv FILE writes.",
        ),
    ] = "mean_response_s"
    replicated: Annotated[
        Literal["seed", "window"],
        typer.Option(help="What replications differ in: the seed, or the window of the trace."),
    ] = "seed"
    half_width_pct: Annotated[
        float | None,
        typer.Option(
            "--half-width",
            help="Say how many replications are needed to know the difference from DP to within "
            "± this many percent.",
            show_default=False,
        ),
    ] = None
    runs: Annotated[
        bool, typer.Option("--runs", help="Show one row per run instead of one per design.")
    ] = False
    where: Where = None
    csv: Annotated[
        Path | None, typer.Option(help="Write all columns to this CSV file.", show_default=False)
    ] = None
    parquet: Annotated[
        Path | None,
        typer.Option(help="Write all columns to this Parquet file.", show_default=False),
    ] = None
    model_version: ModelVersion = None

    def run(self) -> None:
        """Print or write the table."""
        from model.terminal.tables import show_results

        show_results(**vars(self))
