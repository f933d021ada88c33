"""Findings of a paper and what was measured: statements, their claims in numbers, verdicts.

A claim says in which range a number should be: the paper's own range, or one around its number. It
holds if the 95 % interval over the seeds is inside the range, fails if it is outside, and is open
otherwise. A finding may be judged twice: by claims about its direction (who is ahead of whom), and
by others about its magnitude (by how much).

What claims something about a case claims it about several, too (`of_each`), and of which designs
may depend on the case (`Designs`).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from inspect import signature
from math import inf, isfinite, isnan, log
from statistics import fmean
from types import MappingProxyType
from typing import Concatenate, NamedTuple, ParamSpec

from model.papers.cases import Case
from model.papers.measurements import (
    GeometricMean,
    Measurements,
    Value,
    compares,
    shows,
    transformed,
)
from model.papers.text import known
from model.sweeps.statistics import Estimate, around, p_value, replications_needed

REPRODUCED = "reproduced"
PARTLY = "partly reproduced"
NOT_REPRODUCED = "not reproduced"
OPEN = "cannot be told"
INSIDE = "inside"  # the paper's own range has it; how sure either is does not tell more
CONSISTENT = "consistent, jobs unknown"  # outside the range, where other jobs' values are often
UNTESTABLE = "not testable"  # the paper's own runs cannot support it
VERDICTS = (REPRODUCED, INSIDE, CONSISTENT, PARTLY, NOT_REPRODUCED, OPEN, UNTESTABLE)
#: What findings are about, by the names of classes in `findings.toml`.
CLASSES = {
    "paging": "PNR against DP",
    "designs": "designs against each other",
    "other": "other",
}
MANY_SEEDS = 10_000  # as many or more are not told apart
CONFIRMED = "confirmed"  # what a hypothesis of a study of ours is where a finding is reproduced

P = ParamSpec("P")


class Elsewhere(NamedTuple):
    """A number for other jobs of the log, in windows: the least, the most, how many are inside.

    And which share of them would be inside a range as wide that is laid there at random.
    """

    least: float
    most: float
    inside: int
    windows: int
    at_random: float

    @property
    def often(self) -> bool:
        """Whether more of them are inside than would be at random."""
        return self.inside / self.windows > self.at_random


class Part(NamedTuple):
    """One measured quantity of a claim, whose it is, and whether it is in the claim's range."""

    name: str
    value: Estimate | None  # None: no runs
    holds: bool | None
    needed: int | None = None  # how many seeds would tell, if it is open
    tends: bool | None = None  # what they would tell: whether its mean is in the range
    elsewhere: Elsewhere | None = None  # None: not run for other jobs
    reached: bool = False  # whether other jobs' values are often inside the range
    within: bool = False  # whether the mean is in the paper's own range
    powerless: bool = False  # whether the paper's single run may be anywhere by chance
    p: float | None = None  # of its being on its side of the range's ends by chance

    @property
    def by_windows(self) -> bool:
        """Whether its interval is over windows."""
        return self.name.endswith("by windows")

    @property
    def consistent(self) -> bool:
        """Whether it is outside the range, where other jobs' values are often."""
        return self.holds is False and self.reached

    @property
    def answer(self) -> bool | str | None:
        """What a verdict counts: `holds`, CONSISTENT or INSIDE."""
        if self.holds is None and self.within:
            return INSIDE
        return CONSISTENT if self.consistent else self.holds


@dataclass(frozen=True)
class Claim:
    """The claim that a quantity is in a range, for all of its parts or, with `most`, for most."""

    words: str
    parts: list[Part]
    most: bool = False

    @property
    def answers(self) -> list[bool | str | None]:
        """Whether it holds, for each part or once for most of them; None if that is open."""
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

    @property
    def outside(self) -> int:
        """How many means are outside the range, however unsure; of `most`, none unless half are."""
        found = sum(part.tends is False for part in self.parts)
        return 0 if self.most and 2 * found < len(self.parts) else found


#: Makes claims from measurements.
Claims = Callable[[Measurements], Iterable[Claim]]
#: Some designs or policies, or what gives those of a case.
Designs = Sequence[str] | Callable[[Case], Sequence[str]]


