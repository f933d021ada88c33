"""Claims of the paper's own: policies above the best three together; nodes as open queues."""

from collections.abc import Iterator
from math import exp, log
from statistics import fmean

from model.papers.claims import Entry, Evaluator
from model.papers.measurements import geometric_mean
from model.papers.verdicts import Claim, Part, claim
from model.sweeps.statistics import estimate

_OFF = 0.25  # of a factor of the paper's


def above_the_best(evaluator: Evaluator, entry: Entry) -> Iterator[Claim]:
    """Slowdowns in multiples of the geometric mean of the best three's, each near a factor."""
    measured, best = evaluator.measured, evaluator.states.designs_in("best", entry.cases[0])
    for case in entry.cases:
        parts = []
        for policy, factor in entry.given["times"].items():
            columns = measured.in_common([(case, name) for name in (policy, *best)])
            ratios = [
                exp(log(own) - fmean(map(log, others)))
                for own, *others in zip(*columns, strict=True)
            ]
            value = geometric_mean(ratios) if ratios else None
            parts.append(Part(policy, value, (1 - _OFF) * factor, (1 + _OFF) * factor))
        yield Claim(f"{case}: multiples of the best three", tuple(parts))


def open_queues(_: Evaluator, entry: Entry) -> Iterator[Claim]:
    """Mean response times, s, of the nodes of table 1: CPU and disk are one open queue, or two.

    A node has a rate of arrivals per second, and demands at its CPU and at its disk, s.
    """
    nodes = entry.given["nodes"]
    jobs = sum(rate for rate, _, _ in nodes)
    one = sum(rate * _queue_s(rate, cpu_s + disk_s) for rate, cpu_s, disk_s in nodes)
    apart = sum(
        rate * (_queue_s(rate, cpu_s) + _queue_s(rate, disk_s)) for rate, cpu_s, disk_s in nodes
    )
    for name, sum_s in (("one queue", one), ("apart", apart)):
        yield claim(name, [(name, estimate([sum_s / jobs]))], entry.low, entry.high)


def _queue_s(rate: float, demand_s: float) -> float:
    return demand_s / (1 - rate * demand_s)


KINDS = {"above the best": above_the_best, "open queues": open_queues}
