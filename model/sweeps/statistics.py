"""Means of replications with their 95 % confidence intervals, and designs compared in pairs.

A replication is a run under the same conditions with other random draws (another seed) or on other
jobs (another, disjoint window of the trace). Seeds say how sure a mean is for exactly these jobs;
windows say how sure it is for jobs like them. Designs share jobs and draws (common random numbers),
so they are compared by the differences within each replication: what is hard for one is hard for
all, and drops out.

Intervals are Student's, mean ± t(n - 1) · s / √n, each for a single comparison: of twenty designs
as good as DP, one will seem to be better or worse.
"""

from collections.abc import Hashable, Iterator, Sequence
from functools import cache, lru_cache
from math import ceil, fsum, inf, nan, sqrt
from statistics import fmean, stdev
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.special import ndtri, stdtrit

from model.ground.errors import InputError
from model.pnr.measures import PAGING
from model.systems import parameter_names

CONFIDENCE = 0.95
Values = Sequence[float] | np.ndarray


class Estimate(NamedTuple):
    """A mean of n values with its confidence interval; low and high are nan if n = 1."""

    mean: float
    low: float
    high: float
    n: int

    @property
    def half_width(self) -> float:
        """Half the width of the interval, which is mean ± this."""
        return (self.high - self.low) / 2

    @property
    def half_width_of_one(self) -> float:
        """The half width for a single one of the values, from their s: t(n - 1) · s."""
        return self.half_width * sqrt(self.n)

    @property
    def excludes_zero(self) -> bool:
        """Whether the sign of the mean is sure, which it never is for one value."""
        return self.low > 0 or self.high < 0


_NOTHING = Estimate(nan, nan, nan, 0)


def around(mean: float, half_width: float, n: int) -> Estimate:
    return Estimate(mean, mean - half_width, mean + half_width, n)


def estimate(values: Sequence[float]) -> Estimate:
    """The mean with its confidence interval; all nan if there are no values.

    With a value of a run that was given up, all is infinite.
    """
    return _estimate(tuple(values))


@lru_cache(2**14)  # a page asks for the same numbers again and again, and stdev adds fractions
def _estimate(values: tuple[float, ...]) -> Estimate:
    n = len(values)
    if n == 0:
        return _NOTHING
    if inf in values:
        return Estimate(inf, inf, inf, n)
    mean = fmean(values)
    half = student_t(n - 1) * stdev(values, mean) / sqrt(n) if n > 1 else nan
    return around(mean, half, n)


def reduction_pct(paging: Values, design: Values) -> Estimate:
    """By how many percent of DP's mean a design's mean is below it, from values in pairs.

    It is the mean of the paired differences DP - design over DP's mean, which is the thesis's
    optimization ratio r of the means (3.1.5) and, unlike a mean of ratios, not dominated by
    replications with short waits. The interval is that of a ratio of means (Cochran, Sampling
    Techniques, 1977, section 6.4), from the pairs' residuals DP - design - r · DP. So it leaves out
    variation that DP and the design share in proportion; if they do not differ, it is that of the
    paired differences. Everything is nan if DP's mean is zero, or if runs of both were given up; if
    runs of the design were, it is infinitely far above, if those of DP, below.
    """
    given_up = inf in paging, inf in design
    if any(given_up):
        pct = nan if all(given_up) else -inf if given_up[1] else inf
        return Estimate(pct, pct, pct, len(design))
    differences = [a - b for a, b in zip(paging, design, strict=True)]
    n, total = len(differences), fsum(paging)
    if not total:
        return Estimate(nan, nan, nan, n)
    ratio = fsum(differences) / total
    residuals = [a - ratio * b for a, b in zip(differences, paging, strict=True)]
    pct, half = 100 * ratio, 100 * estimate(residuals).half_width * n / total
    return around(pct, half, n)


def replications_needed(pilot: Estimate, half_width: float) -> int:
    """How many replications make the interval ± `half_width` or less, judged by the pilot's s.

    This is the least n with t(n - 1) · s / √n ≤ half_width. Raises InputError if the pilot is a
    single value.
    """
    if pilot.n < 2:
        raise InputError("one replication cannot tell how many are needed; run at least two")
    deviation = pilot.half_width_of_one / student_t(pilot.n - 1)
    root: float = ndtri((1 + CONFIDENCE) / 2) * deviation / half_width  # t is above it
    n = max(2, ceil(root**2))
    while student_t(n - 1) * deviation / sqrt(n) > half_width:
        n += 1
    return n


