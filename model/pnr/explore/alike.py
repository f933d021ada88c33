"""What makes no difference between states, as long as roles do not look at it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

Result = TypeVar("Result")


class Field(NamedTuple):
    """Something that a role keeps, by the name of the attribute."""

    role: str
    name: str


class Series(NamedTuple):
    """Fields whose numbers are compared with each other: on each node, or also between nodes."""

    fields: tuple[Field, ...]
    together: bool = False


@dataclass(frozen=True)
class Alike:
    """What makes no difference between two states.

    How the times of one node lie to those of another, if they are taken `apart`; which numbers the
    ids of `requests` have, but for their order, and what is remembered of those that nobody can
    repeat; which numbers the fields of each of the `series` hold, but for their differences; and
    how often a timer fires that does the same as before, while that is still on its way (`idle`).
    """

    apart: bool = True
    requests: bool = True
    idle: bool = True
    series: tuple[Series, ...] = ()
    exact: tuple[Field, ...] = ()  # whose numbers were seen to matter

    @property
    def fields(self) -> tuple[Field, ...]:
        """All fields that are in a series, or are not to be."""
        return (*self.exact, *(field for one in self.series for field in one.fields))

    def with_fields(self, fields: list[Field]) -> "Alike":
        """The same, with a series for each of these fields that is in none, and may be in one."""
        new = tuple(Series((field,)) for field in fields if field not in self.fields)
        return replace(self, series=self.series + new)

    def without(self, place: int | None) -> "Alike":
        """The same, without a series; None: without the ids of requests."""
        if place is None:
            return replace(self, requests=False)
        series = self.series[:place] + self.series[place + 1 :]
        return replace(self, series=series, exact=self.exact + self.series[place].fields)

    def as_counted(self) -> "Alike":
        """The same, with all numbers as they are."""
        return replace(self, requests=False, series=(), exact=self.fields)

    def joined(self, one: int, other: int, together: bool) -> "Alike":
        """The same, with one series made of two."""
        places = sorted({one, other})
        fields = tuple(field for place in places for field in self.series[place].fields)
        joined = Series(fields, together or any(self.series[place].together for place in places))
        left = tuple(it for place, it in enumerate(self.series) if place not in places)
        return replace(self, series=(*left, joined))


MOST_ALIKE = Alike()  # before anything is known of roles


class Distinguished(Exception):
    """A role has looked at what was to make no difference: now less is `alike`."""

    def __init__(self, alike: Alike) -> None:
        super().__init__(alike)
        self.alike = alike


def as_alike_as_possible(run: Callable[[Alike], Result], alike: Alike = MOST_ALIKE) -> Result:
    """What `run` finds if as much as possible makes no difference; it begins again with less, as
    often as a role has looked at something."""
    while True:
        try:
            return run(alike)
        except Distinguished as noticed:
            alike = noticed.alike
