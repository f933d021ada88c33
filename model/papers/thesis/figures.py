"""Ours first; then the thesis's figures 4.1 to 4.42, which are lost, drawn from stored results.

Axes and grouping follow from the captions and chapter 4. What the thesis left out because it
dwarfed the rest (10 Mbps; the bus in 4.35 and 4.36) is shown. Each cluster has 21 figures in the
same order: the base case under growing workloads; then the base case and what table 3.1 varies,
each under two loads, first with the response time, then with the optimization ratio.
"""

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from model.papers.cases import Case, declared, over
from model.papers.figures import Panel, PaperFigure, Style, linear, logarithmic
from model.papers.measurements import Measurements, shows
from model.papers.study import study_of
from model.papers.thesis.cliff import SEEKS, disk_ms, without_turns
from model.pnr.measures import PAGING
from model.report.figures import COLORS
from model.sweeps.statistics import Estimate
from model.views.style import FONT_SIZE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_CHOICE, _RUNS = declared("thesis")["choice"], declared("thesis")["runs"]
_LOADS: dict[str, dict[str, int]] = _CHOICE["load"]
_CLUSTERS = [cluster["nodes"] for cluster in _CHOICE["cluster"].values()]


def _designs(nodes: int) -> list[str]:
    """Disk paging and uncoordinated clients, then from one manager to one per node."""
    return study_of("thesis").states.designs_in("all", Case(nodes=nodes))


def _base(nodes: int, load: str) -> Case:
    return Case(f"{nodes} nodes, {load}", {"nodes": nodes, **_LOADS[load]})


def _ratio(measured: Measurements, case: Case, design: str) -> Estimate | None:
    return measured.reduction_pct((case, design), (case, PAGING))


# The cliff.

_SHOWN = "MAN"  # the design whose pages over networks are shown
_LOAD_COLORS = {"light": "#56B4E9", "heavy": "#0072B2"}
_NETWORKS: dict[str, dict[str, object]] = {
    "100 Mbps": {},
    "bus": {"topology": "bus"},
    **{f"{mbps} Mbps": {"bandwidth_mbps": mbps} for mbps in (50, 25, 10)},
}


def _response_s(measured: Measurements, case: Case, load: str) -> Estimate | None:
    """Disk paging's mean response time under a load, for a case along the axis."""
    return measured.of(case.but(**_LOADS[load]), PAGING)


def _networks(axes: "Axes", panel: Panel, measured: Measurements) -> None:
    """Mark what a page over each network costs, at the response time that comes of it."""
    nodes = panel.cases[0].parameters["nodes"]
    for load, (row, (words, parameters)) in product(_LOADS, enumerate(_NETWORKS.items())):
        case = _base(nodes, load).but(**parameters)
        cost, response = (
            measured.of(case, _SHOWN, measure) for measure in ("network_page_ms", None)
        )
        if cost is None or response is None:
            continue
        axes.plot(cost.mean, response.mean, "o", mfc="white", mec=_LOAD_COLORS[load], ms=5)
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


def _by_cost(nodes: int) -> Panel:
    costs: dict[float, dict[str, object]] = {disk_ms(): {}}
    costs |= {disk_ms(seek): without_turns(seek) for seek in SEEKS}
    cases = tuple(Case(nodes=nodes, **costs[cost]) for cost in sorted(costs))
    return Panel(cases, tuple(sorted(costs)), "What a page costs (ms)", f"{nodes} nodes")


def _log_scale(axes: "Axes", shown: list[Estimate]) -> None:
    axes.set_yscale("log")
    axes.set_ylim(min(value.mean for value in shown) / 2, 2 * max(value.mean for value in shown))


CLIFF = PaperFigure(
    "1",
    "The cliff: how long jobs take by what a page costs. Lines: disk paging, from disks of other "
    f"speeds. Circles: {_SHOWN}, at what a page over a network cost",
    tuple(map(_by_cost, _CLUSTERS)),
    {load: Style(color) for load, color in _LOAD_COLORS.items()},
    "Mean response time (s, log scale)",
    _response_s,
    scale=_log_scale,
    also=_networks,
)

# Which design, where.

_MAP: dict[str, Any] = declared("map")
_VARIED: dict[str, list[float]] = _MAP["runs"]["map"]
_OTHERS = {"TREE4": "#999999", "PROBE2": "#CC79A7", "ADAPT": "#D55E00"}


def _times_paging(measured: Measurements, case: Case, design: str) -> Estimate | None:
    """A design in multiples of disk paging: the mean, the least and the most of the windows."""
    study = study_of("thesis")
    entry = {"runs": {"of": "map", **case.parameters}, "design": design, "to": PAGING}
    evaluator = study.evaluator(measured)
    (mean,) = evaluator.claims(study.states.entries([{**entry, "as": "times", "over": "runs"}]))
    each = evaluator.claims(study.states.entries([{**entry, "as": "times, of means"}]))
    found = mean.parts[0].value
    times = [one.parts[0].value for one in each if one.parts[0].value is not None]
    if found is None:
        return None
    means = [one.mean for one in times]
    return Estimate(found.mean, min(means), max(means), found.n)


