"""Faults: messages that are lost, doubled or late, links that are slow, and servents that fail.

What happens is decided by content: each draw has its stream, of the seed, the fault's place in the
scenario, and the message's sender, receiver, kind and count (or the node that fails). So servents
fail alike under every design, and messages as far as they are the same.
Both data planes call the same code, since protocol messages, roles and the scheduler are Python's
on both.
"""

from collections.abc import Callable, Sequence
from math import log
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from agents.messages import DATA_PHASES, Message, kinds_in
from agents.pnr import messages
from agents.pnr.messages import PageReply
from model.core.emulation import Emulation
from model.core.users_code import users_object
from model.ground.clock import DELIVERY, FAULT
from model.ground.errors import InputError, shown
from model.ground.randomness import CRASH, DELAY, DUPLICATE, LOSS, following, stream_key, uniform
from model.ground.units import NS_PER_MS, NS_PER_S, exact, round_half_up, seconds
from model.pnr.fault_tables import (
    Delay,
    Duplicate,
    Loss,
    NodeCrash,
    Partition,
    Pause,
    ServentCrash,
    Slow,
)

_FOR_EVER = 1 << 62
#: The phases and kinds of messages between processes, as a scenario names them.
_DATA = (
    *DATA_PHASES,
    *(kind.__name__ for kind in kinds_in(messages) if kind.phase in DATA_PHASES),
)


class Pass(NamedTuple):
    """A rule's verdict: nothing happens to the message."""


class Deliver(NamedTuple):
    """A rule's verdict: the message waits at the receiver's door."""

    delay_ns: int


class Drop(NamedTuple):
    """A rule's verdict: the message is lost."""


Rule = Callable[[Message, int], Pass | Deliver | Drop]
LOST = -1


