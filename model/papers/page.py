"""Makes the page of a paper's findings, and writes pages, figures and condensed results."""

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path

from model.core.files import alone_in, put_in_place
from model.ground.text import escaped
from model.papers.family import by_holm
from model.papers.figures import PaperFigure, draw
from model.papers.findings import (
    CLASSES,
    CONSISTENT,
    INSIDE,
    MANY_SEEDS,
    OPEN,
    REPRODUCED,
    UNTESTABLE,
    VERDICTS,
    Claim,
    Finding,
    Judged,
    Judgement,
    Part,
)
from model.papers.measurements import Measurements
from model.papers.paper import RESULTS_FILE, Paper, write_in_brief
from model.papers.sheet import Place, rules
from model.papers.tables import places, table, with_interval
from model.papers.text import Named, known, page_text, text_of, unwrapped
from model.sweeps.statistics import Estimate, estimate

FINDINGS_FILE = "findings.md"
_NOT_RUN = "not run yet"
#: Findings as they are judged under other readings, by name.
ByReading = dict[str, list[Judged]]
_MARKS = {True: "yes", False: "no"}
_RULES = (Path(__file__).parent / "rules.md").read_text(encoding="utf-8")


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
    with alone_in(out):
        _write_findings(paper, measured, out)
        for figure in shown(paper.figures, "drawing"):
            picture = draw(figure, measured)
            for kind in ("png", "svg"):
                with put_in_place(out / f"figure-{figure.number}.{kind}") as unfinished:
                    picture.savefig(unfinished, dpi=200)
    print(f"{len(paper.figures)} figures and {FINDINGS_FILE} are in {escaped(str(out))}")


def add_results(paper: Paper, measured: Measurements, folder: Path) -> None:
    """Do as `keep_results`, with those of the same version that are in the folder already."""
    with alone_in(folder, "--condense"):
        _say_what_is_replaced(paper, measured, folder)
        keep_results(paper, paper.measured(paper.joined(measured.runs, folder)), folder)


def _say_what_is_replaced(paper: Paper, measured: Measurements, folder: Path) -> None:
    """Warn of results of other versions in a folder, which are replaced."""
    if (folder / RESULTS_FILE).is_file():
        versions = paper.in_brief(folder).version
        others = versions[~versions.isin(measured.runs.version)]
        if len(others):
            told = (
                f"warning: {len(others):,} results of version {', '.join(sorted({*others}))} in "
                f"{folder} are replaced"
            )
            print(escaped(told), file=sys.stderr)


def keep_results(paper: Paper, measured: Measurements, folder: Path) -> None:
    """Write condensed results, and the findings that follow from them; raises InputError.

    Nobody else is to write in the folder meanwhile (`alone_in`).
    """
    with put_in_place(folder / RESULTS_FILE) as unfinished:
        write_in_brief(measured.runs, unfinished)
        _write_findings(paper, measured, folder)  # first: a page can be written again
    print(f"{len(measured.runs):,} runs and {FINDINGS_FILE} are in {escaped(str(folder))}")


def _write_findings(paper: Paper, measured: Measurements, folder: Path) -> None:
    if warning := of_another_version(paper, measured):
        print(escaped(f"warning: {warning}"), file=sys.stderr)
    with put_in_place(folder / FINDINGS_FILE) as unfinished:
        unfinished.write_text(findings_page(paper, measured), encoding="utf-8")


def of_another_version(paper: Paper, measured: Measurements) -> str:
    """One line if some results are not of today's version of the model; else nothing."""
    others = sorted({*measured.runs.version} - {paper.version})
    if not others:
        return ""
    return (
        f"These results are of version {', '.join(others)} of the model, whose code has changed "
        f"since; `run.py sweep {paper.name}` runs all of them again."
    )


