"""The study: its cases, what is drawn, and what names in `text/` stand for."""

from collections.abc import Callable, Iterator, Mapping
from statistics import median
from typing import Any

from model.ground.units import BYTES_PER_MB
from model.papers import windows
from model.papers.cases import Case, declared
from model.papers.figures import PaperFigure, Style, logarithmic
from model.papers.findings import Claims, kinds_of
from model.papers.measurements import Measurements, mean_of, shows
from model.papers.paper import Paper
from model.papers.statements import Terms, read_findings
from model.papers.tables import Column, Row, Table, columns, listed, number
from model.papers.windows import multiples, panel_of, side, windows_of
from model.pnr.scenario import make_scenario
from model.pnr.workload import load_workload
from model.sweeps.statistics import Estimate

_SWEEP = declared("knowing-memory")

#: Windows of the trace in which paging costs much, with plain gang scheduling.
WINDOWS = windows_of(_SWEEP, ram=_SWEEP["ram"])

NOTHING = "nothing"  # plain gang scheduling
EXACT, REQUESTED, USER = _SWEEP["runs"]["gang-memory"]["memory_estimate"]
#: What the scheduler knows of memory, and the parameters that say so.
KNOWLEDGE: dict[str, dict[str, Any]] = {
    NOTHING: {},
    **{
        known: {"scheduler": "gang-memory", "memory_estimate": known}
        for known in (EXACT, REQUESTED, USER)
    },
}


def knowing(known: str, window: Case) -> Case:
    """The window with a scheduler that knows so much."""
    return Case(f"{window}, knowing {known}", {**window.parameters, **KNOWLEDGE[known]})


def unknown(case: Case) -> Case:
    """The same window with a scheduler that knows nothing."""
    first = case.parameters["first"]
    (window,) = (one for one in WINDOWS if one.parameters["first"] == first)
    return window


def everywhere(
    design: str, known: str, low: float, high: float, than: str, than_known: str
) -> Claims:
    """Jobs' mean response time in multiples of another design's, each with what is known.

    It is between low and high in the mean of all windows, and in each of them.
    """
    return windows.everywhere(
        f"{design} knowing {known} in multiples of {than} knowing {than_known}",
        WINDOWS,
        side(design, **KNOWLEDGE[known]),
        side(than, **KNOWLEDGE[than_known]),
        low,
        high,
    )


def fewer_pct(measured: Measurements, case: Case, design: str) -> Estimate | None:
    """By how many percent a design reads fewer pages from disk than it does knowing nothing."""
    return measured.reduction_pct((case, design), (unknown(case), design), "faults_disk")


def longer_wait_s(measured: Measurements, case: Case, design: str) -> Estimate | None:
    """By how many seconds jobs wait longer for their start than with the design knowing nothing."""
    own, other = (measured.values(one, design, "mean_wait_s") for one in (case, unknown(case)))
    return mean_of(own - other)


#: How designs are drawn.
STYLES = {"DP": Style("#000000"), "MAN": Style("#CC79A7")}

_PANELS = tuple(
    panel_of(
        [knowing(known, case) for case in WINDOWS],
        f"The scheduler knows {words}",
        "{first:,}",
        "First record of the window",
    )
    for known, words in (
        (NOTHING, "nothing"),
        (EXACT, "memory exactly"),
        (REQUESTED, "what users asked for"),
    )
)


def _in_multiples(measured: Measurements, case: Case, design: str) -> Estimate | None:
    return measured.ratio((case, design), (unknown(case), "DP"))


FIGURES = (
    PaperFigure(
        "1",
        "Mean response times in multiples of those with DP and a scheduler that knows nothing "
        "(log scale)",
        _PANELS,
        STYLES,
        "Times that of DP, nothing known",
        _in_multiples,
        "bars",
        level=1,
        scale=logarithmic,
    ),
    PaperFigure(
        "2",
        "How long jobs wait for their start on average",
        _PANELS,
        STYLES,
        "Mean wait (s)",
        shows("mean_wait_s"),
        "bars",
    ),
)


_REQUESTS = (
    "asked for nothing",
    "for less than they use",
    "for more than a node has",
    "use more than a node has",
    "median",
)


def requests_of(window: Case) -> dict[str, float]:
    """What the jobs of a window asked for, in percent of all jobs, and its median.

    The median is in multiples of what a process uses, of the jobs that asked for anything.
    """
    scenario = make_scenario(**window.parameters)
    jobs = load_workload(scenario)
    ram = scenario.largest_ram_mb * BYTES_PER_MB
    asked = [(job.requested, job.memory) for job in jobs if job.requested is not None]
    counts = (
        len(jobs) - len(asked),
        sum(requested < used for requested, used in asked),
        sum(requested > ram for requested, _ in asked),
        sum(job.memory > ram for job in jobs),
    )
    shares = (100 * count / len(jobs) for count in counts)
    middle = median(requested / used for requested, used in asked)
    return dict(zip(_REQUESTS, (*shares, middle), strict=True))


def _requests(_: Measurements) -> Iterator[Row]:
    for window in WINDOWS:
        *percents, middle = requests_of(window).values()
        first = window.parameters["first"]
        yield (f"{first:,}", *(f"{one:.0f}" for one in percents), f"{middle:.2f}")


def _each(of: Callable[..., str]) -> Column:
    """A mean in each window."""
    return lambda measured, windows, own, _: ", ".join(
        of(measured, *own(window)) for window in windows
    )


TABLES: Mapping[str, Table] = {
    "knowing_and_borrowing": columns(
        ("known", ""),
        {
            (known, design): (WINDOWS, side(design, **varied), side("DP"))
            for known, varied in KNOWLEDGE.items()
            for design in STYLES
        },
        {
            "by seeds": multiples(over="by seeds"),
            "by windows": multiples(),
            "waits, s": _each(number("{:,.0f}", "mean_wait_s")),
            "pages from disk, thousands": _each(number("{:,.0f}", "faults_disk", 1000)),
        },
    ),
    "requests": listed(("first record", *_REQUESTS), _requests),
}


TERMS = Terms(
    cases={"all windows, knowing exact": [knowing(EXACT, case) for case in WINDOWS]},
    kinds={
        "everywhere": everywhere,
        **kinds_of({"% fewer pages from disk": fewer_pct, "longer wait, s": longer_wait_s}),
    },
)

PAPER = Paper(
    "knowing-memory",
    "mean_response_s",
    FIGURES,
    read_findings("knowing-memory", TERMS),
    named=TABLES,
    ours=True,
)