class Faults:
    """What goes wrong in one run, and what came of it.

    `lost` counts messages that did not reach their servent, by reason. `recoveries_ns` are the
    times from each crash to the moment when nothing that it stopped waits any longer.
    """

    def __init__(self, model: Emulation, tables: Sequence[Any], rule: Rule | None) -> None:
        self._model = model
        self._clock = model.clock
        self._seed = model.parameters.seed
        self._tables = tables
        self._rule = rule
        self._windows = [_window(table) for table in tables]
        self._fates: dict[tuple[int, int], int] = {}  # sender, number -> ns of delay, or LOST
        self._void: dict[tuple[int, int], None] = {}  # messages of processes that were killed
        self._counts: dict[tuple[int, int, str], int] = {}  # sender, receiver, kind -> sent
        self._pending: dict[tuple[int, ...], bool] = {}  # events -> whether something ends then
        self.touch_data = any(map(_names_data, tables))  # whether pages or barriers may be lost
        self._number = 0  # of events scheduled
        self._stopped = False
        self.lost: dict[str, int] = {}
        self.duplicated = 0
        self.delayed = 0
        self.restarts = 0
        self.recoveries_ns: list[int] = []
        self._partitions = [
            (_window(table), _groups(table, len(model.nodes)), table)
            for table in tables
            if isinstance(table, Partition)
        ]
        self._of_messages = [
            (purpose, place, table)
            for wanted, purpose in ((Loss, LOSS), (Duplicate, DUPLICATE), (Delay, DELAY))
            for place, table in enumerate(tables)
            if isinstance(table, wanted)
        ]

    def begin(self) -> None:
        """Schedule what happens by time."""
        for place, table in enumerate(self._tables):
            if isinstance(table, Pause | ServentCrash | NodeCrash):
                nodes = range(len(self._model.nodes)) if table.nodes is None else table.nodes
                for node in nodes:
                    _Failing(self, place, table, node).begin()
            elif isinstance(table, Slow) and _window(table) != (0, _FOR_EVER):
                first_ns, last_ns = _window(table)
                self.at(first_ns, 0, place, self._slow, (table, exact(table.factor)))
                if last_ns < _FOR_EVER:
                    self.at(last_ns, 0, place, self._slow, (table, 1 / exact(table.factor)), True)

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

    def _happens(self, event: Any) -> None:
        key, action, argument = event
        del self._pending[key]
        if self._model.journal is not None:
            self._model.journal.because(0, None)
        action(argument)

    def stop(self) -> None:
        """Let nothing go wrong any more."""
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
        for purpose, place, table in self._of_messages:
            first_ns, last_ns = self._windows[place]
            if not (first_ns <= now_ns < last_ns and _concerns(table, message)):
                continue
            if self._draw(purpose, place, pair, 0) >= table.rate:
                continue
            if purpose == LOSS:
                fate = LOST
            elif purpose == DUPLICATE:
                self._send_again(message)
            elif fate != LOST:
                fate += _delay_ns(table, self._draw(purpose, place, pair, 1))
        if self._rule is not None and fate != LOST and not is_data:
            fate = self._verdict(message, fate)
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
        for (first_ns, last_ns), groups, table in self._partitions:
            if first_ns <= self._clock.now_ns < last_ns and _is_among(table, message):
                here, there = groups[message.source], groups[message.target]
                if here != there and not (table.oneway and here != 0):
                    return self._lose(message, "partition")
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
            self._model.network.hand_over(message)

    def _is_heard(self, message: Message) -> bool:
        """Whether anybody is there to hear a message; if not, it is lost."""
        if message.content.phase not in DATA_PHASES:
            if self._model.servents[message.target].is_down:
                return self._lose(message, "crash")
        elif (message.source, message.number) in self._void:
            return self._lose_void(message)
        elif self._model.nodes[message.target].is_down:  # it asks for a page
            self.count_lost(message, "crash")
            if process := self._waiting(message):
                process.give_up_page(self._timeout_ns(message), message)
            return False
        return True

    def _lose_void(self, message: Message) -> bool:
        del self._void[message.source, message.number]
        self.count_lost(message, "crash")
        return False

    def _lose(self, message: Message, why: str) -> bool:
        self.count_lost(message, why)
        if message.content.phase in DATA_PHASES and (process := self._waiting(message)):
            process.send_again(self._timeout_ns(message), message)
        return False

    def _waiting(self, lost: Message) -> Any:
        """The process that waits for a lost message or has sent it, if it is still there."""
        node = lost.target if isinstance(lost.content, PageReply) else lost.source
        return self._model.nodes[node].residents.get(lost.content.job)

    def _timeout_ns(self, lost: Message) -> int:
        """When somebody notices that a page or barrier message is lost: not before it is."""
        constants = self._model.constants
        page = lost.content.phase == "page"
        timeout_ns = constants.page_timeout_ns if page else constants.barrier_timeout_ns
        return max(self._clock.now_ns, lost.sent_ns + timeout_ns)

    def count_lost(self, message: Message, why: str) -> None:
        """Note that a message does not reach the role or the process that it is for."""
        self.lost[why] = self.lost.get(why, 0) + 1
        if message.source != message.target:
            self._model.network.lose(message)
        if self._model.journal is not None:
            self._model.journal.lost(message, why)

    def unheard(self) -> None:
        """Count a message of a servent to itself, which has crashed meanwhile."""
        self.lost["crash"] = self.lost.get("crash", 0) + 1

    def _send_again(self, message: Message) -> None:
        self.duplicated += 1
        node = self._model.nodes[message.source]
        copy = Message(
            message.source,
            message.target,
            node.next_number(),
            message.content,
            message.size_bytes,
            message.sent_ns,
        )
        copy.header, copy.reaction = message.header, message.reaction
        if self._model.journal is not None:
            self._model.journal.sent(copy)
        self._model.network.send_without_faults(copy)

    def _verdict(self, message: Message, fate: int) -> int:
        """What a user's rule says of a message."""
        verdict = self._rule(message, self._clock.now_ns)
        match verdict:
            case Pass():
                return fate
            case Drop():
                return LOST
            case Deliver(int() as delay_ns) if 0 <= delay_ns <= 10**18:
                return fate + delay_ns
        raise InputError(
            f"{self._model.name}, {seconds(self._clock.now_ns):.6f} s: the rule of --faults gives "
            f"{shown(verdict)} for a {type(message.content).__name__}; give Pass(), "
            "Deliver(delay_ns) or Drop()"
        )

    def _draw(self, purpose: int, place: int, pair: tuple[int, int, str], which: int) -> float:
        """A draw about the message just sent."""
        source, target, kind = pair
        words = place, source, target, crc32(kind.encode()), self._counts[pair], which
        return uniform(following(stream_key(self._seed, purpose, *words)))

    # Links

    def _slow(self, change: tuple[Slow, Any]) -> None:
        """Multiply the bandwidth of nodes' links."""
        table, factor = change
        links = {
            link.name: link
            for ends, link in self._model.network.between.items()
            if any(node in table.nodes for node in ends)
        }
        for link in links.values():
            link.change_bandwidth(float(exact(link.bandwidth_mbps) * factor))


