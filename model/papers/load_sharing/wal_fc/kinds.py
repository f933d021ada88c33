"""Claims of WAL-FC's own: which buffer is the best for each seed, and how hit rates rise."""

from collections.abc import Iterator

import pandas as pd

from model.papers.cases import Case
from model.papers.claims import Entry, Evaluator
from model.papers.measurements import Measurements, mean_of
from model.papers.verdicts import Claim, claim


def best_of_seeds(measured: Measurements, cases: tuple[Case, ...], policy: str) -> pd.Series:
    """The buffer with the least slowdown, MB, by seed that all cases have."""
    columns = {case.parameters["buffer_mb"]: measured.values(case, policy) for case in cases}
    return pd.DataFrame(columns, dtype=float).dropna().idxmin(axis=1).astype(float)


def best_buffer(evaluator: Evaluator, entry: Entry) -> Iterator[Claim]:
    """The mean over seeds of the best of the buffers."""
    policy = str(entry.design)
    found = mean_of(best_of_seeds(evaluator.measured, entry.cases, policy))
    yield claim("best buffer of each seed, MB", [(policy, found)], entry.low, entry.high)


def off_the_best(evaluator: Evaluator, entry: Entry) -> Iterator[Claim]:
    """How far from the best fixed buffer of its seed (of `to`) a controlled one ends."""
    policy, start = str(entry.design), entry.cases[0].unvaried
    ends_mb = evaluator.measured.values(start, policy, "final_buffer_mb")
    best_mb = best_of_seeds(evaluator.measured, entry.cases, str(entry.to))
    parts = [(policy, mean_of((ends_mb - best_mb).abs()))]
    yield claim("off the best buffer of each seed, MB", parts, entry.low, entry.high)


def rise(evaluator: Evaluator, entry: Entry) -> Iterator[Claim]:
    """What one more MB adds to the hit rate in one range of buffers, over that in another."""
    (case,), policy = entry.cases, str(entry.design)

    def slope(ends_mb: list[float]) -> pd.Series:
        low, high = (
            evaluator.measured.values(case.but(buffer_mb=mb), policy, "hit_rate") for mb in ends_mb
        )
        return (high - low) / (ends_mb[1] - ends_mb[0])

    upper, lower = entry.given["upper_mb"], entry.given["lower_mb"]
    parts = [(policy, mean_of(slope(upper) / slope(lower)))]
    yield claim(f"rise in {upper} MB over that in {lower} MB", parts, entry.low, entry.high)


KINDS = {"best buffer": best_buffer, "off the best buffer": off_the_best, "rise": rise}
