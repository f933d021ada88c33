"""The study: what it draws and tabulates, how it was done, and how to read it."""

from collections.abc import Iterator
from statistics import median

from model.ground.units import BYTES_PER_MB
from model.papers.cases import Case
from model.papers.figures import PaperFigure, Style, logarithmic
from model.papers.knowing_memory.cases import (
    EXACT,
    KNOWLEDGE,
    NOTHING,
    REQUESTED,
    WINDOWS,
    knowing,
    unknown,
)
from model.papers.knowing_memory.findings import FINDINGS
from model.papers.measurements import Measurements, shows
from model.papers.paper import Paper
from model.papers.tables import Column, columns, number, section, table
from model.papers.windows import multiples, panel_of, side
from model.pnr.scenario import make_scenario
from model.pnr.workload import load_workload
from model.sweeps.statistics import Estimate

#: How designs are drawn.
STYLES = {"DP": Style("#000000"), "MAN": Style("#CC79A7")}

_PANELS = tuple(
    panel_of(
        [knowing(known, case) for case in WINDOWS],
        f"The scheduler knows {words}",
        "{first:,}",
        "First record of the window",
    )
    for known, words in (
        (NOTHING, "nothing"),
        (EXACT, "memory exactly"),
        (REQUESTED, "what users asked for"),
    )
)


def _in_multiples(measured: Measurements, case: Case, design: str) -> Estimate | None:
    return measured.ratio((case, design), (unknown(case), "DP"))


FIGURES = (
    PaperFigure(
        "1",
        "Mean response times in multiples of those with DP and a scheduler that knows nothing "
        "(log scale)",
        _PANELS,
        STYLES,
        "Times that of DP, nothing known",
        _in_multiples,
        "bars",
        level=1,
        scale=logarithmic,
    ),
    PaperFigure(
        "2",
        "How long jobs wait for their start on average",
        _PANELS,
        STYLES,
        "Mean wait (s)",
        shows("mean_wait_s"),
        "bars",
    ),
)


def requests_of(window: Case) -> dict[str, float]:
    """What the jobs of a window asked for, in percent of all jobs, and its median.

    The median is in multiples of what a process uses, of the jobs that asked for anything.
    """
    scenario = make_scenario(**window.parameters)
    jobs = load_workload(scenario)
    ram = scenario.ram_mb * scenario.ram / 100 * BYTES_PER_MB
    asked = [job for job in jobs if job.requested is not None]
    counts = {
        "asked for nothing": len(jobs) - len(asked),
        "for less than they use": sum(job.requested < job.memory for job in asked),
        "for more than a node has": sum(job.requested > ram for job in asked),
        "use more than a node has": sum(job.memory > ram for job in jobs),
    }
    shares = {words: 100 * count / len(jobs) for words, count in counts.items()}
    return {**shares, "median": median(job.requested / job.memory for job in asked)}


def _requests(_: Measurements) -> Iterator[str]:
    rows = []
    for window in WINDOWS:
        shares = requests_of(window)
        *percents, middle = shares.values()
        first = window.parameters["first"]
        rows.append((f"{first:,}", *(f"{one:.0f}" for one in percents), f"{middle:.2f}"))
    yield from table(("first record", *shares), rows)


def _each(of: Column) -> Column:
    """A mean in each window."""
    return lambda measured, windows, own, _: ", ".join(
        of(measured, *own(window)) for window in windows
    )


TABLES = (
    section(
        "Knowing and borrowing",
        "Geometric means over the windows of mean response times, in multiples of those with DP "
        "and a scheduler that knows nothing; of each window, the mean wait for the start (s) and "
        "the pages from disk (thousands).",
        columns(
            ("known", ""),
            {
                (known, design): (WINDOWS, side(design, **varied), side("DP"))
                for known, varied in KNOWLEDGE.items()
                for design in STYLES
            },
            {
                "by seeds": multiples(over="by seeds"),
                "by windows": multiples(),
                "waits, s": _each(number("{:,.0f}", "mean_wait_s")),
                "pages from disk, thousands": _each(number("{:,.0f}", "faults_disk", 1000)),
            },
        ),
    ),
    section(
        "What users asked for",
        "Jobs of each window, in percent; and the median of what was asked for, in multiples of "
        "what is used.",
        _requests,
    ),
)


PAPER = Paper(
    "knowing-memory",
    "Knowing memory, or borrowing it",
    "mean_response_s",
    FIGURES,
    FINDINGS,
    "The scheduler knows *nothing* (`gang`), or places jobs by their memory (`gang-memory`): "
    "*exact*, *requested* (what users asked for, or the exact amount where they did not say), or "
    "*user*, the mean of a user's earlier jobs. The bundled log does not know its users, so *user* "
    "is here what they asked for, and all of a node's RAM where they did not say. The jobs are "
    "those of five windows of 120 at 85 % of the RAM: those disjoint windows in which paging "
    "makes jobs a tenth longer with DP, and runs are short. They were chosen with seed 1, by DP "
    "and plain gang scheduling alone. So those are left out in which paging costs most (up to 3.6 "
    "times the response time): there, knowing memory may gain more. "
    'Links carry a message in each direction at a time (`duplex = "full"`), as switched networks '
    "do; the thesis's carry one in all.",
    "*Faster* means by more than 1 %. Seeds tell how sure a number is for exactly these jobs; *by "
    "windows* tells it for jobs like them, from five windows. "
    "The hypotheses were written before the runs, when single runs of "
    "other windows were known.",
    TABLES,
    ours=True,
)
