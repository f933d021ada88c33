"""Options that several commands have."""

from pathlib import Path
from typing import Annotated, ClassVar, Literal

import typer

from model.terminal.command import Command

Level = Annotated[
    Literal["protocol", "all"],
    typer.Option(help="Journal only protocol and scheduling, or every hop, fault and barrier too."),
]
Plane = Annotated[
    Literal["auto", "actors", "compiled"],
    typer.Option(
        help="The data plane: actors (Python objects, event by event) or compiled code; results "
        "are the same. auto takes compiled code unless every hop is journaled. Faults that lose "
        "pages need actors."
    ),
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
    int | None, typer.Option(min=1, help="How many processes to use. Default: one per core.")
]


class Comparing(Command):
    """A command that compares designs or policies."""

    emulates: ClassVar = True

    journal: Path | None = None
    """Write the journal to this Parquet file."""
    journal_level: Level = "all"
    check: bool = False
    """Verify the rules of the emulation while it runs; those of every hop, too, with a journal of
    them or with --plane actors.
    """
    quiet: Quiet = False

    out: Path | None = None
    """Write summary.json, tables and figures to this folder."""


class ComparingDesigns(Comparing):
    """A command that compares designs of Parallel Network RAM."""

    report: Path | None = None
    """Write a self-contained HTML page with the scenario, tables, figures and one job's messages;
    and, beside it, NAME-messages.html, to look into all messages."""
    waste: bool = False
    """Also print what messages were good for, how old and how wrong beliefs were, and how much
    memory was lacking while as much was idle; summary.json always has that."""
