"""The study: what it draws and tabulates, how it was done, and how to read it."""

from model.papers.figures import PaperFigure, Style
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
)
from model.papers.moving_processes.findings import FINDINGS
from model.papers.paper import Paper
from model.papers.tables import columns, number, section
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

TABLES = (
    section(
        "What borrowing, moving and both gain",
        "Geometric means over the windows of mean response times in multiples of DP's.",
        columns(
            ("", ""),
            {
                (words, name): (windows, side(name), side(NEITHER))
                for words, windows in _WINDOWS.items()
                for name in STYLES
            },
            {over: multiples(over=over) for over in ("by seeds", "by windows")},
        ),
    ),
    section(
        "What moves, and what jobs wait for",
        f"With {FAST_MBPS} Mbps: moves, MB moved, pages from disk; and means over "
        "the jobs of the response time and of parts of it (s): waiting for the start, switched "
        "out, and at barriers, where processes wait for the slowest.",
        columns(
            ("first record, RAM", ""),
            {
                (f"{case.parameters['first']:,}, {case.parameters['ram']} %", name): (case, name)
                for case in (*WINDOWS, LESS_SCARCE, *LARGER)
                for name in (NEITHER, *STYLES)
            },
            {words: number("{:,.0f}", measure, missing="") for words, measure in _MEASURES.items()},
        ),
    ),
)


PAPER = Paper(
    "moving-processes",
    "Moving memory, or processes",
    "mean_response_s",
    FIGURES,
    FINDINGS,
    "Memory moves with MAN, processes with MIGRATE(DP), both with MIGRATE(MAN), neither with DP. A "
    "process may move when its job is suspended, to a node that has room for all of it, if the "
    "disk took longer in its last quantum than the move would. The jobs are those of the study "
    "[coordination](../coordination/findings.md): four windows of 20 jobs at 50 % of the RAM, and "
    "19 jobs from record 4,621 on at 65 %; and those of the study "
    "[knowing-memory](../knowing_memory/findings.md), five windows of 120 jobs at 85 %. "
    'Links carry a message in each direction at a time (`duplex = "full"`), as switched networks '
    "do; the thesis's carry one in all.",
    "*Faster* means by more than 1 %. Seeds tell how sure a number is for exactly these jobs; *by "
    "windows* tells it for jobs like them, from four or five windows. "
    "The hypotheses were written before the runs; "
    "those on less scarce memory when the others had been run. That *faster* means by more than "
    "1 % was set then, too, since equal times had counted as faster where nothing moves.",
    TABLES,
    ours=True,
)