def claiming(make: Callable[Concatenate[Measurements, P], Iterable[Claim]]) -> Callable[P, Claims]:
    """Turn what makes claims from measurements and more into a function of the rest: `Claims`.

    It raises TypeError at once if that does not fit.
    """

    @wraps(make)
    def claims_of(*arguments: P.args, **named: P.kwargs) -> Claims:
        signature(make).bind(None, *arguments, **named)
        return lambda measured: make(measured, *arguments, **named)

    return claims_of


def of_each(
    make: Callable[Concatenate[Case, P], Claims],
) -> Callable[Concatenate[Case | Iterable[Case], P], Claims]:
    """Lift what makes claims about a case: about several cases, it claims the same of each."""

    @wraps(make)
    def claims_of(cases: Case | Iterable[Case], /, *arguments: P.args, **named: P.kwargs) -> Claims:
        several = [cases] if isinstance(cases, Case) else cases
        each = [make(case, *arguments, **named) for case in several]
        return lambda measured: (claim for claims in each for claim in claims(measured))

    return claims_of


def designs_of(designs: Designs, case: Case) -> Sequence[str]:
    """The designs that are meant in a case."""
    return designs(case) if callable(designs) else designs


@dataclass(frozen=True)
class Finding:
    """A statement of a paper with its section, its claims, and what explains a difference.

    In a study of ours the statement is a hypothesis, and the section says who led us to it.
    """

    topic: str
    section: str
    statement: str
    #: About its direction, if others are about its magnitude.
    claims: tuple[Claims, ...] = ()
    #: What explains a difference, perhaps with numbers; left out if these were not run (`NotRun`).
    why: Callable[[Measurements], str] = lambda _: ""
    magnitude: tuple[Claims, ...] = ()
    untestable: str = ""  # why the paper's own runs cannot support it, if they cannot
    kind: str = ""  # one of CLASSES
    number: int = 0  # its place among the paper's, from 1 on

    def judge(self, measured: Measurements) -> "Judged":
        """Compare the claims with what was measured."""
        magnitude = _judgement(self.magnitude, measured)
        return Judged(self, self.direction(measured), magnitude, known(self.why, measured))

    def direction(self, measured: Measurements) -> "Judgement":
        """Compare the claims about its direction alone."""
        return _judgement(self.claims, measured)

    def direction_if_run(self, measured: Measurements) -> "Judgement | None":
        """The same, or None as soon as runs that it needs are missing."""
        known: list[Claim] = []
        for claims in self.claims:
            for claim in claims(measured):
                known.append(claim)
                if Judgement([claim]).missing:
                    return None
        return Judgement(known)

    def foremost(self, measured: Measurements) -> "Judgement":
        """Compare the claims about its direction, or, without any, about its magnitude."""
        return _judgement(self.claims or self.magnitude, measured)


@dataclass(frozen=True)
class Judgement:
    """Some claims of a finding as measured, and the verdict that follows."""

    claims: list[Claim]

    @property
    def verdict(self) -> str:
        """Reproduced if all claims hold, partly reproduced if some hold and some fail.

        Consistent if none fails, but in some ranges only other jobs' values are often; inside if
        some are in the paper's own range and all else holds.
        """
        answers = [answer for claim in self.claims for answer in claim.answers]
        if False in answers:
            return PARTLY if {True, CONSISTENT, INSIDE} & {*answers} else NOT_REPRODUCED
        if None in answers:
            return OPEN
        return next((one for one in (CONSISTENT, INSIDE) if one in answers), REPRODUCED)

    @property
    def powerless(self) -> bool:
        """Whether it is inside only since a single run of the paper's may be anywhere."""
        return any(
            part.answer == INSIDE and part.powerless for one in self.claims for part in one.parts
        )

    @property
    def outside(self) -> int:
        """How many means are outside their ranges, however unsure."""
        return sum(one.outside for one in self.claims)

    @property
    def missing(self) -> bool:
        """Whether runs that it needs are missing."""
        return any(part.value is None for part in self._parts)

    @property
    def single(self) -> bool:
        """Whether it is open because there is only one seed."""
        return any(part.holds is None and part.value.n == 1 for part in self._parts if part.value)

    @property
    def decisive(self) -> Part | None:
        """The open number that gives a verdict if it has its replications; None if none is known.

        The first claim that surely fails gives one; without any, all must surely hold.
        """
        needed = [(part.needed, part) for part in self._parts if part.needed]
        fails = [one for one in needed if not one[1].tends and not one[1].reached]
        if fails:
            return min(fails, key=lambda one: one[0])[1]
        return max(needed, key=lambda one: one[0])[1] if needed else None

    @property
    def _parts(self) -> list[Part]:
        """Those of claims that are open: of one that most parts decide, no other part counts."""
        return [part for claim in self.claims if None in claim.answers for part in claim.parts]


