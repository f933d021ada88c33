"""Figures of a comparison of designs, in the style of the thesis (figures 4.2 to 4.5)."""

from collections.abc import Mapping, Sequence
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
_FAULTS = {"faults_disk": "disk_faults_s", "faults_network": "network_faults_s"}
_HEADINGS = {measure.name: measure.heading for measure in MEASURES if measure.topic == TIME}


def heading_of(part: str) -> str:
    """What people call a part of response time."""
    return _HEADINGS[f"breakdown.{part}"]


def parts_in(summaries: Sequence[Summary]) -> list[str]:
    """The parts that these runs have: few designs move processes, and few nodes crash."""
    return [part for part in _PARTS if any(part in summary["breakdown"] for summary in summaries)]


def draw(results: Sequence[RunResult], folder: Path) -> list[Path]:
    """Draw response time and, if DP is among the designs, optimization ratio, as PNG files."""
    ratio = optimization(results)
    return save({"response_time": response_time(results), "optimization_ratio": ratio}, folder)


def response_time(results: Sequence[RunResult]) -> Figure | None:
    """The mean response time of each design; None if there are no jobs to compare."""
    heights_s = _of_each(results, "mean_response_s")
    return bars(heights_s, "Mean response time (s)", "{:,.0f}") if heights_s else None


def optimization(results: Sequence[RunResult]) -> Figure | None:
    """The optimization ratio of each design except DP; None without DP, or without others.

    Without a job that ended under all designs there is none.
    """
    ratios_pct = _of_each(results, "optimization_ratio_pct")
    ratios_pct.pop(PAGING, None)
    return bars(ratios_pct, "Optimization ratio (%)", "{:.2f}") if ratios_pct else None


def breakdown(results: Sequence[RunResult]) -> Figure | None:
    """The parts of each design's mean response time; None if there are no jobs to compare."""
    compared = [one.summary for one in results if one.summary["mean_response_s"] is not None]
    return _stacked(compared, {part: part for part in parts_in(compared)}, "Mean response time (s)")


def page_faults(results: Sequence[RunResult]) -> Figure | None:
    """Each design's page faults, by disks and over the network; None if all runs were given up."""
    ended = [one.summary for one in results if not is_beyond(one.summary)]
    return _stacked(ended, _FAULTS, "Page faults")


def _stacked(summaries: Sequence[Summary], parts: Mapping[str, str], label: str) -> Figure | None:
    """A bar for each run of these numbers of its summary or its breakdown, by parts of time."""
    stacks = {
        heading_of(part): (
            [(run | run["breakdown"]).get(name, 0.0) for run in summaries],
            color_of_part(part),
        )
        for name, part in parts.items()
    }
    return stacked_bars([run["design"] for run in summaries], stacks, label) if summaries else None


def _of_each(results: Sequence[RunResult], name: str) -> dict[str, float]:
    """A number of each design's summary, where there is one."""
    numbers = {result.summary["design"]: result.summary[name] for result in results}
    return {design: number for design, number in numbers.items() if number is not None}
