"""How lenders that join empty fill up, and how many of the loans they get."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from model.papers.cases import Case
from model.papers.figures import Panel, PaperFigure, Scale, Style
from model.papers.lenders.balance import FILLING, LATER_S, MINUTES
from model.papers.measurements import Measurements, shows
from model.papers.study import study_of
from model.sweeps.statistics import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STYLES = {
    "MASTER(strategy=free-ratio-first)": Style("#D55E00"),
    "MASTER": Style("#0072B2"),
    "MASTER(strategy=random)": Style("#999999"),
    "PROBE2": Style("#56B4E9"),
    "INFINISWAP(hot_slab=0.1)": Style("#009E73"),
    "CEN": Style("#000000"),
}
_NOTE, _OVER = "MASTER alone: p2c", "workloads"
#: The lines of the first figure: whose used shares, by measure.
_FILLING: Mapping[str, tuple[str, Style]] = dict(
    zip(
        ("those that join", "mean of the others", "fullest", "emptiest"),
        zip(
            FILLING,
            (Style("#D55E00"), Style("#000000"), Style("#999999"), Style("#999999", True)),
            strict=True,
        ),
        strict=True,
    )
)
_SHOWN_S = (0, 30, *(since_s for since_s in LATER_S if 60 <= since_s <= 600))
_MINUTES = tuple(range(1, MINUTES + 1))


def _pct(measured: Measurements, design: str, measure: str) -> Estimate | None:
    """A share, %, where two lenders join."""
    (joins,) = study_of("lenders").states.cases("joins")
    return shows(measure, 100)(measured, joins, design)


def _used(measured: Measurements, since: Case, whose: str, *, design: str) -> Estimate | None:
    of, _ = _FILLING[whose]
    return _pct(measured, design, f"lenders.{of}.{since.parameters['since_s']}")


def _storm(measured: Measurements, at: Case, design: str) -> Estimate | None:
    return _pct(measured, design, f"lenders.storm_by_minute.{at.parameters['minute']}")


def _up_to(top: float) -> Scale:
    """A vertical axis from 0 to `top`: intervals of few workloads may be much longer."""

    def scale(axes: "Axes", _: list[Estimate]) -> None:
        axes.set_ylim(0, top)

    return scale


FIGURES = (
    PaperFigure(
        "1",
        "How full lenders are, by design, after two of twenty have joined empty",
        tuple(
            Panel(
                tuple(Case(since_s=since_s) for since_s in _SHOWN_S),
                _SHOWN_S,
                "Seconds since they joined",
                name,
                partial(_used, design=name),
            )
            for name in STYLES
        ),
        {name: style for name, (_, style) in _FILLING.items()},
        "Used share (%)",
        scale=_up_to(102),
        note=_NOTE,
        summary=True,
        over=_OVER,
    ),
    PaperFigure(
        "2",
        "Which part of the loans goes to two lenders of twenty that join empty (line: their part)",
        (
            Panel(
                tuple(Case(minute=minute) for minute in _MINUTES),
                _MINUTES,
                "Minute after they joined",
            ),
        ),
        STYLES,
        "Loans (%)",
        _storm,
        level=10,
        scale=_up_to(75),
        note=_NOTE,
        summary=True,
        over=_OVER,
    ),
)
