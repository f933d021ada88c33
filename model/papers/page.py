"""Makes the page of a paper's findings, and writes pages, figures and condensed results."""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from model.core.output import prepare_folder, put_in_place
from model.papers.figures import PaperFigure, draw
from model.papers.findings import MANY_SEEDS, OPEN, VERDICTS, Judged, Part
from model.papers.measurements import GeometricMean, Measurements
from model.papers.paper import RESULTS_FILE, Paper
from model.sweeps.carrying import history
from model.sweeps.statistics import Estimate

FINDINGS_FILE = "findings.md"
_LOPSIDED = 1.1  # the upper half of an interval in multiples of the lower one, to show both ends
_MARKS = {True: "yes", False: "no"}
_CLAIM = "A claim says in which range a number should be"
_READING = (
    "Each number has its 95 % interval over seeds, and *yes* if that is inside the range, "
    "*no* if it is outside, *open* otherwise, with the number of seeds that would tell if mean and "
    "deviation stayed as they are. A {finding} is reproduced if all of its numbers say "
    "yes, not reproduced if some say no and none says yes, and partly reproduced if some say yes "
    "and some no. Each interval is that of a single number: of twenty, one is wrong by chance."
)


def write_paper(
    paper: Paper,
    measured: Measurements,
    out: Path,
    shown: Callable[[Iterable[PaperFigure], str], Iterable[PaperFigure]] = lambda figures, _: (
        figures
    ),
) -> None:
    """Write findings.md, figure-NUMBER.png and .svg, and print where; raises InputError.

    `shown` shows a person which of the figures is drawn.
    """
    prepare_folder(out)
    _write_findings(paper, measured, out)
    for figure in shown(paper.figures, "drawing"):
        picture = draw(figure, measured)
        for kind in ("png", "svg"):
            with put_in_place(out / f"figure-{figure.number}.{kind}") as unfinished:
                picture.savefig(unfinished, dpi=200)
    print(f"{len(paper.figures)} figures and {FINDINGS_FILE} are in {out}")


def keep_results(paper: Paper, measured: Measurements, folder: Path) -> None:
    """Write condensed results, and the findings that follow from them; raises InputError."""
    prepare_folder(folder)
    with put_in_place(folder / RESULTS_FILE) as unfinished:
        measured.runs.to_parquet(unfinished, index=False, compression="zstd")
        _write_findings(paper, measured, folder)  # first: a page can be written again
    print(f"{len(measured.runs):,} runs and {FINDINGS_FILE} are in {folder}")


def _write_findings(paper: Paper, measured: Measurements, folder: Path) -> None:
    if warning := of_another_version(paper, measured):
        print(f"warning: {warning}", file=sys.stderr)
    with put_in_place(folder / FINDINGS_FILE) as unfinished:
        unfinished.write_text(findings_page(paper, measured), encoding="utf-8")


def of_another_version(paper: Paper, measured: Measurements) -> str:
    """One line if some results are not of today's version of the model; else nothing."""
    others = sorted({*measured.runs.version} - {paper.version})
    if not others:
        return ""
    return (
        f"These results are of version {', '.join(others)} of the model, whose code has changed "
        f"since; `run.py carry {paper.name}` carries them over if a sample comes out the same, "
        f"`run.py sweep {paper.name}` runs all of them again."
    )


def findings_page(paper: Paper, measured: Measurements) -> str:
    """The page with every finding, its verdict, the numbers that decide it, and why it differs."""
    judged = [finding.judge(measured) for finding in paper.findings]
    counts = Counter(one.verdict for one in judged)
    counted = ", ".join(f"{counts[verdict]} {paper.told(verdict)}" for verdict in VERDICTS)
    range_of = "." if paper.ours else ": the paper's own range, or one around its number."
    finding = "hypothesis" if paper.ours else "finding"
    findings = "hypotheses" if paper.ours else "findings"
    found = "what was expected" if paper.ours else "what it found"
    seeds = ", ".join(str(seed) for seed in sorted({*measured.runs.seed}))
    versions = ", ".join(sorted({*measured.runs.version}))
    warning = of_another_version(paper, measured)
    carried = history(measured.runs.attrs.get("carried", []))
    head = [
        f"# {paper.title}: {found}, and what was measured here",
        "",
        f"{len(judged)} {findings}: {counted}.",
        "",
        *([f"**{warning}**", ""] if warning else []),
        *([f"{carried}.", ""] if carried else []),
        f"From {len(measured.runs):,} runs, seeds {seeds} (model version {versions}); written by "
        f"`run.py figures {paper.name}`. {paper.assumed}",
        "",
        f"{_CLAIM}{range_of} {paper.told(_READING.format(finding=finding))} "
        f"{paper.reading}".rstrip(),
        "",
    ]
    lines = [*head, *_summary(paper, judged), *_details(paper, judged), paper.tables(measured)]
    return "\n".join(lines) + "\n"


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """The lines of a table in Markdown, followed by an empty line."""
    yield _row(headings)
    yield "|---" * len(headings) + "|"
    for row in rows:
        yield _row(row)
    yield ""


