"""`run.py judge`."""

from pathlib import Path
from typing import Annotated, ClassVar, Literal

import typer

from model.pnr.scenario import Scenario
from model.systems import of_a_log
from model.terminal.command import Command
from model.terminal.options import Quiet, Workers
from model.terminal.scenario_options import ScenarioOptions


class Judge(Command):
    """Judge designs against others: faster, slower, equal within 2 %, or open.

    Example: run.py judge mine.py:ring --ram 65 --report verdict.html

    Designs run on windows of the log in which memory is scarce, until every comparison is decided
    or time is over. Runs are stored; started again, it goes on.
    """

    emulates: ClassVar = True
    done_by: ClassVar = "model.terminal.judging.run_judge"

    designs: Annotated[list[str], typer.Argument()]
    """What is judged: names of designs, or file.py:function."""
    against: str = "DP,CLI,MAN"
    """Designs to compare with, with commas between."""
    scenario: Annotated[Scenario, ScenarioOptions(of_a_log, Scenario)]
    length: Annotated[int, typer.Option(min=2)] = 20
    """Jobs in a window."""
    minutes: Annotated[float, typer.Option(min=0.01)] = 10
    """How long it may take."""
    out: Path = Path("results/judge")
    """The folder of stored runs."""
    report: Path | None = None
    """Write a page (.html), and beside it pages of messages."""
    tune: bool = False
    """Search the design's parameters first: those annotated with a Range, or the ranges given
    behind it, as "size=2..32 asks=own|any"."""
    objective: Literal["response", "messages", "both"] = "both"
    """What --tune makes small."""
    holds: str = ""
    """Faults that break nothing --tune finds: loss, duplicate, crash, with commas between."""
    workers: Workers = None
    dask: Annotated[str | None, typer.Option(metavar="<address>")] = None
    """Run on the workers of this Dask scheduler."""
    no_faults: bool = False
    """Do not try what faults do to the designs, which takes a part of the time."""
    quiet: Quiet = False

    def run(self) -> int | None:
        self.refuse_with("dask", "workers")
        self.refuse_without("tune", "objective", "holds")
        return super().run()
