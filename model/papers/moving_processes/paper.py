"""The study: its cases, what is drawn, and what names in `text/` stand for."""

from collections.abc import Mapping

from model.papers import windows
from model.papers.cases import Case, declared, over
from model.papers.figures import PaperFigure, Style
from model.papers.findings import Claims, kinds_of
from model.papers.measurements import Measurements, in_multiples, mean_of, shows
from model.papers.paper import Paper
from model.papers.statements import Terms, read_findings
from model.papers.tables import Table, columns, number
from model.papers.windows import multiples, panel_of, side, windows_of
from model.sweeps.statistics import Estimate

_RUNS = declared("moving-processes")["runs"]

NEITHER, BORROWING, MOVING, BOTH = declared("moving-processes")["designs"]
FAST_MBPS, SLOW_MBPS = _RUNS["scarce"]["bandwidth_mbps"]

#: Windows of the trace at a RAM with which memory is scarce.
WINDOWS = windows_of(_RUNS["scarce"], ram=_RUNS["scarce"]["ram"])
#: Larger windows in which paging costs much, though there is more RAM.
LARGER = windows_of(_RUNS["larger"], ram=_RUNS["larger"]["ram"])
#: The window of the README's picture, with more RAM.
(_LESS_SCARCE,) = windows_of(_RUNS["less-scarce"], ram=_RUNS["less-scarce"]["ram"])
LESS_SCARCE = Case(f"{_LESS_SCARCE}, {_RUNS['less-scarce']['ram']} % RAM", _LESS_SCARCE.parameters)


def everywhere(design: str, low: float, high: float, than: str, mbps: int = FAST_MBPS) -> Claims:
    """Jobs' mean response time in multiples of another design's is between low and high.

    That is in the mean of all windows, in each of them, and where memory is less scarce.
    """
    return windows.everywhere(
        f"{mbps} Mbps: {design} in multiples of {than}",
        WINDOWS,
        side(design, bandwidth_mbps=mbps),
        side(than, bandwidth_mbps=mbps),
        low,
        high,
        others={f"at {LESS_SCARCE.parameters['ram']} % RAM": LESS_SCARCE},
    )


def in_larger(design: str, low: float, high: float, than: str) -> Claims:
    """The same in the larger windows."""
    ram = _RUNS["larger"]["ram"]
    words = f"{ram} % RAM: {design} in multiples of {than}"
    return windows.everywhere(words, LARGER, side(design), side(than), low, high)


def at(mbps: int) -> tuple[Case, ...]:
    """All of them but the larger windows, with such a network."""
    return over((*WINDOWS, LESS_SCARCE), bandwidth_mbps=mbps)


def moving_pct(measured: Measurements, case: Case, design: str) -> Estimate | None:
    """What part of the mean response time processes are on their way to other nodes, %."""
    moving = measured.values(case, design, "breakdown.moving_s")
    return mean_of(100 * moving / measured.values(case, design))


#: How designs are drawn.
STYLES = {BORROWING: Style("#CC79A7"), MOVING: Style("#56B4E9"), BOTH: Style("#0072B2")}


_PANELS = (
    *(panel_of(at(mbps), f"20 jobs, {mbps} Mbps") for mbps in (FAST_MBPS, SLOW_MBPS)),
    panel_of(LARGER, f"120 jobs, {FAST_MBPS} Mbps"),
)


FIGURES = (
    PaperFigure(
        "1",
        "Mean response times in multiples of disk paging's: memory moves, processes move, or both",
        _PANELS,
        STYLES,
        "Times DP's response time",
        in_multiples(NEITHER),
        "bars",
        level=1,
    ),
    PaperFigure(
        "2",
        "How many processes move",
        _PANELS,
        {name: STYLES[name] for name in (MOVING, BOTH)},
        "Moves",
        shows("migrations"),
        "bars",
    ),
)


_WINDOWS = {
    **{f"20 jobs, 50 % RAM, {mbps} Mbps": at(mbps)[:-1] for mbps in (FAST_MBPS, SLOW_MBPS)},
    f"120 jobs, 85 % RAM, {FAST_MBPS} Mbps": LARGER,
}
_MEASURES = {
    "moves": "migrations",
    "MB moved": "migrated_mb",
    "pages from disk": "faults_disk",
    "response": "mean_response_s",
    "waiting": "mean_wait_s",
    "switched out": "breakdown.switched_out_s",
    "at barriers": "breakdown.barriers_s",
}

TABLES: Mapping[str, Table] = {
    "gains": columns(
        ("", ""),
        {
            (words, name): (windows, side(name), side(NEITHER))
            for words, windows in _WINDOWS.items()
            for name in STYLES
        },
        {over: multiples(over=over) for over in ("by seeds", "by windows")},
    ),
    "moves": columns(
        ("first record, RAM", ""),
        {
            (f"{case.parameters['first']:,}, {case.parameters['ram']} %", name): (case, name)
            for case in (*WINDOWS, LESS_SCARCE, *LARGER)
            for name in (NEITHER, *STYLES)
        },
        {words: number("{:,.0f}", measure, missing="") for words, measure in _MEASURES.items()},
    ),
}


TERMS = Terms(
    cases={"all windows": at(FAST_MBPS)},
    kinds={
        "everywhere": everywhere,
        "in larger windows": in_larger,
        **kinds_of({"% of the response time": moving_pct}),
    },
)

PAPER = Paper(
    "moving-processes",
    "mean_response_s",
    FIGURES,
    read_findings("moving-processes", TERMS),
    named=TABLES,
    ours=True,
)
