"""All states of a small setting, to be walked in: who follows whom, and from where all ends well.

A *good end* is a state in which all jobs are done, nothing is lent and nobody waits, and from which
nothing leads to another. A state from which no steps lead to a good end is *lost*. A state in which
a rule is broken is an end, too: it is never left, and it is lost.
"""

from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from model.pnr.explore.graph import UNREACHABLE, good_ends, steps_to
from model.pnr.explore.instants import apart_if_possible
from model.pnr.explore.properties import Look, Properties
from model.pnr.explore.setting import Setting
from model.pnr.explore.world import CRASH, DUPLICATE, LEAVE, LOSE, State, Step, World

LOST, UNKNOWN = UNREACHABLE, -2  # instead of the number of steps to a good end
OUTSIDE = -1  # where a step leads that leaves the atlas

_FAULTS = (LOSE, DUPLICATE, CRASH, LEAVE)
_LONGEST = 400  # steps without faults until a good end
_MOST_LOOKED_AT = 2_000  # states

Progress = Callable[[int, int, int], None]  # states found, states to look at, depth


class Edge(NamedTuple):
    """A step, the state that it leads to, what it breaks (if anything), and the bits it shows."""

    step: Step
    after: State
    broken: str | None
    seen: int


def edges_of(world: World, properties: Properties, state: State) -> Iterator[Edge]:
    """All steps that are possible in a state, in the order in which a search takes them."""
    before = Look(world, state)
    for step in world.steps(state):
        after, broken, seen = world.take(state, step)
        look = Look(world, after)
        if broken is None:
            broken = properties.complaint(before, step, look)
        yield Edge(step, after, broken, seen | properties.seen(before, step, look))


@dataclass
class Atlas:
    """The states of a setting by number, in the order in which a search finds them."""

    world: World
    states: list[State] = field(default_factory=list)
    broken: dict[int, str] = field(default_factory=dict)  # what is wrong, by state
    steps: list[list[tuple[Step, int]]] = field(default_factory=list)  # by state; where they lead
    first: dict[int, tuple[int, Step]] = field(default_factory=dict)  # bit -> who showed it first
    parents: list[tuple[int, Step] | None] = field(default_factory=list)
    whole: bool = True  # whether there are no other states
    full: bool = False  # whether there was no room for another
    outlooks: list[int] = field(default_factory=list)  # steps to a good end, LOST or UNKNOWN

    def way_to(self, state: int) -> list[Step]:
        """The steps of a shortest way from the beginning."""
        way = []
        while (parent := self.parents[state]) is not None:
            state, step = parent
            way.append(step)
        return way[::-1]

    def find_outlooks(self) -> None:
        """Work out how far each state is from a good end.

        Where the atlas is not whole, that is how far it is at most; a state is only known to be
        lost if no steps lead out of the atlas either.
        """
        begins, ends, leaves = array("q"), array("q"), np.zeros(len(self.states), dtype=bool)
        for state, steps in enumerate(self.steps):
            for _, target in steps:
                if target == OUTSIDE:
                    leaves[state] = True
                else:
                    begins.append(state)
                    ends.append(target)
        edges = np.asarray(begins, dtype=np.int64), np.asarray(ends, dtype=np.int64)
        done = np.array(
            [
                number not in self.broken and self.world.is_done(state)
                for number, state in enumerate(self.states)
            ]
        )
        outlooks = steps_to(good_ends(done, *edges), *edges)
        if not self.whole:
            is_open = (outlooks == LOST) & (steps_to(leaves, *edges) != UNREACHABLE)
            outlooks[is_open] = UNKNOWN
        self.outlooks = outlooks.tolist()


def atlas_of(
    setting: Setting,
    most_states: int,
    most_depth: int | None = None,
    progress: Progress = lambda states, left, depth: None,
) -> Atlas:
    """The first states of a setting, up to so many, and up to a depth."""

    def run(apart: bool) -> Atlas:
        return _Surveyor(World(setting, apart), most_states, most_depth, progress).run()

    return apart_if_possible(run)


