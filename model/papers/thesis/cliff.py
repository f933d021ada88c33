"""The cliff: what a page may cost before jobs queue, and what the thesis's numbers imply.

With disk paging every page costs the same. Runs with disks of other speeds say how long jobs take
at which cost of a page, whatever it comes from; a mean response time of the thesis then says what
a page must have cost there.
"""

from collections.abc import Sequence
from functools import cache, partial
from itertools import pairwise, product
from math import inf, isnan, log
from typing import TYPE_CHECKING, Any, NamedTuple

import pandas as pd

from model.ground.units import NS_PER_MS
from model.papers.cases import Case
from model.papers.figures import Panel, PaperFigure, Style
from model.papers.measurements import Measurements
from model.papers.tables import columns
from model.papers.thesis.cases import (
    COORDINATED,
    H64,
    H128,
    L64,
    L128,
    LARGE,
    LOADS,
    PNR,
    SMALL,
    base,
    clusters,
    disks,
    slower,
)
from model.papers.thesis.claims import perhaps
from model.pnr.constants import disk_service_ns
from model.pnr.measures import PAGING
from model.pnr.scenario import make_scenario
from model.sweeps.statistics import Estimate
from model.views.style import FONT_SIZE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SHOWN = "MAN"  # the design whose pages over networks are shown
_COLORS = {"light": "#56B4E9", "heavy": "#0072B2"}


@cache
def disk_ms(seek_ms: float | None = None) -> float:
    """What a page from the disk costs; of one that does not rotate, if a seek time is given."""
    scenario = make_scenario() if seek_ms is None else make_scenario(**_no_turns(seek_ms))
    return disk_service_ns(scenario) / NS_PER_MS


def _by_cost(measured: Measurements, case: Case) -> dict[float, pd.Series]:
    """Disk paging's mean response times, s, by milliseconds a page: over the seeds of all disks.

    They are of the case's cluster and load, and none unless all disks were run with a seed.
    """
    nodes = case.parameters["nodes"]
    own = next(base(nodes, load) for load in LOADS if base(nodes, load).name == case.name)
    others = {disk_ms(seek): own.but(**_no_turns(seek)) for seek in disks()}
    costs = sorted({disk_ms(): own, **others}.items())
    found = {cost: measured.values(one, PAGING) for cost, one in costs}
    seeds = sorted(set.intersection(*({*values.index} for values in found.values())))
    return {cost: values[seeds] for cost, values in found.items()} if seeds else {}


def curve(measured: Measurements, case: Case) -> list[tuple[float, float]]:
    """Milliseconds a page and the mean response time, s, of disk paging, by rising cost.

    It is that of the case's cluster and load, over the seeds that all disks have, so that seeds do
    not bend it; empty unless all disks were run.
    """
    return _means(_by_cost(measured, case))


def _means(by_cost: dict[float, pd.Series]) -> list[tuple[float, float]]:
    return [(cost, float(values.mean())) for cost, values in by_cost.items()]


def implied_ms(points: list[tuple[float, float]], response_s: float) -> float:
    """What a page costs where jobs take so long, by the curve (its logarithm is interpolated).

    0 if jobs take longer even with the cheapest page, inf if they do not with the dearest.
    """
    if response_s <= points[0][1]:
        return 0
    for (low_ms, low_s), (high_ms, high_s) in pairwise(points):
        if low_s <= response_s <= high_s:
            share = log(response_s / low_s) / log(high_s / low_s) if high_s > low_s else 0
            return low_ms + share * (high_ms - low_ms)
    return inf


class Stated(NamedTuple):
    """An optimization ratio, %, that the thesis states for some designs in a case."""

    words: str
    case: Case
    designs: Sequence[str]
    ratios: tuple[float, ...]  # the least and the most, or one number

    @property
    def percents(self) -> str:
        """The ratios in words."""
        return f"{' to '.join(f'{pct:,g}' for pct in self.ratios)} %"


STATED = (
    Stated("star, 64 nodes, light", L64, PNR[SMALL], (10, 12.08)),
    Stated("star, 64 nodes, heavy: BB16", H64, ("BB16",), (33.38,)),
    Stated("star, 128 nodes, light: CLI", L128, ("CLI",), (15,)),
    Stated("star, 128 nodes, light: the others", L128, COORDINATED[LARGE], (5, 7.5)),
    Stated("star, 128 nodes, heavy: CLI and BB8", H128, ("CLI", "BB8"), (5,)),
    Stated(
        "star of 1,000 Mbps, 128 nodes, light", L128.but(bandwidth_mbps=1000), PNR[LARGE], (12.5,)
    ),
    Stated("connected, 64 nodes, heavy: BB16", H64.but(topology="connected"), ("BB16",), (60,)),
    Stated("bus, 128 nodes, light: CEN", L128.but(topology="bus"), ("CEN",), (-2500,)),
    Stated("bus, 128 nodes, heavy: CEN", H128.but(topology="bus"), ("CEN",), (-300,)),
)


def implied(measured: Measurements, case: Case, ratios: Sequence[float]) -> list[float]:
    """The milliseconds a page that optimization ratios, %, imply, by our curve; ascending."""
    points = curve(measured, case)
    if not points:
        return []
    paging_s = dict(points)[disk_ms()]
    return sorted(implied_ms(points, paging_s * (1 - pct / 100)) for pct in ratios)


def ours(measured: Measurements, case: Case, design: str) -> tuple[float, float] | None:
    """What a page costs here by the curve and in fact, ms; None unless it has the curve's seeds."""
    by_cost = _by_cost(measured, case)
    if not by_cost:
        return None
    seeds = by_cost[disk_ms()].index
    own = [measured.values(case, design, name) for name in (None, "network_page_ms")]
    if any(not seeds.isin(values.index).all() for values in own):
        return None
    response_s, in_fact_ms = (float(values[seeds].mean()) for values in own)
    return implied_ms(_means(by_cost), response_s), in_fact_ms


