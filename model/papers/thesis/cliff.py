"""The cliff: what a page may cost before jobs queue, and what the thesis's numbers imply.

With disk paging every page costs the same. Runs with disks of other speeds say how long jobs take
at which cost of a page, whatever it comes from; a mean response time of the thesis then says what
a page must have cost there.
"""

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from math import inf, log
from typing import NamedTuple

from matplotlib.axes import Axes

from model.papers.cases import Case
from model.papers.figures import Panel, PaperFigure, Style
from model.papers.measurements import Measurements
from model.papers.page import table
from model.papers.thesis.cases import LOADS, base, clusters, disks, slower
from model.pnr.constants import disk_service_ns
from model.pnr.scenario import make_scenario
from model.sweeps.statistics import Estimate
from model.views.style import FONT_SIZE

_NS_PER_MS = 10**6
_SHOWN = "MAN"  # the design whose pages over networks are shown
_COLORS = {"light": "#56B4E9", "heavy": "#0072B2"}


@cache
def disk_ms(seek_ms: float | None = None) -> float:
    """What a page from the disk costs; of one that does not rotate, if a seek time is given."""
    other = {} if seek_ms is None else {"seek_ms": seek_ms, "rotation": False}
    return disk_service_ns(make_scenario(**other)) / _NS_PER_MS


def curve(measured: Measurements, nodes: int, load: str) -> list[tuple[float, float]]:
    """Milliseconds a page and the mean response time, s, of disk paging, by rising cost.

    It is over the seeds that all disks have, so that seeds do not bend it.
    """
    case = base(nodes, load)
    others = {disk_ms(seek): case.but(seek_ms=seek, rotation=False) for seek in disks()}
    costs = sorted({disk_ms(): case, **others}.items())
    found = {cost: measured.values(one, "DP") for cost, one in costs}
    known = {cost: values for cost, values in found.items() if not values.empty}
    seeds = (
        sorted(set.intersection(*({*values.index} for values in known.values()))) if known else []
    )
    return [(cost, float(values[seeds].mean())) for cost, values in known.items()] if seeds else []


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
    designs: tuple[str, ...]
    ratios: tuple[float, ...]  # the least and the most, or one number


_SMALL, _LARGE = clusters()
_L64, _H64, _L128, _H128 = (base(nodes, load) for nodes in (_SMALL, _LARGE) for load in LOADS)
_COORDINATED = {nodes: tuple(names[2:]) for nodes, names in clusters().items()}
STATED = (
    Stated("star, 64 nodes, light", _L64, ("CLI", *_COORDINATED[_SMALL]), (10, 12.08)),
    Stated("star, 64 nodes, heavy: BB16", _H64, ("BB16",), (33.38,)),
    Stated("star, 128 nodes, light: CLI", _L128, ("CLI",), (15,)),
    Stated("star, 128 nodes, light: the others", _L128, _COORDINATED[_LARGE], (5, 7.5)),
    Stated("star, 128 nodes, heavy: CLI and BB8", _H128, ("CLI", "BB8"), (5,)),
    Stated(
        "star of 1,000 Mbps, 128 nodes, light",
        _L128.but(bandwidth_mbps=1000),
        ("CLI", *_COORDINATED[_LARGE]),
        (12.5,),
    ),
    Stated("connected, 64 nodes, heavy: BB16", _H64.but(topology="connected"), ("BB16",), (60,)),
    Stated("bus, 128 nodes, light: CEN", _L128.but(topology="bus"), ("CEN",), (-2500,)),
    Stated("bus, 128 nodes, heavy: CEN", _H128.but(topology="bus"), ("CEN",), (-300,)),
)


def implied(measured: Measurements, stated: Stated) -> list[float]:
    """The milliseconds a page that a ratio of the thesis's implies, by our curve; ascending."""
    nodes = stated.case.parameters["nodes"]
    load = next(load for load in LOADS if base(nodes, load).name == stated.case.name)
    points = curve(measured, nodes, load)
    paging_s = dict(points).get(disk_ms())
    if paging_s is None or len(points) < 2:
        return []
    return sorted(implied_ms(points, paging_s * (1 - pct / 100)) for pct in stated.ratios)


def implications(measured: Measurements) -> Iterator[str]:
    """A table of what the thesis's ratios imply for a page, beside what a page costs here."""
    rows = []
    for stated in STATED:
        ours = [
            found.mean
            for name in stated.designs
            if (found := measured.of(stated.case, name, "network_page_ms"))
        ]
        ratios = " to ".join(f"{pct:,g}" for pct in stated.ratios)
        rows.append(
            (
                stated.words,
                f"{ratios} %",
                " to ".join(dict.fromkeys(map(_ms, implied(measured, stated)))),
                " to ".join(dict.fromkeys(_ms(some(ours)) for some in (min, max))) if ours else "",
            )
        )
    yield from table(("", "the thesis's ratio", "implied, ms a page", "here, ms a page"), rows)


def _ms(value: float) -> str:
    """A cost in words; the ends of the curve are not numbers."""
    if value == 0:
        return "less than any"
    return "more than 30" if value == inf else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


# The picture.


def _response_s(measured: Measurements, case: Case, load: str) -> Estimate | None:
    """Disk paging's mean response time under a load, for a case along the axis."""
    (nodes,) = {case.parameters["nodes"]}
    others = {key: value for key, value in case.parameters.items() if key != "nodes"}
    return measured.of(base(nodes, load).but(**others), "DP")


def _networks(axes: Axes, panel: Panel, measured: Measurements) -> None:
    """Mark what a page over each network costs, at the response time that comes of it."""
    (nodes,) = {case.parameters["nodes"] for case in panel.cases}
    networks = {"100 Mbps": {}, "bus": {"topology": "bus"}}
    networks |= {f"{mbps:g} Mbps": {"bandwidth_mbps": mbps} for mbps in (*reversed(slower()), 10)}
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


def _no_turns(seek_ms: float) -> dict[str, float | bool]:
    return {"seek_ms": seek_ms, "rotation": False}


def _log_scale(axes: Axes, shown: list[Estimate]) -> None:
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
