"""The study in numbers: what each pair gains, and how wrong what users asked for is."""

from collections.abc import Iterator
from statistics import median

from model.ground.units import BYTES_PER_MB
from model.papers.cases import Case
from model.papers.knowing_memory.cases import KNOWLEDGE, NOTHING, WINDOWS, knowing
from model.papers.knowing_memory.figures import STYLES
from model.papers.measurements import Measurements
from model.papers.page import interval, table
from model.papers.windows import over_windows, side
from model.pnr.scenario import make_scenario
from model.pnr.workload import load_workload


def tables(measured: Measurements) -> str:
    """All tables, in Markdown."""
    return "\n".join([*_pairs(measured), *_requests()])


def _pairs(measured: Measurements) -> Iterator[str]:
    yield "## Knowing and borrowing"
    yield ""
    yield (
        "Geometric means over the windows of mean response times, in multiples of those with DP "
        "and a scheduler that knows nothing; of each window, the mean wait for the start (s) and "
        "the pages from disk (thousands)."
    )
    yield ""
    than = side("DP", **KNOWLEDGE[NOTHING])
    rows = []
    for known, varied in KNOWLEDGE.items():
        for design in STYLES:
            found = over_windows(measured, WINDOWS, side(design, **varied), than)
            cases = [knowing(known, case) for case in WINDOWS]
            waits = [measured.of(case, design, "mean_wait_s") for case in cases]
            pages = [measured.of(case, design, "faults_disk") for case in cases]
            rows.append(
                (
                    known,
                    design,
                    interval(found["by seeds"]),
                    interval(found["by windows"]),
                    ", ".join("not run" if one is None else f"{one.mean:,.0f}" for one in waits),
                    ", ".join(
                        "not run" if one is None else f"{one.mean / 1000:,.0f}" for one in pages
                    ),
                )
            )
    heads = ("known", "", "by seeds", "by windows", "waits, s", "pages from disk, thousands")
    yield from table(heads, rows)


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
    shares = {told: 100 * count / len(jobs) for told, count in counts.items()}
    return {**shares, "median": median(job.requested / job.memory for job in asked)}


def _requests() -> Iterator[str]:
    yield "## What users asked for"
    yield ""
    yield (
        "Jobs of each window, in percent; and the median of what was asked for, in multiples of "
        "what is used."
    )
    yield ""
    rows = []
    for window in WINDOWS:
        shares = requests_of(window)
        *percents, middle = shares.values()
        first = window.parameters["first"]
        rows.append((f"{first:,}", *(f"{one:.0f}" for one in percents), f"{middle:.2f}"))
    yield from table(("first record", *shares), rows)
