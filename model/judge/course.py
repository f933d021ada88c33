"""The course of a judgement: windows, then some of them with faults, then searches."""

from collections.abc import Callable
from time import monotonic

from model.judge.judging import Judgement, Runner
from model.judge.robustness import damages, searches

_OF_WINDOWS, _OF_FAULTS = 0.7, 0.9  # of the time, when they end at the latest


def carry_out(
    judgement: Judgement,
    runner: Runner,
    minutes: float,
    faults: bool = True,
    told: Callable[[Judgement], None] = lambda _: None,
) -> None:
    """Judge until all is known or time is over; the judgement has at any moment what is known."""
    began_s, whole_s = monotonic(), 60 * minutes
    judgement.gather(runner, began_s + whole_s * (_OF_WINDOWS if faults else 1), told)
    judgement.is_over = True
    if faults:
        judgement.stage = "with faults"
        told(judgement)
        judgement.damages += damages(judgement, runner, began_s + whole_s * _OF_FAULTS)
        judgement.stage = "searching for what breaks it"
        for found in searches(judgement, began_s + whole_s):
            judgement.searches.append(found)
            told(judgement)
