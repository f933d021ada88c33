"""`run.py view`."""

from pathlib import Path
from typing import Annotated

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

    kind: Annotated[
        str,
        typer.Option(
            metavar=f"<{'|'.join(VIEWS)}>",
            parser=_kind,
            show_default=False,
            help="What to show. Default: sequence.\n"
            + "\n".join(f"{name}: {answer}" for name, answer in VIEWS.items()),
        ),
    ] = "sequence"
    against: Annotated[str | None, typer.Option(metavar="<design>")] = None
    """The second design of a diff, why, Gantt chart or page."""
    window: str | None = None
    """Show a time by its name: busiest, when most messages are sent, or job:N, while job N is
    there."""
    record: Annotated[str | None, typer.Option(metavar="<id>")] = None
    """The id of the record whose story to tell."""
    at: float | None = None
    """With --node: the story of its last record up to this time, s, or what it held then."""
    node: int | None = None
    """With --at: whose record, or whose state, it is."""
    hops: bool = False
    """Show switches in a sequence; a journal needs every hop for that."""
    page: int | None = None
    """Which page to show, if not all fits on one. Default: 1."""
    count: bool = False
    """Show traffic between nodes in messages, not bytes."""
    out: Path | None = None
    """The file to write: .png, .svg, .pdf or .pgf; for a sequence also .mmd (Mermaid), for a
    network .gif, .mp4 or .webm (a film). Default: KIND.png and KIND.svg; of all, gallery.html. With
    .html, whatever other kind: a page to zoom, search and follow causes in, of one or more runs."""
    plain: bool = False
    """Leave out the grey caption, as in a paper, whose own says that."""
    width_cm: Annotated[float | None, typer.Option(metavar="<cm>")] = None
    """How wide the picture is, such as 8.4 for a column of a paper. Default: 17.8."""

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
