"""What a node makes of an input, computed by its roles once.

An input is a message, or a tuple that `_let_happen` knows. What comes of it depends on the shapes
of both and on the order of their times alone, as long as no role calculates with times; if one
does, also on how far each of them is ahead of the present; and if it looks at the time since the
beginning, on that. What roles count (`numbers.py`) is as it is: each is a case of its own.
"""

from bisect import bisect_left
from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
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
from agents.pnr.messages import Request
from model.pnr.explore.alike import Alike, Distinguished
from model.pnr.explore.clocks import CALCULATED, Apart, Clock
from model.pnr.explore.freezing import Freezer
from model.pnr.explore.host import Balance, Summary, act, balance_of, frozen, summary_of, thawed
from model.pnr.explore.instants import STEP_BITS, Watch
from model.pnr.explore.monitors import OfReactions, Told
from model.pnr.explore.numbers import CODES, MARK, Number, as_after, plain
from model.pnr.explore.parts import Message, Node, Parts, Reaction, Shape, Timer
from model.pnr.explore.setting import Setting
from model.pnr.explore.trail import Trail

DENIED, PARTIAL = 1, 2  # what became of a request, as bits
_HOSTS = 1 << 14  # to look at, at most, that are kept
#: An input of a node: a message, or a kind with what belongs to it, as in ("fire", role, name).
What = Message | tuple[Any, ...]


class Case(NamedTuple):
    """An input that a node gets at a time; the numbers of times are those of that clock."""

    node: Node
    kind: tuple[Any, ...]  # the input, without its numbers
    numbers: tuple[int, ...]  # of the input
    given: tuple[int, ...]  # of the node and the input, in order
    clock: Clock


class Outcome(NamedTuple):
    """What a node makes of an input, whatever the numbers of the times of both.

    Numbers are places among those given, in order; then comes the present; and behind that the
    `new` ones: of times that were calculated how far they are ahead of the present, ns, and codes.
    """

    shape: Shape
    numbers: tuple[int, ...]
    sends: tuple[tuple[int, Shape, tuple[int, ...]], ...]  # target, shape, numbers
    timers: tuple[tuple[str, str, int | None], ...]  # ns from now on; None: it is cancelled
    broken: str | None
    seen: int
    new: tuple[int, ...]
    by_times: bool  # whether a role calculated with the time between two instants
    by_time: bool  # or with the time since the beginning
    told: Told | None  # to monitors, if there are some


