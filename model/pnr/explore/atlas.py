"""All states of a small setting, to be walked in: who follows whom, and from where all ends well.

A state in which a rule is broken is never left. What a good end is, and doomed: see `graph.py`.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from model.pnr.explore.alike import Alike, as_alike_as_possible
from model.pnr.explore.graph import UNREACHABLE, Numbers, good_ends, steps_to
from model.pnr.explore.properties import Properties
from model.pnr.explore.search import Progress, Search, without_garbage_collection
from model.pnr.explore.setting import Setting
from model.pnr.explore.steps import CRASH, DUPLICATE, LEAVE, LOSE, Step
from model.pnr.explore.world import State, World

DOOMED, UNKNOWN = UNREACHABLE, -2  # instead of the number of steps to a good end
OUTSIDE = -1  # where a step leads that leaves the atlas

FAULTS = (LOSE, DUPLICATE, CRASH, LEAVE)
_LONGEST = 400  # steps without faults until a good end
_MOST_LOOKED_AT = 2_000  # states


@dataclass
class Atlas:
    """The states of a setting by number, in the order in which a search finds them."""

    search: Search
    steps: list[list[tuple[Step, int]]]  # by state; where they lead
    most_states: int

    def __post_init__(self) -> None:
        self.world = self.search.world
        self.states: Sequence[State] = self.search.states
        self.broken = self.search.broken  # what is wrong, by state
        #: Whether there are no other states.
        self.whole = all(end != OUTSIDE for steps in self.steps for _, end in steps)
        #: Whether there was no room for another.
        self.full = not self.whole and len(self.states) >= self.most_states
        self.outlooks = self._outlooks()  # steps to a good end, DOOMED or UNKNOWN

    def way_to_first(self, bit: int) -> tuple[Step, ...] | None:
        """The steps to the first that shows this bit; None if none does."""
        if bit not in self.search.first_seen:
            return None
        state, step = self.search.first_seen[bit]
        return (*self.search.path(state), step)

    def _outlooks(self) -> list[int]:
        """How far each state is from a good end.

        Where the atlas is not whole, that is how far it is at most; a state is only known to be
        doomed if no steps lead out of the atlas either.
        """
        numbered = list(enumerate(self.steps))
        inside = [(state, end) for state, steps in numbered for _, end in steps if end != OUTSIDE]
        begins, ends = np.array(inside, np.int64).reshape(-1, 2).T
        is_done = self.world.is_done
        done = [is_done(it) and state not in self.broken for state, it in enumerate(self.states)]
        outlooks = steps_to(good_ends(np.array(done), begins, ends), begins, ends)
        if not self.whole:
            leaves = np.array([any(end == OUTSIDE for _, end in steps) for steps in self.steps])
            is_open = (outlooks == DOOMED) & (steps_to(leaves, begins, ends) != UNREACHABLE)
            outlooks[is_open] = UNKNOWN
        found: list[int] = outlooks.tolist()
        return found


def atlas_of(
    setting: Setting,
    most_states: int,
    most_depth: int | None = None,
    progress: Progress = lambda states, left, depth: None,
) -> Atlas:
    """The first states of a setting, up to so many, and up to a depth."""

    def run(alike: Alike) -> Atlas:
        search = Search(
            World(setting, alike), most_depth, most_states, all_rules=True, progress=progress
        )
        if search.run().interrupted:
            raise KeyboardInterrupt
        steps = [_leading(search, state) for state in range(len(search.states))]
        return Atlas(search, steps, most_states)

    with without_garbage_collection():
        return as_alike_as_possible(run)


def _leading(search: Search, number: int) -> list[tuple[Step, int]]:
    """All steps from a state, and where they lead among those that a search has found."""
    if number in search.broken:
        return []
    state, ends = search.states[number], search.ends_of(number)
    steps = search.world.steps(state)
    if len(ends) < len(steps):  # it ended before them
        taken = (search.properties.taken(search.world, state, step) for step in steps)
        found = [search.number_of(after, broken) for after, broken, _ in taken]
        ends = [OUTSIDE if end is None else end for end in found]
    return list(zip(steps, ends, strict=True))


def outlook(world: World, properties: Properties, state: State) -> int:
    """How many steps a good end is away at most, DOOMED or UNKNOWN, of a state without an atlas.

    First what is wanted happens in turn, without faults; only if that leads to no good end, all
    that follows is looked at, as far as that is not too much.
    """
    most = _as_wanted(world, properties, state)
    if most is not None:
        return most
    away = away_from_good(world, properties, [state], _MOST_LOOKED_AT)
    return UNKNOWN if away is None else int(away[0])


def _as_wanted(world: World, properties: Properties, state: State) -> int | None:
    """How many steps a good end is away if no faults come; None if that does not end well."""
    for taken in range(_LONGEST):
        if world.is_done(state):
            return taken
        wanted = [step for step in world.steps(state) if step.kind not in FAULTS]
        if not wanted:
            return None
        state, broken, _ = properties.taken(world, state, wanted[0])
        if broken:
            return None
    return None


def away_from_good(
    world: World,
    properties: Properties,
    begins: Iterable[State | None],
    most_states: int,
    without: Collection[int] = (),
) -> Numbers | None:
    """How many steps states are away from a good end, DOOMED if none can be reached; the first are
    those given. None if too many others follow.

    A state in which a rule is broken is None. Steps of some kinds can be left out.
    """
    states, steps = [*begins], list[tuple[int, int]]()
    numbers = {state: number for number, state in enumerate(states)}
    for begin, state in enumerate(states):
        if state is None:
            continue
        for step in world.steps(state):
            if step.kind not in without:
                taken, broken, _ = properties.taken(world, state, step)
                after = None if broken else taken
                steps.append((begin, numbers.setdefault(after, len(states))))
                states += [after] * (len(numbers) - len(states))
        if len(states) > most_states:
            return None
    done = np.array([state is not None and world.is_done(state) for state in states])
    from_, to = np.array(steps, np.int64).reshape(-1, 2).T
    return steps_to(good_ends(done, from_, to), from_, to)
