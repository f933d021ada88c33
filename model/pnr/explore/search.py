"""The search: breadth first, so that a rule that is broken is found by a shortest path.

States are numbered in the order in which they are found, and steps are taken in that order and
their own. The first states are searched in Python, since that begins at once; a search that goes on
begins again, compiled. Both take the same steps, in the same order. Who waits for ever in a circle
of steps is looked for when all states are known: the shortest way to where one begins, and then
around it.
"""

import gc
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from model.pnr.explore.instants import apart_if_possible
from model.pnr.explore.properties import Look, Properties, without_numbers
from model.pnr.explore.setting import Setting
from model.pnr.explore.world import (
    DELIVER,
    DUPLICATE,
    FIRE,
    LOSE,
    State,
    Step,
    Transition,
    World,
    who_waits,
)

if TYPE_CHECKING:
    from model.pnr.explore.graph import Graph
    from model.pnr.explore.trail import Trail

_CHUNK = 10_000  # states between two reports of progress
_FEW = 2_000  # states that are searched in Python

Progress = Callable[[int, int, int], None]  # states found, states to look at, depth


@dataclass(frozen=True)
class Finding:
    """A broken rule, and the steps that lead there from the beginning.

    If the last ones `repeat`, they lead back to where they began, and can be taken for ever. From
    the `lost` step on nothing saves the path: no order of events leads to a good end.
    """

    complaint: str
    path: tuple[Step, ...]
    repeat: int = 0  # steps
    lost: int | None = field(default=None, compare=False)  # counted from 1; None: not known
    #: Whether the times of each node were taken apart, which may change the places of messages.
    apart: bool = field(default=True, compare=False)


@dataclass(frozen=True)
class Found:
    """What a search has seen, and what it has found."""

    states: int
    steps: int
    depth: int  # the most steps that lead to a state it has seen
    whole: bool  # whether all states were seen
    sometimes: dict[str, bool]
    finding: Finding | None = None
    #: All findings of a search that went on: of each rule and kind of complaint the first.
    findings: tuple[Finding, ...] = ()
    known: tuple[Finding, ...] = ()  # findings that the design's file gives a reason for
    complete: int = 0  # steps, up to which all was seen if not all states were
    interrupted: bool = False  # by Ctrl-C
    by_times: bool = False  # whether roles have calculated with times, of which only the order
    by_time: bool = False  # is in a state; and with the time since the beginning, which is not
    graph: "Callable[[], Graph] | None" = field(default=None, compare=False, repr=False)


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

    def leave(self) -> None:
        """Take no steps from where that step leads if it is new, since a rule is broken there."""

    def go_on(self) -> None:
        """Take steps from where that step leads although another has broken a rule there."""

    def graph(self) -> "Graph":
        """All states and steps that are known."""

    def path(self, number: int) -> tuple[Step, ...]:
        """The steps that first led to a state."""


