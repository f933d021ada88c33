"""Carries stored results over to today's version of the model after a sample was run again.

A version changes with any code that decides results, even if the results stay the same. Whether
they do is checked with a sample: its runs are done again, and everything stored about them is
compared to the bit. If a single number differs, nothing is carried over.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import Random

from pydantic import ValidationError

from model.ground.errors import InputError
from model.sweeps.execution import Failure, LocalProcesses
from model.sweeps.identity import conditions_of, model_version
from model.sweeps.store import Damaged, Note, Result, Store
from model.sweeps.sweep import Run
from model.systems import scenario_of

_CANDIDATES = 8  # the most telling one of so many is drawn
#: Parts of a result that identify the run or differ each time it is run.
_NOT_COMPARED = ("key", "version", "conditions", "scenario", "took_s", "summary.wall_s")


@dataclass(frozen=True)
class Stored:
    """A stored run: how to find it, the same run today, and how the two are compared."""

    name: str
    version: str  # of the code with which it was run
    run: Run
    expected_s: float  # how long it takes
    difference: Callable[[Result], str]  # between the stored result and today's, or ""

    def __str__(self) -> str:
        """For a person."""
        return f"{self.name} ({self.run.design}, seed {self.run.scenario.seed})"


class Differs(Exception):
    """A run's result today differs from the stored one; names the run and the difference."""


@dataclass(frozen=True)
class Sample:
    """How many runs to do again, how to draw them, and on how many processes to run them."""

    number: int
    seed: int
    longest_s: float  # runs that take longer are avoided if their design has others
    workers: int
    progress: Callable[[str], None] = lambda line: None  # gets a line on each step

    def verify(self, stored: Sequence[Stored]) -> Note:
        """Draw from runs of one version, do them again and return a note; raises Differs."""
        drawn = draw(stored, self.number, self.seed, self.longest_s)
        first = stored[0]
        to = model_version(first.run.parameters.get("system"))
        again = f"{len(drawn)} of {len(stored):,} runs of version {first.version} are run again"
        self.progress(f"{again} with version {to}")
        by_key = {old.run.key: old for old in drawn}
        with closing(LocalProcesses(self.workers).outcomes([old.run for old in drawn])) as ended:
            for run, outcome in ended:
                old = by_key[run.key]
                if isinstance(outcome, Failure):
                    raise Differs(f"{old}: fails today: {outcome.error}")
                if difference := old.difference(outcome):
                    raise Differs(f"{old}: {difference}")
                self.progress(f"{old}: equal to the bit")
        return {
            "from": first.version,
            "to": to,
            "when": datetime.now(UTC).isoformat(timespec="seconds"),
            "results": len(stored),
            "run_again": [
                {"key": run.key, "design": run.design, "seed": run.scenario.seed}
                for run in (old.run for old in drawn)
            ],
        }


def draw(stored: Sequence[Stored], number: int, seed: int, longest_s: float) -> list[Stored]:
    """Draw `number` different runs at random, or all if there are no more.

    Designs take turns. From each design, runs that take at most `longest_s` take part, or else the
    shortest run. Of a few candidates, the one with the most parameter values that no run drawn
    before has is taken, or else the shortest.
    """
    random = Random(seed)
    by_design: dict[str, list[Stored]] = {}
    for old in stored:
        by_design.setdefault(old.run.design.upper(), []).append(old)
    groups = []
    for own in by_design.values():
        quick = [old for old in own if old.expected_s <= longest_s]
        groups.append(quick or [min(own, key=lambda old: old.expected_s)])
    random.shuffle(groups)
    drawn: list[Stored] = []
    seen: set[tuple[str, str]] = set()

    def merit(old: Stored) -> tuple[int, float]:
        return len(_values(old) - seen), -old.expected_s

    while any(groups) and len(drawn) < number:
        for group in filter(None, groups):
            best = max(random.sample(group, min(_CANDIDATES, len(group))), key=merit)
            group.remove(best)
            drawn.append(best)
            seen |= _values(best)
    return drawn[:number]


def _values(old: Stored) -> set[tuple[str, str]]:
    return {(name, str(value)) for name, value in old.run.parameters.items()}


def verified(stored: Iterable[Stored], sample: Sample) -> list[Note]:
    """A note for each system and version, after a sample of each was run again; raises Differs."""
    groups: dict[tuple[str | None, str], list[Stored]] = {}
    for old in stored:
        groups.setdefault((old.run.parameters.get("system"), old.version), []).append(old)
    return [sample.verify(group) for group in groups.values()]


