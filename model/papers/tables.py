"""Tables of a page in Markdown, which say what each row and each column is of."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isinf
from typing import Any

from model.core.measures import BEYOND
from model.papers.measurements import Measurements, NotRun, Value, shows
from model.sweeps.statistics import Estimate

#: Gives a table.
Table = Callable[[Measurements], str]
#: Gives a cell from measurements and what its row is of; raises NotRun.
Column = Callable[..., str | Estimate | None]
Row = Sequence[str]


def columns(
    names: Row,
    rows: Mapping[str | tuple[str, ...], tuple[object, ...]],
    measures: Mapping[str, Column] | Sequence[tuple[str, Column]],
) -> Table:
    """A table with a column for each measure, by its heading; of each row by its names.

    `names` head the names of the rows. What a row is of are the arguments of the measures, after
    the measurements: mostly a case and a design, as those of `Value`.
    """
    pairs = [*(measures.items() if isinstance(measures, Mapping) else measures)]
    return listed(
        (*names, *(heading for heading, _ in pairs)),
        lambda measured: (
            (
                *((own,) if isinstance(own, str) else own),
                *(_cell(measure, measured, of) for _, measure in pairs),
            )
            for own, of in rows.items()
        ),
    )


def _cell(measure: Column, measured: Measurements, of: tuple[object, ...]) -> str:
    try:
        found = measure(measured, *of)
    except NotRun:
        return interval(None)
    return found if isinstance(found, str) else interval(found)


def listed(headings: Row, rows: Callable[[Measurements], Iterable[Row]]) -> Table:
    """A table of the rows that a function gives."""
    return lambda measured: table(headings, rows(measured))


def number(
    form: str, value: Value | str | None = None, over: float = 1, missing: str = "not run"
) -> Callable[..., str]:
    """A column of a mean, of a value or of the measure with this name, in a form such as "{:.2f}".

    It stands in units of `over`.
    """
    of_value = value if callable(value) else shows(value)

    def cell(measured: Measurements, *of: Any) -> str:
        found = of_value(measured, *of)
        if found is None:
            return missing
        return BEYOND if isinf(found.mean) else form.format(found.mean / over)

    return cell


def table(headings: Row, rows: Iterable[Row]) -> str:
    """A table in Markdown."""
    return "\n".join([_row(headings), "|---" * len(headings) + "|", *map(_row, rows)])


def _row(cells: Row) -> str:
    return "".join(f"| {cell} " if cell else "| " for cell in cells) + "|"


def interval(value: Estimate | None) -> str:
    """A value for a table, with its interval if it has one."""
    if value is None:
        return "not run"
    if isinf(value.mean):
        return BEYOND
    if value.n == 1:
        return f"{value.mean:.2f}"
    return f"{value.mean:.2f} ({value.low:.2f} to {value.high:.2f})"
