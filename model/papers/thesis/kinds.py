"""How the thesis's findings are judged: a single run is not sure, neither ours nor the thesis's.

The thesis ran each experiment once, and so did we where seeds would take too long. How far a single
run may be off is known from cases with as many nodes and several seeds, by how long jobs wait: a
chance that delays a job also delays those behind it. So a single run of ours has an interval, too,
and a range or number of the thesis's is widened by as much.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import accumulate, product
from math import hypot, inf, isnan, nan
from statistics import fmean

import numpy as np

from model.papers.cases import Case, declared
from model.papers.claims import WAYS, Entry, Evaluator, difference
from model.papers.measurements import Bounded, Compared, Measurements
from model.papers.thesis.cliff import SEEKS, disk_ms, implied_ms, without_turns
from model.papers.verdicts import Claim, Part, claim
from model.pnr.measures import PAGING
from model.sweeps.statistics import Estimate, around

_CHOICE = declared("thesis")["choice"]
_LIGHT, _ = _LOADS = tuple(load["jobs"] for load in _CHOICE["load"].values())
_ONSET, _DEEP = _CHOICE["other-load"].values()
_WINDOWS: list[list[int]] = _CHOICE["log"]["windows"]["window"]


class WithChance(Measurements):
    """Measurements where a single run has an interval, too."""

    def __init__(self, measured: Measurements) -> None:
        vars(self).update(vars(measured))

    def of(self, case: Case, design: str, measure: str | None = None) -> Estimate | None:
        """The mean over the seeds."""
        found = super().of(case, design, measure)
        if found is None or found.n > 1 or isinstance(found, Bounded):
            return found
        spread = self._spread_of_one(case, design, measure)
        return around(found.mean, spread * abs(found.mean), 1)

    def reduction_pct(
        self, own: Compared, than: Compared, measure: str | None = None
    ) -> Estimate | None:
        """By how many percent a mean is below another; two cases are taken to vary apart."""
        found = super().reduction_pct(own, than, measure)
        if found is None or found.n > 1 or isnan(found.mean):
            return found
        (case, design), (there, other) = own, than
        if other == design:
            spread = hypot(*(self._spread_of_one(one, design, measure) for one in (case, there)))
        else:
            spread = self._spread_of_one(case, design, measure, other)
        half = spread * (100 - found.mean)
        if isinstance(found, Bounded):
            return found._replace(low=found.low - half, high=min(100, found.high + half))
        return around(found.mean, half, 1)

    def _spread_of_one(self, case: Case, design: str, measure: str | None, than: str = "") -> float:
        waiting = _waiting(self, case, design, than)
        return _spread_where(self.home, case.parameters["nodes"], waiting, design, measure, than)


# How far a single run may be off, as a share of its value: half of a 95 % interval.


def spread_of_theirs(
    measured: Measurements, case: Case, design: str, measure: str | None, than: str = ""
) -> float:
    """How far a run of the thesis may be off, whose jobs may wait for longer than ours.

    Under its heavy load jobs "are starting to get backlogged" (section 4.1), as in our onset case.
    Where RAM is scarce they are taken to wait as in the deep one.
    """
    given = case.parameters
    nodes, jobs = given["nodes"], {"jobs": given["jobs"]}
    load = jobs if jobs["jobs"] == _LIGHT else _ONSET
    if given.get("ram", 100) < 100:
        load = _DEEP
    waiting = _waiting(measured.home, Case(nodes=nodes, **load), design, than)
    return _spread_where(measured.home, nodes, waiting, design, measure, than)


def _waiting(measured: Measurements, case: Case, design: str, than: str = "") -> float:
    """For which share of their time jobs wait for nodes, under either design; 1 if not known."""

    def share(name: str) -> float:
        waits, takes = (Measurements.of(measured, case, name, one) for one in ("mean_wait_s", None))
        return 1.0 if waits is None or takes is None else waits.mean / takes.mean

    shares = [share(name) for name in (design, than) if name]
    return max(1.0 if isnan(one) else one for one in shares)


def _spread_where(
    measured: Measurements, nodes: int, waiting: float, design: str, measure: str | None, than: str
) -> float:
    """The spread where jobs wait for this share of their time, between cases with several seeds.

    Where they wait for longer than in any of these it is that of the last; nan if there are none.
    """
    known = _spreads(measured, nodes, design, measure, than)
    return float(np.interp(waiting, [*known], [*known.values()])) if known else nan


@lru_cache(maxsize=512)  # enough for one page
def _spreads(
    measured: Measurements, nodes: int, design: str, measure: str | None, than: str
) -> dict[float, float]:
    """How far one run may be off, by how long jobs wait, both in ascending order.

    Each case with several seeds is as unsure as the least sure in which jobs wait for no longer:
    one delay by chance that lasts is enough to make a case look sure that is not.
    """
    found: dict[float, float] = {}
    for case in _with_seeds(nodes):
        known = measured.of(case, design, measure)
        of = known and known.mean
        if than and known:
            known = measured.reduction_pct((case, design), (case, than), measure)
            of = known and 100 - known.mean
        if known and known.n > 1 and not isnan(known.mean):  # nan: in multiples of nothing
            waiting = _waiting(measured, case, design, than)
            spread = known.half_width_of_one / of if of else 0.0  # all seeds have 0
            found[waiting] = max(spread, found.get(waiting, 0.0))
    shares = sorted(found)
    return dict(zip(shares, accumulate((found[share] for share in shares), max), strict=True))


def _with_seeds(nodes: int) -> list[Case]:
    """The cases of table 3.1 on a cluster, and those under the loads beyond the thesis's."""
    varied = [
        dict(zip(part, values, strict=True))
        for part in _CHOICE["varied"].values()
        for values in product(*(one if isinstance(one, list) else [one] for one in part.values()))
    ]
    table = [Case(nodes=nodes, jobs=jobs, **one) for jobs in _LOADS for one in varied]
    return [*table, *(Case(nodes=nodes, **load) for load in (_ONSET, _DEEP))]