def free_pct(measured: Measurements, case: Case) -> float | None:
    """The optimization ratio, %, of pages that cost next to nothing: the cheapest of the curve."""
    points = curve(measured, case)
    return 100 * (1 - points[0][1] / dict(points)[disk_ms()]) if points else None


def perhaps_stated(measured: Measurements, stated: Stated) -> tuple[float, float]:
    """The least and the most that a ratio of the thesis's may be by chance, %; nan if not known."""
    least, most = (
        perhaps(measured, stated.case, stated.designs, bound, up)
        for bound, up in ((min(stated.ratios), -1), (max(stated.ratios), 1))
    )
    return least, most


def _by_chance(measured: Measurements, stated: Stated) -> str:
    chances = perhaps_stated(measured, stated)
    return "" if any(map(isnan, chances)) else _span(implied(measured, stated.case, chances))


def _ours(measured: Measurements, stated: Stated, place: int) -> str:
    here = [ours(measured, stated.case, name) for name in stated.designs]
    return _span([both[place] for both in here if both])


#: What ratios, the thesis's and ours, imply for a page, and what one costs here.
implications = columns(
    ("", "the thesis's ratio"),
    {(stated.words, stated.percents): (stated,) for stated in STATED},
    {
        "implies, ms a page": lambda measured, stated: _span(
            implied(measured, stated.case, stated.ratios)
        ),
        "by chance": _by_chance,
        "ours implies": partial(_ours, place=0),
        "measured here": partial(_ours, place=1),
    },
)


def curve_errors(measured: Measurements) -> list[float]:
    """By how many ms a page the curve is off for our own slow networks, under each design."""
    found = [
        ours(measured, base(nodes, load).but(bandwidth_mbps=mbps), name)
        for (nodes, designs), load, mbps in product(clusters().items(), LOADS, slower())
        for name in designs[1:]
    ]
    return [ms - in_fact for ms, in_fact in filter(None, found) if 0 < ms < inf]


def _span(costs: Sequence[float]) -> str:
    """The least and the most of costs in words; the ends of the curve are not numbers."""
    if not costs:
        return ""
    cheapest, dearest = (disk_ms(some(disks())) for some in (min, max))
    words = {0.0: f"less than {cheapest:.1f}", inf: f"more than {dearest:.0f}"}
    return " to ".join(
        dict.fromkeys(words.get(some(costs), f"{some(costs):.1f}") for some in (min, max))
    )


# The picture.


def _response_s(measured: Measurements, case: Case, load: str) -> Estimate | None:
    """Disk paging's mean response time under a load, for a case along the axis."""
    nodes = case.parameters["nodes"]
    others = {key: value for key, value in case.parameters.items() if key != "nodes"}
    return measured.of(base(nodes, load).but(**others), PAGING)


def _networks(axes: "Axes", panel: Panel, measured: Measurements) -> None:
    """Mark what a page over each network costs, at the response time that comes of it."""
    (nodes,) = {case.parameters["nodes"] for case in panel.cases}
    networks: dict[str, dict[str, object]] = {"100 Mbps": {}, "bus": {"topology": "bus"}}
    networks |= {f"{mbps:g} Mbps": {"bandwidth_mbps": mbps} for mbps in reversed(slower())}
    for load in LOADS:
        for row, (words, parameters) in enumerate(networks.items()):
            case = base(nodes, load).but(**parameters)
            cost, response = (
                measured.of(case, _SHOWN, measure) for measure in ("network_page_ms", None)
            )
            if cost is None or response is None:
                continue
            axes.plot(cost.mean, response.mean, "o", mfc="white", mec=_COLORS[load], ms=5)
            if load == "heavy":
                axes.annotate(
                    words,
                    (cost.mean, response.mean),
                    xytext=(0, 8 + 10 * row),  # since costs may be close to one another
                    textcoords="offset points",
                    fontsize=FONT_SIZE - 1,
                    ha="left",
                    arrowprops={"arrowstyle": "-", "linewidth": 0.5, "color": "#666666"},
                )
    axes.axvline(disk_ms(), color="#999999", linewidth=0.8, linestyle=":")
    axes.annotate(
        "the disk",
        (disk_ms(), 0.02),
        xycoords=("data", "axes fraction"),
        xytext=(3, 0),
        textcoords="offset points",
        fontsize=FONT_SIZE - 1,
        color="#666666",
    )


def _panel(nodes: int) -> Panel:
    by_cost = sorted([(disk_ms(), {}), *((disk_ms(s), _no_turns(s)) for s in disks())])
    return Panel(
        tuple(Case(nodes=nodes, **parameters) for _, parameters in by_cost),
        tuple(cost for cost, _ in by_cost),
        "What a page costs (ms)",
        f"{nodes} nodes",
    )


def _no_turns(seek_ms: float) -> dict[str, Any]:
    return {"seek_ms": seek_ms, "rotation": False}


def _log_scale(axes: "Axes", shown: list[Estimate]) -> None:
    axes.set_yscale("log")
    axes.set_ylim(min(value.mean for value in shown) / 2, 2 * max(value.mean for value in shown))


CLIFF = PaperFigure(
    "1",
    "The cliff: how long jobs take by what a page costs. Lines: disk paging, from disks of other "
    f"speeds. Circles: {_SHOWN}, at what a page over a network cost",
    tuple(_panel(nodes) for nodes in clusters()),
    {load: Style(color) for load, color in _COLORS.items()},
    "Mean response time (s, log scale)",
    _response_s,
    scale=_log_scale,
    also=_networks,
)
