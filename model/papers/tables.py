"""Sections of a page: sentences, and tables that say what each row and each column is of."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from model.papers.measurements import Measurements, NotRun, Value
from model.sweeps.statistics import Estimate

#: Some lines of a page, in Markdown.
Lines = Callable[[Measurements], Iterable[str]]
#: Gives a cell from measurements and what its row is of; raises NotRun.
Column = Callable[..., str | Estimate | None]
Row = Sequence[str]


def section(heading: str, text: str | Callable[[Measurements], str], *parts: Lines) -> Lines:
    """A part of a page: a heading, sentences (perhaps with numbers), and the lines of its parts."""

    def lines(measured: Measurements) -> Iterator[str]:
        sentences = text if isinstance(text, str) else text(measured)
        yield from (f"## {heading}", "", *([sentences, ""] if sentences else []))
        for part in parts:
            yield from part(measured)

    return lines


def columns(
    names: Row,
    rows: Mapping[str | tuple[str, ...], tuple],
    measures: Mapping[str, Column] | Sequence[tuple[str, Column]],
) -> Lines:
    """A table with a column for each measure, by its heading; of each row by its names.

    `names` head the names of the rows. What a row is of are the arguments of the measures, after
    the measurements: mostly a case and a design, as those of `Value`.
    """
    pairs = [*(measures.items() if isinstance(measures, Mapping) else measures)]

    def lines(measured: Measurements) -> Iterator[str]:
        yield from table(
            (*names, *(heading for heading, _ in pairs)),
            (
                (
                    *((own,) if isinstance(own, str) else own),
                    *(_cell(measure, measured, of) for _, measure in pairs),
                )
                for own, of in rows.items()
            ),
        )

    return lines


def _cell(measure: Column, measured: Measurements, of: tuple) -> str:
    try:
        found = measure(measured, *of)
    except NotRun:
        return interval(None)
    return found if isinstance(found, str) else interval(found)


def listed(headings: Row, rows: Callable[[Measurements], Iterable[Row]]) -> Lines:
    """A table of the rows that a function gives."""
    return lambda measured: table(headings, rows(measured))


def number(
    form: str, value: Value | str | None = None, over: float = 1, missing: str = "not run"
) -> Column:
    """A column of a mean, of a value or of the measure with this name, in a form such as "{:.2f}".

    It stands in units of `over`.
    """

    def cell(measured: Measurements, *of: object) -> str:
        found = value(measured, *of) if callable(value) else measured.of(*of, value)
        return missing if found is None else form.format(found.mean / over)

    return cell


def table(headings: Row, rows: Iterable[Row]) -> Iterator[str]:
    """The lines of a table in Markdown, followed by an empty line."""
    yield _row(headings)
    yield "|---" * len(headings) + "|"
    for row in rows:
        yield _row(row)
    yield ""


def _row(cells: Row) -> str:
    return "".join(f"| {cell} " if cell else "| " for cell in cells) + "|"


def interval(value: Estimate | None) -> str:
    """A value for a table, with its interval if it has one."""
    if value is None:
        return "not run"
    if value.n == 1:
        return f"{value.mean:.2f}"
    return f"{value.mean:.2f} ({value.low:.2f} to {value.high:.2f})"
