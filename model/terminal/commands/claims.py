"""`run.py claims`."""

import os
import sys
from collections.abc import Sequence
from math import isnan
from time import monotonic
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer

from model.ground.text import escaped
from model.terminal.command import Command
from model.terminal.ending import INTERRUPTED
from model.terminal.options import Workers
from model.terminal.plain import say_error

if TYPE_CHECKING:
    from model.papers.measurements import Measurements
    from model.papers.paper import Paper
    from model.papers.sheet import Checked, Stated


class Claims(Command):
    """List every number of the papers' pages, or run it again and compare.

    Example: run.py claims coordination/3 --check
    """

    emulates: ClassVar = True

    which: Annotated[list[str] | None, typer.Argument(metavar="WHICH")] = None
    """A paper, a finding on its page (thesis/5), a claim of it (thesis/5.1, in the order of the
    page) or one of its numbers (thesis/5.1.2). Default: those of all papers."""
    check: bool = False
    """Do the runs again and compare; the exit status is 1 if a number differs."""
    quick: bool = False
    """The same for a sample that takes ten minutes on two cores."""
    seed: int = 1
    """The seed with which the sample is drawn."""
    workers: Workers = None

    def run(self) -> int:
        """List, or check; the exit status is 1 if a number differs or none could be checked."""
        self.refuse_without("quick", "seed")
        from model.papers.paper import RESULTS_FILE, paper_names, paper_of
        from model.papers.sheet import drawn, rules, selected, stated
        from model.terminal.progress import said_if_slow

        named = [word.partition("/")[0] for word in self.which or paper_names()]
        wanted = (paper_of(name) for name in paper_names() if name in named)
        papers = [one for one in wanted if (one.folder / RESULTS_FILE).is_file()]
        with said_if_slow("reading the results of the papers"):
            measured = {paper.name: paper.load(None) for paper in papers}
            every = [one for paper in papers for one in stated(paper, measured[paper.name])]
        chosen = selected(every, self.which or [])
        if not (self.check or self.quick):
            _list(chosen)
            return 0
        if self.quick:
            sample = drawn(chosen, self.seed)
            until_s = monotonic() + 60 * rules()["quick"]["minutes"]
            return self._check(sample, measured, until_s)
        whole = [one for one in chosen if one.is_whole]
        for one in chosen:
            if not one.is_whole:
                print(f"{one.name}: its log does not come with the code")
        return self._check(whole, measured)

    def _check(
        self,
        numbers: "Sequence[Stated]",
        measured: "dict[str, Measurements]",
        until_s: float | None = None,
    ) -> int:
        from model.papers.sheet import checked
        from model.sweeps.execution import LocalProcesses

        runs = len({id(run) for one in numbers for run in one.runs.values()})
        print(f"{len(numbers)} numbers of {runs} runs are checked", flush=True)
        outcomes = LocalProcesses(self.workers or os.cpu_count() or 1).outcomes
        done: list[Checked] = []

        def results_of(paper: "Paper") -> "Measurements":
            return measured[paper.name]

        try:
            for one in checked(numbers, outcomes, results_of, until_s):
                done.append(one)
                print(_line(one), flush=True)
        except KeyboardInterrupt:
            say_error("interrupted")
            return INTERRUPTED
        failed = sum(not one.passes for one in done)
        late = len(numbers) - len(done)
        print(
            f"{len(done) - failed} pass, {failed} fail"
            + (f", {late} were not reached in time" if late else "")
        )
        return 1 if failed or not done else 0


def _line(one: "Checked") -> str:
    """Whether a number holds, what it is today, and what its page states."""
    today = one.error if isnan(one.value) and one.error else f"{one.value:.6g}"
    return escaped(
        f"{'pass' if one.passes else 'FAIL'}  {one.stated.name}: {today}, "
        f"stated {_expected(one.stated)}  ({one.stated.words})"
    )


def _expected(one: "Stated") -> str:
    return f"{one.value:.6g} ± {one.tolerance:.1g}"


def _list(numbers: "Sequence[Stated]") -> None:
    """Each number with its command, its tolerance, and how long its runs take on a core."""
    for one in numbers:
        minutes = f"{one.expected_s / 60:.1f} min" if one.is_whole else "its log is not here"
        print(
            escaped(
                f"run.py claims {one.name} --check  {_expected(one)}  {len(one.runs)} runs  "
                f"{minutes}  {one.words}"
            )
        )
    quick = sum(one.is_quick for one in numbers)
    whole = sum(one.is_whole for one in numbers)
    print(
        f"{len(numbers):,} numbers; {whole:,} can be run again, {quick:,} so quickly that --quick "
        "may draw them",
        file=sys.stderr,
    )
