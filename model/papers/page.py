"""Makes the page of a paper's findings, and writes pages, figures and condensed results."""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from model.core.output import prepare_folder, put_in_place
from model.papers.figures import PaperFigure, draw
from model.papers.findings import (
    CONSISTENT,
    MANY_SEEDS,
    OPEN,
    UNTESTABLE,
    VERDICTS,
    Claim,
    Judged,
    Judgement,
    Part,
)
from model.papers.measurements import Measurements
from model.papers.paper import RESULTS_FILE, Paper
from model.papers.tables import table
from model.sweeps.carrying import history
from model.sweeps.statistics import Estimate

FINDINGS_FILE = "findings.md"
_LOPSIDED = 1.1  # one half of an interval in multiples of the other, to show both ends
_MARKS = {True: "yes", False: "no"}
_CLAIM = "A claim says in which range a number should be"
_READING = (
    "Each number has its 95 % interval over seeds, and *yes* if that is inside the range, "
    "*no* if it is outside, *open* otherwise, with the number of seeds that would tell if mean and "
    "deviation stayed as they are. A {finding} is reproduced if all of its numbers say "
    "yes, not reproduced if some say no and none says yes, and partly reproduced if some say yes "
    "and some no. Each interval is that of a single number: of twenty, one is wrong by chance."
)
_TWICE = (
    " A finding is judged twice: by its *direction* (who is ahead of whom, what rises and falls), "
    f"and by its *magnitude*. A magnitude outside the range is *{CONSISTENT}* if the values for "
    "other jobs of the log, in disjoint windows, from the least to the most, reach into the range. "
    f"What the paper's own runs cannot support is *{UNTESTABLE}*."
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


def add_results(paper: Paper, measured: Measurements, folder: Path) -> None:
    """Do as `keep_results`, with those of the same version that are in the folder already."""
    keep_results(paper, paper.measured(paper.joined(measured.runs, folder)), folder)


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
    twice = any(one.magnitude.claims for one in judged)
    twofold = {"Direction": _directions(judged), "Magnitude": _magnitudes(judged)} if twice else {}
    range_of = ": the paper's own range, or one around its number."
    finding, findings, found = "finding", "findings", "what it found"
    if paper.ours:
        range_of = "."
        finding, findings, found = "hypothesis", "hypotheses", "what was expected"
    seeds = _ranges(sorted({*measured.runs.seed}))
    versions = ", ".join(sorted({*measured.runs.version}))
    warning = of_another_version(paper, measured)
    carried = history(measured.runs.attrs.get("carried", []))
    head = [
        f"# {paper.title}: {found}, and what was measured here",
        "",
        f"{len(judged)} {findings}{'' if twice else ': ' + _counted(paper, _directions(judged))}.",
        *(f"{title}: {_counted(paper, verdicts)}." for title, verdicts in twofold.items()),
        "",
        *([f"**{warning}**", ""] if warning else []),
        *paper.opening(measured),
        f"From {len(measured.runs):,} runs, seeds {seeds} (model version {versions}); written by "
        f"`run.py figures {paper.name}`. {paper.assumed}",
        "",
        f"{_CLAIM}{range_of} {paper.in_words(_READING.format(finding=finding))}"
        f"{_TWICE if twice else ''}{_at_first(paper, measured, judged)} {paper.reading}".rstrip(),
        "",
    ]
    lines = [*head, *_summary(paper, judged), *_details(paper, judged)]
    lines += [line for part in paper.tables for line in part(measured)]
    if carried:
        lines += ["## History", "", f"{carried}."]
    return "\n".join(lines) + "\n"


def _at_first(paper: Paper, measured: Measurements, judged: list[Judged]) -> str:
    """What the verdicts were before seeds were added where findings were open."""
    first = paper.at_first(measured) if paper.later else None
    if first is None:
        return ""
    others = []
    for number, now in enumerate(judged, start=1):
        before = now.finding.judge(first)
        if before.verdict != now.verdict:
            others.append(f"{number} {paper.in_words(before.verdict)}")
        if before.magnitude.verdict != now.magnitude.verdict:
            others.append(f"{number}, magnitude, {paper.in_words(before.magnitude.verdict)}")
    parts = ", ".join(f"`{part}`" for part in paper.later)
    verdicts = (
        f"these verdicts were others: {'; '.join(others)}" if others else "verdicts were alike"
    )
    return (
        f" Where the first runs left a finding open, more were done ({parts} in "
        f"`{paper.name}.toml`), so that chance has had more than one try; before, {verdicts}."
    )


def _ranges(increasing: Sequence[int]) -> str:
    """Whole numbers in words, such as "1 to 5, 8, 9"."""
    runs = groupby(enumerate(increasing), lambda at: at[1] - at[0])  # the same within a run
    spans = []
    for _, run in runs:
        numbers = [number for _, number in run]
        spans += [f"{numbers[0]} to {numbers[-1]}"] if len(numbers) > 2 else map(str, numbers)
    return ", ".join(spans)


def _counted(paper: Paper, verdicts: Iterable[str]) -> str:
    """How many verdicts there are of each kind."""
    counts = Counter(verdicts)
    always = [one for one in VERDICTS if one not in (CONSISTENT, UNTESTABLE) or counts[one]]
    return ", ".join(f"{counts[verdict]} {paper.in_words(verdict)}" for verdict in always)


def _directions(judged: list[Judged]) -> list[str]:
    """The verdicts on what is about a direction, or on all of a paper that is judged once."""
    return [one.verdict for one in judged if one.direction.claims]


def _magnitudes(judged: list[Judged]) -> list[str]:
    return [one.magnitude.verdict for one in judged if one.magnitude.claims]


def _summary(paper: Paper, judged: list[Judged]) -> Iterator[str]:
    """A table with one row per finding."""
    twice = any(one.magnitude.claims for one in judged)
    rows = [
        (
            str(number),
            f"{one.finding.topic}. {one.finding.statement}",
            _verdict(paper, one),
            *([_in_words(paper, one.magnitude)] if twice else []),
        )
        for number, one in enumerate(judged, start=1)
    ]
    verdicts = ("Direction", "Magnitude") if twice else ("Verdict",)
    yield from table(("", "Hypothesis" if paper.ours else "Finding", *verdicts), rows)


def _details(paper: Paper, judged: list[Judged]) -> Iterator[str]:
    """The numbers that decide each finding."""
    numbered = enumerate(judged, start=1)
    for topic, group in groupby(numbered, key=lambda item: item[1].finding.topic):
        yield f"## {topic}"
        yield ""
        for number, one in group:
            finding = one.finding
            where = finding.section if paper.ours else f"§ {finding.section}"
            both = [_verdict(paper, one), _in_words(paper, one.magnitude)]
            if all(both):
                both[1] = f"magnitude {both[1]}"
            verdicts = "; ".join(one for one in both if one)
            yield f"**{number}. {finding.statement}** ({where}) {verdicts}."
            yield ""
            yield from map(_numbers, one.direction.claims)
            for claim in one.magnitude.claims:
                yield f"{_numbers(claim)} (magnitude)"
            if finding.untestable:
                yield f"- *Not testable:* {finding.untestable}"
            if one.why:
                yield f"- *Why:* {one.why}"
            yield ""


def _numbers(claim: Claim) -> str:
    """A claim with what was measured of each part."""
    numbers = ", ".join(
        f"{part.name} {_number(part.value)} {_mark(part)}"
        for part in claim.parts
        if part.value is not None
    )
    lost = [part.name for part in claim.parts if part.value is None]
    missing = f"no runs of {', '.join(lost)}" if lost else ""
    return f"- {claim.words}: {'; '.join(part for part in (numbers, missing) if part)}"


def _verdict(paper: Paper, one: Judged) -> str:
    """The verdict on a finding's direction, or on all of it."""
    return one.verdict if one.verdict == UNTESTABLE else _in_words(paper, one.direction)


def _in_words(paper: Paper, one: Judgement) -> str:
    """A verdict in words, and why it is open; nothing if there are no claims."""
    if not one.claims:
        return ""
    if one.verdict != OPEN:
        return paper.in_words(one.verdict)
    if one.missing or one.single:
        return f"{OPEN}: {'runs are missing' if one.missing else 'single runs'}"
    if one.decisive is None:
        return f"{OPEN}: a single run may be as far off"
    return f"{OPEN}: too close, {_needed(one.decisive)} would tell"


def _mark(part: Part) -> str:
    """Whether a part holds; if that is open, how many seeds would tell; other jobs' values."""
    if part.holds is False and part.elsewhere:
        there = part.elsewhere
        least, most = (f"{value:,.{_digits(value)}f}" for value in there[:2])
        answer = "consistent" if part.consistent else "no"
        return f"{answer} [{least} to {most}, inside in {there.inside} of {there.windows} windows]"
    if part.holds is not None:
        return _MARKS[part.holds]
    return f"open ({_needed(part)})" if part.needed else "open"


def _needed(part: Part) -> str:
    """How many replications it needs, in words; of hundreds, two digits are all that is known."""
    if part.needed >= MANY_SEEDS:
        return f"{MANY_SEEDS:,} {part.replications} or more"
    needed = part.needed if part.needed < 100 else int(float(f"{part.needed:.1e}"))
    return f"{needed:,} {part.replications}"


def _number(value: Estimate) -> str:
    """A number with its interval: ± half of it, or from where to where if the halves differ."""
    digits = _digits(value.mean)
    halves = sorted((value.high - value.mean, value.mean - value.low))
    if value.n > 1 and halves[1] > _LOPSIDED * halves[0]:
        return f"{value.mean:,.{digits}f} ({value.low:,.{digits}f} to {value.high:,.{digits}f})"
    text, half = f"{value.mean:,.{digits}f}", f"± {value.half_width:,.{digits}f}"
    if value.n > 1:
        return f"{text} {half}"
    return f"{text} ({half})" if value.half_width > 0 else text


def _digits(value: float) -> int:
    return 0 if abs(value) >= 1000 else 2
