"""A judgement as a person at a terminal sees it: progress, verdicts, what is open."""

import os
import re
import sys
from statistics import median

from rich.progress import BarColumn, MofNCompleteColumn, TextColumn

from model.core.names import listed
from model.ground.text import escaped
from model.judge.course import carry_out
from model.judge.judging import Judgement, Runner, ask
from model.judge.sentences import sentences
from model.judge.tables import tables
from model.judge.tuned import Goals, named_faults
from model.judge.verdicts import FAILED, OPEN
from model.pnr.comparison import load_data_plane
from model.sweeps.execution import DaskCluster, LocalProcesses
from model.sweeps.store import Store
from model.systems import comparison_of
from model.terminal.commands.judge import Judge
from model.terminal.comparison import say_remarks, takes_compiled
from model.terminal.ending import INTERRUPTED
from model.terminal.plain import say_error
from model.terminal.printing import print_table
from model.terminal.progress import Shown, said_if_slow

_RANGES = re.compile(r"\s*\w+=\S+(\s+\w+=\S+)*\s*")  # as "size=2..32 asks=own|any"


def run_judge(asked: Judge) -> int:
    """Judge designs; see `run.py judge --help`. The exit status is 1 if nothing could be judged."""
    quiet, scenario, report = asked.quiet, asked.scenario, asked.report
    ranges = [words for words in asked.designs if asked.tune and _RANGES.fullmatch(words)]
    names = [name for words in asked.designs if words not in ranges for name in listed(words)]
    if report is not None:
        from model.judge.page import write  # matplotlib is slow to import
        from model.report.page import check_place

        check_place(report)
    with said_if_slow("choosing windows"):
        question = ask(scenario, names, listed(asked.against), asked.length)
    say_remarks(comparison_of(question.scenario), quiet=True)
    if not quiet:
        windows = question.windows
        run_s = max(1, median(window.expected_s for window in windows.scarce))
        takes = f"a run takes some {run_s:,.0f} s of a core, by an estimate{windows.advice}"
        print(f"{windows}; {takes}", file=sys.stderr)
        if asked.dask is None and takes_compiled(scenario, "auto", every_hop=False, quiet=False):
            load_data_plane()
    goals = None
    if asked.tune:
        goals = Goals(" ".join(ranges), asked.objective, named_faults(listed(asked.holds)))
    judgement, status = Judgement(question), 0
    store = Store(asked.out)

    def place() -> LocalProcesses | DaskCluster:
        workers = asked.workers or os.cpu_count() or 1
        return DaskCluster(asked.dask) if asked.dask else LocalProcesses(workers)

    try:
        with store.writing(), _Windows(quiet) as shown:
            runner = Runner(place, store)
            carry_out(judgement, runner, asked.minutes, not asked.no_faults, goals, shown.update)
    except KeyboardInterrupt:
        say_error(f"interrupted; what has ended is in {asked.out}; start it again to go on")
        status = INTERRUPTED
    if not quiet:
        for table in tables(judgement):
            print_table(table)
    for sentence in sentences(judgement):
        print(escaped(sentence))
    if report is not None and not status:
        with said_if_slow(f"writing {report}"):
            write(judgement, report)
    told = any(it.windows >= 2 and it.says != FAILED for it in judgement.verdicts.values())
    return status or (0 if told else 1)


class _Windows(Shown):
    """A bar over windows, with the verdicts as they firm up."""

    def __init__(self, quiet: bool) -> None:
        state = TextColumn("windows; {task.fields[state]}")
        columns = BarColumn(20), MofNCompleteColumn(), state
        super().__init__(quiet, *columns, description="windows", total=None, state="")

    def update(self, judgement: Judgement) -> None:
        verdicts = judgement.verdicts
        done = max(it.windows for it in verdicts.values())
        state = judgement.stage or "; ".join(
            f"{design} / {base} {it.ratio:.2f}"
            + (f" ({it.low:.2f} to {it.high:.2f})" if it.says == OPEN else f" {it.says}")
            for (design, base), it in verdicts.items()
            if it.windows > 1
        )
        total = len(judgement.question.windows.scarce)
        line = judgement.stage or f"{done} windows; {state}"
        self.show(line, completed=done, total=total, state=state)