def findings_page(paper: Paper, measured: Measurements) -> str:
    """The page with every finding, its verdict, the numbers that decide it, and why it differs.

    It is `text/page.md` of the paper, with what its names stand for: the paper's own, of which
    those without runs are empty, and those of all pages.
    """
    judged = [finding.judge(measured) for finding in paper.findings]
    elsewhere = _under_readings(paper, measured)
    seeds = _ranges(sorted({*measured.runs.seed}))
    versions = ", ".join(sorted({*measured.runs.version}))
    named: dict[str, Named] = {name: partial(known, one) for name, one in paper.named.items()}
    named |= {
        "counts": lambda _: _counts(paper, measured, judged, elsewhere),
        "number": lambda _: by_place(judged),
        "runs": lambda _: (
            f"From {len(measured.runs):,} runs, seeds {seeds} (model version {versions}); written "
            f"by `run.py figures {paper.name}`. `run.py claims {paper.name}` lists each number, "
            f"and runs it again, within {rules()['tolerance_pct']:g} %."
        ),
        "rules": lambda _: _rules(paper, measured, judged),
        "again": lambda _: _again(paper, measured, judged),
        "holm": lambda _: _holm(paper, judged),
        "findings": lambda _: "\n".join(
            [
                *_summary(paper, measured, judged, elsewhere),
                *_details(paper, judged, elsewhere),
            ]
        ),
    }
    page = page_text(paper.name, "page.md", named)(measured)
    return re.sub(r"\n{3,}", "\n\n", page).strip() + "\n"


def by_place(judged: list[Judged]) -> dict[str, Estimate]:
    """Each number of the page, by its place as `run.py claims` has it, such as "5.1.2"."""
    return {
        str(Place(one.finding.number, at, which)): (
            estimate([]) if part.value is None else part.value
        )
        for one in judged
        for at, claim in enumerate(one.claims, start=1)
        for which, part in enumerate(claim.parts, start=1)
    }


def _counts(
    paper: Paper, measured: Measurements, judged: list[Judged], elsewhere: ByReading
) -> str:
    """How many findings there are, with which verdicts; and whether results are outdated."""
    counts = _of_classes(paper, judged, elsewhere) if paper.classes else _of_all(paper, judged)
    warning = of_another_version(paper, measured)
    return f"{counts}\n\n**{warning}**" if warning else counts


def _of_all(paper: Paper, judged: list[Judged]) -> str:
    """How many findings there are, with which verdicts."""
    findings = "hypotheses" if paper.ours else "findings"
    directions = _counted(paper, [one.verdict for one in judged if one.direction.claims])
    magnitudes = [one.magnitude.verdict for one in judged if one.magnitude.claims]
    if magnitudes:
        return (
            f"{len(judged)} {findings}.\nDirection: {directions}.\n"
            f"Magnitude: {_counted(paper, magnitudes)}."
        )
    return f"{len(judged)} {findings}: {directions}."


def _of_classes(paper: Paper, judged: list[Judged], elsewhere: ByReading) -> str:
    """A table of how many findings of each class have which verdict. Classes are not summed."""
    corrected = by_holm(judged)
    rows = list[tuple[str, Counter[str]]]()
    for kind, words in CLASSES.items():
        own = [place for place, one in enumerate(judged) if one.kind == kind]
        found = [*_verdicts(own, judged, corrected, elsewhere)] if own else []
        for row, (what, verdicts) in enumerate(found):
            heading = "" if row else f"**{words}**, {len(own)} in all: "
            rows.append((heading + what, Counter(verdicts)))
    shown = _shown(sum((counts for _, counts in rows), Counter()))
    return table(
        ("Hypotheses" if paper.ours else "Findings", *(paper.in_words(one) for one in shown)),
        [(what, *(str(counts[one]) for one in shown)) for what, counts in rows],
    )


