"""What a feedback controller could gain: the best fixed settings, the printed one, and others.

Fixed settings are chosen with hindsight, on the same runs on which they are compared, which is more
than a controller can do.
"""

from collections.abc import Iterator, Mapping
from statistics import fmean
from typing import NamedTuple

import pandas as pd

from model.papers.cases import Case, base_case
from model.papers.measurements import (
    Measurements,
    geometric_mean,
    geometric_mean_of,
    of_common_seeds,
)
from model.papers.tables import Row, interval, listed
from model.papers.text import Named
from model.papers.wal_fc.figures import cases

#: Figures with a grid of fixed settings; what the paper says WAL_FC gains on WAL, most and average.
_FIXED = {"5.2": "2.74; 2.20", "5.3": "2.82; 1.25", "5.4": "2.20; 1.43"}
_CONTROLLED = ("5.2", "5.3")
_START = {"buffer_mb": 160.0, "io_weight": 0.5}
_GAIN = 0.5  # the paper's, MB
_STEPS = base_case("wal-fc")["jobs"] - 1
_WINDOWS = {"sliding": "the last 50, after each job", "disjoint": "50, once in 50 jobs (ours)"}


class _Grid(NamedTuple):
    """WAL with fixed settings at a point of a figure."""

    start: Case  # where the controller starts
    gains: pd.DataFrame  # WAL at the start in multiples of WAL, by seed and setting

    @property
    def best(self) -> tuple[float, float]:
        """The buffer in MB and the weight that are best over all seeds."""
        settings: list[tuple[float, float]] = [*self.gains]
        return max(settings, key=lambda which: geometric_mean(self.gains[which].tolist()).mean)


def _grid(measured: Measurements, figure: str) -> _Grid | None:
    """None if its runs are not stored."""
    grid = cases(f"fixed {figure}")
    start = next(iter(grid.values())).but(**_START)
    own = measured.values(start, "WAL")
    found = {which: own / measured.values(case, "WAL") for which, case in grid.items()}
    gains = pd.DataFrame(found).dropna()
    return None if gains.empty else _Grid(start, gains)


def _fixed(measured: Measurements, figure: str) -> Row:
    grid = _grid(measured, figure)
    if grid is None:
        return (interval(None), "", "", "", "")
    best, gains = grid.best, grid.gains
    controlled = _gains(measured, grid.start, grid.start).reindex(gains.index).dropna()
    own, fixed, each = (
        interval(geometric_mean_of(found)) for found in (controlled, gains[best], gains.max(axis=1))
    )
    return (own, fixed, f"{best[0]:g} MB, {best[1]:g}", each, f"{len(gains)}")


def _gains(measured: Measurements, start: Case, case: Case) -> pd.Series:
    """WAL where a controller starts, in multiples of the controlled one, by seed."""
    return (measured.values(start, "WAL") / measured.values(case, "WAL_FC")).dropna()


def _printed(measured: Measurements, figure: str) -> Row:
    grid = _grid(measured, figure)
    if grid is None:
        return (interval(None), "", "", "", "", "", "")
    seeds = grid.gains.index
    path_mb, ends_off_mb = _moved_mb(measured, grid.start, seeds)
    weights = measured.values(grid.start, "WAL_FC", "final_io_weight").reindex(seeds)
    step_mb = path_mb / _STEPS
    off_mb = abs(grid.best[0] - _START["buffer_mb"])
    return (
        *(f"{step_mb / _GAIN:.2f}", f"{step_mb:.2f}", f"{path_mb:.0f}", f"{ends_off_mb:.1f}"),
        *(f"{off_mb:g}", _effect(measured, grid, step_mb / off_mb) if off_mb else ""),
        f"{(weights - _START['io_weight']).abs().mean():.2f}",
    )


def _effect(measured: Measurements, grid: _Grid, share: float) -> str:
    """How much of WAL's slowdown that share of the way to the best fixed buffer takes away."""
    own = measured.values(grid.start, "WAL")
    there = (own / grid.gains[grid.best]).dropna()
    return f"{fmean((own - there).dropna()) * share:.2f} of {fmean(own[there.index]):.0f}"


def _moved_mb(measured: Measurements, case: Case, seeds: pd.Index) -> tuple[float, float]:
    """The path of the buffer, and how far it is from where it started at the end, in the mean."""
    path_mb, ends_mb = (
        measured.values(case, "WAL_FC", measure).reindex(seeds)
        for measure in ("buffer_path_mb", "final_buffer_mb")
    )
    return path_mb.mean(), (ends_mb - _START["buffer_mb"]).abs().mean()


def _controllers(measured: Measurements) -> Iterator[Row]:
    for figure in _CONTROLLED:
        by_setting = cases(f"controller {figure}")
        start = next(iter(by_setting.values())).but(feedback_window="sliding", buffer_gain=_GAIN)
        found = of_common_seeds(
            {which: _gains(measured, start, case) for which, case in by_setting.items()}
        )
        for (window, gain), case in by_setting.items():
            row = (interval(None), "", "", "")
            if (window, gain) in found and len(found):
                path_mb, off_mb = _moved_mb(measured, case, found.index)
                gains = interval(geometric_mean_of(found[window, gain]))
                row = (gains, f"{path_mb:.0f}", f"{off_mb:.1f}", f"{len(found)}")
            yield (figure, _WINDOWS[str(window)], f"{gain:g}", *row)


NAMED: Mapping[str, Named] = {
    "steps": lambda _: _STEPS,
    "gain_mb": lambda _: _GAIN,
    "could_gain": listed(
        (
            *("In figure", "Paper: at most, on average", "WAL_FC"),
            *("Best fixed", "Which", "Best of each seed", "Seeds"),
        ),
        lambda measured: (
            (figure, stated, *_fixed(measured, figure)) for figure, stated in _FIXED.items()
        ),
    ),
    "printed_controller": listed(
        (
            *("In figure", "Change of S", "A step, MB", "Path, MB", "Ends off, MB"),
            *("Best is off, MB", "A step changes the slowdown by", "Weight ends off"),
        ),
        lambda measured: ((figure, *_printed(measured, figure)) for figure in _FIXED),
    ),
    "other_controllers": listed(
        (
            *("In figure", "Mean of", "Gain, MB", "WAL over WAL_FC"),
            *("Path, MB", "Ends off, MB", "Seeds"),
        ),
        _controllers,
    ),
}
