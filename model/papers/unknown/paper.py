"""Unknown memory demands: what the paper leaves open, and what was assumed."""

from collections.abc import Iterable, Iterator

from model.papers.cases import Case, declared
from model.papers.measurements import Measurements
from model.papers.page import table
from model.papers.paper import Paper
from model.papers.unknown.figures import ALL_TRACES, FIGURES, FOUR, STYLES
from model.papers.unknown.findings import FINDINGS
from model.papers.unknown.own_numbers import own_numbers
from model.sharing.unknown.scenario import FITTED

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


def tables(measured: Measurements) -> str:
    """What depends on readings and on what the paper does not state, in Markdown."""
    return "\n".join([*_of_readings(measured), *_of_silence(measured), own_numbers()])


def _of_readings(measured: Measurements) -> Iterator[str]:
    """Slowdowns where the text is read the other way."""
    yield "## How much depends on how the paper is read"
    yield ""
    yield (
        "Each reading is a parameter (`run.py share --system unknown --help`). The table has the "
        "first row as on the rest of this page, and then one reading the other way at a time, on "
        "the same seeds: mean slowdowns, and in brackets multiples of COMBINED's."
    )
    yield ""
    traces = _RUNS["readings"]["trace"]
    cases = [("as on this page", Case())]
    cases += [(_READINGS[name], Case(**_SWEEP["choice"]["reading"][name])) for name in _READINGS]
    told = [(words, case.but(trace=trace)) for words, case in cases for trace in traces]
    yield from _slowdowns(measured, "Reading", told, STYLES)


def _of_silence(measured: Measurements) -> Iterator[str]:
    """Slowdowns over what the paper does not state: the mix of programs, and CT."""
    yield "## How much depends on the mix of programs and on CT"
    yield ""
    yield (
        "The paper states neither. Its three counts of jobs that NO_LS completes do not identify "
        "the shares of bit-r, m-sort, m-m, t-sim, metis, r-sphere and r-wing. Mean slowdowns, and "
        "in brackets multiples of COMBINED's, under the mix that fits best and one closer to equal "
        "shares, which completes 3 to 5 % more jobs of trace 1 than stated and fits traces 2 and 3:"
    )
    yield ""
    mixes = (FITTED, *_RUNS["mix"]["mix"])
    told = [
        (", ".join(f"{share:g}" for share in mix), case.but(mix=mix))
        for mix in mixes
        for case in ALL_TRACES
    ]
    yield from _slowdowns(measured, "Mix", told, STYLES)
    yield "The same over CT, on trace 1 (blocking has none):"
    yield ""
    limits = sorted({8, *_RUNS["ct"]["ct"]})
    cases = [(str(ct), ALL_TRACES[0] if ct == 8 else ALL_TRACES[0].but(ct=ct)) for ct in limits]
    yield from _slowdowns(measured, "CT", cases, FOUR)


def _slowdowns(
    measured: Measurements,
    heading: str,
    told: Iterable[tuple[str, Case]],
    policies: Iterable[str],
) -> Iterator[str]:
    """The lines of a table with a row for each case, told in words and by its trace."""
    names = list(policies)
    rows = [
        [words, case.parameters["trace"], *(_cell(measured, case, policy) for policy in names)]
        for words, case in told
    ]
    return table([heading, "Trace", *names], rows)


def _cell(measured: Measurements, case: Case, policy: str) -> str:
    own = measured.of(case, policy)
    if own is None:
        return "not run"
    times = measured.ratio((case, policy), (case, "COMBINED"))
    error = f" ± {own.half_width:.2f}" if own.n > 1 else ""
    return f"{own.mean:.2f}{error}" + (f" ({times.mean:.2f})" if times else "")


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
    "r-sphere like r-wing, metis like t-sim). The paper does not state the following either: CT "
    "(here 8), how often loads are reported and the loop turns (1 s), what the buffer cache holds "
    "(counted as in use), the cost estimate of AGE (its age times the difference in jobs exceeds "
    "the migration's time), and what bounds equation 4. A job held back at its home counts as "
    "queueing.",
    tables=tables,
)
