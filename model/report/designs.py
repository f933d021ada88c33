"""Figures of a comparison of designs, in the style of the thesis (figures 4.2 to 4.5)."""

from collections.abc import Sequence
from pathlib import Path

from matplotlib.figure import Figure

from model.core.measures import Summary, is_beyond
from model.core.result import RunResult
from model.pnr.measures import MEASURES, PAGING, TIME
from model.report.figures import bars, color_of_part, save, stacked_bars

# The parts of response time, from the bottom of a bar up, by their names in a summary's breakdown.
_PARTS = (
    *("computing_s", "disk_faults_s", "network_faults_s", "barriers_s", "grant_s"),
    *("moving_s", "switched_out_s", "waiting_s", "lost_s"),
)
_HEADINGS = {measure.name: measure.heading for measure in MEASURES if measure.topic == TIME}


def heading_of(part: str) -> str:
    """What people call a part of response time."""
    return _HEADINGS[f"breakdown.{part}"]


def parts_in(summaries: Sequence[Summary]) -> list[str]:
    """The parts that these runs have: few designs move processes, and few nodes crash."""
    return [part for part in _PARTS if any(part in summary["breakdown"] for summary in summaries)]


def draw(results: list[RunResult], folder: Path) -> list[Path]:
    """Draw response time and, if DP is among the designs, optimization ratio, as PNG files."""
    ratio = optimization(results)
    return save({"response_time": response_time(results), "optimization_ratio": ratio}, folder)


def response_time(results: list[RunResult]) -> Figure | None:
    """The mean response time of each design; None if there are no jobs to compare."""
    results = _that_ended(results)
    if not results:
        return None
    heights_s = [result.summary["mean_response_s"] for result in results]
    return bars(_designs(results), heights_s, "Mean response time (s)", "{:,.0f}")


def optimization(results: list[RunResult]) -> Figure | None:
    """The optimization ratio of each design except DP; None without DP, or without others.

    Without a job that ended under all designs there is none.
    """
    compared = [
        result
        for result in results
        if result.summary["design"] != PAGING
        and result.summary["optimization_ratio_pct"] is not None
    ]
    if not compared:
        return None
    ratios_pct = [result.summary["optimization_ratio_pct"] for result in compared]
    return bars(_designs(compared), ratios_pct, "Optimization ratio (%)", "{:.2f}")


def breakdown(results: list[RunResult]) -> Figure | None:
    """The parts of each design's mean response time; None if there are no jobs to compare."""
    results = _that_ended(results)
    if not results:
        return None
    parts = [result.summary["breakdown"] for result in results]
    stacks = {
        heading_of(name): ([part.get(name, 0.0) for part in parts], color_of_part(name))
        for name in parts_in([result.summary for result in results])
    }
    return stacked_bars(_designs(results), stacks, "Mean response time (s)")


def page_faults(results: list[RunResult]) -> Figure | None:
    """Each design's page faults, by disks and over the network; None if all runs were given up."""
    results = [result for result in results if not is_beyond(result.summary)]
    if not results:
        return None
    stacks = {
        heading_of(f"{way}_faults_s"): (
            [result.summary[f"faults_{way}"] for result in results],
            color_of_part(f"{way}_faults_s"),
        )
        for way in ("disk", "network")
    }
    return stacked_bars(_designs(results), stacks, "Page faults")


def _that_ended(results: list[RunResult]) -> list[RunResult]:
    """The runs with jobs to compare."""
    return [result for result in results if result.summary["mean_response_s"] is not None]


def _designs(results: list[RunResult]) -> list[str]:
    return [result.summary["design"] for result in results]
