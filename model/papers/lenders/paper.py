"""The study: what is drawn, and what names in `text/` stand for."""

from collections.abc import Iterator, Mapping
from functools import partial
from math import comb
from typing import TYPE_CHECKING

from model.papers.cases import Case
from model.papers.figures import Panel, PaperFigure, Scale, Style
from model.papers.findings import Claim, Designs, claim, claiming, designs_of, of_each
from model.papers.lenders.balance import FILLING, LATER_S, MINUTES
from model.papers.lenders.cases import (
    BY_SHARE,
    CAPACITIES,
    CHANGES,
    DESIGNS,
    EQUAL,
    EVERYWHERE,
    FREEST,
    JOINS,
    LOST,
    P2C,
    PROBE,
    RANDOM,
    SLABS,
    TROUBLES,
    WORKLOADS,
    WORST,
    case,
    trouble,
)
from model.papers.measurements import Measurements, mean_of, shows
from model.papers.paper import Paper
from model.papers.statements import Terms, read_findings
from model.papers.tables import NOT_RUN, Table, columns, interval, number
from model.sweeps.statistics import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: How designs are drawn.
STYLES = {
    RANDOM: Style("#999999"),
    FREEST: Style("#D55E00"),
    P2C: Style("#0072B2"),
    PROBE: Style("#56B4E9"),
    SLABS: Style("#009E73"),
    WORST: Style("#000000"),
    BY_SHARE: Style("#E69F00", True),
    EVERYWHERE: Style("#CC79A7"),
}
_P2C = "MASTER alone: p2c"
_IN_JOINS = (FREEST, P2C, RANDOM, PROBE, SLABS, WORST)
#: How lenders are drawn, by whose used shares the lines are.
_FILLING = dict(
    zip(("those that join", "mean of the others", "fullest", "emptiest"), FILLING, strict=True)
)
_LENDERS = dict(
    zip(
        _FILLING,
        (Style("#D55E00"), Style("#000000"), Style("#999999"), Style("#999999", True)),
        strict=True,
    )
)
#: How many lenders each draws for a loan.
_DRAWN = {RANDOM: 1, FREEST: 6, P2C: 2, PROBE: 2, SLABS: 2}
_OTHERS, _NEW = 19, 2  # nobody draws itself
_OVER = "workloads"


def _used(measured: Measurements, since: Case, whose: str, *, design: str) -> Estimate | None:
    """A used share, %, so long after lenders have joined."""
    measure = f"lenders.{_FILLING[whose]}.{since.parameters['since_s']}"
    return shows(measure, 100)(measured, case(JOINS), design)


def _storm(measured: Measurements, of: Case, design: str) -> Estimate | None:
    """Which part of the loans of a minute goes to those that join, %."""
    measure = f"lenders.storm_by_minute.{of.parameters['minute']}"
    return shows(measure, 100)(measured, case(JOINS), design)


def _up_to(top: float) -> Scale:
    """A vertical axis from 0 to `top`: intervals of few workloads may be much longer."""

    def scale(axes: "Axes", _: list[Estimate]) -> None:
        axes.set_ylim(0, top)

    return scale


_SHOWN_S = (0, 30, *(since_s for since_s in LATER_S if 60 <= since_s <= 600))
_TIMES = tuple(Case(f"{since_s} s", {"since_s": since_s}) for since_s in _SHOWN_S)
_MINUTES = tuple(Case(f"minute {n}", {"minute": n}) for n in range(1, MINUTES + 1))

FIGURES = (
    PaperFigure(
        "1",
        "How full lenders are, by design, after two of twenty have joined empty",
        tuple(
            Panel(_TIMES, _SHOWN_S, "Seconds since they joined", name, partial(_used, design=name))
            for name in _IN_JOINS
        ),
        _LENDERS,
        "Used share (%)",
        scale=_up_to(102),
        note=_P2C,
        summary=True,
        over=_OVER,
    ),
    PaperFigure(
        "2",
        "Which part of the loans goes to two lenders of twenty that join empty (line: their part)",
        (Panel(_MINUTES, tuple(range(1, MINUTES + 1)), "Minute after they joined"),),
        {name: STYLES[name] for name in _IN_JOINS},
        "Loans (%)",
        _storm,
        level=10,
        scale=_up_to(75),
        note=_P2C,
        summary=True,
        over=_OVER,
    ),
    PaperFigure(
        "3",
        "How evenly lenders are used: the deviation of their used shares",
        (
            Panel(tuple(map(case, CAPACITIES)), CAPACITIES, "Capacities"),
            Panel(tuple(map(case, CHANGES)), CHANGES, "Changes"),
        ),
        STYLES,
        "Deviation (points)",
        shows("lenders.used_sd", 100),
        "bars",
        note=_P2C,
        over=_OVER,
    ),
    PaperFigure(
        "4",
        "What a loan costs where capacities are equal",
        (Panel((case(EQUAL),), (EQUAL,), ""),),
        STYLES,
        "Messages a loan",
        shows("lenders.messages_a_loan"),
        "bars",
        note=_P2C,
        over=_OVER,
    ),
)


@of_each
@claiming
def than_equal(
    measured: Measurements, of: Case, designs: Designs, low: float, high: float
) -> Iterator[Claim]:
    """Response times in a case, in multiples of those with equal capacities and no trouble."""
    parts = [(name, slower(measured, of, name)) for name in designs_of(designs, of)]
    yield claim(f"{of}: response time in multiples of that without, {{}}", parts, low, high)


def slower(measured: Measurements, of: Case, design: str) -> Estimate | None:
    """A design's response time in a case in multiples of that where nothing happens."""
    return measured.ratio((of, design), (case(EQUAL), design))


