"""What a state is made of: nodes, messages and channels, of which equal ones are the same object.

Millions of states share some thousand parts. What is worked out of a part once, such as a node's
reaction to a message, is kept with it.
"""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import Any, NamedTuple

from model.pnr.explore.clocks import Clock
from model.pnr.explore.host import Balance, Summary
from model.pnr.explore.monitors import Told
from model.pnr.explore.numbers import CODES, codes_in, with_codes
from model.pnr.explore.steps import DELIVER, END, Step


class Timer(NamedTuple):
    """A timer that is set."""

    role: str
    name: str
    left_ns: int


@dataclass(eq=False)
class Shape:
    """What a node or message holds, but for its times: `content`, frozen."""

    content: bytes
    summary: Summary | None = None  # of a node
    #: Of a node: by place among its times, the requests that it does no more than remember.
    remembered: tuple[int, ...] = ()

    @cached_property
    def digest(self) -> bytes:
        return blake2b(self.content, digest_size=16).digest()


@dataclass(eq=False, slots=True)
class Message:
    """A message on its way; `numbers` are those of the times that it holds, in order, and then the
    codes of what roles count."""

    source: int
    target: int
    shape: Shape
    numbers: tuple[int, ...]
    balance: Balance | None


@dataclass(eq=False, slots=True)
class Channel:
    """The messages on their way from one node to another, which are some."""

    source: int
    target: int
    messages: tuple[Message, ...]
    times: tuple[int, ...]  # the numbers of those that they hold
    codes: tuple[int, ...]  # of what roles count
    balance: Balance | None
    deliveries: tuple[Step, ...]  # that are possible; of equal messages the first
    #: The channel without the message at a place, or with one more there.
    others: dict[Any, "Channel | None"] = field(default_factory=dict)

    def faults(self, kind: int) -> list[Step]:
        """The steps of this kind that may befall the messages; none of those to oneself."""
        if self.source == self.target:
            return []
        return [Step(kind, *step[1:]) for step in self.deliveries]


@dataclass(eq=False, slots=True)
class Node:
    """A node: what it and its roles hold, and its timers by role and name."""

    number: int
    shape: Shape
    numbers: tuple[int, ...]  # as of a message
    timers: tuple[Timer, ...]
    summary: Summary
    balance: Balance | None
    ends: tuple[Step, ...]  # of processes, that are possible
    due_ns: int | None  # until the first timer fires
    times: tuple[int, ...]  # the numbers of those that it holds
    remembered: tuple[int, ...]  # the codes of requests that it does no more than remember
    codes: tuple[int, ...]  # and all others, also in the names of timers
    reactions: dict[Any, "Reaction"] = field(default_factory=dict)  # by input: see `Reactions`


class Reaction(NamedTuple):
    """What a node makes of an input."""

    node: Node  # afterwards
    sends: tuple[Message, ...]
    broken: str | None  # the rule that it breaks, if any
    seen: int  # what became of requests, as bits
    moves_times: bool  # whether other times than before may be held by somebody
    moves_codes: bool  # or other numbers that roles count
    given: tuple[int, ...]  # the numbers of the node before, and of the input
    by_times: bool  # whether a role has calculated with them
    by_time: bool  # and with the time since the beginning
    told: Told | None  # to monitors, if there are some


