"""The search: breadth first, so that what is found is found by a shortest path.

States are numbered in the order in which they are found, and steps are taken in that order and
their own. One or several explorers compute what follows a state; this decides which of it is new,
always in the same order, so the path found does not depend on how many explorers there are.
"""

import gc
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from model.pnr.explore.instants import apart_if_possible
from model.pnr.explore.properties import Look, Properties
from model.pnr.explore.setting import Setting
from model.pnr.explore.world import State, Step, World

_CHUNK = 2_048  # states whose steps are taken before what is new among them is passed on
_DIGEST = 16  # bytes

Progress = Callable[[int, int, int], None]  # states found, states to look at, depth


@dataclass(frozen=True)
class Finding:
    """A broken rule, and the steps that lead there from the beginning."""

    complaint: str
    path: tuple[Step, ...]


@dataclass(frozen=True)
class Found:
    """What a search has seen, and what it has found."""

    states: int
    steps: int
    depth: int  # the most steps that lead to a state it has seen
    whole: bool  # whether all states were seen
    sometimes: dict[str, bool]
    finding: Finding | None = None


class Following(NamedTuple):
    """What follows some states: of each its number and how many steps it has, then step by step."""

    numbers: "array[int]"  # of states
    counts: "array[int]"
    steps: "array[int]"
    digests: bytes
    broken: list[tuple[int, str]]  # (place among the steps, complaint)
    seen: int


class Explorer:
    """Takes steps from states that it holds, by their numbers."""

    def __init__(self, setting: Setting, apart: bool) -> None:
        self.world = World(setting, apart)
        self.properties = Properties(setting)
        self._states: dict[int, State] = {}
        self._following: list[State] = []

    def begin(self) -> bytes:
        """Make the first state; returns its digest."""
        self._states[0] = beginning = self.world.beginning().state
        return self.world.digest(beginning)

    def expand(self, first: int, end: int) -> Following:
        """Take all steps from those of these states that it holds."""
        world, properties = self.world, self.properties
        found = Following(array("Q"), array("Q"), array("Q"), b"", [], 0)
        digests: list[bytes] = []
        seen = 0
        following: list[State] = []
        self._following = following
        held = self._states
        for number in range(first, end):
            state = held.pop(number, None)
            if state is None:
                continue
            before = Look(world, state)
            steps = world.steps(state)
            found.numbers.append(number)
            found.counts.append(len(steps))
            for step in steps:
                after, broken, bits = world.take(state, step)
                look = Look(world, after)
                if broken is None:
                    broken = properties.complaint(before, step, look)
                seen |= bits | properties.seen(before, step, look)
                if broken is not None:
                    found.broken.append((len(following), broken))
                found.steps.append(_packed(step))
                digests.append(world.digest(after))
                following.append(after)
        return found._replace(digests=b"".join(digests), seen=seen)

    def keep(self, places: Sequence[int], numbers: Sequence[int]) -> None:
        """Hold those states of the last steps that are new, under these numbers."""
        for place, number in zip(places, numbers, strict=True):
            self._states[number] = self._following[place]
        self._following = []

    def hold_only(self, remainder: int, explorers: int) -> None:
        """Forget the states that others hold from now on."""
        self._states = {n: s for n, s in self._states.items() if n % explorers == remainder}


class Explorers(Protocol):
    """One explorer, or several that share the states."""

    def begin(self) -> bytes:
        """The digest of the first state."""

    def expand(self, first: int, end: int) -> list[Following]:
        """What follows these states, by explorer."""

    def keep(self, places: list["array[int]"], numbers: list["array[int]"]) -> None:
        """Have each explorer hold what is new among its last steps, under new numbers."""


class Alone:
    """One explorer, in this process."""

    def __init__(self, explorer: Explorer) -> None:
        self.explorer = explorer

    def begin(self) -> bytes:
        """The digest of the first state."""
        return self.explorer.begin()

    def expand(self, first: int, end: int) -> list[Following]:
        """What follows these states."""
        return [self.explorer.expand(first, end)]

    def keep(self, places: list["array[int]"], numbers: list["array[int]"]) -> None:
        """Have it hold what is new among its last steps."""
        self.explorer.keep(places[0], numbers[0])


