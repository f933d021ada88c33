"""Claims of CMGS's own: what factors explain, how far replications differ, and how many thrash."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import exp, log, nan
from statistics import StatisticsError, fmean, stdev

from model.papers.cases import Case
from model.papers.claims import Entry, Evaluator
from model.papers.measurements import GeometricMean, transformed
from model.papers.verdicts import Claim, claim
from model.sweeps.statistics import Estimate, estimate

#: The factors of the paper's experiment, each with its low and its high level.
LEVELS = {"policy": ("CPU_MEM", "CMGS"), "platform": ("I", "II"), "load": ("mixed", "memory")}
WITHIN = 10  # points, of a percentage of the paper's
Cell = tuple[int, ...]  # each factor's level, -1 or 1


def sums_of_squares(
    factors: Sequence[str], cells: Mapping[Cell, Sequence[float]]
) -> dict[str, float]:
    """What each factor alone explains of the variation, the errors, and `all` of it.

    A full factorial design of two levels, each cell of which is measured equally often (Jain, 1991,
    chapters 17 and 18). The effect of a factor is the mean of the cells' means times its levels.
    """
    means = {cell: fmean(values) for cell, values in cells.items()}
    mean = fmean(means.values())
    every = [(means[cell], value) for cell, values in cells.items() for value in values]
    effects = {
        factor: fmean(cell[place] * value for cell, value in means.items())
        for place, factor in enumerate(factors)
    }
    return {
        **{factor: len(every) * effect**2 for factor, effect in effects.items()},
        "error": sum((value - of_cell) ** 2 for of_cell, value in every),
        "all": sum((value - mean) ** 2 for _, value in every),
    }


def share(evaluator: Evaluator, entry: Entry) -> Iterator[Claim]:
    """The percentage of the variation that a factor, or errors (`of`), explain: no interval.

    Perhaps without the replication that errs the most. The paper's are in `pct`.
    """
    compared = [
        (Case(platform=platform, load=load), policy)
        for policy, platform, load in product(*LEVELS.values())
    ]
    rows = [*zip(*evaluator.measured.in_common(compared, entry.measure), strict=True)]

    def sums(chosen: Sequence[tuple[float, ...]]) -> dict[str, float]:
        signs = product((-1, 1), repeat=len(LEVELS))
        return sums_of_squares([*LEVELS], dict(zip(signs, zip(*chosen, strict=True), strict=True)))

    of, value = entry.given["of"], None
    if rows:
        found = sums(rows)
        if entry.given.get("without_worst_seed"):
            others = (sums(rows[:at] + rows[at + 1 :]) for at in range(len(rows)))
            found = min(others, key=lambda one: one["error"])
        pct = 100 * found[of] / found["all"]
        value = Estimate(pct, pct, pct, 1)
    stated = entry.given.get("pct", {}).get(of, nan)
    yield claim(f"{of}, %", [("%", value)], stated - WITHIN, stated + WITHIN)


def deviations(evaluator: Evaluator, entry: Entry) -> Iterator[Claim]:
    """On platform II the others' standard deviations, in multiples of the reference's."""
    memory, mixed = Case(platform="II", load="memory"), Case(platform="II", load="mixed")
    parts = []
    for other in ((mixed, "CPU_MEM"), (mixed, "CMGS"), (memory, "CMGS")):
        pair = evaluator.measured.in_common([other, (memory, "CPU_MEM")], entry.measure)
        parts.append((f"{other[1]}, {other[0]}", ratio_of_deviations(*pair)))
    yield claim("standard deviations", parts, entry.low, entry.high)


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


def above(evaluator: Evaluator, entry: Entry) -> Iterator[Claim]:
    """How many of a design's seeds are above a `limit`."""
    for case in entry.cases:
        parts = []
        for name, own, _ in evaluator.pairs(entry, case):
            values = evaluator.measured.by_seed(case, own, entry.measure).values()
            count = sum(value > entry.given["limit"] for value in values)
            parts.append((name, Estimate(count, count, count, 1) if values else None))
        yield claim(f"seeds above {entry.given['limit']}", parts, entry.low, entry.high)


KINDS = {"share": share, "deviations": deviations, "above": above}
