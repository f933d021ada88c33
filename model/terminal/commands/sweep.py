"""`run.py sweep`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from model.terminal.command import Command
from model.terminal.options import Quiet, Where, Workers


@dataclass(frozen=True, kw_only=True)
class Sweep(Command):
    """Do a declared set of runs, each once; started again, a sweep goes on where it stopped.

    Example: run.py sweep thesis --part table-3-1 --where ram=50,65 --dry-run
    """

    name: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="A sweep's TOML file, or the name of a paper, such as thesis."
        ),
    ]
    out: Annotated[
        Path | None,
        typer.Option(help="The folder for the results. Default: results/NAME of the sweep."),
    ] = None
    part: Annotated[
        list[str] | None,
        typer.Option(
            metavar="<name>",
            help="Do only runs of this part (a table runs.NAME). May be repeated.",
        ),
    ] = None
    where: Where = None
    missing: Annotated[
        bool,
        typer.Option("--missing", help="Leave out the runs whose results come with the code."),
    ] = False
    workers: Workers = None
    dask: Annotated[
        str | None,
        typer.Option(
            metavar="<address>",
            help="Run on the workers of this Dask scheduler.",
            show_default=False,
        ),
    ] = None
    half_width_pct: Annotated[
        float | None,
        typer.Option(
            "--half-width",
            help="Run further seeds until the difference from DP is known to within ± this many "
            "percent of DP's mean response time.",
            show_default=False,
        ),
    ] = None
    most: Annotated[int, typer.Option(min=2, help="The most seeds to run with --half-width.")] = 20
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Only list the declared runs and estimate their time."),
    ] = False
    quiet: Quiet = False
    json_lines: Annotated[
        bool, typer.Option("--json-lines", help="Print progress as JSON lines to standard output.")
    ] = False

    def run(self) -> int:
        """Do the runs."""
        from model.terminal.sweeps import run_sweep

        return run_sweep(**vars(self))
