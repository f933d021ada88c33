"""`run.py check`."""

from pathlib import Path
from typing import Annotated

import typer

from model.ground.errors import InputError
from model.terminal.command import Command
from model.terminal.options import Quiet


class Check(Command):
    """Check a journal by rules of your own: monitors, in a file of Python.

    Example: run.py check real.parquet --rules mine.py

    The journal may be of any run, emulated or for real, or of a path that explore has found. Exit
    status: 1 if a rule is broken.
    """

    journal: Annotated[Path, typer.Argument()]
    """A journal written with --journal, or with --out of explore."""
    rules: Path
    """A file of classes derived from model.Monitor."""
    design: str | None = None
    """The design or policy to check. Default: all."""
    quiet: Quiet = False

    def run(self) -> int:
        from model.core.journal.monitors import rules_of
        from model.core.watching import Watching
        from model.terminal.checking import told
        from model.terminal.progress import said_if_slow
        from model.views.recording import read_recordings

        rules = rules_of(self.rules, "--rules")
        with said_if_slow(f"reading {self.journal}"):
            found = {run.design: run for run in read_recordings(self.journal)}
        if self.design is not None and self.design not in found:
            runs = ", ".join(found)
            raise InputError(f"--design {self.design}: {self.journal} has runs of {runs}")
        status = 0
        for name, run in found.items():
            if self.design in (None, name):
                watching = Watching(rules)
                for record in run.each():
                    watching.read(record)
                verdicts = watching.verdicts(is_whole=not run.part)
                status |= told(name, verdicts, self.quiet)
        return status
