"""`run.py trace`."""

from dataclasses import dataclass
from typing import Annotated, Literal

import typer

from model.pnr.scenario import Scenario, make_scenario
from model.terminal.command import Command
from model.terminal.completion import designs, one_of
from model.terminal.options import Check, Engine, JournalPath, Level, Quiet
from model.terminal.scenario_options import ScenarioOptions


@dataclass(frozen=True, kw_only=True)
class Trace(Command):
    """Print the messages of one job's start and end.

    Example: run.py trace --design MAN --job 4639 --form mermaid
    """

    scenario: Annotated[Scenario, ScenarioOptions(make_scenario, Scenario)]
    job: Annotated[int, typer.Option(help="The job's number in the trace.")]
    design: Annotated[
        str,
        typer.Option(metavar="<design>", help="The design to run.", autocompletion=one_of(designs)),
    ] = "MAN"
    form: Annotated[Literal["both", "text", "mermaid"], typer.Option(help="What to print.")] = (
        "both"
    )
    journal: JournalPath = None
    journal_level: Level = "all"
    engine: Engine = "auto"
    check: Check = False
    quiet: Quiet = False

    def run(self) -> None:
        """Run the design and print the messages."""
        from model.terminal.comparison import run_trace

        run_trace(**vars(self))
