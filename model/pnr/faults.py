"""Faults: what every kind of fault has, and what came of all of them in one run.

The kinds themselves are in `fault_tables.py`: each is a table of a scenario and acts at a time
(`begin`), on messages that are sent (`strike`) or on messages that arrive (`keeps_out`).

What happens is decided by content: each draw has its stream, of the seed, the fault's place in the
scenario, and the message's sender, receiver, kind and count (or the node that fails). So servents
fail alike under every design, and messages as far as they are the same.
Both data planes call the same code, since protocol messages, roles and the scheduler are Python's
on both.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, partial
from math import log
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NamedTuple, Protocol, Self
from zlib import crc32

from pydantic import Field, model_validator

from agents.messages import DATA_PHASES, Content, Message, kinds_in
from agents.pnr import messages
from agents.pnr.messages import BarrierRelease, PageReply
from agents.pnr.surroundings import PlacedProcess, PnrSurroundings
from agents.pnr.synchronization import Exchange
from model.core.scenario import Table
from model.core.users_code import users_object
from model.ground.clock import DELIVERY, FAULT
from model.ground.errors import InputError, shown
from model.ground.randomness import CRASH, following, stream_key, uniform
from model.ground.units import NS_PER_S, exact, round_half_up, seconds

if TYPE_CHECKING:  # a scenario knows the kinds of faults, and need not wait for Mesa
    import networkx as nx

    from agents.pnr.processing_element import ProcessingElement
    from agents.pnr.servent import Servent
    from model.core.network import Network
    from model.pnr.job import Job
    from model.pnr.membership import Membership
    from model.pnr.node_crashes import NodeCrashes
    from model.pnr.watchdog import Watchdog

_FOR_EVER = 1 << 62
_LONGEST_S = 10**9
Seconds = Annotated[float, Field(ge=0, le=_LONGEST_S)]
Span = Annotated[float, Field(ge=10**-9, le=_LONGEST_S)]
Node = Annotated[int, Field(ge=0, le=65_535)]
Nodes = Annotated[tuple[Node, ...], Field(min_length=1)]
#: The kinds of messages between processes and for their pages; all others are of the protocol.
DATA_KINDS = (
    *(kind.__name__ for kind in kinds_in(messages) if kind.phase in DATA_PHASES),
    Exchange.__name__,
)
_DATA = (*DATA_PHASES, *DATA_KINDS)  # as a scenario names them


class Pass(NamedTuple):
    """A rule's verdict: nothing happens to the message."""


class Deliver(NamedTuple):
    """A rule's verdict: the message waits at the receiver's door."""

    delay_ns: int


class Drop(NamedTuple):
    """A rule's verdict: the message is lost."""


@dataclass(frozen=True, slots=True)
class SentMessage:
    """What a rule sees of a message that was just sent; it cannot change the message itself."""

    source: int
    target: int
    number: int  # the sender counts its messages
    content: Content
    size_bytes: int
    sent_ns: int
    header: object  # see `agents/pnr/role.py`: Send


Rule = Callable[[SentMessage, int], Pass | Deliver | Drop]
_SEEN = tuple(part.name for part in fields(SentMessage))
LOST = -1


class FaultyCluster(PnrSurroundings, Protocol):
    """The part of a cluster that faults see and change."""

    name: str
    nodes: "Sequence[ProcessingElement]"
    network: "Network"
    servents: Sequence["Servent"]  # by node
    node_crashes: "NodeCrashes"
    membership: "Membership"
    watchdog: "Watchdog"

    def job(self, number: int) -> "Job": ...


