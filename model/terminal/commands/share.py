"""`run.py share`."""

from typing import Annotated

from model.sharing.scenario import SharingScenario
from model.sharing.scenarios import SHARING, make_sharing_scenario
from model.terminal.options import Comparing, Level
from model.terminal.scenario_options import ScenarioOptions


class Share(Comparing):
    """Run load sharing policies one after another on the same sequential jobs and compare them.

    Example: run.py share --system memory --policies NO_LS,CPU_RE --out results

    Each system has only some of these options; the defaults shown are those of --system memory.
    """

    scenario: Annotated[SharingScenario, ScenarioOptions(make_sharing_scenario, *SHARING.values())]
    journal_level: Level = "protocol"
    queueing_model: bool = False
    """Only print the paper's queueing model in three readings."""

    def run(self) -> None:
        """Compare, or print the model."""
        if self.queueing_model:
            _print_queueing_model()
            return
        from model.terminal.comparison import run_comparison

        options = {name: value for name, value in vars(self).items() if name != "queueing_model"}
        run_comparison(**options)


def _print_queueing_model() -> None:
    """Print table 2 of the paper in three readings, next to the printed values."""
    from model.papers.memory import queueing_model
    from model.terminal.printing import Table, print_table

    readings = ["one queue per node", "half of that", "CPU and disk apart", "printed"]
    lines = [
        (name, *(f"{value:.2f}" for value in values)) for name, *values in queueing_model.table()
    ]
    title = "mean response time, s (tables 1 and 2 of CPU-memory load sharing)"
    print_table(Table(["policy"], readings, lines, title))
