"""The study: its windows and cells, what is drawn, and what names in `text/` stand for."""

from collections.abc import Mapping
from math import nan
from typing import TYPE_CHECKING

from model.papers import windows
from model.papers.cases import Case, declared
from model.papers.figures import Panel, PaperFigure, Style, with_margins
from model.papers.findings import Claims
from model.papers.measurements import Measurements, NotRun, geometric_mean
from model.papers.paper import Paper
from model.papers.statements import Terms, read_findings
from model.papers.tables import Column, Table, columns
from model.papers.windows import (
    Side,
    counted,
    each_window,
    mean_shorter_pct,
    multiples,
    over_windows,
    shorter_pct,
    to_the_thousandth,
    windows_of,
)
from model.sweeps.statistics import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_STUDY = declared("paying")
WINDOWS = windows_of(_STUDY)
MARGIN = 1.02  # what differs by less is equal

#: The disk of the null model.
NULL_DISK = {name: _STUDY["runs"]["null"][name] for name in ("seek_ms", "rotation")}
NULL = "NULL"  # what the study calls disk paging from it

_RUNS = _STUDY["runs"]
#: RAM and load, with the bandwidths that were run there.
PLACES = [
    (
        {"ram": _RUNS[part]["ram"], "load_factor": _RUNS[part].get("load_factor", 1.0)},
        _RUNS[part]["bandwidth_mbps"],
    )
    for part in ("page-cost", "load", "overlap", "scarcer")
]
_BASE, _MBPS = PLACES[0]
CELLS = tuple(Case(**place, bandwidth_mbps=mbps) for place, several in PLACES for mbps in several)
#: Those that differ in RAM alone, from the most down.
RAM_CELLS = tuple(
    Case(ram=ram, load_factor=1.0, bandwidth_mbps=100)
    for ram in sorted(_RUNS[part]["ram"] for part in ("overlap", "page-cost", "scarcer"))[::-1]
)


def side(design: str, **cell: object) -> Side:
    """A design in a cell; a disk's pages cost what they cost, whatever the network."""
    if design in ("DP", NULL):
        cell = {**cell, "bandwidth_mbps": 100, **(NULL_DISK if design == NULL else {})}
        design = "DP"
    return windows.side(design, **cell)


def in_the_mean(design: str, than: str, low: float, high: float, **cell: object) -> Claims:
    """A design's response time in multiples of another's is in a range, in the mean of windows."""
    words = f"{Case(**cell)}: {design} in multiples of {than}"
    return windows.in_the_mean(words, WINDOWS, side(design, **cell), side(than, **cell), low, high)


def slower(design: str, mbps: float, than_mbps: float, low: float, high: float) -> Claims:
    """A design's time with a network in multiples of that with another is in a range."""
    words = f"{design} over {mbps:,} Mbps in multiples of {design} over {than_mbps:,} Mbps"
    own, than = (side(design, **_BASE, bandwidth_mbps=one) for one in (mbps, than_mbps))
    return windows.in_the_mean(words, WINDOWS, own, than, low, high)


def _of_disk(measured: Measurements, cell: Case, design: str) -> Estimate | None:
    """The response time in a cell in multiples of disk paging's, over windows."""
    own, than = side(design, **cell.parameters), side("DP", **cell.parameters)
    return over_windows(measured, WINDOWS, own, than)["by windows"]


def _paid_pct(measured: Measurements, cell: Case, _: str) -> Estimate | None:
    """By how many percent jobs are shorter with MAN than with CLI, over windows."""
    return mean_shorter_pct(_each(measured, cell))


def _each(measured: Measurements, cell: Case) -> list[float]:
    return each_window(
        measured, WINDOWS, side("CLI", **cell.parameters), side("MAN", **cell.parameters)
    )


def by_not_found(measured: Measurements) -> list[tuple[float, float]]:
    """Of each window at each RAM with the network of 100 Mbps and the log's load, two numbers.

    What share of the memory that MAN's clients asked for was not found, %; and the response time
    with CLI in multiples of that with MAN.
    """
    found = []
    for cell in RAM_CELLS:
        own, than = side("CLI", **cell.parameters), side("MAN", **cell.parameters)
        for window in WINDOWS:
            need, unmet = (
                measured.values(*than(window), name) for name in ("need_mb", "need_unmet_mb")
            )
            ratio = measured.ratio(own(window), than(window))
            if ratio is not None and need.sum():
                found.append((100 * float(unmet.sum() / need.sum()), ratio.mean))
    return found


def _dots(axes: "Axes", panel: Panel, measured: Measurements) -> None:
    """Draw each window by itself: by cell, or by how much of what it asked for was not found."""
    for place, cell in enumerate(panel.cases):
        ratios = sorted(_each(measured, cell))
        x = [place + 0.6 * (rank / max(1, len(ratios) - 1) - 0.5) for rank in range(len(ratios))]
        axes.plot(x, [*map(shorter_pct, ratios)], ".", color="#000000", markersize=2.5)
    if not panel.cases:
        pairs = by_not_found(measured)
        x, y = [share for share, _ in pairs], [shorter_pct(ratio) for _, ratio in pairs]
        axes.plot(x, y, ".", color="#000000", markersize=4)
        axes.set_xticks(range(0, 81, 20), [*map(str, range(0, 81, 20))])


