"""Writes a load sharing paper's figures, and its findings beside what was measured."""

from pathlib import Path

from model.papers.experiments import (
    Experiments,
    Measurements,
    condensed_file,
    experiments_of,
    measurements_of,
)
from model.papers.figures import draw
from model.papers.findings import details, summary
from model.papers.paper import counted, write_condensed, write_paper


def report_sharing(system: str, folder: Path | None, out: Path, version: str | None = None) -> None:
    """Write the figures, as figure-N.png and .svg, and findings.md.

    Of a sweep's folder of results, or (None) of those that come with the code. Raises InputError.
    """
    experiments = experiments_of(system)
    measured = measurements_of(system, folder, version)
    pictures = ((one.number, draw(one, measured)) for one in experiments.figures)
    write_paper(findings_page(experiments, measured), pictures, out)


def condense_sharing(
    system: str, folder: Path | None, out: Path, version: str | None = None
) -> None:
    """Keep the results in brief, and the findings that follow from them; raises InputError."""
    experiments = experiments_of(system)
    measured = measurements_of(system, folder, version)
    page = findings_page(experiments, measured)
    write_condensed(measured.runs, page, condensed_file(system, out))


def findings_page(experiments: Experiments, measured: Measurements) -> str:
    """Every finding with its verdict, the numbers that decide it, and why it differs."""
    judged = [finding.judge(measured) for finding in experiments.findings]
    seeds = ", ".join(str(seed) for seed in sorted(set(measured.runs.seed)))
    versions = ", ".join(sorted(set(measured.runs.version)))
    head = [
        f"# {experiments.paper}: what it found, and what was measured here",
        "",
        f"{len(judged)} findings: {counted(judged)}.",
        "",
        f"From {len(measured.runs):,} runs, seeds {seeds} (model version {versions}); "
        f"written by `run.py figures {experiments.system}`. {experiments.assumed}",
        "",
        "Each number stands with its 95 % interval over seeds, and *yes* if that is inside the "
        "range, *no* if outside, else *open*; a single seed has none and stands for itself. A "
        "finding is reproduced if all of its numbers say yes, partly if some do and some do not.",
        "",
    ]
    tables = experiments.tables(measured)
    return "\n".join([*head, *summary(judged), *details(judged), tables]) + "\n"
