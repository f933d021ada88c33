"""The cliff: what a page may cost before jobs queue, and what the thesis's numbers imply.

With disk paging every page costs the same. Runs with disks of other speeds say how long jobs take
at which cost of a page, whatever it comes from; a mean response time of the thesis then says what
a page must have cost there.
"""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from math import inf, log, nan
from statistics import fmean
from typing import Any

from model.ground.units import NS_PER_MS
from model.papers.cases import Case, declared
from model.papers.measurements import Measurements
from model.pnr.constants import disk_service_ns
from model.pnr.measures import PAGING
from model.pnr.scenario import make_scenario

#: The seek times of the other disks, ms, which do not rotate.
SEEKS: list[float] = declared("thesis")["runs"]["cliff"]["seek_ms"]


@cache
def disk_ms(seek_ms: float | None = None) -> float:
    """What a page from the disk costs; of one that does not rotate, if a seek time is given."""
    scenario = make_scenario(**({} if seek_ms is None else without_turns(seek_ms)))
    return disk_service_ns(scenario) / NS_PER_MS


def without_turns(seek_ms: float) -> dict[str, Any]:
    """The parameters of such a disk."""
    return {"seek_ms": seek_ms, "rotation": False}


def implied_ms(measured: Measurements, case: Case, ratios: Sequence[float]) -> list[float]:
    """The milliseconds a page that optimization ratios, %, imply in a base case.

    By the curve of disk paging on its cluster under its load, whose logarithm is interpolated: 0 if
    jobs would take longer even with the cheapest page, inf if not with the dearest.
    """
    costs = {disk_ms(): case.unvaried}
    costs |= {disk_ms(seek): case.unvaried.but(**without_turns(seek)) for seek in SEEKS}
    rising = sorted(costs)
    columns = measured.in_common([(costs[cost], PAGING) for cost in rising])
    if not columns[0]:
        return [nan] * len(ratios)
    curve = dict(zip(rising, map(fmean, columns), strict=True))
    return [_ms_at(curve, curve[disk_ms()] * (1 - ratio / 100)) for ratio in ratios]


def _ms_at(curve: dict[float, float], response_s: float) -> float:
    points = [*curve.items()]
    if response_s <= points[0][1]:
        return 0
    for (low_ms, low_s), (high_ms, high_s) in pairwise(points):
        if low_s <= response_s <= high_s:
            share = log(response_s / low_s) / log(high_s / low_s) if high_s > low_s else 0
            return low_ms + share * (high_ms - low_ms)
    return inf
