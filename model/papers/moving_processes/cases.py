"""The cases of `moving-processes.toml`, and comparisons of designs in them."""

from model.papers import windows
from model.papers.cases import Case, declared, over
from model.papers.findings import Claims
from model.papers.measurements import Measurements, mean_of
from model.papers.windows import side, windows_of
from model.sweeps.statistics import Estimate

_RUNS = declared("moving-processes")["runs"]

NEITHER, BORROWING, MOVING, BOTH = declared("moving-processes")["designs"]
FAST_MBPS, SLOW_MBPS = _RUNS["scarce"]["bandwidth_mbps"]

#: Windows of the trace at a RAM with which memory is scarce.
WINDOWS = windows_of(_RUNS["scarce"], ram=_RUNS["scarce"]["ram"])
#: Larger windows in which paging costs much, though there is more RAM.
LARGER = windows_of(_RUNS["larger"], ram=_RUNS["larger"]["ram"])
#: The window of the README's picture, with more RAM.
(_LESS_SCARCE,) = windows_of(_RUNS["less-scarce"], ram=_RUNS["less-scarce"]["ram"])
LESS_SCARCE = Case(f"{_LESS_SCARCE}, {_RUNS['less-scarce']['ram']} % RAM", _LESS_SCARCE.parameters)


def everywhere(design: str, low: float, high: float, than: str, mbps: int = FAST_MBPS) -> Claims:
    """Jobs' mean response time in multiples of another design's is between low and high.

    That is in the mean of all windows, in each of them, and where memory is less scarce.
    """
    return windows.everywhere(
        f"{mbps} Mbps: {design} in multiples of {than}",
        WINDOWS,
        side(design, bandwidth_mbps=mbps),
        side(than, bandwidth_mbps=mbps),
        low,
        high,
        others={f"at {LESS_SCARCE.parameters['ram']} % RAM": LESS_SCARCE},
    )


def in_larger(design: str, low: float, high: float, than: str) -> Claims:
    """The same in the larger windows."""
    ram = _RUNS["larger"]["ram"]
    words = f"{ram} % RAM: {design} in multiples of {than}"
    return windows.everywhere(words, LARGER, side(design), side(than), low, high)


def at(mbps: int) -> tuple[Case, ...]:
    """All of them but the larger windows, with such a network."""
    return over((*WINDOWS, LESS_SCARCE), bandwidth_mbps=mbps)


def moving_pct(measured: Measurements, case: Case, design: str) -> Estimate | None:
    """What part of the mean response time processes are on their way to other nodes, %."""
    moving = measured.values(case, design, "breakdown.moving_s")
    return mean_of(100 * moving / measured.values(case, design))
