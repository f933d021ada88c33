"""What Chen, Xiao and Zhang found, as claims in numbers."""

from collections.abc import Iterator, Sequence
from functools import partial
from math import inf

from model.papers.cases import Case, over
from model.papers.findings import Claim, Finding, claim, claiming, near, of_each, ranges, ratios
from model.papers.measurements import Measurements, NotRun, mean_of, shows
from model.papers.unknown.figures import (
    ALL_TRACES,
    FAST,
    FOUR,
    MIGRATION,
    PAGING,
    QUEUEING,
    thresholds,
)
from model.papers.unknown.fit import COMPLETED
from model.sharing.unknown.workload import TRACES
from model.sweeps.statistics import Estimate

BLOCKING, _SLOWDOWN = "NO_LS_BLOCKING", "mean_slowdown"
_PCT = 15  # the range around a stated ratio
TRACE_1 = ALL_TRACES[0]
LOWEST, _, ZERO, _, HIGHEST = thresholds()
_SAME = (0.8, 1.25)  # the paper's "quite independent", and "few changes"
LEAST, MOST = 0.95, 1.05  # who is within 5 % of the best, or of the most, counts as such


def completions(measured: Measurements, case: Case, policy: str) -> Estimate | None:
    """How many jobs were not killed."""
    jobs, killed = (measured.values(case, policy, name) for name in ("jobs", "killed"))
    return mean_of(jobs - killed)


@of_each
@claiming
def _changes(
    measured: Measurements,
    case: Case,
    measure: str,
    policies: Sequence[str],
    low: float,
    high: float,
    **varied: float | Sequence[float],
) -> Iterator[Claim]:
    """A measure in the case with other parameters, in multiples of that in it, is in a range."""
    for own in over(case, **varied):
        parts = [
            (one, measured.ratio((own, one), (case, one), measure=measure)) for one in policies
        ]
        yield claim(f"{_name(measure)}: {own} in multiples of {case}, {{}}", parts, low, high)


@claiming
def _gains_most(
    measured: Measurements, policy: str, others: Sequence[str], case: Case, than: Case
) -> Iterator[Claim]:
    """A policy's slowdown falls from one case to another by a larger factor than others' do."""
    own = (case, policy), (than, policy)
    parts = [(one, measured.ratio(*own, (than, one), (case, one))) for one in others]
    words = f"change from {than} to {case}, {policy} in multiples of others, {{}}"
    yield claim(words, parts, -inf, 1)


def _above(measured: Measurements) -> str:
    """What a threshold above 0 costs: WORKSIZE's paging and queueing at the lowest and highest."""
    rises = [
        f"{_name(measure)} from {low:,.0f} to {high:,.0f} s"
        for measure in (PAGING, QUEUEING)
        for low, high in [[measured.mean(case, "WORKSIZE", measure) for case in (LOWEST, HIGHEST)]]
    ]
    return (
        "A node is oversized up to the threshold before jobs leave it, so with a higher one they "
        f"page and queue for longer: from {LOWEST.parameters['mt']} to {HIGHEST.parameters['mt']} "
        f"%, {' and '.join(rises)} a job (WORKSIZE). At and above 0 the paper's policies also wait "
        "before they migrate, and have an internal threshold (section 4.2), which is not modelled; "
        "whether that accounts for the difference cannot be told."
    )


def _rarely(measured: Measurements) -> str:
    """How often jobs migrate at the lowest and at the highest threshold."""
    falls = [
        f"from {low:.1f} to {high:.1f} times a job under {policy}"
        for policy in ("AGE", "PF_RATE")
        for low, high in [[_migrations(measured, case, policy) for case in (LOWEST, HIGHEST)]]
    ]
    return f"With a higher threshold jobs migrate less often, {' and '.join(falls)}."


def _migrations(measured: Measurements, case: Case, policy: str) -> float:
    """How often a job migrates in the mean; raises NotRun."""
    found = measured.values(case, policy, "migrations") / measured.values(case, policy, "jobs")
    if found.empty:
        raise NotRun
    return found.mean()


def _moving(measured: Measurements) -> str:
    """How much of a job's time under WORKSIZE is migration, which is all that a link can save."""
    shares = (measured.mean(case, "WORKSIZE", "shares.migration_s") for case in ALL_TRACES)
    return (
        f"A job under WORKSIZE migrates for {', '.join(f'{100 * share:.1f}' for share in shares)} "
        "% of its time on the three traces, which is all that a faster link can save."
    )


def _name(measure: str) -> str:
    return measure.removeprefix("breakdown.").removesuffix("_s").replace("_", " ")


def _but(*left_out: str) -> list[str]:
    return [policy for policy in FOUR if policy not in left_out]


