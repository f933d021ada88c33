"""The artifact sheet: every number of every page, the runs that it is of, and whether it holds.

A page and the sheet make the same claims from the same `text/findings.toml`, so they cannot part.
To check a number, its runs are done again and take the places of the stored ones.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from itertools import chain, zip_longest
from math import isnan
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, NamedTuple

from model.core.scenario import read_toml
from model.ground.errors import InputError
from model.papers.declared_runs import DeclaredRuns
from model.papers.findings import Claim, Finding, runs_are_missing
from model.papers.measurements import Bounded, Measurements
from model.papers.paper import Paper
from model.sweeps.execution import Failure, Outcome, Outcomes
from model.sweeps.results import as_table
from model.sweeps.sweep import Run

_BUDGET = 0.7  # of the time for the runs: the rest is for starting, and for a slower machine
_SECONDS = 60


@cache
def rules() -> dict[str, Any]:
    """What `claims.toml` says of how numbers are checked."""
    return read_toml(Path(__file__).parent / "claims.toml")


class Place(NamedTuple):
    """Where a number stands: a finding of a page, its claim, that claim's number; all from 1."""

    finding: int
    claim: int
    number: int

    def __str__(self) -> str:
        """Such as 5.1.2."""
        return ".".join(map(str, self))


@dataclass(frozen=True)
class Stated:
    """A number that a page states, and the runs that it is of."""

    paper: Paper
    place: Place
    words: str  # of the claim, and whose number it is
    value: float
    runs: dict[int, Run | None]  # by places in the results; None: on a log that is not there
    reading: str = ""  # one of the paper's other readings; empty: that of its page

    @property
    def name(self) -> str:
        """Such as thesis/5.1.2, or thesis/ethernet/5.1.2: how it is asked for."""
        return "/".join(filter(None, (self.paper.name, self.reading, str(self.place))))

    @property
    def tolerance(self) -> float:
        """How far from it a number may be that is run again."""
        share: float = rules()["tolerance_pct"] / 100
        return share * abs(self.value)

    @property
    def expected_s(self) -> float:
        """How long its runs take on a core."""
        return sum(_expected_s(self.paper, run) for run in self.runs.values() if run)

    @property
    def is_whole(self) -> bool:
        """Whether it can be checked: no log of another's is missing."""
        return None not in self.runs.values()

    @property
    def is_quick(self) -> bool:
        """Whether `--quick` may draw it."""
        longest_s: float = rules()["quick"]["longest_s"]
        return self.is_whole and self.expected_s <= longest_s


def _expected_s(paper: Paper, run: Run) -> float:
    found: float = rules()["run"]["seconds"].get(
        paper.name, rules()["run"]["longer"] * run.scenario.expected_s()
    )
    return found


def stated(paper: Paper, measured: Measurements) -> list[Stated]:
    """Every number of a paper's findings, as its page has them; raises InputError.

    Those under another reading follow, of the findings for which it is run whole.
    """
    declared = DeclaredRuns(paper, [*measured.runs])
    runs: dict[int, Run | None] = {}

    def run_at(place: int) -> Run | None:
        if place not in runs:
            runs[place] = declared.run_of(measured.run_at(place))
        return runs[place]

    return [
        Stated(
            paper,
            Place(number, at, which),
            f"{claim.words}: {part.name}"
            + (", a bound" if isinstance(part.value, Bounded) else ""),
            part.value.mean,
            {place: run_at(place) for place in sorted(_own(there, read, claim, part.name))},
            reading,
        )
        for reading in ("", *paper.readings)
        for there in [_under(paper, reading, measured)]
        for number, finding in enumerate(paper.findings, start=1)
        for claims in [[*_claims(finding, there)]]
        if not reading or not runs_are_missing(claim for claim, _ in claims)
        for at, (claim, read) in enumerate(claims, start=1)
        for which, part in enumerate(claim.parts, start=1)
        if part.value is not None and not isnan(part.value.mean)
    ]


def _under(paper: Paper, reading: str, measured: Measurements) -> Measurements:
    """What was measured under a reading."""
    return measured.elsewhere(**paper.readings[reading]) if reading else measured


