"""What the study draws; `later-clusters.toml` and `hpc2n-log.toml` declare the runs."""

from functools import partial

from model.papers.cases import Case
from model.papers.figures import Panel, PaperFigure, Style, logarithmic
from model.papers.later_clusters.cases import (
    BUS,
    CLUSTERS,
    HEAVY,
    PRESETS,
    SCARCE,
    SCARCE_DESIGNS,
    compared,
)
from model.papers.later_clusters.page_costs import COSTS, cost_us
from model.papers.measurements import Measurements
from model.sweeps.statistics import Estimate

#: How designs are drawn.
STYLES = {
    "CLI": Style("#000000"),
    "CEN": Style("#E69F00"),
    "BB4": Style("#009E73"),
    "MAN": Style("#CC79A7"),
    "PROBE2": Style("#56B4E9"),
}


def _times(measured: Measurements, case: Case, design: str, load: str) -> Estimate | None:
    """The response time in multiples of disk paging's, with its interval over windows."""
    return compared(measured, case.name, load, design, "DP")["by windows"]


def _panel(load: str, clusters: tuple[str, ...], told: str) -> Panel:
    return Panel(tuple(map(Case, clusters)), clusters, "", told, partial(_times, load=load))


FIGURES = (
    PaperFigure(
        "1",
        "What a page costs, by cluster (log scale); one of rdma-2020 has 64 KB, the others 4 KB",
        (Panel(tuple(map(Case, CLUSTERS)), CLUSTERS, ""),),
        {
            name: Style(color)
            for name, color in zip(COSTS, ("#999999", "#0072B2", "#D55E00"), strict=True)
        },
        "Microseconds",
        cost_us,
        "bars",
        scale=logarithmic,
        summary=True,
    ),
    PaperFigure(
        "2",
        "Mean response times under heavy load, in multiples of disk paging's (log scale)",
        (_panel(HEAVY, CLUSTERS, ""),),
        STYLES,
        "Times DP's response time",
        form="bars",
        level=1,
        scale=logarithmic,
        note="long intervals are cut",
        summary=True,
    ),
    PaperFigure(
        "3",
        "Mean response times where memory is scarce, in multiples of disk paging's (log scale)",
        (_panel(SCARCE, PRESETS, "star"), _panel(BUS, PRESETS, "bus")),
        {name: STYLES[name] for name in SCARCE_DESIGNS},
        "Times DP's response time",
        form="bars",
        level=1,
        scale=logarithmic,
        note="long intervals are cut",
        summary=True,
    ),
)