def page_ms(mbps: float) -> str:
    """What a page costs over a star if nothing is in its way: 4,224 B on two links, two services.

    The switch is faster with a faster network, and no slower with a slower one.
    """
    switch_ms = 0.08 * min(1, 100 / mbps)
    return f"{2 * (8 * (64 + 4160) / mbps / 1000 + switch_ms):.2g} ms"


STYLES = {"CLI": Style("#000000"), "MAN": Style("#CC79A7"), NULL: Style("#0072B2", True)}


FIGURES = (
    PaperFigure(
        "1",
        "Response times in multiples of disk paging's (13 ms a page), by what a page costs over "
        "the network; NULL: a disk of 2.1 ms a page, without any network",
        (
            Panel(
                tuple(Case(**_BASE, bandwidth_mbps=mbps) for mbps in reversed(_MBPS)),
                tuple(page_ms(mbps) for mbps in reversed(_MBPS)),
                "A page over the network",
                f"{_BASE['ram']} % RAM",
            ),
            Panel(
                RAM_CELLS,
                tuple(f"{cell.parameters['ram']} %" for cell in RAM_CELLS),
                "RAM",
                f"{page_ms(100)} a page",
            ),
        ),
        STYLES,
        "Times disk paging's response time",
        _of_disk,
        level=1,
        scale=with_margins(0.1),
        summary=True,
    ),
    PaperFigure(
        "2",
        "By how much coordination pays: jobs are shorter with MAN than with CLI; a dot is a "
        "window, and on the right a window at each RAM, with a page of 0.84 ms",
        (
            Panel(
                CELLS,
                tuple(
                    f"{page_ms(cell.parameters['bandwidth_mbps']).removesuffix(' ms')}\n"
                    f"{cell.parameters['ram']}\n{cell.parameters['load_factor']:g}"
                    for cell in CELLS
                ),
                "A page over the network (ms), RAM (%), load",
            ),
            Panel((), (), "Not found of the memory that was asked for (%)"),
        ),
        {"mean of the windows": STYLES["MAN"]},
        "Shorter with MAN than with CLI (%)",
        _paid_pct,
        "bars",
        level=0,
        scale=with_margins(0.1),
        summary=True,
        also=_dots,
    ),
)


def where_found(measured: Measurements) -> dict[str, float]:
    """In how many of these cases all was found, and by how many percent jobs differ there."""
    ratios = [ratio for share, ratio in by_not_found(measured) if share == 0]
    apart_pct = max((abs(shorter_pct(ratio)) for ratio in ratios), default=nan)
    return {"cases": len(ratios) or nan, "apart_pct": apart_pct}


def where_missing(measured: Measurements) -> dict[str, float]:
    """In how many of them some was not, and by how many percent jobs are shorter with MAN there."""
    ratios = [ratio for share, ratio in by_not_found(measured) if share > 0]
    return {
        "cases": len(ratios) or nan,
        "most_pct": shorter_pct(max(ratios, default=nan)),
        "mean_pct": shorter_pct(geometric_mean(ratios).mean) if ratios else nan,
    }


def _by_not_found(measured: Measurements, least: float, most: float) -> list[float]:
    return [ratio for share, ratio in by_not_found(measured) if least <= share < most]


def _of_found(measured: Measurements, least: float, most: float) -> str:
    ratios = _by_not_found(measured, least, most)
    if not ratios:
        raise NotRun
    middle = geometric_mean(ratios).mean
    return f"{middle:.3f} ({min(ratios):.3f} to {max(ratios):.3f})"


def _of(design: str, than: str, column: Column) -> Column:
    """The column of a design's response time in a cell in multiples of another's."""
    return lambda measured, cell: column(
        measured, WINDOWS, side(design, **cell.parameters), side(than, **cell.parameters)
    )


TABLES: Mapping[str, Table] = {
    "cells": columns(
        ("RAM, %", "load", "page"),
        {
            (
                str(cell.parameters["ram"]),
                f"{cell.parameters['load_factor']:g}",
                page_ms(cell.parameters["bandwidth_mbps"]),
            ): (cell,)
            for cell in CELLS
        },
        {
            "CLI / MAN": _of("CLI", "MAN", to_the_thousandth(multiples())),
            "windows above 1.02 / below 0.98": _of("CLI", "MAN", counted(MARGIN)),
            "MAN / DP": _of("MAN", "DP", multiples()),
            "NULL / DP": _of(NULL, "DP", multiples()),
            "MAN / NULL": _of("MAN", NULL, multiples()),
        },
    ),
    "found": columns(
        ("not found",),
        {
            "less than 1 %": (0, 1),
            "1 to 25 %": (1, 25),
            "25 % and more": (25, 101),
        },
        {
            "windows": lambda measured, *ends: str(len(_by_not_found(measured, *ends))),
            "CLI / MAN, mean (least to most)": _of_found,
        },
    ),
}

TERMS = Terms(kinds={"in the mean": in_the_mean, "slower": slower})

PAPER = Paper(
    "paying",
    "mean_response_s",
    FIGURES,
    read_findings("paying", TERMS),
    named={**TABLES, "where_found": where_found, "where_missing": where_missing},
    ours=True,
    null=NULL_DISK,
)
