"""The study: what it draws and tabulates, how it was done, and how to read it."""

from functools import partial

from model.papers.cases import Case
from model.papers.figures import Panel, PaperFigure, Style, logarithmic
from model.papers.later_clusters.advice import advice
from model.papers.later_clusters.cases import (
    BUS,
    CLUSTERS,
    DESIGNS,
    HEAVY,
    HPC2N,
    PRESETS,
    SCARCE,
    SCARCE_DESIGNS,
    compared,
)
from model.papers.later_clusters.findings import FINDINGS
from model.papers.later_clusters.page_costs import COSTS, cost_us
from model.papers.measurements import Measurements
from model.papers.paper import Paper
from model.papers.tables import columns, number, section
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


def _panel(load: str, clusters: tuple[str, ...], heading: str) -> Panel:
    return Panel(tuple(map(Case, clusters)), clusters, "", heading, partial(_times, load=load))


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
    measured: Measurements, *of: str, than: str, measure: str | None = None
) -> Estimate | None:
    return compared(measured, *of, than, measure)["by windows"]


TABLES = (
    section(
        "What a page costs",
        "In microseconds, from the constants of each preset alone (figure 1).",
        columns(
            ("",),
            {cluster: (Case(cluster),) for cluster in CLUSTERS},
            {what: number("{:,.1f}", partial(cost_us, what=what)) for what in COSTS},
        ),
    ),
    section(
        "What each design makes of it",
        "Geometric means over the windows, with intervals over windows: response times in "
        "multiples of DP's, messages of the protocol in multiples of MAN's.",
        columns(
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
    ),
    advice,
)


PAPER = Paper(
    "later-clusters",
    "Clusters of later years",
    "mean_response_s",
    FIGURES,
    FINDINGS,
    "The clusters are the presets cm5 (the thesis's), beowulf-2004 and rdma-2020, each with "
    "five windows of 20 jobs of the bundled log, whose memory is multiplied by that of the "
    "nodes over 32 MB; and hpc2n-2002 with three windows of 20 jobs of its own log, "
    "HPC2N-2002 of the Parallel Workloads Archive: of the last 170 records (numbers 6990 to "
    "7183) in the copy of the simulator Alea, those from the 1st, 71st and 115th on. They are "
    "not in the tree; [hpc2n-log.toml](hpc2n-log.toml) says how to get them. That log knows "
    "little of memory: all of these jobs have 864 to 900 MB, whatever their size, so what it "
    "states was allotted rather than used. On all of them, cm5 too, links carry a message in each "
    'direction at a time (`duplex = "full"`), as switched networks do; the thesis\'s carry one in '
    "all. Under the *light* load nodes have all of their "
    "RAM; under the *heavy* one half of it, and jobs arrive four times as fast. As these jobs "
    "then still left so much memory idle that MAN found all that it asked for, a third load "
    "was added when those results were known, and before its own were: *scarce*, with 35 % of "
    "the RAM and all jobs at once, in those three windows in which MAN, with seed 1 on cm5, "
    "misses a tenth of what it asks for or more. The *bus*, where all nodes share one medium "
    "of the same bandwidth, is under that load too, since nothing pages under the light one. "
    "Windows were chosen by what the logs say of them. How long runs take was tried with seed "
    "1, which showed response times of MAN and DP on beowulf-2004, after its constants had "
    "said what to expect.",
    "*By seeds* tells how sure a number is for exactly these jobs, *by windows* for jobs like "
    "them.",
    TABLES,
    {"protocol_messages": r"^messages\.(?!Page|Barrier)"},
    ours=True,
)
