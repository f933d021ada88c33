"""The study in numbers: what borrowing, moving and both gain, and what they cost."""

from collections.abc import Iterator

from model.papers.measurements import Measurements
from model.papers.moving_processes.cases import (
    FAST_MBPS,
    LARGER,
    LESS_SCARCE,
    NEITHER,
    SLOW_MBPS,
    WINDOWS,
)
from model.papers.moving_processes.figures import STYLES
from model.papers.page import interval, table
from model.papers.windows import over_windows, side

_MEASURES = {
    "moves": "migrations",
    "MB moved": "migrated_mb",
    "pages from disk": "faults_disk",
    "response": "mean_response_s",
    "waiting": "mean_wait_s",
    "switched out": "breakdown.switched_out_s",
    "at barriers": "breakdown.barriers_s",
}


def tables(measured: Measurements) -> str:
    """All tables, in Markdown."""
    return "\n".join([*_gains(measured), *_moves(measured)])


def _gains(measured: Measurements) -> Iterator[str]:
    yield "## What borrowing, moving and both gain"
    yield ""
    yield "Geometric means over the windows of mean response times in multiples of DP's."
    yield ""
    rows = []
    for told, cases, varied in (
        *(
            (f"20 jobs, 50 % RAM, {mbps} Mbps", WINDOWS, {"bandwidth_mbps": mbps})
            for mbps in (FAST_MBPS, SLOW_MBPS)
        ),
        (f"120 jobs, 85 % RAM, {FAST_MBPS} Mbps", LARGER, {}),
    ):
        for name in STYLES:
            own, than = side(name, **varied), side(NEITHER, **varied)
            found = over_windows(measured, cases, own, than)
            rows.append((told, name, *map(interval, found.values())))
    yield from table(("", "", "by seeds", "by windows"), rows)


def _moves(measured: Measurements) -> Iterator[str]:
    yield "## What moves, and what jobs wait for"
    yield ""
    yield (
        f"With {FAST_MBPS} Mbps: moves, MB moved, pages from disk; and means over "
        "the jobs of the response time and of parts of it (s): waiting for the start, switched "
        "out, and at barriers, where processes wait for the slowest."
    )
    yield ""
    rows = []
    for case in (*WINDOWS, LESS_SCARCE, *LARGER):
        for name in (NEITHER, *STYLES):
            found = [measured.of(case, name, measure) for measure in _MEASURES.values()]
            told = ["" if one is None else f"{one.mean:,.0f}" for one in found]
            rows.append((f"{case.parameters['first']:,}, {case.parameters['ram']} %", name, *told))
    yield from table(("first record, RAM", "", *_MEASURES), rows)
