"""Pages that a person writes: their numbers are compared with the results, their tables are made.

A page marks each number of ours with where it comes from: `31.2<!--5.1.1--> %` is the first
number of the first claim of finding 5. What stands before the mark is a number, a span ("18 to 19":
the least and the most of several numbers, or the interval of one), a number with its interval
("31.2 ± 0.4", or "1.2 (1.1 to 1.4)"). A mark is `[STUDY/][READING/]PLACE [WHICH] [HOW]`:

- PLACE: a finding (`5`: all of its numbers), a claim of it (`5.1`) or a number of that (`5.1.1`);
  or the name of a `[number]` of claims.toml, with its parts `NAME.1.1`; several, with commas;
- WHICH: one of several numbers (`WHICH`);
- HOW: how it follows (`HOW`), such as `% more` for how far it is above 1;
- `count VERDICT [CLASS] [magnitude|holm|null]`: how many findings have a verdict, or all of several
  (`count reproduced,inside`);
- `stated`: a number that is not ours. Any number with a decimal point in prose must have a mark.

`<!-- table NAME -->` and `<!-- end -->` are around a table that `run.py papers write` makes.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from math import isfinite, isinf, isnan
from pathlib import Path
from typing import NamedTuple

from model.core.files import put_in_place
from model.core.measures import BEYOND
from model.ground.errors import InputError
from model.papers.claims import Entry, Evaluator, Finding, Table
from model.papers.measurements import Bounded, Measurements
from model.papers.study import PAPERS, Study, studies
from model.papers.verdicts import (
    CONFIRMED,
    NOT_RUN,
    REPRODUCED,
    UNTESTABLE,
    Claim,
    are_missing,
    by_holm,
    verdict,
)
from model.sweeps.statistics import Estimate

ROOT = PAPERS.parents[1]
#: How a marked number follows from what was measured.
HOW: Mapping[str, Callable[[float], float]] = {
    "": lambda value: value,
    "% more": lambda value: 100 * (value - 1),
    "% less": lambda value: 100 * (1 - value),
    "inverse": lambda value: 1 / value,
    "millions": lambda value: value / 10**6,
}
#: Which of several numbers.
WHICH: Mapping[str, Callable[[list[Estimate]], float]] = {
    "least": lambda found: min(one.mean for one in found),
    "most": lambda found: max(one.mean for one in found),
    "how many": lambda found: len(found),
}
_NUMBER = r"[-−]?\d[\d,]*(?:\.\d+)?"
_MARK = re.compile(
    rf"(?P<number>{_NUMBER})(?: to (?P<to>{_NUMBER})| ± (?P<half>{_NUMBER})"
    rf"| \((?P<low>{_NUMBER}) to (?P<high>{_NUMBER})\))?<!--\s*(?P<mark>[^>]*?)\s*-->"
)
_BLOCK = re.compile(r"<!-- table (?P<name>[^>]*?) -->\n(?P<table>.*?)<!-- end -->", re.DOTALL)
# What is no prose: code, links' targets, comments.
_NO_PROSE = re.compile(r"```.*?```|`[^`]*`|\]\([^)]*\)|<!--.*?-->", re.DOTALL)


#: How findings are judged otherwise than under a reading.
_OTHERWISE = {"": "as judged", "holm": "if no number may be wrong (Holm)", "null": "the null model"}


class Judged(NamedTuple):
    """A finding with its claims as measured."""

    finding: Finding
    direction: list[Claim]
    magnitude: list[Claim]

    @property
    def claims(self) -> list[Claim]:
        """All that it claims, in the order in which marks count."""
        return [*self.direction, *self.magnitude]


class Results:
    """What a study's runs say of its findings, under its own reading or another."""

    def __init__(self, study: Study, measured: Measurements) -> None:
        self.study, self.measured = study, measured
        self.name = study.name  # and that of its reading
        self.evaluator: Evaluator = study.evaluator(measured)
        self._under = {"": self}

    @cached_property
    def judged(self) -> list[Judged]:
        """All findings, in order."""
        claims = self.evaluator.claims
        return [
            Judged(one, claims(one.direction), claims(one.magnitude))
            for one in self.study.states.findings
        ]

    @cached_property
    def holm(self) -> dict[int, str]:
        """The verdicts on directions, by finding, if none of the page's numbers may be wrong."""
        testable = [one for one in self.judged if not one.finding.untestable and one.direction]
        corrected = by_holm([one.direction for one in testable])
        return {
            one.finding.number: verdict(claims)
            for one, claims in zip(testable, corrected, strict=True)
        }

    @cached_property
    def null(self) -> "Results":
        """The same of disk paging with the disk of the null model, in place of every design."""
        return Results(self.study, self.measured.all_paging(**self.study.states.null))

    def under(self, reading: str) -> "Results":
        """The same where all runs have another reading."""
        if reading not in self._under:
            known = self.study.states.readings
            if reading not in known:
                raise InputError(f"{reading}: no such study or reading")
            there = self.measured.elsewhere(**known[reading])
            self._under[reading] = Results(self.study, there)
            self._under[reading].name += f"/{reading}"
        return self._under[reading]

    def entries(self, name: str) -> tuple[Entry, ...]:
        """What a finding, or a `[number]`, is judged by; empty if there is none with this name."""
        own = [one for one in self.study.states.findings if str(one.number) == name]
        judged = (*own[0].direction, *own[0].magnitude) if own else ()
        return self.study.states.numbers.get(name, judged)

    def at(self, place: str) -> list[Estimate]:
        """The numbers at a place of a mark; raises InputError if there are none."""
        name, *digits = place.split(".")
        if name in self.study.states.numbers:
            claims = self.evaluator.claims(self.study.states.numbers[name])
        else:
            own = [one for one in self.judged if str(one.finding.number) == name]
            claims = own[0].claims if own else []
        if digits:
            claims = claims[int(digits[0]) - 1 :][:1]
        chosen = [part for claim in claims for part in claim.parts]
        if len(digits) > 1:
            chosen = chosen[int(digits[1]) - 1 :][:1]
        if not chosen:
            raise InputError(f"{place}: no such number")
        values = [part.value for part in chosen]
        if None in values:
            raise InputError(f"{place}: not run")
        return [value for value in values if value is not None]

    def count(self, words: Sequence[str]) -> int:
        """How many findings have one of some verdicts, in a class and of a kind that words say."""
        verdicts, *others = words
        wanted = verdicts.replace("-", " ").split(",")
        kinds = [word for word in others if word in self.study.states.classes]
        what = [word for word in others if word not in kinds]
        found = [one for one in self.judged if not kinds or one.finding.kind in kinds]
        return sum(self.verdict(one, *what) in wanted for one in found)

    def verdict(self, one: Judged, what: str = "direction") -> str:
        """A verdict in words; "" if it is not judged so."""
        number = one.finding.number
        if what == "holm":
            found = self.holm.get(number, "")
        elif what != "magnitude" and one.finding.untestable:
            found = UNTESTABLE
        else:
            there = self.null.judged_of(number) if what == "null" else one
            claims = there.magnitude if what == "magnitude" else there.direction
            found = NOT_RUN if are_missing(claims) else verdict(claims)
        return found.replace(REPRODUCED, CONFIRMED) if self.study.states.ours else found

    def judged_of(self, number: int) -> Judged:
        """The finding with a number."""
        return next(one for one in self.judged if one.finding.number == number)


