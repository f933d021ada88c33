"""WAL-FC: what is claimed and how, and what names in `text/` stand for."""

from collections.abc import Iterator, Sequence
from math import inf

import pandas as pd

from model.papers.cases import Case
from model.papers.findings import Claim, Claims, claim, claiming, near
from model.papers.measurements import GeometricMean, Measurements, mean_of, transformed
from model.papers.paper import Paper
from model.papers.statements import Terms, read_findings
from model.papers.text import Named
from model.papers.wal_fc import gain_tables, reading_tables, time_tables
from model.papers.wal_fc.figures import FIGURES, along, cases
from model.sweeps.statistics import Estimate

_PCT = 25  # the range around a factor of the paper
_BEST_MB = 210.0
_KNEE_MB = 160.0  # the size closest to 150 MB among those run


def _axis(figure: str) -> dict[str, Case]:
    """A figure's cases by their places on its axis."""
    return {f"at {value:g}": case for (value,), case in cases(f"figure {figure}").items()}


@claiming
def _everywhere(
    measured: Measurements, figure: str, policy: str, than: Sequence[str], low: float, high: float
) -> Iterator[Claim]:
    """A policy in multiples of each of some others is in a range at each point of a figure."""
    for other in than:
        parts = [
            (place, measured.ratio((case, policy), (case, other)))
            for place, case in _axis(figure).items()
        ]
        words = f"Figure {figure}: {policy} in multiples of {other}, {{}}"
        yield claim(words, parts, low, high)


@claiming
def _factor(
    measured: Measurements,
    figure: str,
    policy: str,
    than: str,
    times: Sequence[float] = (),
    below_pct: Sequence[float] = (),
) -> Iterator[Claim]:
    """A policy's largest multiple of another along a figure, and their geometric mean.

    Both, or the largest alone, are stated; or by how many percent the other is below.
    """
    most, *average = times or [1 / (1 - percent / 100) for percent in below_pct]
    pairs = {place: ((case, policy), (case, than)) for place, case in _axis(figure).items()}
    ratios = {place: measured.ratio(*pair) for place, pair in pairs.items()}
    found = {place: ratio for place, ratio in ratios.items() if ratio is not None}
    highest = max(found, key=lambda place: found[place].mean, default="")
    words = f"Figure {figure}: {policy} in multiples of {than}"
    whole = found.get(highest) if len(found) == len(pairs) else None
    yield claim(f"{words}, at most, {{}}", [(highest, whole)], *near(most, _PCT))
    for stated in average:
        product = measured.ratio(*(one for pair in pairs.values() for one in pair))
        mean = product and _power(product, 1 / len(pairs))
        yield claim(f"{words}, on average, {{}}", [("all points", mean)], *near(stated, _PCT))


def _power(value: Estimate, exponent: float) -> Estimate:
    return GeometricMean(*transformed(value, lambda part: part**exponent))


@claiming
def _ends(
    measured: Measurements, figure: str, policies: Sequence[str], low: float, high: float
) -> Iterator[Claim]:
    """The last point of a figure, in multiples of the first, is in a range."""
    first, *_, last = along(figure)
    parts = [(name, measured.ratio((last, name), (first, name))) for name in policies]
    words = f"Figure {figure}: last point in multiples of the first, {{}}"
    yield claim(words, parts, low, high)


@claiming
def _falls(measured: Measurements) -> Iterator[Claim]:
    """Figure 4.1 falls from each point to the next."""
    axis = _axis("4.1")
    steps = zip(axis, axis.values(), list(axis.values())[1:], strict=False)
    parts = [
        (f"from {place.removeprefix('at ')}", measured.ratio((after, "WAL"), (before, "WAL")))
        for place, before, after in steps
    ]
    yield claim("Figure 4.1: a point in multiples of that before, {}", parts, -inf, 1)


@claiming
def _optimum(measured: Measurements, policy: str) -> Iterator[Claim]:
    """Figure 4.2: slowdowns exceed that at the paper's best size, and the best size here."""
    by_size = {size: case for (size,), case in cases("figure 4.2").items()}
    best = by_size.pop(_BEST_MB)
    parts = [
        (f"{size:g} MB", measured.ratio((case, policy), (best, policy)))
        for size, case in by_size.items()
    ]
    yield claim(
        f"Figure 4.2: {policy} in multiples of that at {_BEST_MB:g} MB, {{}}", parts, 1, inf
    )
    found = mean_of(best_of(measured, {**by_size, _BEST_MB: best}, policy))
    yield claim("best size of each seed, mean, {} MB", [(policy, found)], 185, 235)


def best_of(measured: Measurements, by_value: dict[float, Case], policy: str) -> pd.Series:
    """The value with the least mean slowdown, for each seed that all have."""
    columns = {value: measured.values(case, policy) for value, case in by_value.items()}
    return pd.DataFrame(columns, dtype=float).dropna().idxmin(axis=1).astype(float)


