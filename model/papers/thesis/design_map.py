"""Which design is ahead, by what a page costs over the network, by load and by RAM; see `map.toml`.

The thesis's table 5.1 again, with designs that came after it. Response times are compared in
windows of the log, so intervals say what holds for jobs like these.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from statistics import fmean
from typing import NamedTuple

from model.papers.cases import Case, declared
from model.papers.figures import Panel, PaperFigure, Style, logarithmic
from model.papers.measurements import Measurements, NotRun
from model.papers.tables import Row, interval, listed
from model.papers.text import Named, page_text
from model.papers.thesis.claims import TELLING_PCT
from model.papers.thesis.cliff import disk_ms
from model.papers.windows import over_windows, side, windows_of
from model.pnr.measures import PAGING
from model.report.figures import COLORS
from model.sweeps.statistics import Estimate

_SWEEP = declared("map")
_VARIED = _SWEEP["runs"]["map"]
LOAD_FACTORS: list[float] = _VARIED["load_factor"]
SIZES: list[float] = _VARIED["ram"]
NETWORKS: list[float] = _VARIED["bandwidth_mbps"]
DESIGNS: list[str] = _SWEEP["designs"]
_WINDOWS = f"{len(_SWEEP['window'])} windows of {_SWEEP['window'][0][1]} jobs"
_PNR = [name for name in DESIGNS if name != PAGING]
ALIKE_PCT = 2  # designs closer than this are not worth a choice between them


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


class Choice(NamedTuple):
    """What to choose at a place."""

    place: Place
    best: str  # the design of network RAM that is the fastest in the mean over windows
    vs_paging: Estimate  # its response time in multiples of disk paging's
    #: Whether it is ahead of disk paging, by `TELLING_PCT` or more, in every window; None: in some.
    always: bool | None
    loses_pct: dict[str, float]  # by how much a design is behind a window's fastest at most


def choice(measured: Measurements, place: Place) -> Choice | None:
    """What to choose there; None if runs are missing."""
    times = {name: place.times(measured, name, PAGING) for name in _PNR}
    shares = {name: value for name, value in times.items() if value is not None}
    if len(shares) < len(times):
        return None
    best = min(shares, key=lambda name: shares[name].mean)
    took = [_means(measured, case, DESIGNS) for case in place.windows()]
    ahead = [of[best] < (1 - TELLING_PCT / 100) * of[PAGING] for of in took]
    return Choice(
        place,
        best,
        shares[best],
        ahead[0] if len(set(ahead)) == 1 else None,
        {
            name: max(100 * (of[name] / min(of.values()) - 1) for of in took)
            for name in [*_PNR, PAGING]
        },
    )


def _means(measured: Measurements, case: Case, designs: Sequence[str]) -> dict[str, float]:
    """Designs' mean response times over the seeds that all of them have; there are some."""
    found = measured.in_common([(case, name) for name in designs])
    return dict(zip(designs, map(fmean, found), strict=True))


@lru_cache(1)  # a page asks for them many times
def choices(measured: Measurements) -> list[Choice]:
    """What to choose at each place that was run."""
    return [one for place in PLACES if (one := choice(measured, place)) is not None]


def by_chance_pct(measured: Measurements) -> list[float]:
    """By how much a design's slowest seed is behind its fastest, wherever there are several."""
    cases = [case for place in PLACES for case in place.windows()]
    runs = [measured.values(case, name) for case, name in product(cases, DESIGNS)]
    return [100 * (of.max() / of.min() - 1) for of in runs if len(of) > 1]


def _rows(measured: Measurements) -> Iterator[Row]:
    for one in choices(measured):
        place = one.place
        page = place.page(measured)
        yield (
            *(f"{place.bandwidth_mbps:,g} Mbps", "" if page is None else f"{page:.2f}"),
            *(f"{place.load_factor:g}", f"{place.ram:g} %"),
            f"{one.best} {interval(one.vs_paging)}",
            *(f"{loss:.0f}" for loss in one.loses_pct.values()),
        )


