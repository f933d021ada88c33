"""`run.py view`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from model.terminal.commands.reading import Reading
from model.terminal.completion import designs, one_of
from model.views.offered import VIEWS


def _kind(name: str) -> str:
    if name not in VIEWS:
        raise typer.BadParameter(f"{name!r} is not one of {', '.join(map(repr, VIEWS))}.")
    return name


@dataclass(frozen=True, kw_only=True)
class View(Reading):
    """Draw or print a view of a journal: who sent what to whom, when and why.

    Example: run.py view bus.parquet --kind space-time --design MAN --from-s 2600 --to-s 2600.01
    """

    kind: Annotated[
        str,
        typer.Option(
            metavar=f"<{'|'.join(VIEWS)}>",
            parser=_kind,
            autocompletion=one_of(lambda: VIEWS),
            show_default=False,
            help="What to show. Default: sequence.\n"
            + "\n".join(f"{name}: {answer}" for name, answer in VIEWS.items()),
        ),
    ] = "sequence"
    against: Annotated[
        str | None,
        typer.Option(
            metavar="<design>",
            help="The second design of a diff, why, Gantt chart or page.",
            show_default=False,
            autocompletion=one_of(designs),
        ),
    ] = None
    window: Annotated[
        str | None,
        typer.Option(
            metavar="<name>",
            help="Show a time by its name: busiest, when most messages are sent, or job:N, while "
            "job N is there.",
            show_default=False,
        ),
    ] = None
    record: Annotated[
        str | None,
        typer.Option(
            metavar="<id>", help="The id of the record whose story to tell.", show_default=False
        ),
    ] = None
    at: Annotated[
        float | None,
        typer.Option(help="With --node: tell the story of its last record up to this time, s."),
    ] = None
    node: Annotated[
        int | None, typer.Option(help="With --at: whose record it is.", show_default=False)
    ] = None
    hops: Annotated[
        bool,
        typer.Option("--hops", help="Show switches in a sequence (needs --journal-level all)."),
    ] = False
    page: Annotated[
        int | None,
        typer.Option(help="Which page to show, if not all fits on one. Default: 1."),
    ] = None
    count: Annotated[
        bool, typer.Option("--count", help="Show traffic between nodes in messages, not bytes.")
    ] = False
    out: Annotated[
        Path | None,
        typer.Option(
            help="The file to write: .png, .svg or .pdf; for a sequence also .mmd (Mermaid), for a "
            "network .gif, .mp4 or .webm (a film). Default: KIND.png and KIND.svg. With .html, "
            "whatever the kind: a page to zoom, search and follow causes in, of one or more runs."
        ),
    ] = None

    def run(self) -> None:
        """Draw or print."""
        from model.terminal.progress import Bar
        from model.views.show import show

        selection = self.selection(self.window)
        with Bar(1 if self.against is None else 2) as bar:
            show(
                self.kind,
                self.source(bar),
                selection,
                self.out,
                against=self.against,
                record=self.record,
                at_s=self.at,
                node=self.node,
                hops=self.hops,
                page=self.page,
                count=self.count,
            )
