"""`run.py figures`."""

from pathlib import Path
from typing import Annotated, ClassVar

import typer

from model.terminal.command import Command


class Figures(Command):
    """Draw a paper's figures from stored results, and compare its findings with them.

    Example: run.py figures thesis --out figures
    """

    emulates: ClassVar = True

    paper: Annotated[str, typer.Argument()]
    """The paper: thesis (figures 4.1 to 4.42); memory or unknown of load sharing; a
    study of ours: coordination, changing-memory, knowing-memory, moving-processes,
    later-clusters, surviving, lenders, paying or dividing; or one of your own in model/papers."""
    folder: Annotated[Path | None, typer.Argument()] = None
    """The folder of results of `sweep PAPER`. Default: the bundled results."""
    out: Path | None = None
    """The folder to write to. Default: figures/ in FOLDER or results/PAPER."""
    condense: Path | None = None
    """Instead of drawing, add the results, condensed, to those of the same version in this folder,
    and write the findings; the bundled ones are in model/papers/PAPER."""
    model_version: str | None = None
    """Read results of this version of the model. Default: this code's."""

    def run(self) -> None:
        """Draw the figures, or condense the results."""
        self.refuse_with("condense", "out")
        from model.papers.page import add_results, write_paper
        from model.papers.paper import paper_of
        from model.terminal.progress import Bar, said_if_slow

        paper = paper_of(self.paper)
        with said_if_slow(f"reading the results of {self.paper}"):
            measured = paper.load(self.folder, self.model_version)
        if self.condense is not None:
            add_results(paper, measured, self.condense)
            return
        out = self.out or (self.folder or Path("results", self.paper)) / "figures"
        with Bar(len(paper.figures)) as bar:
            write_paper(paper, measured, out, bar.over)