def carry_folder(folder: Path, sample: Sample, version: str | None = None) -> list[Note]:
    """Carry over the results in a sweep's folder that are not of today's version.

    A sample of every system and version is run again; `version` selects one version. Returns a note
    for each of them, or none if there is nothing to do; notes are stored with the results. However
    this ends, either the old results are there or the new ones. Raises Differs, InputError and
    OSError; then nothing has changed.
    """
    store = Store(folder)
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder; give the one that a sweep wrote")
    with store.writing():
        stored = [old for old in _stored(store) if version in (None, old.version)]
        notes = verified(stored, sample)
        for old in stored:  # some may have been run anew
            if (there := store.get(old.run.key)) and (difference := old.difference(there)):
                raise Differs(f"{old}: {difference}")
        if stored:
            new = (_of_today(store, old) for old in stored)
            store.replace([old.name for old in stored], new, notes)
    return notes


def _stored(store: Store) -> Iterator[Stored]:
    """The results that are not of today's version; raises InputError for one that cannot run."""
    for key in store.all_keys():
        try:
            result = store.of(key)
            if result["version"] == model_version(result["scenario"].get("system")):
                continue
            run = Run(scenario_of(result["scenario"]), result.get("observer"))
        except Damaged as damage:
            raise InputError(f"{damage}; delete it, or run the sweep again") from None
        except (KeyError, ValidationError) as error:
            raise InputError(f"{key}: cannot be run today: {error}") from None
        compare = partial(_difference, store, key)
        yield Stored(key, result["version"], run, result["took_s"], compare)


def _difference(store: Store, key: str, today: Result) -> str:
    return difference(store.of(key), json.loads(json.dumps(today)))


def difference(stored: object, today: object, name: str = "") -> str:
    """A sentence on the first stored value that differs today; "" if none does."""
    if name in _NOT_COMPARED:
        return ""
    parts: Iterator[tuple[str, object, object]]
    if isinstance(stored, dict) and isinstance(today, dict):
        parts = ((f"{name}.{key}" if name else key, stored[key], today.get(key)) for key in stored)
    elif isinstance(stored, list) and isinstance(today, list) and len(stored) == len(today):
        parts = ((f"{name}[{i}]", *pair) for i, pair in enumerate(zip(stored, today, strict=True)))
    else:
        return "" if repr(stored) == repr(today) else f"{name} is stored as {stored}, today {today}"
    return next(filter(None, (difference(old, new, part) for part, old, new in parts)), "")


def _of_today(store: Store, old: Stored) -> Result:
    """A stored result, as a result of today's version."""
    who = old.run.identity
    return {
        **store.of(old.name),
        "key": old.run.key,
        "version": who["version"],
        "conditions": conditions_of(who),
        "scenario": old.run.scenario.model_dump(mode="json"),
    }


def history(notes: Sequence[Note]) -> str:
    """What was carried over, in one line; "" if nothing was.

    Of results that were carried over from version to version, the first and the last are named.
    """
    chains: list[list[Note]] = []
    for note in notes:
        for chain in chains:
            if chain[-1]["to"] == note["from"] and _amount(chain[-1]) == _amount(note):
                chain.append(note)
                break
        else:
            chains.append([note])
    return "; ".join(map(_sentence, chains))


def _amount(note: Note) -> tuple[object, ...]:
    """How many results were carried over, and with which others."""
    return note["results"], note.get("without_log")


def _sentence(chain: Sequence[Note]) -> str:
    first, last = chain[0], chain[-1]
    steps = f"in {len(chain)} steps " if len(chain) > 1 else ""
    days = " to ".join(dict.fromkeys(note["when"][:10] for note in (first, last)))
    again = sum(len(note["run_again"]) for note in chain)
    return (
        f"{first['results']:,} results carried over from version {first['from']} to {last['to']} "
        f"{steps}on {days}, after {again} of them, run again, came out equal to the bit"
        f"{_with_them(last)}"
    )


def _with_them(note: Note) -> str:
    """Results that were carried over with others, since nobody could run them again."""
    return "".join(
        f", and with them {count:,} on {log}, which was not there"
        for log, count in note.get("without_log", {}).items()
    )
