"""Tables for the page: table 3, CT, traces, paging, fault rates, the queueing model."""

from collections.abc import Iterable, Iterator
from math import exp, log
from statistics import fmean

import pandas as pd

from model.papers.cases import Case
from model.papers.measurements import Measurements, geometric_mean, shows
from model.papers.memory import queueing_model
from model.papers.memory.figures import (
    THRESHOLDS,
    TRACES,
    all_traces,
    at_ct,
    cpu_bound,
    memory_bound,
    scarce,
)
from model.papers.page import interval, table
from model.sharing.memory.scenario import ALL_POLICIES, MemoryScenario
from model.sweeps.statistics import Estimate, around, estimate, replications_needed

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
_ACTING_CT = THRESHOLDS[1]  # where load sharing acts without faults
_COLUMNS = {"CPU-bound": cpu_bound(_ACTING_CT), "memory-bound": scarce(4)}
#: Limits of the way from NO_LS to the best policy, by logarithm. With these limits the paper's
#: factors at 4 MB give its marks for memory-bound jobs.
_MARKS = ((0.75, "++"), (1 / 3, "+"), (-float("inf"), "-"))
BEST = ("CPU_MEM_HP_RE", "CPU_MEM_HT_RE", "MEM_RE")
FACTORS = ("NO_LS", "CPU_RE", "CPU_PM", "MEM_PM", "CPU_MEM_HT_PM", "CPU_MEM_HP_PM")
#: How many times the best three are below these, by mean memory demand (section 5.1).
STATED = {1: (4.6, 3.3, 3.1, 2.0, 1.5, 1.5), 4: (5.1, 3.5, 3.2, 2.0, 1.7, 1.7)}
#: The paper's rates of faults per million instructions, traces 0 to 7 (section 5.5).
PRINTED_RATES = {
    1: (2.40, 0.67, 0.67, 4.10, 0.45, 2.80, 2.30, 2.30),
    4: (0.60, 0.16, 0.11, 0.94, 0.11, 0.17, 0.58, 0.58),
}


def tables(measured: Measurements) -> str:
    """All tables, in Markdown."""
    parts = (
        _table_3,
        _threshold,
        _paging,
        _draws,
        _readings,
        _traces,
        _rates,
        lambda _: _queueing(),
    )
    return "\n".join(line for part in parts for line in part(measured))


def mark(slowdown: float, no_ls: float, best: float) -> str:
    """What a policy is worth to jobs: "++", "+" or "-"."""
    way = log(no_ls / slowdown) / log(no_ls / best) if best < no_ls else 0
    return next(sign for limit, sign in _MARKS if way >= limit)


def _table_3(measured: Measurements) -> Iterator[str]:
    yield "## Table 3"
    yield ""
    yield (
        "How many times a policy is below NO_LS on trace 0, without faults (CPU-bound; at CT "
        f"{_ACTING_CT}, since at 40 the CPU policies do as NO_LS then) and with 4 MB at the "
        "highest rate (memory-bound). A mark says how far a policy goes from NO_LS to the best "
        "policy, by logarithm: ++ from three quarters on, + from a third on, - below, = if "
        "it does not surely differ from NO_LS. With these limits the paper's factors at 4 MB give "
        "its marks for memory-bound jobs."
    )
    yield ""
    rows = []
    for policy, printed in TABLE_3.items():
        row = [policy]
        for case, said in zip(_COLUMNS.values(), printed, strict=True):
            row += [said, _measured_mark(measured, case, policy)]
            row += [interval(_below_no_ls(measured, case, policy))]
        rows.append(row)
    headings = [
        words for kind in _COLUMNS for words in (f"{kind}, paper", "here", "times below NO_LS")
    ]
    yield from table(["", *headings], rows)


def _below_no_ls(measured: Measurements, case: Case, policy: str) -> Estimate | None:
    return measured.ratio((at_ct(case, "NO_LS"), "NO_LS"), (at_ct(case, policy), policy))


def _measured_mark(measured: Measurements, case: Case, policy: str) -> str:
    columns = measured.in_common([(at_ct(case, name), name) for name in ALL_POLICIES])
    if not columns[0]:
        return ""
    ratio = _below_no_ls(measured, case, policy)
    if ratio.low <= 1 <= ratio.high:
        return "="
    means = dict(zip(ALL_POLICIES, map(fmean, columns), strict=True))
    return mark(means[policy], means["NO_LS"], min(means.values()))


