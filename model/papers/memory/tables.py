"""Tables for the page of findings: table 3, the choice of CT, fault rates, the queueing model."""

from collections.abc import Iterable, Iterator
from math import log

from model.papers.cases import Case
from model.papers.measurements import Measurements
from model.papers.memory import queueing_model
from model.papers.memory.figures import THRESHOLDS, TRACES, all_traces, rates
from model.papers.page import interval, table
from model.sharing.memory.scenario import ALL_POLICIES, MemoryScenario

#: Table 3: the marks for CPU-bound and for memory-bound jobs.
TABLE_3 = {
    "CPU_RE": ("+", "-"),
    "CPU_PM": ("++", "-"),
    "MEM_RE": ("-", "++"),
    "MEM_PM": ("-", "+"),
    "CPU_MEM_HP_RE": ("++", "++"),
    "CPU_MEM_HP_PM": ("++", "+"),
    "CPU_MEM_HT_RE": ("++", "++"),
    "CPU_MEM_HT_PM": ("++", "+"),
}
_COLUMNS = {"CPU-bound": rates(1)[0], "memory-bound": rates(4)[-1]}
#: Limits of the way from NO_LS to the best policy, by logarithm. With these limits the paper's
#: factors at 4 MB give its marks for memory-bound jobs.
_MARKS = ((0.75, "++"), (1 / 3, "+"), (-float("inf"), "-"))
#: The paper's rates of faults per million instructions, traces 0 to 7 (section 5.5).
PRINTED_RATES = {
    1: (2.40, 0.67, 0.67, 4.10, 0.45, 2.80, 2.30, 2.30),
    4: (0.60, 0.16, 0.11, 0.94, 0.11, 0.17, 0.58, 0.58),
}


def tables(measured: Measurements) -> str:
    """All tables, in Markdown."""
    parts = (_table_3, _threshold, _rates, lambda _: _queueing())
    return "\n".join(line for part in parts for line in part(measured))


def mark(slowdown: float, no_ls: float, best: float) -> str:
    """What a policy is worth to jobs: "++", "+" or "-"."""
    way = log(no_ls / slowdown) / log(no_ls / best) if best < no_ls else 0
    return next(sign for limit, sign in _MARKS if way >= limit)


def _table_3(measured: Measurements) -> Iterator[str]:
    yield "## Table 3"
    yield ""
    yield (
        "How many times a policy is below NO_LS on trace 0, without faults (CPU-bound) and with 4 "
        "MB at the highest rate (memory-bound). A mark says how far a policy goes from NO_LS to "
        "the best policy, by logarithm: ++ from three quarters on, + from a third on, = if it "
        "does not surely differ from NO_LS. With these limits the paper's factors at 4 MB give "
        "its marks for memory-bound jobs."
    )
    yield ""
    rows = []
    for policy, printed in TABLE_3.items():
        row = [policy]
        for case, said in zip(_COLUMNS.values(), printed, strict=True):
            row += [said, _measured_mark(measured, case, policy)]
            row += [interval(measured.ratio((case, "NO_LS"), (case, policy)))]
        rows.append(row)
    headings = [
        words for kind in _COLUMNS for words in (f"{kind}, paper", "here", "times below NO_LS")
    ]
    yield from table(["", *headings], rows)


def _measured_mark(measured: Measurements, case: Case, policy: str) -> str:
    found = {name: measured.of(case, name) for name in ALL_POLICIES}
    if any(value is None for value in found.values()):
        return ""
    ratio = measured.ratio((case, "NO_LS"), (case, policy))
    if ratio.low <= 1 <= ratio.high:
        return "="
    means = {name: value.mean for name, value in found.items()}
    return mark(means[policy], means["NO_LS"], min(means.values()))


def _threshold(measured: Measurements) -> Iterator[str]:
    yield "## What the CPU threshold decides"
    yield ""
    yield (
        "The paper does not state CT. If it is small, CPU_RE stops sending jobs to a paging node "
        "as soon as CT jobs wait there, and is about as good as the others; the paper's factors "
        "need a CT so large that load sharing hardly acts without faults."
    )
    yield ""
    high, low = rates(4)[-1], rates(4)[0]
    cases = [(ct, high.but(ct=ct), low.but(ct=ct)) for ct in THRESHOLDS]
    cases.append((MemoryScenario.model_fields["ct"].default, high, low))
    yield from table(
        ["CT", "CPU_RE over CPU_MEM_HP_RE", "without faults", "CPU_RE over CPU_PM, without faults"],
        [
            [
                f"{ct:g}",
                interval(measured.ratio((case, "CPU_RE"), (case, "CPU_MEM_HP_RE"))),
                interval(measured.ratio((without, "CPU_RE"), (without, "CPU_MEM_HP_RE"))),
                interval(measured.ratio((without, "CPU_RE"), (without, "CPU_PM"))),
            ]
            for ct, case, without in sorted(cases, key=lambda one: one[0])
        ],
    )


def _rates(measured: Measurements) -> Iterator[str]:
    yield "## The fault rates"
    yield ""
    yield (
        "Faults per million instructions that give NO_LS a slowdown near 20, found for each seed, "
        "and the resulting slowdowns."
    )
    yield ""
    rows = [
        [
            trace,
            f"{mean_mb}",
            f"{PRINTED_RATES[mean_mb][int(trace)]:.2f}",
            _listed(measured.values(case, "NO_LS", "faults_per_mi"), 2),
            _listed(measured.values(case, "NO_LS"), 1),
        ]
        for mean_mb in PRINTED_RATES
        for trace, case in zip(TRACES, all_traces(mean_mb), strict=True)
    ]
    yield from table(["Trace", "Mean, MB", "Paper", "Here, by seed", "NO_LS"], rows)


def _queueing() -> Iterator[str]:
    yield "## The queueing model, tables 1 and 2"
    yield ""
    yield (
        "Mean response times, s. The printed ones are half of those with one queue per node for "
        "CPU and disk together, which the paper does not explain; with separate queues the policy "
        "that considers memory would be the worse one."
    )
    yield ""
    yield from table(
        ["Policy", "One queue per node", "Half of that", "CPU and disk apart", "Printed"],
        [[name, *(f"{value:.2f}" for value in row)] for name, *row in queueing_model.table()],
    )


def _listed(values: Iterable[float], digits: int) -> str:
    return ", ".join(f"{value:.{digits}f}" for value in values)
