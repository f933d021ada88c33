"""Writes the thesis's figures, and its findings beside what was measured, as a Markdown page."""

from collections.abc import Iterator
from pathlib import Path

from rich.progress import track

from model.experiments.findings import Judged, details, summary
from model.experiments.paper import counted, write_condensed, write_paper
from model.experiments.thesis import (
    CONDENSED,
    LOADS,
    Measurements,
    load,
    load_measurements,
)
from model.experiments.thesis_figures import draw, thesis_figures
from model.experiments.thesis_findings import FINDINGS


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
    return "\n".join([*_head(measurements, judged), *summary(judged), *details(judged)]) + "\n"


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
        "the range, *no* if outside, else *open*. In brackets stands the interval of a single run, "
        "as the seeds of the base case tell it for these designs and as many nodes: that of heavy "
        "load, where seeds differ more, if a run is backlogged (more than half of its response "
        "time is waiting). A finding is reproduced if all of its numbers say yes, partly if some "
        "do and some do not."
    )
    yield ""
