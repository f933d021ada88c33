"""The cases of the study's two sweeps, and comparisons over the windows of a cluster."""

from collections.abc import Iterator, Sequence
from typing import Any

from model.papers.cases import Case, declared, hardware
from model.papers.findings import Claim, claim, claiming
from model.papers.measurements import Measurements
from model.papers.windows import over_windows, side, windows_of
from model.sweeps.statistics import Estimate

_STUDY, _OWN_LOG = declared("later-clusters"), declared("hpc2n-log")

PRESETS: tuple[str, ...] = tuple(_STUDY["runs"]["windows"]["preset"])
HPC2N: str = _OWN_LOG["preset"]
CLUSTERS = (*PRESETS, HPC2N)
_CLUSTERS = {"all": CLUSTERS, "presets": PRESETS}
LIGHT, HEAVY = tuple(_STUDY["choice"]["load"])
(SCARCE,) = _STUDY["choice"]["scarcity"]
BUS = "bus"  # the scarce load, on one
DESIGNS = tuple(_STUDY["designs"][1:])  # of network RAM
SCARCE_DESIGNS = tuple(_STUDY["runs"][SCARCE]["designs"][1:])


def hardware_of(cluster: str) -> dict[str, Any]:
    """The cluster's parameters in the study, with the duplex of all runs, and a log of its own."""
    if cluster != HPC2N:
        return {**hardware(cluster), "duplex": _STUDY["duplex"]}
    return {**hardware(cluster), "memory_scale": 1, "trace": _OWN_LOG["trace"]}


def windows(cluster: str, load: str) -> tuple[Case, ...]:
    """The windows that are run on a cluster under a load."""
    study = _OWN_LOG if cluster == HPC2N else _STUDY
    hardware = hardware_of(cluster)
    if load in (LIGHT, HEAVY):
        return windows_of(study["runs"]["windows"], **hardware, **study["choice"]["load"][load])
    network = {"topology": "bus"} if load == BUS else {}
    scarce = study["choice"]["scarcity"][SCARCE]
    return windows_of(study["runs"][load], **hardware, **network, **scarce)


def compared(
    measured: Measurements, cluster: str, load: str, own: str, than: str, measure: str | None = None
) -> dict[str, Estimate | None]:
    """A design's measure in multiples of another's, over the windows of a cluster."""
    return over_windows(measured, windows(cluster, load), side(own), side(than), measure)


@claiming
def between(
    measured: Measurements,
    clusters: str | Sequence[str],
    load: str,
    own: Sequence[str],
    than: str,
    low: float,
    high: float,
) -> Iterator[Claim]:
    """Response times in multiples of a design's are in a range, over a cluster's windows.

    The clusters are some, or "all", or those that are "presets".
    """
    several = clusters if not isinstance(clusters, str) else _CLUSTERS[clusters]
    for cluster in several:
        parts = [
            (f"{design} {how}", value)
            for design in own
            for how, value in compared(measured, cluster, load, design, than).items()
        ]
        yield claim(f"{cluster}, {load}: in multiples of {than}, {{}}", parts, low, high)


@claiming
def share_between(
    measured: Measurements, cluster: str, than: str, load: str, design: str, low: float, high: float
) -> Iterator[Claim]:
    """What a design leaves of DP's time on a cluster, in multiples of the same on another."""
    parts = [
        (str(own), measured.ratio((own, design), (own, "DP"), (other, "DP"), (other, design)))
        for own, other in zip(windows(cluster, load), windows(than, load), strict=True)
    ]
    words = f"{load}: {design}/DP on {cluster} in multiples of {design}/DP on {than}, {{}}"
    yield claim(words, parts, low, high)
