"""The cases of `knowing-memory.toml`: what the scheduler knows, and comparisons."""

from typing import Any

from model.papers import windows
from model.papers.cases import Case, declared
from model.papers.findings import Claims
from model.papers.measurements import Measurements, mean_of
from model.papers.windows import side, windows_of
from model.sweeps.statistics import Estimate

_SWEEP = declared("knowing-memory")

#: Windows of the trace in which paging costs much, with plain gang scheduling.
WINDOWS = windows_of(_SWEEP, ram=_SWEEP["ram"])

NOTHING = "nothing"  # plain gang scheduling
EXACT, REQUESTED, USER = _SWEEP["runs"]["gang-memory"]["memory_estimate"]
#: What the scheduler knows of memory, and the parameters that say so.
KNOWLEDGE: dict[str, dict[str, Any]] = {
    NOTHING: {},
    **{
        known: {"scheduler": "gang-memory", "memory_estimate": known}
        for known in (EXACT, REQUESTED, USER)
    },
}


def knowing(known: str, window: Case) -> Case:
    """The window with a scheduler that knows so much."""
    return Case(f"{window}, knowing {known}", {**window.parameters, **KNOWLEDGE[known]})


def unknown(case: Case) -> Case:
    """The same window with a scheduler that knows nothing."""
    first = case.parameters["first"]
    (window,) = (one for one in WINDOWS if one.parameters["first"] == first)
    return window


def everywhere(
    design: str, known: str, low: float, high: float, than: str, than_known: str
) -> Claims:
    """Jobs' mean response time in multiples of another design's, each with what is known.

    It is between low and high in the mean of all windows, and in each of them.
    """
    return windows.everywhere(
        f"{design} knowing {known} in multiples of {than} knowing {than_known}",
        WINDOWS,
        side(design, **KNOWLEDGE[known]),
        side(than, **KNOWLEDGE[than_known]),
        low,
        high,
    )


def fewer_pct(measured: Measurements, case: Case, design: str) -> Estimate | None:
    """By how many percent a design reads fewer pages from disk than it does knowing nothing."""
    return measured.reduction_pct((case, design), (unknown(case), design), "faults_disk")


def longer_wait_s(measured: Measurements, case: Case, design: str) -> Estimate | None:
    """By how many seconds jobs wait longer for their start than with the design knowing nothing."""
    own, other = (measured.values(one, design, "mean_wait_s") for one in (case, unknown(case)))
    return mean_of(own - other)