# Why findings differ; each says where on the page its numbers are.
_MIX = (
    "The traces are lost, and the paper states neither the mix of programs nor the times of "
    "submission. How much blocking slows jobs down depends on both (see uniform times and the "
    "other mix, below)."
)
_RATES = (
    "The paper's model gives the faults of a node, not of its jobs. How they are shared decides "
    "what PF_RATE can rank by, and under none of the readings below does it come to twice COMBINED."
)
_CHEAP = (
    "WORKSIZE moves 50 MB at a time, the others 37 to 43, but less often, which makes 24 MB a job, "
    "with the others 21 to 22 (trace 3; see what migrates, below): the high migration cost that "
    "the paper blames does not arise."
)
_LARGEST = (
    "WORKSIZE moves a node's largest job, which must fit elsewhere (our reading). So it migrates "
    "the least often, 1.6 times a job of trace 1, the others 1.8 to 2.8 times (see what migrates, "
    "below), and its jobs page and queue for longer."
)
_FEW = (
    "On traces 2 and 3 there are only 0.5 to 0.7 migrations a job, on trace 1 1.6 to 2.8 (see what "
    "migrates, below), so who is chosen matters little there. On trace 1 the interval reaches "
    "beyond the range."
)
_SILENT = (
    "The traces are lost, and this hangs on both that were made instead: by the other mix, and if "
    "jobs arrive at uniform times, it is not 3 on trace 3 (see these, below)."
)
_BYTES = (
    "A migration takes a job's bytes over the link, whoever chose the job: over ten times the "
    "bandwidth it takes 0.12 to 0.13 of the time under all four policies."
)

_blocking = partial(Finding, "Without load sharing", "6.1")
_four = partial(Finding, "Four policies", "6.1")
_overheads = partial(Finding, "Overheads of trace 1", "6.1")
_threshold = partial(Finding, "Memory threshold", "6.2")
_network = partial(Finding, "Network", "6.3")

