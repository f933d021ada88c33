"""A log of jobs that ran on a machine: what is known of each, from whatever file it was read."""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Column = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float64]
Chosen = npt.NDArray[np.bool_]

UNKNOWN = -1
MOST = 2**61  # of any amount: sums of two fit into 64 bits


@dataclass(frozen=True, eq=False)
class Log:
    """A log's jobs in their order, an element of each column a job; -1 is unknown."""

    path: Path
    line: Column  # of the file (of a table: its row), counted from 1
    number: Column
    submit_ns: Column
    run_ns: Column
    cpu_ns: Column  # of each process
    processors: Column  # used, or else requested
    used_bytes: Column  # of each process
    requested_bytes: Column
    user: Column
    stated_processors: int | None = None  # of the machine
    unread: int = 0  # fields at the end of the first record
    is_table: bool = False
    notes: tuple[str, ...] = ()  # what its reader has to say

    def __len__(self) -> int:
        return len(self.line)

    @property
    def processors_of_machine(self) -> int:
        """The machine's size; if the log does not state it, that of the largest job."""
        return self.stated_processors or max(1, int(self.processors.max()))

    def part(self, chosen: slice | Chosen | Column) -> "Log":
        """The log of some of its jobs, of the same machine."""
        columns: dict[str, Any] = {
            field.name: column[chosen]
            for field in fields(self)
            if isinstance(column := getattr(self, field.name), np.ndarray)
        }
        return replace(self, **columns)


def amounts(values: Numbers, written: Callable[[int], str], unit: int | Column) -> Column:
    """Numbers that count units of so many, rounded half up; what is negative or NaN is unknown.

    A whole number is exact as it is; one with a fraction is taken as it was `written` at a place.
    """
    known = values >= 0
    units = np.broadcast_to(np.asarray(unit), values.shape)
    found = np.where(known, values, 0).astype(np.int64) * units
    for place in np.flatnonzero(known & (values % 1 != 0)):
        exact = Decimal(written(int(place))) * int(units[place])
        found[place] = int(exact.to_integral_value(ROUND_HALF_UP))
    return np.where(known, found, UNKNOWN)


def scaled(sizes: Column, factor: Fraction) -> Column:
    """Each known size times a factor, rounded half up."""
    over, under = factor.numerator, factor.denominator
    exact = (2 * over * sizes.astype(object) + under) // (2 * under)
    return np.where(sizes < 0, sizes, np.minimum(exact, MOST)).astype(np.int64)


def left_out(never_ran: Chosen, among: Chosen) -> tuple[str, ...]:
    """A note of the jobs that never ran, if there are any."""
    count = int(never_ran.sum())
    return (f"{count:,} of {among.sum():,} jobs never ran and are left out",) if count else ()


def numbered(numbers: Column) -> Column:
    """The same numbers; jobs of an unknown one get, in order, the first that no other has."""
    unknown = numbers < 0
    free = np.setdiff1d(np.arange(1, len(numbers) + 1), numbers)
    found = numbers.copy()
    found[unknown] = free[: unknown.sum()]
    return found