def _knee(policy: str) -> Claims:
    """Figure 5.1: what one more MB gains beyond the knee, in multiples of its gain below."""
    least, *_, most = _sizes()
    words = f"beyond {_KNEE_MB:g} MB in multiples of that below"
    return _rises(policy, words, (_KNEE_MB, most), (least, _KNEE_MB), -0.1, 0.5)


def _linear(policy: str) -> Claims:
    """Figure 5.1: below the knee, the upper half rises as steeply as the lower."""
    least, middle, *_ = _sizes()
    words = (
        f"from {middle:g} to {_KNEE_MB:g} MB in multiples of that from {least:g} to {middle:g} MB"
    )
    return _rises(policy, words, (middle, _KNEE_MB), (least, middle), 0.67, 1.5)


def _sizes() -> list[float]:
    """The buffers of figure 5.1, MB, ascending."""
    return sorted(size for (size,) in cases("figure 5.1"))


@claiming
def _rises(
    measured: Measurements,
    policy: str,
    words: str,
    upper: tuple[float, float],
    lower: tuple[float, float],
    low: float,
    high: float,
) -> Iterator[Claim]:
    """Figure 5.1: what one more MB gains between two sizes, over that between two others."""
    by_size = {size: case for (size,), case in cases("figure 5.1").items()}

    def gain(start: float, end: float) -> pd.Series:
        there, here = (measured.values(by_size[at], policy, "hit_rate") for at in (end, start))
        return (there - here) / (end - start)

    found = mean_of(gain(*upper) / gain(*lower))
    yield claim(f"Figure 5.1: the rise of {policy} {words}, {{}}", [(policy, found)], low, high)


def _slower_in(figure: str) -> Named:
    """Where WAL_FC is surely behind WAL, and how far."""
    return lambda measured: [
        f"{place} ({value.mean:.2f} times WAL, {value.low:.2f} to {value.high:.2f})"
        for place, case in _axis(figure).items()
        if (value := measured.ratio((case, "WAL_FC"), (case, "WAL"))) and value.low > 1
    ]


@claiming
def _sensitive(measured: Measurements) -> Iterator[Claim]:
    """Figure 5.2: how other policies rise along the axis, over how WAL_FC does."""
    first, *_, last = along("5.2")
    parts = [
        (name, measured.ratio((last, name), (first, name), (first, "WAL_FC"), (last, "WAL_FC")))
        for name in ("NLB", "IO", "WAL")
    ]
    words = "Figure 5.2: last over first point, in multiples of that of WAL_FC, {}"
    yield claim(words, parts, 1.1, inf)


@claiming
def _converges(measured: Measurements) -> Iterator[Claim]:
    """Where WAL_FC's buffers end in figure 5.4, beside the best fixed size of the same seed."""
    sizes = {size: case for (size, weight), case in cases("fixed 5.4").items() if weight == 0.5}
    ends_mb = measured.values(sizes[160], "WAL_FC", "final_buffer_mb")
    found = mean_of((ends_mb - best_of(measured, sizes, "WAL")).abs())
    words = "Figure 5.4: final size, off the best fixed one of the seed, {} MB"
    yield claim(words, [("WAL_FC", found)], 0, 25)


@claiming
def _more_over_nlb(measured: Measurements) -> Iterator[Claim]:
    """NLB over other policies at the first points of figures 5.4 and 5.2, of equal fault rates."""
    both, memory = along("5.4")[0], along("5.2")[0]
    parts = [
        (name, measured.ratio((both, "NLB"), (both, name), (memory, name), (memory, "NLB")))
        for name in ("CM", "IO", "WAL", "WAL_FC")
    ]
    words = "NLB in multiples of others: figure 5.4 in multiples of figure 5.2, first points, {}"
    yield claim(words, parts, 1, inf)


@claiming
def _gains_more(measured: Measurements) -> Iterator[Claim]:
    """Figure 5.5: WAL over WAL_FC is larger at the end of the axis than at its beginning."""
    first, *_, last = along("5.5")
    found = measured.ratio((last, "WAL"), (last, "WAL_FC"), (first, "WAL_FC"), (first, "WAL"))
    words = "WAL in multiples of WAL_FC: last point in multiples of the first, {}"
    yield claim(f"Figure 5.5: {words}", [("ratio of ratios", found)], 1, inf)


TERMS = Terms(
    kinds={
        "everywhere": _everywhere,
        "factor": _factor,
        "ends": _ends,
        "falls": _falls,
        "optimum": _optimum,
        "knee": _knee,
        "linear": _linear,
        "sensitive": _sensitive,
        "converges": _converges,
        "more over NLB": _more_over_nlb,
        "gains more": _gains_more,
    },
    numbers={"slower_in_5_3": _slower_in("5.3"), "slower_in_5_4": _slower_in("5.4")},
)


PAPER = Paper(
    "wal-fc",
    "mean_slowdown",
    FIGURES,
    read_findings("wal-fc", TERMS),
    named={**time_tables.TABLES, **gain_tables.NAMED, **reading_tables.TABLES},
)
