"""`run.py export`."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from model.terminal.commands.reading import Reading


class Export(Reading):
    """Write a journal, or a part of it, for other programs.

    Example: run.py export bus.parquet --design MAN --job 4639 --out trace.pftrace
    """

    out: Path
    """The file to write: .pftrace (a trace for ui.perfetto.dev), .shiviz (a log with vector
    clocks), .csv, .parquet (a part that `view` draws), .graphml (traffic), or .itf.json (a path
    that `explore` has found, for Apalache and Quint)."""
    form: Annotated[
        Literal["perfetto", "shiviz", "batsim", "csv", "parquet", "graphml", "itf"] | None,
        typer.Option("--format"),
    ] = None
    """The format, unless the file's name says it. batsim: a folder with jobs.csv and schedule.json,
    which evalys reads."""

    def run(self) -> None:
        from model.terminal.progress import Bar
        from model.views.show import export

        with Bar(1) as bar:
            export(self.source(bar), self.selection(), self.out, self.form)
