"""`run.py compare`."""

from pathlib import Path
from typing import Annotated

from model.pnr.scenario import Scenario, make_scenario
from model.terminal.options import Comparing, Engine
from model.terminal.scenario_options import ScenarioOptions


class Compare(Comparing):
    """Run designs one after another on the same jobs and compare them.

    Example: run.py compare --designs DP,CLI,MAN --topology bus --ram 65 --out results
    """

    scenario: Annotated[Scenario, ScenarioOptions(make_scenario, Scenario)]
    report: Path | None = None
    """Write a self-contained HTML page with the scenario, tables, figures and one job's messages;
    and, beside it, NAME-messages.html, to look into all messages."""
    engine: Engine = "auto"
    waste: bool = False
    """Also print what messages were good for, how old and how wrong beliefs were, and how much
    memory was lacking while as much was idle; summary.json always has that."""

    def run(self) -> None:
        """Compare."""
        from model.terminal.comparison import run_comparison

        run_comparison(**vars(self))
