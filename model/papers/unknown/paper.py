"""Unknown memory demands: what is claimed and how, and what names in `text/` stand for."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import inf

import pandas as pd

from model.ground.units import BYTES_PER_MB
from model.papers.cases import Case, declared, over
from model.papers.findings import Claim, Claims, claim, claiming, of_each, ranges
from model.papers.measurements import Measurements, NotRun, mean_of, of_common_seeds
from model.papers.paper import Paper
from model.papers.statements import Terms, read_findings
from model.papers.tables import Column, Table, columns, interval, listed
from model.papers.unknown.figures import (
    ALL_TRACES,
    FIGURES,
    FOUR,
    MIGRATION,
    PAGING,
    QUEUEING,
    STYLES,
    thresholds,
)
from model.papers.unknown.fit import COMPLETED
from model.papers.unknown.own_numbers import OWN_NUMBERS
from model.sharing.unknown.scenario import FITTED
from model.sharing.unknown.workload import TRACES
from model.sweeps.statistics import Estimate

TRACE_1 = ALL_TRACES[0]
LOWEST, *_, HIGHEST = thresholds()
_ENDS = {"lowest": LOWEST, "highest": HIGHEST}


def completions(measured: Measurements, case: Case, policy: str) -> Estimate | None:
    """How many jobs were not killed."""
    jobs, killed = (measured.values(case, policy, name) for name in ("jobs", "killed"))
    return mean_of(jobs - killed)


@of_each
def _completed(case: Case, within_pct: float) -> Claims:
    """NO_LS completes as many jobs as in the paper, within a percentage of all jobs."""
    number = int(case.parameters["trace"])
    stated, off = COMPLETED[number], within_pct / 100 * TRACES[number].jobs
    limits = stated - off, stated + off
    return ranges(case, "jobs completed, {}", ["NO_LS"], *limits, completions)


@of_each
@claiming
def _changes(
    measured: Measurements,
    case: Case,
    to: Mapping[str, float | Sequence[float]],
    measure: str,
    policies: Sequence[str],
    low: float,
    high: float,
) -> Iterator[Claim]:
    """A measure in the case with other parameters, in multiples of that in it, is in a range."""
    name = measure.removeprefix("breakdown.").removesuffix("_s").replace("_", " ")
    for own in over(case, **to):
        parts = [
            (one, measured.ratio((own, one), (case, one), measure=measure)) for one in policies
        ]
        yield claim(f"{name}: {own} in multiples of {case}, {{}}", parts, low, high)


@of_each
@claiming
def _gains_most(
    measured: Measurements,
    case: Case,
    than_in: Mapping[str, object],
    policy: str,
    than: Sequence[str],
) -> Iterator[Claim]:
    """A policy's slowdown falls from one case to another by a larger factor than others' do."""
    before = Case(**than_in)
    own = (case, policy), (before, policy)
    parts = [(one, measured.ratio(*own, (before, one), (case, one))) for one in than]
    words = f"change from {before} to {case}, {policy} in multiples of others, {{}}"
    yield claim(words, parts, -inf, 1)


def _at_ends(measured: Measurements, policy: str, measure: str) -> dict[str, float]:
    """A measure's means at the lowest and at the highest threshold."""
    return {end: measured.mean(case, policy, measure) for end, case in _ENDS.items()}


def _migrations_at_ends(measured: Measurements, policy: str) -> dict[str, float]:
    """How often a job migrates in the mean, at both; raises NotRun."""
    by_seed = {end: _migrations(measured, case, policy) for end, case in _ENDS.items()}
    if any(found.empty for found in by_seed.values()):
        raise NotRun
    return {end: found.mean() for end, found in by_seed.items()}


def _migrating_pct(measured: Measurements) -> list[float]:
    """For how much of its time a job under WORKSIZE migrates."""
    return [100 * measured.mean(case, "WORKSIZE", "shares.migration_s") for case in ALL_TRACES]


TERMS = Terms(
    cases={"all traces": ALL_TRACES},
    designs={"all four": list(FOUR)},
    kinds={"jobs completed": _completed, "changes": _changes, "gains most": _gains_most},
    numbers={
        "lowest": lambda _: LOWEST.parameters["mt"],
        "highest": lambda _: HIGHEST.parameters["mt"],
        "paging_s": lambda measured: _at_ends(measured, "WORKSIZE", PAGING),
        "queueing_s": lambda measured: _at_ends(measured, "WORKSIZE", QUEUEING),
        "migrations": lambda measured: {
            policy: _migrations_at_ends(measured, policy) for policy in ("AGE", "PF_RATE")
        },
        "migrating_pct": _migrating_pct,
    },
)


