"""The study in numbers: what borrowing, moving and both gain, and what they cost."""

from model.papers.moving_processes.cases import (
    FAST_MBPS,
    LARGER,
    LESS_SCARCE,
    NEITHER,
    SLOW_MBPS,
    WINDOWS,
    at,
)
from model.papers.moving_processes.figures import STYLES
from model.papers.tables import columns, number, section
from model.papers.windows import multiples, side

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
