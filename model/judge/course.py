"""The course of a judgement: windows, then some of them with faults, then searches."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic
from typing import Literal

from pydantic import validate_call

from model.judge.judging import AGAINST, Judgement, Runner, ask
from model.judge.robustness import damages, searches
from model.judge.tables import Judged
from model.judge.tuned import Goals, named_faults, tune_first
from model.judge.windows import LENGTH
from model.sweeps.execution import LocalProcesses
from model.sweeps.store import Store
from model.systems import of_a_log

_OF_WINDOWS, _OF_FAULTS = 0.7, 0.9  # of the time, when they end at the latest


def carry_out(
    judgement: Judgement,
    runner: Runner,
    minutes: float,
    faults: bool = True,
    goals: Goals | None = None,
    told: Callable[[Judgement], None] = lambda _: None,
) -> None:
    """Judge until all is known or time is over; the judgement has at any moment what is known.

    With goals, parameters are searched first, and what is found is judged.
    """
    if goals is not None:
        minutes = tune_first(judgement, goals, runner, minutes, told)
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


@validate_call
def judge(
    *designs: str,
    against: Sequence[str] = AGAINST,
    length: int = LENGTH,
    minutes: float = 10,
    faults: bool = True,
    tune: bool | str = False,
    objective: Literal["response", "messages", "both"] = "both",
    holds: Sequence[str] = (),
    out: Path | str = "results/judge",
    scenario_file: Path | str | None = None,
    **parameters: object,
) -> Judged:
    """Judge designs on windows of a log in which memory is scarce: see `run.py judge --help`.

    Runs are stored in a folder; called again, it goes on. `tune` searches the parameters of a
    design first: those annotated with a Range, or ranges such as "size=2..32 asks=own|any".
    """
    scenario = of_a_log(None if scenario_file is None else Path(scenario_file), **parameters)
    judgement = Judgement(ask(scenario, designs, against, length))
    ranges = tune if isinstance(tune, str) else ""
    goals = Goals(ranges, objective, named_faults(holds)) if tune else None
    store = Store(Path(out))
    with store.writing():
        runner = Runner(lambda: LocalProcesses(os.cpu_count() or 1), store)
        carry_out(judgement, runner, minutes, faults, goals)
    return Judged(judgement)
