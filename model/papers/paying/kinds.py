"""Claims of the study's own: means over windows, and windows by whether all memory was found."""

from collections.abc import Iterator

from model.papers.claims import Entry, Evaluator, ratios_where
from model.papers.verdicts import Claim, claim
from model.sweeps.statistics import estimate


def by_found(evaluator: Evaluator, entry: Entry) -> Iterator[Claim]:
    """Ratios in the cases where the other design found all memory (`found`), or not all."""
    found = entry.given["found"]
    whose = str(entry.to)
    return ratios_where(evaluator, entry, whose, "need_unmet_mb", lambda mb: (mb == 0) == found)


def mean(evaluator: Evaluator, entry: Entry) -> Iterator[Claim]:
    """The mean of a measure over the windows, with its interval."""
    found = [evaluator.measured.of(case, str(entry.design), entry.measure) for case in entry.cases]
    known = [one.mean for one in found if one is not None]
    value = estimate(known) if len(known) == len(found) else None
    yield claim(f"{entry.measure}", [(str(entry.design), value)], entry.low, entry.high)


KINDS = {"by found": by_found, "mean": mean}
