"""Unknown memory demands: what is drawn, found, and named on its page, `text/page.md`."""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial

import pandas as pd

from model.ground.units import BYTES_PER_MB
from model.papers.cases import Case, declared
from model.papers.measurements import Measurements, mean_of, of_common_seeds
from model.papers.paper import Paper
from model.papers.tables import Column, Table, columns, interval, listed
from model.papers.unknown.figures import ALL_TRACES, FIGURES, FOUR, MIGRATION, STYLES
from model.papers.unknown.findings import FINDINGS, TRACE_1, completions
from model.papers.unknown.own_numbers import OWN_NUMBERS
from model.sharing.unknown.scenario import FITTED

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
    FINDINGS,
    named={**TABLES, **OWN_NUMBERS},
    later=(
        "more-seeds-no-ls",
        "more-seeds-blocking",
        "more-seeds-age",
        "more-seeds-pf-rate",
        "more-seeds-trace-1",
    ),
)
