"""Tables of a page in Markdown, which say what each row and each column is of."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isinf, isnan
from typing import Any

from model.core.measures import BEYOND
from model.papers.measurements import (
    Bounded,
    GeometricMean,
    Measurements,
    NotRun,
    Value,
    shows,
)
from model.sweeps.statistics import Estimate

#: Gives a table.
Table = Callable[[Measurements], str]
#: Gives a cell from measurements and what its row is of; raises NotRun.
Column = Callable[..., str | Estimate | None]
Row = Sequence[str]

NOT_RUN = "not run"  # what stands for a number that is not known
_LOPSIDED = 1.1  # one half of an interval in multiples of the other, to show both ends


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
    form: str, value: Value | str | None = None, over: float = 1, missing: str = NOT_RUN
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
        return NOT_RUN
    if isinstance(value, Bounded) and isnan(value.mean):
        return with_interval(value)
    if isinstance(value, Bounded):
        side = "below" if isinf(value.low) else "above"
        return f"{side} {value.mean:,.{places(value.mean)}f} ({with_interval(value)})"
    if isinf(value.mean):
        return BEYOND
    if value.n == 1:
        return f"{value.mean:.2f}"
    return f"{value.mean:.2f} ({value.low:.2f} to {value.high:.2f})"


def with_interval(value: Estimate) -> str:
    """A number in a sentence: ± half of its interval, or from where to where if the halves differ.

    A ratio of the means stands beside a mean of ratios whose interval it is outside of.
    """
    if isinstance(value, GeometricMean) and value.n > 1 and not isnan(value.of_means):
        low, high, of_means = (round(one, 2) for one in (value.low, value.high, value.of_means))
        if not low <= of_means <= high:
            return f"{_alone(value)} [of means {of_means:,.{places(of_means)}f}]"
    return _alone(value)


def _alone(value: Estimate) -> str:
    if isinstance(value, Bounded):
        return _bounded(value)
    if value.n == 0:
        return NOT_RUN
    if isinf(value.mean):
        return BEYOND
    digits = places(value.mean)
    halves = sorted((value.high - value.mean, value.mean - value.low))
    if value.n > 1 and halves[1] > _LOPSIDED * halves[0]:
        return f"{value.mean:,.{digits}f} ({value.low:,.{digits}f} to {value.high:,.{digits}f})"
    text, half = f"{value.mean:,.{digits}f}", f"± {value.half_width:,.{digits}f}"
    if value.n > 1:
        return f"{text} {half}"
    return f"{text} ({half})" if value.half_width > 0 else text


def _bounded(value: Bounded) -> str:
    """The end that is known of a number, or both."""
    low, high = (f"{end:,.{places(end)}f}" for end in (value.low, value.high))
    if isnan(value.mean):
        return "not known"
    if isinf(value.low):
        return f"below {high}"
    return f"above {low}" if isinf(value.high) else f"{low} to {high}"


def places(value: float) -> int:
    """How many digits of a number stand after the point."""
    return 0 if abs(value) >= 1000 else 2
