"""The search: breadth first, so that a rule that is broken is found by a shortest path.

States are numbered in the order in which they are found, and steps are taken in that order and
their own. A state in which a rule is broken is an end. Who waits for ever in a circle of steps is
looked for when all states are known: the shortest way to where one begins, and then around it.
"""

import gc
import re
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf
from sys import getsizeof
from typing import TYPE_CHECKING, Any

from model.pnr.explore.alike import MOST_ALIKE, Alike, Distinguished, as_alike_as_possible
from model.pnr.explore.properties import CIRCLE, Look, Properties, without_numbers
from model.pnr.explore.setting import Setting
from model.pnr.explore.steps import Step
from model.pnr.explore.world import State, World, who_waits

if TYPE_CHECKING:
    from model.pnr.explore.causes import Causes
    from model.pnr.explore.graph import Graph
    from model.pnr.explore.trail import Trail

_CHUNK = 1_000  # states between two reports of progress
KEPT_EVERY_S = 180
_WALKED_AT = 500  # the state at which it is looked for what grows for ever
_PER_STATE = 32 + 3 * 8  # bytes of a state beside its tuples: its number, and in three arrays
_PER_NODE = 3_000  # bytes, measured, of a node with its reactions and their messages

Progress = Callable[[int, int, int], None]  # states found, states to look at, depth


@dataclass(frozen=True)
class Finding:
    """A broken rule, and the steps that lead there from the beginning.

    If the last ones `repeat`, they lead back to where they began, and can be taken for ever. From
    the `doomed` step on no order of events leads to a good end.
    """

    complaint: str
    path: tuple[Step, ...]
    repeat: int = 0  # steps
    doomed: int | None = field(default=None, compare=False)  # counted from 1; None: not known
    #: What that step is about (`causes.py`), and in how many states such a step dooms the run.
    cause: str = field(default="", compare=False)
    dooms: int = field(default=0, compare=False)
    #: What made states alike, which may change the places of messages.
    alike: Alike = field(default=MOST_ALIKE, compare=False)


@dataclass(frozen=True)
class Found:
    """What a search has seen, and what it has found."""

    states: int
    steps: int
    depth: int  # the most steps that lead to a state it has seen
    whole: bool  # whether all states were seen
    sometimes: dict[str, bool]
    finding: Finding | None = None
    #: All findings of a search that went on: the first of each cause, and of each kind of complaint
    #: that these do not show; if not all states were seen, the first of each kind.
    findings: tuple[Finding, ...] = ()
    known: tuple[Finding, ...] = ()  # findings that the design's file gives a reason for
    complete: int = 0  # steps, up to which all was seen if not all states were
    interrupted: bool = False  # by Ctrl-C
    by_times: bool = False  # whether roles have calculated with times, of which only the order
    by_time: bool = False  # is in a state; and with the time since the beginning, which is not
    search: "Search | None" = field(default=None, compare=False, repr=False)  # None: walks


def search(
    setting: Setting,
    *,
    most_depth: int | None = None,
    most_states: int | None = None,
    most_bytes: int | None = None,
    all_rules: bool = False,
    known_causes: Mapping[str, str] | None = None,
    trail: "Trail | None" = None,
    keeper: Any = None,
    progress: Progress = lambda states, left, depth: None,
) -> Found:
    """Search all orders of steps up to a depth, a number of states, and memory taken by them.

    It ends with the first finding; if it is to find `all_rules` that are broken, it goes on, but
    not from states in which one is. So it does if there are `known_causes` with their reasons, here
    or in the design's file: what these doom is no finding, once all states are seen. Who waits for
    ever though much happens is looked for when all states are known that will be. On the `trail`
    the lines of roles that run are crossed off. The `keeper` has what an earlier search has seen,
    with which this one goes on, and keeps this one.
    """

    def run(alike: Alike) -> Found:
        world = World(setting, alike, trail=trail)
        found = broken_at_once(world)
        if found is not None:
            return found
        causes = known_causes or {}
        limits = most_depth, most_states, most_bytes
        one = Search(world, *limits, all_rules, progress, causes, keeper)
        found = one.run()
        if keeper is not None:
            keeper.keep(one)
        return one.with_causes(one.with_circle(found))

    with without_garbage_collection():
        return as_alike_as_possible(run, MOST_ALIKE if keeper is None else keeper.alike)


