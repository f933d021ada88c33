"""The study in numbers: what borrowing, moving and both gain, and what they cost."""

from collections.abc import Iterator

from model.papers.measurements import Measurements
from model.papers.moving_processes.cases import (
    FAST_MBPS,
    LESS_SCARCE,
    NEITHER,
    SLOW_MBPS,
    WINDOWS,
    at,
)
from model.papers.moving_processes.figures import STYLES
from model.papers.page import interval, table
from model.papers.windows import over_windows, side


def tables(measured: Measurements) -> str:
    """All tables, in Markdown."""
    return "\n".join([*_gains(measured), *_moves(measured)])


def _gains(measured: Measurements) -> Iterator[str]:
    yield "## What borrowing, moving and both gain"
    yield ""
    yield "Geometric means over the four windows in multiples of DP's, with intervals over windows."
    yield ""
    rows = []
    for mbps in (FAST_MBPS, SLOW_MBPS):
        than = side(NEITHER, bandwidth_mbps=mbps)
        for name in STYLES:
            own = side(name, bandwidth_mbps=mbps)
            found = [
                over_windows(measured, WINDOWS, own, than, measure)["by windows"]
                for measure in (None, "faults_disk")
            ]
            rows.append((str(mbps), name, *map(interval, found)))
    yield from table(("Mbps", "", "response time", "pages from disk"), rows)


def _moves(measured: Measurements) -> Iterator[str]:
    yield "## What moves"
    yield ""
    yield f"With {FAST_MBPS} Mbps: moves, and MB moved; pages over the network, in thousands."
    yield ""
    rows = []
    for case in (*WINDOWS, LESS_SCARCE):
        one = at(FAST_MBPS, case)
        for name in STYLES:
            measures = ("migrations", "migrated_mb", "faults_network")
            moves, moved_mb, pages = (measured.of(one, name, measure) for measure in measures)
            rows.append(
                (
                    f"{case}, {case.parameters['ram']} % RAM",
                    name,
                    f"{moves.mean:,.1f}" if moves else "",
                    f"{moved_mb.mean:,.1f}" if moved_mb else "",
                    f"{pages.mean / 1000:,.1f}" if pages else "not run",
                )
            )
    yield from table(("", "", "moves", "MB", "pages, thousands"), rows)