def _verdicts(
    places: list[int], judged: list[Judged], corrected: list[Judged], elsewhere: ByReading
) -> Iterator[tuple[str, list[str]]]:
    """The verdicts on the findings at these places, by what is judged of them."""
    directions = [at for at in places if judged[at].direction.claims]
    magnitudes = [at for at in places if judged[at].magnitude.claims]
    yield "direction", [judged[at].verdict for at in directions]
    yield "if none of the page may be wrong (Holm)", [corrected[at].verdict for at in directions]
    for name, there in elsewhere.items():
        yield f"under `{name}`", [_if_run(there[at], there[at].verdict) for at in directions]
    if magnitudes:
        yield "magnitude", [judged[at].magnitude.verdict for at in magnitudes]
        for name, there in elsewhere.items():
            yield (
                f"magnitude under `{name}`",
                [_if_run(there[at], there[at].magnitude.verdict) for at in magnitudes],
            )


def _if_run(one: Judged, told: str) -> str:
    """What is told of a finding, if no runs are missing."""
    return _NOT_RUN if one.lacking else told


def _under_readings(paper: Paper, measured: Measurements) -> ByReading:
    """The findings as they are judged under each other reading."""
    found: ByReading = {}
    for name, moved in paper.readings.items():
        there = measured.elsewhere(**moved)
        found[name] = [finding.judge(there) for finding in paper.findings]
    return found


def _rules(paper: Paper, measured: Measurements, judged: list[Judged]) -> str:
    """How to read claims and verdicts, and what they were before seeds were added where open."""
    values = {
        "ours": paper.ours,
        "finding": "hypothesis" if paper.ours else "finding",
        "reproduced": paper.in_words(REPRODUCED),
        "twice": any(one.magnitude.claims for one in judged),
        "consistent": CONSISTENT,
        "untestable": UNTESTABLE,
        "again": _again(paper, measured, judged),
        "replications": _replications(paper, judged),
    }
    named = {name: lambda _, value=value: value for name, value in values.items()}
    return text_of(unwrapped(_RULES), named)(measured)


def _replications(paper: Paper, judged: list[Judged]) -> str:
    """What the page's intervals are over, or those that are not named on their own."""
    parts = [part for one in judged for claim in one.direction.claims for part in claim.parts]
    return "windows" if parts and all(part.by_windows for part in parts) else paper.replications


def _again(paper: Paper, measured: Measurements, judged: list[Judged]) -> str:
    """What verdicts were before more was run where the first runs had not confirmed a finding."""
    first = paper.at_first(measured) if paper.later else None
    if first is None:
        return ""
    others = [*_others(paper, first, judged)]
    before = f"these verdicts were others: {'; '.join(others)}" if others else "verdicts were alike"
    return (
        "Where the first runs left a finding open, or outside its range, more were done "
        f"({', '.join(f'`{part}`' for part in paper.later)} in `{paper.name}.toml`), so that "
        f"chance has had more than one try; before, {before}."
    )


def _holm(paper: Paper, judged: list[Judged]) -> str:
    """The verdicts that are others if none of the page's numbers may be told wrongly."""
    others = [
        f"{one.finding.number} {paper.in_words(corrected.verdict)}"
        for one, corrected in zip(judged, by_holm(judged), strict=True)
        if corrected.verdict != one.verdict
    ]
    told = f"these verdicts are others: {'; '.join(others)}" if others else "verdicts are alike"
    return (
        f"If the chance that *any* number of this page is told wrongly is to be 5 % (Holm), {told}."
    )


def _others(paper: Paper, first: Measurements, judged: list[Judged]) -> Iterator[str]:
    """The verdicts that were others by the first runs."""
    for now in judged:
        number, before = now.finding.number, now.finding.judge(first)
        if before.verdict != now.verdict:
            yield f"{number} {paper.in_words(before.verdict)}"
        if before.magnitude.verdict != now.magnitude.verdict:
            yield f"{number}, magnitude, {paper.in_words(before.magnitude.verdict)}"


def _ranges(increasing: Sequence[int]) -> str:
    """Whole numbers in words, such as "1 to 5, 8, 9"."""
    runs = groupby(enumerate(increasing), lambda at: at[1] - at[0])  # the same within a run
    spans: list[str] = []
    for _, run in runs:
        numbers = [number for _, number in run]
        spans += [f"{numbers[0]} to {numbers[-1]}"] if len(numbers) > 2 else map(str, numbers)
    return ", ".join(spans)


