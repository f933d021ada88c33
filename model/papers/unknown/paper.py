"""Unknown memory demands: what the paper leaves open, and what was assumed."""

from collections.abc import Iterable, Iterator
from functools import partial

import pandas as pd

from model.ground.units import BYTES_PER_MB
from model.papers.cases import Case, declared
from model.papers.measurements import Measurements, mean_of, of_common_seeds
from model.papers.paper import Paper
from model.papers.tables import Column, columns, interval, listed, section
from model.papers.unknown.figures import ALL_TRACES, FIGURES, FOUR, MIGRATION, STYLES
from model.papers.unknown.findings import FINDINGS, TRACE_1, completions
from model.papers.unknown.own_numbers import own_numbers
from model.sharing.unknown.scenario import FITTED

_R_S, _BYTES_PER_S = 0.1, 10**7 / 8  # r and the bandwidth in the cases of figure 2
_SWEEP = declared("unknown")
_RUNS = _SWEEP["runs"]
_MULTIPLES = (
    "in multiples of those on the rest of this page over three common seeds, and in brackets in "
    "multiples of COMBINED's:"
)
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


TABLES = (
    section(
        "What migrates",
        "Migrations for each job of a trace, and how many MB one takes along as its time says (64 "
        "MB take 54 s over 10 Mbps), over the seeds that all policies have. Of the jobs 11 % have "
        "64 MB or more (bit-r, m-sort, m-m), 36 % have 37 to 40 MB (r-sphere) and 43 % have 20 to "
        "23 MB (r-wing):",
        listed(("Trace", "What", *FOUR), _of_migrations),
    ),
    section(
        "How much depends on how the paper is read",
        "Each reading is a parameter (`run.py share --system unknown --help`). Slowdowns with one "
        f"reading the other way at a time, {_MULTIPLES}",
        columns(
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
    ),
    section(
        "How much depends on the mix of programs and on CT",
        "The paper states neither. Its three counts of jobs that NO_LS completes (363, 390 and "
        "341) do not fix the shares of bit-r, m-sort, m-m, t-sim, metis, r-sphere and r-wing, so "
        "the fit prefers equal ones where it may. Jobs completed, mean slowdowns, and in brackets "
        "multiples of COMBINED's, under the mix that fits best and, over three seeds, one closer "
        "to equal shares:",
        columns(
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
        lambda _: (f"Slowdowns with another CT, {_MULTIPLES}", ""),
        columns(
            ("CT", "Trace"),
            {(f"{ct}", "1"): (TRACE_1.but(ct=ct), TRACE_1) for ct in _RUNS["ct"]["ct"]},
            _of_policies(_multiple, FOUR),
        ),
    ),
    own_numbers,
)

PAPER = Paper(
    "unknown",
    "Load sharing with unknown memory demands (Chen, Xiao, Zhang)",
    "mean_slowdown",
    FIGURES,
    FINDINGS,
    "The paper's traces are lost. Here gaps between jobs are lognormal with its sigma, rescaled "
    "to its number of jobs and seconds (equation 6 as printed gives neither). Programs are those "
    "of table 1, each as often as a mix says that was fitted to how many jobs NO_LS completes "
    "(`model/papers/unknown/fit.py`, seeds 1 to 24), and every home has as many jobs as any other, "
    "both in random order. Working sets given as ranges grow through them in 9 equal stretches. "
    "Faults of a node are shared among its jobs by the rates in table 2 (m-sort 461.5 a second of "
    "CPU time, bit-r 38.7, t-sim 10.9, m-m 2.4; r-wing is to m-sort as in the other group, "
    "r-sphere like r-wing, metis like t-sim). A job's age is the time since it began (section 2.2; "
    "table 3 calls it executed time). The paper does not state the following either: CT "
    "(here 8), how often loads are reported and the loop turns (1 s), what the buffer cache holds "
    "(counted as in use), the cost estimate of AGE (its age times the difference in jobs exceeds "
    "the migration's time), and what bounds equation 4, which counts per second of CPU time here, "
    "with the reads and writes that all residents do in their lives, and without a maximum. The "
    "time of a job's own I/O is left out, as in section 6's breakdown. A job migrates only where "
    "Qo < MT and it fits; printed is *or*. The delay and the internal threshold of section 4.2, of "
    "thresholds at and above 0, are not modelled. A job held back at its home counts as queueing.",
    tables=TABLES,
    later=(
        "more-seeds-no-ls",
        "more-seeds-blocking",
        "more-seeds-age",
        "more-seeds-pf-rate",
        "more-seeds-trace-1",
    ),
)
