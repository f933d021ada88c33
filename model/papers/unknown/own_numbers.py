"""What the paper's own numbers say about each other, where they cannot all hold."""

from collections.abc import Iterator, Mapping
from math import exp, log

from scipy.special import ndtr

from model.papers.measurements import Measurements
from model.papers.tables import Row, listed
from model.papers.text import Named
from model.sharing.unknown.paging import paging_rate
from model.sharing.unknown.programs import PROGRAMS
from model.sharing.unknown.workload import TRACES, Trace

#: The groups of table 2: programs, oversized fraction, paging rate (1/s), faults, paging time (s).
GROUPS = (
    (("m-m", "m-sort"), 0.0534, 12.52, 4_934 + 3_922, 258.99 + 49.06),
    (("bit-r", "m-sort", "r-wing"), 0.2475, 44.12, 11 + 5_152 + 487, 0.72 + 63.45 + 22.02),
    (
        ("bit-r", "m-m", "m-sort", "t-sim"),
        *(0.6495, 102.03, 8_334 + 11_286 + 37_132 + 440, 323.17 + 728.39 + 769.94 + 54.99),
    ),
)
_OF = {program.name: program for program in PROGRAMS}


def ram_mb(programs: tuple[str, ...], oversized: float) -> float:
    """The RAM that a group's working sets, at their most, oversize by this fraction, MB."""
    return sum(float(_OF[name].most_mb) for name in programs) / (1 + oversized)


def submitted(trace: Trace) -> float:
    """How many jobs equation 6, read as a rate per second, submits in a trace's seconds.

    With mu = sigma it is exp(-(ln t - mu)² / 2 sigma²) / (sqrt(2 pi) sigma), whose integral to T is
    exp(mu + sigma² / 2) Phi((ln T - mu - sigma²) / sigma).
    """
    sigma = mu = trace.sigma
    return exp(mu + sigma**2 / 2) * float(ndtr((log(trace.span_s) - mu - sigma**2) / sigma))


def printed_rate(oversized: float, ios: int) -> float:
    """Equation 4 without the bounds that it has here, faults per second."""
    return -54.98 + 0.061 * ios - 4 / (0.31 * oversized**2 + 0.19 * oversized + 0.034)


def _groups(_: Measurements) -> Iterator[Row]:
    for programs, oversized, rate, faults, paging_s in GROUPS:
        yield (
            ", ".join(programs),
            f"{100 * oversized:.2f} %",
            f"{rate:.1f}",
            f"{paging_rate(oversized, 0):.1f}",
            f"{1000 * paging_s / faults:.0f}",
            f"{ram_mb(programs, oversized):.0f}",
        )


_WING_IOS = _OF["r-wing"].ios
OWN_NUMBERS: Mapping[str, Named] = {
    "idle_rate": lambda _: printed_rate(0, 0),
    "wing_ios": lambda _: _WING_IOS,
    "wing_rate": lambda _: printed_rate(0, _WING_IOS),
    "submitted": lambda _: [f"{submitted(trace):.1f}" for trace in TRACES.values()],
    "jobs": lambda _: [trace.jobs for trace in TRACES.values()],
    "groups": listed(
        (
            *("Group of table 2", "Oversized", "Its faults/s", "Equation 1"),
            *("ms a fault", "RAM that follows, MB"),
        ),
        _groups,
    ),
}
