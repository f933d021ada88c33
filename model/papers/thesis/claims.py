"""What can be claimed of the thesis's cases: about a direction, and about a magnitude.

Each function makes claims about a case or several, with a part for each of some designs: about a
direction, who is ahead of whom; about a magnitude, that a quantity is in a range of the
thesis's. The thesis ran each experiment once, so its own numbers are not sure either: a range that
it states, or a number, is widened by how far a single run may be off here.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import hypot, inf, isnan, nan
from typing import Any, NamedTuple

import numpy as np

from model.papers.cases import Case
from model.papers.findings import (
    Claim,
    Claims,
    Designs,
    claim,
    claiming,
    designs_of,
    of_each,
    ranges,
)
from model.papers.measurements import Bounded, Measurements, Value
from model.papers.thesis.cases import windows
from model.papers.thesis.single_runs import (
    mean,
    optimization_ratio,
    quotient,
    reduction_pct,
    spread_of_theirs,
)
from model.pnr.measures import PAGING
from model.sweeps.statistics import Estimate, around

#: Designs whose response times differ by less than this are alike, however sure it is.
TELLING_PCT = 0.5
#: Less than this on a node's disk is nothing.
TELLING_MB = 0.005
#: Which optimization ratios there are, in percent.
_RATIOS = (-inf, 100)

Cases = Case | Iterable[Case]
#: Another case, or how the unvaried one is varied to be it.
Than = Case | Mapping[str, Any]
#: A number that the thesis states, or its range: the least and the most.
Stated = float | Sequence[float]

#: What is measured, by what the thesis calls it; None: the response time.
_QUANTITIES: Mapping[str, str | None] = {
    "response time": None,
    "page faults": "faults",
    "page faults from the disk": "faults_disk",
    "parallel context switches": "pcs",
    "simulated time": "sim_end_s",
    "on disk": "disk_mb_mean",
    "MB on disk": "disk_mb_mean",
    "mean RAM allocated": "allocated_mb_mean",
    "deviation of RAM allocated": "allocated_mb_sd",
    "deviation": "allocated_mb_sd",
}


def _other(case: Case, than_in: Than) -> Case:
    return than_in if isinstance(than_in, Case) else case.unvaried.but(**than_in)


def _best_ratio(sizes: Sequence[float]) -> Value:
    """The higher of a design's optimization ratios over sizes of RAM, whichever a case has."""

    def value(measured: Measurements, case: Case, design: str) -> Estimate | None:
        every = [optimization_ratio(measured, case.but(ram=ram), design) for ram in sizes]
        found = [one for one in every if one is not None]
        if len(found) < len(every):
            return None
        if any(isinstance(one, Bounded) for one in found):  # runs of either side were given up
            means = [one.mean for one in found]
            ends = (max(one.low for one in found), max(one.high for one in found))
            return Bounded(nan if any(map(isnan, means)) else max(means), *ends, found[0].n)
        return max(found, key=lambda one: one.mean)

    return value


def _best(sizes: Sequence[float]) -> str:
    return f"the higher optimization ratio of {' or '.join(f'{ram:g}' for ram in sizes)} % RAM"


# Claims about a direction. Each function makes one claim of a case, with a part for each design.


def ratio(
    cases: Cases, designs: Designs, low: float, high: float = inf, most: bool = False
) -> Claims:
    """Optimization ratios are between low and high, in percent."""
    return ranges(cases, "optimization ratio {} %", designs, low, high, optimization_ratio, most)


def better(cases: Cases, designs: Designs, most: bool = False) -> Claims:
    """Designs are ahead of DP by more than nothing."""
    return ratio(cases, designs, TELLING_PCT, most=most)


def best_better(cases: Cases, sizes: Sequence[float], designs: Designs) -> Claims:
    """Designs are ahead of DP with one of these sizes of RAM."""
    return ranges(cases, f"{_best(sizes)} {{}} %", designs, TELLING_PCT, inf, _best_ratio(sizes))


def worse(cases: Cases, designs: Designs, most: bool = False) -> Claims:
    """Designs are behind DP."""
    return ratio(cases, designs, -inf, -TELLING_PCT, most)


