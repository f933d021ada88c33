"""Bars by design or policy, and the colors of the designs."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from model.core.journal.words import SPENT
from model.views.style import PART_COLORS

if TYPE_CHECKING:  # who asks for colors alone does not wait for it
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's palette, readable for the color-blind; a design has the same color everywhere.
COLORS = {
    "DP": "#000000",
    "CLI": "#E69F00",
    "CEN": "#56B4E9",
    "MAN": "#009E73",
    "BB4": "#CC79A7",
    "BB8": "#D55E00",
    "BB16": "#0072B2",
    "BB32": "#F0E442",
}
_OTHERS = "#999999"
_LEGEND_IN = 0.15  # the height of a line of a legend
_LETTER_IN = 0.04  # by how much a letter makes a name on the slant higher


def color_of_part(name: str) -> str:
    """The color that a part of a job's time has on all pictures, by its name in a breakdown."""
    return PART_COLORS[SPENT[name.removesuffix("_s")]]


def save(figures: "Mapping[str, Figure | None]", folder: Path) -> list[Path]:
    """Write the figures that there are as PNG files of these names; returns the files."""
    files = {folder / f"{name}.png": figure for name, figure in figures.items() if figure}
    for file, figure in files.items():
        figure.savefig(file, dpi=200)
    return [*files]


def bars(heights: Mapping[str, float], label: str, number: str, what: str = "Design") -> "Figure":
    """One bar per design (or per `what`), with its number above."""
    figure, axes = _axes([*heights], label, what=what)
    colors = [COLORS.get(Path(design).name, _OTHERS) for design in heights]
    drawn = axes.bar(range(len(heights)), [*heights.values()], width=0.65, color=colors)
    axes.bar_label(drawn, fmt=number, fontsize=7, padding=2)
    axes.axhline(0, color="black", linewidth=0.8)
    axes.margins(y=0.15)
    return figure


def stacked_bars(
    designs: list[str],
    stacks: dict[str, tuple[list[float], str]],
    label: str,
    what: str = "Design",
) -> "Figure":
    """One stacked bar per design; `stacks` gives each layer's heights by design, and its color."""
    layers = {name: layer for name, layer in stacks.items() if any(layer[0])}
    figure, axes = _axes(designs, label, _LEGEND_IN * len(layers), what)
    below = np.zeros(len(designs))
    for name, (heights, color) in layers.items():
        axes.bar(range(len(designs)), heights, width=0.65, bottom=below, color=color, label=name)
        below += heights
    axes.yaxis.set_major_formatter("{x:,.0f}")
    if layers:
        figure.legend(loc="outside upper left", fontsize=7, frameon=False, reverse=True)
    return figure


def _axes(
    designs: list[str], label: str, above_in: float = 0, what: str = "Design"
) -> "tuple[Figure, Axes]":
    """Axes with a place for each design, and room for `above_in` inches above."""
    from matplotlib.figure import Figure

    names = [Path(design).name for design in designs]
    below_in = _LETTER_IN * max(0, *(len(name) - 6 for name in names))  # of names on the slant
    size_in = (max(3.4, 0.62 * len(designs) + 0.9), 2.6 + above_in + below_in)
    figure = Figure(size_in, layout="constrained")
    axes = figure.subplots()
    axes.set_xticks(range(len(designs)), names, parse_math=False)
    axes.set_ylabel(label)
    axes.set_xlabel(what)
    axes.spines[["top", "right"]].set_visible(False)
    if max(map(len, names)) > 6:
        axes.tick_params(axis="x", labelrotation=30)
    return figure, axes
