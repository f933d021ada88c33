"""The cases of `changing-memory.toml`, and comparisons of designs in them."""

from model.papers import windows
from model.papers.cases import declared
from model.papers.findings import Claims
from model.papers.windows import side, windows_of

_SWEEP = declared("changing-memory")
_RUNS = _SWEEP["runs"]

PROFILES = tuple(_SWEEP["choice"]["profile"])
CHANGING = tuple(_SWEEP["choice"]["changing"])  # of these, those of memory that changes
AGAIN = "RECLAIM(MAN)"  # asks every 60 s, and lenders keep 0.1 MB
OFTEN, SELDOM = f"{AGAIN} every 10 s", f"{AGAIN} every 300 s"
RESERVE_MB = _RUNS["reserve"]["threshold_mb"]

#: Windows of the trace at a RAM with which static memory is scarce.
WINDOWS = windows_of(_RUNS["scarce"], ram=_RUNS["scarce"]["ram"])
#: The window of the README's picture, with more RAM.
(LESS_SCARCE,) = windows_of(_RUNS["less-scarce"], ram=_RUNS["less-scarce"]["ram"])


def everywhere(
    profile: str,
    design: str,
    low: float,
    high: float,
    than: str = "DP",
    measure: str | None = None,
    threshold_mb: float | None = None,
) -> Claims:
    """A design's measure in multiples of another's is between low and high under a profile.

    That is in the mean of all windows, in each of them, and where memory is less scarce. With
    `threshold_mb`, this is what the design's lenders keep to themselves.
    """
    varied = {"memory_profile": profile}
    own = varied if threshold_mb is None else {**varied, "threshold_mb": threshold_mb}
    kept = "" if threshold_mb is None else f" with {threshold_mb} MB kept"
    return windows.everywhere(
        f"{profile}: {design}{kept} in multiples of {than}",
        WINDOWS,
        side(design, **own),
        side(than, **varied),
        low,
        high,
        measure,
        others={f"at {LESS_SCARCE.parameters['ram']} % RAM": LESS_SCARCE},
    )
