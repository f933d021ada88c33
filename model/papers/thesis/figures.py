"""The thesis's figures 4.1 to 4.42, which are lost, drawn from stored results.

Axes and grouping follow from the captions and chapter 4. What the thesis left out of them since it
dwarfed the rest (10 Mbps; the bus in 4.35 and 4.36) is shown. Each cluster has 21 figures in the
same order: the base case under growing workloads; then the base case and what table 3.1 varies,
each under two loads, first the response time, then the optimization ratio.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import count, product
from textwrap import wrap
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from model.papers.thesis.cases import (
    LOADS,
    Case,
    Measurements,
    cases_of,
    clusters,
    values,
    workloads,
)
from model.report.figures import COLORS
from model.sweeps.statistics import Estimate
from model.views.style import COLUMN_IN, FONT_SIZE, PAGE_IN, dress

# What table 3.1 varies: the words of the captions, the axis, and the part of `thesis.toml`.
_VARIED = {
    "RAM experiments": ("RAM (% of 32 MB)", "ram", "ram"),
    "Network experiments": ("Link bandwidth (Mbps)", "bandwidth", "bandwidth_mbps"),
    "Topology experiments": ("Topology", "topology", "topology"),
    "Space sharing experiments": ("RAM (% of 32 MB)", "space-sharing", "ram"),
}
_RESPONSE, _RATIO = "response time", "optimization ratio"

_MANY = 3  # groups of bars from which on a figure is as wide as a page
_APART = (
    15  # from this ratio of the highest to the lowest response time on, the axis is logarithmic
)
_LINEAR_PCT = 100  # optimization ratios beyond it, if there are any, stand on a logarithmic axis
_MARKS = "os^Dv<>"


@dataclass(frozen=True)
class ThesisFigure:
    """A figure 4.`number`: cases along its axis, and a bar, or a point, a design in each."""

    number: int
    experiment: str
    measure: str
    nodes: int
    axis: str
    cases: dict[str, tuple[Case, ...]]  # by the panel's heading; one panel has none
    ticks: tuple[str, ...]

    @property
    def caption(self) -> str:
        """As in the thesis."""
        (case, *_), *more = self.cases.values()
        jobs = "several workloads" if more else f"{case.parameters['jobs']:,} jobs"
        return f"{self.experiment} - {self.nodes} PE - {jobs} - {self.measure}"

    @property
    def designs(self) -> list[str]:
        """Whose bars or points it has; the ratio is of others against DP."""
        return [d for d in clusters()[self.nodes] if self.measure == _RESPONSE or d != "DP"]

    def value(self, measurements: Measurements, case: Case, design: str) -> Estimate | None:
        """What the figure shows of a design in a case; None if its runs are not stored."""
        if self.measure == _RESPONSE:
            return measurements.of(case, design)
        return measurements.reduction_pct(case, design)


@cache
def thesis_figures() -> list[ThesisFigure]:
    """All of them, in their order."""
    number = count(1)
    return [
        ThesisFigure(next(number), *what) for nodes in clusters() for what in _of_cluster(nodes)
    ]


def _of_cluster(nodes: int) -> Iterator[tuple[Any, ...]]:
    growing = {
        f"Load factor {Case(nodes, name).parameters['load_factor']:g}": tuple(
            Case(nodes, name).but(jobs=jobs) for jobs in workloads()
        )
        for name in LOADS
    }
    ticks = tuple(f"{jobs:,}" for jobs in workloads())
    yield "Base experiment", _RESPONSE, nodes, "Jobs", growing, ticks
    for name, measure in product(LOADS, (_RESPONSE, _RATIO)):
        yield "Base experiment", measure, nodes, "Design", {"": (Case(nodes, name),)}, ("",)
    for experiment, (axis, part, parameter) in _VARIED.items():
        along = values(part, parameter)
        ticks = tuple(v if isinstance(v, str) else f"{v:,}" for v in along)
        for name, measure in product(LOADS, (_RESPONSE, _RATIO)):
            cases = tuple(cases_of(part, nodes, name))
            yield experiment, measure, nodes, axis, {"": cases}, ticks


def draw(figure: ThesisFigure, measurements: Measurements) -> Figure:
    """The figure, with what is stored; bars or points that are not are left out, and it says so."""
    panels = figure.cases
    wide = len(figure.ticks) > _MANY
    picture = Figure(figsize=(PAGE_IN if wide else COLUMN_IN, 2.7), layout="constrained")
    all_axes = picture.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    shown: list[Estimate] = []
    for axes, (heading, cases) in zip(all_axes, panels.items(), strict=True):
        dress(axes)
        axes.set_title(heading, fontsize=FONT_SIZE)
        table = {
            design: [figure.value(measurements, case, design) for case in cases]
            for design in figure.designs
        }
        shown += [value for row in table.values() for value in row if value is not None]
        if len(panels) > 1:
            _lines(axes, table)
        elif len(cases) > 1:
            _grouped_bars(axes, table)
        else:
            _bars(axes, table)
        if len(cases) > 1:
            axes.set_xticks(range(len(cases)), figure.ticks)
        axes.set_xlabel(figure.axis)
    _scale(all_axes[0], figure, shown)
    if len(figure.ticks) > 1 and shown:
        handles, labels = all_axes[0].get_legend_handles_labels()
        picture.legend(
            handles,
            labels,
            loc="outside lower center",
            ncols=len(labels),
            fontsize=FONT_SIZE,
            frameon=False,
            handlelength=1,
            handletextpad=0.4,
            columnspacing=1,
        )
    lines = [f"Figure 4.{figure.number}. {figure.caption}", _note(figure, measurements, shown)]
    title = [part for line in lines for part in wrap(line, 140 if wide else 71)]
    picture.suptitle("\n".join(title), fontsize=FONT_SIZE - 0.5, x=0.01, ha="left")
    return picture


def _note(figure: ThesisFigure, measurements: Measurements, shown: list[Estimate]) -> str:
    """What the figure stands on: the load, how many runs, and what its error bars are."""
    cases = [case for cases in figure.cases.values() for case in cases]
    stored = sum(len(measurements.designs(case)) for case in cases)
    runs = f"{stored} of {len(cases) * len(clusters()[figure.nodes])} runs stored"
    seeds = sorted({value.n for value in shown})
    if not seeds:
        told = "nothing to show"
    elif seeds == [1]:
        told = "one seed, no intervals"
    else:
        told = (
            f"95 % intervals of {seeds[0]}" + (f" to {seeds[-1]}" if seeds[1:] else "") + " seeds"
        )
    factors = {case.parameters["load_factor"] for case in cases}
    load = [f"load factor {factor:g}" for factor in factors if len(factors) == 1 and factor != 1]
    return "; ".join([*load, runs, told])


def _errors(values: list[Estimate]) -> np.ndarray:
    """Below and above each mean, as error bars want it; nan, so none, without an interval."""
    distances = [(value.mean - value.low, value.high - value.mean) for value in values]
    return np.array(distances).reshape(-1, 2).T


def _bars(axes: Axes, table: dict[str, list[Estimate | None]]) -> None:
    """A bar a design, its number above."""
    axes.set_xticks(range(len(table)), table)
    for place, (design, (value,)) in enumerate(table.items()):
        if value is not None:
            _bar(axes, [place], 0.65, design, [value])
            up = value.mean >= 0
            tip = np.nan_to_num(value.high if up else value.low, nan=value.mean)
            axes.annotate(
                f"{value.mean:,.0f}" if abs(value.mean) >= 1000 else f"{value.mean:.2f}",
                (place, tip),
                xytext=(0, 2 if up else -2),
                textcoords="offset points",
                ha="center",
                va="bottom" if up else "top",
                fontsize=FONT_SIZE - 1,
            )
    axes.margins(y=0.12)


def _grouped_bars(axes: Axes, table: dict[str, list[Estimate | None]]) -> None:
    """A group of bars a case, in it one a design."""
    width = 0.84 / len(table)
    for rank, (design, row) in enumerate(table.items()):
        shift = (rank - (len(table) - 1) / 2) * width
        there = [(place + shift, value) for place, value in enumerate(row) if value is not None]
        if there:
            _bar(axes, [place for place, _ in there], width, design, [v for _, v in there])
    axes.set_xlim(-0.5, len(next(iter(table.values()))) - 0.5)


def _bar(
    axes: Axes, places: list[float], width: float, design: str, values: list[Estimate]
) -> None:
    axes.bar(
        places,
        [value.mean for value in values],
        width,
        yerr=_errors(values),
        color=COLORS[design],
        label=design,
        error_kw={"elinewidth": 0.6, "capsize": 1, "capthick": 0.6, "ecolor": "#555555"},
    )


def _lines(axes: Axes, table: dict[str, list[Estimate | None]]) -> None:
    """A line a design through its cases."""
    for (design, row), mark in zip(table.items(), _MARKS, strict=False):
        there = [(place, value) for place, value in enumerate(row) if value is not None]
        axes.errorbar(
            [place for place, _ in there],
            [value.mean for _, value in there],
            _errors([value for _, value in there]),
            color=COLORS[design],
            label=design,
            marker=mark,
            markersize=3,
            linewidth=1,
            capsize=2,
        )
    axes.set_xlim(-0.3, len(next(iter(table.values()))) - 0.7)


def _scale(axes: Axes, figure: ThesisFigure, shown: list[Estimate]) -> None:
    """The vertical axis: logarithmic where the values differ by orders of magnitude."""
    means = [value.mean for value in shown]
    if figure.measure == _RESPONSE:
        logarithmic = bool(means) and max(means) >= _APART * min(means)
        axes.set_ylabel("Mean response time (s" + (", log scale)" if logarithmic else ")"))
        if logarithmic:
            axes.set_yscale("log")
            axes.set_ylim(10 ** np.floor(np.log10(min(means))))
        elif len(figure.cases) > 1:
            axes.set_ylim(bottom=0)
        if not logarithmic:
            axes.yaxis.set_major_formatter("{x:,.0f}")
        return
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set_ylabel("Optimization ratio (%)")
    if means and min(means) < -_LINEAR_PCT:
        axes.set_yscale("symlog", linthresh=_LINEAR_PCT, linscale=2)
        axes.set_ylabel(f"Optimization ratio (%)\nlog scale below −{_LINEAR_PCT}")
        powers = range(3, int(np.log10(-min(means))) + 1)
        axes.set_yticks([*(-(10.0**power) for power in powers), -100, -50, 0, 50, 100])
        axes.yaxis.set_minor_locator(NullLocator())
        axes.set_ylim(1.6 * min(means), 100)
        axes.yaxis.set_major_formatter("{x:,.0f}")