def _counted(paper: Paper, verdicts: Iterable[str]) -> str:
    """How many verdicts there are of each kind."""
    counts = Counter(verdicts)
    return ", ".join(f"{counts[one]} {paper.in_words(one)}" for one in _shown(counts))


def _shown(counts: Counter[str]) -> list[str]:
    """The kinds of verdicts whose numbers are told: rare ones only where there are some."""
    rare = (INSIDE, CONSISTENT, UNTESTABLE, _NOT_RUN)
    return [one for one in (*VERDICTS, _NOT_RUN) if one not in rare or counts[one]]


def _summary(
    paper: Paper, measured: Measurements, judged: list[Judged], elsewhere: ByReading
) -> Iterator[str]:
    """A table with one row per finding."""
    if paper.classes:
        yield from _by_class(paper, measured, judged, elsewhere)
        return
    twice = any(one.magnitude.claims for one in judged)
    rows = [
        (
            str(one.finding.number),
            f"{one.finding.topic}. {one.finding.statement}",
            _verdict(paper, one),
            *([_in_words(paper, one.magnitude)] if twice else []),
        )
        for one in judged
    ]
    verdicts = ("Direction", "Magnitude") if twice else ("Verdict",)
    yield table(("", "Hypothesis" if paper.ours else "Finding", *verdicts), rows)
    yield ""


def _by_class(
    paper: Paper, measured: Measurements, judged: list[Judged], there: ByReading
) -> Iterator[str]:
    """A table of each class, with what Holm's correction, the null model and other readings say."""
    null = measured.all_paging(**paper.null)
    headings = ["Hypothesis" if paper.ours else "Finding", "Direction", "Holm"]
    headings += ["Null model"] if paper.null else []
    twice = any(one.magnitude.claims for one in judged)
    headings += ["Magnitude"] if twice else []
    headings += [f"Under `{name}`" for name in there]
    rows: dict[str, list[tuple[str, ...]]] = {kind: [] for kind in CLASSES}
    for at, (one, holm) in enumerate(zip(judged, by_holm(judged), strict=True)):
        rows[one.kind].append(
            (
                str(one.finding.number),
                f"{one.finding.topic}. {one.finding.statement}",
                _verdict(paper, one),
                _differs(paper, holm, one),
                *([_of_null(paper, one.finding, null)] if paper.null else []),
                *([_in_words(paper, one.magnitude)] if twice else []),
                *(_if_run(of[at], _in_brief(paper, of[at])) for of in there.values()),
            )
        )
    for kind, own in rows.items():
        if own:
            yield f"*{CLASSES[kind].capitalize() if kind == 'other' else CLASSES[kind]}*"
            yield ""
            yield table(("", *headings), own)
            yield ""


def _in_brief(paper: Paper, one: Judged) -> str:
    """Both verdicts in a few words."""
    both = [_verdict(paper, one), _in_words(paper, one.magnitude)]
    if all(both):
        both[1] = f"magnitude {both[1]}"
    return "; ".join(one for one in both if one)


def _differs(paper: Paper, holm: Judged, plain: Judged) -> str:
    """What Holm's correction says, where that is something else."""
    return paper.in_words(holm.verdict) if holm.verdict != plain.verdict else ""


def _of_null(paper: Paper, finding: Finding, null: Measurements) -> str:
    """What the null model gives for a finding; nothing if it was not run for all its cases."""
    if finding.untestable:
        return ""
    judged = finding.foremost(null)
    return "" if judged.missing else paper.in_words(judged.verdict)


