"""Verdicts: whether numbers are in the ranges that a finding gives them.

A number is in its range if all of its 95 % interval is, outside if none of it is, and open
otherwise. A finding is reproduced if all of its numbers are in their ranges, not reproduced if some
are outside and none is inside, and partly reproduced if some are inside and some outside.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf, isfinite, isnan, log

from scipy.special import ndtr, ndtri, stdtr

from model.papers.measurements import GeometricMean, transformed
from model.sweeps.statistics import CONFIDENCE, Estimate, student_t

REPRODUCED = "reproduced"
PARTLY = "partly reproduced"
NOT_REPRODUCED = "not reproduced"
OPEN = "cannot be told"
INSIDE = "inside"  # the paper's own range has it; how sure either is does not tell more
CONSISTENT = "consistent, jobs unknown"  # outside the range, where other jobs' values are often
NOT_RUN = "not run"  # some of its runs are missing
UNTESTABLE = "not testable"  # the paper's own runs cannot support it
CONFIRMED = "confirmed"  # what a hypothesis of a study of ours is where a finding is reproduced

Answer = bool | str | None  # whether a number is in its range; INSIDE or CONSISTENT; None: open


@dataclass(frozen=True)
class Part:
    """A measured number, whose it is, and the range that it should be in."""

    name: str
    value: Estimate | None  # None: not run
    low: float  # nan, as `high`, if a single run of the paper's may be anywhere by chance
    high: float
    stated: tuple[float, float] | None = None  # the paper's range, if chance has widened it
    elsewhere: tuple[float, ...] = ()  # the same number for other jobs of the log
    by_chance: bool = False  # whether it does not stand if no number of a page may be wrong

    @property
    def holds(self) -> bool | None:
        """Whether its interval is inside the range; None if that is open."""
        value = self.value
        if value is None or self.by_chance:
            return None
        if self.low <= value.low and value.high <= self.high:
            return True
        return False if value.high < self.low or self.high < value.low else None

    @property
    def answer(self) -> Answer:
        """What a verdict counts."""
        if self.holds is None and self.stated and self.value:
            least, most = self.stated
            return INSIDE if least <= self.value.mean <= most else None
        return CONSISTENT if self.holds is False and self.is_often else self.holds

    @property
    def is_often(self) -> bool:
        """Whether the range has more of other jobs' numbers in it than it would by chance.

        That is, than a range as wide that is laid anywhere where it has any of their span in it; a
        range that is open to a side begins somewhere in their span.
        """
        if not self.elsewhere:
            return False
        least, most = min(self.elsewhere), max(self.elsewhere)
        if least == most:
            return False
        inside = sum(self.low <= one <= self.high for one in self.elsewhere)
        if inf in (-self.low, self.high):
            mean = sum(self.elsewhere) / len(self.elsewhere)
            by_chance = (mean - least if self.high == inf else most - mean) / (most - least)
        else:
            by_chance = (self.high - self.low) / (most - least + self.high - self.low)
        return inside / len(self.elsewhere) > by_chance

    @property
    def p(self) -> float | None:
        """How likely a number would be so far from the nearest end of its range by chance."""
        value = self.value
        if value is None or any(map(isnan, (*value[:3], self.low, self.high))):
            return None
        limits = [end for end in (self.low, self.high) if isfinite(end)]
        if isinstance(value, GeometricMean):
            limits = [log(end) for end in limits if end > 0]
            value = transformed(value, log)
        return max((p_value(value, limit) for limit in limits), default=0.0)


@dataclass(frozen=True)
class Claim:
    """Numbers that should all be in a range or, with `most`, most of them."""

    words: str
    parts: tuple[Part, ...]
    most: bool = False

    @property
    def answers(self) -> list[Answer]:
        """The answer of each number, or one for most of them."""
        found = [part.answer for part in self.parts]
        if not self.most:
            return found
        half = len(found) / 2
        counted = 0
        for answer in (True, INSIDE, None):
            counted += found.count(answer)
            if counted > half:
                return [answer]
        return [False if found.count(False) >= half else CONSISTENT]


def claim(
    words: str, parts: Iterable[tuple[str, Estimate | None]], low: float, high: float
) -> Claim:
    """The claim that these numbers, by name, are between `low` and `high`."""
    return Claim(words, tuple(Part(name, value, low, high) for name, value in parts))


def verdict(claims: Iterable[Claim]) -> str:
    """What follows from all numbers of a finding; "" without any."""
    answers = [answer for one in claims for answer in one.answers]
    if not answers:
        return ""
    if False in answers:
        return PARTLY if {True, CONSISTENT, INSIDE} & {*answers} else NOT_REPRODUCED
    if None in answers:
        return OPEN
    return next((one for one in (CONSISTENT, INSIDE) if one in answers), REPRODUCED)


def are_missing(claims: Iterable[Claim]) -> bool:
    """Whether runs of any of the numbers are missing."""
    return any(part.value is None for one in claims for part in one.parts)


def by_holm(findings: Sequence[Sequence[Claim]]) -> list[list[Claim]]:
    """The same claims where the numbers of all findings are one family (Holm's correction).

    What does not stand if the chance that any of them is told wrongly is 5 % is open.
    """
    chances = [part.p for claims in findings for one in claims for part in one.parts]
    stands = iter(holm([p for p in chances if p is not None]))

    def corrected(part: Part) -> Part:
        return part if part.p is None or next(stands) else replace(part, by_chance=True)

    return [
        [replace(one, parts=tuple(map(corrected, one.parts))) for one in claims]
        for claims in findings
    ]


def p_value(value: Estimate, limit: float) -> float:
    """How likely a mean as far from a limit, to either side, would be if the limit were true.

    It is Student's, from the half of the interval on that side; of a single value, whose interval
    comes from elsewhere, the normal distribution's. 0 if all values are alike.
    """
    arm = value.high - value.mean if limit > value.mean else value.mean - value.low
    if arm == 0:
        return 0.0
    distances = abs(limit - value.mean) / arm
    if value.n < 2:
        return float(2 * ndtr(-distances * ndtri((1 + CONFIDENCE) / 2)))
    return float(2 * stdtr(value.n - 1, -distances * student_t(value.n - 1)))


def holm(p_values: Sequence[float]) -> list[bool]:
    """Which of a family of statements stand if the chance that any of them is wrong is 5 %.

    The surest must be sure at 5 % over their number, the next at 5 % over one less, and so on until
    one is not (Holm, Scandinavian Journal of Statistics 6, 1979).
    """
    stand = [False] * len(p_values)
    for rank, place in enumerate(sorted(range(len(p_values)), key=lambda at: p_values[at])):
        if p_values[place] * (len(p_values) - rank) > 1 - CONFIDENCE + 1e-12:
            break
        stand[place] = True
    return stand
