"""The study: its cases, what is drawn, and what names in `text/` stand for."""

from collections.abc import Mapping, Sequence
from statistics import fmean

from model.papers import windows
from model.papers.cases import Case, declared, over
from model.papers.figures import PaperFigure, Style, logarithmic
from model.papers.findings import Claims
from model.papers.measurements import Measurements, in_multiples
from model.papers.paper import Paper
from model.papers.statements import Terms, read_findings
from model.papers.tables import Column, Table, columns
from model.papers.windows import Side, multiples, panel_of, side, windows_of

_SWEEP = declared("changing-memory")
_RUNS = _SWEEP["runs"]

PROFILES = tuple(_SWEEP["choice"]["profile"])
CHANGING = tuple(_SWEEP["choice"]["changing"])  # of these, those of memory that changes
AGAIN = "RECLAIM(MAN)"  # asks every 60 s, and lenders keep 0.1 MB
OFTEN, SELDOM = f"{AGAIN} every 10 s", f"{AGAIN} every 300 s"
RESERVE_MB = _RUNS["reserve"]["threshold_mb"]

#: Windows of the trace at a RAM with which static memory is scarce.
WINDOWS = windows_of(_RUNS["scarce"], ram=_RUNS["scarce"]["ram"])
#: The window of the README's picture, with more RAM.
(LESS_SCARCE,) = windows_of(_RUNS["less-scarce"], ram=_RUNS["less-scarce"]["ram"])


def everywhere(
    profile: str,
    design: str,
    low: float,
    high: float,
    than: str = "DP",
    measure: str | None = None,
    threshold_mb: float | None = None,
) -> Claims:
    """A design's measure in multiples of another's is between low and high under a profile.

    That is in the mean of all windows, in each of them, and where memory is less scarce. With
    `threshold_mb`, this is what the design's lenders keep to themselves.
    """
    varied = {"memory_profile": profile}
    own = varied if threshold_mb is None else {**varied, "threshold_mb": threshold_mb}
    kept = "" if threshold_mb is None else f" with {threshold_mb} MB kept"
    return windows.everywhere(
        f"{profile}: {design}{kept} in multiples of {than}",
        WINDOWS,
        side(design, **own),
        side(than, **varied),
        low,
        high,
        measure,
        others={f"at {LESS_SCARCE.parameters['ram']} % RAM": LESS_SCARCE},
    )


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


TABLES: Mapping[str, Table] = {
    "gains": columns(
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
    "periods_and_reserves": columns(
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
}


PAPER = Paper(
    "changing-memory",
    "mean_response_s",
    FIGURES,
    read_findings("changing-memory", Terms(kinds={"everywhere": everywhere})),
    named=TABLES,
    sums={"protocol_messages": r"^messages\.(?!Page|Barrier)", "recalls": r"^messages\.Recall$"},
    ours=True,
)
