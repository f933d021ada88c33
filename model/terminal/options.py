"""The arguments and options that several commands have."""

from pathlib import Path
from typing import Annotated, Literal

import typer

Level = Annotated[
    Literal["protocol", "all"],
    typer.Option(help="Journal only protocol and scheduling, or every hop, fault and barrier too."),
]
JournalPath = Annotated[
    Path | None, typer.Option(help="Write the journal to this Parquet file.", show_default=False)
]
OutFolder = Annotated[
    Path | None,
    typer.Option(help="Write summary.json, tables and figures to this folder.", show_default=False),
]
Check = Annotated[
    bool, typer.Option("--check", help="Verify the rules of the emulation while it runs.")
]
Where = Annotated[
    list[str] | None,
    typer.Option(
        metavar="<name=value,...>",
        help="Take only runs with these values of a parameter, such as ram=50,65. May be repeated.",
        show_default=False,
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", help="Show neither progress nor tables.")]
Engine = Annotated[
    Literal["auto", "actors", "compiled"],
    typer.Option(
        help="The data plane: actors (Python objects, event by event) or compiled code; results "
        "are the same. auto uses compiled code unless every hop is journaled or checked."
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(
        min=1, help="How many processes to use. Default: one per core.", show_default=False
    ),
]

ResultsFolder = Annotated[
    Path, typer.Argument(metavar="FOLDER", help="The folder with a sweep's results.")
]
ModelVersion = Annotated[
    str | None,
    typer.Option(
        metavar="<version>",
        help="Read results of this version of the model. Default: this code's.",
        show_default=False,
    ),
]