class Page:
    """A page with what its studies measured."""

    def __init__(self, file: Path, results: Mapping[str, Results]) -> None:
        self.file = file
        self.results = results  # by study; the page's own is the first

    @cached_property
    def text(self) -> str:
        """What stands there."""
        try:
            return self.file.read_text(encoding="utf-8")
        except OSError as error:
            raise InputError(f"{self.file}: {error.strerror}") from None

    def opening(self) -> Iterator[tuple[int, Results, str]]:
        """The places of the marks in the numbered lines above the first section, with the line."""
        above = self.text.partition("\n## ")[0]
        lines = re.split(r"^\d+\. ", above, flags=re.MULTILINE)
        for line, text in enumerate(lines[1:], 1):
            for found in _MARK.finditer(text):
                path = found["mark"].partition(" ")[0]
                if path != "stated" and path.rpartition("/")[2] != "count":
                    results, places = self._of(path)
                    yield from ((line, results, place) for place in places.split(","))

    @property
    def marks(self) -> int:
        """How many numbers have a mark."""
        return len(_MARK.findall(self.text))

    def written(self) -> str:
        """The same with its tables made anew; raises InputError for a mistake in one's name."""

        def made(found: re.Match[str]) -> str:
            name = found["name"]
            try:
                return f"<!-- table {name} -->\n{self._table(name)}\n<!-- end -->"
            except InputError as error:
                raise InputError(f"{self._place(found.start())}: {error}") from None

        return _BLOCK.sub(made, self.text)

    def write(self) -> None:
        """Write its tables into its file."""
        written = self.written()
        if written != self.text:
            with put_in_place(self.file) as unfinished:
                unfinished.write_text(written, encoding="utf-8")

    def mistakes(self) -> Iterator[str]:
        """Each number that is not what its mark says, or has none, and each table that is old."""
        for found in _MARK.finditer(self.text):
            try:
                wanted = self._wanted(found)
            except InputError as error:
                wanted = str(error)
            if wanted:
                stated = found[0].partition("<!--")[0]
                yield f"{self._place(found.start())}: {stated} ({found['mark']}): {wanted}"
        bare = _BLOCK.sub(lambda found: " " * len(found[0]), self.text)
        bare = _MARK.sub(lambda found: " " * len(found[0]), bare)
        bare = _NO_PROSE.sub(lambda found: " " * len(found[0]), bare)
        for found in re.finditer(rf"(?<![\w.]){_NUMBER}(?!\.?\d)", bare):
            if re.search(r"\.\d", found[0]):
                yield f"{self._place(found.start())}: {found[0]} has no mark of its source"
        if self.written() != self.text:
            yield f"{self.file}: its tables are not those of its results; run.py papers write"

    def _place(self, at: int) -> str:
        line = self.text.count("\n", 0, at) + 1
        return f"{self.file.relative_to(ROOT)}:{line}"

    def _wanted(self, found: re.Match[str]) -> str:
        """What a number should be, if it is not that; else nothing."""
        mark = found["mark"]
        if mark == "stated":
            return ""
        place, _, how = mark.partition(" ")
        if place.rpartition("/")[2] == "count":
            results, _ = self._of(place)
            return _differs(found["number"], results.count(how.split()))
        results, places = self._of(place)
        values = [value for one in places.split(",") for value in results.at(one)]
        which = next((words for words in WHICH if f"{how} ".startswith(f"{words} ")), "")
        function = how.removeprefix(which).strip()
        if function not in HOW:
            raise InputError(f"{function}: give one of {', '.join(filter(None, HOW))}")
        change = HOW[function]
        if which:
            return _differs(found["number"], change(WHICH[which](values)))
        ends = sorted(
            change(end)
            for end in (values[0][1:3] if len(values) == 1 else [one.mean for one in values])
        )
        if found["to"]:
            return _differs(found["number"], ends[0]) or _differs(found["to"], ends[-1])
        if len(values) > 1:
            texts = {_as_typed(found["number"], change(one.mean)) for one in values}
            return "" if texts == {_plain(found["number"])} else f"{' or '.join(sorted(texts))}"
        mean = _differs(found["number"], change(values[0].mean))
        if found["half"]:
            return mean or _differs(found["half"], (ends[-1] - ends[0]) / 2)
        if found["low"]:
            return mean or _differs(found["low"], ends[0]) or _differs(found["high"], ends[-1])
        return mean

    def _of(self, place: str) -> tuple[Results, str]:
        """Whose numbers a mark or a table is of, and the rest of it."""
        *path, name = place.split("/")
        results = next(iter(self.results.values()))
        if path and path[0] in self.results:
            results = self.results[path.pop(0)]
        return results.under(path[0]) if path else results, name

    def _table(self, place: str) -> str:
        results, name = self._of(place)
        if name == "verdicts":
            return verdict_table(results)
        if name == "runs":
            return _runs(results)
        if name in results.study.states.tables:
            own = results.study.states.tables[name]
            return count_table(results, own) if "count" in own else number_table(results, own)
        raise InputError(f"{name}: no such table; give verdicts, runs or a [table] of claims.toml")


