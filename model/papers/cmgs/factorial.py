"""A full 2^k factorial design with r replications (Jain, 1991, chapters 17 and 18).

Each of k factors is at its low (-1) or high (+1) level, and each of the 2^k cells is measured r
times. With a sign for each factor in each cell, the effect of some factors together is the mean of
the cells' means times these signs. The sum of squares of an effect q is 2^k r q^2; the rest of the
variation is due to errors. The intervals assume independent errors: if cells share their seeds,
differences between them are surer than the intervals say.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import prod, sqrt
from statistics import fmean
from typing import NamedTuple

from model.sweeps.statistics import student_t

Cell = tuple[int, ...]  # each factor's level, -1 or 1


class Effect(NamedTuple):
    """The effect of some factors together: half of the change from low to high, with interval."""

    factors: tuple[str, ...]
    size: float
    low: float
    high: float
    sum_of_squares: float
    share: float  # of the variation

    @property
    def name(self) -> str:
        """The factors, joined by x."""
        return " x ".join(self.factors)


class Analysis(NamedTuple):
    """What a factorial design has shown about one response."""

    mean: float
    effects: tuple[Effect, ...]  # of one factor, of two, …
    variation: float  # SST
    error: float  # SSE
    error_share: float

    def share(self, *factors: str) -> float:
        """The share of the variation that these factors together explain, without their parts."""
        return next(effect.share for effect in self.effects if effect.factors == factors)


def analyse(factors: Sequence[str], responses: Mapping[Cell, Sequence[float]]) -> Analysis:
    """The effects of the factors on a response that was measured equally often in every cell.

    Raises ValueError if a cell is missing, if the cells' numbers of values differ, or if they are
    less than 2.
    """
    cells, replications = 2 ** len(factors), {len(values) for values in responses.values()}
    if len(responses) != cells or len(replications) != 1 or min(replications) < 2:
        raise ValueError(f"give {cells} cells, each with as many values, 2 or more")
    (times,) = replications
    means = {cell: fmean(values) for cell, values in responses.items()}
    mean = fmean(means.values())
    error = sum((y - means[cell]) ** 2 for cell, values in responses.items() for y in values)
    variation = sum((y - mean) ** 2 for values in responses.values() for y in values)
    freedom = cells * (times - 1)
    spread = sqrt(error / freedom / (cells * times))
    half = student_t(freedom) * spread
    effects = []
    for many in range(1, len(factors) + 1):
        for chosen in combinations(range(len(factors)), many):
            size = fmean(prod(cell[i] for i in chosen) * y for cell, y in means.items())
            squares = cells * times * size**2
            names = tuple(factors[i] for i in chosen)
            share = squares / variation if variation else 0.0
            effects.append(Effect(names, size, size - half, size + half, squares, share))
    return Analysis(mean, tuple(effects), variation, error, error / variation if variation else 0.0)
