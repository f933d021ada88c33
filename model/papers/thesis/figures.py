"""The thesis's figures 4.1 to 4.42, which are lost, drawn from stored results; ours before them.

Axes and grouping follow from the captions and chapter 4. What the thesis left out because it
dwarfed the rest (10 Mbps; the bus in 4.35 and 4.36) is shown. Each cluster has 21 figures in the
same order: the base case under growing workloads; then the base case and what table 3.1 varies,
each under two loads, first with the response time, then with the optimization ratio.
"""

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from model.papers.cases import Case
from model.papers.figures import Panel, PaperFigure, Style, linear
from model.papers.measurements import Measurements, shows
from model.papers.thesis.cases import LOADS, base, cases_of, clusters, values, workloads
from model.papers.thesis.cliff import CLIFF
from model.papers.thesis.design_map import MAP
from model.papers.thesis.sensitivities import SENSITIVITIES
from model.report.figures import COLORS
from model.sweeps.statistics import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# What table 3.1 varies: the words of the captions, the axis, and the part of `thesis.toml`.
_VARIED = {
    "RAM experiments": ("RAM (% of 32 MB)", "ram", "ram"),
    "Network experiments": ("Link bandwidth (Mbps)", "bandwidth", "bandwidth_mbps"),
    "Topology experiments": ("Topology", "topology", "topology"),
    "Space sharing experiments": ("RAM (% of 32 MB)", "space-sharing", "ram"),
}
_APART = 15  # response times have a logarithmic axis if the highest is this many times the lowest
_LINEAR_PCT = 100  # optimization ratios below minus this are on a logarithmic part of the axis


def _ratio(measured: Measurements, case: Case, design: str) -> Estimate | None:
    return measured.reduction_pct((case, design), (case, "DP"))


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
    ticks = tuple(f"{jobs:,}" for jobs in workloads())
    growing = (
        Panel(tuple(base(nodes, LOADS[0]).but(jobs=jobs) for jobs in workloads()), ticks, "Jobs"),
    )
    yield _figure("Base experiment", nodes, "response time", growing, form="lines")
    yield from _under_both_loads(
        "Base experiment",
        nodes,
        {name: Panel((base(nodes, name),), ("",), "Design") for name in LOADS},
    )
    for experiment, (axis, part, parameter) in _VARIED.items():
        ticks = tuple(v if isinstance(v, str) else f"{v:,}" for v in values(part, parameter))
        panels = {name: Panel(tuple(cases_of(part, nodes, name)), ticks, axis) for name in LOADS}
        yield from _under_both_loads(experiment, nodes, panels)


def _under_both_loads(
    experiment: str, nodes: int, panels: dict[str, Panel]
) -> Iterator[dict[str, Any]]:
    for panel, measure in product(panels.values(), _MEASURES):
        yield _figure(experiment, nodes, measure, (panel,), form="bars")


def _figure(
    experiment: str, nodes: int, measure: str, panels: tuple[Panel, ...], **others: object
) -> dict[str, Any]:
    """A figure with the thesis's caption; optimization ratios leave out DP."""
    numbers = {case.parameters["jobs"] for case in panels[0].cases}
    jobs = "several workloads" if len(numbers) > 1 else f"{max(numbers):,} jobs"
    caption = f"{experiment} - {nodes} PE - {jobs} - {measure}"
    designs = [name for name in clusters()[nodes] if measure == "response time" or name != "DP"]
    styles = {name: Style(COLORS[name]) for name in designs}
    return {"caption": caption, "panels": panels, "styles": styles, **_MEASURES[measure], **others}


_ALL = [figure for nodes in clusters() for figure in _of_cluster(nodes)]
_OF_THE_THESIS = (
    PaperFigure(f"4.{number}", **figure) for number, figure in enumerate(_ALL, start=1)
)
FIGURES = (CLIFF, MAP, SENSITIVITIES, *_OF_THE_THESIS)
