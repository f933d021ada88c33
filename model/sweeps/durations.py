"""How long runs take on one core: estimated from their jobs, corrected by what stored runs took."""

from collections.abc import Hashable, Mapping, Sequence
from math import ceil
from statistics import fmean, median
from typing import Any

from model.core.comparison import Comparison
from model.core.measures import is_beyond
from model.sweeps.store import Result
from model.sweeps.sweep import Run
from model.systems import comparison_of

_MOST = 30  # estimates in a sweep, each of up to a second; other runs are taken to be like these


def expected_s(runs: Sequence[Run]) -> dict[str, float]:
    """Estimates, by key; runs that differ by seed alone have one.

    In a large sweep some runs are estimated, evenly spaced, and the others get the mean of those
    with the same design.
    """
    alike: dict[Hashable, list[Run]] = {}
    for run in runs:
        scenario = run.scenario.comparing().model_copy(update={"seed": 0})
        alike.setdefault((scenario, run.design), []).append(run)
    groups = list(alike.values())
    found: dict[str, float] = {}
    by_design: dict[str, list[float]] = {}
    last: Comparison[Any] | None = None
    for group in groups[:: ceil(len(groups) / _MOST)]:
        run = group[0]
        comparison = comparison_of(run.scenario)
        if last is not None and last.workload_key == comparison.workload_key:
            comparison = comparison_of(run.scenario, last.loaded.workload)
        last = comparison
        (name,) = comparison.contestants
        estimate_s = comparison.expected_s(name)
        by_design.setdefault(run.design, []).append(estimate_s)
        found |= {one.key: estimate_s for one in group}
    every = [estimate_s for own in by_design.values() for estimate_s in own]
    for run in runs:
        if run.key not in found:
            found[run.key] = fmean(by_design.get(run.design, every))
    return found


class Durations:
    """Estimates of a sweep's runs, corrected by what those took that are stored."""

    def __init__(self, runs: Sequence[Run], stored: Mapping[str, Result]) -> None:
        self._expected_s = expected_s(runs)
        self._ratios: dict[str, list[float]] = {}  # of what runs took to their estimate, by design
        for run in runs:
            result = stored.get(run.key)
            if result is not None and not is_beyond(result["summary"]):  # which ends early
                ratio = result["took_s"] / self._expected_s[run.key]
                self._ratios.setdefault(run.design, []).append(ratio)

    def of(self, run: Run) -> float:
        """Seconds that the run takes on one core."""
        every = [ratio for ratios in self._ratios.values() for ratio in ratios]
        return median(self._ratios.get(run.design) or every or [1]) * self._expected_s[run.key]