class _Failing:
    """One node, or its servent, which fails at a time or again and again."""

    def __init__(self, faults: Faults, place: int, table: Any, node: int) -> None:
        self._faults = faults
        self._place = place
        self._table = table
        self._node = node
        self._draws = stream_key(faults._seed, CRASH, place, node)  # ups and downs in turn
        self._first_ns, self._last_ns = _window(table)

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
        table, now_ns = self._table, self._faults._clock.now_ns
        if table.mtbf_s is not None:
            ends_ns = now_ns + self._next_span(table.mttr_s)
        elif isinstance(table, Pause):
            ends_ns = self._last_ns
        elif table.restart_s is not None:
            ends_ns = now_ns + _ns(table.restart_s)
        else:
            ends_ns = None
        if ends_ns is not None:
            self._at(ends_ns, self._ends, ends=table.mtbf_s is None)
        model = self._faults._model
        match table:
            case NodeCrash():
                model.node_crashes.crash(self._node, for_ever=ends_ns is None)
            case ServentCrash():
                model.servents[self._node].crash(for_ever=ends_ns is None)
            case Pause():
                model.servents[self._node].pause()
        model.watchdog.fault_began_or_ended()

    def _ends(self, _: None) -> None:
        table, model = self._table, self._faults._model
        match table:
            case NodeCrash():
                model.node_crashes.restart(self._node)
            case ServentCrash():
                model.servents[self._node].restart()
            case Pause():
                model.servents[self._node].resume()
        if table.mtbf_s is not None:
            self._next_failure(self._faults._clock.now_ns)
        model.watchdog.fault_began_or_ended()

    def _next_span(self, mean_s: float) -> int:
        self._draws = following(self._draws)
        return _exponential_ns(_ns(mean_s), uniform(self._draws))

    def _at(self, time_ns: int, action: Callable[[None], None], ends: bool = False) -> None:
        self._faults.at(time_ns, self._node, self._place, action, ends=ends)


def load_rule(name: str | None) -> Rule | None:
    """The rule that `file.py:function` names; raises InputError if it is not there."""
    if name is None:
        return None
    path, _, function = name.rpartition(":")
    return users_object(Path(path), function, f"--faults {name}")


def needs_actors(tables: Sequence[Any]) -> str | None:
    """Why these faults run on the actors plane only; None if they run on both."""
    for place, table in enumerate(tables, start=1):
        if isinstance(table, Slow) and _window(table) != (0, _FOR_EVER):
            return f"fault {place}: links that are slow for a while"
        if _names_data(table):
            return f"fault {place}: faults of pages and barriers"
    return None


def unknown_message(tables: Sequence[Any], kinds: Sequence[type]) -> str | None:
    """What a fault says of a kind or phase of messages that is not there; None if all are."""
    words = dict.fromkeys([*(kind.phase for kind in kinds), *(kind.__name__ for kind in kinds)])
    for place, table in enumerate(tables, start=1):
        for word in getattr(table, "messages", None) or ():
            if word not in words:
                known = ", ".join(word for word in words)
                return f"fault {place} ({table.kind}): no message is called {word}; take {known}"
    return None


def slowed(graph: Any, tables: Sequence[Any]) -> Any:
    """The graph of a network in which links are slow throughout."""
    for table in tables:
        if isinstance(table, Slow) and _window(table) == (0, _FOR_EVER):
            graph = graph.copy()
            for one, other, link in graph.edges(data=True):
                if one in table.nodes or other in table.nodes:
                    bandwidth = exact(link["bandwidth_mbps"]) * exact(table.factor)
                    link["bandwidth_mbps"] = float(bandwidth)
    return graph


def _concerns(table: Any, message: Message) -> bool:
    """Whether a table is about a message, by its kind, sender and receiver."""
    nodes = table.nodes
    return _is_among(table, message) and (
        nodes is None or message.source in nodes or message.target in nodes
    )


def _is_among(table: Any, message: Message) -> bool:
    """Whether a table is about messages of this kind."""
    content = message.content
    if table.messages is None:
        return content.phase not in DATA_PHASES
    return type(content).__name__ in table.messages or content.phase in table.messages


def _names_data(table: Any) -> bool:
    """Whether a table is about messages of processes, too."""
    return any(word in _DATA for word in getattr(table, "messages", None) or ())


def _window(table: Any) -> tuple[int, int]:
    until_ns = _FOR_EVER if table.until_s is None else _ns(table.until_s)
    return _ns(table.from_s), until_ns


def _groups(table: Partition, nodes: int) -> list[int]:
    """The group of each node."""
    groups = [len(table.groups)] * nodes
    for number, group in enumerate(table.groups):
        for node in group:
            groups[node] = number
    return groups


def _delay_ns(table: Delay, draw: float) -> int:
    mean_ns = round_half_up(exact(table.delay_ms) * NS_PER_MS)
    if table.distribution == "constant":
        return mean_ns
    if table.distribution == "uniform":
        return int(draw * (2 * mean_ns + 1))
    return _exponential_ns(mean_ns, draw)


def _exponential_ns(mean_ns: int, draw: float) -> int:
    return max(1, round(-log(draw) * mean_ns))


def _ns(time_s: float) -> int:
    return round_half_up(exact(time_s) * NS_PER_S)
