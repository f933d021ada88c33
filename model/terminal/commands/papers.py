"""`run.py papers`."""

import os
import sys
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import typer

from model.ground.errors import InputError
from model.ground.text import escaped
from model.terminal.command import Command
from model.terminal.ending import INTERRUPTED
from model.terminal.options import Workers
from model.terminal.plain import say_error

if TYPE_CHECKING:
    from model.papers.pages import Page, Results

UNREACHED = 3  # exit status: most numbers, or opening lines, were not run again


class Papers(Command):
    """Check the pages in model/papers, fill in their tables, or draw their figures.

    Example: run.py papers check thesis --rerun 5

    check compares each marked number and each table of a page with the stored results. With
    --heads or --rerun, it also runs numbers again, until --cpu-s is used up. Its exit status is 1
    if a number or a table differs, else 3 if most numbers (with --heads: most opening lines) were
    not reached. write fills in the tables. With --results, it first bundles the results of a
    sweep. figures draws a paper's figures.
    """

    emulates: ClassVar = True

    action: Annotated[Literal["check", "write", "figures"], typer.Argument()]
    """What to do."""
    papers: Annotated[list[str] | None, typer.Argument(metavar="PAPER")] = None
    """The papers, such as thesis or paying. Default: all."""
    rerun: Annotated[int | None, typer.Option(min=1)] = None
    """Run this many numbers again, those of --heads first, others at random, and compare."""
    heads: bool = False
    """Run the numbers of the pages' opening lines again, in turns, shortest runs first."""
    cpu_s: Annotated[float, typer.Option(min=0)] = 300
    """CPU seconds for these runs."""
    seed: int = 1
    """Seed of this draw."""
    workers: Workers = None
    results: Path | None = None
    """The folder of results of `sweep PAPER`. Default: the bundled results."""
    out: Path | None = None
    """The folder for figures. Default: results/PAPER/figures."""

    def run(self) -> int:
        """Do it; returns the exit status."""
        self.refuse_with("heads", "rerun")
        self.refuse_without("rerun", "seed")
        if not self.heads:
            self.refuse_without("rerun", "cpu_s", "workers")
        if self.action != "check":
            self.refuse_with("rerun", "results", "out")
            self.refuse_with("heads", "results", "out")
        from model.papers.study import study_of

        studies = [study_of(name) for name in self.papers or ()]
        if self.action == "figures":
            return self._draw()
        if self.results is not None:
            if self.action == "check" or len(studies) != 1:
                raise InputError("--results: bundles them with `papers write PAPER`; name a paper")
            studies[0].keep(studies[0].load(self.results))
        return self._write() if self.action == "write" else self._check()

    def _write(self) -> int:
        from model.papers.pages import pages

        for page in pages(self.papers or ()):
            page.write()
            print(escaped(f"{page.file}: its tables are those of its results"))
        return 0

    def _check(self) -> int:
        from model.papers.pages import pages
        from model.terminal.progress import said_if_slow

        found = [*pages(self.papers or ())]
        with said_if_slow("comparing the pages with their results"):
            mistakes = [mistake for page in found for mistake in page.mistakes()]
        for mistake in mistakes:
            print(escaped(mistake))
        every = [results for page in found for results in page.results.values()]
        several = [one for one in every if one.study.name in (self.papers or [one.study.name])]
        for results in several:
            if warning := results.study.of_another_version(results.measured):
                print(escaped(warning), file=sys.stderr)
        marks = sum(page.marks for page in found)
        print(f"pages: {len(found)}, marked numbers: {marks:,}, mistakes: {len(mistakes)}")
        again = self._run_again(found, several) if self.rerun or self.heads else 0
        return min(1, len(mistakes)) or again

    def _run_again(self, found: "list[Page]", several: "list[Results]") -> int:
        """Run numbers again; returns the exit status."""
        from model.papers.again import checked, drawn, in_turns, of_heads, within
        from model.sweeps.execution import LocalProcesses
        from model.terminal.progress import said_if_slow

        with said_if_slow("choosing numbers"):
            names = [results.study.name for results in several]
            wanted = [*in_turns(of_heads(page, names) for page in found)]
            if self.rerun:
                others = in_turns(drawn(results, self.seed) for results in several)
                wanted = [*islice(chain(wanted, others), self.rerun)]
            numbers = [*within(self.cpu_s, wanted)]
        outcomes = LocalProcesses(self.workers or os.cpu_count() or 1).outcomes
        again = []
        try:
            for one in checked(numbers, outcomes, self.cpu_s):
                again.append(one)
                today = one.error or f"{one.value:.6g}"
                words = f"{one.number.name}: stored {one.number.value:.6g}, today {today}"
                print(escaped(f"{'same' if one.passes else 'DIFFERS'}  {words}"), flush=True)
        except KeyboardInterrupt:
            say_error("interrupted")
            return INTERRUPTED
        different = sum(not one.passes for one in again)
        print(f"numbers run again: {len(again):,} of {len(wanted):,}, different: {different}")
        reached, all_ = len(again), len(wanted)
        if self.heads:
            reached = len({one.number.head for one in again})
            all_ = len({one.head for one in wanted})
            print(f"opening lines of which a number was run again: {reached} of {all_}")
        if different:
            return 1
        return UNREACHED if 2 * reached < all_ else 0

    def _draw(self) -> int:
        from model.papers.figures import draw_all
        from model.papers.study import study_names, study_of

        for name in self.papers or study_names():
            study = study_of(name)
            figures = study.figures
            if not figures:
                continue
            out = self.out or (self.results or Path("results", name)) / "figures"
            draw_all(figures, study.load(self.results), out)
            print(escaped(f"{len(figures)} figures of {name} are in {out}"))
        return 0
