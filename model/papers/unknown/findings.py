"""What Chen, Xiao and Zhang found, as `text/findings.toml` states it: kinds of its claims."""

from collections.abc import Iterator, Mapping, Sequence
from math import inf

from model.papers.cases import Case, over
from model.papers.findings import Claim, Claims, claim, claiming, of_each, ranges
from model.papers.measurements import Measurements, NotRun, mean_of
from model.papers.statements import Terms, read_findings
from model.papers.unknown.figures import (
    ALL_TRACES,
    FOUR,
    PAGING,
    QUEUEING,
    thresholds,
)
from model.papers.unknown.fit import COMPLETED
from model.sharing.unknown.workload import TRACES
from model.sweeps.statistics import Estimate

TRACE_1 = ALL_TRACES[0]
LOWEST, *_, HIGHEST = thresholds()
_ENDS = (LOWEST, HIGHEST)


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


def _at_ends(measured: Measurements, policy: str, measure: str) -> list[float]:
    """A measure's means at the lowest and at the highest threshold."""
    return [measured.mean(case, policy, measure) for case in _ENDS]


def _migrations(measured: Measurements, policy: str) -> list[float]:
    """How often a job migrates in the mean, at both; raises NotRun."""
    by_seed = [
        measured.values(case, policy, "migrations") / measured.values(case, policy, "jobs")
        for case in _ENDS
    ]
    if any(found.empty for found in by_seed):
        raise NotRun
    return [found.mean() for found in by_seed]


def _migrating_pct(measured: Measurements) -> list[float]:
    """For how much of its time a job under WORKSIZE migrates."""
    return [100 * measured.mean(case, "WORKSIZE", "shares.migration_s") for case in ALL_TRACES]


FINDINGS = read_findings(
    "unknown",
    Terms(
        cases={"all traces": ALL_TRACES},
        designs={"all four": list(FOUR)},
        kinds={"jobs completed": _completed, "changes": _changes, "gains most": _gains_most},
        numbers={
            "lowest": lambda _: LOWEST.parameters["mt"],
            "highest": lambda _: HIGHEST.parameters["mt"],
            "paging_s": lambda measured: _at_ends(measured, "WORKSIZE", PAGING),
            "queueing_s": lambda measured: _at_ends(measured, "WORKSIZE", QUEUEING),
            "migrations": lambda measured: {
                policy: _migrations(measured, policy) for policy in ("AGE", "PF_RATE")
            },
            "migrating_pct": _migrating_pct,
        },
    ),
)
