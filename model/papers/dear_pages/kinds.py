"""Claims of the study's own: what pages cost by class, and what reloading leaves of a quantum."""

from collections.abc import Iterator, Mapping
from functools import cache
from math import exp, log
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pandas as pd

from model.ground.units import NS_PER_MS
from model.papers.cases import Case, declared
from model.papers.claims import Entry, Evaluator, ratios_where
from model.papers.measurements import Measurements, geometric_mean
from model.papers.verdicts import Claim, claim
from model.pnr.constants import reference_ns
from model.pnr.measures import PAGING
from model.pnr.page_costs import read_page_costs
from model.pnr.scenario import make_scenario
from model.sweeps.statistics import Estimate


@cache
def _counted() -> pd.DataFrame:
    return read_page_costs(Path(__file__).with_name("pages.csv"))


def mean_ms(column: str, least: float, most: float) -> tuple[float, float]:
    """What pages cost on average of which a column is in a range, and their share of all pages."""
    pages = _counted()
    meant = pages[pages[column].between(least, most)]
    cost = float(np.average(meant["page_ms"], weights=meant["pages"]))
    return cost, float(meant["pages"].sum() / pages["pages"].sum())


def computed_share(pages: float, page_ms: float, quantum_s: float) -> float:
    """The share of its quantum that a process computes if so many of its pages are out of RAM.

    It computes x of a quantum q. Its page faults are random: of N pages, N (1 - exp(-x / (a N)))
    are loaded by then, where a = R · 4096 is the CPU time in which it walks through a page. Each
    costs c, so x + c N (1 - exp(-x / (a N))) = q, which bisection solves.
    """
    scenario = make_scenario()
    walk_ms = reference_ns(scenario) * scenario.page_bytes / NS_PER_MS
    quantum_ms = 1000 * quantum_s
    low, high = 0.0, quantum_ms
    for _ in range(60):
        x = (low + high) / 2
        used = x + page_ms * pages * (1 - exp(-x / (walk_ms * pages)))
        low, high = (x, high) if used < quantum_ms else (low, x)
    return low / quantum_ms


def _one(what: str, value: float, entry: Entry) -> Iterator[Claim]:
    yield claim(what, [("", Estimate(value, value, value, 1))], entry.low, entry.high)


def _page_ms(_: Evaluator, entry: Entry) -> Iterator[Claim]:
    """What pages cost, ms, that are `between` two numbers of a `column`."""
    cost, _share = mean_ms(entry.given["column"], *entry.given["between"])
    return _one("ms", cost, entry)


def _page_pct(_: Evaluator, entry: Entry) -> Iterator[Claim]:
    """How many percent of all pages these are."""
    return _one("%", 100 * mean_ms(entry.given["column"], *entry.given["between"])[1], entry)


def _explained(_: Evaluator, entry: Entry) -> Iterator[Claim]:
    """How many percent of the variance of costs a `column` explains."""
    pages = _counted()
    weights = pages["pages"]
    mean = np.average(pages["page_ms"], weights=weights)
    cost = pages["page_ms"] * weights
    groups = pages[entry.given["column"]]
    own = cost.groupby(groups).transform("sum") / weights.groupby(groups).transform("sum")
    within = np.average((pages["page_ms"] - own) ** 2, weights=weights)
    every = np.average((pages["page_ms"] - mean) ** 2, weights=weights)
    return _one("%", float(100 * (1 - within / every)), entry)


def _computed(_: Evaluator, entry: Entry) -> Iterator[Claim]:
    """How many percent of a quantum a process computes: `computed_share`."""
    given = entry.given
    share = computed_share(given["pages"], given["page_ms"], given["quantum_s"])
    return _one("%", 100 * share, entry)


def _off(evaluator: Evaluator, entry: Entry) -> Iterator[Claim]:
    """By how many percent a null model is off a design's response time: a mean over the windows."""
    pairs = [
        evaluator.number(entry, case, str(entry.design), str(entry.to)) for case in entry.cases
    ]
    off = [abs(log(ratio.mean)) for ratio in pairs if ratio is not None]
    value = 100 * (exp(fmean(off)) - 1) if len(off) == len(pairs) else None
    known = None if value is None else Estimate(value, value, value, len(off))
    yield claim("%", [("", known)], entry.low, entry.high)


def _own_price(evaluator: Evaluator, entry: Entry) -> Iterator[Claim]:
    """A disk with each window's own mean price, in multiples of a design's response time."""
    tables = declared("dear-pages")["choice"]["own"].values()
    own = {_window(table): table["seek_ms"] for table in tables}
    ratios = []
    for case in entry.cases:
        given = case.parameters
        seek_ms = own[given["first"], given.get("synchronization")]
        disk = case.but(seek_ms=seek_ms, rotation=False)
        ratio = evaluator.measured.ratio((disk, PAGING), (case, str(entry.to)))
        if ratio is not None:
            ratios.append(ratio.mean)
    known = geometric_mean(ratios) if len(ratios) == len(entry.cases) else None
    yield claim("own price", [("own price", known)], entry.low, entry.high)


def _window(table: Mapping[str, Any]) -> tuple[int, str | None]:
    """The first record of a window, and how its processes synchronize, if not as usual."""
    ((first, _),) = table["window"]
    return first, table.get("synchronization")


def _by_price(evaluator: Evaluator, entry: Entry) -> Iterator[Claim]:
    """Ratios of the cases in which the design's pages cost between two numbers of ms on average."""
    least, most = entry.given["page_ms"]
    whose = str(entry.design)
    return ratios_where(evaluator, entry, whose, "network_page_ms", lambda ms: least <= ms < most)


def response_s(measured: Measurements, quantum_s: int, place: int) -> Estimate | None:
    """DP's response time with this quantum, and the page time at this place of the list."""
    runs = declared("dear-pages")["runs"][f"quantum-{quantum_s}"]
    ((first, jobs),) = runs["window"]
    disk = {"rotation": False, "seek_ms": runs["seek_ms"][place]}
    varied = {} if quantum_s == 60 else {"quantum_s": quantum_s}
    return measured.of(Case(nodes=64, first=first, jobs=jobs, **disk, **varied), PAGING)


def _quantum(evaluator: Evaluator, entry: Entry) -> Iterator[Claim]:
    """A response time with a quantum of 30 or 120 s in multiples of that with 60, at each place."""
    measured = evaluator.measured
    places = range(len(declared("dear-pages")["runs"]["quantum-60"]["seek_ms"]))
    for quantum_s in (30, 120):
        parts = []
        for place in places:
            own, usual = (response_s(measured, q, place) for q in (quantum_s, 60))
            ratio = own.mean / usual.mean if own and usual else None
            parts.append((str(place), None if ratio is None else Estimate(ratio, ratio, ratio, 1)))
        yield claim(f"{quantum_s} s", parts, entry.low, entry.high)


KINDS = {
    "quantum": _quantum,
    "own price": _own_price,
    "by price": _by_price,
    "page ms": _page_ms,
    "% of pages": _page_pct,
    "explained": _explained,
    "computed": _computed,
    "off": _off,
}