# A number or range of the thesis's.


def stated_part(
    evaluator: Evaluator, entry: Entry, case: Case, name: str, value: Estimate | None
) -> Part:
    """A number with the thesis's range, widened by how far a single run may be off."""
    measured, pairs = evaluator.measured, evaluator.pairs(entry, case)

    def spread(own: str) -> float:
        if entry.to_runs is None:
            return spread_of_theirs(measured, case, own, entry.measure, PAGING if entry.to else "")
        cases = case, entry.other_case(case)
        return hypot(*(spread_of_theirs(measured, one, own, entry.measure) for one in cases))

    own, other = next((own, other) for one, own, other in pairs if one == name)
    elsewhere = (
        _evaluator(evaluator, there).number(entry, case, own, other) for there in _windows(measured)
    )
    share = _least_sure(spread(one) for _, one, _ in pairs)
    return _widened(entry, name, value, share, elsewhere)


def _evaluator(evaluator: Evaluator, measured: Measurements) -> Evaluator:
    return Evaluator(evaluator.states, measured)


def _windows(measured: Measurements) -> list[Measurements]:
    """The same in disjoint windows of the log, which have no load of their own."""
    return [measured.elsewhere(first=first, jobs=n, load_factor=1) for first, n in _WINDOWS]


def _least_sure(spreads: Iterable[float]) -> float:
    """The widest of some spreads; nan if one of them is not known."""
    return float(np.max([*spreads]))


def _widened(
    entry: Entry,
    name: str,
    value: Estimate | None,
    share: float,
    elsewhere: Iterable[Estimate | None],
) -> Part:
    """A number with a range that is widened on both sides by a share of its ends.

    The range tells nothing if it has all in it that is possible, or no effect at all (`neutral`)
    and the stated one has not: then the number is open.
    """
    assert entry.stated is not None
    low, high = entry.stated
    is_pct = entry.way == "% below, of means"
    least, most = (
        bound if abs(bound) == inf else by_chance(bound, share, up, is_pct)
        for bound, up in ((low, -1), (high, 1))
    )
    everything = (-inf, 100) if is_pct else (0, inf)
    neutral = entry.neutral
    if (least <= everything[0] and most >= everything[1]) or (
        neutral is not None and least <= neutral <= most and not low < neutral < high
    ):
        least, most = nan, nan
    others = tuple(one.mean for one in elsewhere if one is not None)
    return Part(name, value, least, most, (low, high), others)


