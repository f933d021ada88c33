"""What the study draws; `changing-memory.toml` declares the runs."""

from model.papers.changing_memory.cases import (
    AGAIN,
    LESS_SCARCE,
    PROFILES,
    WINDOWS,
    under,
)
from model.papers.figures import Panel, PaperFigure, Style, logarithmic
from model.papers.measurements import in_multiples

#: How designs are drawn.
STYLES = {"CLI": Style("#000000"), "MAN": Style("#CC79A7"), AGAIN: Style("#D55E00")}

_CASES = (*WINDOWS, LESS_SCARCE)


def _panel(profile: str) -> Panel:
    return Panel(
        tuple(under(profile, case) for case in _CASES),
        tuple(f"{case.parameters['first']:,}\n{case.parameters['ram']} %" for case in _CASES),
        "First record of the window, and RAM",
        profile,
    )


FIGURES = (
    PaperFigure(
        "1",
        "Mean response times in multiples of disk paging's, as memory is static or changes",
        tuple(map(_panel, PROFILES)),
        STYLES,
        "Times DP's response time",
        in_multiples("DP"),
        "bars",
        level=1,
    ),
    PaperFigure(
        "2",
        "Pages from the disk in the same runs, in multiples of disk paging's (log scale)",
        tuple(map(_panel, PROFILES)),
        STYLES,
        "Times DP's pages from disk",
        in_multiples("DP", "faults_disk"),
        "bars",
        level=1,
        scale=logarithmic,
    ),
)
