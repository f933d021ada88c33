"""Options that several commands have."""

from pathlib import Path
from typing import Annotated, ClassVar, Literal

import typer

from model.terminal.command import Command

Level = Annotated[
    Literal["protocol", "all"],
    typer.Option(help="protocol: without hops, page faults and barriers."),
]
Plane = Annotated[
    Literal["auto", "actors", "compiled"],
    typer.Option(help="Python's actors or compiled code; results are the same."),
]
Where = Annotated[
    list[str] | None,
    typer.Option(
        metavar="<name=value,...>",
        help="Take only runs with these values of a parameter, such as ram=50,65. May be repeated.",
    ),
]
Quiet = Annotated[bool, typer.Option(help="Show neither progress nor tables.")]
Workers = Annotated[
    int | None, typer.Option(min=1, help="Processes to use. Default: one per core.")
]


class Comparing(Command):
    """A command that compares designs or policies."""

    emulates: ClassVar = True

    journal: Path | None = None
    """Write every event to a file (.parquet)."""
    journal_level: Literal["protocol", "all"] | None = None
    """protocol: no hops, page faults and barriers. Default of --journal: all."""
    check: bool = False
    """Verify the rules of the emulation, and your own in --check FILE."""
    rules: Annotated[Path | None, typer.Argument(metavar="FILE", hidden=True)] = None
    """With --check: a file of the user's own rules (`core/journal/monitors.py`)."""
    quiet: Quiet = False

    out: Path | None = None
    """Write summary, tables and figures to a folder."""


class ComparingDesigns(Comparing):
    """A command that compares designs of Parallel Network RAM."""

    report: Path | None = None
    """Write a page of tables and figures (.html), and one of messages, NAME-messages.html."""
    messages: bool = False
    """Also print the numbers of messages by kind."""
    waste: bool = False
    """Also print how useful messages were."""
