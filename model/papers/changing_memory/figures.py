"""What the study draws; `changing-memory.toml` declares the runs."""

from functools import partial

from model.papers.cases import Case
from model.papers.changing_memory.cases import (
    AGAIN,
    CHANGING,
    LESS_SCARCE,
    OFTEN,
    PROFILES,
    SELDOM,
    WINDOWS,
    under,
)
from model.papers.figures import Panel, PaperFigure, Style, logarithmic
from model.papers.measurements import Measurements
from model.sweeps.statistics import Estimate

#: How designs are drawn.
STYLES = {"CLI": Style("#000000"), "MAN": Style("#CC79A7"), AGAIN: Style("#D55E00")}
PERIODS = {OFTEN: Style("#56B4E9"), SELDOM: Style("#0072B2")}

_CASES = (*WINDOWS, LESS_SCARCE)


def _panel(profile: str) -> Panel:
    return Panel(
        tuple(under(profile, case) for case in _CASES),
        tuple(f"{case.parameters['first']:,} ({case.parameters['ram']} %)" for case in _CASES),
        "First record of the window (RAM)",
        profile,
    )


def _in_multiples(
    measured: Measurements, case: Case, design: str, of: str, measure: str | None = None
) -> Estimate | None:
    return measured.ratio((case, design), (case, of), measure=measure)


FIGURES = (
    PaperFigure(
        "1",
        "Mean response times in multiples of disk paging's, as memory is static or changes",
        tuple(map(_panel, PROFILES)),
        STYLES,
        "Times DP's response time",
        partial(_in_multiples, of="DP"),
        "bars",
        level=1,
    ),
    PaperFigure(
        "2",
        "Pages from the disk in the same runs, in multiples of disk paging's (log scale)",
        tuple(map(_panel, PROFILES)),
        STYLES,
        "Times DP's pages from disk",
        partial(_in_multiples, of="DP", measure="faults_disk"),
        "bars",
        level=1,
        scale=logarithmic,
    ),
    PaperFigure(
        "3",
        "Mean response times if clients ask every 10 or 300 s, in multiples of those with 60 s",
        tuple(map(_panel, CHANGING)),
        PERIODS,
        "Times that with 60 s",
        partial(_in_multiples, of=AGAIN),
        "bars",
        level=1,
    ),
)