def _judgement(several: Iterable[Claims], measured: Measurements) -> Judgement:
    return Judgement([claim for claims in several for claim in claims(measured)])


@dataclass(frozen=True)
class Judged:
    """A finding with its claims as measured."""

    finding: Finding
    direction: Judgement
    magnitude: Judgement
    why: str  # what explains a difference; may be empty

    @property
    def kind(self) -> str:
        """Its class."""
        return self.finding.kind

    @property
    def claims(self) -> list[Claim]:
        """All that it claims, as its page lists them: first its direction, then its magnitude."""
        return [*self.direction.claims, *self.magnitude.claims]

    @property
    def lacking(self) -> bool:
        """Whether runs of any of its numbers are missing."""
        return runs_are_missing(self.claims)

    @property
    def verdict(self) -> str:
        """The verdict on its direction, or else on its magnitude.

        UNTESTABLE if the paper's own runs cannot support it.
        """
        if self.finding.untestable:
            return UNTESTABLE
        return (self.direction if self.direction.claims else self.magnitude).verdict


def runs_are_missing(claims: Iterable[Claim]) -> bool:
    """Whether runs of any number of some claims are missing."""
    return any(part.value is None for claim in claims for part in claim.parts)


def inside(value: Estimate | None, low: float, high: float) -> bool | None:
    """Whether a value is surely inside [low, high]; False if surely outside, None if open.

    It is open for a value without an interval.
    """
    if value is None:
        return None
    if low <= value.low and value.high <= high:
        return True
    return False if value.high < low or high < value.low else None


def seeds_to_tell(value: Estimate | None, low: float, high: float) -> int | None:
    """How many seeds would tell whether a value is inside [low, high], if that is open.

    They would if mean and deviation stayed as they are. None if it is not open, for one seed, or if
    the range is not known (nan).
    """
    if (
        value is None
        or value.n < 2
        or _is_in(value, low, high) is None
        or inside(value, low, high) is not None
    ):
        return None
    within = low < value.mean < high
    limits = (low, high) if within else (min(low, high, key=lambda end: abs(end - value.mean)),)
    return max(_seeds_to_exclude(value, limit) for limit in limits)


def _seeds_to_exclude(value: Estimate, limit: float) -> int:
    """How many seeds would make an interval, on the side of a limit, end there."""
    if isinstance(value, GeometricMean):
        if limit <= 0:
            return value.n
        value, limit = transformed(value, log), log(limit)
    arm = value.high - value.mean if limit > value.mean else value.mean - value.low
    distance = abs(limit - value.mean)
    if arm <= distance:
        return value.n
    if arm > 1000 * distance:
        return MANY_SEEDS
    return min(MANY_SEEDS, replications_needed(around(value.mean, arm, value.n), distance))


def claim(
    words: str,
    parts: list[tuple[str, Estimate | None]],
    low: float,
    high: float,
    most: bool = False,
    elsewhere: Mapping[str, Sequence[float]] = MappingProxyType({}),
    stated: tuple[float, float] | None = None,
) -> Claim:
    """The claim that a quantity of each part, by name, is between `low` and `high`; see `inside`.

    `words` have {} for the range. `elsewhere` has each part's values in windows of the log;
    `stated` is the paper's own range, if `low` and `high` are that and what chance adds to it.
    """
    judged = []
    for name, value in parts:
        holds, others = inside(value, low, high), None
        if known := elsewhere.get(name):
            within = sum(low <= there <= high for there in known)
            share = _at_random(known, low, high)
            others = Elsewhere(min(known), max(known), within, len(known), share)
        judged.append(
            Part(
                name,
                value,
                holds,
                seeds_to_tell(value, low, high),
                _is_in(value, low, high),
                others,
                others is not None and others.often,
                bool(stated and value and stated[0] <= value.mean <= stated[1]),
                isnan(low) or isnan(high),
                _p_value(value, low, high),
            )
        )
    return Claim(words.format(_range(low, high)), judged, most)


