"""What keeps growing where a search does not end: a number that a role keeps, or a collection.

Most often that is a counter, as of terms or heartbeats: each value makes a new state.
"""

from collections.abc import Iterator, Mapping, Set
from dataclasses import fields, is_dataclass
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

from model.pnr.explore.alike import Field
from model.pnr.explore.instants import Duration, Instant
from model.pnr.explore.world import State, World

_STEPS, _PARTS = 6_000, 3  # of a walk
_LOOKED_AT = 20  # every so many steps
_LEVELS = 4  # of what a role keeps, in one another
_Largest = dict[tuple[str, str], int]  # values, by role and field


class Growth(NamedTuple):
    """A field of a role, and its largest values in each third of a walk."""

    role: str
    field: str
    largest: tuple[int, ...]

    @property
    def of(self) -> Field | None:
        """The field, if it holds numbers, in a collection or alone."""
        return Field(self.role, self.field) if self.field.isidentifier() else None

    def __str__(self) -> str:
        values = ", ".join(f"{value:,}" for value in self.largest)
        return f"{self.field} of the {self.role} ({values})"


def growing(world: World) -> list[Growth]:
    """The fields that grow as long as a random walk lasts, from the one that grows most.

    A walk that ends has shown none. The others go on long after all jobs have ended.
    """
    random, state = Random(world.setting.seed), world.beginning().state
    largest: list[_Largest] = [{} for _ in range(_PARTS)]
    for number in range(_STEPS):
        if not (steps := world.steps(state)):
            return []
        state = world.take(state, random.choice(steps)).state
        if number % _LOOKED_AT == 0:
            _look(world, state, largest[number * _PARTS // _STEPS])
    found = []
    for role, field in largest[-1]:
        values = tuple(one.get((role, field), 0) for one in largest)
        if all(less < more for less, more in pairwise(values)):
            found.append(Growth(role, field, values))
    return sorted(found, key=lambda growth: growth.largest[0] - growth.largest[-1])


def _look(world: World, state: State, largest: _Largest) -> None:
    """Keep what is larger in a state, on any node, than it was before."""
    for node in state.nodes:
        for role, of in world.host(state, node.number).roles.items():
            for field, value in of.state().items():
                for name, size in _sizes(field, value):
                    largest[role, name] = max(largest.get((role, name), 0), size)


def _sizes(name: str, value: Any, level: int = 0) -> Iterator[tuple[str, int]]:
    """The numbers in a value, and how much collections hold, by name."""
    if isinstance(value, bool | Instant | Duration) or level == _LEVELS:
        return
    if isinstance(value, int):
        yield name, value
    elif is_dataclass(value) or hasattr(value, "_fields"):
        for of in getattr(value, "_fields", None) or [field.name for field in fields(value)]:
            yield from _sizes(f"{name}.{of}", getattr(value, of), level + 1)
    elif isinstance(value, Mapping | Set | list | tuple):
        yield f"length of {name}", len(value)
        for one in value.values() if isinstance(value, Mapping) else value:
            yield from _sizes(name, one, level + 1)
    else:
        for of, held in getattr(value, "__dict__", {}).items():
            yield from _sizes(f"{name}.{of}", held, level + 1)
