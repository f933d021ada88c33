"""What is measured, with an interval even where there is a single run.

The thesis ran each experiment once, and so did we where seeds would take too long. How far a single
run may be off is known from cases like it that have several seeds.
"""

from functools import lru_cache
from itertools import accumulate
from math import hypot, isnan, nan

from numpy import interp

from model.papers.cases import Case
from model.papers.measurements import Bounded, Compared, Measurements
from model.papers.thesis.cases import LOADS, OTHER_LOADS, base, load, table_3_1
from model.sweeps.statistics import Estimate, around

_LIGHT_JOBS = load(LOADS[0])["jobs"]


def mean(measured: Measurements, case: Case, design: str, measure: str | None) -> Estimate | None:
    """A design's mean, with an interval even for a single run."""
    found = measured.of(case, design, measure)
    if found is None or found.n > 1 or isinstance(found, Bounded):
        return found
    spread = _spread_of_one(measured, case, design, measure)
    return around(found.mean, spread * abs(found.mean), 1)


def reduction_pct(
    measured: Measurements, own: Compared, than: Compared, measure: str | None = None
) -> Estimate | None:
    """`Measurements.reduction_pct` against another design, or the same one in another case.

    For a single run, two cases of one design are taken to vary independently.
    """
    found = measured.reduction_pct(own, than, measure)
    if found is None or found.n > 1 or isnan(found.mean):
        return found
    (case, design), (there, other) = own, than
    if other == design:
        spreads = [_spread_of_one(measured, one, design, measure) for one in (case, there)]
        spread = hypot(*spreads)
    else:
        spread = _spread_of_one(measured, case, design, measure, other)
    half = spread * (100 - found.mean)
    if isinstance(found, Bounded):
        return found._replace(low=found.low - half, high=min(100, found.high + half))
    return around(found.mean, half, 1)


def _spread_of_one(
    measured: Measurements, case: Case, design: str, measure: str | None, than: str = ""
) -> float:
    """How far a single run may be off, as a share of its value: half of a 95 % interval.

    It is that of cases with as many nodes and several seeds, for a mean or (`than`) the quotient of
    two designs; see `_spread_where`. Where the case is elsewhere, so are its jobs that wait.
    """
    waiting = _waiting(measured, case, design, than)
    nodes = case.parameters["nodes"]
    return _spread_where(measured.home, nodes, waiting, design, measure, than)


def spread_of_theirs(
    measured: Measurements, case: Case, design: str, measure: str | None, than: str = ""
) -> float:
    """The same for a run of the thesis, whose jobs may wait for longer than ours.

    Under its heavy load jobs "are starting to get backlogged" (section 4.1), as in our onset case.
    Where RAM is scarce they are taken to wait as in the deep one.
    """
    given = case.parameters
    nodes = given["nodes"]
    onset, deep = OTHER_LOADS
    queue = LOADS[0] if given["jobs"] == _LIGHT_JOBS else onset
    if given.get("ram", 100) < 100:
        queue = deep
    waiting = _waiting(measured.home, base(nodes, queue), design, than)
    return _spread_where(measured.home, nodes, waiting, design, measure, than)


def waiting_share(measured: Measurements, case: Case, design: str) -> float | None:
    """For which share of their time jobs wait for a place; None if that is not stored."""
    waits, takes = (measured.of(case, design, one) for one in ("mean_wait_s", None))
    return None if waits is None or takes is None else waits.mean / takes.mean


def _waiting(measured: Measurements, case: Case, design: str, than: str = "") -> float:
    """For which share of their time jobs wait for a place, under either design; 1 if not known.

    The more they wait, the more a chance that delays one of them also delays those behind it.
    """
    shares = [waiting_share(measured, case, name) for name in (design, than) if name]
    return max(1.0 if share is None or isnan(share) else share for share in shares)


def _spread_where(
    measured: Measurements, nodes: int, waiting: float, design: str, measure: str | None, than: str
) -> float:
    """The spread where jobs wait for this share of their time, between cases with several seeds.

    Where they wait for longer than in any of these it is that of the last; nan if there are none.
    """
    known = _spreads(measured, nodes, design, measure, than)
    return float(interp(waiting, [*known], [*known.values()])) if known else nan


@lru_cache(maxsize=512)  # enough for one page
def _spreads(
    measured: Measurements, nodes: int, design: str, measure: str | None, than: str
) -> dict[float, float]:
    """How far one run may be off, by how long jobs wait, both in ascending order.

    These are cases with several seeds, each as unsure as the least sure in which jobs wait for no
    longer: one delay by chance that lasts is enough to make a case look sure that is not.
    """
    found: dict[float, float] = {}
    for case in (*table_3_1(nodes), *(base(nodes, name) for name in OTHER_LOADS)):
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


def optimization_ratio(measured: Measurements, case: Case, design: str) -> Estimate | None:
    """By how many percent of DP's mean response time a design's is shorter (section 3.1.5)."""
    return reduction_pct(measured, (case, design), (case, "DP"))


def quotient(
    measured: Measurements, case: Case, design: str, measure: str | None, than: Case | None
) -> Estimate | None:
    """A measure in multiples of DP's, or of its own in the case `than`."""
    other = (case, "DP") if than is None else (than, design)
    reduction = reduction_pct(measured, (case, design), other, measure)
    if reduction is None:
        return None
    mean, least, most, n = reduction
    return type(reduction)(1 - mean / 100, 1 - most / 100, 1 - least / 100, n)
