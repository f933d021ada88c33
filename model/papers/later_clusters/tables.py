"""The study in numbers: what a page costs, what each design makes of it, and what follows."""

from functools import partial

from model.papers.cases import Case
from model.papers.later_clusters.advice import advice
from model.papers.later_clusters.cases import (
    BUS,
    CLUSTERS,
    DESIGNS,
    HEAVY,
    HPC2N,
    SCARCE,
    SCARCE_DESIGNS,
    compared,
)
from model.papers.later_clusters.page_costs import COSTS, cost_us
from model.papers.measurements import Measurements
from model.papers.tables import columns, number, section
from model.sweeps.statistics import Estimate


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
