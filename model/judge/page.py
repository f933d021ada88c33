"""A judgement as a page to share, and beside it what happened, message by message."""

from collections.abc import Iterator, Sequence
from math import isfinite
from pathlib import Path
from typing import NamedTuple

from matplotlib.figure import Figure

from model.core.files import put_in_place
from model.core.version import code_version
from model.judge.judging import Judgement, difference
from model.judge.sentences import in_three, sentences
from model.judge.tables import tables
from model.judge.verdicts import MARGIN
from model.pnr.measures import PAGING
from model.report.page import Picture, as_svg, styled
from model.report.reproduction import scenario_file
from model.views.one_file import write_page
from model.views.page.html import write as write_messages
from model.views.recording import Recording, Selection, record
from model.views.story import recorded_path, tell_steps

_ROW_IN = 0.3


class Beside(NamedTuple):
    """A page beside the page, in words, and perhaps what happens there step by step."""

    file: str
    about: str
    steps: str = ""


def write(judgement: Judgement, file: Path) -> None:
    """Write the page, and NAME-messages.html and NAME-broken.html if there is something to see."""
    question = judgement.question
    told = {name: [*in_three(judgement, name)] for name in question.designs}
    top = {sentence for own in told.values() for sentence in own}
    page = styled(
        "judge.html",
        names=list(question.designs),
        told=told,
        remarks=[sentence for sentence in sentences(judgement) if sentence not in top],
        windows=str(question.windows),
        picture=_intervals(judgement),
        tables=[
            (it.title, it.columns, [(head, cells) for head, *cells in it.lines])
            for it in tables(judgement)
        ],
        beside=[*_messages(judgement, file), *_broken(judgement, file)],
        scenario_file=scenario_file(question.scenario),
        version=code_version(),
    )
    with put_in_place(file, "--report") as place:
        write_page(page, place)


def _intervals(judgement: Judgement) -> Picture | None:
    """A row for each pair: the ratio of mean response times with its interval."""
    found = {pair: it for pair, it in judgement.verdicts.items() if isfinite(it.high)}
    if not found:
        return None
    figure = Figure((6.4, 1 + _ROW_IN * len(found)), layout="constrained")
    axes = figure.subplots()
    axes.axvspan(1 - MARGIN, 1 + MARGIN, color="0.85")
    axes.axvline(1, color="black", linewidth=0.8)
    for row, it in enumerate(found.values()):
        axes.plot([it.low, it.high], [row, row], color="#0072B2")
        axes.plot([it.ratio], [row], "o", color="#0072B2")
    names = [f"{design} / {base}: {it.says}" for (design, base), it in found.items()]
    axes.set_yticks(range(len(found)), names, parse_math=False)
    axes.invert_yaxis()
    axes.set_xlabel("mean response time, in multiples of the other design's")
    axes.spines[["top", "right"]].set_visible(False)
    caption = "Ratios with 95 % intervals, adjusted for all pairs; grey: equal within 2 %."
    return Picture(as_svg(figure), f"{caption} The numbers are in the first table.", caption)


def _messages(judgement: Judgement, file: Path) -> Iterator[Beside]:
    """The window in which a design that is judged differs most from one that lends, too."""
    question = judgement.question
    lends = [base for base in question.bases if base != PAGING] or [*question.bases]
    far = {
        (window, design, base): abs(difference(one, other).log_ratio)
        for design in question.designs
        for base in lends
        for window in judgement.windows_with(design, base)
        if (one := judgement.result(window, design)) and (other := judgement.result(window, base))
    }
    if not far:
        return
    window, *pair = max(far, key=far.__getitem__)
    chosen = question.windows.scarce[window]
    runs = [record(chosen.of(question.scenario), name, "protocol") for name in pair]
    jobs = f"the {chosen.placed.jobs} jobs from record {chosen.first:,}"
    about = f"{' and '.join(pair)} where their response times differ most: {jobs}"
    yield _beside(file, "messages", runs, about)


def _broken(judgement: Judgement, file: Path) -> Iterator[Beside]:
    """The shortest way to break a design that was found."""
    paths = [
        (len(it.found.finding.path), it.setting, it.found.finding, it)
        for it in judgement.searches
        if it.found and it.found.finding and it.setting
    ]
    if not paths:
        return
    _, setting, finding, searched = min(paths, key=lambda path: path[0])
    _, recording = recorded_path(setting, finding)
    about = f"The shortest way to break {searched.design}, by one {searched.fault}: {searched.said}"
    yield _beside(file, "broken", [recording], about)._replace(steps=tell_steps(recording))


def _beside(file: Path, what: str, runs: Sequence[Recording], about: str) -> Beside:
    place = file.with_name(f"{file.stem}-{what}.html")
    with put_in_place(place, f"--report {file}:") as unfinished:
        write_messages(runs, Selection(), unfinished)
    return Beside(place.name, about)
