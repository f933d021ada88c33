"""Figures of a comparison of designs, in the thesis's manner (figures 4.2 to 4.5)."""

from pathlib import Path

from matplotlib.figure import Figure

from model.core.result import RunResult
from model.report.figures import bars, stacked_bars

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


def draw(results: list[RunResult], folder: Path) -> list[Path]:
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