_R_S, _BYTES_PER_S = 0.1, 10**7 / 8  # r and the bandwidth in the cases of figure 2
_SWEEP = declared("unknown")
_RUNS = _SWEEP["runs"]
#: What was read as this page does, and the other way: a name of the sweep, and what it says.
_READINGS = {
    "age": "a job's age is its CPU time, and a migration pays whatever the difference in jobs",
    "target": "a job may go where Qo < MT *or* where it has room, as printed",
    "weights": "all seconds of CPU time on a node fault alike, and PF_RATE ranks by a job's life",
    "first": "these three together, as this page first read the paper",
    "ram": "121 MB of RAM, as follows from table 2",
    "draws": "programs and homes are drawn independently",
    "submissions": "jobs arrive at uniform times",
}


def _migrations(measured: Measurements, case: Case, policy: str) -> pd.Series:
    jobs, migrations = (measured.values(case, policy, name) for name in ("jobs", "migrations"))
    return migrations / jobs


def _migrated_mb(measured: Measurements, case: Case, policy: str) -> pd.Series:
    """MB that a migration takes along: its time without r, at 10 Mbps."""
    names = ("jobs", "migrations", "remote_submissions", MIGRATION)
    jobs, migrations, submitted, mean_s = (measured.values(case, policy, name) for name in names)
    moving_s = mean_s * jobs - _R_S * (migrations + submitted)
    return moving_s / migrations * _BYTES_PER_S / BYTES_PER_MB


def _of_migrations(measured: Measurements) -> Iterator[list[str]]:
    """How often jobs migrate, and with how much, on each trace."""
    for case in ALL_TRACES:
        often, mb = (
            of_common_seeds({one: of(measured, case, one) for one in FOUR})
            for of in (_migrations, _migrated_mb)
        )
        rows = {"migrations a job": often, "MB a migration": mb, "MB a job": often * mb}
        for words, values in rows.items():
            means = (mean_of(values[one]) if one in values else None for one in FOUR)
            yield [case.parameters["trace"], words, *map(interval, means)]


def _slowdown(measured: Measurements, case: Case, _: Case, policy: str) -> str:
    return interval(measured.of(case, policy)) + _beside(measured, case, policy)


def _multiple(measured: Measurements, case: Case, than: Case, policy: str) -> str:
    """A slowdown in multiples of that in another case."""
    found = measured.ratio((case, policy), (than, policy))
    return interval(found) + _beside(measured, case, policy)


def _beside(measured: Measurements, case: Case, policy: str) -> str:
    """A slowdown in multiples of COMBINED's, in brackets."""
    times = measured.ratio((case, policy), (case, "COMBINED"))
    return f" ({times.mean:.2f})" if times else ""


def _of_policies(cell: Column, policies: Iterable[str]) -> dict[str, Column]:
    return {policy: partial(cell, policy=policy) for policy in policies}


TABLES: Mapping[str, Table] = {
    "migrations": listed(("Trace", "What", *FOUR), _of_migrations),
    "variants": columns(
        ("Trace",),
        {(case.parameters["trace"],): (case, case) for case in ALL_TRACES},
        _of_policies(_slowdown, ("COMBINED", *_RUNS["variants"]["policies"])),
    ),
    "readings": columns(
        ("Reading", "Trace"),
        {
            (words, trace): (
                Case(trace=trace, **_SWEEP["choice"]["reading"][name]),
                Case(trace=trace),
            )
            for name, words in _READINGS.items()
            for trace in _RUNS["readings"]["trace"]
        },
        _of_policies(_multiple, STYLES),
    ),
    "mixes": columns(
        ("Mix", "Trace"),
        {
            (", ".join(f"{share:g}" for share in mix), trace.parameters["trace"]): (
                trace.but(mix=mix),
                trace,
            )
            for mix in (FITTED, *_RUNS["mix"]["mix"])
            for trace in ALL_TRACES
        },
        {
            "NO_LS completes": lambda measured, case, _: completions(measured, case, "NO_LS"),
            **_of_policies(_slowdown, STYLES),
        },
    ),
    "thresholds": columns(
        ("CT", "Trace"),
        {(f"{ct}", "1"): (TRACE_1.but(ct=ct), TRACE_1) for ct in _RUNS["ct"]["ct"]},
        _of_policies(_multiple, FOUR),
    ),
}

PAPER = Paper(
    "unknown",
    "mean_slowdown",
    FIGURES,
    read_findings("unknown", TERMS),
    named={**TABLES, **OWN_NUMBERS},
    later=(
        "more-seeds-no-ls",
        "more-seeds-blocking",
        "more-seeds-age",
        "more-seeds-pf-rate",
        "more-seeds-trace-1",
    ),
)
