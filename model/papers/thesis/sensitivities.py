"""Which setting moves which result: what the thesis leaves open read in other ways, and more.

`alternatives.toml` declares them, each in the same five cases.
"""

from collections.abc import Iterator
from typing import Any

from model.papers.cases import Case, declared
from model.papers.figures import Panel, PaperFigure, Style
from model.papers.measurements import Measurements
from model.papers.page import table
from model.sweeps.statistics import PAGING, Estimate

_SWEEP = declared("alternatives")
_WHERE: dict[str, dict[str, Any]] = _SWEEP["choice"]["where"]
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
                told = str(value).lower() if isinstance(value, bool) else f"{value}"
                found[f"{name} = {told}"] = {name: value}
    return found


def _in_words(reading: dict[str, Any]) -> str:
    ((name, value),) = reading.items()
    return _WORDS[name].format(value)


READINGS = _readings()


def _ratio(
    measured: Measurements, where: str, design: str, reading: dict[str, Any]
) -> Estimate | None:
    """An optimization ratio, %, in one of the cases under a reading."""
    case = Case("", {"first": _SWEEP["first"], **_WHERE[where], **reading})
    return measured.reduction_pct((case, design), (case, PAGING))


def sensitivities(measured: Measurements) -> Iterator[str]:
    """Each design's optimization ratio under each reading: one row for each reading."""
    rows = []
    for name, reading in {"as assumed": {}, **READINGS}.items():
        cells = []
        for where in _WHERE:
            found = [_ratio(measured, where, design, reading) for design in _DESIGNS]
            known = [one.mean for one in found if one is not None]
            whole = len(known) == len(found)
            cells.append(" / ".join(f"{mean:.1f}" for mean in known) if whole else "")
        if any(cells):
            rows.append((f"{_in_words(reading)} ({name})" if reading else name, *cells))
    yield from table((f"{' / '.join(_DESIGNS)}, %", *_WHERE), rows)


def most_moving(measured: Measurements) -> list[tuple[str, float]]:
    """MAN's optimization ratio, %, in the light case: as assumed, then by how far readings move it.

    Only those that move it by a tenth of its value or more, other jobs left out; nothing if there
    are none.
    """
    base = _ratio(measured, "light", "MAN", {})
    if base is None:
        return []
    found = [
        (_in_words(reading), one.mean)
        for reading in READINGS.values()
        if "first" not in reading
        and (one := _ratio(measured, "light", "MAN", reading)) is not None
        and abs(one.mean - base.mean) >= 0.1 * abs(base.mean)
    ]
    found.sort(key=lambda told: -abs(told[1] - base.mean))
    return [("those assumed", base.mean), *found] if found else []


def _shift(measured: Measurements, case: Case, where: str) -> Estimate | None:
    """By how many points a reading moves MAN's optimization ratio; see the figure."""
    reading = case.parameters
    here, there = (_ratio(measured, where, "MAN", one) for one in (reading, {}))
    if here is None or there is None:
        return None
    moved = here.mean - there.mean
    return Estimate(moved, moved, moved, min(here.n, there.n))


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
    scale=lambda axes, shown: axes.margins(y=0.1),
)
