"""`run.py windows`."""

from pathlib import Path
from typing import Annotated

import typer

from model.ground.errors import InputError
from model.pnr.scenario import Scenario, make_scenario
from model.terminal.command import Command
from model.terminal.scenario_options import ScenarioOptions

#: What says which memory jobs need, and which they find.
_COMMON = (
    *("trace", "columns", "first", "jobs", "memory_field", "memory_unit", "machine_processors"),
    *("memory_scale", "load_factor", "nodes", "ram", "scheduler", "mpl"),
)


def of_a_log(file: Path | None = None, **parameters: object) -> Scenario:
    """The scenario; of its log all records, unless it takes some. Raises InputError."""
    scenario = make_scenario(file, **parameters)
    if scenario.job is not None:
        raise InputError(f"{file}: lists its jobs; name a log that has windows (--trace)")
    return scenario if scenario.jobs else scenario.model_copy(update={"first": scenario.first or 1})


class Windows(Command):
    """Find windows of a log in which memory is scarce: nothing is run, and it takes seconds.

    Example: run.py windows --ram 65 --length 30

    Short of memory is a job if a node of it holds more than its RAM while jobs are placed as by
    gang scheduling (with --scheduler space, one by one) and none waits for memory or network. In a
    run they do, stay for longer, and more of them are short. Load: the CPU time that jobs need, of
    what all nodes have from the first submission to the last. RAM wanted: what they hold while they
    compute, of all RAM; where it is far below 1 and jobs are short, others have memory to lend.
    """

    scenario: Annotated[Scenario, ScenarioOptions(of_a_log, Scenario, common=_COMMON)]
    length: Annotated[int, typer.Option(min=2)] = 100
    """Records in a window."""
    most: Annotated[int, typer.Option(min=1)] = 10
    """How many windows to list; none overlap."""

    def run(self) -> None:
        from model.systems import comparison_of
        from model.terminal.comparison import say_remarks
        from model.terminal.scarcity import print_windows

        say_remarks(comparison_of(self.scenario), quiet=True)
        print_windows(self.scenario, self.length, self.most)