class Fault(Table):
    """What goes wrong, and the window in which it does: from `from_s` on, before `until_s`.

    A kind of fault has a `kind` of its own (a `Literal`) and overrides what it acts by.
    """

    stops_servents: ClassVar[bool] = False  # whether servents may learn of something too late
    stops_jobs: ClassVar[bool] = False  # whether jobs may have to begin again

    kind: str
    from_s: Seconds = 0
    until_s: Seconds | None = None

    @model_validator(mode="after")
    def _window(self) -> Self:
        if self.until_s is not None and self.until_s <= self.from_s:
            raise ValueError(f"until_s {self.until_s:g} is not after from_s {self.from_s:g}")
        return self

    @cached_property
    def window_ns(self) -> tuple[int, int]:
        """From when on, and before when, it may happen."""
        return ns(self.from_s), _FOR_EVER if self.until_s is None else ns(self.until_s)

    @property
    def is_throughout(self) -> bool:
        return self.window_ns == (0, _FOR_EVER)

    def named_nodes(self) -> Iterable[int]:
        return getattr(self, "nodes", None) or ()

    def named_messages(self) -> Iterable[str]:
        return ()

    def lost_for_ever(self) -> Iterable[int]:
        return ()

    def why_actors(self) -> str | None:
        """What of it happens on the actors plane only; None if both planes have all of it."""
        return "faults of pages and barriers" if self.names_data else None

    @property
    def names_data(self) -> bool:
        """Whether it is about messages between processes, too."""
        return any(word in _DATA for word in self.named_messages())

    def changed(self, graph: "nx.Graph") -> "nx.Graph":
        """The graph of the network, as this fault makes it for the whole run."""
        return graph

    def begin(self, faults: "Faults", place: int) -> None:
        """Schedule what happens by time; `place` is this table's among the scenario's."""

    def keeps_out(self, message: Message, cluster: FaultyCluster) -> bool:
        """Whether a message that reaches its receiver's door within the window is lost there."""
        return False


class FaultOfMessages(Fault):
    """A fault of messages: of these kinds or phases (default: all of the protocol)."""

    messages: tuple[str, ...] | None = Field(None, min_length=1)

    def named_messages(self) -> Iterable[str]:
        return self.messages or ()

    def concerns(self, message: Message) -> bool:
        content = message.content
        if self.messages is None:
            return content.phase not in DATA_PHASES
        return type(content).__name__ in self.messages or content.phase in self.messages


class FaultAtSending(FaultOfMessages):
    """A fault that strikes a share of the messages when they are sent, in the order of `purpose`.

    `nodes`: only messages that one of them sends or receives.
    """

    purpose: ClassVar[int]  # of its draws

    nodes: Nodes | None = None
    rate: float = Field(1, ge=0, le=1)

    def concerns(self, message: Message) -> bool:
        nodes = self.nodes
        return super().concerns(message) and (
            nodes is None or message.source in nodes or message.target in nodes
        )

    def strike(self, message: Message, faults: "Faults", draw: Callable[[int], float]) -> int:
        """What becomes of a message: LOST, or by how many ns it is late.

        `draw` gives the draws of this message by number; the first (0) has chosen it.
        """
        raise NotImplementedError


class Outage(Fault):
    """Something of a node stops working: once at `from_s`, or again and again within the window.

    `mtbf_s`, `mttr_s`: the mean times to the next failure and to its end, exponentially
    distributed.
    """

    nodes: Nodes | None = None
    #: Nobody does anything in a shorter time: a message takes as long.
    mtbf_s: Annotated[float, Field(ge=0.001, le=_LONGEST_S)] | None = None
    mttr_s: Span | None = None

    @model_validator(mode="after")
    def _repeats_or_not(self) -> Self:
        if (self.mtbf_s is None) != (self.mttr_s is None):
            raise ValueError("mtbf_s and mttr_s: give both or none")
        if self.mtbf_s is None and self.nodes is None:
            raise ValueError("nodes: say which, unless it happens by mtbf_s and mttr_s")
        return self

    def begin(self, faults: "Faults", place: int) -> None:
        """Schedule the first failure of each node."""
        for node in range(len(faults.model.nodes)) if self.nodes is None else self.nodes:
            _Failing(faults, place, self, node).begin()

    def ends_ns(self, now_ns: int) -> int | None:
        """When a single outage that begins now ends; None: never."""
        raise NotImplementedError

    def fail(self, cluster: FaultyCluster, node: int, for_ever: bool) -> None:
        raise NotImplementedError

    def recover(self, cluster: FaultyCluster, node: int) -> None:
        raise NotImplementedError


