"""Claims of the study's own: means over windows, and windows by whether all memory was found."""

from collections.abc import Iterator

from model.papers.claims import Entry, Evaluator
from model.papers.measurements import geometric_mean
from model.papers.verdicts import Claim, claim
from model.sweeps.statistics import estimate


def by_found(evaluator: Evaluator, entry: Entry) -> Iterator[Claim]:
    """Ratios in the cases where the other design found all memory (`found`), or not all.

    Each of them, and their geometric mean.
    """
    own, other = str(entry.design), str(entry.to)
    ratios = {}
    for case in entry.cases:
        unmet = evaluator.measured.of(case, other, "need_unmet_mb")
        ratio = evaluator.number(entry, case, own, other)
        if unmet and ratio and (unmet.mean == 0) == entry.given["found"]:
            ratios[str(case)] = ratio
    yield claim("each", ratios.items(), entry.low, entry.high)
    mean = geometric_mean([ratio.mean for ratio in ratios.values()]) if ratios else None
    yield claim("mean", [("mean", mean)], entry.low, entry.high)


def mean(evaluator: Evaluator, entry: Entry) -> Iterator[Claim]:
    """The mean of a measure over the windows, with its interval."""
    found = [evaluator.measured.of(case, str(entry.design), entry.measure) for case in entry.cases]
    known = [one.mean for one in found if one is not None]
    value = estimate(known) if len(known) == len(found) else None
    yield claim(f"{entry.measure}", [(str(entry.design), value)], entry.low, entry.high)


KINDS = {"by found": by_found, "mean": mean}
