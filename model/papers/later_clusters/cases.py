"""The cases of the study's two sweeps, and comparisons over the windows of a cluster."""

from collections.abc import Iterator
from typing import Any

from model.papers.cases import Case, declared, hardware
from model.papers.findings import Claim, Claims, claim
from model.papers.measurements import Measurements
from model.papers.windows import over_windows, side, windows_of
from model.sweeps.statistics import Estimate

_STUDY, _OWN_LOG = declared("later-clusters"), declared("hpc2n-log")

PRESETS: tuple[str, ...] = tuple(_STUDY["runs"]["windows"]["preset"])
HPC2N: str = _OWN_LOG["preset"]
CLUSTERS = (*PRESETS, HPC2N)
LIGHT, HEAVY = LOADS = tuple(_STUDY["choice"]["load"])
DESIGNS = tuple(_STUDY["designs"][1:])  # of network RAM
BUS_DESIGNS = tuple(_STUDY["runs"]["bus"]["designs"][1:])


def hardware_of(cluster: str) -> dict[str, Any]:
    """The cluster's parameters, and the log of its own that it has instead of the bundled one."""
    if cluster != HPC2N:
        return hardware(cluster)
    return {**hardware(cluster), "memory_scale": 1, "trace": _OWN_LOG["trace"]}


def windows(cluster: str, load: str, part: str = "windows") -> tuple[Case, ...]:
    """The windows that are run on a cluster under a load; `part` may be "bus"."""
    study = _OWN_LOG if cluster == HPC2N else _STUDY
    network = {"topology": "bus"} if part == "bus" else {}
    others = {**hardware_of(cluster), **network, **study["choice"]["load"][load]}
    return windows_of(study["runs"][part], **others)


def compared(
    measured: Measurements,
    cluster: str,
    load: str,
    own: str,
    than: str,
    part: str = "windows",
    measure: str | None = None,
) -> dict[str, Estimate | None]:
    """A design's measure in multiples of another's, over the windows of a cluster."""
    return over_windows(measured, windows(cluster, load, part), side(own), side(than), measure)


def between(
    cluster: str, load: str, own: str, than: str, low: float, high: float, part: str = "windows"
) -> Claims:
    """A design's response time in multiples of another's is in a range, over the windows."""
    network = "a bus, " if part == "bus" else ""

    def claims(measured: Measurements) -> Iterator[Claim]:
        found = compared(measured, cluster, load, own, than, part)
        says = f"{cluster}, {network}{load}: {own} in multiples of {than}, {{}}"
        yield claim(says, [*found.items()], low, high)

    return claims


def share_between(
    cluster: str, than: str, load: str, design: str, low: float, high: float
) -> Claims:
    """What a design leaves of DP's time on a cluster, in multiples of the same on another."""

    def claims(measured: Measurements) -> Iterator[Claim]:
        parts = [
            (
                str(own),
                measured.ratio((own, design), (own, "DP"), (other, "DP"), (other, design)),
            )
            for own, other in zip(windows(cluster, load), windows(than, load), strict=True)
        ]
        says = f"{load}: {design}/DP on {cluster} in multiples of {design}/DP on {than}, {{}}"
        yield claim(says, parts, low, high)

    return claims
