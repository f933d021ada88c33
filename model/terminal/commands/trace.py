"""`run.py trace`."""

from typing import Annotated, Literal

from model.ground.errors import InputError, Stalled
from model.ground.text import escaped
from model.pnr.scenario import Scenario, make_scenario
from model.terminal.ending import INTERRUPTED
from model.terminal.options import Emulating, Engine
from model.terminal.scenario_options import ScenarioOptions


class Trace(Emulating):
    """Print the messages of one job's start and end.

    Example: run.py trace --design MAN --job 4639 --form mermaid
    """

    scenario: Annotated[Scenario, ScenarioOptions(make_scenario, Scenario)]
    job: int
    """The job's number in the trace."""
    design: str = "MAN"
    """The design to run."""
    form: Literal["both", "text", "mermaid"] = "both"
    """What to print."""
    engine: Engine = "auto"

    def run(self) -> None:
        """Run the design and print the messages."""
        from model.systems import comparison_of, declared_as
        from model.terminal.comparison import (
            fail,
            journal_file,
            needed_level,
            say_if_compiling,
            say_remarks,
        )
        from model.terminal.progress import Bar
        from model.views.flow import Flow

        scenario = self.scenario.comparing(declared_as(self.scenario, self.design))
        comparison = comparison_of(scenario)
        comparison.validate()
        say_remarks(comparison, quiet=self.quiet)
        numbers = [spec.number for spec in comparison.loaded.workload]
        if self.job not in numbers:
            raise InputError(
                f"--job: job {self.job} is not among the {len(numbers)} jobs of this run, "
                f"which are numbered {min(numbers)} to {max(numbers)}"
            )
        level = needed_level(self.journal, self.journal_level, self.engine, self.check)
        if not self.quiet:
            say_if_compiling(scenario, self.engine, level == "all")
        flow = Flow(self.job)
        (design,) = comparison.contestants
        try:
            with journal_file(self.journal, comparison, []) as file, Bar(1, self.quiet) as bar:
                comparison.run(
                    design,
                    readers=(flow.read, *((file.of(design),) if file else ())),
                    journal_level=level,
                    engine=self.engine,
                    check=self.check,
                    progress=bar.update,
                )
        except KeyboardInterrupt:
            fail("interrupted", INTERRUPTED)
        except Stalled as stall:
            fail(str(stall), 1)
        from model.views.caption import of_run  # matplotlib is slow to import

        run = escaped(of_run(scenario, design, len(numbers)))
        if self.form != "mermaid":
            print(f"{run}\n{flow.text()}")
        if self.form == "both":
            print()
        if self.form != "text":
            print(f"%% {run}\n{flow.mermaid()}")