def _plain(text: str) -> str:
    return text.replace("−", "-").replace(",", "")


def _as_typed(text: str, value: float) -> str:
    """A number with as many decimals as one that somebody typed."""
    _, _, decimals = text.partition(".")
    found = f"{value:.{len(decimals)}f}"
    return found.removeprefix("-") if float(found) == 0 else found


def _differs(text: str, value: float) -> str:
    """What stands there if it is not this number."""
    today = _as_typed(text, value)
    return "" if today == _plain(text) else f"measured {today}"


# Tables.


def verdict_table(results: Results) -> str:
    """Each finding with what was measured and its verdict, under each reading."""
    states = results.study.states
    twice = any(one.magnitude for one in results.judged)
    readings = ["", *states.judged_under]
    headings = ["", "Hypothesis" if states.ours else "Finding"]
    for name in readings:
        headings += [f"Under {name}" if name else "Measured", "Verdict"]
        headings += ["By how much"] if twice else []
    rows = []
    for number, first in enumerate(results.judged):
        what = first.finding
        row = [f"{what.number} {what.kind}".strip(), what.statement]
        for name in readings:
            there = results.under(name)
            one = there.judged[number]
            row += [in_short(there.evaluator, one.finding), there.verdict(one)]
            row += [_by_how_much(there, one)] if twice else []
        rows.append(row)
    return table(headings, rows)


