"""What Zhang, Qu and Xiao found, as claims in numbers."""

from math import inf

from model.papers.cases import Case
from model.papers.findings import Finding, near, ranges, ratios
from model.papers.measurements import shows
from model.papers.memory.figures import THRESHOLDS, all_traces, rates
from model.sharing.memory.scenario import ALL_POLICIES

BEST = ("CPU_MEM_HP_RE", "CPU_MEM_HT_RE", "MEM_RE")
SHARING = tuple(name for name in ALL_POLICIES if name != "NO_LS")
INDICES = ("MEM", "CPU_MEM_HP", "CPU_MEM_HT")
_PCT = 25  # the range around a stated number
_BETTER = 1.01  # for policies that may do exactly the same
_FACTORS = ("NO_LS", "CPU_RE", "CPU_PM", "MEM_PM", "CPU_MEM_HT_PM", "CPU_MEM_HP_PM")
_STATED = {1: (4.6, 3.3, 3.1, 2.0, 1.5, 1.5), 4: (5.1, 3.5, 3.2, 2.0, 1.7, 1.7)}
LOW, HIGH_1, HIGH = rates(1)[0], rates(1)[-1], rates(4)[-1]
LOW_CT = rates(4)[0].but(ct=THRESHOLDS[0])  # without faults the mean hardly matters
_PAGING = shows("shares.paging_s", 100)

_FEW = (
    "Seeds differ by chance: a trace has about 5 jobs (1 MB) or 20 (4 MB) that overload a node by "
    "themselves, and it matters how long they live."
)
_MIGRATION = (
    "Preemptive migration is worse here than in the paper: the arriving job stays where memory is "
    "full, and no job leaves until one is old enough to pay for moving its data. Which job moves "
    "when is our assumption; the paper does not say."
)
_THRESHOLD = (
    "The paper does not state CT. At the default, with which CPU_RE is as bad as in the paper when "
    "memory is scarce, too few jobs meet on a node for load sharing to act without faults; at CT 4 "
    "it does act. None of 4, 16 and 40 gives both."
)
_BOTTLENECK = (
    "While a job waits for a page, others compute. So paging slows a node down only if its disk, "
    "not its CPU, is the bottleneck, that is, above 1 fault per million instructions (10 ms of "
    "disk for 10 ms of CPU), and then its jobs mostly wait for the disk. With the paper's rate of "
    "0.6 such a node would lose nothing: in the paper the CPU must have idled during faults, "
    "which its text denies."
)


def _times(case: Case, mean_mb: int) -> tuple:
    return tuple(
        ratios(case, policy, *near(stated, _PCT), BEST)
        for policy, stated in zip(_FACTORS, _STATED[mean_mb], strict=True)
    )


