"""`run.py windows`."""

from typing import Annotated

import typer

from model.pnr.scenario import Scenario
from model.systems import of_a_log
from model.terminal.command import Command
from model.terminal.scenario_options import ScenarioOptions

#: What says which memory jobs need, and which they find.
_COMMON = (
    *("trace", "columns", "first", "jobs", "memory_field", "memory_unit", "machine_processors"),
    *("memory_scale", "load_factor", "nodes", "ram", "scheduler", "mpl"),
)


class Windows(Command):
    """Find windows of a log in which memory is scarce. Nothing is run; this takes seconds.

    Example: run.py windows --ram 65 --length 30

    A job counts as short of memory if one of its nodes at some time holds more than its RAM. This
    is estimated from the schedule alone, as if paging took no time. In a real run jobs stay longer,
    so more of them are short. Load: CPU time that jobs need, as a share of the nodes' time from the
    first submission to the last. RAM wanted: what jobs hold while they compute, as a share of all
    RAM. If it is far below 1 and jobs are short, other nodes have memory to lend.
    """

    scenario: Annotated[Scenario, ScenarioOptions(of_a_log, Scenario, common=_COMMON)]
    length: Annotated[int, typer.Option(min=2)] = 100
    """Jobs in a window."""
    most: Annotated[int, typer.Option(min=1)] = 10
    """How many windows to list; they do not overlap."""

    def run(self) -> None:
        from model.systems import comparison_of
        from model.terminal.comparison import say_remarks
        from model.terminal.scarcity import print_windows

        say_remarks(comparison_of(self.scenario), quiet=True)
        print_windows(self.scenario, self.length, self.most)
