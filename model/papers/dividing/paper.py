"""The study: its windows and designs, what is drawn, and what names in `text/` stand for."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from model.papers import windows
from model.papers.cases import Case, declared
from model.papers.figures import Panel, PaperFigure, Style, with_margins
from model.papers.findings import Claims
from model.papers.measurements import Measurements
from model.papers.paper import Paper
from model.papers.statements import Terms, read_findings
from model.papers.tables import Column, Table, columns
from model.papers.windows import (
    counted,
    each_window,
    mean_shorter_pct,
    multiples,
    shorter_pct,
    side,
    to_the_thousandth,
    windows_of,
)
from model.sweeps.statistics import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_STUDY = declared("dividing")
WINDOWS = windows_of(_STUDY)
RAMS = (_STUDY["ram"], _STUDY["runs"]["scarcer"]["ram"])
MARGIN = 1.02  # what differs by less is equal
FIRST = "CLI"  # what others are compared with in tables and pictures


def in_the_mean(
    design: str, than: str, low: float, high: float, measure: str | None = None, ram: float = 40
) -> Claims:
    """A design's measure in multiples of another's is in a range, in the mean of the windows."""
    words = f"{ram} % RAM: {design} in multiples of {than}"
    own, other = side(design, ram=ram), side(than, ram=ram)
    return windows.in_the_mean(words, WINDOWS, own, other, low, high, measure)


def _each(measured: Measurements, cell: Case, design: str) -> list[float]:
    ram = cell.parameters["ram"]
    return each_window(measured, WINDOWS, side(FIRST, ram=ram), side(design, ram=ram))


def _shorter_pct(measured: Measurements, cell: Case, design: str) -> Estimate | None:
    """By how many percent jobs are shorter with a design than with CLI, over windows."""
    return mean_shorter_pct(_each(measured, cell, design))


#: How designs are drawn: those in which managers tell loads are hatched.
STYLES = {
    "CLI-TELLS": Style("#000000", True),
    "RANKS-SILENT": Style("#0072B2"),
    "RANKS": Style("#0072B2", True),
    "MAN-SILENT": Style("#009E73"),
    "MAN": Style("#009E73", True),
}


def _dots(axes: "Axes", panel: Panel, measured: Measurements) -> None:
    """Draw each window by itself."""
    width = 0.84 / len(STYLES)
    for place, cell in enumerate(panel.cases):
        for rank, design in enumerate(STYLES):
            values = [*map(shorter_pct, sorted(_each(measured, cell, design)))]
            middle = place + (rank - (len(STYLES) - 1) / 2) * width
            last = max(1, len(values) - 1)
            x = [middle + 0.7 * width * (order / last - 0.5) for order in range(len(values))]
            axes.plot(x, values, ".", color="#777777", markersize=2)


FIGURES = (
    PaperFigure(
        "1",
        "By how much jobs are shorter than with CLI if one manager searches for all of a job's "
        "clients and divides in the order of ranks (RANKS) or evenly (MAN), and if managers tell "
        "loads (hatched) or are silent; a dot is a window",
        (Panel(tuple(Case(ram=ram) for ram in RAMS), tuple(f"{ram} %" for ram in RAMS), "RAM"),),
        STYLES,
        "Shorter than with CLI (%)",
        _shorter_pct,
        "bars",
        level=0,
        scale=with_margins(0.1),
        summary=True,
        also=_dots,
    ),
)


def _sum(measure: str, over: float = 1) -> Column:
    """A column of the sum of a measure over the windows, in units of `over`."""

    def cell(measured: Measurements, design: str, ram: float) -> str:
        total = sum(measured.mean(window.but(ram=ram), design, measure) for window in WINDOWS)
        return f"{total / over:,.0f}"

    return cell


def _of_first(column: Column) -> Column:
    """The column of a design's response time in multiples of CLI's."""
    return lambda measured, design, ram: column(
        measured, WINDOWS, side(design, ram=ram), side(FIRST, ram=ram)
    )


TABLES: Mapping[str, Table] = {
    "designs": columns(
        ("RAM, %", ""),
        {(str(ram), name): (name, ram) for ram in RAMS for name in ("DP", FIRST, *STYLES)},
        {
            "times CLI": _of_first(to_the_thousandth(multiples())),
            "windows above 1.02 / below 0.98": _of_first(counted(MARGIN)),
            "servers asked": _sum("server_requests"),
            "broadcasts": _sum("broadcasts"),
            "MB asked for": _sum("need_mb"),
            "MB not found": _sum("need_unmet_mb"),
            "pages from disk, thousands": _sum("faults_disk", 1000),
        },
    ),
}

PAPER = Paper(
    "dividing",
    "mean_response_s",
    FIGURES,
    read_findings("dividing", Terms(kinds={"in the mean": in_the_mean})),
    named=TABLES,
    sums={
        "server_requests": r"^messages\.ServerRequest$",
        "broadcasts": r"^messages\.LoadBroadcast$",
    },
    ours=True,
)
