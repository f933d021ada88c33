"""Figures of a comparison of policies: bars by policy."""

from collections.abc import Sequence
from pathlib import Path

from matplotlib.figure import Figure

from model.core.result import RunResult
from model.report.figures import bars, color_of_part, save, stacked_bars

_PARTS = {  # of response time, by their names in a summary's breakdown
    "cpu_s": "CPU",
    "queueing_s": "Waiting for the CPU, context switches",
    "paging_s": "Paging",
    "io_s": "I/O",
    "migration_s": "Migration, remote submission",
}


def draw(results: Sequence[RunResult], folder: Path) -> list[Path]:
    """Draw the slowdown and the parts of response time by policy, as PNG files."""
    return save({"slowdown": slowdown(results), "breakdown": breakdown(results)}, folder)


def slowdown(results: Sequence[RunResult]) -> Figure:
    """The ratio of all response times to all CPU times, by policy."""
    heights = {result.summary["policy"]: result.summary["slowdown_of_sums"] for result in results}
    return bars(heights, "Slowdown (ratio of sums)", "{:.1f}", "Policy")


def breakdown(results: Sequence[RunResult]) -> Figure:
    """The parts of each policy's mean response time."""
    parts = [result.summary["breakdown"] for result in results]
    stacks = {
        title: ([part[name] for part in parts], color_of_part(name))
        for name, title in _PARTS.items()
    }
    policies = [result.summary["policy"] for result in results]
    return stacked_bars(policies, stacks, "Mean response time (s)", "Policy")
