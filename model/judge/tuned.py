"""The search of a design's parameters, carried out, and the question about what it finds."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from math import exp
from random import Random
from statistics import fmean
from time import monotonic

from model.ground.errors import InputError
from model.judge.costs import messages_a_job
from model.judge.judging import FAULTS, Judgement, Question, Runner, difference, has_ended
from model.judge.robustness import SEARCH_S, searched
from model.judge.tuning import (
    DEFAULT,
    DRAWN,
    HALVING,
    OBJECTIVES,
    SIZES,
    Tried,
    Tuned,
    candidates,
    front,
    halved,
    space_of,
    spread,
)
from model.judge.windows import Window
from model.pnr.design import load_design
from model.pnr.scenario import Scenario
from model.sweeps.execution import Outcome
from model.sweeps.sweep import Run
from model.systems import name_in_results

_CANDIDATES = 32  # at most
_OF_TIME = 0.5  # in which the search ends at the latest


class _Search:
    """Runs of candidates, and of the default beside them, on windows of the search."""

    def __init__(
        self,
        scenario: Scenario,
        windows: Sequence[Window],
        declared: str,
        runner: Runner,
        until_s: float,
        told: Callable[[str], None],
    ) -> None:
        self.runs = 0  # that were asked for
        self.refused = ""  # why the last setting that was drawn is none
        self._scenario = scenario
        self._windows = windows
        self._default = declared
        self._runner = runner
        self._until_s = until_s
        self._told = told
        self._outcomes: dict[tuple[str, int], Outcome] = {}

    def is_valid(self, declared: str) -> bool:
        try:
            return bool(load_design(declared, self._scenario))
        except InputError as error:
            self.refused = str(error)
            return False

    def evaluate(self, designs: Sequence[str], size: int) -> list[Tried]:
        """Those of the designs whose runs have ended in the first so many windows."""
        wanted = [(name, window) for name in (self._default, *designs) for window in range(size)]
        left = [where for where in dict.fromkeys(wanted) if where not in self._outcomes]
        self.runs += len(left)
        self._told(f"trying {len(designs)} settings on {size} windows")
        for where, outcome in self._runner.do({it: self._run(*it) for it in left}, self._until_s):
            self._outcomes[where] = outcome
        return [it for name in designs if (it := self._tried(name, size))]

    def _run(self, declared: str, window: int) -> Run:
        return Run(self._windows[window].of(self._scenario).comparing(declared))

    def _tried(self, declared: str, size: int) -> Tried | None:
        """None if a run has not ended well."""
        logs, messages = [], []
        for window in range(size):
            own, default = (self._outcomes.get((it, window)) for it in (declared, self._default))
            if not (has_ended(own) and has_ended(default)):
                return None
            logs.append(difference(own, default).log_ratio)
            messages.append(messages_a_job(own))
        return Tried(declared, exp(fmean(logs)), fmean(messages), size)


@dataclass(frozen=True)
class Goals:
    """What is searched, and for what."""

    ranges: str = ""  # as "size=2..32 asks=own|any"; those annotated, if there are none
    objective: str = "both"  # of OBJECTIVES
    holds: Sequence[str] = ()  # faults, none of which may break what is found


def named_faults(names: Sequence[str]) -> list[str]:
    """These names, which must be of faults; raises InputError."""
    known = [name for name in names if name]
    if wrong := [name for name in known if name not in FAULTS]:
        raise InputError(f"--holds {wrong[0]}: take some of {', '.join(FAULTS)}")
    return known


def tune_first(
    judgement: Judgement,
    goals: Goals,
    runner: Runner,
    minutes: float,
    told: Callable[[Judgement], None] = lambda _: None,
) -> float:
    """Search, then let the judgement be of what was found; returns how many minutes are left."""
    began_s = monotonic()

    def say(stage: str) -> None:
        judgement.stage = stage
        told(judgement)

    until_s = began_s + 60 * minutes * _OF_TIME
    judgement.question, judgement.tuned = _tune(judgement.question, goals, runner, until_s, say)
    judgement.stage = ""
    return minutes - (monotonic() - began_s) / 60


def _tune(
    question: Question,
    goals: Goals,
    runner: Runner,
    until_s: float,
    told: Callable[[str], None],
) -> tuple[Question, list[Tuned]]:
    """The question about what was found, on windows that the search has not seen, and that.

    Raises InputError if there is nothing to search, or no time or windows for it.
    """
    if len(question.designs) != 1:
        raise InputError(f"--tune takes one design (not {', '.join(question.designs)})")
    ((name, declared),) = question.designs.items()
    space, objectives = space_of(declared, goals.ranges), OBJECTIVES[goals.objective]
    scarce, scenario = question.windows.scarce, question.scenario
    seen, others = scarce[1::2], scarce[::2]
    if len(seen) < SIZES[-1]:
        raise InputError(
            f"{question.windows}, and --tune needs {2 * SIZES[-1]}; give a longer log or less --ram"
        )
    search = _Search(scenario, seen, declared, runner, until_s, told)
    drawn = candidates(declared, space, Random(scenario.seed), search.is_valid)
    settings = [*islice(drawn, _CANDIDATES - 1)]
    if not settings:
        raise InputError(f"--tune: no setting that was drawn can be: {search.refused}")
    best = halved([declared, *settings], search.evaluate, objectives)
    if not best:
        raise InputError("--tune: time was over before the first round; give more --minutes")
    tuned = [Tuned(HALVING, it) for it in spread(_holding(best, declared, goals.holds, told))]
    at_random = search.evaluate([*islice(drawn, search.runs // SIZES[-1])], SIZES[-1])
    tuned += [Tuned(DRAWN, it) for it in front(at_random, objectives)[:1]]
    again = replace(question, windows=replace(question.windows, scarce=others))
    if not tuned:  # nothing is better than the default, which is judged alone
        return again, [Tuned(DEFAULT, it) for it in best if it.declared == declared]
    judged = {name_in_results(scenario, it.tried.declared): it.tried.declared for it in tuned}
    again = replace(
        again,
        scenario=scenario.comparing(declared, *question.bases.values(), *judged.values()),
        designs=judged,
        bases={name: declared, **question.bases},
    )
    default = search.evaluate([declared], max(of.tried.windows for of in tuned))
    return again, [*tuned, *(Tuned(DEFAULT, it) for it in default)]


def _holding(
    best: Sequence[Tried], declared: str, holds: Sequence[str], told: Callable[[str], None]
) -> Iterator[Tried]:
    """Those besides the default that none of the faults breaks, as far as was searched."""
    for it in best:
        if it.declared != declared:
            told(f"searching for what breaks {it.declared}")
            found = (searched(it.declared, it.declared, fault, SEARCH_S) for fault in holds)
            if not any(one.is_broken for one in found):
                yield it