class Faults:
    """What goes wrong in one run, and what came of it.

    `lost` counts messages that did not reach their servent, by reason. `recoveries_ns` are the
    times from each crash to the moment when nothing that it stopped waits any longer.
    """

    def __init__(self, model: FaultyCluster, tables: Sequence[Fault], rule: Rule | None) -> None:
        self.model = model
        self._clock = model.clock
        self.seed: int = model.parameters.seed
        self._tables = tables
        self._rule = rule
        at_sending = [
            (n, table) for n, table in enumerate(tables) if isinstance(table, FaultAtSending)
        ]
        self._at_sending = sorted(at_sending, key=lambda one: (one[1].purpose, one[0]))
        self._fates: dict[tuple[int, int], int] = {}  # sender, number -> ns of delay, or LOST
        self._void: dict[tuple[int, int], None] = {}  # messages of processes that were killed
        self._counts: dict[tuple[int, int, str], int] = {}  # sender, receiver, kind -> sent
        self._pending: dict[tuple[int, ...], bool] = {}  # events -> whether something ends then
        self.touch_data = any(
            table.names_data for table in tables
        )  # whether pages or barriers may be lost
        self._number = 0  # of events scheduled
        self._stopped = False
        self.lost: dict[str, int] = {}
        self.duplicated = 0
        self.delayed = 0
        self.restarts = 0
        self.recoveries_ns: list[int] = []

    def begin(self) -> None:
        for place, table in enumerate(self._tables):
            table.begin(self, place)

    def at(
        self,
        time_ns: int,
        node: int,
        place: int,
        action: Callable[[Any], None],
        argument: Any = None,
        ends: bool = False,
    ) -> None:
        """Have something happen; `ends`: it ends a fault, for which a run that stands still waits.

        The ends of faults that come back again and again are not waited for.
        """
        if self._stopped:
            return
        self._number += 1
        key = (time_ns, FAULT, node, place, self._number)
        self._pending[key] = ends
        self._clock.schedule((*key, self._happens, (key, action, argument)))

    def _happens(self, event: tuple[tuple[int, ...], Callable[[object], None], object]) -> None:
        key, action, argument = event
        del self._pending[key]
        if self.model.journal is not None:
            self.model.journal.because(0, None)
        action(argument)

    def stop(self) -> None:
        self._stopped = True
        for key in self._pending:
            self._clock.cancel(*key)
        self._pending.clear()

    @property
    def ends_are_pending(self) -> bool:
        """Whether a restart or another end of a fault is to come."""
        return any(self._pending.values())

    # Messages

    def sent(self, message: Message) -> None:
        """Decide what becomes of a message that has just been put on its way."""
        content = message.content
        is_data = content.phase in DATA_PHASES
        if is_data and not self.touch_data:
            return
        kind = type(content).__name__
        pair = message.source, message.target, kind
        self._counts[pair] = self._counts.get(pair, 0) + 1
        now_ns, fate = self._clock.now_ns, 0
        for place, table in self._at_sending:
            first_ns, last_ns = table.window_ns
            if first_ns <= now_ns < last_ns and table.concerns(message):
                draw = partial(self._draw, table.purpose, place, pair)
                if draw(0) < table.rate:
                    late_ns = table.strike(message, self, draw)
                    fate = LOST if LOST in (fate, late_ns) else fate + late_ns
        if self._rule is not None and fate != LOST and not is_data:
            fate = self._verdict(self._rule, message, fate)
        if fate:
            self._fates[message.source, message.number] = fate

    def lets_in(self, message: Message) -> bool:
        """Whether a message that has reached its receiver's door goes on to the receiver now."""
        number = message.source, message.number
        fate = self._fates.pop(number, 0)
        if number in self._void:
            return self._lose_void(message)
        if fate == LOST:
            return self._lose(message, "loss")
        for table in self._tables:
            first_ns, last_ns = table.window_ns
            if first_ns <= self._clock.now_ns < last_ns and table.keeps_out(message, self.model):
                return self._lose(message, table.kind)
        if fate:
            self.delayed += 1
            when = self._clock.now_ns + fate
            key = (when, DELIVERY, message.target, message.source, message.number)
            self._clock.schedule((*key, self._goes_in, message))
            return False
        return self._is_heard(message)

    def void(self, message: Message) -> None:
        """Lose a message that is under way: the process that it is about was killed."""
        self._void[message.source, message.number] = None

    def _goes_in(self, message: Message) -> None:
        if self._is_heard(message):
            self.model.network.hand_over(message)

    def _is_heard(self, message: Message) -> bool:
        """Whether anybody is there to hear a message; if not, it is lost."""
        if message.content.phase not in DATA_PHASES:
            if self.model.servents[message.target].is_down:
                return self._lose(message, self._why_down(message.target))
        elif (message.source, message.number) in self._void:
            return self._lose_void(message)
        elif self.model.nodes[message.target].is_down:  # it asks for a page
            self.count_lost(message, self._why_down(message.target))
            if process := self._waiting(message):
                process.give_up_page(self._timeout_ns(message), message)
            return False
        return True

    def _why_down(self, node: int) -> str:
        return "away" if self.model.membership.is_away(node) else "crash"

    def _lose_void(self, message: Message) -> bool:
        del self._void[message.source, message.number]
        self.count_lost(message, "crash")
        return False

    def _lose(self, message: Message, why: str) -> bool:
        self.count_lost(message, why)
        if message.content.phase in DATA_PHASES and (process := self._waiting(message)):
            process.send_again(self._timeout_ns(message), message)
        return False

    def _waiting(self, lost: Message) -> PlacedProcess | None:
        """The process that waits for a lost message or has sent it, if it is still there.

        Who has sent word of a barrier may have finished while others wait for it. Nobody waits for
        data that processes exchange.
        """
        if isinstance(lost.content, Exchange):
            return None
        content, node = lost.content, lost.source
        job, rank = content.job, content.rank
        assert job is not None
        assert rank is not None
        if content.phase == "barrier":
            of_job = self.model.job(job).processes
            if isinstance(content, BarrierRelease):
                rank = self.model.constants.synchronization.parent(rank, len(of_job))
            there = (it for it in of_job if it.rank == rank and it.node.index == node)
            return next(there, None)
        if isinstance(content, PageReply):
            node = lost.target
        return self.model.nodes[node].residents.get((job, rank))

    def _timeout_ns(self, lost: Message) -> int:
        """When somebody notices that a page or barrier message is lost: not before it is."""
        constants = self.model.constants
        page = lost.content.phase == "page"
        timeout_ns = constants.page_timeout_ns if page else constants.barrier_timeout_ns
        return max(self._clock.now_ns, lost.sent_ns + timeout_ns)

    def count_lost(self, message: Message, why: str) -> None:
        """Note that a message does not reach the role or the process that it is for."""
        self.lost[why] = self.lost.get(why, 0) + 1
        if message.source != message.target:
            self.model.network.lose(message)
        if self.model.journal is not None:
            self.model.journal.lost(message, why)

    def send_again(self, message: Message) -> None:
        """Send a message a second time, at once behind the first and free of faults."""
        self.duplicated += 1
        node = self.model.nodes[message.source]
        copy = Message(
            message.source,
            message.target,
            node.next_number(),
            message.content,
            message.size_bytes,
            message.sent_ns,
        )
        copy.header, copy.reaction = message.header, message.reaction
        if self.model.journal is not None:
            self.model.journal.sent(copy)
        self.model.network.send(copy, spared=True)

    def _verdict(self, rule: Rule, message: Message, fate: int) -> int:
        """What becomes of a message by a user's rule; `fate` is what other faults make of it."""
        seen = SentMessage(*(getattr(message, name) for name in _SEEN))
        verdict = rule(seen, self._clock.now_ns)
        if type(verdict) is Pass:
            return fate
        if type(verdict) is Drop:
            return LOST
        delay_ns = verdict.delay_ns if type(verdict) is Deliver else None
        if type(delay_ns) is int and 0 <= delay_ns <= 10**18:
            return fate + delay_ns
        raise InputError(
            f"{self.model.name}, {seconds(self._clock.now_ns):.6f} s: the rule of --faults gives "
            f"{shown(verdict)} for a {type(message.content).__name__}; give Pass(), "
            "Deliver(delay_ns) or Drop()"
        )

    def _draw(self, purpose: int, place: int, pair: tuple[int, int, str], which: int) -> float:
        source, target, kind = pair
        words = place, source, target, crc32(kind.encode()), self._counts[pair], which
        return uniform(following(stream_key(self.seed, purpose, *words)))


