"""`run.py live`."""

import platform
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from model.pnr.scenario import Scenario, make_scenario
from model.terminal.options import ComparingDesigns
from model.terminal.scenario_options import ScenarioOptions

if TYPE_CHECKING:
    from model.live.head import LiveSettings


class Live(ComparingDesigns):
    """Run designs for real: each node is a process of this machine, and messages go over TCP.

    Nodes lend each other real memory, page by page. Jobs do not compute, but wait for as long.
    A crash of a node is a kill -9 of its process. Journals, tables and files are those of compare.

    Example: run.py live --designs CLI,MAN --nodes 4 --ram-mb 1 --scenario jobs.toml --journal j
    """

    scenario: Annotated[Scenario, ScenarioOptions(make_scenario, Scenario)]
    time_scale: Annotated[float, typer.Option(min=10**-6, max=10**6)] = 1
    """Factor on computing time, time between arrivals, and time slots. The number of page faults
    stays the same. Messages, disks and the protocol's timers are not scaled."""
    timeout_s: Annotated[float, typer.Option(min=0.1, max=10**6)] = 30
    """End the run after this time without progress, s. A node that is silent for so long counts as
    dead; when it starts, it has at least a minute."""
    calibrate: Path | None = None
    """Run no design, but measure how long messages, pages and waits take on this machine. Write
    that as a scenario file for --against. Do nothing else meanwhile."""
    pages: Annotated[int, typer.Option(min=10, max=10**6)] = 1000
    """With --calibrate: about how many pages to move. 1000 take some ten seconds."""
    against: Path | None = None
    """A scenario file from --calibrate: also emulate with it, and write both results to --out as
    predictions.html."""
    runs: Annotated[int, typer.Option(min=1, max=1000)] = 3
    """With --against: how often to run each design."""

    def run(self) -> int | None:
        self.refuse_without("calibrate", "pages")
        self.refuse_with("calibrate", "against", "journal", "report", "waste", "out", "check")
        self.refuse_without("against", "runs")
        self.refuse_with("against", "journal", "report", "waste", "rules")
        from model.live.comparison import LiveComparison
        from model.live.head import LiveSettings

        settings = LiveSettings(self.time_scale, self.timeout_s)
        if self.calibrate is not None:
            _calibrate(self.calibrate, self.pages)
        elif self.against is not None:
            self._compare_with_prediction(settings, self.against)
        else:
            from model.terminal.comparison import run_comparison

            comparison = LiveComparison(self.scenario, settings)
            options = {name: getattr(self, name) for name in ComparingDesigns.model_fields}
            return run_comparison(comparison.scenario, comparison=comparison, **options)
        return None

    def _compare_with_prediction(self, settings: "LiveSettings", machine: Path) -> None:
        """Run for real and emulated; print what came of it, and write the page."""
        from model.core.files import alone_in
        from model.core.measures import Table
        from model.report.predictions import predict, write_predictions
        from model.terminal.printing import print_table

        with nullcontext() if self.out is None else alone_in(self.out):
            found = predict(self.scenario, settings, machine, self.runs, self.check, self._say)
            if not self.quiet:
                lines = [(one.design, *one.response.shown(3)) for one in found]
                headings = ["predicted, s", "measured, s", "difference"]
                print_table(Table(["design"], headings, lines, "mean response time"))
            if self.out is not None:
                write_predictions(found, self.scenario, machine, self.out / "predictions.html")
                print(self.out / "predictions.html")

    def _say(self, what: str) -> None:
        if not self.quiet:
            print(what, file=sys.stderr)


def _calibrate(file: Path, pages: int) -> None:
    from model.core.files import put_in_place
    from model.live.calibration import calibrate, preset

    with put_in_place(file, "--calibrate") as place:
        text = preset(calibrate(pages), f"{processor()}, {platform.system()}")
        place.write_text(text, encoding="utf-8")
    print(text, end="")


def processor() -> str:
    about = Path("/proc/cpuinfo")
    lines = about.read_text().splitlines() if about.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