class Parts:
    """All parts that are known; `balance_of` a message is asked once for each that is new."""

    def __init__(
        self,
        in_any_order: bool,
        balance_of: Callable[[int, int, Shape, tuple[int, ...]], Balance | None],
    ) -> None:
        self.in_any_order = in_any_order
        self._balance_of = balance_of
        self._shapes: dict[bytes, Shape] = {}
        self._messages: dict[Any, Message] = {}
        self._channels: dict[Any, Channel] = {}
        self.nodes: dict[Any, Node] = {}

    def shape(
        self, content: bytes, summary: Summary | None = None, remembered: tuple[int, ...] = ()
    ) -> Shape:
        """The shape with this content, of a node if there is a summary."""
        found = self._shapes.get(content)
        if found is None:
            found = self._shapes[content] = Shape(content, summary, remembered)
        return found

    def message(self, source: int, target: int, shape: Shape, numbers: tuple[int, ...]) -> Message:
        key = source, target, shape, numbers
        found = self._messages.get(key)
        if found is None:
            balance = self._balance_of(*key)
            found = self._messages[key] = Message(*key, balance)
        return found

    def channel(self, source: int, target: int, messages: tuple[Message, ...]) -> Channel:
        key = source, target, messages
        found = self._channels.get(key)
        if found is None:
            numbers = {number for message in messages for number in message.numbers}
            times, codes = parted(sorted(numbers))
            balances = [message.balance for message in messages]
            steps = tuple(
                Step(DELIVER, source, target, place)
                for place, message in enumerate(messages)
                if place == 0 or (self.in_any_order and message is not messages[place - 1])
            )
            balance = None if None in balances else sum(filter(None, balances))
            found = self._channels[key] = Channel(*key, times, codes, balance, steps)
        return found

    def _without(self, channel: Channel, place: int) -> Channel | None:
        """The channel without the message at this place; None if no other is left."""
        others, messages = channel.others, channel.messages
        if place not in others:
            left = messages[:place] + messages[place + 1 :]
            others[place] = self.channel(channel.source, channel.target, left) if left else None
        return others[place]

    def _with(self, channel: Channel, place: int, message: Message) -> Channel:
        """The channel with one more message, at this place."""
        key, messages = (place, message), channel.messages
        found = channel.others.get(key)
        if found is None:
            more = (*messages[:place], message, *messages[place:])
            found = channel.others[key] = self.channel(channel.source, channel.target, more)
        return found

    def node(
        self, number: int, shape: Shape, numbers: tuple[int, ...], timers: tuple[Timer, ...]
    ) -> Node:
        key = number, shape, numbers, timers
        found = self.nodes.get(key)
        if found is None:
            summary = shape.summary
            assert summary is not None
            ends = tuple(Step(END, number, *of_job) for of_job in summary.running)
            due_ns = min((timer.left_ns for timer in timers), default=None)
            times, codes = parted(numbers)
            named = [code for timer in timers for code in codes_in(timer.name)]
            remembered = {numbers[place] for place in shape.remembered}.difference(named)
            found = self.nodes[key] = Node(
                *key,
                summary,
                summary.balance,
                ends,
                due_ns,
                times,
                tuple(sorted(remembered)),
                tuple([code for code in (*codes, *named) if code not in remembered]),
            )
        return found

    def without_timer(self, node: Node, place: int) -> Node:
        left = node.timers[:place] + node.timers[place + 1 :]
        return self.node(node.number, node.shape, node.numbers, left)

    def later(self, node: Node, after_ns: int) -> Node:
        timers = tuple([Timer(role, name, left - after_ns) for role, name, left in node.timers])
        return self.node(node.number, node.shape, node.numbers, timers)

    # Messages on their way

    def take_out(self, channels: list[Channel], step: Step) -> Message:
        """Take the message that a step is about out of its channel."""
        place = place_of(channels, step.a, step.b)
        channel = channels[place]
        left = self._without(channel, step.c)
        if left is None:
            del channels[place]
        else:
            channels[place] = left
        return channel.messages[step.c]

    def repeat(self, channels: list[Channel], step: Step) -> None:
        """Put the message that a step is about on its way once more, right behind itself."""
        place = place_of(channels, step.a, step.b)
        message = channels[place].messages[step.c]
        channels[place] = self._with(channels[place], step.c, message)

    def send(self, channels: list[Channel], message: Message, clock: Clock) -> int:
        """Put a message on its way; returns its place in its channel."""
        ends = message.source, message.target
        place = place_of(channels, *ends)
        channel = channels[place] if place < len(channels) else None
        if channel is None or (channel.source, channel.target) != ends:
            channels.insert(place, self.channel(*ends, (message,)))
            return 0
        behind = len(channel.messages)
        if self.in_any_order:
            its = _order(message, clock)
            while behind and its < _order(channel.messages[behind - 1], clock):
                behind -= 1
        channels[place] = self._with(channel, behind, message)
        return behind


class Renumbered(dict[Any, Any]):
    """Nodes and channels, before and after times or what roles count have got other numbers."""

    def __init__(self, parts: Parts, numbers: Mapping[int, int]) -> None:
        self.parts = parts
        self.numbers = numbers

    def __missing__(self, part: Node | Channel) -> Node | Channel:
        after: Node | Channel
        if isinstance(part, Node):
            timers = tuple(map(self._timer, part.timers)) if part.codes else part.timers
            after = self.parts.node(part.number, part.shape, self._numbers(part), timers)
        else:
            after = self.parts.channel(
                part.source, part.target, tuple(map(self._message, part.messages))
            )
        self[part] = after
        return after

    def _message(self, before: Message) -> Message:
        return self.parts.message(before.source, before.target, before.shape, self._numbers(before))

    def _timer(self, before: Timer) -> Timer:
        return before._replace(name=with_codes(before.name, self._number))

    def _numbers(self, part: Node | Message) -> tuple[int, ...]:
        return tuple(map(self._number, part.numbers))

    def _number(self, before: int) -> int:
        return self.numbers.get(before, before)


def parted(numbers: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The numbers of times, and the codes of what roles count, which are behind these."""
    first = bisect_left(numbers, CODES)
    return tuple(numbers[:first]), tuple(numbers[first:])


def place_of(channels: Sequence[Channel], source: int, target: int) -> int:
    """The place of a channel, or where it would be."""
    for place, channel in enumerate(channels):
        if channel.source >= source and (channel.source > source or channel.target >= target):
            return place
    return len(channels)


def _order(message: Message, clock: Clock) -> tuple[bytes, tuple[int, ...]]:
    """By this messages of one channel stand in order, if they keep no other."""
    return message.shape.digest, clock.stamps(message.numbers)
