"""`run.py carry`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from model.terminal.command import Command
from model.terminal.options import Quiet, Workers


@dataclass(frozen=True, kw_only=True)
class Carry(Command):
    """Carry stored results over to today's version if a sample, run again, is equal to the bit.

    Example: run.py carry thesis --sample 25
    """

    results: Annotated[
        Path,
        typer.Argument(
            metavar="PAPER|FOLDER",
            help="The folder of a sweep, or the name of a paper for its bundled results.",
        ),
    ]
    sample: Annotated[int, typer.Option(min=1, help="How many runs to run again.")] = 10
    seed: Annotated[int, typer.Option(help="The seed with which these runs are drawn.")] = 1
    longest_s: Annotated[
        float,
        typer.Option(
            min=0, help="Avoid runs that take longer than this, s, if there are any others."
        ),
    ] = 60
    workers: Workers = None
    model_version: Annotated[
        str | None,
        typer.Option(
            metavar="<version>",
            help="Carry over only results of this version of the model. Default: of all others.",
            show_default=False,
        ),
    ] = None
    quiet: Quiet = False

    def run(self) -> int:
        """Carry the results over."""
        from model.terminal.carrying import run_carry

        return run_carry(**vars(self))