@of_each
def faster(
    case: Case, design: str, others: Designs, by_at_least_pct: float = TELLING_PCT
) -> Claims:
    """A design's response time is shorter than each of the others', by a percentage of theirs.

    With a negative percentage it is at most so much longer.
    """

    def value(measured: Measurements, case: Case, other: str) -> Estimate | None:
        return reduction_pct(measured, (case, design), (case, other))

    words = f"{design} faster by {{}} % than"
    if by_at_least_pct < 0:
        words = f"{design} faster, or at most {-by_at_least_pct:g} % slower; in % faster than"
    return ranges(case, words, _but(design, others, case), by_at_least_pct, inf, value)


@of_each
def slowest(case: Case, design: str, others: Designs) -> Claims:
    """The response time of each of the others is shorter than a design's."""
    words, faster_ones = f"faster than {design} by {{}} %", _but(design, others, case)
    return ranges(case, words, faster_ones, TELLING_PCT, inf, _shorter_than(design))


@of_each
def alike(case: Case, designs: Designs, within_pct: float) -> Claims:
    """Response times differ from the first design's by at most `within_pct`."""
    first, *others = designs_of(designs, case)
    words = f"within {within_pct:g} % of {first}, in % shorter"
    return ranges(case, words, others, -within_pct, within_pct, _shorter_than(first))


def _but(design: str, others: Designs, case: Case) -> list[str]:
    return [other for other in designs_of(others, case) if other != design]


def _shorter_than(than: str) -> Value:
    return lambda measured, case, name: reduction_pct(measured, (case, name), (case, than))


def times(
    cases: Cases,
    designs: Designs,
    quantity: str,
    low: float = -inf,
    high: float = 1,
    than_in: Than | None = None,
    whose: str = "DP's",
) -> Claims:
    """A quantity in multiples of DP's, or of the design's in another case, is in a range.

    By default it is below it. `whose` names of what it is a multiple.
    """
    words = f"{quantity} in multiples of {whose}, {{}}"
    return ranges(cases, words, designs, low, high, _quotient(quantity, than_in))


def amounts(cases: Cases, designs: Designs, quantity: str, low: float, high: float) -> Claims:
    """A quantity is so many MB."""
    return ranges(cases, f"{quantity} {{}} MB", designs, low, high, _mean(quantity))


def less_mb(cases: Cases, designs: Designs, quantity: str) -> Claims:
    """A quantity is below DP's, by more than `TELLING_MB`."""

    def value(measured: Measurements, case: Case, design: str) -> Estimate | None:
        return _difference(
            *(mean(measured, case, name, _QUANTITIES[quantity]) for name in (design, PAGING))
        )

    words = f"{quantity}, MB minus DP's, {{}}"
    return ranges(cases, words, designs, -inf, -TELLING_MB, value)


@of_each
def change(case: Case, than_in: Than, designs: Designs, low: float, high: float) -> Claims:
    """Optimization ratios minus those in another case are between low and high, in points."""
    other = _other(case, than_in)

    def value(measured: Measurements, case: Case, design: str) -> Estimate | None:
        if measured.same(case, other):  # elsewhere both cases may be the same
            return None
        return _difference(*(optimization_ratio(measured, one, design) for one in (case, other)))

    words = f"optimization ratio minus that at {other}, {{}} points"
    return ranges(case, words, designs, low, high, value)


@of_each
def factor_rises(case: Case, designs: Designs, jobs: Sequence[int]) -> Claims:
    """By which factor more jobs make response times longer does not fall from step to step.

    `jobs` are the ends of two steps.
    """
    least, middle, most = (case.but(jobs=number) for number in jobs)

    def value(measured: Measurements, _: Case, design: str) -> Estimate | None:
        steps = ((most, middle), (middle, least))
        return _difference(*(quotient(measured, one, design, None, than) for one, than in steps))

    words = f"the factor from {jobs[1]:,} to {jobs[2]:,} jobs minus that from {jobs[0]:,}, {{}}"
    return ranges(case, words, designs, 0, inf, value)


