"""Writes a load sharing paper's figures, and its findings beside what was measured."""

from pathlib import Path

from model.experiments.findings import details, summary
from model.experiments.paper import counted, write_figures, write_findings
from model.output import prepare_folder
from model.sharing.experiments import Experiments, Measurements, experiments_of, measurements_of
from model.sharing.paper_figures import draw


def report_sharing(system: str, folder: Path, out: Path, version: str | None = None) -> None:
    """Write the figures, as figure-N.png and .svg, and findings.md; raises InputError."""
    experiments = experiments_of(system)
    measured = measurements_of(system, folder, version)
    prepare_folder(out)
    write_findings(findings_page(experiments, measured), out)
    write_figures(((one.number, draw(one, measured)) for one in experiments.figures), out)


def findings_page(experiments: Experiments, measured: Measurements) -> str:
    """Every finding with its verdict, the numbers that decide it, and why it differs."""
    judged = [finding.judge(measured) for finding in experiments.findings]
    seeds = ", ".join(str(seed) for seed in sorted(set(measured.runs.seed)))
    head = [
        f"# {experiments.paper}: what it found, and what was measured here",
        "",
        f"{len(judged)} findings: {counted(judged)}.",
        "",
        f"From {len(measured.runs):,} runs, seeds {seeds}; written by `run.py figures "
        f"{experiments.system}`. {experiments.assumed}",
        "",
        "Each number stands with its 95 % interval over seeds, and *yes* if that is inside the "
        "range, *no* if outside, else *open*; a single seed has none and stands for itself. A "
        "finding is reproduced if all of its numbers say yes, partly if some do and some do not.",
        "",
    ]
    tables = experiments.tables(measured)
    return "\n".join([*head, *summary(judged), *details(judged), tables]) + "\n"
