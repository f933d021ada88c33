"""The study in numbers: what each pair gains, and how wrong what users asked for is."""

from collections.abc import Iterator
from statistics import median

from model.ground.units import BYTES_PER_MB
from model.papers.cases import Case
from model.papers.knowing_memory.cases import KNOWLEDGE, WINDOWS
from model.papers.knowing_memory.figures import STYLES
from model.papers.measurements import Measurements
from model.papers.tables import Column, columns, number, section, table
from model.papers.windows import multiples, side
from model.pnr.scenario import make_scenario
from model.pnr.workload import load_workload


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
