"""Figures of a comparison, in the thesis's manner (figures 4.2 to 4.5): bars by design."""

from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from model.pnr.metrics import RunResult

# Okabe and Ito's palette, readable for the color-blind; one color a design, everywhere.
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
_LEGEND_IN = 0.15  # a line of a legend


# Where response time goes, by the names of a summary's breakdown.
PARTS = {
    "computing_s": ("Computing", "#999999"),
    "disk_faults_s": ("Disk faults", "#000000"),
    "network_faults_s": ("Network faults", "#56B4E9"),
    "barriers_s": ("At barriers, or done before others", "#E69F00"),
    "grant_s": ("Waiting for a grant", "#D55E00"),
    "switched_out_s": ("Switched out", "#CC79A7"),
    "waiting_s": ("Waiting in the queue", "#F0E442"),
}


def draw_comparison(results: list[RunResult], folder: Path) -> list[Path]:
    """Response time by design, and the optimization ratio if DP is among them; as PNG files."""
    figures = {"response_time": response_time(results), "optimization_ratio": optimization(results)}
    drawn = []
    for name, figure in figures.items():
        if figure is not None:
            figure.savefig(folder / f"{name}.png", dpi=200)
            drawn.append(folder / f"{name}.png")
    return drawn


def response_time(results: list[RunResult]) -> Figure:
    """Mean response time by design."""
    heights_s = [result.summary["mean_response_s"] for result in results]
    return bars(_designs(results), heights_s, "Mean response time (s)", "{:,.0f}")


def optimization(results: list[RunResult]) -> Figure | None:
    """The optimization ratio of each design but DP; None if that or all others are missing."""
    compared = [result for result in results if result.summary["design"] != "DP"]
    if not compared or len(compared) == len(results):
        return None
    ratios_pct = [result.summary["optimization_ratio_pct"] for result in compared]
    return bars(_designs(compared), ratios_pct, "Optimization ratio (%)", "{:.2f}")


def breakdown(results: list[RunResult]) -> Figure:
    """Where the mean response time goes, by design."""
    parts = [result.summary["breakdown"] for result in results]
    stacks = {
        label: ([part[name] for part in parts], color) for name, (label, color) in PARTS.items()
    }
    return stacked_bars(_designs(results), stacks, "Mean response time (s)")


def page_faults(results: list[RunResult]) -> Figure:
    """Page faults served by the local disks and over the network, by design."""
    stacks = {
        PARTS[f"{way}_faults_s"][0]: (
            [result.summary[f"faults_{way}"] for result in results],
            PARTS[f"{way}_faults_s"][1],
        )
        for way in ("disk", "network")
    }
    return stacked_bars(_designs(results), stacks, "Page faults")


def _designs(results: list[RunResult]) -> list[str]:
    return [result.summary["design"] for result in results]


def bars(
    designs: list[str], heights: list[float], label: str, number: str, what: str = "Design"
) -> Figure:
    """A bar a design (or of `what` there is), with its number above."""
    figure, axes = _axes(designs, label, what=what)
    colors = [COLORS.get(Path(design).name, _OTHERS) for design in designs]
    drawn = axes.bar(range(len(designs)), heights, width=0.65, color=colors)
    axes.bar_label(
        drawn, labels=[number.format(height) for height in heights], fontsize=7, padding=2
    )
    axes.axhline(0, color="black", linewidth=0.8)
    axes.margins(y=0.15)
    return figure


def stacked_bars(
    designs: list[str],
    stacks: dict[str, tuple[list[float], str]],
    label: str,
    what: str = "Design",
) -> Figure:
    """A bar a design; `stacks` says the heights by design and the color of each layer."""
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
) -> tuple[Figure, Axes]:
    """Axes with a place for each design, and room for something above."""
    size_in = (max(3.4, 0.62 * len(designs) + 0.9), 2.6 + above_in)
    figure = Figure(figsize=size_in, layout="constrained")
    axes = figure.subplots()
    names = [Path(design).name for design in designs]
    axes.set_xticks(range(len(designs)), names, parse_math=False)
    axes.set_ylabel(label)
    axes.set_xlabel(what)
    axes.spines[["top", "right"]].set_visible(False)
    if max(map(len, names)) > 6:
        axes.tick_params(axis="x", labelrotation=30)
    return figure, axes