def by_chance(value: float, share: float, up: int, is_pct: bool) -> float:
    """The least (`up` = -1) or the most (1) that a number of one run may be.

    It is not below 0. A percentage below another number is off by a share of what is left of that.
    """
    if is_pct:
        return 100 - by_chance(100 - value, share, -up, False)
    factor = 1 + up * share  # nan if no seeds tell
    return value * (0 if factor < 0 else factor)


# Claims of the thesis's own.


def _best(evaluator: Evaluator, entry: Entry) -> Iterator[Claim]:
    """The higher of a design's numbers over `sizes` of RAM."""
    sizes: list[float] = entry.given["sizes"]

    def best(measured: Measurements, case: Case, own: str, other: str) -> Estimate | None:
        there = _evaluator(evaluator, measured)
        every = [there.number(entry, case.but(ram=ram), own, other) for ram in sizes]
        found = [one for one in every if one is not None]
        if len(found) < len(every):
            return None
        if any(isinstance(one, Bounded) for one in found):  # runs of either side were given up
            means = [one.mean for one in found]
            ends = (max(one.low for one in found), max(one.high for one in found))
            return Bounded(nan if any(map(isnan, means)) else max(means), *ends, found[0].n)
        return max(found, key=lambda one: one.mean)

    measured = evaluator.measured
    for case in entry.cases:
        pairs, parts = evaluator.pairs(entry, case), []
        scarce = case.but(ram=min(sizes))
        share = _least_sure(
            spread_of_theirs(measured, scarce, own, entry.measure, PAGING) for _, own, _ in pairs
        )
        for name, own, other in pairs:
            value = best(measured, case, own, other)
            if entry.stated is None:
                parts.append(Part(name, value, entry.low, entry.high))
            else:
                others = (best(there, case, own, other) for there in _windows(measured))
                parts.append(_widened(entry, name, value, share, others))
        yield Claim(evaluator.words(entry, str(case)), tuple(parts))


def _of_each(
    value: Callable[[Evaluator, Entry, Case, str, str], Estimate | None],
) -> Callable[[Evaluator, Entry], Iterator[Claim]]:
    """A kind that makes one claim of a case, with a part for each design."""

    def kind(evaluator: Evaluator, entry: Entry) -> Iterator[Claim]:
        for case in entry.cases:
            parts = [
                (name, value(evaluator, entry, case, own, other))
                for name, own, other in evaluator.pairs(entry, case)
            ]
            yield claim(evaluator.words(entry, str(case)), parts, entry.low, entry.high)

    return kind


@_of_each
def _factor_rises(
    evaluator: Evaluator, entry: Entry, case: Case, own: str, _: str
) -> Estimate | None:
    """By which factor more `jobs` make times longer, minus that of the step before."""
    least, middle, most = (case.but(jobs=jobs) for jobs in entry.given["jobs"])
    steps = ((most, middle), (middle, least))
    return difference(*(_times(evaluator, own, one, than) for one, than in steps))


@_of_each
def _slowed_less(
    evaluator: Evaluator, entry: Entry, case: Case, own: str, _: str
) -> Estimate | None:
    """By which factor times are longer in `slow` than in `than`: that `where`, minus elsewhere."""
    given = entry.given
    factors = (
        _times(evaluator, own, there.but(**given["slow"]), there.but(**given["than"]))
        for there in (case.but(**given["where"]), case)
    )
    return difference(*factors)


@_of_each
def _shortened_more(
    evaluator: Evaluator, entry: Entry, case: Case, own: str, other: str
) -> Estimate | None:
    """By how many percent a case shortens a design's times, minus those of the other design."""
    measured = evaluator.measured
    both = (measured.reduction_pct((case, one), (case.unvaried, one)) for one in (own, other))
    return difference(*both)


def _times(evaluator: Evaluator, own: str, case: Case, than: Case) -> Estimate | None:
    return WAYS["times, of means"](evaluator.measured, (case, own), (than, own), None)


