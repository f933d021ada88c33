"""The study in numbers: what a page costs, what each design makes of it, and what follows."""

from collections.abc import Iterator

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
from model.papers.later_clusters.page_costs import COSTS, page_us
from model.papers.measurements import Measurements
from model.papers.page import interval, table


def tables(measured: Measurements) -> str:
    """All tables and the advice that follows, in Markdown."""
    return "\n".join([*_costs(), *_designs(measured), *advice(measured)])


def _costs() -> Iterator[str]:
    yield "## What a page costs"
    yield ""
    yield "In microseconds, from the constants of each preset alone (figure 1)."
    yield ""
    rows = [
        (cluster, *(f"{page_us(cluster)[what]:,.1f}" for what in COSTS)) for cluster in CLUSTERS
    ]
    yield from table(("", *COSTS), rows)


def _designs(measured: Measurements) -> Iterator[str]:
    yield "## What each design makes of it"
    yield ""
    yield (
        "Geometric means over the windows, with intervals over windows: response times in "
        "multiples of DP's, messages of the protocol in multiples of MAN's."
    )
    yield ""
    rows = []
    for cluster in CLUSTERS:
        for load in (HEAVY,) if cluster == HPC2N else (HEAVY, SCARCE, BUS):
            for design in DESIGNS if load == HEAVY else SCARCE_DESIGNS:
                times = compared(measured, cluster, load, design, "DP")
                sent = compared(measured, cluster, load, design, "MAN", "protocol_messages")
                cells = (interval(found["by windows"]) for found in (times, sent))
                rows.append((cluster, load, design, *cells))
    yield from table(("cluster", "load", "", "response time", "messages"), rows)
