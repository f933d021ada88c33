"""States of the whole, the steps that are possible in one, and what each leads to.

A state is a tuple of its nodes, of the messages on their way, and of where the workload stands. Its
nodes and messages are numbers of shapes that are known, and instants; a step changes those of the
nodes that it touches. What a node does with an input is computed once: after that it is looked up
by the node's shape, the input's, and the order of the instants of both; and if a role has then
calculated with times, also by how far each of them is ahead of the present.
"""

import hashlib
from array import array
from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
from itertools import count
from typing import Any, NamedTuple

from agents.pnr.hosting import (
    Crashed,
    Host,
    Input,
    Leaving,
    NodeLost,
    ProcessEnded,
    ProcessPlaced,
    Received,
    Restarted,
    Started,
    TimerFired,
)
from agents.pnr.role import Send
from model.pnr.explore.freezing import Freezer, Frozen
from model.pnr.explore.host import Summary, act, frozen, summary_of, thawed
from model.pnr.explore.instants import LATEST, ORIGIN_BITS, STEP_BITS, Watch, stamp_of_due
from model.pnr.explore.setting import Fit, Setting, Slots
from model.pnr.explore.trail import Trail

PLACE, END, DELIVER, FIRE, LOSE, DUPLICATE, CRASH, RESTART, JOIN, LEAVE, GO = range(11)
DENIED, PARTIAL = 1, 2  # what became of a request, as bits
_HOSTS = 1 << 14  # to look at, at most, that are kept
#: The kinds of records of what befalls a servent or node.
_FAILURES = {
    CRASH: "crashed",
    RESTART: "restarted",
    JOIN: "joined",
    LEAVE: "leaving",
    GO: "gone",
}

Due = tuple[tuple[str, str], int]  # a timer's role and name, and when it fires, ns
Node = tuple[int, tuple[int, ...], tuple[Due, ...]]  # shape, instants, timers in order
InFlight = tuple[int, tuple[int, ...]]  # shape and instants of a message on its way
Channels = tuple[tuple[tuple[int, int], tuple[InFlight, ...]], ...]  # by sender and receiver


class Step(NamedTuple):
    """One step: its kind, and what it is about.

    PLACE the next job in way `a`; END the process on node `a` of job `b`; DELIVER, LOSE or
    DUPLICATE message number `c` of those from `a` to `b`; FIRE timer number `b` of node `a`; CRASH
    or RESTART the servent of node `a`. Node `a` is there from now on (JOIN), is told to LEAVE, or
    is gone (GO).
    """

    kind: int
    a: int = 0
    b: int = 0
    c: int = 0

    @property
    def number(self) -> int:
        """The number of 64 bits by which compiled code knows it: each part takes 16 of them."""
        kind, a, b, c = self
        return kind << 48 | a << 32 | b << 16 | c

    @classmethod
    def of_number(cls, number: int) -> "Step":
        """The step that has this number."""
        return cls(number >> 48, number >> 32 & 0xFFFF, number >> 16 & 0xFFFF, number & 0xFFFF)


class State(NamedTuple):
    """Everything that decides what can happen from now on."""

    nodes: tuple[Node, ...]
    channels: Channels
    slots: Slots
    placed: int  # jobs so far
    faults: tuple[int, int, int, int]  # losses, duplicates, crashes, early timers so far
    absent: tuple[int, ...]  # nodes that have not joined yet
    now: int  # a moment: the time, in ns, which passes when a timer fires, and the step


class Outcome(NamedTuple):
    """What a node makes of an input.

    `places` are those of instants among the ones given, the present behind them, and behind that
    the `new` ones, which were calculated: how far they are ahead of the present, ns.
    """

    shape: int
    places: tuple[int, ...]
    sends: tuple[tuple[int, int, tuple[int, ...]], ...]  # target, shape, places
    timers: tuple[tuple[str, str, int | None], ...]
    broken: str | None
    seen: int
    new: tuple[int, ...]
    by_times: bool  # whether a role calculated with the time between two instants
    by_time: bool  # or with the time since the beginning


