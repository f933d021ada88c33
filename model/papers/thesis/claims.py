"""What can be claimed of the thesis's cases: about a direction, and about a magnitude.

Each function makes claims with a part for each of some designs. Those about a direction say who is
ahead of whom; those about a magnitude, that a quantity is in a range of the thesis's. The thesis
ran each experiment once, so its own numbers are not sure either: a range that it states, or a
number, is widened by how far a single run may be off here.
"""

from collections.abc import Callable, Iterator, Sequence
from math import hypot, inf, isnan, nan

from model.papers.cases import Case
from model.papers.findings import Claim, Claims, claim, ranges
from model.papers.measurements import Measurements, Value
from model.papers.thesis.cases import windows
from model.papers.thesis.single_runs import (
    mean,
    optimization_ratio,
    quotient,
    reduction_pct,
    spread_of_theirs,
)
from model.pnr.metrics import PAGING
from model.sweeps.statistics import Estimate, around

#: Designs whose response times differ by less than this are alike, however sure it is.
TELLING_PCT = 0.5
#: Less than this on a node's disk is nothing.
TELLING_MB = 0.005
#: Which optimization ratios there are, in percent.
_RATIOS = (-inf, 100)


def _best_ratio(sizes: Sequence[float]) -> Value:
    """The higher of a design's optimization ratios over sizes of RAM, whichever a case has."""

    def value(measured: Measurements, case: Case, design: str) -> Estimate | None:
        found = [optimization_ratio(measured, case.but(ram=ram), design) for ram in sizes]
        return None if None in found else max(found, key=lambda one: one.mean)

    return value


def _best(sizes: Sequence[float]) -> str:
    return f"the higher optimization ratio of {' or '.join(f'{ram:g}' for ram in sizes)} % RAM"


# Claims about a direction. Each function makes one claim, with a part for each design.


def ratio(
    case: Case, designs: list[str], low: float, high: float = inf, most: bool = False
) -> Claims:
    """Optimization ratios are between low and high, in percent."""
    words = "optimization ratio {} %"
    return ranges(words, case, designs, low, high, optimization_ratio, most)


def better(case: Case, designs: list[str], most: bool = False) -> Claims:
    """Designs are ahead of DP by more than nothing."""
    return ratio(case, designs, TELLING_PCT, most=most)


def best_better(case: Case, sizes: Sequence[float], designs: list[str]) -> Claims:
    """Designs are ahead of DP with one of these sizes of RAM."""
    return ranges(f"{_best(sizes)} {{}} %", case, designs, TELLING_PCT, inf, _best_ratio(sizes))


def worse(case: Case, designs: list[str], most: bool = False) -> Claims:
    """Designs are behind DP."""
    return ratio(case, designs, -inf, -TELLING_PCT, most)


def faster(
    case: Case, design: str, others: list[str], by_at_least_pct: float = TELLING_PCT
) -> Claims:
    """A design's response time is shorter than each of the others', by a percentage of theirs.

    With a negative percentage it is at most so much longer.
    """

    def value(measured: Measurements, case: Case, other: str) -> Estimate | None:
        return reduction_pct(measured, (case, design), (case, other))

    than = [other for other in others if other != design]
    words = f"{design} faster by {{}} % than"
    if by_at_least_pct < 0:
        words = f"{design} faster, or at most {-by_at_least_pct:g} % slower; in % faster than"
    return ranges(words, case, than, by_at_least_pct, inf, value)


def slowest(case: Case, design: str, others: list[str]) -> Claims:
    """The response time of each of the others is shorter than a design's."""
    faster_ones = [other for other in others if other != design]
    return _shorter(f"faster than {design} by {{}} %", case, design, faster_ones, TELLING_PCT, inf)


def alike(case: Case, designs: list[str], within_pct: float) -> Claims:
    """Response times differ from the first design's by at most `within_pct`."""
    first, *others = designs
    words = f"within {within_pct:g} % of {first}, in % shorter"
    return _shorter(words, case, first, others, -within_pct, within_pct)