def _threshold(measured: Measurements) -> Iterator[str]:
    yield "## What the CPU threshold decides"
    yield ""
    yield (
        "The paper does not state CT. If it is small, CPU_RE sends no more jobs to a paging node "
        "with CT jobs, and is about as good as the others where memory is scarce; if it is large, "
        "load sharing hardly acts without faults. Slowdowns on trace 0 in multiples of others."
    )
    yield ""
    over = (
        (memory_bound, "CPU_RE", "CPU_MEM_HP_RE"),
        (cpu_bound, "NO_LS", "CPU_RE"),
        (cpu_bound, "CPU_RE", "CPU_PM"),
        (cpu_bound, "CPU_MEM_HT_RE", "CPU_PM"),
        (cpu_bound, "MEM_RE", "CPU_RE"),
    )
    headings = [
        f"{one} over {other}, {'no faults' if at is cpu_bound else '4 MB'}"
        for at, one, other in over
    ]
    rows = [
        [
            f"{ct:g}",
            *(
                interval(measured.ratio((at_ct(at(ct), one), one), (at(ct), other)))
                for at, one, other in over
            ),
        ]
        for ct in THRESHOLDS
    ]
    yield from table(["CT", *headings], rows)


def _paging(measured: Measurements) -> Iterator[str]:
    yield "## Paging: service, and waiting for the disk"
    yield ""
    yield (
        "Percent of all time on trace 0 with 4 MB at the highest rate: a job that faults waits "
        "until the disk has served the faults before its own, and then for its own. Then the time "
        "of both for a second of CPU time, and how many jobs are moved, of 2,500."
    )
    yield ""
    case, share = scarce(4), "shares.paging_s"
    rows = [
        [
            policy,
            {"NO_LS": "12.2"}.get(policy, "4.5 to 4.6" if policy in BEST else ""),
            interval(shows(share, 100)(measured, case, policy)),
            interval(_service_pct(measured, case, policy)),
            interval(_per_cpu_s(measured, case, policy)),
            interval(_moved(measured, case, policy)),
        ]
        for policy in ALL_POLICIES
    ]
    yield from table(
        ["", "Paper", "Here, both", "Service", "s a second of CPU time", "Moved"], rows
    )


def _service_pct(measured: Measurements, case: Case, policy: str) -> Estimate | None:
    """The share of all time in which the disk serves a job's own faults, %."""
    fault_s = MemoryScenario.model_fields["fault_ms"].default / 1000
    faults, jobs, response_s = (
        measured.values(case, policy, name) for name in ("faults", "jobs", "mean_response_s")
    )
    return _mean(100 * fault_s * faults / (jobs * response_s))


def _per_cpu_s(measured: Measurements, case: Case, policy: str) -> Estimate | None:
    """The time for pages, in s a second of CPU time."""
    shares = measured.values(case, policy, "shares.paging_s")
    return _mean(shares * measured.values(case, policy))


def _moved(measured: Measurements, case: Case, policy: str) -> Estimate | None:
    """How many jobs were submitted remotely or migrated."""
    names = "remote_submissions", "migrations"
    return _mean(sum(measured.values(case, policy, name) for name in names))


def _mean(values: pd.Series) -> Estimate | None:
    known = values.dropna().tolist()
    return estimate(known) if known else None


def _draws(measured: Measurements) -> Iterator[str]:
    yield "## What stratified draws are worth"
    yield ""
    yield (
        "Slowdowns in multiples of the geometric mean of the best three's, on trace 0 at the "
        "highest rate, and how many seeds would give ± 15 %. With independent draws it is chance "
        "how long the few jobs live that overload a node; with stratified draws every seed has the "
        "same requests and lifetimes, and which job has which is left to chance. At 4 MB that "
        "saves a quarter to two thirds of the seeds; at 1 MB preemptive migration takes more. "
        "There the two kinds of draws differ: stratified intervals hold for one set of requests "
        "and lifetimes, and independent ones give preemptive migration larger factors."
    )
    yield ""
    rows = []
    for mean_mb in STATED:
        for policy in FACTORS:
            row = [f"{mean_mb} MB, {policy}"]
            for draws in ("independent", "stratified"):
                found = over_best(measured, Case(mean_mb=mean_mb, draws=draws), policy)
                row += [interval(found), _seeds_for_15_pct(found)]
            rows.append(row)
    yield from table(["", "independent", "seeds", "stratified", "seeds"], rows)


