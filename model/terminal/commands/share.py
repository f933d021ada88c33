"""`run.py share`."""

from typing import Annotated

from model.sharing.scenario import SharingScenario
from model.sharing.scenarios import SHARING, make_sharing_scenario
from model.terminal.options import Comparing, Level, Workers
from model.terminal.scenario_options import ScenarioOptions


class Share(Comparing):
    """Run load sharing policies side by side on the same sequential jobs and compare them.

    Example: run.py share --system memory --policies NO_LS,CPU_RE --out results

    Each system has only some of these options. The defaults shown are those of --system memory.
    """

    scenario: Annotated[SharingScenario, ScenarioOptions(make_sharing_scenario, *SHARING.values())]
    journal_level: Level = "protocol"
    workers: Workers = None

    def run(self) -> int:
        from model.terminal.comparison import run_comparison

        return run_comparison(**vars(self))
