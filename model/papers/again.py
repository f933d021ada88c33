"""Does the runs of some numbers again, and compares what follows with what the pages state.

The numbers of the pages' opening lines come first, then others of findings, drawn at random.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, zip_longest
from math import isnan, nan
from random import Random

from model.core.scenario import BaseScenario
from model.papers.claims import Entry
from model.papers.measurements import Measurements
from model.papers.pages import Page, Results
from model.papers.study import Declared, Study
from model.sweeps.durations import expected_s
from model.sweeps.execution import Failure, Outcome, Outcomes
from model.sweeps.results import as_table
from model.sweeps.sweep import Run

TOLERANCE = 0.001  # of a number; with the same code it is the same to the bit
_IN_A_ROW = 10  # so many numbers that take too long end the search for one that does not


@dataclass(frozen=True)
class Number:
    """A number of a claim, and the runs that it is of."""

    results: Results
    entry: Entry
    name: str  # as marks of pages have it, such as surviving/5.1.1
    place: tuple[int, int]  # of its claim among its entry's, and of itself in that claim
    value: float
    runs: dict[int, Run]  # by places in the results
    head: str = ""  # the opening line of a page that states it

    @property
    def size(self) -> int:
        """Jobs times nodes of its runs, which says roughly how long they take."""
        runs = map(self.results.measured.run_at, self.runs)
        return sum(run["jobs"] * run.get("nodes", 1) for run in runs)


def numbers(results: Results, place: str, head: str = "") -> Iterator[Number]:
    """The numbers at a place of a mark that are known, in order, with the runs that they are of.

    How sure a number is comes from other runs, too, which do not count.
    """
    name, *digits = place.split(".")
    at = 0
    for entry in _by_case(results, results.entries(name)):
        reader = results.measured.unread()
        for of_entry, claim in enumerate(results.study.evaluator(reader).claims([entry])):
            at += 1
            for which, part in enumerate(claim.parts):
                where = [str(at), str(which + 1)]
                if where[: len(digits)] != digits or not part.value or isnan(part.value.mean):
                    continue
                others = {other.name for other in claim.parts} - {part.name}
                if runs := _runs(results, reader.read, others):
                    words = f"{results.name}/{'.'.join([name, *where])}"
                    value = part.value.mean
                    yield Number(results, entry, words, (of_entry, which), value, runs, head)


def _by_case(results: Results, entries: Sequence[Entry]) -> Iterator[Entry]:
    """The entries, for each case apart where each makes a claim: such a number has fewer runs."""
    for entry in entries:
        if len(results.evaluator.claims([entry])) == len(entry.cases):
            yield from (replace(entry, cases=(case,)) for case in entry.cases)
        else:
            yield entry


def _runs(results: Results, rows: Collection[int], others: Collection[str]) -> dict[int, Run]:
    """The runs of these rows except those of other designs; none if one is not declared."""
    declared = _declared(results.study, results.measured.home)
    found: dict[int, Run] = {}
    for row in sorted(rows):
        stored = results.measured.run_at(row)
        if stored["design"] not in others:
            run = declared.run_of(stored)
            if run is None:
                return {}
            found[row] = run
    return found


@cache
def _declared(study: Study, measured: Measurements) -> Declared:
    return study.declared(measured.runs)


def of_heads(page: Page, names: Collection[str]) -> list[Number]:
    """The numbers of a page's opening lines, of these studies.

    First the one of each line whose runs are the shortest, then the others, the shortest first.
    """
    found = [
        number
        for line, results, place in page.opening()
        if results.study.name in names
        for number in numbers(results, place, f"{page.file.parent.name} {line}")
    ]
    found.sort(key=lambda one: one.size)
    first = {one.head: one for one in reversed(found)}
    return sorted(found, key=lambda one: one is not first[one.head])


def drawn(results: Results, seed: int) -> Iterator[Number]:
    """A number of each finding, by chance, in random order."""
    random = Random(seed)
    findings = [*results.study.states.findings]
    random.shuffle(findings)
    for finding in findings:
        if own := [*numbers(results, str(finding.number))]:
            yield random.choice(own)


def in_turns(several: Iterable[Iterable[Number]]) -> Iterator[Number]:
    """The first of each, then the second of each, and so on."""
    return filter(None, chain.from_iterable(zip_longest(*several)))


def within(cpu_s: float, several: Iterable[Number]) -> Iterator[Number]:
    """Those whose runs are expected to fit into this time, beside those of the numbers before."""
    planned = set[int]()
    too_long = 0
    for one in several:
        runs = [run for run in one.runs.values() if id(run) not in planned]
        more_s = sum(_expected_s(run.scenario.model_copy(update={"seed": 0})) for run in runs)
        if more_s <= cpu_s:
            cpu_s -= more_s
            planned.update(map(id, runs))
            too_long = 0
            yield one
        elif (too_long := too_long + 1) == _IN_A_ROW:
            return


@cache
def _expected_s(scenario: BaseScenario) -> float:
    (found,) = expected_s([Run(scenario)]).values()
    return found


@dataclass(frozen=True)
class Checked:
    """A number that was run again."""

    number: Number
    value: float  # nan if a run failed
    error: str = ""

    @property
    def passes(self) -> bool:
        """Whether it is what was stored, within the tolerance."""
        return abs(self.value - self.number.value) <= TOLERANCE * abs(self.number.value)


def checked(
    several: Sequence[Number], outcomes: Callable[[list[Run]], Outcomes], cpu_s: float
) -> Iterator[Checked]:
    """Do the runs of the numbers and yield each number as its last run ends.

    No run goes on once all that have ended took more CPU time than this.
    """
    runs = {id(run): run for one in several for run in one.runs.values()}
    ended: dict[int, Outcome] = {}
    waiting = [*several]
    with closing(outcomes([*runs.values()])) as under_way:
        for run, outcome in under_way:
            ended[id(run)] = outcome
            for one in [*waiting]:
                if all(id(own) in ended for own in one.runs.values()):
                    waiting.remove(one)
                    yield _check(one, ended)
            cpu_s -= 0 if isinstance(outcome, Failure) else outcome["took_s"]
            if cpu_s < 0:
                return


def _check(one: Number, ended: dict[int, Outcome]) -> Checked:
    study, rows = one.results.study, {}
    for place, run in one.runs.items():
        outcome = ended[id(run)]
        if isinstance(outcome, Failure):
            return Checked(one, nan, outcome.error)
        (row,) = study.condense(as_table(outcome), outcome["version"]).to_dict("records")
        rows[place] = row
    again = study.evaluator(one.results.measured.where(rows)).claims([one.entry])
    claim, part = one.place
    value = again[claim].parts[part].value
    return Checked(one, nan if value is None else value.mean)
