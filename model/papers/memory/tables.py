"""Tables for the page: table 3, CT, traces, paging, fault rates, the queueing model."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from math import exp, log
from statistics import fmean

from model.papers.cases import Case
from model.papers.measurements import Measurements, geometric_mean_of, mean_of, shows
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
from model.papers.tables import Column, Table, columns, interval, listed
from model.sharing.memory.scenario import ALL_POLICIES, MemoryScenario
from model.sweeps.statistics import Estimate, around, replications_needed

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
ACTING_CT = THRESHOLDS[1]  # where load sharing acts without faults
_COLUMNS = {"CPU-bound": cpu_bound(ACTING_CT), "memory-bound": scarce(4)}
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


def mark(slowdown: float, no_ls: float, best: float) -> str:
    """What a policy is worth to jobs: "++", "+" or "-"."""
    way = log(no_ls / slowdown) / log(no_ls / best) if best < no_ls else 0
    return next(sign for limit, sign in _MARKS if way >= limit)


def _below_no_ls(measured: Measurements, policy: str, case: Case) -> Estimate | None:
    return measured.ratio((at_ct(case, "NO_LS"), "NO_LS"), (at_ct(case, policy), policy))


def _measured_mark(measured: Measurements, policy: str, case: Case) -> str:
    columns = measured.in_common([(at_ct(case, name), name) for name in ALL_POLICIES])
    if not columns[0]:
        return ""
    ratio = _below_no_ls(measured, policy, case)
    if ratio is None or ratio.low <= 1 <= ratio.high:
        return "="
    means = dict(zip(ALL_POLICIES, map(fmean, columns), strict=True))
    return mark(means[policy], means["NO_LS"], min(means.values()))


def _at_ct(at: Callable[[float], Case], policy: str, other: str) -> Column:
    """A policy in multiples of another, at a CT."""
    return lambda measured, ct: measured.ratio((at_ct(at(ct), policy), policy), (at(ct), other))


def _service_pct(measured: Measurements, case: Case, policy: str) -> Estimate | None:
    """The share of all time in which the disk serves a job's own faults, %."""
    fault_s = MemoryScenario.model_fields["fault_ms"].default / 1000
    faults, jobs, response_s = (
        measured.values(case, policy, name) for name in ("faults", "jobs", "mean_response_s")
    )
    return mean_of(100 * fault_s * faults / (jobs * response_s))


def _per_cpu_s(measured: Measurements, case: Case, policy: str) -> Estimate | None:
    """The time for pages, in s a second of CPU time."""
    shares = measured.values(case, policy, "shares.paging_s")
    return mean_of(shares * measured.values(case, policy))


def _moved(measured: Measurements, case: Case, policy: str) -> Estimate | None:
    """How many jobs were submitted remotely or migrated."""
    names = "remote_submissions", "migrations"
    return mean_of(sum(measured.values(case, policy, name) for name in names))


def _with_draws(measured: Measurements, mean_mb: int, policy: str, draws: str) -> Estimate | None:
    return over_best(measured, Case(mean_mb=mean_mb, draws=draws), policy)


def _seeds_for_15_pct(measured: Measurements, mean_mb: int, policy: str, draws: str) -> str:
    """How many seeds would give a geometric mean ± 15 %; nothing for one seed."""
    ratio = _with_draws(measured, mean_mb, policy, draws)
    if ratio is None or ratio.n == 1:
        return ""
    mean, half = log(ratio.mean), log(ratio.high / ratio.low) / 2
    return f"{replications_needed(around(mean, half, ratio.n), log(1.15)):,}"


def _readings(measured: Measurements) -> Iterator[list[str]]:
    """For each mean memory demand what is printed, and each reading of the rate."""
    for mean_mb, printed in STATED.items():
        row = [f"{PRINTED_RATES[mean_mb][0]:.2f}", "20", *(f"{one:.1f}" for one in printed)]
        yield [f"{mean_mb} MB, paper", *row, "12.2" if mean_mb == 4 else ""]
        for kind in ("job", "node"):
            case = Case(mean_mb=mean_mb, fault_rate_of=kind)
            rates, slowdowns = _RATES(measured, case, "NO_LS"), _SLOWDOWNS(measured, case, "NO_LS")
            row = [interval(over_best(measured, case, policy)) for policy in FACTORS]
            row.append(interval(_PAGING(measured, case, "NO_LS")))
            yield [f"{mean_mb} MB, {kind}", rates, slowdowns, *row]


def over_best(measured: Measurements, case: Case, policy: str) -> Estimate | None:
    """A policy's slowdown in multiples of the geometric mean of the best three's."""
    logs = sum(measured.values(case, best).map(log) for best in BEST) / len(BEST)
    found = (measured.values(case, policy).map(log) - logs).dropna()
    return geometric_mean_of(found.map(exp))


