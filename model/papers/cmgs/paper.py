"""CMGS: what is claimed and how, and what names in `text/` stand for."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import exp, inf, log
from statistics import StatisticsError, stdev
from types import MappingProxyType

from model.papers.cases import Case
from model.papers.cmgs.factorial_tables import FACTORS, NAMED, analysis_of
from model.papers.cmgs.figures import FIGURES, LOADS, PLATFORMS, RESPONSES, STYLES, case
from model.papers.findings import Claim, claim, claiming, of_each
from model.papers.measurements import Compared, GeometricMean, Measurements, transformed
from model.papers.paper import Paper
from model.papers.statements import Terms, read_findings
from model.sweeps.statistics import Estimate, estimate

_, FAULTS, _ = RESPONSES
_POINTS = 10  # around a stated percentage


@of_each
@claiming
def _below(
    measured: Measurements,
    where: Case,
    response: str,
    policy: str,
    than: str,
    stated: float | None = None,
    low: float = -inf,
    high: float = inf,
    than_in: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[Claim]:
    """A policy's response is below another's by some percent, over common seeds.

    The other's may be that in another case, which differs in what is named. By how much is the
    geometric mean of the seeds' ratios; of page faults, of which some runs have none, it is the
    ratio of the means.
    """
    own, other = (where, policy), (where.but(**than_in), than)
    if response == FAULTS:
        found = measured.reduction_pct(own, other, response)
    else:
        found = _below_pct(measured.ratio(other, own, measure=response))
    words = f"{_name(own)} below {_name(other)}, {{}} %"
    limits = (low, high) if stated is None else _near(stated)
    yield claim(words, [("%", found)], *limits)


def _name(compared: Compared) -> str:
    case, policy = compared
    return f"{policy}, {case.parameters['platform']}, {case.parameters['load']}"


def _below_pct(ratio: Estimate | None) -> Estimate | None:
    """By how many percent one is below another that is so many times as large."""
    return ratio and transformed(ratio, lambda part: 100 * (1 - 1 / part))


def _near(value: float) -> tuple[float, float]:
    return value - _POINTS, value + _POINTS


@claiming
def _shares(measured: Measurements, response: str, stated: Mapping[str, float]) -> Iterator[Claim]:
    """The factors' shares of variation, which have no intervals."""
    analysis = analysis_of(measured, response)
    for factor in FACTORS:
        share = 100 * analysis.share(factor) if analysis else None
        value = None if share is None else Estimate(share, share, share, 1)
        low, high = _near(stated[factor])
        yield claim(f"{factor}, {{}} %", [("%", value)], max(0, low), high)


@claiming
def _widest(measured: Measurements, response: str) -> Iterator[Claim]:
    """On platform II the others' standard deviations, as intervals go by, are less than its own."""
    own = case("II", "memory")
    others = [cell for cell in product(STYLES, LOADS) if cell != ("CPU_MEM", "memory")]
    parts = []
    for policy, load in others:
        pair = measured.in_common([(case("II", load), policy), (own, "CPU_MEM")], response)
        parts.append((f"{policy} {load}", ratio_of_deviations(*pair)))
    words = f"{RESPONSES[response].lower()}, standard deviations in multiples of its own, {{}}"
    yield claim(words, parts, -inf, 1)


def ratio_of_deviations(one: Sequence[float], other: Sequence[float]) -> Estimate | None:
    """One standard deviation in multiples of another, over common seeds; None if they do not tell.

    The interval is that of the jackknife of its logarithm (Miller, Biometrika 61, 1974, 1-15).
    """

    def ratio(pairs: list[tuple[float, float]]) -> float:
        return log(stdev(a for a, _ in pairs) / stdev(b for _, b in pairs))

    pairs = list(zip(one, other, strict=True))
    n = len(pairs)
    try:
        whole = ratio(pairs)
        pseudo = [n * whole - (n - 1) * ratio(pairs[:at] + pairs[at + 1 :]) for at in range(n)]
    except (StatisticsError, ZeroDivisionError, ValueError):  # too few seeds, or they are alike
        return None
    return GeometricMean(*transformed(estimate(pseudo), exp))


TERMS = Terms(
    cases={
        **{f"platform {one}": [case(one, load) for load in LOADS] for one in PLATFORMS},
        **{f"platform {one}, {load}": case(one, load) for one in PLATFORMS for load in LOADS},
    },
    kinds={"shares": _shares, "below": _below, "widest": _widest},
)


PAPER = Paper(
    "cmgs",
    "slowdown_of_sums",
    FIGURES,
    read_findings("cmgs", TERMS),
    named=NAMED,
    later=("memory-intensive-on-I", "memory-intensive-on-II", "mixed-on-II", "still-more-on-I"),
)