class Taken(NamedTuple):
    """Where a step leads, which rule it breaks (if any), and what was seen of requests."""

    state: State
    broken: str | None
    seen: int


class Transition(NamedTuple):
    """A step that was taken: the number of the state before it, and what is known of both."""

    number: int
    before: State
    step: Step
    after: State
    broken: str | None  # the rule that a servent broke in it


def who_waits(owed: Iterable[tuple[tuple[str, ...], int]]) -> Iterator[str]:
    """Who waits and who lends, of all nodes; not managers, who only serve those who wait."""
    for node, (waiting, lent) in enumerate(owed):
        for what in waiting:
            if not what.startswith("the manager"):
                yield f"somebody waits for ever: node {node} ({what})"
        if lent:
            yield f"memory stays lent for ever: node {node}"


class World:
    """All that is known of one setting: shapes of nodes and messages, and what nodes do.

    `narrator`, if given, follows everything that happens, step by step; then nothing is looked up.
    On the `trail` lines that roles run are crossed off.
    """

    def __init__(
        self,
        setting: Setting,
        apart: bool = True,
        narrator: Any = None,
        trail: Trail | None = None,
    ) -> None:
        self.setting = setting
        self.watch = Watch(apart)
        self.freezer = Freezer(self.watch)
        self.narrator = narrator
        self.trail = trail
        self.by_times = self.by_time = False  # whether any outcome so far was
        self.summaries: list[Summary] = []  # of nodes, by their shape
        self.ledgers: list[int] = []  # numbers of what they lend and borrow
        self._ledger_numbers: dict[Any, int] = {}
        self.instants: list[int] = []  # of shapes, how many each has
        self._shapes: list[bytes] = []
        self._shape_numbers: dict[bytes, int] = {}
        self._digests: list[bytes] = []  # of shapes, of nodes and messages alike
        self._known: dict[Any, Outcome] = {}
        self._rests: dict[Any, bytes] = {}  # of the parts of a digest that are few
        self._carried: dict[tuple[tuple[int, int], int], tuple[tuple[int, int], ...] | None] = {}
        self._fits: dict[Any, Any] = {}
        self._host = lru_cache(_HOSTS)(self._thawed)  # a user's rules look at the same ones again
        self._in_any_order = setting.order == "any"
        self._faults = setting.losses, setting.duplicates, setting.crashes
        self._jobs = setting.workload

    # States

    def beginning(self) -> Taken:
        """The state after all servents have started, before the first step; that may break, too."""
        setting, absent = self.setting, tuple(self.setting.absent)
        empty: list[Node] = []
        for node in range(setting.scenario.nodes):
            with self._followed():
                host = setting.host(node)
            if node in absent:
                host.happens(Crashed(), 0)
            shape, _ = frozen(host, self.freezer)
            empty.append((self._number((shape, ()), summary_of(host, None)), (), ()))
        if self.narrator is not None:
            self.narrator.begins(absent)
        state = State(tuple(empty), (), setting.no_jobs, 0, (0, 0, 0, 0), absent, 1)
        there = [node for node in range(len(empty)) if node not in absent]
        return self._inputs(state, dict.fromkeys(there, ("start",)), 1)

    def digest(self, state: State, whenever: bool = False) -> bytes:
        """A fingerprint of the state's content; of instants that are over only their order counts.

        Of timers it counts in which time each of them fires; if that is to be `whenever`, only in
        which order.
        """
        digests, rests, apart = self._digests, self._rests, self.watch.apart
        parts: list[bytes] = []
        instants: list[int] = []
        left_ns: list[int] = []
        time_ns = state.now >> STEP_BITS
        for shape, own, timers in state.nodes:
            parts.append(digests[shape])
            instants += own
            if timers:
                for name, due in timers:
                    parts.append(rests.get(name) or self._rest(name))
                    if whenever:
                        instants.append(stamp_of_due(due, apart))
                    else:
                        left_ns.append(due - time_ns)
        for pair, messages in state.channels:
            parts.append(rests.get(pair) or self._rest(pair))
            for shape, own in messages:
                parts.append(digests[shape])
                instants += own
        rest = state.slots, state.placed, state.faults, state.absent
        parts.append(rests.get(rest) or self._rest(rest))
        if instants:
            order = sorted(set(instants))
            rank = dict(zip(order, count(), strict=False))
            ranks = array("H", [rank[instant] for instant in instants])
            if not apart and order[-1] > state.now:  # some are in the future
                future = [instant for instant in order if instant > state.now]
                ranks.append(len(order) - len(future))
                if not whenever:
                    left_ns += [(instant >> STEP_BITS) - time_ns for instant in future]
            parts.append(ranks.tobytes())
        if left_ns:
            parts.append(array("q", left_ns).tobytes())
        return hashlib.blake2b(b"".join(parts), digest_size=16).digest()

    def _rest(self, content: Any) -> bytes:
        found = hashlib.blake2b(repr(content).encode(), digest_size=16).digest()
        self._rests[content] = found
        return found

    def _number(self, content: Frozen, summary: Summary | None = None) -> int:
        """The number of a content's shape, of a node if there is a summary, else of a message."""
        shape, instants = content
        number = self._shape_numbers.get(shape)
        if number is None:
            number = self._shape_numbers[shape] = len(self._shapes)
            self._shapes.append(shape)
            self.instants.append(len(instants))
            self._digests.append(hashlib.blake2b(shape, digest_size=16).digest())
            self.summaries.append(summary)  # type: ignore[arg-type]  # none is asked of a message
            ledger = summary and (summary.lent, summary.loans)
            numbers = self._ledger_numbers
            self.ledgers.append(numbers.setdefault(ledger, len(numbers)))
        return number

    def order_of(self, shape: int) -> int:
        """By this messages of one channel stand in order, if they keep no other: 63 bits."""
        return int.from_bytes(self._digests[shape][:8], "big") >> 1

    def host(self, node: Node) -> Host:
        """A node of a state, to look at, and not to change: who looks at it next gets the same."""
        shape, instants, _ = node
        return self._host(shape, instants)

    def _thawed(self, shape: int, instants: tuple[int, ...]) -> Host:
        return thawed(self.setting, self.freezer, (self._shapes[shape], instants))

    def content(self, message: InFlight) -> tuple[Any, Any]:
        """A message's content and header, to look at."""
        shape, instants = message
        content: tuple[Any, Any] = self.freezer.thaw((self._shapes[shape], instants))
        return content

    def carried(
        self, ends: tuple[int, int], message: InFlight
    ) -> tuple[tuple[int, int], ...] | None:
        """What a message from one node to another carries, by server, below 0; None: not known."""
        key = ends, message[0]
        if key not in self._carried:
            pairs = self.content(message)[0].carries(*ends)
            known = (
                None if pairs is None else tuple((server, -size) for server, size in pairs if size)
            )
            self._carried[key] = known
        return self._carried[key]

    # Steps

    def steps(self, state: State) -> list[Step]:
        """All steps that are possible, in the order in which they are taken."""
        found = [Step(PLACE, way) for way in range(len(self.fits(state)))]
        summaries = [self.summaries[node[0]] for node in state.nodes]
        for node, summary in enumerate(summaries):
            found += [Step(END, node, job) for job in summary.running]
        for (source, target), messages in state.channels:
            for place in self._at_the_door(messages):
                found.append(Step(DELIVER, source, target, place))
        losses, duplicates, crashes, early = state.faults
        if not (self.setting.late_timers and state.channels) or early < self.setting.early:
            found += self.due(state)
        most = self._faults
        for kind, wanted in ((LOSE, losses < most[0]), (DUPLICATE, duplicates < most[1])):
            for (source, target), messages in state.channels if wanted else ():
                if source != target:
                    for place in self._at_the_door(messages):
                        found.append(Step(kind, source, target, place))
        for node, summary in enumerate(summaries):
            if summary.is_gone or node in state.absent:
                continue
            if summary.is_down:
                found += [Step(RESTART, node)] * (not self.setting.for_ever)
            elif crashes < most[2]:
                found.append(Step(CRASH, node))
        return found + self._coming_and_going(state)

    def _coming_and_going(self, state: State) -> list[Step]:
        """Absent nodes may join, and as many others as are to be told to leave; those told go."""
        found = [Step(JOIN, node) for node in state.absent]
        told = [node for node, (shape, *_) in enumerate(state.nodes) if self._is_leaving(shape)]
        if len(told) < self.setting.most_leaves:
            away = (*state.absent, *told)
            leavers = [node for node in self.setting.leavers if node not in away]
            found += [Step(LEAVE, node) for node in leavers]
        return found + [Step(GO, node) for node in told if self._goes(state, node)]

    def _is_leaving(self, shape: int) -> bool:
        return self.summaries[shape].is_leaving

    def _goes(self, state: State, node: int) -> bool:
        """Whether a node that is leaving may be gone: it is there, and has no jobs."""
        has_jobs = any(node in held for slot in state.slots for _, held in slot)
        return not (has_jobs or self.summaries[state.nodes[node][0]].is_gone)

    def _why_unheard(self, state: State, node: int) -> str | None:
        """Why nobody hears messages on a node, if so."""
        summary = self.summaries[state.nodes[node][0]]
        if node in state.absent:
            return "the node has not joined"
        if summary.is_gone:
            return "the node has left"
        return "a crash" if summary.is_down else None

    def goes_on(self, state: State) -> bool:
        """Whether a job can be placed, a process end, a servent restart, or a node be gone."""
        for node, (shape, *_) in enumerate(state.nodes):
            summary = self.summaries[shape]
            is_down = summary.is_down and not summary.is_gone and node not in state.absent
            is_down = is_down and not self.setting.for_ever
            if summary.running or is_down or (summary.is_leaving and self._goes(state, node)):
                return True
        return bool(self.fits(state))

    def owed(self, state: State) -> tuple[tuple[tuple[str, ...], int], ...]:
        """By node, who waits there, and how many bytes it lends."""
        return tuple([self.owed_by(self.summaries[shape]) for shape, *_ in state.nodes])

    def owed_by(self, summary: Summary) -> tuple[tuple[str, ...], int]:
        """The same of one node; a servent that is down for ever owes and wants nothing."""
        if summary.is_down and self.setting.for_ever:
            return (), 0
        return summary.waiting, summary.lent

    def is_done(self, state: State) -> bool:
        """Whether all jobs are done, nothing is lent, and nobody waits."""
        if state.placed < len(self._jobs) or any(state.slots):
            return False
        return not any(waiting or lent for waiting, lent in self.owed(state))

    def fits(self, state: State) -> list[Fit]:
        """Ways to place the next job; none if none is left, or if it does not fit now."""
        if state.placed == len(self._jobs):
            return []
        leaving = [node for node, (shape, *_) in enumerate(state.nodes) if self._is_leaving(shape)]
        away = (*state.absent, *leaving)
        key = state.slots, state.placed, away
        if key not in self._fits:
            job = self._jobs[state.placed]
            self._fits[key] = self.setting.with_job(state.slots, job, away)
        fits: list[Fit] = self._fits[key]
        return fits

    def _at_the_door(self, messages: tuple[InFlight, ...]) -> Iterator[int]:
        """The places of messages that may arrive next; of equal ones the first."""
        yield 0
        if self._in_any_order:
            for place in range(1, len(messages)):
                if messages[place] != messages[place - 1]:
                    yield place

    def due(self, state: State) -> list[Step]:
        """The timers that may fire: those due first, since steps take no time."""
        dues = [due for *_, timers in state.nodes for _, due in timers]
        if not dues:
            return []
        first = min(dues)
        return [
            Step(FIRE, node, place)
            for node, (*_, timers) in enumerate(state.nodes)
            for place, (_, due) in enumerate(timers)
            if due == first
        ]

    def take(self, state: State, step: Step) -> Taken:
        """The state after a step that is possible in this one."""
        kind, a, b, c = step
        now = state.now + 1
        narrator = self.narrator
        if kind == DELIVER:
            channels = dict(state.channels)
            message = _take_out(channels, (a, b), c)
            if narrator is not None:
                narrator.delivered(step, message, self._why_unheard(state, b))
            return self._input(state, b, ("receive", a, message[0]), message[1], now, channels)
        if kind == FIRE:
            shape, own, timers = state.nodes[a]
            (role, name), due = timers[b]
            now = due << STEP_BITS | now & (1 << STEP_BITS) - 1
            if narrator is not None:
                narrator.fired(a, role, name)
            left = (shape, own, timers[:b] + timers[b + 1 :])
            losses, duplicates, crashes, early = state.faults
            early += bool(self.setting.late_timers and state.channels)
            faults = losses, duplicates, crashes, early
            state = state._replace(nodes=_with(state.nodes, a, left), faults=faults, now=now)
            return self._input(state, a, ("fire", role, name), (), now)
        if kind == END:
            return self._end(state._replace(now=now), a, b)
        if kind == PLACE:
            return self._place(state._replace(now=now), a)
        if kind in (LOSE, DUPLICATE):
            return Taken(self._faulty(state, step), None, 0)
        if narrator is not None:
            narrator.failed(_FAILURES[kind], a)
        state = state._replace(now=now)
        if kind == GO:
            return self._go(state, a)
        if kind == LEAVE:
            return self._input(state, a, ("leave",), (self.stamp_of(a, LATEST),), now)
        if kind == JOIN:
            absent = tuple(node for node in state.absent if node != a)
            return self._input(state._replace(absent=absent), a, ("restart",), (), now)
        losses, duplicates, crashes, early = state.faults
        if kind == CRASH:
            state = state._replace(faults=(losses, duplicates, crashes + 1, early))
        return self._input(state, a, ("crash" if kind == CRASH else "restart",), (), now)

    def _go(self, state: State, node: int) -> Taken:
        """A node is gone; what others have borrowed from it is on their disks."""
        summaries = [self.summaries[shape] for shape, *_ in state.nodes]
        borrowers = [n for n, one in enumerate(summaries) if node in dict(one.loans)]
        gone = dict.fromkeys(borrowers, ("lender gone", node))
        return self._inputs(state, {node: ("go",), **gone}, state.now)

    def placements(self, state: State, way: int) -> dict[int, Any]:
        """The inputs of nodes on which processes of the next job are placed, in one of the ways."""
        job = self._jobs[state.placed]
        processes = self.setting.placed(job.number, self.fits(state)[way][1])
        return {
            node: ("place", placed, job.memory, job.limit) for node, placed in processes.items()
        }

    def _place(self, state: State, way: int) -> Taken:
        slots, nodes = self.fits(state)[way]
        if self.narrator is not None:
            self.narrator.placed(self._jobs[state.placed], nodes, slots)
        inputs = self.placements(state, way)
        placed = state._replace(slots=slots, placed=state.placed + 1)
        return self._inputs(placed, inputs, state.now)

    def _end(self, state: State, node: int, job: int) -> Taken:
        if self.narrator is not None:
            self.narrator.ends(node, job)
        taken = self._input(state, node, ("end", job), (), state.now)
        state = taken.state
        if any(job in self.summaries[shape].resident for shape, *_ in state.nodes):
            return taken
        if self.narrator is not None:
            self.narrator.job_ended(job)
        key = state.slots, -1 - job
        if key not in self._fits:
            self._fits[key] = self.setting.without_job(state.slots, job)
        return taken._replace(state=state._replace(slots=self._fits[key]))

    def _faulty(self, state: State, step: Step) -> State:
        kind, a, b, c = step
        channels = dict(state.channels)
        losses, duplicates, crashes, early = state.faults
        if kind == LOSE:
            message = _take_out(channels, (a, b), c)
            faults = losses + 1, duplicates, crashes, early
        else:
            messages = channels[a, b]
            message = messages[c]
            channels[a, b] = (*messages[: c + 1], message, *messages[c + 1 :])
            faults = losses, duplicates + 1, crashes, early
        if self.narrator is not None:
            narrate = self.narrator.lost if kind == LOSE else self.narrator.duplicated
            narrate(step, message)
        after = tuple(sorted(channels.items()))
        return state._replace(channels=after, faults=faults, now=state.now + 1)

    # What a node does

    def _inputs(self, state: State, inputs: Mapping[int, Any], now: int) -> Taken:
        """The state after nodes have got these inputs, without instants, one after another."""
        broken, seen = None, 0
        for node, what in inputs.items():
            state, complaint, bits = self._input(state, node, what, (), now)
            broken, seen = broken or complaint, seen | bits
        return Taken(state, broken, seen)

    def _input(
        self,
        state: State,
        number: int,
        what: Any,
        times: tuple[int, ...],
        now: int,
        left: dict[tuple[int, int], tuple[InFlight, ...]] | None = None,
    ) -> Taken:
        """The state after a node has got an input with these instants.

        `left` are the messages still on their way, if they are others than the state's.
        """
        node = state.nodes[number]
        timers = node[2]
        time_ns, stamp = now >> STEP_BITS, self.stamp_of(number, now)
        outcome, values = self.outcome(node, what, times, stamp)
        new = [time_ns + ahead_ns << STEP_BITS for ahead_ns in outcome.new]
        values = (*values, stamp, *new)
        if what[0] in ("crash", "go"):
            timers = ()
        if outcome.timers:
            set_timers = dict(timers)
            for role, name, after_ns in outcome.timers:
                set_timers.pop((role, name), None)
                if after_ns is not None:
                    set_timers[role, name] = time_ns + after_ns
            timers = tuple(sorted(set_timers.items()))
        changed = (outcome.shape, tuple([values[place] for place in outcome.places]), timers)
        channels = state.channels
        if outcome.sends or left is not None:
            sent = dict(channels) if left is None else left
            for target, shape, places in outcome.sends:
                message = shape, tuple([values[place] for place in places])
                pair = number, target
                queued = (*sent.get(pair, ()), message)
                if self._in_any_order and len(queued) > 1:
                    queued = tuple(sorted(queued, key=self._place_in_channel))
                sent[pair] = queued
                if self.narrator is not None:
                    self.narrator.enters(pair, message)
            channels = tuple(sorted(sent.items()))
        nodes = state.nodes
        nodes = (*nodes[:number], changed, *nodes[number + 1 :])
        _, _, slots, placed, faults, absent, _ = state
        after = State(nodes, channels, slots, placed, faults, absent, now)
        return Taken(after, outcome.broken, outcome.seen)

    def outcome(
        self, node: Node, what: Any, times: tuple[int, ...], stamp: int
    ) -> tuple[Outcome, tuple[int, ...]]:
        """What a node makes of an input with these instants, at this one; and all instants."""
        shape, own, _ = node
        key: tuple[Any, ...]
        if times:
            values = tuple(sorted({*own, *times}))
            rank = {value: place for place, value in enumerate(values)}
            key = (shape, what, tuple([rank[v] for v in own]), tuple([rank[v] for v in times]))
        else:
            values = own
            key = (shape, what)
        if not self.watch.apart and values and values[-1] > stamp:  # some are in the future
            key = (*key, bisect(values, stamp))
        if self.narrator is not None:
            return self._run(node, what, times, values, stamp), values
        known = self._known
        outcome = known.get(key)
        if outcome is not None and outcome.by_times:
            key = key, _ahead(values, stamp)
            outcome = known.get(key)
            if outcome is not None and outcome.by_time:
                key = key, stamp >> STEP_BITS
                outcome = known.get(key)
        if outcome is None:
            outcome = known[key] = self._run(node, what, times, values, stamp)
        return outcome, values

    def stamp_of(self, node: int, now: int) -> int:
        """The stamp of a moment on a node."""
        return node << ORIGIN_BITS | now if self.watch.apart else now

    def _place_in_channel(self, message: InFlight) -> tuple[bytes, tuple[int, ...]]:
        return self._digests[message[0]], message[1]

    def _run(
        self,
        node: Node,
        what: Any,
        times: tuple[int, ...],
        values: tuple[int, ...],
        now: int,
    ) -> Outcome:
        """Compute what a node makes of an input."""
        host, watch = self._thawed(*node[:2]), self.watch
        watch.calculated = watch.absolute = False
        if self.narrator is not None:
            self.narrator.watch(host)
        happens = self._let_happen(host, what, times)
        with self._followed():
            doing = act(self.setting, host, happens, watch.of_stamp(now), self.narrator)
        watch.check()
        self.by_times |= watch.calculated
        self.by_time |= watch.absolute
        content = frozen(host, self.freezer)
        sends = [(send.target, *self._freeze_send(send)) for send in doing.sends]
        seen = 0
        for need, granted, _ in host.metrics.answers:
            seen |= (DENIED * (not granted) | PARTIAL * (0 < granted < need)) if need else 0
        appeared = {*content[1], *(instant for _, _, own in sends for instant in own)}
        new = sorted(appeared.difference(values, (now,)))
        position = {value: place for place, value in enumerate((*values, now, *new))}
        return Outcome(
            self._number(content, summary_of(host, doing.held)),
            tuple(position[instant] for instant in content[1]),
            tuple(
                (target, shape, tuple(position[instant] for instant in own))
                for target, shape, own in sends
            ),
            tuple(doing.timers),
            doing.broken,
            seen,
            tuple((value >> STEP_BITS) - (now >> STEP_BITS) for value in new),
            watch.calculated,
            watch.absolute,
        )

    def _followed(self) -> AbstractContextManager[None]:
        return nullcontext() if self.trail is None else self.trail.followed()

    def _let_happen(self, host: Host, what: Any, times: tuple[int, ...]) -> Input | None:
        """The input as the host gets it, if it does, after its change to the node's ledger."""
        match what:
            case ("receive", sender, shape):
                return Received(sender, *self.content((shape, times)))
            case ("fire", role, name):
                return TimerFired(role, name)
            case ("place", placed, size, limit):
                host.memory.allocate(placed.job, size, limit)
                return ProcessPlaced(placed)
            case ("end", job):
                host.memory.free(job)
                return ProcessEnded(host.residents[job][0])
            case ("crash",):
                return Crashed()
            case ("restart",):
                return Restarted()
            case ("leave",):
                host.memory.withdrawn = True
                return Leaving(self.watch.of_stamp(times[0]))
            case ("go",):
                host.memory.clear()
                return NodeLost(for_ever=True)
            case ("lender gone", server):
                host.memory.give_back(server, host.memory.loans[server])
                return None
        return Started()

    def _freeze_send(self, send: Send) -> tuple[int, tuple[int, ...]]:
        content = self.freezer.freeze((send.content, send.header))
        return self._number(content), content[1]


def _ahead(values: tuple[int, ...], now: int) -> tuple[tuple[int, bool], ...]:
    """How far moments are ahead of the present, ns, and whether each is that of a step: one that
    was calculated is earlier than all steps of its time."""
    now_ns, steps = now >> STEP_BITS, (1 << STEP_BITS) - 1
    return tuple([((value >> STEP_BITS) - now_ns, value & steps > 0) for value in values])


def _with(nodes: tuple[Node, ...], number: int, node: Node) -> tuple[Node, ...]:
    return (*nodes[:number], node, *nodes[number + 1 :])


def _take_out(
    channels: dict[tuple[int, int], tuple[InFlight, ...]], pair: tuple[int, int], place: int
) -> InFlight:
    """Take a message out of its channel."""
    messages = channels[pair]
    if len(messages) == 1:
        del channels[pair]
    else:
        channels[pair] = messages[:place] + messages[place + 1 :]
    return messages[place]
