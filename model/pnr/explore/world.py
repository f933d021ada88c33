"""States, the steps that are possible in one, and what each leads to.

A step changes few parts of a state: it takes out a message or a timer, for instance, and gives a
node that as an input (see `reactions.py`).
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from typing import Any, NamedTuple

from agents.pnr.hosting import Host
from model.pnr.explore.alike import MOST_ALIKE, Alike
from model.pnr.explore.clocks import Apart, Clock, Renumbering, Together, smaller
from model.pnr.explore.host import Summary
from model.pnr.explore.monitors import Monitoring
from model.pnr.explore.numbers import codes_in
from model.pnr.explore.parts import Channel, Message, Node, Renumbered
from model.pnr.explore.reactions import Reactions, What
from model.pnr.explore.setting import Fit, Setting, Slots
from model.pnr.explore.steps import (
    CRASH,
    DELIVER,
    DUPLICATE,
    END,
    FAILURES,
    FIRE,
    GO,
    JOIN,
    LEAVE,
    LOSE,
    OF_MESSAGES,
    PLACE,
    RESTART,
    Step,
)
from model.pnr.explore.trail import Trail


@dataclass(frozen=True, eq=False)
class Stage:
    """Where the workload stands, and what has gone wrong so far."""

    slots: Slots
    absent: tuple[int, ...]  # nodes that have not joined yet
    placed: int = 0  # jobs so far
    losses: int = 0
    duplicates: int = 0
    crashes: int = 0
    early: int = 0  # timers that fired too early
    watched: tuple[int, ...] = ()  # the states of monitors (`monitors.py`)
    fits: dict[tuple[int, ...], list[Fit]] = field(default_factory=dict)  # by nodes that leave
    others: dict[Any, "Stage"] = field(default_factory=dict)  # by what changes from this one


class State(NamedTuple):
    """Everything that decides what can happen from now on."""

    nodes: tuple[Node, ...]
    channels: tuple[Channel, ...]  # by sender and receiver
    stage: Stage
    clock: Clock

    def messages(self, source: int, target: int) -> tuple[Message, ...]:
        for channel in self.channels:
            if (channel.source, channel.target) == (source, target):
                return channel.messages
        return ()


class Taken(NamedTuple):
    """Where a step leads, which rule it breaks (if any), and what was seen of requests."""

    state: State
    broken: str | None
    seen: int


def who_waits(owed: Iterable[tuple[tuple[str, ...], int]]) -> Iterator[str]:
    """Who waits and who lends, of all nodes; not managers, who only serve those who wait."""
    for node, (waiting, lent) in enumerate(owed):
        for what in waiting:
            if not what.startswith("the manager"):
                yield f"somebody waits for ever: node {node} ({what})"
        if lent:
            yield f"memory stays lent for ever: node {node}"


class World:
    """All that is known of one setting: parts of states, and what nodes do.

    The `narrator`, if given, is told of every step; then reactions are computed, not looked up. The
    `trail` notes which lines of roles run.
    """

    def __init__(
        self,
        setting: Setting,
        alike: Alike = MOST_ALIKE,
        narrator: Any = None,
        trail: Trail | None = None,
    ) -> None:
        if setting.rules:  # what they keep of ids is not renamed
            alike = alike.as_counted()
        self.setting = setting
        self.narrator = narrator
        self.reactions = Reactions(setting, alike, narrator, trail)
        self.parts = self.reactions.parts
        self.alike = alike
        self.monitoring = Monitoring(setting) if setting.rules else None
        if self.monitoring is not None:
            self.reactions.teller = self.monitoring.teller
        self._fits: dict[Any, dict[tuple[int, ...], list[Fit]]] = {}  # by what they depend on
        self._stages: dict[Any, Stage] = {}
        self._renumbered: dict[tuple[Renumbering | None, ...], Renumbered] = {}
        self._jobs = setting.workload

    def follow(self, narrator: Any) -> None:
        """Let somebody follow what happens, or nobody (None)."""
        self.narrator = self.reactions.narrator = narrator

    @contextmanager
    def unmonitored(self) -> Iterator[None]:
        """Within it no monitor sees what happens."""
        monitoring, self.monitoring = self.monitoring, None
        try:
            yield
        finally:
            self.monitoring = monitoring

    def beginning(self) -> Taken:
        """The state after all servents have started, before the first step; that may break, too."""
        absent = tuple(self.setting.absent)
        numbers = range(self.setting.scenario.nodes)
        nodes = [self.reactions.idle(number, number in absent) for number in numbers]
        if self.narrator is not None:
            self.narrator.begins(absent)
        stage = self._stage(Stage(((),) * self.setting.constants.slots, absent))
        clock = Apart() if self.alike.apart else Together(0, ())
        start = [(number, ("start",)) for number in numbers if number not in absent]
        taken = self._given(nodes, [], stage, clock, start)
        return taken if self.monitoring is None else self._watched(taken, *self.monitoring.begun())

    def _watched(
        self, taken: Taken, numbers: tuple[int, ...], complaint: str | None, seen: int
    ) -> Taken:
        """Where a step leads that monitors have seen, whose states then have these numbers."""
        nodes, channels, stage, clock = taken.state
        if stage.watched != numbers:
            stage = self._changed(stage, watched=numbers)
        state = State(nodes, channels, stage, clock)
        if complaint is None and (is_open := self.open(state)) and self._is_over(state):
            complaint = f"{is_open[0]}, at the end"
        return Taken(state, taken.broken or complaint, taken.seen | seen)

    def _is_over(self, state: State) -> bool:
        """Whether nothing happens any more, unless something befalls a node."""
        return not (state.channels or self.goes_on(state) or self.due(state))

    def _stage(self, stage: Stage) -> Stage:
        """The same as before, if there was one that is equal."""
        key = tuple([getattr(stage, part.name) for part in fields(Stage)[:-2]])
        if key not in self._stages:
            fits = self._fits.setdefault((stage.slots, stage.placed, stage.absent), {})
            self._stages[key] = replace(stage, fits=fits, others={})
        return self._stages[key]

    def _changed(self, stage: Stage, **changes: Any) -> Stage:
        key = tuple(changes.items())
        if key not in stage.others:
            stage.others[key] = self._stage(replace(stage, **changes))
        return stage.others[key]

    # What a state is like

    def host(self, state: State, number: int, is_after: bool = False) -> Host:
        """A node of a state, to look at, and not to change: who looks at it next gets the same.

        A rule that compares what roles count in the state `is_after` with that before is noticed.
        """
        return self.reactions.host(state.nodes[number], state.clock, is_after)

    def content(self, state: State, message: Message, is_after: bool = False) -> tuple[Any, Any]:
        return self.reactions.content(message, state.clock, is_after)

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Notice what rules do with what roles count."""
        numbers = self.reactions.numbers
        numbers.reset()
        yield
        numbers.check()

    def rhythm(self, state: State) -> object:
        """A key that is equal for two states with the same future: of timers and times to come only
        the order counts, and which are overdue."""
        nodes, channels, stage, clock = state
        left_ns = [timer.left_ns for node in nodes for timer in node.timers]
        left_ns += clock.ahead
        order = {left: place for place, left in enumerate(sorted({0, *left_ns}))}
        timers = tuple([timer[:2] for node in nodes for timer in node.timers])
        held = tuple([(node.shape, node.numbers, len(node.timers)) for node in nodes])
        return held, timers, channels, stage, tuple([order[left] for left in left_ns])

    def goes_on(self, state: State) -> bool:
        """Whether a job can be placed, a process end, a servent restart, or a node be gone."""
        for node in state.nodes:
            summary = node.summary
            if summary.running or self._may_restart(state, node):
                return True
            if summary.is_leaving and self._goes(state, node.number):
                return True
        return bool(self.fits(state))

    def _may_restart(self, state: State, node: Node) -> bool:
        summary = node.summary
        stays_out = summary.is_gone or self.setting.for_ever or node.number in state.stage.absent
        return summary.is_down and not stays_out

    def owed(self, state: State) -> tuple[tuple[tuple[str, ...], int], ...]:
        """By node, who waits there, and how many bytes it lends; a servent that is down for ever
        owes and wants nothing."""
        return tuple([self._owed(node.summary) for node in state.nodes])

    def _owed(self, summary: Summary) -> tuple[tuple[str, ...], int]:
        if summary.is_down and self.setting.for_ever:
            return (), 0
        return summary.waiting, summary.lent

    def open(self, state: State) -> tuple[str, ...]:
        """What should have happened by the rules of a user's own, if this is the end."""
        return () if self.monitoring is None else self.monitoring.open(state.stage.watched)

    def is_done(self, state: State) -> bool:
        """Whether all jobs are done, nothing is lent, and nobody and no rule waits."""
        if state.stage.placed < len(self._jobs) or any(state.stage.slots) or self.open(state):
            return False
        return not any(waiting or lent for waiting, lent in self.owed(state))

    # Steps

    def steps(self, state: State) -> list[Step]:
        """All steps that are possible, in the order in which they are taken."""
        nodes, channels, stage, _ = state
        setting = self.setting
        found = [Step(PLACE, way) for way in range(len(self.fits(state)))]
        for node in nodes:
            found += node.ends
        for channel in channels:
            found += channel.deliveries
        if not (setting.late_timers and channels) or stage.early < setting.early:
            found += self.due(state)
        if stage.losses < setting.losses:
            for channel in channels:
                found += channel.faults(LOSE)
        if stage.duplicates < setting.duplicates:
            for channel in channels:
                found += channel.faults(DUPLICATE)
        may_crash = stage.crashes < setting.crashes
        for node in nodes:
            if self._may_restart(state, node):
                found.append(Step(RESTART, node.number))
            elif may_crash and not node.summary.is_down:
                found.append(Step(CRASH, node.number))
        return found + self._coming_and_going(state)

    def _coming_and_going(self, state: State) -> list[Step]:
        """Absent nodes may join, and as many others as are to be told to leave; those told go."""
        absent, setting = state.stage.absent, self.setting
        if not (absent or setting.most_leaves):
            return []
        found = [Step(JOIN, node) for node in absent]
        told = [node.number for node in state.nodes if node.summary.is_leaving]
        if len(told) < setting.most_leaves:
            leavers = [node for node in setting.leavers if node not in (*absent, *told)]
            found += [Step(LEAVE, node) for node in leavers]
        return found + [Step(GO, node) for node in told if self._goes(state, node)]

    def _goes(self, state: State, node: int) -> bool:
        """Whether a node that is leaving may be gone: it is there, and has no jobs."""
        held = [seat for slot in state.stage.slots for _, seats in slot for seat in seats]
        has_jobs = any(seat % len(state.nodes) == node for seat in held)
        return not (has_jobs or state.nodes[node].summary.is_gone)

    def fits(self, state: State) -> list[Fit]:
        """Ways to place the next job; none if none is left, or if it does not fit now."""
        stage = state.stage
        if stage.placed == len(self._jobs):
            return []
        leaving = tuple([node.number for node in state.nodes if node.summary.is_leaving])
        fits = stage.fits.get(leaving)
        if fits is None:
            job, away = self._jobs[stage.placed], (*stage.absent, *leaving)
            fits = stage.fits[leaving] = self.setting.with_job(stage.slots, job, away)
        return fits

    def due(self, state: State) -> list[Step]:
        """The timers that may fire: those due first, since steps take no time."""
        dues = [node.due_ns for node in state.nodes if node.due_ns is not None]
        if not dues:
            return []
        first = min(dues)
        return [
            Step(FIRE, node.number, place)
            for node in state.nodes
            if node.due_ns == first
            for place, timer in enumerate(node.timers)
            if timer.left_ns == first
        ]

    def subject(self, state: State, step: Step) -> object:
        """What message or timer a step is about, if any."""
        kind, a, b, c = step
        if kind in OF_MESSAGES:
            return state.messages(a, b)[c].shape
        return state.nodes[a].timers[b][:2] if kind == FIRE else None

    def take(self, state: State, step: Step) -> Taken:
        """The state after a step that is possible in this one."""
        kind, a, b, _ = step
        stage, clock, narrator = state.stage, state.clock, self.narrator
        nodes, channels = [*state.nodes], [*state.channels]
        inputs: Sequence[tuple[int, What]]
        drops = kind == LOSE
        if kind == DELIVER:
            message = self.parts.take_out(channels, step)
            if narrator is not None:
                narrator.delivered(step, self.why_unheard(state, b))
            inputs = ((b, message),)
        elif kind == FIRE:
            timer = nodes[a].timers[b]
            drops = bool(codes_in(timer.name))
            if narrator is not None:
                narrator.fired(a, timer.role, timer.name)
            if self.setting.late_timers and channels:
                stage = self._changed(stage, early=stage.early + 1)
            clock = clock.later(timer.left_ns)
            nodes = [self.parts.later(node, timer.left_ns) for node in nodes]
            nodes[a] = self.parts.without_timer(nodes[a], b)
            fires = ("fire", timer.role, timer.name)
            inputs = ((a, fires),)
            if idle := self._idle(nodes[a], fires, channels, clock):
                nodes[a], inputs = idle, ()
        elif kind == END:
            inputs = ((a, ("end", b, step.c)),)
        elif kind == PLACE:
            stage, inputs = self._place(state, a)
        elif kind in (LOSE, DUPLICATE):
            stage, inputs = self._befall(channels, stage, step), ()
        else:
            stage, inputs = self._come_or_go(state, kind, a)
        taken = self._given(nodes, channels, stage, clock, inputs, drops)
        taken = self._without_job(taken, b) if kind == END else taken
        if self.monitoring is None:
            return taken
        has_ended = kind == END and taken.state.stage is not stage
        return self._watched(taken, *self.monitoring.taken(self, state, step, has_ended))

    def _idle(
        self, node: Node, fires: tuple[Any, ...], channels: Sequence[Channel], clock: Clock
    ) -> Node | None:
        """The node after a timer that is set again and only sends what it has sent before, and what
        is still on its way; None if it does anything else.

        So it waits until they have arrived. Else heartbeats without end could be on their way.
        """
        if not self.alike.idle:
            return None
        narrator = self.narrator
        if narrator is not None:
            self.follow(None)  # it is not to hear what the node would do
        reaction = self.reactions.of(node, fires, clock)
        if narrator is not None:
            self.follow(narrator)
        after = reaction.node
        if reaction.broken or after.shape is not node.shape or not reaction.sends:
            return None
        if fires[1:] not in [timer[:2] for timer in after.timers]:
            return None
        on_their_way = {
            (channel.source, channel.target, message.shape)
            for channel in channels
            for message in channel.messages
        }
        if any((it.source, it.target, it.shape) not in on_their_way for it in reaction.sends):
            return None
        return self.parts.node(node.number, node.shape, node.numbers, after.timers)

    def why_unheard(self, state: State, number: int) -> str | None:
        """Why nobody hears messages on a node, if so."""
        summary = state.nodes[number].summary
        if number in state.stage.absent:
            return "the node has not joined"
        if summary.is_gone:
            return "the node has left"
        return "a crash" if summary.is_down else None

    def _place(self, state: State, way: int) -> tuple[Stage, Sequence[tuple[int, What]]]:
        stage = state.stage
        slots, nodes = self.fits(state)[way]
        if self.narrator is not None:
            self.narrator.placed(self._jobs[stage.placed], nodes, slots)
        job = self._jobs[stage.placed]
        processes = zip(nodes, self.setting.placed(job.number, nodes), strict=True)
        inputs = [(node, ("place", placed, job.memory, job.limit)) for node, placed in processes]
        return self._changed(stage, slots=slots, placed=stage.placed + 1), inputs

    def _without_job(self, taken: Taken, job: int) -> Taken:
        nodes, channels, stage, clock = taken.state
        if any(job in node.summary.resident for node in nodes):
            return taken
        if self.narrator is not None:
            self.narrator.job_ended(job)
        stage = self._changed(stage, slots=self.setting.without_job(stage.slots, job))
        return taken._replace(state=State(nodes, channels, stage, clock))

    def _befall(self, channels: list[Channel], stage: Stage, step: Step) -> Stage:
        """Lose a message, or put it on its way once more, right behind itself."""
        if step.kind == LOSE:
            self.parts.take_out(channels, step)
            if self.narrator is not None:
                self.narrator.lost(step)
            return self._changed(stage, losses=stage.losses + 1)
        self.parts.repeat(channels, step)
        if self.narrator is not None:
            self.narrator.duplicated(step)
        return self._changed(stage, duplicates=stage.duplicates + 1)

    def _come_or_go(
        self, state: State, kind: int, node: int
    ) -> tuple[Stage, Sequence[tuple[int, What]]]:
        """What changes when a servent crashes or restarts, or a node comes or goes, and who hears
        of it."""
        stage = state.stage
        if self.narrator is not None:
            self.narrator.failed(FAILURES[kind], node)
        if kind == GO:  # what others have borrowed from it is on their disks
            borrowers = [one.number for one in state.nodes if node in dict(one.summary.loans)]
            gone = [(one, ("lender gone", node)) for one in borrowers]
            return stage, [(node, ("go",)), *gone]
        if kind == CRASH:
            return self._changed(stage, crashes=stage.crashes + 1), [(node, ("crash",))]
        if kind == JOIN:
            absent = tuple(one for one in stage.absent if one != node)
            stage = self._changed(stage, absent=absent)
        return stage, [(node, ("leave",) if kind == LEAVE else ("restart",))]

    def _given(
        self,
        nodes: list[Node],
        channels: list[Channel],
        stage: Stage,
        clock: Clock,
        inputs: Iterable[tuple[int, What]],
        drops: bool = False,
    ) -> Taken:
        """The state after nodes have got these inputs, one after another.

        If the step `drops` a message or timer, nobody may hold any more what that held.
        """
        broken, seen = None, 0
        times_move = codes_move = drops
        for number, what in inputs:
            reaction = self.reactions.of(nodes[number], what, clock)
            nodes[number] = reaction.node
            if self.monitoring is not None and reaction.told is not None:
                self.monitoring.heard.append(reaction.told)
            for message in reaction.sends:
                place = self.parts.send(channels, message, clock)
                if self.narrator is not None:
                    self.narrator.enters(message.source, message.target, place)
            broken = broken or reaction.broken
            seen |= reaction.seen
            times_move |= reaction.moves_times
            codes_move |= reaction.moves_codes
        of_codes = of_times = None
        if codes_move and self.narrator is None:  # who reads of a path wants them as they are
            nodes, of_codes = self._without_forgotten(nodes, channels, clock)
        if times_move:
            times: list[int] = []
            for node in nodes:
                times += node.times
            for channel in channels:
                times += channel.times
            clock, of_times = clock.renumbered(frozenset(times))
        if of_codes is not None or of_times is not None:
            nodes, channels = self._with_numbers(nodes, channels, of_times, of_codes)
        # made of tuples, since the constructors of named ones take three times as long
        state = tuple.__new__(State, (tuple(nodes), tuple(channels), stage, clock))
        return tuple.__new__(Taken, (state, broken, seen))

    def smallest(self, state: State) -> State:
        """The state with the smallest numbers; it has them already unless a narrator follows."""
        nodes, channels, stage, clock = state
        left, counted = self._without_forgotten([*nodes], channels, clock)
        left, after = self._with_numbers(left, channels, None, counted)
        return State(tuple(left), tuple(after), stage, clock)

    def _without_forgotten(
        self, nodes: list[Node], channels: Sequence[Channel], clock: Clock
    ) -> tuple[list[Node], Renumbering | None]:
        """Nodes without requests that nobody can ask for any more, and what codes then become."""
        codes: list[int] = []
        remembered: list[int] = []
        for node in nodes:
            codes += node.codes
            remembered += node.remembered
        for channel in channels:
            codes += channel.codes
        held = frozenset(codes)
        forgotten = frozenset(remembered) - held
        if forgotten:
            nodes = [self.reactions.without(node, forgotten, clock) for node in nodes]
        return nodes, smaller(held)

    def _with_numbers(
        self,
        nodes: Sequence[Node],
        channels: Sequence[Channel],
        *renumberings: Renumbering | None,
    ) -> tuple[list[Node], list[Channel]]:
        after = self._renumbered.get(renumberings)
        if after is None:
            numbers = {old: new for one in renumberings if one for old, new in one.numbers.items()}
            after = self._renumbered[renumberings] = Renumbered(self.parts, numbers)
        return [after[node] for node in nodes], [after[channel] for channel in channels]