def disk_pct(measured: Measurements, of: Case, design: str) -> Estimate | None:
    """Which part of the pages that are missed comes from the disk, %."""
    disk, network = (
        measured.values(of, design, f"faults_{medium}") for medium in ("disk", "network")
    )
    return mean_of(100 * disk / (disk + network))


def messages(measured: Measurements, of: Case, design: str) -> Estimate | None:
    """How many messages the loans of a run take in all."""
    loans, each = (
        measured.values(of, design, f"lenders.{name}") for name in ("loans", "messages_a_loan")
    )
    return mean_of(loans * each)


def waiting_pct(measured: Measurements, of: Case, design: str) -> Estimate | None:
    """Which part of the response time jobs wait for their start, %."""
    waiting, response = (
        measured.values(of, design, name) for name in ("breakdown.waiting_s", "mean_response_s")
    )
    return mean_of(100 * waiting / response)


def closed_form(_: Measurements, of: Case, design: str) -> str:
    """How often newcomers are among those that are drawn, %: they get the loan if emptiest."""
    if design not in _DRAWN:
        return "-"
    drawn = _DRAWN[design]
    return f"{100 * (1 - comb(_OTHERS - _NEW, drawn) / comb(_OTHERS, drawn)):.0f}"


def _trouble(measured: Measurements, design: str, name: str) -> str:
    """What came of a trouble: jobs that are stuck, what leaks, how much longer jobs take."""
    of = trouble(name, design)
    parts = []
    for measure, words in (("jobs_stuck", "{:.1f} stuck"), ("leaked_mb", "leaks {:.0f} MB")):
        found = measured.of(of, design, f"faults.{measure}")
        if found is not None and found.mean > 0.05:
            parts.append(words.format(found.mean))
    longer = slower(measured, of, design)
    if longer is None:
        return NOT_RUN
    disk = number("{:.1f}", disk_pct)(measured, of, design)
    return ", ".join([*parts, f"time {interval(longer)}, {disk} % from disk"])


TABLES: Mapping[str, Table] = {
    "storms": columns(
        ("",),
        {name: (case(JOINS), name) for name in DESIGNS},
        {
            "closed form, %": closed_form,
            "while they are the emptiest, %": number(
                "{:.0f}", shows("lenders.storm_while_emptiest", 100)
            ),
            "in a minute, %": shows("lenders.storm_60", 100),
            "in five, %": shows("lenders.storm_300", 100),
            "of their bytes, %": shows("lenders.storm_300_of_bytes", 100),
            "runs that converge": number("{:.0%}", "lenders.converged"),
            "after, s": shows("lenders.converges_s"),
        },
    ),
    "balance": columns(
        ("capacities", ""),
        {(name, design): (case(name), design) for name in CAPACITIES for design in DESIGNS},
        {
            "used, %": number("{:.0f}", shows("lenders.used_mean", 100)),
            "deviation, points": shows("lenders.used_sd", 100),
            "largest / median": number("{:.2f}", "lenders.most_over_median"),
            "largest / smallest": number("{:.2f}", "lenders.most_over_least"),
            "response, s": number("{:,.0f}", "mean_response_s"),
            "slowdown": number("{:.1f}", "mean_slowdown"),
            "messages a loan": number("{:.1f}", "lenders.messages_a_loan"),
            "loans": number("{:,.0f}", "lenders.loans"),
            "refusals a loan": number("{:.2f}", "lenders.refusals_a_loan"),
            "pages from disk, %": number("{:.1f}", disk_pct),
        },
    ),
    "troubles": columns(
        ("",),
        {name: (name,) for name in DESIGNS},
        {name: partial(_trouble, name=name) for name in TROUBLES},
    ),
}

#: Measures of the answer that no run has by itself.
_COMPUTED = {
    "slower": slower,
    "disk_pct": disk_pct,
    "messages": messages,
    "waiting_pct": waiting_pct,
}
#: What a design is called in the answer to practitioners.
_CALLED = dict(
    zip(
        ("random", "freest", "p2c", "probe", "slabs", "worst", "by share", "everywhere"),
        DESIGNS,
        strict=True,
    )
)


class Told:
    """Means with their intervals, as `text/page.md` names them: `joins, p2c, lenders.storm_60`."""

    def __init__(self, measured: Measurements, times: float = 1, digits: int = 0) -> None:
        self._measured, self._times, self._digits = measured, times, digits

    def __getitem__(self, name: str) -> str:
        where, called, measure = name.split(", ")
        design = _CALLED[called]
        of = trouble(where, design) if where in TROUBLES else case(where)
        own = _COMPUTED.get(measure, shows(measure))
        found = own(self._measured, of, design)
        if found is None:
            return "(not run)"
        mean, low, high = (
            f"{self._times * one:,.{self._digits}f}" for one in (found.mean, found.low, found.high)
        )
        return mean if low == high or found.n < 2 else f"{mean} ({low} to {high})"


TERMS = Terms(
    cases={
        **{name: case(name) for name in (*CAPACITIES, *CHANGES)},
        **{f"lost {kind}": case(f"lost {kind}") for kind in LOST},
    },
    kinds={"than equal": than_equal},
)

PAPER = Paper(
    "lenders",
    "mean_response_s",
    FIGURES,
    read_findings("lenders", TERMS),
    named={
        **TABLES,
        "whole": Told,
        "tenth": lambda measured: Told(measured, digits=1),
        "pct": lambda measured: Told(measured, 100),
        "points": lambda measured: Told(measured, 100, 1),
    },
    ours=True,
    workloads=WORKLOADS,
)