def _shorter(
    words: str, case: Case, than: str, designs: list[str], low: float, high: float
) -> Claims:
    def value(measured: Measurements, case: Case, design: str) -> Estimate | None:
        return reduction_pct(measured, (case, design), (case, than))

    return ranges(words, case, designs, low, high, value)


def times(
    words: str,
    case: Case,
    designs: list[str],
    low: float,
    high: float,
    measure: str | None = None,
    than: Case | None = None,
) -> Claims:
    """A measure, in multiples of DP's or of its own in the case `than`, is between low and high."""
    return ranges(f"{words}, {{}}", case, designs, low, high, _quotient(measure, than))


def at_most_mb(words: str, case: Case, designs: list[str], measure: str, high: float) -> Claims:
    """A measure is at most so many MB."""
    return ranges(f"{words} {{}} MB", case, designs, -inf, high, _mean(measure))


def less_mb(words: str, case: Case, designs: list[str], measure: str) -> Claims:
    """A measure is below DP's, by more than `TELLING_MB`."""

    def value(measured: Measurements, case: Case, design: str) -> Estimate | None:
        return _difference(*(mean(measured, case, name, measure) for name in (design, PAGING)))

    return ranges(f"{words}, MB minus DP's, {{}}", case, designs, -inf, -TELLING_MB, value)


def change(case: Case, than: Case, designs: list[str], low: float, high: float) -> Claims:
    """Optimization ratios minus those in the case `than` are between low and high, in points."""

    def value(measured: Measurements, case: Case, design: str) -> Estimate | None:
        if measured.same(case, than):  # elsewhere both cases may be the same
            return None
        return _difference(*(optimization_ratio(measured, one, design) for one in (case, than)))

    words = f"optimization ratio minus that at {than}, {{}} points"
    return ranges(words, case, designs, low, high, value)


def _mean(measure: str | None) -> Value:
    return lambda measured, case, design: mean(measured, case, design, measure)


def _quotient(measure: str | None, than: Case | None) -> Value:
    return lambda measured, case, design: quotient(measured, case, design, measure, than)


def _difference(one: Estimate | None, other: Estimate | None) -> Estimate | None:
    """One minus the other, as if they were measured apart; None if either is not there."""
    if one is None or other is None:
        return None
    half = hypot(one.half_width, other.half_width)
    return around(one.mean - other.mean, half, min(one.n, other.n))


# Claims about a magnitude: the thesis's range or number, as unsure as a single run is here.


def gain(
    case: Case, designs: list[str], low: float, high: float | None = None, most: bool = False
) -> Claims:
    """The optimization ratio, in percent, is a number or (`high`) in a range of the thesis's."""
    words = "optimization ratio, %, {}"
    return _gain(words, case, designs, (low, high), optimization_ratio, case, most)


def best_gain(
    case: Case, sizes: Sequence[float], designs: list[str], low: float, high: float
) -> Claims:
    """The same for the higher of a design's ratios over sizes of RAM."""
    words = f"{_best(sizes)}, %, {{}}"
    scarcest = case.but(ram=min(sizes))
    return _gain(words, case, designs, (low, high), _best_ratio(sizes), scarcest)


def _gain(
    words: str,
    case: Case,
    designs: list[str],
    stated: tuple[float, float | None],
    value: Value,
    unsure_as: Case,
    most: bool = False,
) -> Claims:
    """A ratio, where the thesis's is as unsure as a single run of the case `unsure_as`."""

    def widened(measured: Measurements, bound: float, up: int) -> float:
        return perhaps(measured, unsure_as, designs, bound, up)

    return _magnitude(
        words, case, designs, stated, value, widened, most, neutral=0, possible=_RATIOS
    )


def perhaps(
    measured: Measurements, case: Case, designs: Sequence[str], ratio_pct: float, up: int
) -> float:
    """The least (`up` = -1) or the most (1) that a ratio of the thesis's may be by chance, %.

    A single run's quotient of two designs is off by a share of it, so a ratio r by that of 100 - r.
    """
    spreads = [spread_of_theirs(measured, case, name, None, PAGING) for name in designs]
    return 100 - _by_chance(100 - ratio_pct, _least_sure(spreads), -up)