def _place(factor: float, ram: float) -> Panel:
    networks = _VARIED["bandwidth_mbps"]
    cases = tuple(Case(bandwidth_mbps=mbps, load_factor=factor, ram=ram) for mbps in networks)
    ticks = tuple(f"{mbps:,}" for mbps in networks)
    return Panel(cases, ticks, "Mbps", f"load factor {factor:g}, {ram:g} % RAM")


MAP = PaperFigure(
    "2",
    "Mean response times in multiples of disk paging's, by network, load and RAM (log scale)",
    tuple(_place(factor, ram) for factor, ram in product(_VARIED["load_factor"], _VARIED["ram"])),
    {name: Style({**COLORS, **_OTHERS}[name]) for name in _MAP["designs"] if name != PAGING},
    "Times DP's response time",
    _times_paging,
    level=1,
    scale=logarithmic,
    note="long bars are cut",
    bars="the least to the most",
    summary=True,
)

# Figures 4.1 to 4.42.

# What table 3.1 varies: the words of the captions, the axis, and the part of `runs.toml`.
_TABLE_3_1 = {
    "RAM experiments": ("RAM (% of 32 MB)", "ram", "ram"),
    "Network experiments": ("Link bandwidth (Mbps)", "bandwidth", "bandwidth_mbps"),
    "Topology experiments": ("Topology", "topology", "topology"),
    "Space sharing experiments": ("RAM (% of 32 MB)", "space-sharing", "ram"),
}
_APART = 15  # response times have a logarithmic axis if the highest is this many times the lowest
_LINEAR_PCT = 100  # optimization ratios below minus this are on a logarithmic part of the axis


def _response_scale(axes: "Axes", shown: list[Estimate]) -> None:
    """Scale logarithmically if the values differ by orders of magnitude."""
    means = [value.mean for value in shown]
    if max(means) < _APART * min(means):
        linear(axes, shown)
        axes.yaxis.set_major_formatter("{x:,.0f}")
        return
    axes.set_yscale("log")
    axes.set_ylim(10 ** np.floor(np.log10(min(means))))
    axes.set_ylabel("Mean response time (s, log scale)")


def _ratio_scale(axes: "Axes", shown: list[Estimate]) -> None:
    """Scale linearly from -100 to 100 %, and logarithmically below, since DP may be far ahead."""
    from matplotlib.ticker import NullLocator

    lowest = min(value.mean for value in shown)
    if lowest >= -_LINEAR_PCT:
        axes.margins(y=0.12)
        return
    axes.set_yscale("symlog", linthresh=_LINEAR_PCT, linscale=2)
    axes.set_ylabel(f"Optimization ratio (%)\nlog scale below −{_LINEAR_PCT}")
    powers = range(3, int(np.log10(-lowest)) + 1)
    axes.set_yticks([*(-(10.0**power) for power in powers), -100, -50, 0, 50, 100])
    axes.yaxis.set_minor_locator(NullLocator())
    axes.set_ylim(1.6 * lowest, 100)
    axes.yaxis.set_major_formatter("{x:,.0f}")


_MEASURES: dict[str, dict[str, Any]] = {
    "response time": {
        "label": "Mean response time (s)",
        "value": shows(),
        "scale": _response_scale,
    },
    "optimization ratio": {
        "label": "Optimization ratio (%)",
        "value": _ratio,
        "scale": _ratio_scale,
        "level": 0,
    },
}


def _of_cluster(nodes: int) -> Iterator[dict[str, Any]]:
    """Everything about each figure of a cluster except its number."""
    workloads = _RUNS["figures-4-1-and-4-22"]["jobs"]
    cases = tuple(_base(nodes, "light").but(jobs=jobs) for jobs in workloads)
    growing = Panel(cases, tuple(f"{jobs:,}" for jobs in workloads), "Jobs")
    yield _figure("Base experiment", "several workloads", nodes, "response time", growing, "lines")
    for load, measure in product(_LOADS, _MEASURES):
        alone = Panel((_base(nodes, load),), ("",), "Design")
        yield _figure("Base experiment", load, nodes, measure, alone)
    for experiment, (axis, part, parameter) in _TABLE_3_1.items():
        varied = _CHOICE["varied"][part]
        ticks = tuple(v if isinstance(v, str) else f"{v:,}" for v in varied[parameter])
        for load, measure in product(_LOADS, _MEASURES):
            panel = Panel(over(_base(nodes, load), **varied), ticks, axis)
            yield _figure(experiment, load, nodes, measure, panel)


def _figure(
    experiment: str, load: str, nodes: int, measure: str, panel: Panel, form: str = "bars"
) -> dict[str, Any]:
    """A figure with the thesis's caption; optimization ratios leave out DP."""
    jobs = f"{_LOADS[load]['jobs']:,} jobs" if load in _LOADS else load
    designs = [name for name in _designs(nodes) if measure == "response time" or name != PAGING]
    return {
        "caption": f"{experiment} - {nodes} PE - {jobs} - {measure}",
        "panels": (panel,),
        "styles": {name: Style(COLORS[name]) for name in designs},
        "form": form,
        **_MEASURES[measure],
    }


_ALL = [figure for nodes in _CLUSTERS for figure in _of_cluster(nodes)]
_OF_THE_THESIS = (
    PaperFigure(f"4.{number}", **figure) for number, figure in enumerate(_ALL, start=1)
)
FIGURES = (CLIFF, MAP, *_OF_THE_THESIS)
"""Those of our own, and the thesis's."""