@of_each
def slowed_less(
    case: Case,
    where: Mapping[str, Any],
    slow: Mapping[str, Any],
    than: Mapping[str, Any],
    designs: Designs,
) -> Claims:
    """A slow network makes response times longer by a smaller factor where the case is varied so.

    The factor is against the network `than`, in the same case.
    """
    places = (case.but(**where), case)

    def value(measured: Measurements, _: Case, design: str) -> Estimate | None:
        return _difference(
            *(quotient(measured, one.but(**slow), design, None, one.but(**than)) for one in places)
        )

    named = (Case(**parameters) for parameters in (than, slow, where))
    words = "the factor from {} to {}, with {} minus without, {{}}".format(*named)
    return ranges(case, words, designs, -inf, 0, value)


@of_each
def shortened_more(case: Case, design: str, others: Designs) -> Claims:
    """A case shortens a design's response time, against the unvaried case, more than the others'.

    By more than `TELLING_PCT` points.
    """

    def value(measured: Measurements, case: Case, other: str) -> Estimate | None:
        both = ((case, name) for name in (design, other))
        return _difference(*(reduction_pct(measured, one, (case.unvaried, one[1])) for one in both))

    words = f"% shorter with {design} minus with the others, {{}} points"
    return ranges(case, words, _but(design, others, case), TELLING_PCT, inf, value)


def _mean(quantity: str) -> Value:
    return lambda measured, case, design: mean(measured, case, design, _QUANTITIES[quantity])


def _quotient(quantity: str, than_in: Than | None) -> Value:
    def value(measured: Measurements, case: Case, design: str) -> Estimate | None:
        other = None if than_in is None else _other(case, than_in)
        return quotient(measured, case, design, _QUANTITIES[quantity], other)

    return value


def _difference(one: Estimate | None, other: Estimate | None) -> Estimate | None:
    """One minus the other, as if they were measured apart; None if either is not there."""
    if one is None or other is None:
        return None
    if isinstance(one, Bounded) or isinstance(other, Bounded):
        return Bounded(nan, -inf, inf, min(one.n, other.n))
    half = hypot(one.half_width, other.half_width)
    return around(one.mean - other.mean, half, min(one.n, other.n))


# Claims about a magnitude: the thesis's range or number, as unsure as a single run is here.


@of_each
def gain(case: Case, designs: Designs, stated: Stated, most: bool = False) -> Claims:
    """The optimization ratio, in percent, is a number or in a range of the thesis's."""
    unsure = Unsure(designs_of(designs, case), _over_paging(case), _ratio_by_chance)
    words, value = "optimization ratio, %, {}", optimization_ratio
    return _magnitude(case, words, stated, value, unsure, most, neutral=0, possible=_RATIOS)


@of_each
def best_gain(case: Case, sizes: Sequence[float], designs: Designs, stated: Stated) -> Claims:
    """The same for the higher of a design's ratios over sizes of RAM."""
    spread = _over_paging(case.but(ram=min(sizes)))
    unsure = Unsure(designs_of(designs, case), spread, _ratio_by_chance)
    words, value = f"{_best(sizes)}, %, {{}}", _best_ratio(sizes)
    return _magnitude(case, words, stated, value, unsure, neutral=0, possible=_RATIOS)


@of_each
def multiple(
    case: Case,
    designs: Designs,
    quantity: str,
    stated: Stated,
    than_in: Than | None = None,
    whose: str = "DP's",
) -> Claims:
    """A quantity in multiples of DP's, or of the design's in another case; see `times`."""
    measure = _QUANTITIES[quantity]

    def of_both(measured: Measurements, name: str) -> float:
        both = (case, _other(case, than_in or {}))
        return hypot(*(spread_of_theirs(measured, one, name, measure) for one in both))

    spread = _over_paging(case, measure) if than_in is None else of_both
    unsure = Unsure(designs_of(designs, case), spread)
    words = f"{quantity} in multiples of {whose}, {{}}"
    return _magnitude(case, words, stated, _quotient(quantity, than_in), unsure, neutral=1)


@of_each
def amount(
    case: Case,
    designs: Designs,
    quantity: str,
    stated: Stated,
    most: bool = False,
    neutral: float | None = None,
) -> Claims:
    """A quantity in MB."""

    def spread(measured: Measurements, name: str) -> float:
        return spread_of_theirs(measured, case, name, _QUANTITIES[quantity])

    words, unsure = f"{quantity}, MB, {{}}", Unsure(designs_of(designs, case), spread)
    return _magnitude(case, words, stated, _mean(quantity), unsure, most, neutral)