#: The map as a table: one row for each place.
designs_by_place = listed(
    (
        *("network", "page/disk", "load factor", "RAM", "the best in multiples of DP"),
        *(f"{name}, %" for name in [*_PNR, PAGING]),
    ),
    _rows,
)


def _chosen(measured: Measurements) -> list[Choice]:
    """The choices; raises NotRun without the map's runs."""
    if not (found := choices(measured)):
        raise NotRun
    return found


def _ahead(measured: Measurements) -> dict[str, int]:
    """At how many places the best design beats disk paging in all windows, in some, in none."""
    ahead = [one.always for one in _chosen(measured)]
    counts = {"always": True, "sometimes": None, "never": False}
    return {words: ahead.count(answer) for words, answer in counts.items()}


def _where_it_matters(measured: Measurements) -> list[Choice]:
    return [
        one for one in _chosen(measured) if max(one.loses_pct[name] for name in _PNR) > ALIKE_PCT
    ]


def _most_losses(measured: Measurements) -> dict[str, float]:
    """By how much each design is behind the fastest in a window at most, where that matters."""
    matters = _where_it_matters(measured)
    return {name: max(one.loses_pct[name] for one in matters) for name in _PNR if matters}


def _losses(measured: Measurements) -> list[str]:
    return [f"{pct:,.0f} % ({name})" for name, pct in _most_losses(measured).items()]


def _least_loss(measured: Measurements) -> str:
    """The least of the designs' greatest losses there."""
    if not (most := _most_losses(measured)):
        raise NotRun
    least = min(most, key=most.__getitem__)
    return f"{most[least]:,.0f} % ({least})"


#: What texts say of the map; they raise NotRun without its runs.
MAP_NUMBERS: Mapping[str, Named] = {
    "places": lambda measured: len(_chosen(measured)),
    "map_windows": lambda _: _WINDOWS,
    "telling_pct": lambda _: TELLING_PCT,
    "ahead": _ahead,
    "any_will_do": lambda measured: len(_chosen(measured)) - len(_where_it_matters(measured)),
    "alike_pct": lambda _: ALIKE_PCT,
    "chance_pct": by_chance_pct,
    "losses": _losses,
    "least_loss": _least_loss,
}
#: What replaces table 5.1, with its counts.
WHICH_DESIGN = page_text("thesis", "which_design.md", MAP_NUMBERS)


def _times_paging(measured: Measurements, case: Case, design: str) -> Estimate | None:
    """A design in multiples of disk paging at a place, with the least and the most of a window."""
    names = ("bandwidth_mbps", "load_factor", "ram")
    place = Place(*(case.parameters[name] for name in names))
    found = place.times(measured, design, PAGING)
    if found is None:
        return None
    took = [_means(measured, one, (design, PAGING)) for one in place.windows()]
    times = [of[design] / of[PAGING] for of in took]
    return Estimate(found.mean, min(times), max(times), found.n)


def _panel(factor: float, ram: float) -> Panel:
    cases = tuple(Case(bandwidth_mbps=m, load_factor=factor, ram=ram) for m in NETWORKS)
    ticks = tuple(f"{mbps:,g}" for mbps in NETWORKS)
    return Panel(cases, ticks, "Mbps", f"load factor {factor:g}, {ram:g} % RAM")


_OTHERS = {"TREE4": "#999999", "PROBE2": "#CC79A7", "ADAPT": "#D55E00"}

MAP = PaperFigure(
    "2",
    "Mean response times in multiples of disk paging's, by network, load and RAM (log scale)",
    tuple(_panel(factor, ram) for factor, ram in product(LOAD_FACTORS, SIZES)),
    {name: Style({**COLORS, **_OTHERS}[name]) for name in _PNR},
    "Times DP's response time",
    _times_paging,
    level=1,
    scale=logarithmic,
    note="long bars are cut",
    bars="the least to the most",
    summary=True,
)