class Plain:
    """Takes the steps in Python; without `each_step`, only new states are looked at."""

    def __init__(self, world: World, each_step: bool, most_states: int) -> None:
        self.world = world
        self.each_step = each_step
        self.most_states = most_states
        self.taken = self.seen = 0
        first = world.beginning().state
        self._states = [first]
        self._numbers = {world.digest(first): 0}
        self._came: list[tuple[int, Step]] = [(0, Step(0))]  # from which state, and how
        self._edges: list[tuple[int, int, int, int]] = []  # whence, whither, what, about what
        self._broken: set[int] = set()
        self._is_new = False  # where the last step led
        self._timers: dict[Any, int] = {}
        self._at = 0
        self._left = iter(world.steps(first))
        self._last: Transition | None = None

    @property
    def found(self) -> int:
        """How many states are known."""
        return len(self._states)

    def advance(self, end: int) -> bool:
        """Take steps from the states before number `end`, up to one that is to be looked at;
        returns whether there is one."""
        while self._at < end and self.found < self.most_states:
            step = next(self._left, None)
            if step is not None:
                if self._take(step) or self.each_step:
                    return True
                continue
            self._at += 1
            if self._at < self.found and self._at not in self._broken:
                self._left = iter(self.world.steps(self._states[self._at]))
        return False

    def _take(self, step: Step) -> bool:
        """Take a step; returns whether it leads to a state that is new."""
        before = self._states[self._at]
        after, broken, seen = self.world.take(before, step)
        self.taken += 1
        self.seen |= seen
        self._last = Transition(self._at, before, step, after, broken)
        digest = self.world.digest(after) + (broken or "").encode()
        found = self.found
        number = self._numbers.setdefault(digest, found)
        if number == found:
            self._states.append(after)
            self._came.append((self._at, step))
        self._edges.append((self._at, number, step.number, self._subject(before, step)))
        self._is_new = number == found
        return self._is_new

    def _subject(self, state: State, step: Step) -> int:
        kind, a, b, c = step
        if kind in (DELIVER, LOSE, DUPLICATE):
            return dict(state.channels)[a, b][c][0]
        name = state.nodes[a][2][b][0] if kind == FIRE else ""
        return self._timers.setdefault(name, len(self._timers))

    def leave(self) -> None:
        """Take no steps from where the last step led if that is new, since a rule is broken there.

        To a state that was found before other steps lead, which have broken none.
        """
        if self._is_new:
            self._broken.add(self._edges[-1][1])

    def go_on(self) -> None:
        """Take steps from where the last step led although another has broken a rule there: the
        state is kept once more."""
        begin, number, step, subject = self._edges[-1]
        if number in self._broken:
            after = self.look().after
            self._numbers[self.world.digest(after)] = self.found
            self._edges[-1] = begin, self.found, step, subject
            self._states.append(after)
            self._came.append((begin, Step.of_number(step)))

    def graph(self) -> "Graph":
        """All states and steps that are known."""
        import numpy as np

        from model.pnr.explore.graph import Graph

        world, found = self.world, range(self.found)
        number_of: dict[tuple[tuple[tuple[str, ...], int], ...], int] = {}
        owed = [number_of.setdefault(world.owed(it), len(number_of)) for it in self._states]
        begins, ends, steps, subjects = np.array(self._edges, np.int64).reshape(-1, 4).T
        broken = np.array([number in self._broken for number in found])
        done = np.array([world.is_done(state) for state in self._states]) & ~broken
        any_order = world.setting.order == "any"
        debts = list(number_of)
        return Graph(begins, ends, steps, subjects, done, broken, np.array(owed), debts, any_order)

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
    all_rules: bool = False,
    trail: "Trail | None" = None,
    progress: Progress = lambda states, left, depth: None,
) -> Found:
    """Search all orders of steps up to a depth, a number of states, and memory taken by them.

    It ends with the first finding; if it is to find `all_rules` that are broken, it goes on, but
    not from states in which one is. Who waits for ever though much happens is looked for when all
    states are known that will be. On the `trail` the lines of roles that run are crossed off.
    """
    most = most_states or (1 << 32) - 2

    def run(apart: bool) -> Found:
        world = World(setting, apart, trail=trail)
        found = broken_at_once(world)
        if found is not None:
            return found
        few, each_step = min(most, _FEW), Properties(setting).each_step
        begun = Plain(world, each_step, few)
        one = _Search(world, begun, most_depth, few, None, all_rules, progress)
        plain = one.run()
        if plain.interrupted:
            return plain
        if plain.whole or (plain.finding and not all_rules) or few == most or plain.states < few:
            return one.with_circle(plain)
        from model.pnr.explore.table import Table  # which takes a while to load

        table = Table(world, each_step, most)
        one = _Search(world, table, most_depth, most, most_bytes, all_rules, progress)
        return one.with_circle(one.run())

    with _without_garbage_collection():
        return apart_if_possible(run)


def broken_at_once(world: World) -> Found | None:
    """What is found if a rule is broken before the first step, when servents start; or None."""
    broken = world.beginning().broken
    if broken is None:
        return None
    nothing_seen = dict.fromkeys(Properties(world.setting).bits, False)
    return Found(1, 0, 0, False, nothing_seen, Finding(broken, (), apart=world.watch.apart))