def broken_at_once(world: World) -> Found | None:
    """What is found if a rule is broken before the first step, when servents start; or None."""
    broken = world.beginning().broken
    if broken is None:
        return None
    nothing_seen = dict.fromkeys(Properties(world.setting).bits, False)
    return Found(1, 0, 0, False, nothing_seen, Finding(broken, (), alike=world.alike))


@dataclass
class Search:
    """One search, level by level, and all that it has seen."""

    world: World
    most_depth: int | None = None
    most_states: int | None = None
    most_bytes: int | None = None
    all_rules: bool = False
    progress: Progress = lambda states, left, depth: None
    known_causes: Mapping[str, str] = field(default_factory=dict)
    keeper: Any = None

    def __post_init__(self) -> None:
        self.properties = Properties(self.world.setting)
        self.known_causes = {**self.properties.known_causes, **self.known_causes}
        self.all_rules = self.all_rules or bool(self.known_causes)
        self.depth = 0
        self.first_seen: dict[int, tuple[int, Step]] = {}  # bit -> by which step from which state
        self.findings: dict[str, Finding] = {}  # by kind
        self.known: dict[str, Finding] = {}  # of those that the design's file knows
        state, complaint, _ = self.world.beginning()
        self.states = [state]
        self.numbers: dict[object, int] = {state: 0}
        self.broken = {} if complaint is None else {0: complaint}  # what is wrong, by state
        self.pruned: set[int] = set()  # states not to go on from
        self.parents = array("q", [0])  # by state, from where it was found
        self.firsts = array("q")  # by state, the place in `ends` of the first step from it
        self.ends = array("q")  # by step, where it leads
        if self.keeper is not None:
            self.keeper.begins(self)

    def run(self) -> Found:
        """Search until something is found, all is seen, a limit is reached, or Ctrl-C comes."""
        try:
            return self._run()
        except KeyboardInterrupt:
            return replace(self._found(self.depth + 1), complete=self.depth, interrupted=True)

    def _run(self) -> Found:
        states, most_states = self.states, self.most_states or inf
        first, end, depth = 0, 1, 0
        while first < end:
            self.depth = depth
            if depth == self.most_depth:
                return replace(self._found(depth), complete=depth)
            for number in range(first, end):
                finding = self._take_all(number)
                if finding is not None and not self.all_rules:
                    return self._found(len(finding.path))
                is_full = number % _CHUNK == 0 and self.bytes_held() > (self.most_bytes or inf)
                if is_full or len(states) >= most_states:
                    return replace(self._found(depth + 1), complete=depth)
                if number == _WALKED_AT and not self.world.setting.rules:
                    self._count_alike()
                if number % _CHUNK == 0:
                    self.progress(len(states), len(states) - number, depth)
                    if self.keeper is not None:
                        self.keeper.keep(self, KEPT_EVERY_S)
            first, end = end, len(states)
            depth += first < end
        return self._found(depth, whole=True)

    def _count_alike(self) -> None:
        """Raise Distinguished if roles count something for ever: then it is taken as a number."""
        from model.pnr.explore.growth import growing

        alike = self.world.alike
        counts = [growth.of for growth in growing(World(self.world.setting, alike))]
        more = alike.with_fields([field for field in counts if field is not None])
        if more != alike:
            raise Distinguished(more)

    def _take_all(self, number: int) -> Finding | None:
        """Take all steps from a state, up to one with which the search ends."""
        self.firsts.append(len(self.ends))
        if number in self.broken or number in self.pruned:
            return None
        world, states, numbers = self.world, self.states, self.numbers
        properties, each_step = self.properties, self.properties.each_step
        before = Look(world, states[number])
        kept = () if self.keeper is None else self.keeper.ends_of(number)
        for place, step in enumerate(world.steps(before.state)):
            if place < len(kept) and kept[place] < len(states):
                self.ends.append(kept[place])
                continue
            after, complaint, seen = world.take(before.state, step)
            if each_step:
                look = Look(world, after, is_after=True)
                complaint = complaint or properties.own_complaint(before, step, look)
                seen |= properties.seen(before, step, look)
            found = len(states)
            is_pruned = bool(seen & properties.pruned)
            is_end = is_pruned or complaint is not None
            end = numbers.setdefault((after, complaint) if is_end else after, found)
            self.ends.append(end)
            if seen:
                self._has_seen(seen, number, step)
            if end < found:
                continue
            states.append(after)
            self.parents.append(number)
            if is_pruned:
                self.pruned.add(end)
            if complaint is None:
                complaint = properties.shipped_complaint(before, step, Look(world, after))
            if complaint is not None:
                self.broken[end] = complaint
                finding = self._finding_of(complaint, number, step)
                if finding is not None and not self.all_rules:
                    return finding
            if found + 1 == self.most_states:
                break
        return None

    def _has_seen(self, seen: int, number: int, step: Step) -> None:
        for bit in self.properties.bits.values():
            if seen & bit:
                self.first_seen.setdefault(bit, (number, step))

    def _finding_of(self, complaint: str, number: int, step: Step) -> Finding | None:
        """What is wrong with a step from a state, if it is the first of its kind, and not known."""
        kind, reason = kind_of(complaint), self.properties.reason(complaint)
        kept = self.findings if reason is None else self.known
        if kind in kept:
            return None
        finding = kept[kind] = self.finding(complaint, (*self.path(number), step))
        return finding if reason is None else None

    def bytes_held(self) -> int:
        """The estimated bytes of all states and parts, by the size of the latest state."""
        state = self.states[-1]
        its = (state, state.nodes, state.channels, state.clock.moments, *state.clock.moments)
        each = sum(map(getsizeof, its)) + _PER_STATE
        steps = len(self.ends) * self.ends.itemsize
        parts = len(self.world.parts.nodes) * _PER_NODE
        return len(self.states) * each + getsizeof(self.numbers) + steps + parts

    def number_of(self, state: State, complaint: str | None) -> int | None:
        """The number of a state that has been found, in which this is wrong."""
        as_broken = state, complaint
        if complaint is None or as_broken not in self.numbers:
            return self.numbers.get(state)
        return self.numbers.get(as_broken)

    def ends_of(self, number: int) -> Sequence[int]:
        """Where the steps lead that were taken from a state."""
        if number >= len(self.firsts):
            return ()
        first, *after = self.firsts[number : number + 2]
        return self.ends[first : after[0] if after else None]

    def path(self, number: int) -> tuple[Step, ...]:
        path = []
        while number:
            parent = self.parents[number]
            place = self.ends_of(parent).index(number)
            path.append(self.world.steps(self.states[parent])[place])
            number = parent
        return tuple(reversed(path))

    def with_circle(self, found: Found) -> Found:
        """What was found, and if a search did not end with it, whether somebody waits for ever."""
        setting = self.world.setting
        if (found.finding and not self.all_rules) or not (
            self.properties.of_circles or setting.rules
        ):
            return found
        if found.interrupted:
            return found
        from model.pnr.explore.graph import find_circle

        graph, told = self.graph, list[str]()
        while (circle := find_circle(graph, told)) is not None:
            told.append(circle.who)
            path = (*self.path(circle.begin), *circle.steps)
            complaint = in_circle(circle.who, len(path), len(circle.steps))
            finding = self.finding(complaint, path, len(circle.steps))
            if self.properties.reason(complaint) is None:
                findings = (*found.findings, finding)
                found = replace(found, finding=found.finding or finding, findings=findings)
                break
            self.known.setdefault(kind_of(complaint), finding)
        return replace(found, known=tuple(self.known.values()))

    def with_causes(self, found: Found) -> Found:
        """What was found, told apart by cause, if the search went on and all states were seen."""
        if not (found.whole and self.all_rules and found.findings):
            return found

        causes = self.causes

        def told(finding: Finding) -> Finding:
            doom = causes.of(finding.path)
            if doom is None:
                return finding
            return replace(finding, doomed=doom.step, cause=doom.cause, dooms=doom.states)

        shortest = [
            told(self.finding(self.broken[end], (*self.path(begin), *steps)))
            for begin, steps, end in causes.shortest()
        ]
        findings = [told(finding) for finding in found.findings]
        shown = {finding.cause: len(finding.path) for finding in findings}
        findings += [it for it in shortest if len(it.path) != shown.get(it.cause)]
        findings.sort(key=lambda finding: len(finding.path))
        new = [it for it in findings if self.reason(it) is None]
        known = (*found.known, *(it for it in findings if self.reason(it) is not None))
        first = new[0] if new else None
        return replace(found, finding=first, findings=tuple(new), known=known)

    def reason(self, finding: Finding) -> str | None:
        """Why a finding is known, by its cause or its complaint; None if it is not."""
        reason = self.known_causes.get(finding.cause)
        return self.properties.reason(finding.complaint) if reason is None else reason

    def depths(self) -> list[int]:
        """By state, the fewest steps that lead there."""
        depths = [0]
        for parent in self.parents[1:]:
            depths.append(depths[parent] + 1)
        return depths

    def finding(self, complaint: str, path: tuple[Step, ...], repeat: int = 0) -> Finding:
        return Finding(complaint, path, repeat, alike=self.world.alike)

    def _found(self, depth: int, whole: bool = False) -> Found:
        findings = tuple(self.findings.values())
        sometimes = {wish: bit in self.first_seen for wish, bit in self.properties.bits.items()}
        first = findings[0] if findings else None
        return Found(
            *(len(self.states), len(self.ends), depth, whole, sometimes, first, findings),
            tuple(self.known.values()),
            by_times=self.world.reactions.by_times,
            by_time=self.world.reactions.by_time,
            search=self,
        )

    @cached_property
    def causes(self) -> "Causes":
        """What dooms runs, once all states have been seen."""
        from model.pnr.explore.causes import Causes

        return Causes(self.world, self.graph, self.states, self.depths())

    @cached_property
    def graph(self) -> "Graph":
        """All states and steps that are known, once the search is over."""
        import numpy as np

        from model.pnr.explore.graph import Graph

        world, states, firsts, broken = self.world, self.states, self.firsts, self.broken
        ends = np.array(self.ends)
        begins = np.repeat(np.arange(len(firsts)), np.diff(firsts, append=len(ends)))
        number_of: dict[Any, int] = {}
        is_owed = self.properties.of_circles
        debts = ((world.owed(it) if is_owed else (), world.open(it)) for it in states)
        owed = [number_of.setdefault(debt, len(number_of)) for debt in debts]
        ends_well = ((it in self.pruned) or world.is_done(states[it]) for it in range(len(states)))
        done = [well and number not in broken for number, well in enumerate(ends_well)]
        is_broken = [number in broken for number in range(len(states))]

        def label(place: int) -> tuple[Step, object]:
            state, first = states[begins[place]], firsts[begins[place]]
            step = world.steps(state)[place - first]
            return step, world.subject(state, step)

        return Graph(
            begins,
            ends,
            label,
            np.array(done),
            np.array(is_broken),
            np.array(owed),
            [(*who_waits(owed), *is_open) for owed, is_open in number_of],
            any_order=world.setting.order == "any",
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
    if world.smallest(circle[0]) != world.smallest(circle[-1]):
        return None
    is_owed = CIRCLE not in world.setting.left_out
    owed = [who_waits(world.owed(state)) if is_owed else () for state in circle]
    waiting = [[*who, *world.open(state)] for who, state in zip(owed, circle, strict=True)]
    always = set.intersection(*map(set, waiting))
    if not always:
        return None
    first = next(who for who in waiting[0] if who in always)
    return in_circle(first, len(states) - 1, repeat)


def kind_of(complaint: str) -> str:
    """The kind of a complaint: what is said, whichever and however many nodes it is said of."""
    what, _, whom = without_numbers(complaint).partition(": ")
    said = sorted({*re.split(r"[;,] (?=node)", whom)})
    return f"{what}: {'; '.join(said)}"


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """A search makes millions of tuples and no rings of them: looking for these would take long."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
