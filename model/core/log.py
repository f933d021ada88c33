"""A log of jobs that ran on a machine: what is known of each, from whatever file it was read."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import count
from pathlib import Path

LARGEST = 10**15  # number; sums of larger ones do not fit into 64 bits


@dataclass(frozen=True, slots=True)
class Record:
    """What we use of a job; -1 (of memory None) means unknown. Fields are those of SWF, from 1."""

    line: int  # of the file, counted from 1
    number: int  # field 1
    submit_s: str  # field 2, as written
    run_s: str  # field 4, as written
    processors: int  # field 5, and field 8 (requested) where 5 is unknown
    cpu_s: str  # field 6, as written
    used: Fraction | None  # field 7, bytes of each processor
    requested: Fraction | None  # field 10
    user: int = -1  # field 12


@dataclass(frozen=True)
class Log:
    """A log: its records in order, and the size of the machine that it was taken on."""

    path: Path
    records: Sequence[Record]
    stated_processors: int | None = None  # of the machine
    unread: int = 0  # fields at the end of a line, at most

    @cached_property
    def processors(self) -> int:
        """The machine's size; if the log does not state it, that of the largest job."""
        return self.stated_processors or max(1, max(r.processors for r in self.records))


def numbered(records: Sequence[Record]) -> list[Record]:
    """The same records; those of an unknown number get, in order, the first that no other has."""
    known = {record.number for record in records}
    free = (number for number in count(1) if number not in known)
    return [
        replace(record, number=next(free)) if record.number < 0 else record for record in records
    ]


def is_bounded(value: float) -> bool:
    """Whether a number is finite and not too large."""
    return abs(value) <= LARGEST
