"""What the paper's own numbers say about each other, where they cannot all hold."""

from collections.abc import Iterator
from math import exp, log

from scipy.special import ndtr

from model.papers.claims import Entry, Evaluator
from model.papers.verdicts import Claim, claim
from model.sharing.unknown.paging import paging_rate
from model.sharing.unknown.programs import PROGRAMS
from model.sharing.unknown.workload import TRACES, Trace
from model.sweeps.statistics import estimate

_MOST_MB = {program.name: float(program.most_mb) for program in PROGRAMS}


def printed_rate(ios: int) -> float:
    """Equation 4 without the bounds that it has here, where memory just suffices: faults/s."""
    return -54.98 + 0.061 * ios - 4 / 0.034


def submitted(trace: Trace) -> float:
    """How many jobs equation 6, read as a rate per second, submits in a trace's seconds.

    With mu = sigma it is exp(-(ln t - mu)² / 2 sigma²) / (sqrt(2 pi) sigma), whose integral to T is
    exp(mu + sigma² / 2) Phi((ln T - mu - sigma²) / sigma).
    """
    sigma = mu = trace.sigma
    return exp(mu + sigma**2 / 2) * float(ndtr((log(trace.span_s) - mu - sigma**2) / sigma))


def _equation_4(_: Evaluator, entry: Entry) -> Iterator[Claim]:
    parts = [
        (f"{ios} reads and writes", estimate([printed_rate(ios)])) for ios in entry.given["ios"]
    ]
    yield claim("faults/s", parts, entry.low, entry.high)


def _equation_6(_: Evaluator, entry: Entry) -> Iterator[Claim]:
    parts = [(str(name), estimate([submitted(trace)])) for name, trace in TRACES.items()]
    yield claim("jobs", parts, entry.low, entry.high)


def _table_2(_: Evaluator, entry: Entry) -> Iterator[Claim]:
    """Of each group: the RAM that follows, the faults/s by equation 1, and how long one takes."""
    ram_mb, rates, fault_ms = [], [], []
    for programs, oversized, faults, paging_s in entry.given["groups"]:
        name = ", ".join(programs)
        most_mb = sum(_MOST_MB[program] for program in programs)
        ram_mb.append((name, estimate([most_mb / (1 + oversized)])))
        rates.append((name, estimate([paging_rate(oversized, 0)])))
        fault_ms.append((name, estimate([1000 * paging_s / faults])))
    for words, parts in (("RAM, MB", ram_mb), ("faults/s", rates), ("ms a fault", fault_ms)):
        yield claim(words, parts, entry.low, entry.high)


KINDS = {"equation 4": _equation_4, "equation 6": _equation_6, "table 2": _table_2}
