"""`run.py papers`."""

import os
import sys
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
    from model.papers.pages import Results


class Papers(Command):
    """Check the pages in model/papers, fill in their tables, or draw their figures.

    Example: run.py papers check thesis --rerun 5

    check compares each marked number and each table of a page with the stored results. With
    --rerun, it also runs some of the numbers again. write fills in the tables. With --results, it
    first bundles the results of a sweep. figures draws a paper's figures.
    """

    emulates: ClassVar = True

    action: Annotated[Literal["check", "write", "figures"], typer.Argument()]
    """What to do."""
    papers: Annotated[list[str] | None, typer.Argument(metavar="PAPER")] = None
    """The papers, such as thesis or paying. Default: all."""
    rerun: Annotated[int | None, typer.Option(min=1)] = None
    """Run this many numbers again, drawn at random, and compare."""
    seed: int = 1
    """Seed of this draw."""
    workers: Workers = None
    results: Path | None = None
    """The folder of results of `sweep PAPER`. Default: the bundled results."""
    out: Path | None = None
    """The folder for figures. Default: results/PAPER/figures."""

    def run(self) -> int:
        """Do it; the exit status is 1 if a number or a table is not that of the results."""
        self.refuse_without("rerun", "seed", "workers")
        if self.action != "check":
            self.refuse_with("rerun", "results", "out")
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
        failed = self._run_again(several) if self.rerun else 0
        return failed or min(1, len(mistakes))

    def _run_again(self, several: "list[Results]") -> int:
        from model.papers.again import checked, drawn
        from model.sweeps.execution import LocalProcesses

        assert self.rerun is not None
        numbers = drawn(several, self.rerun, self.seed)
        outcomes = LocalProcesses(self.workers or os.cpu_count() or 1).outcomes
        failed = 0
        try:
            for one in checked(numbers, outcomes):
                failed += not one.passes
                today = one.error or f"{one.value:.6g}"
                words = f"{one.number.name}: stored {one.number.value:.6g}, today {today}"
                print(escaped(f"{'same' if one.passes else 'DIFFERS'}  {words}"), flush=True)
        except KeyboardInterrupt:
            say_error("interrupted")
            return INTERRUPTED
        print(f"numbers run again: {len(numbers):,}, different: {failed}")
        return min(1, failed)

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
