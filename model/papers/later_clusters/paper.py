"""The study: what its `text/findings.toml` and `text/page.md` name, and what it draws."""

from collections.abc import Mapping
from functools import partial

from model.papers.cases import Case
from model.papers.figures import Panel, PaperFigure, Style, logarithmic
from model.papers.later_clusters.advice import ADVICE
from model.papers.later_clusters.cases import (
    BUS,
    CLUSTERS,
    DESIGNS,
    HEAVY,
    HPC2N,
    PRESETS,
    SCARCE,
    SCARCE_DESIGNS,
    between,
    compared,
    share_between,
)
from model.papers.later_clusters.page_costs import COSTS, cost_us
from model.papers.measurements import Measurements
from model.papers.paper import Paper
from model.papers.statements import Terms, read_findings
from model.papers.tables import Table, columns, number
from model.sweeps.statistics import Estimate

#: How designs are drawn.
STYLES = {
    "CLI": Style("#000000"),
    "CEN": Style("#E69F00"),
    "BB4": Style("#009E73"),
    "MAN": Style("#CC79A7"),
    "PROBE2": Style("#56B4E9"),
}


def _over_paging_of(measured: Measurements, case: Case, design: str, load: str) -> Estimate | None:
    """The response time in multiples of disk paging's, with its interval over windows."""
    return compared(measured, case.name, load, design, "DP")["by windows"]


def _panel(load: str, clusters: tuple[str, ...], heading: str) -> Panel:
    return Panel(
        tuple(map(Case, clusters)), clusters, "", heading, partial(_over_paging_of, load=load)
    )


def _over_paging(
    number: str, when: str, panels: tuple[Panel, ...], designs: tuple[str, ...]
) -> PaperFigure:
    """A figure of designs' response times in multiples of disk paging's."""
    return PaperFigure(
        number,
        f"Mean response times {when}, in multiples of disk paging's (log scale)",
        panels,
        {name: STYLES[name] for name in designs},
        "Times DP's response time",
        form="bars",
        level=1,
        scale=logarithmic,
        note="long intervals are cut",
        summary=True,
    )


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
    _over_paging("2", "under heavy load", (_panel(HEAVY, CLUSTERS, ""),), tuple(STYLES)),
    _over_paging(
        "3",
        "where memory is scarce",
        (_panel(SCARCE, PRESETS, "star"), _panel(BUS, PRESETS, "bus")),
        SCARCE_DESIGNS,
    ),
)


def _times(
    measured: Measurements,
    cluster: str,
    load: str,
    design: str,
    than: str,
    measure: str | None = None,
) -> Estimate | None:
    return compared(measured, cluster, load, design, than, measure)["by windows"]


TABLES: Mapping[str, Table] = {
    "costs": columns(
        ("",),
        {cluster: (Case(cluster),) for cluster in CLUSTERS},
        {what: number("{:,.1f}", partial(cost_us, what=what)) for what in COSTS},
    ),
    "designs": columns(
        ("cluster", "load", ""),
        {
            (cluster, load, design): (cluster, load, design)
            for cluster in CLUSTERS
            for load in ((HEAVY,) if cluster == HPC2N else (HEAVY, SCARCE, BUS))
            for design in (DESIGNS if load == HEAVY else SCARCE_DESIGNS)
        },
        {
            "response time": partial(_times, than="DP"),
            "messages": partial(_times, than="MAN", measure="protocol_messages"),
        },
    ),
}


TERMS = Terms(kinds={"over windows": between, "share of DP": share_between})

PAPER = Paper(
    "later-clusters",
    "mean_response_s",
    FIGURES,
    read_findings("later-clusters", TERMS),
    named={**TABLES, **ADVICE},
    sums={"protocol_messages": r"^messages\.(?!Page|Barrier)"},
    ours=True,
)