def by_trace(measured: Measurements, mean_mb: int, design: str, other: str) -> list[float]:
    """How many times another policy's slowdown a policy's is on each trace that was run."""
    found = (
        measured.ratio((case, design), (case, other), measure=measured.measure)
        for case in all_traces(mean_mb)
    )
    return [one.mean for one in found if one is not None]


def _span_of_traces(measured: Measurements, policy: str, mean_mb: int) -> str:
    found = by_trace(measured, mean_mb, "NO_LS", policy)
    return f"{min(found):.2f} to {max(found):.2f}" if found else interval(None)


def _below_on(measured: Measurements, policy: str, mean_mb: int) -> str:
    found = by_trace(measured, mean_mb, "NO_LS", policy)
    return f"{sum(one > 1 for one in found)} of {len(found)}" if found else ""


def _by_seed(form: str, measure: str | None = None) -> Callable[..., str]:
    return lambda measured, *of: ", ".join(map(form.format, measured.values(*of, measure)))


_PAGING = shows("shares.paging_s", 100)
_RATES, _SLOWDOWNS = _by_seed("{:.2f}", "faults_per_mi"), _by_seed("{:.1f}")

TABLES: Mapping[str, Table] = {
    "table_3": columns(
        ("",),
        {policy: (policy,) for policy in TABLE_3},
        [
            pair
            for place, (kind, case) in enumerate(_COLUMNS.items())
            for pair in (
                (f"{kind}, paper", lambda _, policy, place=place: TABLE_3[policy][place]),
                ("here", partial(_measured_mark, case=case)),
                ("times below NO_LS", partial(_below_no_ls, case=case)),
            )
        ],
    ),
    "thresholds": columns(
        ("CT",),
        {f"{ct:g}": (ct,) for ct in THRESHOLDS},
        {
            "CPU_RE over CPU_MEM_HP_RE, 4 MB": _at_ct(memory_bound, "CPU_RE", "CPU_MEM_HP_RE"),
            "NO_LS over CPU_RE, no faults": _at_ct(cpu_bound, "NO_LS", "CPU_RE"),
            "CPU_RE over CPU_PM, no faults": _at_ct(cpu_bound, "CPU_RE", "CPU_PM"),
            "CPU_MEM_HT_RE over CPU_PM, no faults": _at_ct(cpu_bound, "CPU_MEM_HT_RE", "CPU_PM"),
            "MEM_RE over CPU_RE, no faults": _at_ct(cpu_bound, "MEM_RE", "CPU_RE"),
        },
    ),
    "paging": columns(
        ("", "Paper"),
        {
            (policy, "12.2" if policy == "NO_LS" else "4.5 to 4.6" if policy in BEST else ""): (
                scarce(4),
                policy,
            )
            for policy in ALL_POLICIES
        },
        {
            "Here, both": _PAGING,
            "Service": _service_pct,
            "s a second of CPU time": _per_cpu_s,
            "Moved": _moved,
        },
    ),
    "draws": columns(
        ("",),
        {f"{mb} MB, {policy}": (mb, policy) for mb in STATED for policy in FACTORS},
        [
            pair
            for draws in ("independent", "stratified")
            for pair in (
                (draws, partial(_with_draws, draws=draws)),
                ("seeds", partial(_seeds_for_15_pct, draws=draws)),
            )
        ],
    ),
    "readings": listed(
        ("", "Rate, by seed", "NO_LS, by seed", *FACTORS, "Paging of NO_LS, %"), _readings
    ),
    "traces": columns(
        ("",),
        {policy: (policy,) for policy in TABLE_3},
        [
            pair
            for mean_mb in PRINTED_RATES
            for pair in (
                (f"{mean_mb} MB", partial(_span_of_traces, mean_mb=mean_mb)),
                ("traces", partial(_below_on, mean_mb=mean_mb)),
            )
        ],
    ),
    "fault_rates": columns(
        ("Trace", "Mean, MB", "Paper"),
        {
            (trace, f"{mean_mb}", f"{printed[int(trace)]:.2f}"): (case, "NO_LS")
            for mean_mb, printed in PRINTED_RATES.items()
            for trace, case in zip(TRACES, all_traces(mean_mb), strict=True)
        },
        {"Here, by seed": _RATES, "NO_LS": _SLOWDOWNS},
    ),
    "queueing": listed(
        ("Policy", "One queue per node", "Half of that", "CPU and disk apart", "Printed"),
        lambda _: (
            [name, *(f"{value:.2f}" for value in row)] for name, *row in queueing_model.table()
        ),
    ),
}
