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
    compared,
)
from model.papers.later_clusters.page_costs import COSTS, cost_us
from model.papers.measurements import Measurements
from model.sweeps.statistics import Estimate

#: How designs are drawn, in the order of their pages.
STYLES = {
    "CLI": Style("#000000"),
    "CEN": Style("#E69F00"),
    "BB4": Style("#009E73"),
    "MAN": Style("#CC79A7"),
    "PROBE2": Style("#56B4E9"),
}
_CLUSTERS = tuple(map(Case, CLUSTERS))


def _times(
    measured: Measurements, case: Case, design: str, load: str, than: str
) -> Estimate | None:
    """The response time in multiples of another design's, with its interval over windows."""
    return compared(measured, case.name, load, design, than)["by windows"]


def _panels(than: str) -> tuple[Panel, ...]:
    """A panel for each load under which there is paging."""
    return tuple(
        Panel(tuple(map(Case, clusters)), clusters, "", told, partial(_times, load=load, than=than))
        for load, clusters, told in (
            (HEAVY, CLUSTERS, "heavy load"),
            (SCARCE, PRESETS, "memory scarce"),
            (BUS, PRESETS, "memory scarce, on a bus"),
        )
    )


FIGURES = (
    PaperFigure(
        "1",
        "What a page costs, by cluster (log scale); one of rdma-2020 has 64 KB, the others 4 KB",
        (Panel(_CLUSTERS, CLUSTERS, ""),),
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
        "Mean response times in multiples of disk paging's (log scale), over windows",
        _panels("DP"),
        STYLES,
        "Times DP's response time",
        form="bars",
        level=1,
        scale=logarithmic,
        summary=True,
    ),
    PaperFigure(
        "3",
        "Mean response times in multiples of MAN's, over windows",
        _panels("MAN"),
        {name: style for name, style in STYLES.items() if name != "MAN"},
        "Times MAN's response time",
        form="bars",
        level=1,
        summary=True,
    ),
)
