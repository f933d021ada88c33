"""What the study draws; `moving-processes.toml` declares the runs."""

from model.papers.cases import Case
from model.papers.figures import Panel, PaperFigure, Style, logarithmic
from model.papers.measurements import Measurements, shows
from model.papers.moving_processes.cases import (
    BORROWING,
    BOTH,
    FAST_MBPS,
    LESS_SCARCE,
    MOVING,
    NEITHER,
    SLOW_MBPS,
    WINDOWS,
    at,
)
from model.sweeps.statistics import Estimate

#: How designs are drawn.
STYLES = {
    BORROWING: Style("#CC79A7"),
    MOVING: Style("#56B4E9"),
    BOTH: Style("#0072B2"),
}

_CASES = (*WINDOWS, LESS_SCARCE)


def _panel(mbps: int) -> Panel:
    return Panel(
        tuple(at(mbps, case) for case in _CASES),
        tuple(f"{case.parameters['first']:,} ({case.parameters['ram']} %)" for case in _CASES),
        "First record of the window (RAM)",
        f"{mbps} Mbps",
    )


def _in_multiples(measured: Measurements, case: Case, design: str) -> Estimate | None:
    return measured.ratio((case, design), (case, NEITHER))


FIGURES = (
    PaperFigure(
        "1",
        "Mean response times in multiples of disk paging's (log scale): memory moves, processes "
        "move, or both",
        (_panel(FAST_MBPS), _panel(SLOW_MBPS)),
        STYLES,
        "Times DP's response time",
        _in_multiples,
        "bars",
        level=1,
        scale=logarithmic,
    ),
    PaperFigure(
        "2",
        "How many processes move",
        (_panel(FAST_MBPS), _panel(SLOW_MBPS)),
        {name: STYLES[name] for name in (MOVING, BOTH)},
        "Moves",
        shows("migrations"),
        "bars",
    ),
)