def perhaps(
    measured: Measurements, case: Case, designs: Sequence[str], ratio_pct: float, up: int
) -> float:
    """The least (`up` = -1) or the most (1) that a ratio of the thesis's may be by chance, %."""
    spread = _over_paging(case)
    return _ratio_by_chance(ratio_pct, _least_sure(spread(measured, one) for one in designs), up)


def _by_chance(value: float, share: float, up: int) -> float:
    """The least (`up` = -1) or the most (1) that a number of one run may be: it is not below 0."""
    factor = 1 + up * share  # nan if no seeds tell
    return value * (0 if factor < 0 else factor)


def _ratio_by_chance(ratio_pct: float, share: float, up: int) -> float:
    """The same of an optimization ratio.

    A single run's quotient of two designs is off by a share of it, so a ratio r by that of 100 - r.
    """
    return 100 - _by_chance(100 - ratio_pct, share, -up)


def _least_sure(spreads: Iterable[float]) -> float:
    """The widest of some spreads; nan if one of them is not known."""
    return float(np.max([*spreads]))


def _over_paging(case: Case, measure: str | None = None) -> Callable[[Measurements, str], float]:
    """How far off a design's measure in multiples of DP's may be in one of the thesis's runs."""
    return lambda measured, name: spread_of_theirs(measured, case, name, measure, PAGING)


class Unsure(NamedTuple):
    """Designs, how far off each may be in one run, and what follows for a bound."""

    designs: Sequence[str]
    spread: Callable[[Measurements, str], float]
    by_chance: Callable[[float, float, int], float] = _by_chance


@claiming
def _magnitude(
    measured: Measurements,
    case: Case,
    words: str,
    stated: Stated,
    value: Value,
    unsure: Unsure,
    most: bool = False,
    neutral: float | None = None,
    possible: tuple[float, float] = (0, inf),
) -> Iterator[Claim]:
    """A claim whose range is the stated one, widened; with the spread over windows of the log.

    The widened range tells nothing if it has all in it that is `possible`, or if it has no effect
    at all (`neutral`) in it and the stated one has not, or begins there; then the claim is open.
    """
    low, high = stated if isinstance(stated, Sequence) else (stated, stated)
    text = f"{low:,.4g}" if low == high else f"{low:,.4g} to {high:,.4g}"
    text = f"above {low:,.4g}" if high == inf else f"below {high:,.4g}" if low == -inf else text
    share = _least_sure(unsure.spread(measured, name) for name in unsure.designs)
    least, greatest = (
        bound if abs(bound) == inf else unsure.by_chance(bound, share, up)
        for bound, up in ((low, -1), (high, 1))
    )
    chance = "no seeds" if isnan(least) or isnan(greatest) else "a single run: {}"
    if least <= possible[0] and greatest >= possible[1]:
        chance = "a single run may be anything by chance"
        least, greatest = nan, nan
    elif neutral is not None and least <= neutral <= greatest and not low < neutral < high:
        chance = f"a single run may be at {neutral:g} by chance"
        least, greatest = nan, nan
    parts = [(name, value(measured, case, name)) for name in unsure.designs]
    elsewhere = _over_windows(measured, case, unsure.designs, value)
    all_words = f"{case}: {words.format(text)} ({chance})"
    yield claim(all_words, parts, least, greatest, most, elsewhere, (low, high))


def _over_windows(
    measured: Measurements, case: Case, designs: Sequence[str], value: Value
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


#: The kinds of claims in `text/findings.toml`.
KINDS: Mapping[str, Callable[..., Claims]] = {
    "optimization ratio": ratio,
    "better": better,
    "best is better": best_better,
    "worse": worse,
    "faster": faster,
    "slowest": slowest,
    "alike": alike,
    "times": times,
    "MB": amounts,
    "less MB": less_mb,
    "change of ratio": change,
    "factor rises": factor_rises,
    "slowed less": slowed_less,
    "shortened more": shortened_more,
    "gain": gain,
    "best gain": best_gain,
    "multiple": multiple,
    "amount": amount,
}
