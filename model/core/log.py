"""A log of jobs that ran on a machine: what is known of each, from whatever file it was read."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from io import StringIO
from itertools import count
from pathlib import Path

from model.core.files import gunzip, read_file
from model.ground.errors import InputError

DIGITS = 15  # of the largest number
_LONGEST = 100  # characters of a number


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


def lines_of(path: Path, wanted: str) -> list[str]:
    """The lines of a text file, plain or gzip-compressed; raises InputError saying what is wanted.

    Raises InputError for a file that cannot be read or is no text.
    """
    try:
        raw = read_file(path)
        if raw[:2] == b"\x1f\x8b":
            raw = gunzip(raw)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; give a readable {wanted}") from None
    except ValueError as error:
        raise InputError(f"{path}: {error}; give a readable {wanted}") from None
    if b"\0" in raw:
        raise InputError(f"{path}: binary data; give a readable {wanted}")
    # not at form feeds and what else str.splitlines splits at, which comments and cells may hold
    return [*StringIO(raw.decode("utf-8-sig", errors="replace"), newline=None)]


def numbered(records: Sequence[Record]) -> list[Record]:
    """The same records; those of an unknown number get, in order, the first that no other has."""
    known = {record.number for record in records}
    free = (number for number in count(1) if number not in known)
    return [
        replace(record, number=next(free)) if record.number < 0 else record for record in records
    ]


def are_bounded(texts: Sequence[str], values: Sequence[float]) -> bool:
    """Whether these numbers are finite, at most 10^15 and written out: 1e-999999999 is no 0.

    As a fraction, such a number has no end.
    """
    return (
        all(map(math.isfinite, values))
        and max(map(abs, values)) <= 10**DIGITS
        and max(map(len, texts)) <= _LONGEST
        and all(map(_is_written_out, texts, values))
    )


def _is_written_out(text: str, value: float) -> bool:
    """Whether it is 0 only if 0 is stated."""
    return value != 0 or not set(text.lower().partition("e")[0]) & set("123456789")