class _Failing:
    """One node, or its servent, which fails at a time or again and again."""

    def __init__(self, faults: Faults, place: int, table: Outage, node: int) -> None:
        self._faults = faults
        self._place = place
        self._table = table
        self._node = node
        self._draws = stream_key(faults.seed, CRASH, place, node)  # ups and downs in turn
        self._first_ns, self._last_ns = table.window_ns
        self._is_void = False  # whether the present outage is of a node that was not there

    def begin(self) -> None:
        if self._table.mtbf_s is None:
            self._at(self._first_ns, self._fails)
        else:
            self._next_failure(self._first_ns)

    def _next_failure(self, now_ns: int) -> None:
        when = now_ns + self._next_span(self._table.mtbf_s)
        if when < self._last_ns:
            self._at(when, self._fails)

    def _fails(self, _: None) -> None:
        table, cluster = self._table, self._faults.model
        repeats, now_ns = table.mtbf_s is not None, cluster.clock.now_ns
        ends_ns = now_ns + self._next_span(table.mttr_s) if repeats else table.ends_ns(now_ns)
        if ends_ns is not None:
            self._at(ends_ns, self._ends, ends=not repeats)
        self._is_void = cluster.membership.is_away(self._node)
        if not self._is_void:
            table.fail(cluster, self._node, for_ever=ends_ns is None)
        cluster.watchdog.has_failed()

    def _ends(self, _: None) -> None:
        table, cluster = self._table, self._faults.model
        if not self._is_void and not cluster.membership.is_away(self._node):
            table.recover(cluster, self._node)
        if table.mtbf_s is not None:
            self._next_failure(cluster.clock.now_ns)
        cluster.watchdog.may_be_quiet()

    def _next_span(self, mean_s: float | None) -> int:
        assert mean_s is not None
        self._draws = following(self._draws)
        return exponential_ns(ns(mean_s), uniform(self._draws))

    def _at(self, time_ns: int, action: Callable[[None], None], ends: bool = False) -> None:
        self._faults.at(time_ns, self._node, self._place, action, ends=ends)