def _is_in(value: Estimate | None, low: float, high: float) -> bool | None:
    """Whether a mean is in a range, however wide its interval; None if either is not known."""
    if value is None or any(map(isnan, (value.mean, low, high))):
        return None
    return low <= value.mean <= high


def _at_random(values: Sequence[float], low: float, high: float) -> float:
    """Which share of values is inside a range as wide as this that is laid at random.

    Anywhere where it has any of their span in it; one that is open to a side begins somewhere in
    their span. 1 if all values are alike, since any range that has one of them has all.
    """
    least, most = min(values), max(values)
    if least == most:
        return 1.0
    if low == -inf or high == inf:
        mean = fmean(values)
        return (mean - least if high == inf else most - mean) / (most - least)
    return (high - low) / (most - least + high - low)


def _p_value(value: Estimate | None, low: float, high: float) -> float | None:
    """How likely a mean that is so far inside a range, or outside, is by chance; None if not known.

    It is that of the nearest end, whether the interval tells anything or not.
    """
    if value is None or _is_in(value, low, high) is None or isnan(value.half_width):
        return None
    limits = [end for end in (low, high) if isfinite(end)]
    if isinstance(value, GeometricMean):
        limits = [log(end) for end in limits if end > 0]
        value = transformed(value, log)
    return max((p_value(value, limit) for limit in limits), default=0.0)


def _range(low: float, high: float) -> str:
    """The range in words."""
    if high == inf:
        return f"above {low:,.4g}"
    if low == -inf:
        return f"below {high:,.4g}"
    return f"{low:,.4g} to {high:,.4g}"


def near(value: float, percent: float) -> tuple[float, float]:
    """The range of ± `percent` around a number."""
    return value * (1 - percent / 100), value * (1 + percent / 100)


# Claims that several papers make.


@of_each
@claiming
def ranges(
    measured: Measurements,
    case: Case,
    words: str,
    designs: Designs,
    low: float,
    high: float,
    value: Value,
    most: bool = False,
) -> Iterator[Claim]:
    """A value of each design in a case is between low and high; `words` as in `claim`."""
    parts = [(name, value(measured, case, name)) for name in designs_of(designs, case)]
    yield claim(f"{case}: {words}", parts, low, high, most)


def means(
    cases: Case | Iterable[Case],
    words: str,
    designs: Designs,
    low: float,
    high: float,
    measure: str | None = None,
    times: float = 1,
) -> Claims:
    """The mean of a measure of each design, multiplied by `times`, is between low and high."""
    return ranges(cases, f"{words}, {{}}", designs, low, high, shows(measure, times))


def ratios(
    cases: Case | Iterable[Case],
    design: str,
    others: Designs,
    low: float,
    high: float,
    measure: str | None = None,
    measure_words: str = "",
) -> Claims:
    """A design's measure, in multiples of each of the others', is between low and high.

    `measure_words` name the measure if it is not the paper's own.
    """
    words = f"{measure_words}, {design} in multiples of others, {{}}".removeprefix(", ")
    return ranges(cases, words, others, low, high, compares(design, measure))


def kinds_of(by_words: Mapping[str, Value]) -> dict[str, Callable[..., Claims]]:
    """Kinds of claims that a value of each design in some cases is in a range, by its words."""

    def kind(words: str, value: Value) -> Callable[..., Claims]:
        def claims_of(
            cases: Case | Iterable[Case], designs: Designs, low: float, high: float
        ) -> Claims:
            return ranges(cases, f"{words}, {{}}", designs, low, high, value)

        return claims_of

    return {words: kind(words, value) for words, value in by_words.items()}