def _seeds_for_15_pct(ratio: Estimate | None) -> str:
    """How many seeds would give a geometric mean ± 15 %; nothing for one seed."""
    if ratio is None or ratio.n == 1:
        return ""
    mean, half = log(ratio.mean), log(ratio.high / ratio.low) / 2
    return f"{replications_needed(around(mean, half, ratio.n), log(1.15)):,}"


def _readings(measured: Measurements) -> Iterator[str]:
    yield "## Whose instructions the fault rate counts"
    yield ""
    yield (
        '"Each job in the node will cause page faults at a given page fault rate" (section 4.3): '
        "per million instructions of the job, or per million of all that its node executes "
        "(`--fault-rate-of node`), so that each of n jobs faults n times as often. Slowdowns on "
        "trace 0, and those of others in multiples of the geometric mean of the best three's. The "
        "rates of *node* are of the size of the paper's (on its eight traces 0.11 to 0.94 at 4 MB "
        "and 0.45 to 4.10 at 1 MB); those of *job* are four to ten times as high as on its trace "
        "0. But *node* is a knife's edge: a node that pages gets more jobs, which page more, so a "
        "slightly lower rate does nothing at all (where NO_LS is far from 20, no rate came nearer) "
        "and whatever moves a few jobs is nearly as good as the best: see CPU_RE and MEM_PM at 4 "
        "MB. At 4 MB all factors of *job* are nearer to the paper's, so it is the default, and all "
        "else on this page; at 1 MB five seeds do not tell. If each of n jobs faulted n times "
        "less often, no rate up to 160 would do (a trial with seed 401 and 4 MB)."
    )
    yield ""
    rows = []
    for mean_mb, printed in STATED.items():
        row = [f"{PRINTED_RATES[mean_mb][0]:.2f}", "20", *(f"{one:.1f}" for one in printed)]
        rows.append([f"{mean_mb} MB, paper", *row, "12.2" if mean_mb == 4 else ""])
        for kind in ("job", "node"):
            case = Case(mean_mb=mean_mb, fault_rate_of=kind)
            rates = _listed(measured.values(case, "NO_LS", "faults_per_mi"), 2)
            slow = _listed(measured.values(case, "NO_LS"), 1)
            row = [interval(over_best(measured, case, policy)) for policy in FACTORS]
            row.append(interval(shows("shares.paging_s", 100)(measured, case, "NO_LS")))
            rows.append([f"{mean_mb} MB, {kind}", rates, slow, *row])
    headings = ["", "Rate, by seed", "NO_LS, by seed", *FACTORS, "Paging of NO_LS, %"]
    yield from table(headings, rows)


def over_best(measured: Measurements, case: Case, policy: str) -> Estimate | None:
    """A policy's slowdown in multiples of the geometric mean of the best three's."""
    logs = sum(measured.values(case, best).map(log) for best in BEST) / len(BEST)
    found = (measured.values(case, policy).map(log) - logs).dropna()
    return geometric_mean([exp(one) for one in found]) if len(found) else None


def by_trace(measured: Measurements, mean_mb: int, design: str, other: str) -> list[float]:
    """How many times another policy's slowdown a policy's is on each trace that was run."""
    found = (
        measured.ratio((case, design), (case, other), measure=measured.measure)
        for case in all_traces(mean_mb)
    )
    return [one.mean for one in found if one is not None]


def _traces(measured: Measurements) -> Iterator[str]:
    yield "## All traces"
    yield ""
    yield (
        "How many times a policy is below NO_LS: the least and the greatest of the eight traces "
        "(geometric means over the seeds of each), and on how many it is below."
    )
    yield ""
    rows = []
    for policy in TABLE_3:
        row = [policy]
        for mean_mb in PRINTED_RATES:
            found = by_trace(measured, mean_mb, "NO_LS", policy)
            below = sum(one > 1 for one in found)
            row += (
                [f"{min(found):.2f} to {max(found):.2f}", f"{below} of {len(found)}"]
                if found
                else ["not run", ""]
            )
        rows.append(row)
    headings = [words for mean_mb in PRINTED_RATES for words in (f"{mean_mb} MB", "traces")]
    yield from table(["", *headings], rows)


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
