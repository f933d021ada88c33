"""`run.py advice`."""

from dataclasses import dataclass

from model.terminal.command import Command
from model.terminal.options import ModelVersion, ResultsFolder


@dataclass(frozen=True, kw_only=True)
class Advice(Command):
    """Advise which design to use for which network and load: the thesis's table 5.1, recomputed.

    Example: run.py advice results/thesis
    """

    folder: ResultsFolder
    model_version: ModelVersion = None

    def run(self) -> None:
        """Print the table."""
        from model.terminal.advice import show_advice

        show_advice(self.folder, self.model_version)
