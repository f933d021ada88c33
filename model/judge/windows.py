"""The windows of a log on which designs are judged, chosen by a rule that looks at no outcome.

They are the log's disjoint windows of equally many jobs in which some job is short of memory, as
`model/pnr/scarcity.py` finds it without any run. Those whose jobs hold the most RAM on average come
first. Each is run with a seed of its own: the scenario's, plus the place of the window in the log.

Runs of some windows take far longer than those of others, without saying more. So of the first 256,
windows that are estimated to take more than four times the median come after the others.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from model.ground.errors import InputError
from model.judge.verdicts import FEWEST
from model.pnr.comparison import DesignComparison
from model.pnr.estimate import expected_s
from model.pnr.job_spec import JobSpec
from model.pnr.scarcity import Placed, Room, placed, suggested_ram_pct
from model.pnr.scenario import Scenario
from model.pnr.workload import jobs_of_log

LENGTH = 20  # jobs of a window, if nothing else is asked for
_FEW = 8  # windows: hardly any verdict comes of fewer
_ESTIMATED = 256  # windows
_LONG = 4  # times the median


@dataclass(frozen=True)
class Window:
    """Some consecutive jobs of a log."""

    first: int  # record of the log
    place: int  # among the log's windows, from 1
    placed: Placed
    expected_s: float = 0  # of a run with a design that is judged, on one core

    def of(self, scenario: Scenario) -> Scenario:
        """The scenario on these jobs alone."""
        seed = scenario.seed + self.place
        own = {"first": self.first, "jobs": self.placed.jobs, "seed": seed}
        return scenario.model_copy(update=own)


@dataclass(frozen=True)
class Windows:
    """Those in which memory is short, in the order in which they are run."""

    scarce: Sequence[Window]
    length: int
    in_log: int  # all windows
    advice: str = ""  # if these are few

    def __str__(self) -> str:
        return (
            f"{len(self.scarce):,} of the log's {self.in_log:,} windows of {self.length:,} jobs "
            "have a job that is short of memory"
        )


def choose_windows(scenario: Scenario, length: int, design: str) -> Windows:
    """The windows of a scenario's log; a design is what their runs are estimated with.

    Raises InputError if there are too few for any verdict.
    """
    jobs, records = jobs_of_log(scenario)
    starts = range(0, len(jobs) - length + 1, length)
    if len(starts) < FEWEST:
        raise InputError(
            f"--length {length}: a verdict needs {FEWEST} such windows, and the log has "
            f"{len(jobs):,} jobs; give a longer log, or a smaller --length"
        )
    room = Room.of(scenario)
    windows = [
        Window(records[jobs[start].number], place, placed(jobs[start : start + length], room))
        for place, start in enumerate(starts, start=1)
    ]
    scarce = [window for window in windows if window.placed.short]
    advice = _try(scenario, jobs, room) if len(scarce) < _FEW else ""
    found = Windows(_in_order(scarce, scenario, jobs, design), length, len(windows), advice)
    if len(scarce) < FEWEST:
        raise InputError(f"{found}, and a verdict needs {FEWEST}{advice}")
    return found


def _in_order(
    windows: Sequence[Window], scenario: Scenario, jobs: Sequence[JobSpec], name: str
) -> list[Window]:
    """The windows in the order of the rule, with estimates of the first ones."""
    windows = sorted(windows, key=lambda window: -window.placed.wanted)
    comparison = DesignComparison(scenario.comparing(name))
    (design,) = comparison.contestants.values()
    estimated = []
    for window in windows[:_ESTIMATED]:
        length = window.placed.jobs
        own = jobs[(window.place - 1) * length : window.place * length]
        loaded = replace(comparison.loaded, workload=own)
        took_s = expected_s(scenario, loaded, design)
        estimated.append(replace(window, expected_s=took_s))
    if not estimated:
        return []
    most_s = _LONG * median(window.expected_s for window in estimated)
    short = [window for window in estimated if window.expected_s <= most_s]
    long = [window for window in estimated if window.expected_s > most_s]
    return [*short, *windows[_ESTIMATED:], *long]


def _try(scenario: Scenario, jobs: Sequence[JobSpec], room: Room) -> str:
    ram_pct = suggested_ram_pct(jobs, room, scenario.ram)
    if ram_pct is None:
        return "; give another log, or a larger --memory-scale"
    return f"; try --ram {ram_pct} (run.py windows shows where memory is scarce)"