def _claims(finding: Finding, measured: Measurements) -> Iterator[tuple[Claim, set[int]]]:
    """The claims of a finding, in the order of its page, with the places of the runs they read.

    How sure a number is comes from other runs, too, which are read elsewhere.
    """
    for claims in (*finding.claims, *finding.magnitude):
        reader = measured.unread()
        before: set[int] = set()
        for claim in claims(reader):
            read, reader.read = reader.read, set()
            before |= read
            yield claim, read or before  # where several claims are made of the same runs


def _own(measured: Measurements, read: set[int], claim: Claim, name: str) -> set[int]:
    """Those of the runs that a claim reads which a number is of: not those of other numbers."""
    others = {part.name for part in claim.parts} - {name}
    return {place for place in read if measured.run_at(place)["design"] not in others}


def number_in(one: Stated, measured: Measurements) -> float:
    """The same number by other measurements; nan if it is not there."""
    finding, claim, number = one.place
    there = _under(one.paper, one.reading, measured)
    (found,) = (
        made
        for at, (made, _) in enumerate(_claims(one.paper.findings[finding - 1], there), start=1)
        if at == claim
    )
    value = found.parts[number - 1].value
    return float("nan") if value is None else value.mean


def selected(numbers: Iterable[Stated], words: Sequence[str]) -> list[Stated]:
    """Those that words like "thesis", "thesis/5" or "thesis/5.1.2" name; raises InputError.

    "thesis/ethernet" names those under that reading.
    """
    every = [*numbers]
    for word in words:
        if not any(_is(one, word) for one in every):
            raise InputError(
                f"{word}: no number is called so; give a paper, or as thesis/5, thesis/5.1 or "
                "thesis/5.1.2 a finding, a claim of it or a number of that, or as "
                "thesis/ethernet/5 the same under another reading"
            )
    return [one for one in every if not words or any(_is(one, word) for word in words)]


def _is(one: Stated, word: str) -> bool:
    return f"{one.name}.".startswith((f"{word}/", f"{word}."))


def drawn(numbers: Iterable[Stated], seed: int) -> list[Stated]:
    """A sample that can be checked in the time of `claims.toml`: papers take turns, by chance."""
    random, by_paper = Random(seed), dict[str, list[Stated]]()
    for one in numbers:
        if one.is_quick:
            by_paper.setdefault(one.paper.name, []).append(one)
    for own in by_paper.values():
        random.shuffle(own)
    left_s = _BUDGET * _SECONDS * rules()["quick"]["minutes"] * rules()["quick"]["cores"]
    chosen: list[Stated] = []
    known: set[int] = set()
    for one in filter(None, chain.from_iterable(zip_longest(*by_paper.values()))):
        new = {id(run): run for run in one.runs.values() if run and id(run) not in known}
        needs_s = sum(_expected_s(one.paper, run) for run in new.values())
        if needs_s <= left_s:
            left_s -= needs_s
            known |= new.keys()
            chosen.append(one)
    return chosen


@dataclass(frozen=True)
class Checked:
    """A number that was run again."""

    stated: Stated
    value: float  # nan if a run failed
    error: str = ""

    @property
    def passes(self) -> bool:
        """Whether it is what the page states, within the tolerance."""
        return abs(self.value - self.stated.value) <= self.stated.tolerance


def checked(
    numbers: Sequence[Stated],
    outcomes: Callable[[list[Run]], Outcomes],
    measured: Callable[[Paper], Measurements],
    until_s: float | None = None,
) -> Iterator[Checked]:
    """Do the runs of the numbers and yield each number as its last run ends.

    Those that have not ended at a time (of `monotonic`) are left out.
    """
    runs = {id(run): run for one in numbers for run in one.runs.values() if run}
    ended: dict[int, Outcome] = {}
    waiting = [*numbers]
    with closing(outcomes([*runs.values()])) as ending:
        for run, outcome in ending:
            ended[id(run)] = outcome
            for one in [*waiting]:
                if all(id(own) in ended for own in one.runs.values()):
                    waiting.remove(one)
                    yield _check(one, ended, measured(one.paper))
            if until_s is not None and monotonic() > until_s:
                return


def _check(one: Stated, ended: dict[int, Outcome], measured: Measurements) -> Checked:
    rows = {}
    for place, run in one.runs.items():
        outcome = ended[id(run)]
        if isinstance(outcome, Failure):
            return Checked(one, float("nan"), outcome.error)
        (row,) = one.paper.condense(as_table(outcome), outcome["version"]).to_dict("records")
        rows[place] = row
    return Checked(one, number_in(one, measured.where(rows)))
