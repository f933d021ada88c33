"""Which design is ahead, by what a page costs over the network, by load and by RAM; see `map.toml`.

The thesis's table 5.1 again, with designs that came after it. Response times are compared in
windows of the log, so intervals say what holds for jobs like these.
"""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from model.papers.cases import Case, declared
from model.papers.figures import Panel, PaperFigure, Style, logarithmic
from model.papers.measurements import Measurements
from model.papers.page import interval, table
from model.papers.thesis.cliff import disk_ms
from model.papers.windows import over_windows, side, windows_of
from model.report.figures import COLORS
from model.sweeps.statistics import PAGING, Estimate

_SWEEP = declared("map")
_VARIED = _SWEEP["runs"]["map"]
LOAD_FACTORS: list[float] = _VARIED["load_factor"]
SIZES: list[float] = _VARIED["ram"]
NETWORKS: list[float] = _VARIED["bandwidth_mbps"]
DESIGNS: list[str] = _SWEEP["designs"]
_PNR = [name for name in DESIGNS if name != PAGING]
ALIKE_PCT = 2  # designs closer than this are not worth a choice


class Place(NamedTuple):
    """One place of the map."""

    bandwidth_mbps: float
    load_factor: float
    ram: float

    def windows(self) -> tuple[Case, ...]:
        """The cases there, one for each window of the log."""
        return windows_of(_SWEEP, nodes=_SWEEP["nodes"], **self._asdict())

    def times(self, measured: Measurements, own: str, than: str) -> Estimate | None:
        """A design's response time in multiples of another's, with an interval over windows."""
        return over_windows(measured, self.windows(), side(own), side(than))["by windows"]

    def page(self, measured: Measurements) -> float | None:
        """What a page over the network costs, in multiples of one from the disk (under MAN)."""
        found = [measured.of(case, "MAN", "network_page_ms") for case in self.windows()]
        costs = [one.mean for one in found if one is not None]
        return sum(costs) / len(costs) / disk_ms() if costs else None


PLACES = [Place(mbps, factor, ram) for factor, ram, mbps in product(LOAD_FACTORS, SIZES, NETWORKS)]


class Ahead(NamedTuple):
    """Who is ahead at a place, in the mean over windows."""

    place: Place
    best: str
    others: list[str]  # that are not surely slower, by `ALIKE_PCT` or more
    vs_paging: Estimate  # its response time in multiples of disk paging's


def ahead(measured: Measurements, place: Place) -> Ahead | None:
    """Who is ahead there; None if runs are missing."""
    shares = {name: place.times(measured, name, PAGING) for name in _PNR}
    if any(value is None for value in shares.values()):
        return None
    best = min(shares, key=lambda name: shares[name].mean)
    behind = 1 + ALIKE_PCT / 100
    others = [
        name for name in _PNR if name != best and place.times(measured, name, best).low <= behind
    ]
    return Ahead(place, best, others, shares[best])


def found_on_the_map(measured: Measurements) -> list[Ahead]:
    """What is known of each place."""
    return [one for place in PLACES if (one := ahead(measured, place)) is not None]


def designs_by_place(measured: Measurements) -> Iterator[str]:
    """The map as a table: one row for each place."""
    rows = []
    for one in found_on_the_map(measured):
        place = one.place
        page = place.page(measured)
        slower = [name for name in _PNR if name != one.best and name not in one.others]
        rows.append(
            (
                f"{place.bandwidth_mbps:,g} Mbps",
                "" if page is None else f"{page:.2f}",
                f"{place.load_factor:g}",
                f"{place.ram:g} %",
                interval(one.vs_paging),
                "any" if not slower else f"{one.best} ({', '.join(one.others) or 'alone'})",
                ", ".join(slower),
            )
        )
    yield from table(
        (
            "network",
            "page/disk",
            "load factor",
            "RAM",
            "the best in multiples of DP",
            f"the best (not surely {ALIKE_PCT} % behind)",
            "surely behind",
        ),
        rows,
    )


def sentence(measured: Measurements) -> str:
    """What replaces table 5.1, in a sentence with its counts; nothing without the map's runs."""
    found = found_on_the_map(measured)
    if not found:
        return ""
    gains = sum(one.vs_paging.high < 1 for one in found)
    loses = sum(one.vs_paging.low > 1 for one in found)
    any_design = [one for one in found if len(one.others) == len(_PNR) - 1]
    behind = {
        name: sum(name != one.best and name not in one.others for one in found) for name in _PNR
    }
    told = ", ".join(f"{name} in {count}" for name, count in behind.items() if count) or "none"
    return (
        f"Of {len(found)} places of the map borrowing is surely ahead of disk paging in {gains} "
        f"and surely behind in {loses}; in {len(any_design)} any design does; where they differ, "
        f"those surely behind the best by {ALIKE_PCT} % are: {told}."
    )


def _times_paging(measured: Measurements, case: Case, design: str) -> Estimate | None:
    """A design in multiples of disk paging at a place, for the figure."""
    names = ("bandwidth_mbps", "load_factor", "ram")
    return Place(*(case.parameters[name] for name in names)).times(measured, design, PAGING)


def _panel(factor: float, ram: float) -> Panel:
    cases = tuple(Case(bandwidth_mbps=m, load_factor=factor, ram=ram) for m in NETWORKS)
    ticks = tuple(f"{mbps:,g}" for mbps in NETWORKS)
    return Panel(cases, ticks, "Mbps", f"load factor {factor:g}, {ram:g} % RAM")


_OTHERS = {"TREE4": "#999999", "PROBE2": "#56B4E9", "ADAPT": "#D55E00"}

MAP = PaperFigure(
    "2",
    "Mean response times in multiples of disk paging's, by network, load and RAM (log scale)",
    tuple(_panel(factor, ram) for factor, ram in product(LOAD_FACTORS, SIZES)),
    {name: Style({**COLORS, **_OTHERS}[name]) for name in _PNR},
    "Times DP's response time",
    _times_paging,
    level=1,
    scale=logarithmic,
    note="long intervals are cut",
    summary=True,
)