class _Search:
    """One search, level by level."""

    def __init__(
        self,
        world: World,
        steps: Steps,
        most_depth: int | None,
        most_states: int,
        most_bytes: int | None,
        all_rules: bool,
        progress: Progress,
    ) -> None:
        self.world = world
        self.properties = Properties(world.setting)
        self.steps = steps
        self.most_depth = most_depth
        self.most_states = most_states
        self.most_bytes = most_bytes
        self.all_rules = all_rules
        self.progress = progress
        self.seen = self.depth = 0
        self.findings: dict[str, Finding] = {}  # by kind
        self.known: dict[str, Finding] = {}  # of those that the design's file knows

    def run(self) -> Found:
        """Search until something is found, all is seen, a limit is reached, or Ctrl-C comes."""
        try:
            return self._run()
        except KeyboardInterrupt:
            return replace(self._found(self.depth + 1), complete=self.depth, interrupted=True)

    def _run(self) -> Found:
        steps = self.steps
        first, end, depth = 0, 1, 0
        while first < end:
            self.depth = depth
            if depth == self.most_depth:
                return replace(self._found(depth), complete=depth)
            for lower in range(first, end, _CHUNK):
                upper = min(lower + _CHUNK, end)
                while steps.advance(upper):
                    finding = self._look(steps.look())
                    if finding is not None and not self.all_rules:
                        return self._found(len(finding.path))
                if steps.found >= self.most_states or self._is_full():
                    return replace(self._found(depth + 1), complete=depth)
                self.progress(steps.found, steps.found - upper, depth)
            first, end = end, steps.found
            depth += first < end
        return self._found(depth, whole=True)

    def with_circle(self, found: Found) -> Found:
        """What was found, and if a search did not end with it, whether somebody waits for ever."""
        if (found.finding and not self.all_rules) or not self.properties.of_circles:
            return found
        if found.interrupted:
            return found
        from model.pnr.explore.graph import find_circle

        graph, told = self.steps.graph(), list[str]()
        while (circle := find_circle(graph, told)) is not None:
            told.append(circle.who)
            path = (*self.steps.path(circle.begin), *circle.steps)
            complaint = in_circle(circle.who, len(path), len(circle.steps))
            finding = self._finding(complaint, path, len(circle.steps))
            if self.properties.reason(complaint) is None:
                findings = (*found.findings, finding)
                found = replace(found, finding=found.finding or finding, findings=findings)
                break
            self.known.setdefault(kind_of(complaint), finding)
        return replace(found, known=tuple(self.known.values()))

    def _is_full(self) -> bool:
        held = getattr(self.steps, "bytes_held", 0)
        return self.most_bytes is not None and held > self.most_bytes

    def _look(self, taken: Transition) -> Finding | None:
        """What is wrong with a step, if anything that is new."""
        before, after = Look(self.world, taken.before), Look(self.world, taken.after)
        broken = taken.broken or self.properties.complaint(before, taken.step, after)
        self.seen |= self.properties.seen(before, taken.step, after)
        if broken is None:
            self.steps.go_on()
            return None
        self.steps.leave()
        kind, reason = kind_of(broken), self.properties.reason(broken)
        kept = self.findings if reason is None else self.known
        if kind in kept:
            return None
        finding = self._finding(broken, (*self.steps.path(taken.number), taken.step))
        kept[kind] = finding
        return finding if reason is None else None

    def _finding(self, complaint: str, path: tuple[Step, ...], repeat: int = 0) -> Finding:
        return Finding(complaint, path, repeat, apart=self.world.watch.apart)

    def _found(self, depth: int, whole: bool = False) -> Found:
        steps, findings = self.steps, tuple(self.findings.values())
        seen = self.seen | steps.seen
        sometimes = {wish: bool(seen & bit) for wish, bit in self.properties.bits.items()}
        first = findings[0] if findings else None
        return Found(
            *(steps.found, steps.taken, depth, whole, sometimes, first, findings),
            tuple(self.known.values()),
            by_times=self.world.by_times,
            by_time=self.world.by_time,
            graph=steps.graph,
        )


def in_circle(who: str, steps: int, repeat: int) -> str:
    """What is wrong if somebody waits while the last of so many steps repeat."""
    first = steps - repeat + 1
    which = f"step {steps} repeats" if repeat == 1 else f"steps {first} to {steps} repeat"
    return f"{who}, while {which} for ever"


def waits_in_circle(world: World, states: Sequence[State], repeat: int) -> str | None:
    """What is wrong if the last steps between these states repeat; None if they do not lead back,
    or nobody waits all the while, and nothing stays lent."""
    circle = states[-1 - repeat :]
    if world.digest(circle[0]) != world.digest(circle[-1]):
        return None
    always = set.intersection(*({*who_waits(world.owed(state))} for state in circle))
    if not always:
        return None
    first = next(who for who in who_waits(world.owed(circle[0])) if who in always)
    return in_circle(first, len(states) - 1, repeat)


def kind_of(complaint: str) -> str:
    """The kind of a complaint: what is said, whichever and however many nodes it is said of."""
    what, _, whom = without_numbers(complaint).partition(": ")
    said = sorted({*re.split(r"[;,] (?=node)", whom)})
    return f"{what}: {'; '.join(said)}"


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
