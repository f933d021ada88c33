"""Tables on standard output."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import rich.table
from rich.box import SIMPLE_HEAD
from rich.measure import Measurement

from model.core.measures import Measure, Summary, Table, of_topic
from model.ground.text import escaped
from model.terminal.console import plain_console


def print_table(table: Table) -> None:
    """Print a table. Headings are wrapped in a narrow terminal, but nothing is ever cut off."""
    title = None if table.title is None else escaped(table.title)
    shown = rich.table.Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, title=title)
    for name in table.names:
        shown.add_column(escaped(name))
    for heading in table.headings:
        shown.add_column(escaped(heading), justify="right")
    for line in table.lines:
        shown.add_row(*map(escaped, line))
    console = plain_console(soft_wrap=True)
    needs = Measurement.get(console, console.options.update(max_width=10_000), shown)
    least = needs.minimum if console.is_terminal else needs.maximum
    console.width = max(console.width, least)
    console.print(shown)


def table_of(
    measures: Iterable[Measure],
    topic: str,
    summaries: Sequence[Summary],
    names: Sequence[str],
    title: str | None,
) -> Table:
    """A topic's measures that have a heading here: a row a summary, with its values of `names`."""
    shown = [measure for measure in of_topic(measures, topic, summaries) if measure.column]
    lines = [
        (*(text_of(row[name]) for name in names), *(measure.text(row) for measure in shown))
        for row in summaries
    ]
    return Table(names, [measure.column for measure in shown], lines, title)


def with_units(table: Table) -> Table:
    """The same table with counts from a million on as 15.37 M, and no column of dashes."""
    lines = [tuple(map(_with_unit, line)) for line in table.lines]
    known = [place for place, cells in enumerate(zip(*lines, strict=True)) if {*cells} != {"-"}]
    first = len(table.names)
    return replace(
        table,
        headings=[table.headings[place - first] for place in known if place >= first],
        lines=[tuple(line[place] for place in known) for line in lines],
    )


def _with_unit(cell: str) -> str:
    digits = cell.replace(",", "")
    return f"{int(digits) / 1e6:,.2f} M" if digits.isdecimal() and len(digits) > 6 else cell


def text_of(value: object) -> str:
    if value is None or value != value:  # nan: a column of numbers
        return "none"
    return f"{value:g}" if isinstance(value, float) else str(value)
