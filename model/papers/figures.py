"""Figures of papers: what they show, and how they are drawn.

A figure has panels; a panel has cases along its axis, and a line or a bar for each design or policy
in each case. Whatever is not stored is left out, and the figure says so.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from model.core.files import alone_in, put_in_place
from model.papers.cases import Case
from model.papers.measurements import Measurements, Value, shows
from model.sweeps.statistics import Estimate
from model.views.style import COLUMN_IN, FONT_SIZE, PAGE_IN, dress

if TYPE_CHECKING:  # sweeps and claims, which know papers, draw nothing and do not wait for it
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MARKS = "os^Dv<>Px"
_COLUMNS = 2  # the most columns of panels
_TALLEST = 1.5  # where intervals are cut off, in heights of the highest mean
_APART = 0.005  # distance of lines, in widths of the axis, so that their intervals do not overlap
_HEIGHT_IN = 2.4  # of a row of panels
_KEY_IN, _LETTER_IN = 0.24, 0.06  # widths in a legend: of a name's key, and of each letter

_MEASURE = shows()  # the measure that the paper is about

Row = list[Estimate | None]  # a design's values, by case


class Style(NamedTuple):
    """How a design or policy is drawn, in all figures of its paper."""

    color: str
    dashed: bool = False  # of bars: hatched


@dataclass(frozen=True)
class Panel:
    """One pair of axes: cases along `axis`, at their `ticks`."""

    cases: tuple[Case, ...]
    ticks: tuple[float | str, ...]  # numbers are places on the axis, words are equally spaced
    axis: str
    heading: str = ""
    value: Value | None = None  # if it differs from the figure's


#: Sets the vertical axis, which all panels share, for the values that are shown (one or more).
Scale = Callable[["Axes", list[Estimate]], None]


def linear(axes: "Axes", shown: list[Estimate]) -> None:
    """Scale from 0 up; intervals of few seeds, perhaps much longer than their means, are cut."""
    axes.set_ylim(0, 1.05 * _top(shown))


def logarithmic(axes: "Axes", shown: list[Estimate]) -> None:
    """Scale logarithmically, with plain numbers instead of powers of ten."""
    from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

    axes.set_yscale("log")
    axes.set_ylim(min(value.mean for value in shown) / _TALLEST, 1.2 * _top(shown))
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter(StrMethodFormatter("{x:,.12g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())


def _top(shown: list[Estimate]) -> float:
    highest = max(value.mean for value in shown)
    tips = [value.high for value in shown if value.n > 1] or [highest]
    return max(highest, min(max(tips), _TALLEST * highest))


@dataclass(frozen=True)
class PaperFigure:
    """A figure of a paper."""

    number: str
    caption: str
    panels: tuple[Panel, ...]
    styles: Mapping[str, Style]  # of the designs or policies that it shows
    label: str  # of the vertical axis
    value: Value = _MEASURE
    form: Literal["lines", "bars"] = "lines"
    level: float | None = None  # the height of a horizontal line
    scale: Scale = linear
    note: str = ""  # what the caption leaves out
    bars: str = "95 % intervals"  # what the error bars are
    summary: bool = False  # each case stands for several windows, or for no runs at all
    over: str = ""  # what its intervals are over, if neither seeds nor windows
    also: Callable[["Axes", Panel, Measurements], None] | None = None  # draws what is no such value

    @property
    def cases(self) -> list[Case]:
        """The cases of all panels."""
        return [case for panel in self.panels for case in panel.cases]

    def table(self, panel: Panel, measured: Measurements) -> dict[str, Row]:
        """What a panel shows: one value per case for each design, None if it is not stored."""
        value = panel.value or self.value
        return {name: [value(measured, case, name) for case in panel.cases] for name in self.styles}


def draw(figure: PaperFigure, measured: Measurements) -> "Figure":
    """Draw the figure from what is stored; values that are not are left out, which it says."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    wide = len(figure.panels) > 1 or len(figure.panels[0].cases) > 3
    columns = min(_COLUMNS, len(figure.panels))
    rows = -(-len(figure.panels) // columns)
    width_in = PAGE_IN if wide else COLUMN_IN
    picture = Figure((width_in, _HEIGHT_IN * rows + 1), layout="constrained")
    every = picture.subplots(rows, columns, sharey=True, squeeze=False).ravel()
    shown: list[Estimate] = []
    for axes, panel in zip_longest(every, figure.panels):
        if panel is None:
            axes.set_visible(False)
            continue
        dress(axes)
        axes.set_title(panel.heading, fontsize=FONT_SIZE)
        axes.set_xlabel(panel.axis)
        table = figure.table(panel, measured)
        shown += [value for row in table.values() for value in row if value is not None]
        (_bars if figure.form == "bars" else _lines)(axes, figure.styles, panel, table)
        if figure.also is not None:
            figure.also(axes, panel, measured)
        if figure.level is not None:
            axes.axhline(figure.level, color="#999999", linewidth=0.6)
    for axes in every[::columns]:
        axes.set_ylabel(figure.label)
    if shown:
        figure.scale(every[0], shown)
        if len(figure.panels[0].cases) > 1:
            handles, _ = every[0].get_legend_handles_labels()
            if figure.form == "bars":  # a design without any bar would have no color
                handles = [Patch(**_face(style)) for style in figure.styles.values()]
            picture.legend(
                handles,
                [*figure.styles],
                loc="outside lower center",
                ncols=int(width_in / (_KEY_IN + _LETTER_IN * max(map(len, figure.styles)))),
                fontsize=FONT_SIZE,
                frameon=False,
                handlelength=1 if figure.form == "bars" else 2,
                handletextpad=0.4,
                columnspacing=1,
            )
    lines = [f"Figure {figure.number}. {figure.caption}", _note(figure, shown)]
    title = [part for line in lines for part in wrap(line, 140 if wide else 71)]
    picture.suptitle("\n".join(title), fontsize=FONT_SIZE - 0.5, x=0.01, ha="left")
    return picture


def _note(figure: PaperFigure, shown: list[Estimate]) -> str:
    """What the figure is based on: how many values, and what its error bars are."""
    counts = sorted({value.n for value in shown})
    if not counts:
        basis = "nothing to show"
    elif counts == [1]:
        basis = "one seed, no intervals"
    else:
        several = f"{counts[0]} to {counts[-1]}" if counts[1:] else f"{counts[0]}"
        over = figure.over or ("windows" if figure.summary else "seeds")
        basis = f"{figure.bars} of {several} {over}"
    if counts == [0]:
        return "; ".join(part for part in (figure.note, "computed, not measured") if part)
    values = f"{len(shown)} of {len(figure.styles) * len(figure.cases)} values stored"
    return "; ".join(part for part in (figure.note, values, basis) if part)


def _there(places: "np.ndarray | list[float]", row: Row) -> tuple[list[float], list[Estimate]]:
    """The places and values of a row without those that are not stored."""
    there = [(x, value) for x, value in zip(places, row, strict=True) if value is not None]
    return [x for x, _ in there], [value for _, value in there]


def _errors(values: list[Estimate]) -> np.ndarray:
    """The errors below and above each mean; nan, which draws nothing, without an interval."""
    distances = [(value.mean - value.low, value.high - value.mean) for value in values]
    return np.array(distances).reshape(-1, 2).T


def _lines(
    axes: "Axes", styles: Mapping[str, Style], panel: Panel, table: Mapping[str, Row]
) -> None:
    """Draw a line for each design through its cases."""
    places = np.array(panel.ticks)
    if any(isinstance(tick, str) for tick in panel.ticks):
        places = np.arange(len(panel.ticks))
        axes.set_xticks(places, [str(tick) for tick in panel.ticks])
    apart = _APART * (places.max() - places.min())
    for rank, ((name, row), mark) in enumerate(zip(table.items(), _MARKS, strict=False)):
        x, values = _there(places + (rank - (len(table) - 1) / 2) * apart, row)
        axes.errorbar(
            x,
            [value.mean for value in values],
            _errors(values),
            color=styles[name].color,
            linestyle="--" if styles[name].dashed else "-",
            marker=mark,
            markersize=3,
            linewidth=1,
            capsize=1.5,
            elinewidth=0.5,
            label=name,
        )


def _face(style: Style) -> dict[str, Any]:
    """How a bar is filled."""
    return {
        "facecolor": style.color,
        "hatch": "//////" if style.dashed else None,
        "edgecolor": "white" if style.dashed else style.color,
        "linewidth": 0,
    }


def _bars(
    axes: "Axes", styles: Mapping[str, Style], panel: Panel, table: Mapping[str, Row]
) -> None:
    """Draw a group of bars for each case; a single case has numbers above its bars."""
    alone = len(panel.cases) == 1
    width = 0.84 / len(table)
    shifts = [(rank - (len(table) - 1) / 2) * width for rank in range(len(table))]
    for shift, (name, row) in zip(shifts, table.items(), strict=True):
        x, values = _there(np.arange(len(row)) + shift, row)
        axes.bar(
            x,
            [value.mean for value in values],
            width * (0.8 if alone else 1),
            yerr=_errors(values),
            **_face(styles[name]),
            label=name,
            error_kw={"elinewidth": 0.6, "capsize": 1, "capthick": 0.6, "ecolor": "#555555"},
        )
        if alone and values:
            _number(axes, x[0], values[0])
    if alone:
        long = max(map(len, table)) > 5
        axes.set_xticks(shifts, table, rotation=30 * long, ha="right" if long else "center")
    else:
        axes.set_xticks(range(len(panel.ticks)), [str(tick) for tick in panel.ticks])


def _number(axes: "Axes", x: float, value: Estimate) -> None:
    """Write a bar's number beyond its interval."""
    up = value.mean >= 0
    tip = np.nan_to_num(value.high if up else value.low, nan=value.mean)
    axes.annotate(
        f"{value.mean:,.0f}" if abs(value.mean) >= 1000 else f"{value.mean:.2f}",
        (x, tip),
        xytext=(0, 2 if up else -2),
        textcoords="offset points",
        ha="center",
        va="bottom" if up else "top",
        fontsize=FONT_SIZE - 1,
    )


def draw_all(figures: Iterable[PaperFigure], measured: Measurements, out: Path) -> None:
    """Draw figures into a folder, as figure-NUMBER.png and .svg; raises InputError."""
    with alone_in(out):
        for figure in figures:
            picture = draw(figure, measured)
            for kind in ("png", "svg"):
                with put_in_place(out / f"figure-{figure.number}.{kind}") as unfinished:
                    picture.savefig(unfinished, dpi=200)
