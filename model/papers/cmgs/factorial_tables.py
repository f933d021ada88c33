"""The factorial analysis of CMGS's experiment: policy, platform and load, on each response."""

from collections.abc import Mapping
from itertools import product

import pandas as pd

from model.papers.cmgs.factorial import Analysis, analyse
from model.papers.cmgs.figures import LOADS, PLATFORMS, RESPONSES, STYLES, case
from model.papers.measurements import Measurements
from model.papers.tables import table
from model.papers.text import Named

FACTORS = ("policy", "platform", "load")
_HEADINGS = ("Effect of", "Size", "95 % interval", "Sum of squares", "% of variation")
Signs = tuple[int, ...]  # -1 or 1 for each factor
LEVELS = (tuple(STYLES), PLATFORMS, LOADS)  # low and high, by factor


def analysis_of(measured: Measurements, response: str) -> Analysis | None:
    """The analysis over the seeds that every cell has; None if there are fewer than two."""
    cells, seeds = _cells(measured, response)
    return _analysis(cells, seeds) if len(seeds) > 1 else None


def _cells(measured: Measurements, response: str) -> tuple[dict[Signs, pd.Series], list[int]]:
    """The response in each cell by seed, and the seeds that every cell has."""
    cells = {
        signs: measured.values(case(platform, load), policy, response)
        for signs, (policy, platform, load) in zip(
            product((-1, 1), repeat=3), product(*LEVELS), strict=True
        )
    }
    seeds = sorted(set.intersection(*(set(values.index) for values in cells.values())))
    return cells, seeds


def _analysis(cells: dict[Signs, pd.Series], seeds: list[int]) -> Analysis:
    return analyse(FACTORS, {signs: list(values[seeds]) for signs, values in cells.items()})


def _without_one(measured: Measurements, response: str) -> str:
    """What the factors explain without the seed that errs the most."""
    cells, seeds = _cells(measured, response)
    if len(seeds) < 3:
        return ""
    others = {one: _analysis(cells, [seed for seed in seeds if seed != one]) for one in seeds}
    seed = min(others, key=lambda one: others[one].error)
    shares = ", ".join(f"{factor} {100 * others[seed].share(factor):.1f} %" for factor in FACTORS)
    return f"Without seed {seed}, which errs the most: {shares}."


def _responses(measured: Measurements) -> list[dict[str, object]]:
    """Effects, intervals, sums of squares and shares of variation of each response, if it has runs.

    The mean, the table, and what holds without the seed that errs the most.
    """
    found: list[dict[str, object]] = []
    for response, title in RESPONSES.items():
        analysis = analysis_of(measured, response)
        if analysis is None:
            found.append({"title": title, "table": ""})
            continue
        rows = [
            (
                *(one.name, f"{one.size:,.3f}", f"{one.low:,.3f} to {one.high:,.3f}"),
                *(f"{one.sum_of_squares:,.4g}", f"{100 * one.share:.2f}"),
            )
            for one in analysis.effects
        ]
        error = f"{analysis.error:,.4g}", f"{100 * analysis.error_share:.2f}"
        effects = table(_HEADINGS, [*rows, ("error", "", "", *error)])
        without = _without_one(measured, response)
        found.append({"title": title, "mean": analysis.mean, "table": effects, "without": without})
    return found


NAMED: Mapping[str, Named] = {"responses": _responses}
