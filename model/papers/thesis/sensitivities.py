"""Which setting moves which result: what the thesis leaves open read in other ways, and more.

`alternatives.toml` declares them, each in the same five cases.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from model.papers.cases import Case, declared
from model.papers.figures import Panel, PaperFigure, Style
from model.papers.measurements import Measurements
from model.papers.tables import table
from model.pnr.measures import PAGING
from model.sweeps.statistics import Estimate
from model.views.style import FONT_SIZE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SWEEP = declared("alternatives")
_WHERE: dict[str, dict[str, Any]] = _SWEEP["choice"]["where"]
_SEED = 1  # that of the scenario, since the sweep declares none
_DESIGNS = [name for name in _SWEEP["designs"] if name != PAGING]


_WORDS = {
    "rotation": "a disk that does not wait half a turn",
    "skip_full": "managers that skip servers they believe full",
    "page_exchange": "a page in both directions at each fault",
    "duplex": "links that carry a message in each direction at a time",
    "quantum_s": "a quantum of {} s",
    "relocality": "no faults once all of a process is loaded",
    "demand": "run time instead of CPU time",
    "mpl": "{} jobs a node",
    "first": "jobs from record {:,} on",
}


def _readings() -> dict[str, dict[str, Any]]:
    """The parameters of each other reading, as `--help` calls them; one for each value."""
    found = {}
    for part in _SWEEP["runs"].values():
        for name, given in part.items():
            if name == "across":
                continue
            for value in given if isinstance(given, list) else [given]:
                words = str(value).lower() if isinstance(value, bool) else f"{value}"
                found[f"{name} = {words}"] = {name: value}
    return found


def in_words(reading: Mapping[str, object]) -> str:
    """A setting, which is the only entry of a mapping, in words."""
    ((name, value),) = reading.items()
    return _WORDS[name].format(value)


READINGS = _readings()


def _ratio(
    measured: Measurements, where: str, design: str, reading: Mapping[str, object]
) -> float | None:
    """An optimization ratio, %, in one of the cases under a reading, by the one seed of all."""
    case = Case("", {"first": _SWEEP["first"], **_WHERE[where], **reading})
    own, paging = (measured.values(case, name) for name in (design, PAGING))
    if _SEED not in own or _SEED not in paging:
        return None
    return float(100 * (1 - own[_SEED] / paging[_SEED]))


def sensitivities(measured: Measurements) -> str:
    """Each design's optimization ratio under each reading: one row for each reading."""
    rows = []
    for name, reading in {"as assumed": {}, **READINGS}.items():
        cells = []
        for where in _WHERE:
            found = [_ratio(measured, where, design, reading) for design in _DESIGNS]
            known = [f"{one:.1f}" for one in found if one is not None]
            cells.append(" / ".join(known) if len(known) == len(found) else "")
        if any(cells):
            rows.append((f"{in_words(reading)} ({name})" if reading else name, *cells))
    return table((f"{' / '.join(_DESIGNS)}, %", *_WHERE), rows)


def most_moving(measured: Measurements) -> list[tuple[str, float]]:
    """MAN's optimization ratio, %, in the light case: as assumed, then by how far readings move it.

    Only those that move it by a tenth of its value or more, other jobs left out; nothing if there
    are none.
    """
    base = _ratio(measured, "light", "MAN", {})
    if base is None:
        return []
    found = [
        (in_words(reading), one)
        for reading in READINGS.values()
        if "first" not in reading
        and (one := _ratio(measured, "light", "MAN", reading)) is not None
        and abs(one - base) >= 0.1 * abs(base)
    ]
    found.sort(key=lambda moved: -abs(moved[1] - base))
    return [("those assumed", base), *found] if found else []


def _shift(measured: Measurements, case: Case, where: str) -> Estimate | None:
    """By how many points a reading moves MAN's optimization ratio; see the figure."""
    reading = case.parameters
    here, there = (_ratio(measured, where, "MAN", one) for one in (reading, {}))
    if here is None or there is None:
        return None
    moved = here - there
    return Estimate(moved, moved, moved, 1)


def _scale(axes: "Axes", shown: list[Estimate]) -> None:
    axes.margins(y=0.1)
    axes.tick_params("x", labelsize=FONT_SIZE - 1)  # "page_exchange" is wider than its bars


_STYLES = ("#56B4E9", "#0072B2", "#E69F00", "#D55E00", "#009E73")

SENSITIVITIES = PaperFigure(
    "3",
    "By how many points other settings move MAN's optimization ratio",
    (
        Panel(
            tuple(Case(words, reading) for words, reading in READINGS.items()),
            tuple(words.replace(" = ", "\n") for words in READINGS),
            "",
        ),
    ),
    {where: Style(color) for where, color in zip(_WHERE, _STYLES, strict=True)},
    "Points of the optimization ratio",
    _shift,
    form="bars",
    level=0,
    scale=_scale,
)
