"""Does the runs of some numbers again, and compares what follows with what the pages state."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from math import isnan, nan
from random import Random

from model.papers.claims import Entry
from model.papers.pages import Results
from model.papers.verdicts import Part
from model.sweeps.durations import expected_s
from model.sweeps.execution import Failure, Outcome, Outcomes
from model.sweeps.results import as_table
from model.sweeps.sweep import Run

TOLERANCE = 0.001  # of a number; with the same code it is the same to the bit
LONGEST_S = 240  # of a number's runs, on a core: longer ones are not drawn
_LONGER = 2  # how many times the estimate a run takes on a busy machine


@dataclass(frozen=True)
class Number:
    """A number of a claim, and the runs that it is of."""

    results: Results
    entry: Entry
    name: str  # as marks of pages have it, such as surviving/5.1.1
    place: tuple[int, int]  # of its claim among its entry's, and of itself in that claim
    value: float
    runs: dict[int, Run]  # by places in the results

    @property
    def expected_s(self) -> float:
        """How long its runs take on a core."""
        return _LONGER * sum(expected_s([*self.runs.values()]).values())


def numbers(results: Results) -> Iterator[tuple[str, Entry, tuple[int, int], Part, set[int]]]:
    """Each number of a study's findings, in order, with the places of the runs that it is of.

    How sure a number is comes from other runs, too, which do not count.
    """
    for finding in results.study.states.findings:
        at = 0
        for entry in (*finding.direction, *finding.magnitude):
            reader = results.measured.unread()
            for of_entry, claim in enumerate(results.study.evaluator(reader).claims([entry])):
                at += 1
                others = {part.name for part in claim.parts}
                for which, part in enumerate(claim.parts):
                    own = {
                        place
                        for place in reader.read
                        if reader.run_at(place)["design"] not in others - {part.name}
                    }
                    name = f"{results.study.name}/{finding.number}.{at}.{which + 1}"
                    yield name, entry, (of_entry, which), part, own


def drawn(several: Sequence[Results], count: int, seed: int) -> list[Number]:
    """So many numbers by chance, whose runs are short; studies take turns."""
    random = Random(seed)
    by_study = []
    for results in several:
        own = [one for one in numbers(results) if one[3].value and not isnan(one[3].value.mean)]
        random.shuffle(own)
        by_study.append(_short(results, own))
    in_turns = chain.from_iterable(zip_longest(*by_study))
    return [one for one, _ in zip(filter(None, in_turns), range(count), strict=False)]


def _short(
    results: Results, own: Sequence[tuple[str, Entry, tuple[int, int], Part, set[int]]]
) -> Iterator[Number]:
    declared = results.study.declared(results.measured.runs)
    for name, entry, place, part, rows in own:
        runs = {row: declared.run_of(results.measured.run_at(row)) for row in rows}
        known = {row: run for row, run in runs.items() if run is not None}
        assert part.value is not None
        number = Number(results, entry, name, place, part.value.mean, known)
        if len(known) == len(runs) and number.expected_s <= LONGEST_S:
            yield number


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
    several: Sequence[Number], outcomes: Callable[[list[Run]], Outcomes]
) -> Iterator[Checked]:
    """Do the runs of the numbers and yield each number as its last run ends."""
    runs = {id(run): run for one in several for run in one.runs.values()}
    ended: dict[int, Outcome] = {}
    waiting = [*several]
    for run, outcome in outcomes([*runs.values()]):
        ended[id(run)] = outcome
        for one in [*waiting]:
            if all(id(own) in ended for own in one.runs.values()):
                waiting.remove(one)
                yield _check(one, ended)


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
