"""The study: what its `text/findings.toml` and `text/page.md` name, and what it draws."""

from collections.abc import Mapping

from model.papers.figures import PaperFigure, Style
from model.papers.findings import values
from model.papers.measurements import in_multiples, shows
from model.papers.moving_processes.cases import (
    BORROWING,
    BOTH,
    FAST_MBPS,
    LARGER,
    LESS_SCARCE,
    MOVING,
    NEITHER,
    SLOW_MBPS,
    WINDOWS,
    at,
    everywhere,
    in_larger,
    moving_pct,
)
from model.papers.paper import Paper
from model.papers.statements import Terms, read_findings
from model.papers.tables import Table, columns, number
from model.papers.windows import multiples, panel_of, side

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
        **values({"% of the response time": moving_pct}),
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