FINDINGS = (
    _blocking(
        "NO_LS completes 363 of 503, 390 of 420 and 341 of 359 jobs (here: within 5 % of the jobs; "
        "the mix of programs was fitted to this, on other seeds).",
        tuple(
            ranges(
                case,
                "jobs completed, {}",
                ["NO_LS"],
                COMPLETED[number] - 0.05 * trace.jobs,
                COMPLETED[number] + 0.05 * trace.jobs,
                completions,
            )
            for case, (number, trace) in zip(ALL_TRACES, TRACES.items(), strict=True)
        ),
    ),
    _blocking(
        "The slowdowns of NO_LS_BLOCKING are 37.88, 25.58 and 22.25 (here: within 25 %).",
        tuple(
            ranges(case, "mean slowdown, {}", [BLOCKING], *near(stated, 25), shows())
            for case, stated in zip(ALL_TRACES, (37.88, 25.58, 22.25), strict=True)
        ),
        why=_MIX,
    ),
    _four(
        "The four policies are 3 to 10 times better than blocking on all traces.",
        ratios(ALL_TRACES, BLOCKING, 3, 10, list(FOUR)),
        why=_SILENT,
    ),
    _four(
        "COMBINED has the lowest slowdown on all traces (here: none is more than 5 % below it).",
        tuple(
            ratios(case, policy, LEAST, inf, ["COMBINED"])
            for case in ALL_TRACES
            for policy in _but("COMBINED")
        ),
    ),
    _four(
        "PF_RATE is about 100, 30 and 10 % above COMBINED (here: within 15 %).",
        tuple(
            ratios(case, "PF_RATE", *near(stated, _PCT), ["COMBINED"])
            for case, stated in zip(ALL_TRACES, (2.0, 1.3, 1.1), strict=True)
        ),
        why=_RATES,
    ),
    _four(
        "PF_RATE is the worst of the four on trace 1 (here: none is more than 5 % above it).",
        ratios(TRACE_1, "PF_RATE", LEAST, inf, _but("PF_RATE")),
        why=_LARGEST,
    ),
    _four(
        "WORKSIZE is about 30 % above COMBINED on traces 1 and 2 (here: within 15 %).",
        ratios(ALL_TRACES[:2], "WORKSIZE", *near(1.3, _PCT), ["COMBINED"]),
        why=_FEW,
    ),
    _four(
        "On trace 3 WORKSIZE is more than 60 % above the other three.",
        ratios(ALL_TRACES[2], "WORKSIZE", 1.6, inf, _but("WORKSIZE")),
        why=_CHEAP,
    ),
    _four(
        "AGE is 10 to 30 % above COMBINED on all traces (here: 5 to 35 %).",
        ratios(ALL_TRACES, "AGE", 1.05, 1.35, ["COMBINED"]),
        why=_FEW,
    ),
    _overheads(
        "Blocking pages the most, and of the four PF_RATE does (here and below: within 5 %).",
        (
            ratios(TRACE_1, BLOCKING, LEAST, inf, list(FOUR), PAGING),
            ratios(TRACE_1, "PF_RATE", LEAST, inf, _but("PF_RATE"), PAGING),
        ),
        why=_LARGEST,
    ),
    _overheads(
        "WORKSIZE and COMBINED page the least.",
        (
            ratios(TRACE_1, "WORKSIZE", 0, MOST, ["PF_RATE", "AGE"], PAGING),
            ratios(TRACE_1, "COMBINED", 0, MOST, ["PF_RATE", "AGE"], PAGING),
        ),
        why=_LARGEST,
    ),
    _overheads(
        "WORKSIZE queues the least and migrates for the longest.",
        (
            ratios(TRACE_1, "WORKSIZE", 0, MOST, _but("WORKSIZE"), QUEUEING),
            ratios(TRACE_1, "WORKSIZE", LEAST, inf, _but("WORKSIZE"), MIGRATION),
        ),
        why=_LARGEST,
    ),
    _overheads(
        "AGE and PF_RATE migrate for less time than the other two.",
        (
            ratios(TRACE_1, "AGE", 0, MOST, ["WORKSIZE", "COMBINED"], MIGRATION),
            ratios(TRACE_1, "PF_RATE", 0, MOST, ["WORKSIZE", "COMBINED"], MIGRATION),
        ),
        why=_LARGEST,
    ),
    _threshold(
        "COMBINED is best with a threshold around 0 %: unchanged from -5 to 5 (here: within 20 %), "
        "not better at -15 and 15 (here: not more than 5 %).",
        (
            _changes(ZERO, _SLOWDOWN, ["COMBINED"], LEAST, inf, mt=(-15, 15)),
            _changes(ZERO, _SLOWDOWN, ["COMBINED"], *_SAME, mt=(-5, 5)),
        ),
        why=_above,
    ),
    _threshold(
        "AGE is best at -5 %, WORKSIZE at 5 % (here: nowhere better by more than 5 %).",
        tuple(
            _changes(TRACE_1.but(mt=best), _SLOWDOWN, [policy], LEAST, inf, mt=others)
            for policy, best, others in (
                ("AGE", -5, (-15, 0, 5, 15)),
                ("WORKSIZE", 5, (-15, -5, 0, 15)),
            )
        ),
        why=_above,
    ),
    _threshold(
        "All but PF_RATE page more with a higher threshold; PF_RATE does not (here: from -15 to "
        "15 %, within 20 %).",
        (
            _changes(LOWEST, PAGING, _but("PF_RATE"), 1, inf, mt=15),
            _changes(LOWEST, PAGING, ["PF_RATE"], *_SAME, mt=15),
        ),
        why=_above,
    ),
    _threshold(
        "Migration times of WORKSIZE and COMBINED fall as the threshold rises, those of AGE and "
        "PF_RATE hardly change (here: from -15 to 15 %, within 20 %).",
        (
            _changes(LOWEST, MIGRATION, ["WORKSIZE", "COMBINED"], 0, 1, mt=15),
            _changes(LOWEST, MIGRATION, ["AGE", "PF_RATE"], *_SAME, mt=15),
        ),
        why=_rarely,
    ),
    _threshold(
        "Queueing times hardly depend on the threshold (here: from -15 to 15 %, within 20 %).",
        _changes(LOWEST, QUEUEING, list(FOUR), *_SAME, mt=15),
        why=_above,
    ),
    _network(
        "100 Mbps reduces the slowdown of WORKSIZE on all traces.",
        _changes(ALL_TRACES, _SLOWDOWN, ["WORKSIZE"], 0, 1, bandwidth_mbps=FAST),
        why=_moving,
    ),
    _network(
        "It reduces that of WORKSIZE the most (here: of trace 1).",
        (
            _changes(TRACE_1, _SLOWDOWN, ["WORKSIZE"], 0, 1, bandwidth_mbps=FAST),
            _gains_most("WORKSIZE", _but("WORKSIZE"), TRACE_1.but(bandwidth_mbps=FAST), TRACE_1),
        ),
    ),
    _network(
        "It changes blocking not at all, AGE and PF_RATE little (here: within 20 %).",
        tuple(
            _changes(case, _SLOWDOWN, policies, *limits, bandwidth_mbps=FAST)
            for case in ALL_TRACES
            for policies, limits in (([BLOCKING], near(1, 0.1)), (["AGE", "PF_RATE"], _SAME))
        ),
    ),
    _network(
        "It reduces migration times of WORKSIZE strongly (here: to less than half on trace 1), of "
        "COMBINED less so (here: to 50 to 80 %), of AGE and PF_RATE slightly (here: by up to 20 "
        "%).",
        (
            _changes(TRACE_1, MIGRATION, ["WORKSIZE"], 0, 0.5, bandwidth_mbps=FAST),
            _changes(TRACE_1, MIGRATION, ["COMBINED"], 0.5, 0.8, bandwidth_mbps=FAST),
            _changes(TRACE_1, MIGRATION, ["AGE", "PF_RATE"], _SAME[0], MOST, bandwidth_mbps=FAST),
        ),
        why=_BYTES,
    ),
)
