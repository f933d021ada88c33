"""Claims of the study's own: what pages cost by class, and what reloading leaves of a quantum."""

from collections.abc import Iterator
from functools import cache
from math import exp, log
from pathlib import Path
from statistics import fmean

import numpy as np
import pandas as pd

from model.ground.units import NS_PER_MS
from model.papers.claims import Entry, Evaluator
from model.papers.measurements import geometric_mean
from model.papers.verdicts import Claim, claim
from model.pnr.constants import reference_ns
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
    off = []
    for case in entry.cases:
        ratio = evaluator.number(entry, case, str(entry.design), str(entry.to))
        if ratio is None:
            return
        off.append(abs(log(ratio.mean)))
    yield from _one("%", 100 * (exp(fmean(off)) - 1), entry)


def _by_price(evaluator: Evaluator, entry: Entry) -> Iterator[Claim]:
    """Ratios of the cases in which the design's pages cost between two numbers of ms on average.

    Each of them, and their geometric mean.
    """
    own, other = str(entry.design), str(entry.to)
    least, most = entry.given["page_ms"]
    ratios = {}
    for case in entry.cases:
        cost = evaluator.measured.of(case, own, "network_page_ms")
        ratio = evaluator.number(entry, case, own, other)
        if cost and ratio and least <= cost.mean < most:
            ratios[str(case)] = ratio
    yield claim("each", ratios.items(), entry.low, entry.high)
    mean = geometric_mean([ratio.mean for ratio in ratios.values()]) if ratios else None
    yield claim("mean", [("mean", mean)], entry.low, entry.high)


KINDS = {
    "by price": _by_price,
    "page ms": _page_ms,
    "% of pages": _page_pct,
    "explained": _explained,
    "computed": _computed,
    "off": _off,
}
