"""The search: breadth first, so that what is found is found by a shortest path.

States are numbered in the order in which they are found, and steps are taken in that order and
their own. The first states are searched in Python, since that begins at once; a search that goes on
begins again, compiled. Both take the same steps, in the same order.
"""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from model.pnr.explore.instants import apart_if_possible
from model.pnr.explore.properties import Look, Properties
from model.pnr.explore.setting import Setting
from model.pnr.explore.world import Step, Transition, World

_CHUNK = 10_000  # states between two reports of progress
_FEW = 2_000  # states that are searched in Python

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


class Steps(Protocol):
    """Takes the steps, from state to state."""

    @property
    def found(self) -> int:
        """How many states are known."""

    @property
    def taken(self) -> int:
        """How many steps were taken."""

    @property
    def seen(self) -> int:
        """What was seen of requests, as bits."""

    def advance(self, end: int) -> bool:
        """Take steps from the states before number `end`, up to one that is to be looked at;
        returns whether there is one."""

    def look(self) -> Transition:
        """The step that is to be looked at."""

    def path(self, number: int) -> tuple[Step, ...]:
        """The steps that first led to a state."""


class Plain:
    """Takes the steps in Python; all are to be looked at."""

    def __init__(self, world: World, most_states: int) -> None:
        self.world = world
        self.most_states = most_states
        self.taken = self.seen = 0
        first = world.beginning().state
        self._states = [first]
        self._known = {world.digest(first)}
        self._came: list[tuple[int, Step]] = [(0, Step(0))]  # from which state, and how
        self._at = 0
        self._left = iter(world.steps(first))
        self._last: Transition | None = None

    @property
    def found(self) -> int:
        """How many states are known."""
        return len(self._states)

    def advance(self, end: int) -> bool:
        """Take the next step from the states before number `end`; returns whether there is one."""
        while self._at < end and self.found < self.most_states:
            step = next(self._left, None)
            if step is not None:
                self._take(step)
                return True
            self._at += 1
            if self._at < self.found:
                self._left = iter(self.world.steps(self._states[self._at]))
        return False

    def _take(self, step: Step) -> None:
        before = self._states[self._at]
        after, broken, seen = self.world.take(before, step)
        self.taken += 1
        self.seen |= seen
        self._last = Transition(self._at, before, step, after, broken)
        digest = self.world.digest(after)
        if broken is None and digest not in self._known:
            self._known.add(digest)
            self._states.append(after)
            self._came.append((self._at, step))

    def look(self) -> Transition:
        """The last step."""
        assert self._last is not None
        return self._last

    def path(self, number: int) -> tuple[Step, ...]:
        """The steps that first led to a state."""
        path = []
        while number:
            number, step = self._came[number]
            path.append(step)
        return tuple(reversed(path))


def search(
    setting: Setting,
    *,
    most_depth: int | None = None,
    most_states: int | None = None,
    most_bytes: int | None = None,
    progress: Progress = lambda states, left, depth: None,
) -> Found:
    """Search all orders of steps up to a depth, a number of states, and memory taken by them."""

    def run(apart: bool) -> Found:
        world = World(setting, apart)
        found = broken_at_once(world)
        if found is not None:
            return found
        most = most_states or (1 << 32) - 2
        few = min(most, _FEW)
        plain = _Search(world, Plain(world, few), most_depth, few, None, progress).run()
        if plain.whole or plain.finding or few == most or plain.states < few:
            return plain
        from model.pnr.explore.table import Table  # which takes a while to load

        table = Table(world, bool(Properties(setting).own), most)
        return _Search(world, table, most_depth, most, most_bytes, progress).run()

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
    """One search, level by level."""

    def __init__(
        self,
        world: World,
        steps: Steps,
        most_depth: int | None,
        most_states: int,
        most_bytes: int | None,
        progress: Progress,
    ) -> None:
        self.world = world
        self.properties = Properties(world.setting)
        self.steps = steps
        self.most_depth = most_depth
        self.most_states = most_states
        self.most_bytes = most_bytes
        self.progress = progress
        self.seen = 0

    def run(self) -> Found:
        """Search until something is found, all is seen, or a limit is reached."""
        steps = self.steps
        first, end, depth = 0, 1, 0
        while first < end:
            if depth == self.most_depth:
                return self._found(depth)
            for lower in range(first, end, _CHUNK):
                upper = min(lower + _CHUNK, end)
                while steps.advance(upper):
                    finding = self._look(steps.look())
                    if finding is not None:
                        return self._found(len(finding.path), finding=finding)
                if steps.found >= self.most_states or self._is_full():
                    return self._found(depth + 1)
                self.progress(steps.found, steps.found - upper, depth)
            first, end = end, steps.found
            depth += first < end
        return self._found(depth, whole=True)

    def _is_full(self) -> bool:
        held = getattr(self.steps, "bytes_held", 0)
        return self.most_bytes is not None and held > self.most_bytes

    def _look(self, taken: Transition) -> Finding | None:
        """What is wrong with a step, if anything."""
        before, after = Look(self.world, taken.before), Look(self.world, taken.after)
        broken = taken.broken or self.properties.complaint(before, taken.step, after)
        self.seen |= self.properties.seen(before, taken.step, after)
        if broken is None:
            return None
        return Finding(broken, (*self.steps.path(taken.number), taken.step))

    def _found(self, depth: int, whole: bool = False, finding: Finding | None = None) -> Found:
        seen = self.seen | self.steps.seen
        sometimes = {wish: bool(seen & bit) for wish, bit in self.properties.bits.items()}
        steps = self.steps
        return Found(steps.found, steps.taken, depth, whole, sometimes, finding)


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
