"""The study in numbers: what each pair gains, and how wrong what users asked for is."""

from collections.abc import Iterator
from statistics import median

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


def requests_of(first: int, jobs: int) -> dict[str, float]:
    """What the jobs of a window asked for, in multiples of what their processes use.

    The shares are in percent of all jobs; the median is of those who asked for anything.
    """
    workload = load_workload(make_scenario(first=first, jobs=jobs))
    asked = [job.requested / job.memory for job in workload if job.requested is not None]
    return {
        "asked for nothing": 100 * (1 - len(asked) / len(workload)),
        "asked for less than they use": 100 * sum(one < 1 for one in asked) / len(workload),
        "asked for more than twice that": 100 * sum(one > 2 for one in asked) / len(workload),
        "median": median(asked),
    }


def _requests() -> Iterator[str]:
    yield "## What users asked for"
    yield ""
    yield (
        "Jobs of each window, in percent, by what was asked for a process; and the median of what "
        "was asked for, in multiples of what is used."
    )
    yield ""
    rows = []
    for case in WINDOWS:
        first, jobs = case.parameters["first"], case.parameters["jobs"]
        shares = requests_of(first, jobs)
        *percents, middle = shares.values()
        rows.append((f"{first:,}", *(f"{one:.0f}" for one in percents), f"{middle:.2f}"))
    yield from table(("first record", *shares), rows)
