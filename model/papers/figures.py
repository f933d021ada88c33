"""Draws the figures of the load sharing papers, in the house's style."""

from itertools import zip_longest
from textwrap import wrap

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter, ScalarFormatter

from model.papers.experiments import Measurements, Panel, PaperFigure
from model.sweeps.statistics import Estimate
from model.views.style import COLUMN_IN, FONT_SIZE, PAGE_IN, dress

_MARKS = "os^Dv<>Px"
_COLUMNS = 2  # of panels, at most
_TALLEST = 1.5  # an interval ends there, in heights of the highest mean
_APART = 0.005  # lines, in widths of the axis, so that their intervals can be told apart
_HEIGHT_IN = 2.4  # of a row of them


def draw(figure: PaperFigure, measured: Measurements) -> Figure:
    """The figure, with what is stored; what is not is left out, and it says so."""
    wide = len(figure.panels) > 1 or len(figure.panels[0].cases) > 3
    columns = min(_COLUMNS, len(figure.panels))
    rows = -(-len(figure.panels) // columns)
    size_in = (PAGE_IN if wide else COLUMN_IN, _HEIGHT_IN * rows + 1)
    picture = Figure(figsize=size_in, layout="constrained")
    every = picture.subplots(rows, columns, sharey=True, squeeze=False).ravel()
    shown: list[Estimate] = []
    for axes, panel in zip_longest(every, figure.panels):
        if panel is None:
            axes.set_visible(False)
            continue
        dress(axes)
        axes.set_title(panel.heading, fontsize=FONT_SIZE)
        axes.set_xlabel(panel.axis)
        value = panel.value or figure.value
        table = {
            policy: [value(measured, case, policy) for case in panel.cases]
            for policy in figure.policies
        }
        shown += [one for row in table.values() for one in row if one is not None]
        (_bars if figure.form == "bars" else _lines)(axes, figure, panel, table)
        if figure.level is not None:
            axes.axhline(figure.level, color="#999999", linewidth=0.6)
    if shown:  # intervals of few seeds may be much longer than what they are of
        highest = max(value.mean for value in shown)
        tips = [value.high for value in shown if value.n > 1] or [highest]
        top = max(highest, min(max(tips), _TALLEST * highest))
        if figure.log:
            _logarithmic(every[0], min(value.mean for value in shown), top)
        else:
            every[0].set_ylim(0, 1.05 * top)
    for axes in every[::columns]:
        axes.set_ylabel(figure.label)
    handles, labels = every[0].get_legend_handles_labels()
    if shown and (len(figure.panels[0].cases) > 1):
        picture.legend(
            handles,
            labels,
            loc="outside lower center",
            ncols=5 if wide else 3,
            fontsize=FONT_SIZE,
            frameon=False,
        )
    wanted = len(figure.policies) * len(figure.cases)
    seeds = sorted({value.n for value in shown})
    counts = " to ".join(str(count) for count in sorted({*seeds[:1], *seeds[-1:]}))
    told = f"95 % intervals of {counts} seeds" if seeds else "nothing to show"
    note = f"{len(shown)} of {wanted} values stored; {'one seed' if seeds == [1] else told}"
    lines = [f"Figure {figure.number}. {figure.caption}", note]
    title = [part for line in lines for part in wrap(line, 140 if wide else 71)]
    picture.suptitle("\n".join(title), fontsize=FONT_SIZE - 0.5, x=0.01, ha="left")
    return picture


def _logarithmic(axes: Axes, lowest: float, top: float) -> None:
    axes.set_yscale("log")
    axes.set_ylim(lowest / _TALLEST, 1.2 * top)
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter(ScalarFormatter())
    axes.yaxis.set_minor_formatter(NullFormatter())


def _errors(values: list[Estimate]) -> np.ndarray:
    """Below and above each mean; nan, so none, without an interval."""
    distances = [(value.mean - value.low, value.high - value.mean) for value in values]
    return np.array(distances).reshape(-1, 2).T


def _lines(
    axes: Axes, figure: PaperFigure, panel: Panel, table: dict[str, list[Estimate | None]]
) -> None:
    words = any(isinstance(tick, str) for tick in panel.ticks)
    places = range(len(panel.ticks)) if words else panel.ticks
    if words:
        axes.set_xticks(places, panel.ticks)
    apart = _APART * (max(places) - min(places))
    for rank, ((policy, row), mark) in enumerate(zip(table.items(), _MARKS, strict=False)):
        shift = (rank - (len(table) - 1) / 2) * apart
        pairs = zip(places, row, strict=True)
        there = [(x + shift, value) for x, value in pairs if value is not None]
        style = figure.policies[policy]
        axes.errorbar(
            [x for x, _ in there],
            [value.mean for _, value in there],
            _errors([value for _, value in there]),
            color=style.color,
            linestyle="--" if style.dashed else "-",
            marker=mark,
            markersize=3,
            linewidth=1,
            capsize=1.5,
            elinewidth=0.5,
            label=policy,
        )


def _bars(
    axes: Axes, figure: PaperFigure, panel: Panel, table: dict[str, list[Estimate | None]]
) -> None:
    alone = len(panel.cases) == 1
    width = 0.84 / len(table)
    for rank, (policy, row) in enumerate(table.items()):
        shift = (rank - (len(table) - 1) / 2) * width
        there = [(place + shift, value) for place, value in enumerate(row) if value is not None]
        style = figure.policies[policy]
        axes.bar(
            [x for x, _ in there],
            [value.mean for _, value in there],
            width * (0.8 if alone else 1),
            yerr=_errors([value for _, value in there]),
            color=style.color,
            hatch="//////" if style.dashed else None,
            edgecolor="white" if style.dashed else style.color,
            linewidth=0,
            label=policy,
            error_kw={"elinewidth": 0.6, "capsize": 1, "capthick": 0.6, "ecolor": "#555555"},
        )
    if alone:
        shifts = [(rank - (len(table) - 1) / 2) * width for rank in range(len(table))]
        axes.set_xticks(shifts, table, rotation=30, ha="right")
    else:
        axes.set_xticks(range(len(panel.ticks)), [str(tick) for tick in panel.ticks])