def estimates(
    results: pd.DataFrame, measures: Sequence[str], replicated: Sequence[str] = ("seed",)
) -> pd.DataFrame:
    """One row for each design under the same conditions, from one row per run (`load_results`).

    Conditions are all parameters except what is `replicated`: "seed", or "first" for windows of the
    trace. Columns are `design` and these parameters; `n`, the replications, and `n_vs_dp`, those
    that DP has too; for each measure m its mean `m` with `m_low` and `m_high`, and the reduction
    against DP `m_vs_dp_pct` with `m_vs_dp_pct_low` and `m_vs_dp_pct_high` (`reduction_pct`; nan
    without DP). Intervals are nan for one replication. If under some conditions jobs never ended,
    `ended` is how many did of how many, over all replications, and for measures over jobs
    `over_all_ended.m` is the mean over all that ended, which are different jobs. Raises InputError
    for runs that are not replications: their windows overlap, or they differ in what is not a
    column (listed jobs).
    """
    rows = []
    for conditions, runs in groups(results, replicated):
        ran = {design: set(own) for design, own in runs.groupby("design").conditions}
        values = {measure: by_design(runs, measure) for measure in measures}
        lacking = "jobs_ended" in runs and runs.jobs_ended.notna().any()
        for design in ran:
            common = ran[design] & ran.get(PAGING, set())
            row = {**conditions, "design": design, "n": len(ran[design]), "n_vs_dp": len(common)}
            for measure in measures:
                own, paging = values[measure][design], values[measure].get(PAGING)
                row |= _columns(measure, estimate(own[~np.isnan(own)]))
                against = _NOTHING if paging is None else reduction_pct(*paired(paging, own))
                row |= _columns(f"{measure}_vs_dp_pct", against)
            if lacking:
                row |= _of_all_ended(runs[runs.design == design], measures)
            rows.append(row)
    return pd.DataFrame(rows)


def groups(
    results: pd.DataFrame, replicated: Sequence[str]
) -> Iterator[tuple[dict[str, Hashable], pd.DataFrame]]:
    """The conditions, and the runs of all designs under them; checks the replications."""
    names = [
        name for name in parameter_names() if name in results.columns and name not in replicated
    ]
    varying = [name for name in names if results[name].nunique(dropna=False) > 1]
    grouped = results.groupby(varying, dropna=False) if varying else [((), results)]
    for _, runs in grouped:
        _check(runs, replicated)
        yield runs[names].iloc[0].to_dict(), runs


def by_design(runs: pd.DataFrame, measure: str) -> dict[str, np.ndarray]:
    """A measure of runs under the same conditions, by design, with replications in equal order.

    It is nan if a design has no run of a replication, or if the run lacks the measure.
    """
    table = runs.pivot(index="conditions", columns="design", values=measure)
    return {design: table[design].to_numpy(float) for design in table}


def paired(one: np.ndarray, other: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The values of the replications that both have."""
    both = ~(np.isnan(one) | np.isnan(other))
    return one[both], other[both]


class Rank(NamedTuple):
    """A design's rank: its mean, and by how many percent of it the lowest mean is below it."""

    design: str
    mean: float
    behind_pct: Estimate


def ranked(values: dict[str, np.ndarray]) -> list[Rank]:
    """The designs from the lowest mean up, over the replications that all of them have.

    The first one leads, alone if the interval of every other's `behind_pct` excludes zero. Designs
    without any value are left out.
    """
    known = {name: own for name, own in values.items() if not np.isnan(own).all()}
    if not known:
        return []
    common = ~np.any([np.isnan(own) for own in known.values()], axis=0)
    if not common.any():
        return []
    means = {name: float(own[common].mean()) for name, own in known.items()}
    order = sorted(means, key=lambda name: means[name])
    least = known[order[0]][common]
    return [Rank(d, means[d], reduction_pct(known[d][common], least)) for d in order]


def leaders(ranks: list[Rank]) -> list[str]:
    """The lowest design, and those that its replications cannot tell from it."""
    return [rank.design for rank in ranks if not rank.behind_pct.excludes_zero]


def _columns(name: str, found: Estimate) -> dict[str, float]:
    return {name: found.mean, f"{name}_low": found.low, f"{name}_high": found.high}


def _of_all_ended(runs: pd.DataFrame, measures: Sequence[str]) -> dict[str, object]:
    """How many jobs of a design's replications ended, and means over all of them.

    Where every job ended, the means are those that are compared.
    """
    ended = runs.jobs_ended.fillna(runs.jobs).sum()
    row: dict[str, Any] = {"ended": f"{ended:,.0f} of {runs.jobs.sum():,}"}
    for measure in measures:
        name = f"over_all_ended.{measure}"
        if name in runs:
            row[name] = runs[name].fillna(runs[measure]).mean()
    return row


def _check(runs: pd.DataFrame, replicated: Sequence[str]) -> None:
    """Raise InputError if these are not replications."""
    twice = runs[runs.duplicated(["design", *replicated])]
    if len(twice):
        run = twice.iloc[0]
        condition = ", ".join(f"{name} {run[name]}" for name in replicated)
        raise InputError(
            f"{run.design} ran more than once with {condition}: runs differ in what is no column "
            f"(listed jobs, a file); choose some, as with --where conditions={run.conditions}"
        )
    if "first" in replicated and runs["first"].notna().all():
        windows = runs.drop_duplicates("first").sort_values("first")
        ends = windows["first"] + windows.jobs
        for start, before, end in zip(windows["first"][1:], windows["first"], ends, strict=False):
            if start < end:
                raise InputError(
                    f"the windows of the trace from {before:.0f} and from {start:.0f} overlap, so "
                    "they are no replications; choose disjoint ones with --where first=..."
                )


@cache
def student_t(freedom: int) -> float:
    """How many standard errors the 95 % interval reaches to each side, by degrees of freedom."""
    return float(stdtrit(freedom, (1 + CONFIDENCE) / 2))
