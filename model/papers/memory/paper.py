"""CPU-memory load sharing: what is claimed and how, and what names in `text/` stand for."""

from collections.abc import Iterator
from math import inf

import pandas as pd

from model.papers.cases import Case
from model.papers.findings import (
    Claim,
    Claims,
    Designs,
    claim,
    claiming,
    near,
    of_each,
    ranges,
)
from model.papers.measurements import Measurements, geometric_mean_of
from model.papers.memory.figures import FIGURES, THRESHOLDS, at_ct, cpu_bound, rates, scarce
from model.papers.memory.tables import ACTING_CT, BEST, FACTORS, STATED, TABLES, by_trace, over_best
from model.papers.paper import Paper
from model.papers.statements import Terms, read_findings
from model.sharing.memory.scenario import ALL_POLICIES
from model.sweeps.statistics import Estimate


def _over_ct(policy: str, others: Designs, low: float, high: float) -> Claims:
    """A policy's slowdown without faults, in multiples of each of the others', at each CT."""

    def value(measured: Measurements, case: Case, other: str) -> Estimate | None:
        return measured.ratio((at_ct(case, policy), policy), (at_ct(case, other), other))

    words = f"{policy} in multiples of others, {{}}"
    return ranges(map(cpu_bound, THRESHOLDS), words, others, low, high, value)


def _over_traces(mean_mb: int, design: str, others: Designs) -> Claims:
    """A policy is above others over the traces, each of which counts once."""

    def value(measured: Measurements, _: Case, other: str) -> Estimate | None:
        return geometric_mean_of(pd.Series(by_trace(measured, mean_mb, design, other)))

    words = f"all traces: {design} in multiples of others, {{}}"
    return ranges(Case(mean_mb=mean_mb), words, others, 1, inf, value)


@of_each
@claiming
def _above_the_best(measured: Measurements, case: Case, within_pct: float) -> Iterator[Claim]:
    """How many times the best three are below the others, each as stated."""
    for policy, stated in zip(FACTORS, STATED[case.parameters["mean_mb"]], strict=True):
        parts = [(policy, over_best(measured, case, policy))]
        words = f"{case}: {policy} in multiples of the best three, {{}}"
        yield claim(words, parts, *near(stated, within_pct))


TERMS = Terms(
    cases={
        **{f"scarce, {mean_mb} MB": scarce(mean_mb) for mean_mb in STATED},
        "few faults, 1 MB": rates(1)[:2],
    },
    designs={
        "load sharing": [name for name in ALL_POLICIES if name != "NO_LS"],
        "the best three": BEST,
    },
    kinds={
        "over CT": _over_ct,
        "over traces": _over_traces,
        "above the best": _above_the_best,
    },
)


PAPER = Paper(
    "memory",
    "slowdown_of_sums",
    FIGURES,
    read_findings("memory", TERMS),
    named={**TABLES, "acting_ct": lambda _: ACTING_CT},
    later=("scarce-memory-more", "cpu-bound-more", "cpu-bound-more-whatever-ct"),
)
