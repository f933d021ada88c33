"""What Zhang, Qu and Xiao found, as claims in numbers."""

from collections.abc import Sequence
from functools import partial
from math import inf

import pandas as pd

from model.papers.cases import Case
from model.papers.findings import Claims, Finding, near, ranges, ratios
from model.papers.measurements import Measurements, geometric_mean_of, shows
from model.papers.memory.figures import THRESHOLDS, at_ct, cpu_bound, rates, scarce
from model.papers.memory.tables import BEST, FACTORS, STATED, by_trace, over_best
from model.sharing.memory.scenario import ALL_POLICIES
from model.sweeps.statistics import Estimate

SHARING = tuple(name for name in ALL_POLICIES if name != "NO_LS")
INDICES = ("MEM", "CPU_MEM_HP", "CPU_MEM_HT")
_PCT = 25  # the range around a stated number
_BETTER = 1.02  # for policies that may do exactly the same
HIGH_1, HIGH = scarce(1), scarce(4)
_PAGING = shows("shares.paging_s", 100)

_DRAWS = (
    "With stratified draws the seeds differ in which of the few jobs that overload a node lives "
    "how long, when it comes, and how near 20 a rate brings NO_LS; the table on draws says how "
    "many seeds each factor takes."
)
_CHOSEN = (
    "CT was chosen so that this holds of CPU_RE; at small CTs CPU_RE is as good as they (table on "
    "CT)."
)
_TRACES = (
    "Each trace counts once, by the geometric mean over its seeds; intervals are over traces, and "
    "so is the number that would tell. The table on all traces says on how many NO_LS is the "
    "highest."
)
_ORDER = "CPU_PM is slower than CPU_RE here, in the paper slightly faster."
_MIGRATION = (
    "Preemptive migration moves fewer jobs than remote execution by the same index (at 4 MB, table "
    "on paging): the arriving job stays where memory is full, and none leaves until one is "
    "old enough to pay for moving its data. Which job moves when is our assumption; the paper "
    "does not say."
)
_THRESHOLD = (
    "The paper does not state CT, so this is shown over CT; the table on what it decides and "
    "figure 10 have the slowdowns."
)
_BOTTLENECK = (
    "The table on paging says what of it is service and what is waiting for the disk. While a job "
    "waits for a page, others compute, so paging slows a node down only if its disk, not its CPU, "
    "is the bottleneck, that is, above 1 fault per million instructions (10 ms of disk for 10 ms "
    "of CPU), and then its jobs mostly wait for the disk. The paper's own numbers do not go "
    "together, unless its jobs wait as long without faults, which it does not state (here NO_LS is "
    "then far below 20): 12.2 % of a slowdown of 20 are 2.44 s of paging for a second of CPU time, "
    "but 0.6 faults per million instructions are at most 0.6 s of service; a disk that is used for "
    "0.6 s of each second of CPU time does not make jobs wait for the CPU for the other 16.6 s. "
    "The other reading of the rate does not give this share either (table on whose instructions)."
)


def _over_ct(policy: str, low: float, high: float, *than: str) -> Claims:
    """A policy's slowdown without faults, in multiples of each of the others', at each CT."""

    def value(measured: Measurements, case: Case, other: str) -> Estimate | None:
        return measured.ratio((at_ct(case, policy), policy), (at_ct(case, other), other))

    words = f"{policy} in multiples of others, {{}}"
    return ranges(map(cpu_bound, THRESHOLDS), words, than, low, high, value)


def _over_traces(mean_mb: int, design: str, than: Sequence[str]) -> Claims:
    """A policy is above others over the traces, each of which counts once."""

    def value(measured: Measurements, _: Case, other: str) -> Estimate | None:
        return geometric_mean_of(pd.Series(by_trace(measured, mean_mb, design, other)))

    words = f"all traces: {design} in multiples of others, {{}}"
    return ranges(Case(mean_mb=mean_mb), words, than, 1, inf, value)


def _as_cpu(index: str) -> tuple[Claims, ...]:
    """Without faults, an index does as the number of jobs alone, within 10 %."""
    both = ("RE", "PM")
    return tuple(_over_ct(f"{index}_{m}", 0.9, 1.1, f"CPU_{m}") for m in both)


def _times(case: Case, mean_mb: int) -> tuple[Claims, ...]:
    """How many times the best three are below the others, each as stated within 25 %."""
    words = "{} in multiples of the best three, {{}}"
    return tuple(
        ranges(case, words.format(policy), [policy], *near(stated, _PCT), over_best)
        for policy, stated in zip(FACTORS, STATED[mean_mb], strict=True)
    )


_policies = partial(Finding, "All policies", "5.1")
_migration = partial(Finding, "Remote execution and preemptive migration", "5.2")
_performance = partial(Finding, "High performance and high throughput", "5.3")
_traces = partial(Finding, "All traces", "5.5")

