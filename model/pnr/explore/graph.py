"""The graph of a search: which states are doomed, how likely that is, who waits in a circle.

States are numbered from 0; the steps from one state to another are two arrays of numbers, of the
states where they begin and where they end. A *good end* is a state in which all jobs are done,
nothing is lent and nobody waits, and from which nothing leads to another. A state is *doomed* if a
rule is broken in it, or if no steps lead from it to a good end.
"""

from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from model.pnr.explore.steps import DELIVER, END, FIRE, GO, PLACE, RESTART, Step

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Numbers = npt.NDArray[np.int64]
Which = npt.NDArray[np.bool_]
Chances = npt.NDArray[np.float64]

UNREACHABLE = -1


def matrix_of(begins: Numbers, ends: Numbers, states: int) -> "csr_array":
    """How many steps lead from a state (row) to another (column)."""
    from scipy.sparse import coo_array

    ones = np.ones(len(begins))
    return coo_array((ones, (begins, ends)), shape=(states, states)).tocsr()


def steps_to(wanted: Which, begins: Numbers, ends: Numbers) -> Numbers:
    """By state, how many steps it takes at least to a state that is wanted; UNREACHABLE if none
    leads there."""
    states = len(wanted)
    distance = np.where(wanted, 0, UNREACHABLE).astype(np.int64)
    into = matrix_of(ends, begins, states)  # from where steps lead, by where they lead
    level, steps = np.flatnonzero(wanted), 0
    while len(level):
        steps += 1
        reached = np.unique(into[level].indices)
        level = reached[distance[reached] == UNREACHABLE]
        distance[level] = steps
    return distance


def good_ends(done: Which, begins: Numbers, ends: Numbers) -> Which:
    """Of the states in which all is done, those from which it stays so, whatever happens."""
    stays: Which = done & (steps_to(~done, begins, ends) == UNREACHABLE)
    return stays


def chance_of(doomed: Which, good: Which, begins: Numbers, ends: Numbers) -> Chances:
    """By state, the probability that a doomed one comes before a good end, if of the steps that are
    possible each is as likely as any other.

    A Markov chain whose absorbing states are the doomed ones and the good ends: from each other
    state, one of these must be reachable. It is iterated until nothing changes by more than 1e-12:
    most graphs have few circles, and without one that takes as many rounds as the longest path.
    """
    chance = doomed.astype(float)
    is_open = ~(doomed | good)
    inner = is_open[begins]
    begins, ends = begins[inner], ends[inner]
    degree = np.bincount(begins, minlength=len(doomed))
    while True:
        sums = np.bincount(begins, weights=chance[ends], minlength=len(doomed))
        following = np.where(is_open, sums / np.maximum(degree, 1), chance)
        if np.abs(following - chance).max(initial=0) <= 1e-12:
            return following
        chance = following


_Leads = tuple[int, object, int]  # the place of a step, what is wanted that it does, where it leads


@dataclass(frozen=True, eq=False)
class Graph:
    """The states and steps of a search."""

    begins: Numbers  # of steps, in order
    ends: Numbers
    label: Callable[[int], tuple[Step, object]]  # of a step by its place, and what it is about
    done: Which  # by state, whether all jobs are done, nothing is lent, and nobody waits
    broken: Which
    owed: Numbers  # by state, a number in `debts`
    debts: list[tuple[str, ...]]  # who waits, what is lent, and which rules are open
    any_order: bool  # whether messages may overtake each other

    @property
    def states(self) -> int:
        return len(self.done)

    def steps_from(self, state: int) -> range:
        first, last = np.searchsorted(self.begins, [state, state + 1])
        return range(first, last)

    def places_of(self, path: Sequence[Step]) -> list[int] | None:
        """The places of the steps of a path from the first state; None if one was not taken."""
        state, places = 0, list[int]()
        for step in path:
            own = (place for place in self.steps_from(state) if self.label(place)[0] == step)
            place = next(own, None)
            if place is None:
                return None
            places.append(place)
            state = int(self.ends[place])
        return places

    @cached_property
    def good(self) -> Which:
        return good_ends(self.done, self.begins, self.ends)

    @cached_property
    def away(self) -> Numbers:
        """By state, the fewest steps to a good end; UNREACHABLE if none leads there."""
        return steps_to(self.good, self.begins, self.ends)

    @cached_property
    def doomed(self) -> Which:
        is_doomed: Which = self.away == UNREACHABLE
        return is_doomed

    @cached_property
    def chances(self) -> Chances:
        """By state, the probability to be doomed if each step that is possible is as likely."""
        return chance_of(self.doomed, self.good, self.begins, self.ends)


class Moment(NamedTuple):
    """When a path was doomed: its first step that leads to a doomed state, counted from 1."""

    step: int
    saves: Step | None  # what leads to a good end instead; None if it is doomed from the start
    steps_to_good: int  # from before that step
    chances: tuple[float, ...]  # to be doomed, before each step of the path
    repairs: Any = None  # what else would have saved such runs: see `repair.py`


def moment_doomed(graph: Graph, path: Sequence[Step]) -> Moment | None:
    """When a path was doomed; None if it is not, or if the graph does not hold it."""
    places = graph.places_of(path)
    if places is None:
        return None
    away, states = graph.away, [0, *graph.ends[places].tolist()]
    doomed = [number for number, state in enumerate(states) if away[state] == UNREACHABLE]
    if not doomed:
        return None
    chances = graph.chances
    told = tuple(float(chances[state]) for state in states[:-1])
    if doomed[0] == 0:
        return Moment(0, None, UNREACHABLE, told)
    before = states[doomed[0] - 1]
    left = graph.steps_from(before)
    leads = away[graph.ends[left.start : left.stop]]
    leads = np.where(leads == UNREACHABLE, graph.states + 1, leads)
    saves, _ = graph.label(left.start + int(leads.argmin()))
    return Moment(doomed[0], saves, int(away[before]), told)