class _Surveyor:
    """Makes an atlas, level by level."""

    def __init__(
        self, world: World, most_states: int, most_depth: int | None, progress: Progress
    ) -> None:
        self.world = world
        self.properties = Properties(world.setting)
        self.most_states, self.most_depth = most_states, most_depth
        self.progress = progress
        self.atlas = Atlas(world)
        self.known: dict[tuple[bytes, str | None], int] = {}

    def run(self) -> Atlas:
        """Look at all states, in the order in which they are found."""
        atlas = self.atlas
        beginning, broken, _ = self.world.beginning()
        self._number(beginning, broken, None)
        state, depth, end = 0, 0, 1
        while state < len(atlas.states):
            if state == end:
                depth, end = depth + 1, len(atlas.states)
            self._look_at(state, is_border=depth == self.most_depth)
            state += 1
            if state % 1024 == 0:
                self.progress(len(atlas.states), len(atlas.states) - state, depth)
        atlas.find_outlooks()
        return atlas

    def _look_at(self, state: int, is_border: bool) -> None:
        """Take all steps from a state that breaks no rule."""
        atlas = self.atlas
        found: list[tuple[Step, int]] = []
        atlas.steps.append(found)
        if state in atlas.broken:
            return
        for step, after, broken, seen in edges_of(self.world, self.properties, atlas.states[state]):
            target = self._number(after, broken, None if is_border else (state, step))
            found.append((step, target))
            if target == OUTSIDE:
                atlas.whole = False
                continue
            for bit in self.properties.bits.values():
                if seen & bit:
                    atlas.first.setdefault(bit, (state, step))

    def _number(self, state: State, broken: str | None, parent: tuple[int, Step] | None) -> int:
        """The number of a state; OUTSIDE if it is new and there is no room for it."""
        atlas, key = self.atlas, (self.world.digest(state), broken)
        number = self.known.get(key)
        if number is None:
            number = len(atlas.states)
            atlas.full = atlas.full or number == self.most_states
            if number and (parent is None or atlas.full):
                return OUTSIDE
            self.known[key] = number
            atlas.states.append(state)
            atlas.parents.append(parent)
            if broken is not None:
                atlas.broken[number] = broken
        return number


def outlook(world: World, properties: Properties, state: State) -> int:
    """How many steps a good end is away at most, LOST or UNKNOWN, of a state without an atlas.

    First what is wanted happens in turn, without faults; only if that leads to no good end, all
    that follows is looked at, as far as that is not too much.
    """
    most = _as_wanted(world, properties, state)
    return _searched(world, properties, state) if most is None else most


def _as_wanted(world: World, properties: Properties, state: State) -> int | None:
    """How many steps a good end is away if no faults come; None if that does not end well."""
    for taken in range(_LONGEST):
        if world.is_done(state):
            return taken
        wanted = [step for step in world.steps(state) if step.kind not in _FAULTS]
        if not wanted:
            return None
        before = Look(world, state)
        state, broken, _ = world.take(state, wanted[0])
        if broken or properties.complaint(before, wanted[0], Look(world, state)):
            return None
    return None


def _searched(world: World, properties: Properties, state: State) -> int:
    """How many steps a good end is away; UNKNOWN if that takes too many states to tell."""
    known, level, steps = {world.digest(state)}, [state], 0
    while level:
        steps += 1
        following: list[State] = []
        for before in level:
            for edge in edges_of(world, properties, before):
                digest = world.digest(edge.after)
                if edge.broken is not None or digest in known:
                    continue
                if world.is_done(edge.after):
                    return steps
                if len(known) == _MOST_LOOKED_AT:
                    return UNKNOWN
                known.add(digest)
                following.append(edge.after)
        level = following
    return LOST
