"""What makes no difference between states, as long as roles do not look at it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

Result = TypeVar("Result")


class Field(NamedTuple):
    """Something that a role keeps, by the name of the attribute."""

    role: str
    name: str


@dataclass(frozen=True)
class Alike:
    """What makes no difference between two states.

    How the times of one node lie to those of another, if they are taken `apart`; which numbers the
    ids of `requests` have, but for their order, and what is remembered of those that nobody can
    repeat; which numbers the `fields` hold that are not `exact`, but for the differences in a
    series; and how often a timer fires that does the same as before, while that is still on its way
    (`idle`).
    """

    apart: bool = True
    requests: bool = True
    idle: bool = True
    fields: tuple[Field, ...] = ()  # that were seen to grow
    exact: tuple[Field, ...] = ()  # of these, whose numbers were seen to matter
    joined: tuple[tuple[int, ...], ...] = ()  # series (`numbers.py`) that are compared: one series

    def with_fields(self, fields: Iterable[Field]) -> "Alike":
        new = tuple(field for field in fields if field not in self.fields)
        return replace(self, fields=self.fields + new)

    def without(self, fields: Iterable[Field]) -> "Alike":
        """The same, but the numbers of these fields matter."""
        new = tuple(field for field in fields if field not in self.exact)
        return replace(self, exact=self.exact + new)

    def as_counted(self) -> "Alike":
        """The same, but all numbers matter."""
        return replace(self, requests=False, exact=self.fields)

    def with_joined(self, one: int, other: int) -> "Alike":
        groups = [group for group in self.joined if one in group or other in group]
        joined = sorted({one, other, *(series for group in groups for series in group)})
        left = tuple(group for group in self.joined if group not in groups)
        return replace(self, joined=(*left, tuple(joined)))


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
