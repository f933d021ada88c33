"""What the study draws; `moving-processes.toml` declares the runs."""

from collections.abc import Sequence

from model.papers.cases import Case
from model.papers.figures import Panel, PaperFigure, Style
from model.papers.measurements import in_multiples, shows
from model.papers.moving_processes.cases import (
    BORROWING,
    BOTH,
    FAST_MBPS,
    LARGER,
    MOVING,
    NEITHER,
    SLOW_MBPS,
    at,
)

#: How designs are drawn.
STYLES = {BORROWING: Style("#CC79A7"), MOVING: Style("#56B4E9"), BOTH: Style("#0072B2")}


def _panel(heading: str, cases: Sequence[Case]) -> Panel:
    return Panel(
        tuple(cases),
        tuple(f"{case.parameters['first']:,}\n{case.parameters['ram']} %" for case in cases),
        "First record of the window, and RAM",
        heading,
    )


_PANELS = (
    *(_panel(f"20 jobs, {mbps} Mbps", at(mbps)) for mbps in (FAST_MBPS, SLOW_MBPS)),
    _panel(f"120 jobs, {FAST_MBPS} Mbps", LARGER),
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
