"""Verdicts on a pair of designs, from windows of a log that come in one after another.

Of each window the natural logarithm d of the ratio of mean response times is taken, design to base.
Windows stand for jobs like theirs, so the verdict is about the mean of d, with Student's interval:

- *faster* or *slower*: the interval excludes a ratio of 1;
- *equal*: the whole interval lies within ±2 %, which shows equivalence and no mere lack of a
  difference (two one-sided tests);
- *open*: neither.

The interval is looked at after 4, 8, 16, … windows, and once more when there are no further windows
or no more time. Look k of each of m pairs may be wrong with probability 0.05 / (m·k·(k + 1)). The
sum over all pairs and looks is at most 0.05, however often is looked, so at most 1 of 20 judgements
calls a design faster that is not. A verdict at a look stays.

A few windows in which two designs hardly differ do not show that they never differ. So a deviation
of d below 1 % counts as 1 %, unless both designs did the very same in all windows.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from math import exp, inf, log, nan, sqrt
from typing import NamedTuple

import numpy as np
from scipy.special import stdtrit

FALSE = 0.05  # of judgements may have a verdict that is wrong by chance
MARGIN = 0.02  # up to which designs count as equal
FEWEST = 2  # windows, for any verdict
_FIRST = 4  # windows, at the first look
_LEAST = 0.01  # deviation of d
_MOST = 2**20  # windows that are said to be needed

FASTER, SLOWER, EQUAL, OPEN, FAILED = "faster", "slower", "equal", "open", "failed"


class Difference(NamedTuple):
    """What a window says of a pair."""

    log_ratio: float  # of mean response times, design to base
    same: bool = False  # whether both runs did the very same


@dataclass(frozen=True)
class Verdict:
    """What is known of a pair: a ratio of mean response times, design to base."""

    says: str = OPEN
    ratio: float = nan
    low: float = nan
    high: float = nan
    windows: int = 0
    needed: int | None = None  # windows in all that would decide it, if others are like these
    same: bool = False  # whether both did the very same in all windows
    why: str = ""  # if a run has failed


def sizes() -> Iterator[int]:
    """After how many windows is looked."""
    return (_FIRST * 2**look for look in count())


def verdict_of(windows: Sequence[Difference], pairs: int, is_over: bool = False) -> Verdict:
    """The verdict on one of so many pairs, from its windows in the order of the rule.

    Between two looks the interval is that of the next look, and the verdict is open until then, or
    until all `is_over`.
    """
    found = Verdict()
    for look, size in enumerate(sizes(), start=1):
        if len(windows) <= found.windows:
            return found
        if len(windows) < size:
            found = _looked(windows, look, pairs)
            return found if is_over else replace(found, says=OPEN)
        found = _looked(windows[:size], look, pairs)
        if found.says != OPEN:
            return found
    raise AssertionError  # there are always more sizes


def _looked(windows: Sequence[Difference], look: int, pairs: int) -> Verdict:
    n = len(windows)
    same = all(window.same for window in windows)
    logs = np.array([window.log_ratio for window in windows])
    mean, deviation = float(logs.mean()), nan
    low, high = -inf, inf
    if n >= FEWEST:
        deviation = 0.0 if same else max(_LEAST, float(logs.std(ddof=1)))
        half = _half_width(deviation, n, look, pairs)
        low, high = mean - half, mean + half
    says, needed = OPEN, None
    if log(1 - MARGIN) < low and high < log(1 + MARGIN):
        says = EQUAL
    elif not low <= 0 <= high:
        says = FASTER if mean < 0 else SLOWER
    elif n >= FEWEST:
        needed = _needed(mean, deviation, n, look, pairs)
    return Verdict(says, exp(mean), exp(low), exp(high) if high < inf else inf, n, needed, same)


def _half_width(deviation: float, n: int, look: int, pairs: int) -> float:
    wrong = FALSE / (pairs * look * (look + 1))
    return float(stdtrit(n - 1, 1 - wrong / 2)) * deviation / sqrt(n)


def _needed(mean: float, deviation: float, n: int, look: int, pairs: int) -> int | None:
    """The first size whose interval would exclude 1 or lie within the margin; None: beyond all."""
    within = min(mean - log(1 - MARGIN), log(1 + MARGIN) - mean)
    for later, size in enumerate(sizes(), start=1):
        if size > _MOST:
            return None
        if later < look or size <= n:
            continue
        if _half_width(deviation, size, later, pairs) < max(abs(mean), within):
            return size
    raise AssertionError  # there are always more sizes
