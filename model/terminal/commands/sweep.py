"""`run.py sweep`."""

from pathlib import Path
from typing import Annotated, ClassVar

import typer

from model.terminal.command import Command
from model.terminal.options import Quiet, Where, Workers


class Sweep(Command):
    """Do the runs that a file declares, each once. Started again, a sweep goes on where it stopped.

    Example: run.py sweep thesis --part table-3-1 --where ram=50,65 --dry-run
    """

    emulates: ClassVar = True
    done_by: ClassVar = "model.terminal.sweeps.run_sweep"

    name: Annotated[Path, typer.Argument(metavar="FILE")]
    """A sweep's TOML file, or the name of a paper, such as thesis."""
    out: Path | None = None
    """The folder for the results. Default: results/NAME of the sweep."""
    part: Annotated[list[str] | None, typer.Option(metavar="<name>")] = None
    """Do only runs of this part (a table runs.NAME). May be repeated."""
    where: Where = None
    missing: bool = False
    """Leave out the runs whose results come with the code."""
    workers: Workers = None
    dask: Annotated[str | None, typer.Option(metavar="<address>")] = None
    """Run on the workers of this Dask scheduler."""
    half_width_pct: Annotated[float | None, typer.Option("--half-width")] = None
    """Run further seeds until the difference from DP is known to within ± this, percent of DP's
    mean response time."""
    most: Annotated[int, typer.Option(min=2)] = 20
    """Most seeds to run with --half-width."""
    dry_run: bool = False
    """Only list the declared runs and estimate their time."""
    quiet: Quiet = False
    json_lines: bool = False
    """Print progress as JSON lines to standard output."""

    def run(self) -> int | None:
        self.refuse_without("half_width_pct", "most")
        self.refuse_with("dask", "workers")
        return super().run()