def search(
    setting: Setting,
    *,
    most_depth: int | None = None,
    most_states: int | None = None,
    explorers: Callable[[bool], Explorers] | None = None,
    progress: Progress = lambda states, left, depth: None,
) -> Found:
    """Search all orders of steps up to a depth and a number of states.

    `explorers` makes those that take the steps; its argument is whether the times of each node are
    taken apart from those of others.
    """
    make = explorers or (lambda apart: Alone(Explorer(setting, apart)))

    def run(apart: bool) -> Found:
        found = broken_at_once(World(setting, apart))
        return found or _Search(setting, make(apart), most_depth, most_states, progress).run()

    with _without_garbage_collection():
        return apart_if_possible(run)


def broken_at_once(world: World) -> Found | None:
    """What is found if a rule is broken before the first step, when servents start; or None."""
    broken = world.beginning().broken
    if broken is None:
        return None
    nothing_seen = dict.fromkeys(Properties(world.setting).bits, False)
    return Found(1, 0, 0, False, nothing_seen, Finding(broken, ()))


class _Search:
    """What is known of all states: digests, and the step that first led to each."""

    def __init__(
        self,
        setting: Setting,
        explorers: Explorers,
        most_depth: int | None,
        most_states: int | None,
        progress: Progress,
    ) -> None:
        self.bits = Properties(setting).bits
        self.explorers = explorers
        self.most_depth = most_depth
        self.most_states = most_states
        self.progress = progress
        self.known: set[bytes] = set()
        self.parents = array("Q", [0])  # by the number of a state
        self.steps = array("Q", [0])
        self.taken = 0
        self.seen = 0

    def run(self) -> Found:
        """Search level by level."""
        self.known.add(self.explorers.begin())
        first, end, depth = 0, 1, 0
        while first < end:
            if depth == self.most_depth:
                return self._found(depth)
            for lower in range(first, end, _CHUNK):
                upper = min(lower + _CHUNK, end)
                finding = self._expand(lower, upper)
                if finding is not None:
                    return self._found(len(finding.path), finding=finding)
                if len(self.parents) == self.most_states:
                    return self._found(depth + 1)
                self.progress(len(self.parents), len(self.parents) - upper, depth)
            first, end = end, len(self.parents)
            depth += first < end
        return self._found(depth, whole=True)

    def _expand(self, first: int, end: int) -> Finding | None:
        """Take all steps from these states, in order; returns what is broken first."""
        followings = self.explorers.expand(first, end)
        places = [array("Q") for _ in followings]
        numbers = [array("Q") for _ in followings]
        broken = [dict(following.broken) for following in followings]
        known, most = self.known, self.most_states
        for number, which, begin, count in _in_order(followings):
            steps, digests = followings[which].steps, followings[which].digests
            complaints = broken[which]
            for place in range(begin, begin + count):
                self.taken += 1
                if place in complaints:
                    path = (*self._path(number), _unpacked(steps[place]))
                    return Finding(complaints[place], path)
                digest = digests[place * _DIGEST : place * _DIGEST + _DIGEST]
                if digest in known:
                    continue
                known.add(digest)
                places[which].append(place)
                numbers[which].append(len(self.parents))
                self.parents.append(number)
                self.steps.append(steps[place])
                if len(self.parents) == most:
                    return None
        for following in followings:
            self.seen |= following.seen
        self.explorers.keep(places, numbers)
        return None

    def _path(self, number: int) -> tuple[Step, ...]:
        """The steps that lead to a state from the first."""
        path = []
        while number:
            path.append(_unpacked(self.steps[number]))
            number = self.parents[number]
        return tuple(reversed(path))

    def _found(self, depth: int, whole: bool = False, finding: Finding | None = None) -> Found:
        sometimes = {wish: bool(self.seen & bit) for wish, bit in self.bits.items()}
        return Found(len(self.parents), self.taken, depth, whole, sometimes, finding)


def _in_order(followings: list[Following]) -> Iterator[tuple[int, int, int, int]]:
    """Each state's number, its explorer, and the place and count of its steps, by number."""
    found = []
    for which, following in enumerate(followings):
        begin = 0
        for number, count in zip(following.numbers, following.counts, strict=True):
            found.append((number, which, begin, count))
            begin += count
    return iter(sorted(found))


def _packed(step: Step) -> int:
    kind, a, b, c = step
    return kind << 48 | a << 32 | b << 16 | c


def _unpacked(packed: int) -> Step:
    return Step(packed >> 48, packed >> 32 & 0xFFFF, packed >> 16 & 0xFFFF, packed & 0xFFFF)


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """A search makes millions of tuples and no rings of them: looking for these would take long."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
