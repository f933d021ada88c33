"""`run.py compare`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from model.pnr.scenario import Scenario, make_scenario
from model.terminal.command import Command
from model.terminal.options import Check, Engine, JournalPath, Level, OutFolder, Quiet
from model.terminal.scenario_options import ScenarioOptions


@dataclass(frozen=True, kw_only=True)
class Compare(Command):
    """Run designs one after another on the same jobs and compare them.

    Example: run.py compare --designs DP,CLI,MAN --topology bus --ram 65 --out results
    """

    scenario: Annotated[Scenario, ScenarioOptions(make_scenario, Scenario)]
    out: OutFolder = None
    report: Annotated[
        Path | None,
        typer.Option(
            help="Write a self-contained HTML page with the scenario, tables, figures and one "
            "job's messages; and, beside it, NAME-messages.html, to look into all messages.",
            show_default=False,
        ),
    ] = None
    journal: JournalPath = None
    journal_level: Level = "all"
    engine: Engine = "auto"
    waste: Annotated[
        bool,
        typer.Option(
            "--waste",
            help="Also print what messages were good for, how old and how wrong beliefs were, and "
            "how much memory was lacking while as much was idle; summary.json always has that.",
        ),
    ] = False
    check: Check = False
    quiet: Quiet = False

    def run(self) -> None:
        """Compare."""
        from model.terminal.comparison import run_comparison

        run_comparison(**vars(self))
