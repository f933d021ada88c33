"""`run.py compare`."""

from typing import Annotated

from model.pnr.scenario import Scenario, make_scenario
from model.terminal.options import ComparingDesigns, Plane, Workers
from model.terminal.scenario_options import ScenarioOptions


class Compare(ComparingDesigns):
    """Run designs side by side on the same jobs and compare them.

    Example: run.py compare --designs DP,CLI,MAN --topology bus --ram 65
    """

    scenario: Annotated[Scenario, ScenarioOptions(make_scenario, Scenario)]
    plane: Plane = "auto"
    workers: Workers = None
    dry_run: bool = False
    """Print what would run, and estimate its time."""

    def run(self) -> int | None:
        from model.terminal.comparison import needed_level, run_comparison, say_remarks

        options = vars(self).copy()
        if not options.pop("dry_run"):
            return run_comparison(**options)
        from model.pnr.comparison import plane_of
        from model.systems import comparison_of
        from model.terminal.scarcity import print_plan

        comparison = comparison_of(self.scenario)
        comparison.validate()
        say_remarks(comparison, quiet=True)  # the plan says whether memory is short
        level = needed_level(
            self.journal, self.journal_level, self.plane, self.check, self.rules is not None
        )
        plane = plane_of(self.scenario, self.plane, every_hop=level == "all")
        files = [file for file in (self.out, self.report, self.journal) if file is not None]
        print_plan(self.scenario, comparison, plane, files)
        return None
