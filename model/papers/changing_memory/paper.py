"""The study: what it draws and tabulates, how it was done, and how to read it."""

from collections.abc import Sequence
from statistics import fmean

from model.papers.cases import Case, over
from model.papers.changing_memory.cases import (
    AGAIN,
    CHANGING,
    LESS_SCARCE,
    OFTEN,
    PROFILES,
    RESERVE_MB,
    SELDOM,
    WINDOWS,
)
from model.papers.changing_memory.findings import FINDINGS
from model.papers.figures import PaperFigure, Style, logarithmic
from model.papers.measurements import Measurements, in_multiples
from model.papers.paper import Paper
from model.papers.tables import Column, columns, section
from model.papers.windows import Side, multiples, panel_of, side

#: How designs are drawn.
STYLES = {"CLI": Style("#000000"), "MAN": Style("#CC79A7"), AGAIN: Style("#D55E00")}


_PANELS = tuple(
    panel_of(over((*WINDOWS, LESS_SCARCE), memory_profile=profile), profile) for profile in PROFILES
)

FIGURES = (
    PaperFigure(
        "1",
        "Mean response times in multiples of disk paging's, as memory is static or changes",
        _PANELS,
        STYLES,
        "Times DP's response time",
        in_multiples("DP"),
        "bars",
        level=1,
    ),
    PaperFigure(
        "2",
        "Pages from the disk in the same runs, in multiples of disk paging's (log scale)",
        _PANELS,
        STYLES,
        "Times DP's pages from disk",
        in_multiples("DP", "faults_disk"),
        "bars",
        level=1,
        scale=logarithmic,
    ),
)


_RATIOS = {"response time": multiples(), "pages from disk": multiples("faults_disk")}
_VARIANTS = {
    "every 60 s, keeps 0.1 MB": (AGAIN, {}),
    "every 10 s": (OFTEN, {}),
    "every 300 s": (SELDOM, {}),
    f"keeps {RESERVE_MB} MB": (AGAIN, {"threshold_mb": RESERVE_MB}),
}


def _mean(measure: str) -> Column:
    """The mean of a measure over all windows and their seeds."""

    def cell(measured: Measurements, windows: Sequence[Case], own: Side, _: Side) -> str:
        mean = fmean([measured.mean(*own(window), measure) for window in windows])
        return f"{mean:,.0f}" if mean >= 10 else f"{mean:,.1f}"

    return cell


TABLES = (
    section(
        "What designs gain as memory changes",
        "Over the four windows: geometric means in multiples of DP's, with intervals over windows; "
        "and means of the memory that processes lack when they start (MB), of what is not found of "
        "it, of the messages of the protocol, and of the pages over the network.",
        columns(
            ("memory", ""),
            {
                (profile, name): (
                    WINDOWS,
                    side(name, memory_profile=profile),
                    side("DP", memory_profile=profile),
                )
                for profile in PROFILES
                for name in STYLES
            },
            {
                **_RATIOS,
                "lacked at starts, MB": _mean("need_mb"),
                "not found": _mean("need_unmet_mb"),
                "messages": _mean("protocol_messages"),
                "pages over the network": _mean("faults_network"),
            },
        ),
    ),
    section(
        "How often clients ask, and how much lenders keep",
        f"Geometric means in multiples of {AGAIN} that asks every 60 s and keeps 0.1 MB, with "
        "intervals over windows; and means of messages, and of recalls among them.",
        columns(
            ("memory", ""),
            {
                (profile, variant): (
                    WINDOWS,
                    side(design, memory_profile=profile, **varied),
                    side(AGAIN, memory_profile=profile),
                )
                for profile in CHANGING
                for variant, (design, varied) in _VARIANTS.items()
            },
            {**_RATIOS, "messages": _mean("protocol_messages"), "recalls": _mean("recalls")},
        ),
    ),
)


PAPER = Paper(
    "changing-memory",
    "Memory that changes",
    "mean_response_s",
    FIGURES,
    FINDINGS,
    "The jobs are those of the study [coordination](../coordination/findings.md): four windows of "
    "20 jobs at 50 % of the RAM, which were chosen there for static memory, and 19 jobs from "
    "record 4,621 on at 65 %. With a *ramp* a process begins with a quarter of its memory and "
    "reaches all of it in eight equal steps; with *phases* it holds at each of them a share drawn "
    "from a quarter to all. "
    'Links carry a message in each direction at a time (`duplex = "full"`), as switched networks '
    "do; the thesis's carry one in all.",
    "*Faster* means by more than 1 %. Seeds tell how sure a number is for exactly these jobs; *by "
    "windows* tells it for jobs like them, from four windows. "
    "The hypotheses were written before the runs, but for the ramp at "
    "65 % RAM, of which one run was known.",
    TABLES,
    {"protocol_messages": r"^messages\.(?!Page|Barrier)", "recalls": r"^messages\.Recall$"},
    ours=True,
)