def in_short(evaluator: Evaluator, finding: Finding) -> str:
    """What was measured, by entry: one number with its interval, or the least and the most."""
    return "; ".join(_spans(evaluator, finding.direction or finding.magnitude))


def _by_how_much(results: Results, one: Judged) -> str:
    """The verdict on a magnitude, with what else was measured for it."""
    told = _spans(results.evaluator, one.finding.direction or one.finding.magnitude)
    own = _spans(results.evaluator, one.finding.magnitude)
    others = "; ".join(span for span in own if span not in told)
    found = results.verdict(one, "magnitude")
    return f"{found}: {others}" if others else found


def _spans(evaluator: Evaluator, entries: Iterable[Entry]) -> list[str]:
    return [_span(evaluator.claims([entry])) for entry in entries]


def _span(claims: Iterable[Claim]) -> str:
    parts = [part for claim in claims for part in claim.parts]
    values = [part.value for part in parts if part.value is not None]
    if not values:
        return "not run"
    if len(values) == 1:
        return with_interval(values[0])
    known = [one.mean for one in values if not isnan(one.mean)]
    if not known:
        return "not known"
    return " to ".join(dict.fromkeys((digits(min(known)), digits(max(known)))))


def with_interval(value: Estimate) -> str:
    """A number with its 95 % interval, if it has one."""
    if isinstance(value, Bounded):
        if isnan(value.mean):
            return "not known"
        return f"below {digits(value.high)}" if isinf(value.low) else f"above {digits(value.low)}"
    if value.low == value.high or not isfinite(value.low):
        return digits(value.mean)
    return f"{digits(value.mean)} ({digits(value.low)} to {digits(value.high)})"


def digits(value: float) -> str:
    """A number with three digits, or all before the point."""
    if isinf(value):
        return BEYOND
    size = abs(value)
    if size < 0.0005:
        return "0"
    if size >= 100:
        return f"{value:,.0f}"
    near_1 = 0.9 < size < 1.1  # where the third digit tells
    decimals = 1 if size >= 10 else 3 if near_1 or size < 0.095 else 2
    return f"{value:.{decimals}f}"


def number_table(results: Results, own: Table) -> str:
    """A `[table]` of claims.toml: a number for each row (`rows`) and each column (`columns`).

    Rows are all combinations of the values there. Rows and columns vary an entry, or name a
    `reading`.
    """
    rows = []
    for chosen in product(*own["rows"].values()):
        row = dict(zip(own["rows"], chosen, strict=True))
        cells = [", ".join(str(one) for one in chosen)]
        for varied in own["columns"].values():
            words = {**own.get("number", {}), **row, **varied}
            there = results.under(words.pop("reading", ""))
            entries = results.study.states.entries([words])
            cells.append(_span(there.evaluator.claims(entries)))
        rows.append(cells)
    return table(["", *own["columns"]], rows)


def count_table(results: Results, own: Table) -> str:
    """A `[table]` with `count`: how many findings have that verdict, of those judged, by class.

    A row for each name in `of`: a reading, or one of `_OTHERWISE`.
    """
    classes = results.study.states.classes
    rows = []
    for where in own["of"]:
        there, what = (results, where) if where in _OTHERWISE else (results.under(where), "")
        cells = [_OTHERWISE.get(where, where)]
        for kind in classes:
            found = [
                there.verdict(one, what or "direction")
                for one in there.judged
                if one.finding.kind == kind
            ]
            judged = [one for one in found if one not in ("", NOT_RUN, UNTESTABLE)]
            cells.append(f"{judged.count(own['count'])} of {len(judged)}" if judged else "")
        rows.append(cells)
    return table(["", *classes], rows)


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join(f"|{'|'.join(cells)}|" for cells in lines)


def _runs(results: Results) -> str:
    """What a page was made from."""
    runs = results.measured.runs
    versions = ", ".join(sorted({*runs.version}))
    seeds = sorted({*runs.seed})
    several = f"seeds {seeds[0]} to {seeds[-1]}" if len(seeds) > 1 else f"seed {seeds[0]}"
    return f"From {len(runs):,} runs, {several}, made by version {versions} of the model."


def pages(names: Sequence[str] = ()) -> Iterator[Page]:
    """The pages of all studies, or of those with these names; raises InputError."""
    by_page: dict[Path, list[Study]] = {}
    for study in studies():
        by_page.setdefault(study.page, []).append(study)
    for file, own in by_page.items():
        own.sort(key=lambda study: study.folder != file.parent)
        if not names or {study.name for study in own} & {*names}:
            yield Page(file, {one.name: Results(one, one.load()) for one in own})