FINDINGS = (
    Finding(
        "All policies",
        "5.1",
        "NO_LS is always the worst, on trace 0.",
        tuple(ratios(rates(m)[-1], "NO_LS", 1, inf, SHARING) for m in (1, 2, 3, 4)),
        why=f"{_MIGRATION} {_FEW}",
    ),
    Finding(
        "All policies",
        "5.1",
        "Without page faults the load sharing policies differ little (here: by up to 25 %).",
        (ratios(LOW, "CPU_PM", 0.75, 1.25, [p for p in SHARING if p != "CPU_PM"]),),
        why="At this CT the policies hardly act without faults.",
    ),
    Finding(
        "All policies",
        "5.1",
        "With scarce memory CPU_MEM_HP_RE, CPU_MEM_HT_RE and MEM_RE are ahead of all others.",
        tuple(ratios(case, p, 1, inf, BEST) for case in (HIGH_1, HIGH) for p in _FACTORS),
        why=_FEW,
    ),
    Finding(
        "All policies",
        "5.1",
        "At 1 MB they are 4.6, 3.3, 3.1, 2.0, 1.5 and 1.5 times below NO_LS, CPU_RE, CPU_PM, "
        "MEM_PM, CPU_MEM_HT_PM and CPU_MEM_HP_PM (here: within 25 %).",
        _times(HIGH_1, 1),
        why=f"{_MIGRATION} {_FEW}",
    ),
    Finding(
        "All policies",
        "5.1",
        "At 4 MB they are 5.1, 3.5, 3.2, 2.0, 1.7 and 1.7 times below these (within 25 %).",
        _times(HIGH, 4),
        why=f"{_MIGRATION} {_FEW}",
    ),
    Finding(
        "Remote execution and preemptive migration",
        "5.2",
        "Preemptive migration is better than remote execution for CPU-bound jobs.",
        (
            ratios(LOW, "CPU_RE", _BETTER, inf, ["CPU_PM"]),
            ratios(LOW_CT, "CPU_RE", _BETTER, inf, ["CPU_PM"]),
        ),
        why=_THRESHOLD,
    ),
    Finding(
        "Remote execution and preemptive migration",
        "5.2",
        "Remote execution is better for memory-bound jobs.",
        tuple(ratios(HIGH, f"{index}_PM", 1, inf, [f"{index}_RE"]) for index in INDICES),
    ),
    Finding(
        "Remote execution and preemptive migration",
        "5.2",
        "At 4 MB the speedups over CPU_PM are 3.6 (CPU_MEM_HP_RE), 3.3 (CPU_MEM_HT_RE) and 1.9 "
        "(CPU_MEM_HP_PM); within 25 %.",
        (
            ratios(HIGH, "CPU_PM", *near(3.6, _PCT), ["CPU_MEM_HP_RE"]),
            ratios(HIGH, "CPU_PM", *near(3.3, _PCT), ["CPU_MEM_HT_RE"]),
            ratios(HIGH, "CPU_PM", *near(1.9, _PCT), ["CPU_MEM_HP_PM"]),
        ),
        why=f"{_MIGRATION} {_FEW}",
    ),
    Finding(
        "High performance and high throughput",
        "5.3",
        "With low memory demand CPU_MEM_HT_RE is more than 10 % worse than CPU_PM.",
        (
            ratios(LOW, "CPU_MEM_HT_RE", 1.1, inf, ["CPU_PM"]),
            ratios(LOW_CT, "CPU_MEM_HT_RE", 1.1, inf, ["CPU_PM"]),
        ),
        why=_THRESHOLD,
    ),
    Finding(
        "High performance and high throughput",
        "5.3",
        "With high memory demand CPU_MEM_HP_RE is better than CPU_MEM_HT_RE.",
        (ratios(HIGH, "CPU_MEM_HT_RE", 1, inf, ["CPU_MEM_HP_RE"]),),
    ),
    Finding(
        "Paging",
        "5.4",
        "Paging is 12.2 % of the time with NO_LS, 4.5 to 4.6 % with the best three (within 25 %).",
        (
            ranges("paging, %, {}", HIGH, ["NO_LS"], *near(12.2, _PCT), _PAGING),
            ranges("paging, %, {}", HIGH, BEST, *near(4.55, _PCT), _PAGING),
        ),
        why=_BOTTLENECK,
    ),
    Finding(
        "All traces",
        "5.5",
        "NO_LS is the highest on every trace.",
        tuple(ratios(c, "NO_LS", 1, inf, SHARING) for m in (1, 4) for c in all_traces(m)),
        why=f"{_MIGRATION} {_FEW}",
    ),
    Finding(
        "All traces",
        "5.5",
        "The best three are the same on every trace.",
        tuple(
            ratios(case, policy, 1, inf, BEST)
            for mean_mb in (1, 4)
            for case in all_traces(mean_mb)
            for policy in _FACTORS
        ),
        why=_FEW,
    ),
    Finding(
        "Table 3",
        "6",
        "MEM_RE and MEM_PM do not help CPU-bound jobs; the CPU-memory policies do as CPU_RE does.",
        (
            ratios(LOW, "MEM_RE", 1, inf, ["CPU_RE"]),
            ratios(LOW, "MEM_PM", 1, inf, ["CPU_PM"]),
            *(ratios(LOW, f"CPU_MEM_{h}_RE", 0.9, 1.1, ["CPU_RE"]) for h in ("HP", "HT")),
            *(ratios(LOW, f"CPU_MEM_{h}_PM", 0.9, 1.1, ["CPU_PM"]) for h in ("HP", "HT")),
            ratios(LOW_CT, "MEM_RE", 1, inf, ["CPU_RE"]),
            *(ratios(LOW_CT, f"CPU_MEM_{h}_RE", 0.9, 1.1, ["CPU_RE"]) for h in ("HP", "HT")),
        ),
        why=_THRESHOLD,
    ),
)
