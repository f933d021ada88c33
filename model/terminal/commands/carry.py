"""`run.py carry`."""

import os
import sys
from pathlib import Path
from typing import Annotated, ClassVar

import typer

from model.ground.errors import InputError
from model.ground.text import escaped
from model.terminal.command import Command
from model.terminal.ending import INTERRUPTED
from model.terminal.options import Quiet, Workers
from model.terminal.plain import say_error


class Carry(Command):
    """Carry stored results over to today's version if a sample, run again, is equal to the bit.

    Example: run.py carry thesis --sample 25
    """

    emulates: ClassVar = True

    results: Annotated[Path, typer.Argument(metavar="PAPER|FOLDER")]
    """The folder of a sweep, or the name of a paper for its bundled results."""
    sample: Annotated[int, typer.Option(min=1)] = 10
    """How many runs to run again."""
    seed: int = 1
    """The seed with which these runs are drawn."""
    longest_s: Annotated[float, typer.Option(min=0)] = 60
    """Avoid runs that take longer than this, s, if there are any others."""
    workers: Workers = None
    model_version: str | None = None
    """Carry over only results of this version of the model. Default: of all others."""
    quiet: Quiet = False

    def run(self) -> int:
        """Carry the results over; the exit status is 1 if a run's result differs today."""
        from model.papers.carrying import carry_paper
        from model.papers.paper import paper_names, paper_of
        from model.sweeps.carrying import Differs, Sample, carry_folder

        workers = self.workers or os.cpu_count() or 1
        drawn = Sample(self.sample, self.seed, self.longest_s, workers, self._print)
        name = str(self.results)
        try:
            if name in paper_names() and not self.results.is_dir():
                notes = carry_paper(paper_of(name), drawn, self.model_version)
            else:
                notes = carry_folder(self.results, drawn, self.model_version)
        except Differs as difference:
            say_error(f"{difference}; nothing was carried over")
            return 1
        except OSError as error:
            reason = error.strerror or error
            say_error(f"{name}: {reason}; nothing was carried over")
            return 1
        except KeyboardInterrupt:
            say_error("interrupted; start it again to go on")
            return INTERRUPTED
        for note in notes:
            of, to = note["from"], note["to"]
            self._print(f"{note['results']:,} results of version {of} are now of {to}")
        if not notes and self.model_version is not None:
            raise InputError(
                f"--model-version {self.model_version}: {name} holds no results of that version, "
                "or it is today's; leave it out to carry over those of all others"
            )
        if not notes:
            self._print(f"{name}: holds no results of another version")
        return 0

    def _print(self, line: str) -> None:
        if not self.quiet:
            print(escaped(line), file=sys.stderr)
