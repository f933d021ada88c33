"""The factorial analysis of CMGS's experiment: policy, platform and load, on each response."""

from itertools import product

from model.papers.cmgs.factorial import Analysis, analyse
from model.papers.cmgs.figures import LOADS, PLATFORMS, RESPONSES, STYLES, case
from model.papers.measurements import Measurements
from model.papers.page import table

FACTORS = ("policy", "platform", "load")
_HEADINGS = ("Effect of", "Size", "95 % interval", "Sum of squares", "% of variation")
LEVELS = (tuple(STYLES), PLATFORMS, LOADS)  # low and high, by factor


def analysis_of(measured: Measurements, response: str) -> Analysis | None:
    """The analysis over the seeds that every cell has; None if there are fewer than two."""
    cells = {
        signs: measured.values(case(platform, load), policy, response)
        for signs, (policy, platform, load) in zip(
            product((-1, 1), repeat=3), product(*LEVELS), strict=True
        )
    }
    seeds = sorted(set.intersection(*(set(values.index) for values in cells.values())))
    if len(seeds) < 2:
        return None
    return analyse(FACTORS, {signs: list(values[seeds]) for signs, values in cells.items()})


def tables(measured: Measurements) -> str:
    """Effects, intervals, sums of squares and shares of variation, in Markdown."""
    levels = "; ".join(
        f"{factor} {low}, {high}" for factor, (low, high) in zip(FACTORS, LEVELS, strict=True)
    )
    lines = [
        "## The factorial design",
        "",
        "There are 2³ cells with as many replications as seeds (Jain, 1991, chapter 18). Low and "
        f"high levels: {levels}. An effect is half of the change from low to high.",
        "",
    ]
    for response, title in RESPONSES.items():
        analysis = analysis_of(measured, response)
        if analysis is None:
            lines += [f"**{title}**: runs are missing.", ""]
            continue
        lines += [f"**{title}**, mean {analysis.mean:,.2f}", ""]
        rows = [
            (
                *(one.name, f"{one.size:,.3f}", f"{one.low:,.3f} to {one.high:,.3f}"),
                *(f"{one.sum_of_squares:,.4g}", f"{100 * one.share:.2f}"),
            )
            for one in analysis.effects
        ]
        error = f"{analysis.error:,.4g}", f"{100 * analysis.error_share:.2f}"
        lines += table(_HEADINGS, [*rows, ("error", "", "", *error)])
    return "\n".join(lines)
