"""Comparisons over windows of the trace: what holds for exactly these jobs, and for jobs like them.

Two designs are compared in each window, or one design with itself under other parameters. The mean
over the windows has two intervals: over seeds (for exactly these jobs), and over windows (for jobs
like them).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import copysign, exp, inf, isnan, log, nan
from statistics import fmean
from typing import Any

from model.papers.cases import Case
from model.papers.figures import Panel
from model.papers.findings import Claim, claim, claiming
from model.papers.measurements import (
    Compared,
    Measurements,
    NotRun,
    geometric_mean,
    transformed,
)
from model.papers.tables import Column
from model.sweeps.statistics import Estimate

#: What is compared in a window: a case and a design.
Side = Callable[[Case], Compared]


def side(design: str, **varied: object) -> Side:
    """A design, with other values of these parameters than the window's case has."""
    return lambda window: (window.but(**varied), design)


def windows_of(part: Mapping[str, Any], **others: object) -> tuple[Case, ...]:
    """The windows that a part of a sweep declares, as cases, with these parameters besides."""
    return tuple(
        Case(f"records {first:,} on", {"first": first, "jobs": jobs, **others})
        for first, jobs in part["window"]
    )


def over_windows(
    measured: Measurements,
    windows: Sequence[Case],
    own: Side,
    than: Side,
    measure: str | None = None,
) -> dict[str, Estimate | None]:
    """The geometric mean over windows and seeds of a measure in multiples of another side's.

    It is told over seeds and over windows; None without runs in each window, without a seed that
    all windows have, or if the measure of either side is not positive in one of them.
    """
    by_window = [_ratios(measured, own(window), than(window), measure) for window in windows]
    if not all(one and all(0 < ratio < inf for ratio in one.values()) for one in by_window):
        return {"by seeds": None, "by windows": None}
    logs = [{seed: log(ratio) for seed, ratio in one.items()} for one in by_window]
    seeds = [seed for seed in logs[0] if all(seed in one for one in logs)]
    if not seeds:
        return {"by seeds": None, "by windows": None}
    by_seed = [exp(fmean(one[seed] for one in logs)) for seed in seeds]
    means = [exp(fmean(one.values())) for one in logs]
    return {"by seeds": geometric_mean(by_seed), "by windows": geometric_mean(means)}


def _ratios(
    measured: Measurements, own: Compared, than: Compared, measure: str | None
) -> dict[int, float]:
    """A measure in multiples of another's, by the seeds for which that is a number.

    It is infinite in multiples of nothing.
    """
    above, below = measured.by_seed(*own, measure), measured.by_seed(*than, measure)
    ratios = {
        seed: value / below[seed] if below[seed] else copysign(inf, value) if value else nan
        for seed, value in above.items()
        if seed in below
    }
    return {seed: ratio for seed, ratio in ratios.items() if not isnan(ratio)}


def panel_of(
    windows: Iterable[Case],
    heading: str = "",
    tick: str = "{first:,}\n{ram} %",
    axis: str = "First record of the window, and RAM",
) -> Panel:
    """A panel with a window at each tick of the axis, called by its parameters."""
    cases = tuple(windows)
    return Panel(cases, tuple(tick.format(**case.parameters) for case in cases), axis, heading)


def multiples(measure: str | None = None, over: str = "by windows") -> Column:
    """A column of a mean over windows of a side in multiples of another; its rows are of these."""
    return lambda measured, windows, own, than: over_windows(measured, windows, own, than, measure)[
        over
    ]


def to_the_thousandth(column: Column) -> Column:
    """The same column with three digits."""

    def cell(measured: Measurements, *of: object) -> str:
        found = column(measured, *of)
        if not isinstance(found, Estimate):
            raise NotRun
        return f"{found.mean:.3f} ({found.low:.3f} to {found.high:.3f})"

    return cell


@claiming
def everywhere(
    measured: Measurements,
    words: str,
    windows: Sequence[Case],
    own: Side,
    than: Side,
    low: float,
    high: float,
    measure: str | None = None,
    others: Mapping[str, Case] | None = None,
) -> Iterator[Claim]:
    """A measure in multiples of another side's is between low and high, wherever it was run.

    That is in the mean of all windows, in each of them, and in the other cases, by name. `words`
    name what is compared, as "CLI in multiples of MAN".
    """
    found = over_windows(measured, windows, own, than, measure)
    yield claim(f"mean of the windows: {words}, {{}}", [*found.items()], low, high)
    cases = {**{str(window): window for window in windows}, **(others or {})}
    each = [
        (name, measured.ratio(own(case), than(case), measure=measure))
        for name, case in cases.items()
    ]
    yield claim(f"{words}, {{}}", each, low, high)


@claiming
def in_the_mean(
    measured: Measurements,
    words: str,
    windows: Sequence[Case],
    own: Side,
    than: Side,
    low: float,
    high: float,
    measure: str | None = None,
) -> Iterator[Claim]:
    """A measure in multiples of another side's is between low and high in the mean of the windows.

    They are a sample of the log's, so the interval is over windows alone. `words` are as in
    `everywhere`.
    """
    found = over_windows(measured, windows, own, than, measure)["by windows"]
    yield claim(f"{words}, {{}}", [("by windows", found)], low, high)


def shorter_pct(ratio: float) -> float:
    """By how many percent something is shorter than what takes so many times as long."""
    return 100 * (1 - 1 / ratio)


def mean_shorter_pct(ratios: Sequence[float]) -> Estimate | None:
    """The same for the mean of the ratios of windows; None without any."""
    return transformed(geometric_mean(ratios), shorter_pct) if ratios else None


def counted(margin: float) -> Column:
    """A column of how many windows have a ratio above the margin, and below its inverse.

    Its rows are of windows and two sides, as those of `multiples`.
    """

    def cell(measured: Measurements, windows: Sequence[Case], own: Side, than: Side) -> str:
        found = each_window(measured, windows, own, than)
        if not found:
            raise NotRun
        above = sum(ratio > margin for ratio in found)
        return f"{above} / {sum(ratio < 1 / margin for ratio in found)} of {len(found)}"

    return cell


def each_window(
    measured: Measurements, windows: Sequence[Case], own: Side, than: Side
) -> list[float]:
    """The ratio of each window that has one, in their order."""
    found = (measured.ratio(own(window), than(window)) for window in windows)
    return [ratio.mean for ratio in found if ratio is not None]