def changed_network(graph: "nx.Graph", tables: Iterable[Fault] | None) -> "nx.Graph":
    """The network as these faults make it for the whole run."""
    for table in tables or ():
        graph = table.changed(graph)
    return graph


def load_rule(name: str | None) -> Rule | None:
    """The rule that `file.py:function` names; raises InputError if it is not there."""
    if name is None:
        return None
    path, _, function = name.rpartition(":")
    rule = users_object(Path(path), function, f"--faults {name}")
    if isinstance(rule, type):
        raise InputError(f"--faults {name}: a class; give a function of a message and a time")
    return rule


def needs_actors(tables: Sequence[Fault]) -> str | None:
    """Why these faults run on the actors plane only; None if they run on both."""
    for place, table in enumerate(tables, start=1):
        if why := table.why_actors():
            return f"fault {place}: {why}"
    return None


def complaint(tables: Iterable[Fault], nodes: int) -> str | None:
    """What is wrong with faults on a cluster of so many nodes; None if nothing is."""
    gone: dict[int, None] = {}  # nodes that crash for ever
    for place, table in enumerate(tables, start=1):
        for node in table.named_nodes():
            if node >= nodes:
                return f"fault {place} ({table.kind}) names node {node}; nodes are 0 to {nodes - 1}"
        gone |= dict.fromkeys(table.lost_for_ever())
        if len(gone) == nodes:
            leaves = "leaves no node; give restart_s, or name fewer nodes"
            return f"fault {place} ({table.kind}) {leaves}"
    return None


def unknown_message(tables: Sequence[Fault], kinds: Sequence[type[Content]]) -> str | None:
    """The complaint about a kind or phase of messages that there is not; None if all are known."""
    known = dict.fromkeys([*(kind.phase for kind in kinds), *(kind.__name__ for kind in kinds)])
    for place, table in enumerate(tables, start=1):
        for word in table.named_messages():
            if word not in known:
                take = ", ".join(known)
                return f"fault {place} ({table.kind}): no message is called {word}; take {take}"
    return None


def exponential_ns(mean_ns: int, draw: float) -> int:
    """The exponentially distributed time of this mean that a draw stands for; at least 1 ns."""
    return max(1, round(-log(draw) * mean_ns))


def ns(time_s: float) -> int:
    return round_half_up(exact(time_s) * NS_PER_S)