class Reactions:
    """All reactions that are known in one setting, and the parts of states that come of them.

    They are looked up twice: as those of this very node, which has times with numbers (`of`), and
    then as the outcome for any node of its shape whose times are in the same order (`_outcome`).
    `narrator`, if given, hears what roles do; then nothing is looked up. On the `trail` lines that
    roles run are crossed off. What makes states `alike` roles do not look at.
    """

    def __init__(self, setting: Setting, alike: Alike, narrator: Any, trail: Trail | None) -> None:
        self.setting = setting
        self.watch = Watch(alike)
        self.numbers = self.watch.numbers
        self.narrator = narrator
        self.teller: OfReactions | None = None  # of what monitors see, if there are some
        self.parts = Parts(setting.order == "any", self._balance_of)
        self.by_times = self.by_time = False  # whether any outcome so far was
        self._freezer = Freezer(self.watch)
        self._trail = trail
        self.outcomes: dict[Any, Outcome] = {}
        self._forgotten: dict[tuple[Shape, tuple[int, ...]], tuple[Shape, list[int]]] = {}
        self._balances: dict[Any, Balance | None] = {}  # of messages
        self._host = lru_cache(_HOSTS)(self._thawed)  # a user's rules look at the same ones again

    def idle(self, number: int, is_absent: bool) -> Node:
        """A node before its servent starts."""
        with self._followed():
            host = self.setting.host(number)
        for role in host.roles.values():
            self.numbers.begin(role)
        self.numbers.take_over(host, {}, at_first=True)
        if is_absent:
            host.happens(Crashed(), 0)
        shape, codes = self._shape_of(host, summary_of(host, None))  # there is no time yet
        return self.parts.node(number, shape, codes, ())

    def host(self, node: Node, clock: Clock, is_after: bool) -> Host:
        """A node of a state, to look at, and not to change: who looks at it next gets the same."""
        return self._host(node.shape, _seen_in(clock, node.numbers, is_after))

    def _thawed(self, shape: Shape, stamps: tuple[int, ...]) -> Host:
        host = thawed(self.setting, self._freezer, (shape.content, stamps))
        host.begins = self.numbers.begin
        return host

    def content(self, message: Message, clock: Clock, is_after: bool) -> tuple[Any, Any]:
        return self._content(message.shape, _seen_in(clock, message.numbers, is_after))

    def _content(self, shape: Shape, stamps: tuple[int, ...]) -> tuple[Any, Any]:
        content: tuple[Any, Any] = self._freezer.thaw((shape.content, stamps))
        return content

    def _balance_of(
        self, source: int, target: int, shape: Shape, numbers: tuple[int, ...]
    ) -> Balance | None:
        """What a message carries, below 0, whatever its times; None: not known."""
        key = source, target, shape
        if key not in self._balances:
            content, _ = self._content(shape, Apart().stamps(numbers))
            pairs = content.carries(source, target)
            self._balances[key] = None if pairs is None else -balance_of(pairs)
        return self._balances[key]

    def of(self, node: Node, what: What, clock: Clock) -> Reaction:
        """What a node makes of an input."""
        if self.narrator is not None:
            return self._react(node, what, clock)
        known = node.reactions
        found: Reaction | None
        key, found = _look_up(known, (what, clock.passed), None, clock)
        if found is None:
            found = known[key] = self._react(node, what, clock)
        return found

    def _react(self, node: Node, what: What, clock: Clock) -> Reaction:
        """The same, worked out from what nodes of this shape make of such inputs."""
        its: tuple[int, ...] = ()
        if isinstance(what, Message):
            its, what = what.numbers, ("receive", what.source, what.shape)
        elif what[0] == "leave":
            its = (clock.never(node.number),)
        given = tuple(sorted({*node.numbers, *node.codes, *its}))
        outcome = self._outcome(Case(node, what, its, given, clock))
        new = [it if it >= CODES else CALCULATED + it for it in outcome.new]
        numbers = (*given, clock.present(node.number), *new)

        def numbers_of(places: Sequence[int]) -> tuple[int, ...]:
            return tuple([numbers[place] for place in places])

        timers = {} if what[0] in ("crash", "go") else {timer[:2]: timer for timer in node.timers}
        for role, name, after_ns in outcome.timers:
            timers.pop((role, name), None)
            if after_ns is not None:
                timers[role, name] = Timer(role, name, after_ns)
        left = tuple(sorted(timers.values()))
        after = self.parts.node(node.number, outcome.shape, numbers_of(outcome.numbers), left)
        sends = tuple(
            self.parts.message(node.number, target, shape, numbers_of(places))
            for target, shape, places in outcome.sends
        )
        held = {*after.times, *after.codes}
        held.update(number for message in sends for number in message.numbers)
        moved = held.symmetric_difference((*node.times, *node.codes, *its))
        return Reaction(
            after,
            sends,
            outcome.broken,
            outcome.seen,
            any(number < CODES for number in moved),
            any(number >= CODES for number in moved) or after.remembered != node.remembered,
            given,
            outcome.by_times,
            outcome.by_time,
            outcome.told,
        )

    def _outcome(self, case: Case) -> Outcome:
        """What a node makes of an input, looked up by the order of their times."""
        if self.narrator is not None:
            return self._run(case)
        node, kind, numbers, given, clock = case
        rank = {number: place for place, number in enumerate(given)}
        own, its = tuple([rank[it] for it in node.numbers]), tuple([rank[it] for it in numbers])
        counted = given[bisect_left(given, CODES) :]
        passed = sum(number < clock.passed for number in given)
        known = self.outcomes
        found: Outcome | None
        key, found = _look_up(known, (node.shape, kind, own, its, passed, counted), given, clock)
        if found is None:
            found = known[key] = self._run(case)
        return found

    def _run(self, case: Case) -> Outcome:
        """Let the roles of a node compute what they make of an input."""
        if self.narrator is None or self.teller is None:
            return self._run_for(case, self.narrator or self.teller)
        told = self._run_for(case, self.teller).told
        return self._run_for(case, self.narrator)._replace(told=told)

    def _run_for(self, case: Case, teller: Any) -> Outcome:
        """The same; a teller, if given, hears what the roles do."""
        watch, parts, clock = self.watch, self.parts, case.clock
        host = self._thawed(case.node.shape, clock.stamps(case.node.numbers))
        now = clock.stamp(clock.present(host.node))
        watch.reset()
        before = self.numbers.held(host)
        if teller is not None:
            teller.watch(host)
        happens = self._let_happen(host, case.kind, clock.stamps(case.numbers), teller)
        if isinstance(teller, OfReactions):
            teller.hears(happens)
        with self._followed():
            doing = act(self.setting, host, happens, watch.of_stamp(now), teller)
        self.numbers.take_over(host, before, at_first=case.kind == ("start",))
        watch.check()
        if doing.broken is not None and MARK in doing.broken:
            doing.broken = self._blamed(doing.broken)
        self.by_times |= watch.calculated
        self.by_time |= watch.absolute
        shape, own = self._shape_of(host, summary_of(host, doing.held))
        sends = [
            (send.target, *self._freezer.freeze((send.content, send.header)))
            for send in doing.sends
        ]
        seen = 0
        for need, granted, _ in host.metrics.answers:
            seen |= (DENIED * (not granted) | PARTIAL * (0 < granted < need)) if need else 0
        stamps = clock.stamps(case.given)
        appeared = {*own, *(stamp for *_, its in sends for stamp in its)}
        new = sorted(appeared.difference(stamps, (now,)))
        place = {stamp: place for place, stamp in enumerate((*stamps, now, *new))}
        return Outcome(
            shape,
            tuple(place[stamp] for stamp in own),
            tuple(
                (target, parts.shape(content), tuple(place[stamp] for stamp in its))
                for target, content, its in sends
            ),
            tuple(doing.timers),
            doing.broken,
            seen,
            tuple(it if it >= CODES else (it >> STEP_BITS) - clock.time_ns for it in new),
            watch.calculated,
            watch.absolute,
            teller.told() if isinstance(teller, OfReactions) else None,
        )

    def _shape_of(self, host: Host, summary: Summary) -> tuple[Shape, tuple[int, ...]]:
        """The shape of a host, and the stamps of its numbers."""
        memories = _memories(host)
        (content, stamps), elsewhere = frozen(host, self._freezer, memories)
        its = {_code_of(request) for memory in memories for request in memory} - elsewhere
        remembered = [place for place, stamp in enumerate(stamps) if stamp in its]
        return self.parts.shape(content, summary, tuple(remembered)), stamps

    def without(self, node: Node, requests: Collection[int], clock: Clock) -> Node:
        """The node when it has forgotten those of these requests that it does no more than
        remember."""
        shape, numbers = node.shape, node.numbers
        gone = tuple([place for place in shape.remembered if numbers[place] in requests])
        if not gone:
            return node
        key = shape, gone
        if key not in self._forgotten:
            stamps = clock.stamps(numbers)
            host = self._thawed(shape, stamps)
            for memory in _memories(host):
                for request in [it for it in memory if _code_of(it) in requests]:
                    del memory[request]
            after, left = self._shape_of(host, node.summary)
            self._forgotten[key] = after, [stamps.index(stamp) for stamp in left]
        shape, kept = self._forgotten[key]
        numbers = tuple([numbers[place] for place in kept])
        return self.parts.node(node.number, shape, numbers, node.timers)

    def _blamed(self, broken: str) -> str:
        """What is wrong, for readers: not that a text has no number in it where a role knows that
        it has put one, as into the name of a timer."""
        if "ValueError" in broken:
            raise Distinguished(self.watch.alike.as_counted())
        return plain(broken)

    def _followed(self) -> AbstractContextManager[None]:
        return nullcontext() if self._trail is None else self._trail.followed()

    def _let_happen(
        self, host: Host, kind: tuple[Any, ...], stamps: tuple[int, ...], teller: Any
    ) -> Input | None:
        """The input as the host gets it, if it does, after its change to the node's ledger."""
        match kind:
            case ("receive", sender, shape):
                return Received(sender, *self._content(shape, stamps))
            case ("fire", role, name):
                return TimerFired(role, name)
            case ("place", placed, size, limit):
                host.memory.allocate(placed.key, size, limit)
                return ProcessPlaced(placed)
            case ("end", job, place):
                ready = [of for of, has_started in host.residents.values() if has_started]
                process = sorted(of for of in ready if of.job == job)[place]
                host.memory.free(process.key)
                if teller is not None:
                    teller.ends(process)
                return ProcessEnded(process)
            case ("crash",):
                return Crashed()
            case ("restart",):
                return Restarted()
            case ("leave",):
                host.memory.withdrawn = True
                return Leaving(self.watch.of_stamp(stamps[0]))
            case ("go",):
                host.memory.clear()
                return NodeLost(for_ever=True)
            case ("lender gone", server):
                host.memory.give_back(server, host.memory.loans[server])
                return None
        return Started()


def _seen_in(clock: Clock, times: tuple[int, ...], is_after: bool) -> tuple[int, ...]:
    """The stamps of times and numbers in a state, for a rule that looks at it."""
    stamps = clock.stamps(times)
    return tuple(map(as_after, stamps)) if is_after else stamps


def _look_up(
    known: dict[Any, Any], key: Any, given: tuple[int, ...] | None, clock: Clock
) -> tuple[Any, Any]:
    """What is known under a key, and the key: where a role calculates with times, also by how far
    those `given` are ahead of the present; where it looks at the time, also by that."""
    found = known.get(key)
    if found is not None and found.by_times:
        key = key, clock.distances(found.given if given is None else given)
        found = known.get(key)
        if found is not None and found.by_time:
            key = key, clock.time_ns
            found = known.get(key)
    return key, found


def _memories(host: Host) -> list[dict[Request, Any]]:
    """What roles remember of requests: see `Role.remembers`."""
    return [getattr(role, name) for role in host.roles.values() for name in role.remembers]


def _code_of(request: Request) -> int | None:
    count = request.count
    return count.stamp if isinstance(count, Number) else None