def _least_sure(spreads: Sequence[float]) -> float:
    """The widest of some spreads; nan if one of them is not known."""
    return nan if any(map(isnan, spreads)) else max(spreads)


def _by_chance(value: float, share: float, up: int) -> float:
    """The least (`up` = -1) or the most (1) that a number of one run may be: it is not below 0."""
    factor = 1 + up * share  # nan if no seeds tell
    return value * (0 if factor < 0 else factor)


def multiple(
    words: str,
    case: Case,
    designs: list[str],
    low: float,
    high: float | None = None,
    measure: str | None = None,
    than: Case | None = None,
) -> Claims:
    """A measure in multiples of DP's, or of its own in the case `than`."""

    def widened(measured: Measurements, bound: float, up: int) -> float:
        spreads = [
            hypot(*(spread_of_theirs(measured, one, name, measure) for one in (case, than)))
            if than
            else spread_of_theirs(measured, case, name, measure, PAGING)
            for name in designs
        ]
        return _by_chance(bound, _least_sure(spreads), up)

    value = _quotient(measure, than)
    return _magnitude(f"{words}, {{}}", case, designs, (low, high), value, widened, neutral=1)


def amount_mb(
    words: str,
    case: Case,
    designs: list[str],
    measure: str,
    low: float,
    high: float | None = None,
    most: bool = False,
    neutral: float | None = None,
) -> Claims:
    """A measure in MB."""

    def widened(measured: Measurements, bound: float, up: int) -> float:
        spreads = [spread_of_theirs(measured, case, name, measure) for name in designs]
        return _by_chance(bound, _least_sure(spreads), up)

    words = f"{words}, MB, {{}}"
    stated = (low, high)
    return _magnitude(words, case, designs, stated, _mean(measure), widened, most, neutral)


def _magnitude(
    words: str,
    case: Case,
    designs: list[str],
    stated: tuple[float, float | None],
    value: Value,
    widened: Callable[[Measurements, float, int], float],
    most: bool = False,
    neutral: float | None = None,
    possible: tuple[float, float] = (0, inf),
) -> Claims:
    """A claim whose range is the stated one, widened; with the spread over windows of the log.

    The widened range tells nothing if it has all in it that is `possible`, or if it has no effect
    at all (`neutral`) in it and the stated one has not; then the claim is open.
    """
    low, high = stated[0], stated[0] if stated[1] is None else stated[1]
    told = f"{low:,.4g}" if low == high else f"{low:,.4g} to {high:,.4g}"
    told = f"above {low:,.4g}" if high == inf else f"below {high:,.4g}" if low == -inf else told

    def claims(measured: Measurements) -> Iterator[Claim]:
        bounds = [
            bound if abs(bound) == inf else widened(measured, bound, up)
            for bound, up in ((low, -1), (high, 1))
        ]
        parts = [(design, value(measured, case, design)) for design in designs]
        told_of_one = "no seeds" if any(map(isnan, bounds)) else "a single run: {}"
        least, greatest = bounds
        if least <= possible[0] and greatest >= possible[1]:
            told_of_one = "a single run may be anything by chance"
            bounds = [nan, nan]
        elif neutral is not None and least <= neutral <= greatest and not low <= neutral <= high:
            told_of_one = f"a single run may be at {neutral:g} by chance"
            bounds = [nan, nan]
        says = f"{case}: {words.format(told)} ({told_of_one})"
        yield claim(says, parts, *bounds, most, _over_windows(measured, case, designs, value))

    return claims


def _over_windows(
    measured: Measurements, case: Case, designs: list[str], value: Value
) -> dict[str, list[float]]:
    """A value of each design in disjoint windows of the log."""
    found: dict[str, list[float]] = {design: [] for design in designs}
    for first, jobs in windows():
        there = measured.elsewhere(first=first, jobs=jobs, load_factor=1)
        for design in designs:
            one = value(there, case, design)
            if one is not None:
                found[design].append(one.mean)
    return found
