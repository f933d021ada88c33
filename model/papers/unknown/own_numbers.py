"""What the paper's own numbers say about each other, where they cannot all hold."""

from collections.abc import Iterator
from math import exp, log

from scipy.special import ndtr

from model.papers.measurements import Measurements
from model.papers.tables import table
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


def own_numbers(_: Measurements | None = None) -> Iterator[str]:
    """The paper's numbers beside what its other numbers give, in Markdown."""
    yield "## Where the paper's own numbers cannot hold together"
    yield ""
    wing = _OF["r-wing"]
    yield (
        f"- Equation 4 lets a node without reads and writes whose memory just suffices page "
        f"{printed_rate(0, 0):.0f} times a second, and r-wing alone ({wing.ios:,} of them) "
        f"{printed_rate(0, wing.ios):.0f} times, though by table 1 it does not page at all. Here "
        f"each of its two parts is at least 0, and both are 0 while memory suffices."
    )
    counts = ", ".join(f"{submitted(trace):.1f}" for trace in TRACES.values())
    stated = ", ".join(str(trace.jobs) for trace in TRACES.values())
    yield (
        f"- Equation 6, read as jobs per second, submits {counts} jobs in the seconds of the "
        f"three traces, and not {stated}."
    )
    yield (
        "- Equation 1 rises faster than table 2, three of the groups to which it was fitted; a "
        "fault takes longer in that table than the 10 ms of section 5.1; and its oversizing is "
        "that of less RAM than 128 MB, since the system needs some:"
    )
    yield ""
    rows = [
        (
            ", ".join(programs),
            f"{100 * oversized:.2f} %",
            f"{rate:.1f}",
            f"{paging_rate(oversized, 0):.1f}",
            f"{1000 * paging_s / faults:.0f}",
            f"{ram_mb(programs, oversized):.0f}",
        )
        for programs, oversized, rate, faults, paging_s in GROUPS
    ]
    yield from table(
        (
            *("Group of table 2", "Oversized", "Its faults/s", "Equation 1"),
            *("ms a fault", "RAM that follows, MB"),
        ),
        rows,
    )
