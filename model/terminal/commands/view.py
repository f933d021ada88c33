"""`run.py view`."""

from pathlib import Path
from typing import Annotated, ClassVar

import typer

from model.terminal.commands.reading import Reading
from model.views.offered import VIEWS


def _kind(name: str) -> str:
    if name not in VIEWS:
        raise typer.BadParameter(f"{name!r} is not one of {', '.join(map(repr, VIEWS))}.")
    return name


class View(Reading):
    """Draw or print a view of a journal: who sent what to whom, when and why.

    Example: run.py view bus.parquet --kind space-time --design MAN --from-s 2600 --to-s 2600.01
    """

    epilog: ClassVar = "\b\nKinds:\n" + "\n".join(
        f"  {name:11} {answer}" for name, answer in VIEWS.items()
    )

    kind: Annotated[
        str,
        typer.Option(
            metavar="<kind>", parser=_kind, show_default=False, help="What to show (see below)."
        ),
    ] = "sequence"
    against: Annotated[str | None, typer.Option(metavar="<design>")] = None
    """The second design, for diff, why, gantt or a page."""
    window: str | None = None
    """Show a time by its name: busiest (most messages), or job:N (from its arrival to its end)."""
    record: Annotated[str | None, typer.Option(metavar="<id>")] = None
    """Tell the story of the record with this id."""
    at: float | None = None
    """With --node: the time of its state, s, or the story of its last record before then."""
    node: int | None = None
    """With --at: the node to show."""
    hops: bool = False
    """Show switches in a sequence (needs a journal of all hops)."""
    page: int | None = None
    """Page to show, if the view has several. Default: 1."""
    count: bool = False
    """Show traffic in messages, not bytes."""
    out: Path | None = None
    """The file to write: .png, .svg, .pdf, .pgf, .mmd (a sequence), or .gif, .mp4, .webm (a film of
    the network). .html: a page to zoom, search, and follow causes. Default: KIND.png and KIND.svg,
    or gallery.html."""
    plain: bool = False
    """Omit the grey caption (a paper has its own)."""
    width_cm: Annotated[float | None, typer.Option(metavar="<cm>")] = None
    """The picture's width, such as 8.4 for a column of a paper. Default: 17.8."""

    def run(self) -> None:
        from model.terminal.progress import Bar
        from model.views.show import Look, show

        selection = self.selection(self.window)
        with Bar(1 if self.against is None else 2) as bar:
            show(
                self.kind,
                self.source(bar),
                selection,
                self.out,
                Look(self.width_cm, self.plain),
                against=self.against,
                record=self.record,
                at_s=self.at,
                node=self.node,
                hops=self.hops,
                page=self.page,
                count=self.count,
            )
