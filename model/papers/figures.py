"""Figures of papers: what they show, and how they are drawn, in the house's style.

A figure has panels; a panel has cases along its axis, and a line or a bar for each design or policy
in each case. Whatever is not stored is left out, and the figure says so.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from textwrap import wrap
from typing import Literal, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter, ScalarFormatter

from model.papers.cases import Case
from model.papers.measurements import Measurements, Value, shows
from model.sweeps.statistics import Estimate
from model.views.style import COLUMN_IN, FONT_SIZE, PAGE_IN, dress

_MARKS = "os^Dv<>Px"
_COLUMNS = 2  # of panels, at most
_TALLEST = 1.5  # an interval ends there, in heights of the highest mean
_APART = 0.005  # lines, in widths of the axis, so that their intervals can be told apart
_HEIGHT_IN = 2.4  # of a row of panels
_KEY_IN, _LETTER_IN = 0.24, 0.06  # of a legend: beside a name, and each letter of it

_MEASURE = shows()  # the one that the paper is about

Row = list[Estimate | None]  # of a design, by case


class Style(NamedTuple):
    """How a design or policy is drawn, in all figures of its paper."""

    color: str
    dashed: bool = False  # of bars: hatched


@dataclass(frozen=True)
class Panel:
    """One pair of axes: cases along `axis`, at their `ticks`."""

    cases: tuple[Case, ...]
    ticks: tuple[float | str, ...]  # numbers are places on the axis, words stand one by one
    axis: str
    heading: str = ""
    value: Value | None = None  # if not that of the figure


#: Sets the vertical axis, which all panels share, for the values that are shown (one or more).
Scale = Callable[[Axes, list[Estimate]], None]


def linear(axes: Axes, shown: list[Estimate]) -> None:
    """From 0 up; intervals of few seeds, which may be much longer than their means, are cut off."""
    axes.set_ylim(0, 1.05 * _top(shown))


def logarithmic(axes: Axes, shown: list[Estimate]) -> None:
    """With numbers as in a text, not as powers of ten."""
    axes.set_yscale("log")
    axes.set_ylim(min(value.mean for value in shown) / _TALLEST, 1.2 * _top(shown))
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter(ScalarFormatter())
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
    level: float | None = None  # where a horizontal line stands
    scale: Scale = linear
    note: str = ""  # what the caption leaves out

    @property
    def cases(self) -> list[Case]:
        """Of all panels."""
        return [case for panel in self.panels for case in panel.cases]

    def table(self, panel: Panel, measured: Measurements) -> dict[str, Row]:
        """What a panel shows: for each design one value per case, None where none is stored."""
        value = panel.value or self.value
        return {name: [value(measured, case, name) for case in panel.cases] for name in self.styles}


def draw(figure: PaperFigure, measured: Measurements) -> Figure:
    """The figure, with what is stored; what is not is left out, and it says so."""
    wide = len(figure.panels) > 1 or len(figure.panels[0].cases) > 3
    columns = min(_COLUMNS, len(figure.panels))
    rows = -(-len(figure.panels) // columns)
    width_in = PAGE_IN if wide else COLUMN_IN
    picture = Figure(figsize=(width_in, _HEIGHT_IN * rows + 1), layout="constrained")
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
        if figure.level is not None:
            axes.axhline(figure.level, color="#999999", linewidth=0.6)
    for axes in every[::columns]:
        axes.set_ylabel(figure.label)
    if shown:
        figure.scale(every[0], shown)
        if len(figure.panels[0].cases) > 1:
            picture.legend(
                *every[0].get_legend_handles_labels(),
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
    """What the figure stands on: how many values, and what its error bars are."""
    counts = sorted({value.n for value in shown})
    if not counts:
        told = "nothing to show"
    elif counts == [1]:
        told = "one seed, no intervals"
    else:
        seeds = f"{counts[0]} to {counts[-1]}" if counts[1:] else f"{counts[0]}"
        told = f"95 % intervals of {seeds} seeds"
    values = f"{len(shown)} of {len(figure.styles) * len(figure.cases)} values stored"
    return "; ".join(part for part in (figure.note, values, told) if part)


def _there(places: "np.ndarray | list[float]", row: Row) -> tuple[list[float], list[Estimate]]:
    """The places and values of a row without those that are not stored."""
    there = [(x, value) for x, value in zip(places, row, strict=True) if value is not None]
    return [x for x, _ in there], [value for _, value in there]


def _errors(values: list[Estimate]) -> np.ndarray:
    """Below and above each mean; nan, so none, without an interval."""
    distances = [(value.mean - value.low, value.high - value.mean) for value in values]
    return np.array(distances).reshape(-1, 2).T


def _lines(axes: Axes, styles: Mapping[str, Style], panel: Panel, table: Mapping[str, Row]) -> None:
    """A line for each design through its cases."""
    places = np.array(panel.ticks)
    if any(isinstance(tick, str) for tick in panel.ticks):
        places = np.arange(len(panel.ticks))
        axes.set_xticks(places, panel.ticks)
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


def _bars(axes: Axes, styles: Mapping[str, Style], panel: Panel, table: Mapping[str, Row]) -> None:
    """A group of bars for each case; of a single case with its number above each."""
    alone = len(panel.cases) == 1
    width = 0.84 / len(table)
    shifts = [(rank - (len(table) - 1) / 2) * width for rank in range(len(table))]
    for shift, (name, row) in zip(shifts, table.items(), strict=True):
        x, values = _there(np.arange(len(row)) + shift, row)
        style = styles[name]
        axes.bar(
            x,
            [value.mean for value in values],
            width * (0.8 if alone else 1),
            yerr=_errors(values),
            color=style.color,
            hatch="//////" if style.dashed else None,
            edgecolor="white" if style.dashed else style.color,
            linewidth=0,
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


def _number(axes: Axes, x: float, value: Estimate) -> None:
    """A bar's number, beyond its interval."""
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