class Circle(NamedTuple):
    """Somebody who waits for ever though much happens: a state, and the steps from it to itself."""

    who: str
    begin: int
    steps: tuple[Step, ...]


def find_circle(graph: Graph, others: Collection[str] = ()) -> Circle | None:
    """A circle that can be gone round for ever while the same process waits, which is none of
    these `others`; the first to begin.

    It is fair: of what could happen all the way round, all happens. Messages arrive, timers that
    are due fire, processes end, jobs are placed and servents restart in it, or cannot for a while.
    So what only never comes because others are always faster is none. (Weak fairness, as in
    Lamport, The Temporal Logic of Actions, 1994, section 5.3; it holds in a component of strongly
    connected states if and only if in a circle through all of them.)
    """
    found = None
    for who, waits in _waiting(graph):
        for part in _components(graph, waits) if who not in others else ():
            first = int(part[0])
            if (found is None or first < found.begin) and _is_fair(graph, part):
                found = Circle(who, first, ())
                members = part
    if found is None:
        return None
    return found._replace(steps=_round(graph, members))


def _waiting(graph: Graph) -> Iterator[tuple[str, Which]]:
    """Who waits or lends somewhere, and in which states: clients, not those who serve them."""
    places: dict[str, list[int]] = {}
    for number, waiting in enumerate(graph.debts):
        for who in waiting:
            places.setdefault(who, []).append(number)
    for who, numbers in places.items():
        yield who, np.isin(graph.owed, numbers)


def _components(graph: Graph, within: Which) -> list[Numbers]:
    """The sets of states, among these, of which each can be reached from each by some steps."""
    inner = within[graph.begins] & within[graph.ends]
    begins, ends = graph.begins[inner], graph.ends[inner]
    if not (ends <= begins).any():  # states are numbered as they are found: no circle
        return []
    from scipy.sparse.csgraph import connected_components  # takes a while to load

    matrix = matrix_of(begins, ends, graph.states)
    _, component = connected_components(matrix, directed=True, connection="strong")
    circular = np.unique(component[begins[component[begins] == component[ends]]])
    if not len(circular):
        return []
    members = np.flatnonzero(np.isin(component, circular))
    order = np.argsort(component[members], kind="stable")
    members = members[order]
    cuts = np.flatnonzero(np.diff(component[members])) + 1
    return [part.astype(np.int64) for part in np.split(members, cuts)]


def _wanted(graph: Graph, place: int) -> object:
    """What the step at a place does for somebody who waits for it; None: nothing."""
    (kind, a, b, _), subject = graph.label(place)
    if kind == DELIVER:
        return kind, a, b, subject if graph.any_order else None
    if kind == FIRE:
        return kind, a, subject
    if kind == END:
        return kind, a, b
    return (kind, a) if kind in (PLACE, RESTART, GO) else None


def _steps_of(graph: Graph, part: Numbers) -> Iterator[int]:
    first = np.searchsorted(graph.begins, part, side="left")
    last = np.searchsorted(graph.begins, part, side="right")
    return chain.from_iterable(map(range, first.tolist(), last.tolist()))


def _is_fair(graph: Graph, part: Numbers) -> bool:
    """Whether of what could always happen in these states, all happens there."""
    members = {*part.tolist()}
    could: dict[object, set[int]] = {}  # what is wanted, by the states in which it can be
    happens: set[object] = {None}
    for place in _steps_of(graph, part):
        want = _wanted(graph, place)
        could.setdefault(want, set()).add(int(graph.begins[place]))
        if int(graph.ends[place]) in members:
            happens.add(want)
    return not any(
        len(states) == len(members) for want, states in could.items() if want not in happens
    )


def _round(graph: Graph, part: Numbers) -> tuple[Step, ...]:
    """The steps of a circle from the first of these states that is fair."""
    following: dict[int, list[_Leads]] = {}
    could: dict[int, dict[object, None]] = {}  # by state, what is wanted there
    members = {*part.tolist()}
    for place in _steps_of(graph, part):
        want = _wanted(graph, place)
        begin, end = int(graph.begins[place]), int(graph.ends[place])
        could.setdefault(begin, {})[want] = None
        if end in members:
            following.setdefault(begin, []).append((place, want, end))
    begin = at = int(part[0])
    way: list[_Leads] = []
    for want in [want for want in could[begin] if want is not None]:
        done = any(_does(step, want, could) for step in way)
        if not done:
            way += _way(following, at, partial(_does, want=want, could=could))
            at = way[-1][2]
    if at != begin or not way:
        way += _way(following, at, lambda step: step[2] == begin)
    return tuple(graph.label(place)[0] for place, *_ in way)


def _does(step: _Leads, want: object, could: Mapping[int, Collection[object]]) -> bool:
    """Whether a step does what is wanted, or leads where it cannot be done."""
    return step[1] == want or want not in could[step[2]]


def _way(
    following: Mapping[int, Sequence[_Leads]], begin: int, is_last: Callable[[_Leads], bool]
) -> list[_Leads]:
    """The fewest steps from a state, the last of which is such a one."""
    came: dict[int, tuple[int, _Leads] | None] = {begin: None}
    left = deque([begin])
    while left:
        state = left.popleft()
        for step in following[state]:
            if is_last(step):
                way = [step]
                while (before := came[state]) is not None:
                    state, step = before
                    way.append(step)
                return way[::-1]
            if step[2] not in came:
                came[step[2]] = state, step
                left.append(step[2])
    raise AssertionError("a component is strongly connected")