# Numbers of the page.


def _by_run(evaluator: Evaluator, entry: Entry) -> Iterator[Claim]:
    """The number of each single run, of those `below` a number only, if that is given."""
    measured, parts = evaluator.measured, []
    below = entry.given.get("below", inf)
    for case in entry.cases:
        for name, own, other in evaluator.pairs(entry, case):
            above, of = measured.in_common([(case, own), (case, other)], entry.measure)
            for one, base in zip(above, of, strict=True):
                value = 100 * (1 - one / base) if entry.way.startswith("%") else one / base
                if value < below:
                    parts.append((f"{case}: {name}", Estimate(value, value, value, 1)))
    yield claim("each run", parts, entry.low, entry.high)


@_of_each
def _behind(evaluator: Evaluator, entry: Entry, case: Case, own: str, _: str) -> Estimate | None:
    """By how many percent a design is behind the fastest `among` some (default: those compared)."""
    measured = evaluator.measured
    among = evaluator.states.designs_in(entry.given.get("among", entry.design), case)
    columns = measured.in_common([(case, name) for name in among])
    if not columns[0]:
        return None
    means = dict(zip(among, map(fmean, columns), strict=True))
    behind = 100 * (means[own] / min(means.values()) - 1)
    return Estimate(behind, behind, behind, len(columns[0]))


def _implied(evaluator: Evaluator, entry: Entry) -> Iterator[Claim]:
    """What a page costs, ms, where `ratios` below disk paging are measured: see `cliff.py`."""
    for case in entry.cases:
        costs = implied_ms(evaluator.measured, case, entry.given["ratios"])
        values = [Estimate(cost, cost, cost, 1) for cost in costs]
        ratios = map(str, entry.given["ratios"])
        yield claim(f"{case}: ms a page", zip(ratios, values, strict=True), -inf, inf)


def _curve_error(evaluator: Evaluator, entry: Entry) -> Iterator[Claim]:
    """By how many ms the curve is off: what a design's time implies for a page, minus its cost."""
    measured, parts = evaluator.measured, []
    for case in entry.cases:
        base = case.unvaried
        seeds = measured.by_seed(base.but(**without_turns(SEEKS[0])), PAGING)  # those of the curve
        paging = measured.by_seed(base, PAGING)
        for name in evaluator.states.designs_in(entry.design, case):
            times = measured.by_seed(case, name)
            costs = measured.by_seed(case, name, "network_page_ms")
            if not seeds or not seeds.keys() <= times.keys():
                continue
            share = fmean(times[seed] for seed in seeds) / fmean(paging[seed] for seed in seeds)
            (implied,) = implied_ms(measured, case, [100 * (1 - share)])
            if 0 < implied < inf:
                error = implied - fmean(costs[seed] for seed in seeds)
                parts.append((f"{case}: {name}", Estimate(error, error, error, 1)))
    yield claim("curve", parts, entry.low, entry.high)


@_of_each
def _between_seeds(
    evaluator: Evaluator, _: Entry, case: Case, own: str, __: str
) -> Estimate | None:
    """By how many percent a design's slowest seed is behind its fastest; None for one seed."""
    times = evaluator.measured.by_seed(case, own).values()
    if len(times) < 2:
        return None
    behind = 100 * (max(times) / min(times) - 1)
    return Estimate(behind, behind, behind, len(times))


def _disk(_: Evaluator, entry: Entry) -> Iterator[Claim]:
    """What a page from the disk costs, ms, or from one without rotation with this seek time."""
    cost = disk_ms(entry.given.get("seek_ms"))
    yield claim("a page from the disk", [("ms", Estimate(cost, cost, cost, 1))], -inf, inf)


with_chance = WithChance
KINDS: Mapping[str, Callable[[Evaluator, Entry], Iterator[Claim]]] = {
    "best": _best,
    "factor rises": _factor_rises,
    "slowed less": _slowed_less,
    "shortened more": _shortened_more,
    "by run": _by_run,
    "behind": _behind,
    "between seeds": _between_seeds,
    "implied": _implied,
    "curve error": _curve_error,
    "disk": _disk,
}
