"""The bounded Pareto distribution of lifetimes and memory requests."""

from dataclasses import dataclass
from math import log

import numpy as np

from model.ground.errors import InputError


@dataclass(frozen=True, slots=True)
class BoundedPareto:
    """P(X > x) falls as x^-exponent from `least` on and is 0 at `cap`."""

    least: float
    exponent: float
    cap: float

    @classmethod
    def with_mean(cls, mean: float, exponent: float, cap: float) -> "BoundedPareto":
        """The distribution with this mean; raises InputError unless it is below the cap."""
        if mean >= cap:
            raise InputError(
                f"--mean-mb {mean:g}: the mean must be below the largest, --memory-cap-mb {cap:g}"
            )
        low, high = 0.0, mean  # the mean grows with the least
        while (middle := (low + high) / 2) not in (low, high):
            low, high = (middle, high) if cls(middle, exponent, cap).mean < mean else (low, middle)
        return cls(high, exponent, cap)

    @property
    def mean(self) -> float:
        least, exponent, cap = self.least, self.exponent, self.cap
        within: float = 1 - (least / cap) ** exponent
        tail: float = least * (1 - (least / cap) ** (exponent - 1))
        if exponent == 1:
            return least * log(cap / least) / within
        return exponent / (exponent - 1) * tail / within

    def quantiles(self, shares: np.ndarray) -> np.ndarray:
        """The values below which these shares (0 to 1) of the distribution lie."""
        within = 1 - (self.least / self.cap) ** self.exponent
        values: np.ndarray = self.least * (1 - shares * within) ** (-1 / self.exponent)
        return values

    def draw(self, random: np.random.Generator, count: int) -> np.ndarray:
        """`count` independent draws, by inversion."""
        return self.quantiles(random.random(count))

    def draw_stratified(self, random: np.random.Generator, count: int) -> np.ndarray:
        """The medians of `count` equally likely ranges, in random order."""
        return self.quantiles((random.permutation(count) + 0.5) / count)
