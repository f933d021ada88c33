"""Writes the thesis's figures, and its findings beside what was measured, as a Markdown page."""

from collections.abc import Iterator
from pathlib import Path

from rich.progress import track

from model.papers.findings import Judged, details, summary, table
from model.papers.paper import counted, write_condensed, write_paper
from model.papers.thesis.cases import (
    CONDENSED,
    LOADS,
    Measurements,
    load,
    load_measurements,
    windows,
)
from model.papers.thesis.figures import draw, thesis_figures
from model.papers.thesis.findings import CASES, FINDINGS, PNR, TELLING_PCT


def report_thesis(folder: Path | None, out: Path, version: str | None = None) -> None:
    """Write the figures, as figure-4-NN.png and .svg, and findings.md.

    Of a sweep's folder of results, or (None) of those that come with the code. Raises InputError.
    """
    measurements = load_measurements(folder, version)
    figures = track(thesis_figures(), "Drawing", transient=True)
    pictures = ((f"4-{one.number:02}", draw(one, measurements)) for one in figures)
    write_paper(findings_page(measurements), pictures, out)


def condense_thesis(folder: Path | None, out: Path, version: str | None = None) -> None:
    """Keep the results in brief, and the findings that follow from them; raises InputError."""
    measurements = load_measurements(folder, version)
    write_condensed(measurements.runs, findings_page(measurements), out / CONDENSED.name)


def findings_page(measurements: Measurements) -> str:
    """Every finding with its verdict, the numbers that decide it, and why it differs."""
    judged = [finding.judge(measurements) for finding in FINDINGS]
    lines = [
        *_head(measurements, judged),
        *summary(judged),
        *details(judged),
        *_on_other_jobs(measurements),
    ]
    return "\n".join(lines) + "\n"


def _head(measurements: Measurements, judged: list[Judged]) -> Iterator[str]:
    versions = ", ".join(sorted({*measurements.runs.version}))
    seeds = measurements.runs.seed.nunique()
    loads = {
        name: f"{load(name)['jobs']:,} jobs at load factor {load(name).get('load_factor', 1):g}"
        for name in LOADS
    }
    yield "# What the thesis found, and what was measured here"
    yield ""
    yield f"{len(judged)} findings of chapters 4 and 5: {counted(judged)}."
    yield ""
    yield (
        f"From {len(measurements.runs):,} runs of {seeds} seed{'s' * (seeds > 1)} "
        f"(model version {versions}); written by `run.py figures thesis`. "
        f"Light is {loads['light']}, heavy {loads['heavy']}. The thesis does not say which jobs of "
        "the log it took: its loads are regimes to match, not backlogged and backlogged. It ran "
        "each experiment once."
    )
    yield ""
    yield (
        "A claim says in which range a number should be: the thesis's own, or one around its "
        "number. Each number stands with its 95 % interval over seeds, and *yes* if that is inside "
        "the range, *no* if outside, else *open*. In brackets stands the interval of a single run: "
        "relative to the number, that of the case in which seeds of these designs differ the most, "
        "of those with as many nodes. A finding is reproduced if all of its numbers say yes, not "
        "reproduced if some say no and none yes, and partly if some say one and some the other. "
        f"Designs whose response times differ by less than {TELLING_PCT:g} % are alike: less shows "
        "in none of the thesis's figures. Each interval is of one number; of twenty, one is off by "
        "chance."
    )
    yield ""
    yield (
        "Seeds tell how sure a number is for just these jobs. How much it depends on the jobs "
        "tells the last table: optimization ratios of the base case are from 0 to 90 %, and the "
        "designs as alike as here."
    )
    yield ""


def _on_other_jobs(measurements: Measurements) -> Iterator[str]:
    """A table of the base case on disjoint windows of the trace."""
    yield "## The base case on other jobs"
    yield ""
    yield "Optimization ratios, %, by the first record of six disjoint windows of 1,000 jobs."
    yield ""
    rows = []
    for case in CASES:
        windowed = [case.but(first=first, jobs=jobs) for first, jobs in windows()]
        for design in PNR[case.nodes]:
            found = [measurements.reduction_pct(window, design) for window in windowed]
            told = ("" if ratio is None else f"{ratio.mean:.1f}" for ratio in found)
            rows.append((f"{case.nodes} nodes, {case.load}: {design}", *told))
    yield from table(("", *(f"{first:,}" for first, _ in windows())), rows)