FINDINGS = (
    _policies(
        "NO_LS is always the worst, on trace 0 (here: at 1 and 4 MB, at the highest rate).",
        ratios((HIGH_1, HIGH), "NO_LS", 1, inf, SHARING),
    ),
    _policies(
        "Without page faults the load sharing policies differ little (here: by up to 25 %).",
        _over_ct("CPU_PM", 0.75, 1.25, *(name for name in SHARING if name != "CPU_PM")),
        why=f"{_THRESHOLD} At a large CT policies hardly act without faults, so they are alike.",
    ),
    _policies(
        "With scarce memory CPU_MEM_HP_RE, CPU_MEM_HT_RE and MEM_RE are ahead of all others.",
        tuple(ratios(case, p, 1, inf, BEST) for case in (HIGH_1, HIGH) for p in FACTORS),
        why=_CHOSEN,
    ),
    _policies(
        "At 1 MB they are 4.6, 3.3, 3.1, 2.0, 1.5 and 1.5 times below NO_LS, CPU_RE, CPU_PM, "
        "MEM_PM, CPU_MEM_HT_PM and CPU_MEM_HP_PM (here: within 25 %).",
        _times(HIGH_1, 1),
        why="Only the last two are surely not in their ranges; the others' means are, but their "
        f"intervals reach beyond. {_ORDER} {_MIGRATION} {_DRAWS}",
    ),
    _policies(
        "At 4 MB they are 5.1, 3.5, 3.2, 2.0, 1.7 and 1.7 times below these (within 25 %).",
        _times(HIGH, 4),
        why=f"{_ORDER} {_MIGRATION} {_DRAWS}",
    ),
    _migration(
        "Preemptive migration is better than remote execution for CPU-bound jobs (here: by 2 %; "
        "the paper calls it far more effective).",
        _over_ct("CPU_RE", _BETTER, inf, "CPU_PM"),
        why=_THRESHOLD,
    ),
    _migration(
        "Remote execution is better for memory-bound jobs.",
        tuple(ratios(HIGH, f"{index}_PM", 1, inf, [f"{index}_RE"]) for index in INDICES),
    ),
    _migration(
        "At 4 MB the speedups over CPU_PM are 3.6 (CPU_MEM_HP_RE), 3.3 (CPU_MEM_HT_RE) and 1.9 "
        "(CPU_MEM_HP_PM); within 25 %.",
        (
            ratios(HIGH, "CPU_PM", *near(3.6, _PCT), ["CPU_MEM_HP_RE"]),
            ratios(HIGH, "CPU_PM", *near(3.3, _PCT), ["CPU_MEM_HT_RE"]),
            ratios(HIGH, "CPU_PM", *near(1.9, _PCT), ["CPU_MEM_HP_PM"]),
        ),
    ),
    _performance(
        "With low memory demand and few faults CPU_MEM_HT_RE is more than 10 % worse than CPU_PM "
        "(here: without faults, and at 1 MB with half of the highest rate, too).",
        (
            _over_ct("CPU_MEM_HT_RE", 1.1, inf, "CPU_PM"),
            ratios(rates(1)[:2], "CPU_MEM_HT_RE", 1.1, inf, ["CPU_PM"]),
        ),
        why="At none of five CTs. Without faults the paper's first reason, more page faults, "
        "cannot act; its second, preemptive migration, is worth little here (finding 6).",
    ),
    _performance(
        "With high memory demand CPU_MEM_HP_RE is better than CPU_MEM_HT_RE.",
        ratios(HIGH, "CPU_MEM_HT_RE", 1, inf, ["CPU_MEM_HP_RE"]),
    ),
    Finding(
        "Paging",
        "5.4",
        "Paging is 12.2 % of the time with NO_LS, 4.5 to 4.6 % with the best three (within 25 %).",
        (
            ranges(HIGH, "paging, %, {}", ["NO_LS"], *near(12.2, _PCT), _PAGING),
            ranges(HIGH, "paging, %, {}", BEST, *near(4.55, _PCT), _PAGING),
        ),
        why=_BOTTLENECK,
    ),
    _traces(
        "NO_LS is the highest on every trace (here: over the eight traces).",
        tuple(_over_traces(mean_mb, "NO_LS", SHARING) for mean_mb in (1, 4)),
        why=_TRACES,
    ),
    _traces(
        "The best three are the same on every trace (here: over the eight traces).",
        tuple(_over_traces(mean_mb, p, BEST) for mean_mb in (1, 4) for p in FACTORS),
        why=f"{_TRACES} {_CHOSEN}",
    ),
    Finding(
        "Table 3",
        "abstract, 6",
        "MEM_RE and MEM_PM do not help CPU-bound jobs (here: they are 2 % above the CPU policies); "
        "the CPU-memory policies do as CPU_RE and CPU_PM do (within 10 %).",
        (
            _over_ct("MEM_RE", _BETTER, inf, "CPU_RE"),
            _over_ct("MEM_PM", _BETTER, inf, "CPU_PM"),
            *_as_cpu("CPU_MEM_HP"),
            *_as_cpu("CPU_MEM_HT"),
        ),
        why=f"{_THRESHOLD} Table 3 has the CPU-memory policies of remote execution above CPU_RE.",
    ),
)