def _details(paper: Paper, judged: list[Judged], there: ByReading) -> Iterator[str]:
    """The numbers that decide each finding; of other readings, where the verdict is another."""
    numbered = enumerate(judged)
    for topic, group in groupby(numbered, key=lambda item: item[1].finding.topic):
        yield f"## {topic}"
        yield ""
        for at, one in group:
            finding = one.finding
            where = finding.section if paper.ours else f"§ {finding.section}"
            yield f"**{finding.number}. {finding.statement}** ({where}) {_in_brief(paper, one)}."
            yield ""
            yield from _all_numbers(paper, one)
            if finding.untestable:
                yield f"- *Not testable:* {finding.untestable}"
            if one.why:
                yield f"- *Why:* {one.why}"
            for name, others in there.items():
                other = others[at]
                if not other.lacking and _in_brief(paper, other) != _in_brief(paper, one):
                    yield f"- *Under `{name}`:* {_in_brief(paper, other)}."
                    yield from (f"  {line}" for line in _other_numbers(paper, other, one))
            yield ""


def _other_numbers(paper: Paper, one: Judged, other: Judged) -> Iterator[str]:
    """What was measured for each claim that is not answered as it is by the other judgement."""
    both = zip(one.claims, other.claims, _all_numbers(paper, one), strict=True)
    return (line for own, there, line in both if own.answers != there.answers)


def _all_numbers(paper: Paper, one: Judged) -> Iterator[str]:
    """What was measured for each claim."""
    yield from (_numbers(paper, claim) for claim in one.direction.claims)
    for claim in one.magnitude.claims:
        yield f"{_numbers(paper, claim)} (magnitude)"


def _numbers(paper: Paper, claim: Claim) -> str:
    """A claim with what was measured of each part."""
    numbers = ", ".join(
        f"{part.name} {with_interval(part.value)} {_mark(paper, part)}"
        for part in claim.parts
        if part.value is not None
    )
    lost = [part.name for part in claim.parts if part.value is None]
    missing = f"no runs of {', '.join(lost)}" if lost else ""
    return f"- {claim.words}: {'; '.join(part for part in (numbers, missing) if part)}"


def _verdict(paper: Paper, one: Judged) -> str:
    """The verdict on a finding's direction, or on all of it."""
    if one.verdict == UNTESTABLE:
        return UNTESTABLE
    return _in_words(paper, one.direction)


def _in_words(paper: Paper, one: Judgement) -> str:
    """A verdict in words, and why it is open; nothing if there are no claims."""
    if not one.claims:
        return ""
    if one.verdict == INSIDE and one.powerless:
        return f"{INSIDE}, no power"
    if one.verdict != OPEN:
        return paper.in_words(one.verdict)
    if one.missing or one.single:
        return f"{OPEN}: {'runs are missing' if one.missing else 'single runs'}"
    if one.decisive is None:
        return f"{OPEN}: a single run may be as far off"
    return f"{OPEN}: too close, {_needed(paper, one.decisive)} would tell"


def _mark(paper: Paper, part: Part) -> str:
    """Whether a part holds; if that is open, how many seeds would tell; other jobs' values."""
    if part.holds is False and part.elsewhere:
        there = part.elsewhere
        least, most = (f"{value:,.{places(value)}f}" for value in there[:2])
        answer = "consistent" if part.consistent else "no"
        return (
            f"{answer} [{least} to {most}, inside in {there.inside} of {there.windows} windows; "
            f"at random in {there.at_random * there.windows:.1f}]"
        )
    if part.answer == INSIDE:
        return f"{INSIDE}, no power" if part.powerless else INSIDE
    if part.holds is not None:
        return _MARKS[part.holds]
    return f"open ({_needed(paper, part)})" if part.needed else "open"


def _needed(paper: Paper, part: Part) -> str:
    """How many replications it needs, in words; of hundreds, two digits are all that is known."""
    needed, over = part.needed or 0, "windows" if part.by_windows else paper.replications
    if needed >= MANY_SEEDS:
        return f"{MANY_SEEDS:,} {over} or more"
    needed = needed if needed < 100 else int(float(f"{needed:.1e}"))
    return f"{needed:,} {over}"