def interval(value: Estimate | None) -> str:
    """A value for a table, with its interval if it has one."""
    if value is None:
        return "not run"
    if value.n == 1:
        return f"{value.mean:.2f}"
    return f"{value.mean:.2f} ({value.low:.2f} to {value.high:.2f})"


def _row(cells: Sequence[str]) -> str:
    return "".join(f"| {cell} " if cell else "| " for cell in cells) + "|"


def _summary(paper: Paper, judged: list[Judged]) -> Iterator[str]:
    """A table with one row per finding."""
    rows = [
        (str(number), f"{one.finding.topic}. {one.finding.statement}", _verdict(paper, one))
        for number, one in enumerate(judged, start=1)
    ]
    yield from table(("", "Hypothesis" if paper.ours else "Finding", "Verdict"), rows)


def _details(paper: Paper, judged: list[Judged]) -> Iterator[str]:
    """The numbers that decide each finding."""
    numbered = enumerate(judged, start=1)
    for topic, group in groupby(numbered, key=lambda item: item[1].finding.topic):
        yield f"## {topic}"
        yield ""
        for number, one in group:
            finding = one.finding
            where = finding.section if paper.ours else f"§ {finding.section}"
            yield f"**{number}. {finding.statement}** ({where}) {_verdict(paper, one)}."
            yield ""
            for claim in one.claims:
                told = ", ".join(
                    f"{part.name} {_number(part.value)} {_mark(part)}"
                    for part in claim.parts
                    if part.value is not None
                )
                lost = [part.name for part in claim.parts if part.value is None]
                missing = f"no runs of {', '.join(lost)}" if lost else ""
                yield f"- {claim.says}: {'; '.join(part for part in (told, missing) if part)}"
            if finding.why:
                yield f"- *Why:* {finding.why}"
            yield ""


def _verdict(paper: Paper, one: Judged) -> str:
    if one.verdict != OPEN:
        return paper.told(one.verdict)
    if one.missing or one.single:
        return f"{OPEN}: {'runs are missing' if one.missing else 'single runs'}"
    return f"{OPEN}: too close" + (f", {_seeds(one.needed)} would tell" if one.needed else "")


def _mark(part: Part) -> str:
    """Whether a part holds; if that is open, how many seeds would tell."""
    if part.holds is not None:
        return _MARKS[part.holds]
    return f"open ({_seeds(part.needed)})" if part.needed else "open"


def _seeds(needed: int) -> str:
    """How many seeds are needed, in words; for hundreds, two digits are all that is known."""
    if needed >= MANY_SEEDS:
        return f"{MANY_SEEDS:,} seeds or more"
    return f"{needed if needed < 100 else int(float(f'{needed:.1e}')):,} seeds"


def _number(value: Estimate) -> str:
    """A number with its interval: ± half of it, or from where to where if the halves differ."""
    digits = 0 if abs(value.mean) >= 1000 else 2
    if isinstance(value, GeometricMean) and value.high - value.mean > _LOPSIDED * (
        value.mean - value.low
    ):
        return f"{value.mean:,.{digits}f} ({value.low:,.{digits}f} to {value.high:,.{digits}f})"
    text, half = f"{value.mean:,.{digits}f}", f"± {value.half_width:,.{digits}f}"
    if value.n > 1:
        return f"{text} {half}"
    return f"{text} ({half})" if value.half_width > 0 else text
