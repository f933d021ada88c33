"""A question, its runs, and what is known of it.

All designs of a window are run together, window by window. A window counts for a pair of designs
once the runs of both have ended in it and in all windows before it, however long they took. A
design is run no more once all of its pairs are decided.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import takewhile
from math import log
from time import monotonic
from typing import TypeGuard, TypeVar

from model.core.measures import is_beyond
from model.ground.errors import InputError
from model.judge.observer import OBSERVER
from model.judge.tuning import Tuned
from model.judge.verdicts import (
    FAILED,
    OPEN,
    Difference,
    Verdict,
    sizes,
    verdict_of,
)
from model.judge.windows import Windows, choose_windows
from model.pnr.comparison import DesignComparison
from model.pnr.explore.search import Found
from model.pnr.explore.setting import Setting
from model.pnr.scenario import Scenario
from model.sweeps.execution import (
    DaskCluster,
    Failure,
    LocalProcesses,
    Outcome,
    store_outcomes,
)
from model.sweeps.results import current_versions, over_the_same_jobs
from model.sweeps.store import Result, Store
from model.sweeps.sweep import Run
from model.systems import name_in_results

AGAINST = ("DP", "CLI", "MAN")
NO_FAULT = "none"
#: Faults that are tried at any moment: the option of `run.py explore`, and the field of a setting.
FAULTS = {
    NO_FAULT: ("", ""),
    "loss": ("--loss 1", "losses"),
    "duplicate": ("--duplicates 1", "duplicates"),
    "crash": ("--crashes 1", "crashes"),
}
Place = Callable[[], LocalProcesses | DaskCluster]
Pair = tuple[str, str]  # a design that is judged, and its base
Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True)
class Question:
    """Which designs are judged, against which, on what; by their names in results."""

    scenario: Scenario
    designs: Mapping[str, str]  # as they are declared
    bases: Mapping[str, str]
    windows: Windows

    @property
    def pairs(self) -> list[Pair]:
        return [(design, base) for design in self.designs for base in self.bases]

    @property
    def declared(self) -> Mapping[str, str]:
        """All designs, in the order in which they are run."""
        return {**self.bases, **self.designs}

    def run_of(self, window: int, design: str) -> Run:
        """The run of a window, by its place in the order of the rule."""
        scenario = self.windows.scarce[window].of(self.scenario)
        return Run(scenario.comparing(self.declared[design]), OBSERVER)


def ask(
    scenario: Scenario, designs: Sequence[str], against: Sequence[str], length: int
) -> Question:
    """The question about these designs, as they are declared; raises InputError.

    A design that is judged is not its own base.
    """
    judged = {name_in_results(scenario, name): name for name in designs}
    bases = {name_in_results(scenario, name): name for name in against}
    bases = {name: declared for name, declared in bases.items() if name not in judged}
    if len(judged) < len(designs):
        raise InputError(f"judge {' '.join(designs)}: name each design once")
    if not bases:
        raise InputError(f"--against {','.join(against)}: name a design that is not judged itself")
    scenario = scenario.comparing(*bases.values(), *judged.values())
    DesignComparison(scenario).validate()
    return Question(scenario, judged, bases, choose_windows(scenario, length, designs[0]))


@dataclass(frozen=True)
class Searched:
    """What a search with one fault has found, in words."""

    design: str
    fault: str
    said: str
    setting: Setting | None = None
    found: Found | None = None

    @property
    def is_broken(self) -> bool:
        return self.found is not None and self.found.finding is not None

    @property
    def options(self) -> str:
        """With which `run.py explore` finds the same."""
        nodes = "" if self.setting is None else f"--nodes {self.setting.nodes}"
        return f"{FAULTS[self.fault][0]} {nodes}".strip()


@dataclass(frozen=True)
class Damage:
    """What faults did to a design, over some windows."""

    design: str
    windows: int
    jobs: int
    stuck: int  # of these jobs
    leaked_mb: float  # in a window, on average
    slowdown: float | None  # of jobs that ended, with faults and without
    why: str = ""  # if runs failed


class Runner:
    """Does runs, each once: results are stored, and taken from there."""

    def __init__(self, place: Place, store: Store) -> None:
        self._place = place
        self._store = store
        found, _ = store.results(current_versions())
        self._known = {result["key"]: result for result in found}

    def do(self, runs: Mapping[Key, Run], until_s: float) -> Iterator[tuple[Key, Outcome]]:
        """The runs with their outcomes: those that are known first, and others as they end."""
        left: dict[str, tuple[Key, Run]] = {}
        for where, run in runs.items():
            if run.key in self._known:
                yield where, self._known[run.key]
            else:
                left[run.key] = where, run
        if not left or monotonic() > until_s:
            return
        todo = [run for _, run in left.values()]
        with closing(store_outcomes(todo, self._place(), self._store, until_s)) as ended:
            for run, outcome in ended:
                yield left[run.key][0], outcome

    def with_jobs(self, result: Result) -> Result:
        return result if result["jobs"] else self._store.get(result["key"])


@dataclass
class Judgement:
    """What is known of a question."""

    question: Question
    outcomes: dict[tuple[int, str], Outcome] = field(default_factory=dict)  # by window and design
    damages: list[Damage] = field(default_factory=list)
    searches: list[Searched] = field(default_factory=list)
    tuned: list[Tuned] = field(default_factory=list)  # by a search of parameters, if there was one
    stage: str = ""  # what is done after windows
    is_over: bool = False  # whether no further windows come

    @property
    def verdicts(self) -> dict[Pair, Verdict]:
        return {pair: self.verdict(*pair) for pair in self.question.pairs}

    @property
    def open(self) -> list[Pair]:
        return [pair for pair, verdict in self.verdicts.items() if verdict.says == OPEN]

    def verdict(self, design: str, base: str) -> Verdict:
        """Failed if a run of the two failed, or was given up, in any of its windows."""
        pairs = list(self._outcomes_of(design, base))
        why = _failures(pairs, (design, base))
        if why:
            return Verdict(FAILED, windows=len(pairs), why=why)
        differences = [difference(*pair) for pair in pairs]
        return verdict_of(differences, len(self.question.pairs), self.is_over)

    def windows_with(self, *designs: str) -> range:
        """The leading windows in which the runs of all these designs have ended."""
        every = range(len(self.question.windows.scarce))
        ended = takewhile(lambda it: all((it, name) in self.outcomes for name in designs), every)
        return range(sum(1 for _ in ended))

    def _outcomes_of(self, *designs: str) -> Iterator[list[Outcome]]:
        for window in self.windows_with(*designs):
            yield [self.outcomes[window, design] for design in designs]

    def result(self, window: int, design: str) -> Result | None:
        """None if the run has not ended well."""
        outcome = self.outcomes.get((window, design))
        return outcome if has_ended(outcome) else None

    def gather(self, runner: Runner, until_s: float, told: Callable[["Judgement"], None]) -> None:
        """Do runs until all pairs are decided or time is over."""
        most = len(self.question.windows.scarce)
        for size in sizes():
            designs = {name for pair in self.open for name in pair}
            left = [
                (window, design)
                for window in range(min(size, most))
                for design in self.question.declared
                if design in designs and (window, design) not in self.outcomes
            ]
            runs = {where: self.question.run_of(*where) for where in left}
            for where, outcome in runner.do(runs, until_s):
                self.outcomes[where] = outcome
                told(self)
            if size >= most or not self.open or monotonic() > until_s:
                return


def has_ended(outcome: Outcome | None) -> TypeGuard[Result]:
    """Whether a run has a result, was not given up, and some of its jobs ended."""
    if outcome is None or isinstance(outcome, Failure) or is_beyond(outcome["summary"]):
        return False
    return outcome["summary"]["mean_response_s"] is not None


_ASIDE = ("design", "wall_s")  # what a run's summary says of the run, not of what it did


def difference(one: Outcome, base: Outcome) -> Difference:
    assert not isinstance(one, Failure)
    assert not isinstance(base, Failure)
    summaries = [result["summary"] for result in over_the_same_jobs([one, base])]
    own_s, base_s = (summary["mean_response_s"] for summary in summaries)
    done, base_done = ({**summary, **dict.fromkeys(_ASIDE)} for summary in summaries)
    return Difference(log(own_s / base_s), done == base_done)


def _failures(pairs: Sequence[Sequence[Outcome]], names: Sequence[str]) -> str:
    """Which runs of windows failed or were given up, and how the first one; or ""."""
    for name, own in zip(names, zip(*pairs, strict=True), strict=False):
        failed = [it.error for it in own if isinstance(it, Failure)]
        if failed:
            return f"{name} failed in {len(failed)} of {len(own)} windows: {failed[0]}"
        beyond = sum(is_beyond(it["summary"]) for it in own if not isinstance(it, Failure))
        if beyond:
            return f"{name} was given up in {beyond} of {len(own)} windows"
        stuck = sum(it["summary"]["mean_response_s"] is None for it in own)
        if stuck:
            return f"no job ended under {name} in {stuck} of {len(own)} windows"
    return ""
