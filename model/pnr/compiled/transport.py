"""Stations, the messages that pass them, and which event is next."""

from typing import Any

import numpy as np

from model.core.jit import inner, seldom
from model.core.journal.kinds import MESSAGE, identity
from model.ground.clock import DELIVERY, SELF
from model.pnr.compiled.records import (
    ARRIVE,
    CARRY,
    DOWN,
    EXCHANGE,
    HOP,
    HOPPED,
    NEVER,
    NOBODY,
    RELEASE,
    REPLY,
    SENT,
    UP,
    Row,
    World,
)

inner(identity)  # here: whoever reads a journal need not wait for Numba


@inner
def enter(station: Row, now: int, service: int, size: int) -> int:
    """Queue up now at a station, as in `agents/station.py`; returns when the service ends."""
    start = now
    wait = station.free_ns - now
    if wait > 0:
        start = station.free_ns
        station.wait_ns += wait
        if station.wait_ns >= CARRY:
            station.wait_ns -= CARRY
            station.waits += 1
        if wait > station.max_wait_ns:
            station.max_wait_ns = wait
    station.served += 1
    station.bytes += size
    station.busy_ns += service
    end = start + service
    station.free_ns = end
    return end


@inner
def station_at(hop: int, sender: int, receiver: int, world: World) -> int:
    """The station at this place among the hops, for a message between these nodes."""
    station = world.hops[hop]
    if station == UP:
        return world.nodes[sender].uplink
    if station == DOWN:
        return world.nodes[receiver].downlink
    return station


@inner
def class_of(kind: int) -> int:
    """The class of a kind of message, as a place in `CLASSES` of `core/journal/queues.py`."""
    return (kind > REPLY) + (kind > RELEASE) + (kind > EXCHANGE)


@inner
def window_at(now: int, run: Row) -> int:
    """The window in which what reaches a station now is counted."""
    if now < run.border_ns:
        window: int = run.window
        return window
    return now // run.window_ns


@seldom
def note_hop(message: Row, here: int, now: int, start: int, end: int, world: World) -> None:
    """Journal that a message reaches a station now: count it, and perhaps write a record."""
    run = world.runs[0]
    cell = world.windows[window_at(now, run), here, class_of(message.kind)]
    cell.services += 1
    cell.delay_ns += start - now
    cell.peak_ns = max(cell.peak_ns, start - now)
    if run.stepwise:
        note_message(message, HOPPED, now, here, start, end, world)


@inner
def forward(message: Row, now: int, world: World) -> None:
    """Let a message enter the station it has reached, and set when and where it arrives next.

    A link that one switch alone feeds is passed at once: messages reach it in the order in which
    the switch, which takes at least 1 ns for each, sends them, so nothing can come between.
    """
    run = world.runs[0]
    kind = message.kind
    here = station_at(message.hop, message.sender, message.receiver, world)
    while True:
        station = world.stations[here]
        service = world.services[kind, 1 + station.rate]
        end = enter(station, now, service, world.services[kind, 0])
        if run.window_ns:
            note_hop(message, here, now, end - service, end, world)
        message.hop += 1
        now = end + station.latency_ns
        here = station_at(message.hop, message.sender, message.receiver, world)
        if here == NOBODY:
            message.what = ARRIVE
            break
        if run.stepwise or not world.stations[here].fed:
            message.what = HOP
            break
        message.events += 1
    message.time = now


@inner
def send(
    message: Row, kind: int, source: int, target: int, route: int, now: int, world: World
) -> None:
    """Send the message in a process's seat: number it, and put it on its way."""
    if source != target:
        message.sent[kind] += 1
    dispatch(message, kind, source, target, route, now, world)


@inner
def dispatch(
    message: Row, kind: int, source: int, target: int, route: int, now: int, world: World
) -> None:
    """Number a process's message, and put it on its way; within a node that takes no time."""
    run = world.runs[0]
    node = world.nodes[source]
    node.messages += 1
    message.kind = kind
    message.hop = route
    message.message_cause = run.cause
    message.cls = DELIVERY
    message.receiver = target
    message.sender = source
    message.number = node.messages
    if run.stepwise:
        note_message(message, SENT, now, 0, 0, 0, world)
    if source != target:
        forward(message, now, world)
    else:
        message.cls = SELF
        message.what = ARRIVE
        message.time = now


@inner
def note_message(
    message: Row, kind: int, now: int, station: int, start: int, end: int, world: World
) -> None:
    """Write a record about a message into the log."""
    run = world.runs[0]
    line = world.log[run.log]
    run.log += 1
    line.time = now
    line.kind = kind
    line.id = identity(MESSAGE, message.sender, message.number)
    line.cause = message.message_cause
    line.node = message.sender
    line.peer = message.receiver
    line.station = station
    line.start_ns = start
    line.end_ns = end
    line.message = message.kind
    line.letter = message.letter
    line.job = message.job
    line.rank = message.rank


@inner
def now_is(event: Row, world: World) -> None:
    run = world.runs[0]
    run.time = event.time
    run.cls = event.cls
    run.receiver = event.receiver
    run.sender = event.sender
    run.number = event.number
    run.turn += 1


@inner
def before(one: Row, other: Row) -> bool:
    """Whether one event comes before another, by the order of keys in `model/ground/clock.py`."""
    if one.time != other.time:
        return one.time < other.time
    if one.cls != other.cls:
        return one.cls < other.cls
    if one.receiver != other.receiver:
        return one.receiver < other.receiver
    if one.sender != other.sender:
        return one.sender < other.sender
    return one.number < other.number


# The seats' pending events form a tournament: leaf `half + i` is seat i, and each inner node holds
# the earlier of its two children. An event changes one leaf and some of the nodes above it.


@inner
def refresh(i: int, world: World) -> None:
    """Replay the matches of seat i, whose pending event has changed.

    Nothing branches by who wins, which a processor would guess wrongly in every other match. Where
    events at the same time meet, which is rare, all is played again, as more decides there.
    """
    place = (len(world.queue) >> 1) + i
    time = world.seats[i].time
    world.queue[place].time = time
    winner = i
    tied: Any = 0
    while place > 1:
        rival = world.queue[place ^ 1]
        rival_time = rival.time
        tied |= np.int64(rival_time == time) & np.int64(time != NEVER)
        lost = -np.int64(rival_time < time)  # all of its bits are 1 then
        winner ^= (winner ^ rival.winner) & lost
        time = min(time, rival_time)
        place >>= 1
        world.queue[place].winner = winner
        world.queue[place].time = time
    if tied:
        refresh_by_key(i, world)


@seldom
def refresh_by_key(i: int, world: World) -> None:
    """Do as `refresh` where events at the same time meet: their whole keys are compared."""
    place = (len(world.queue) >> 1) + i
    winner = i
    while place > 1:
        rival = world.queue[place ^ 1].winner
        if world.queue[place ^ 1].time != NEVER and before(world.seats[rival], world.seats[winner]):
            winner = rival
        place >>= 1
        world.queue[place].winner = winner
        world.queue[place].time = world.seats[winner].time


@inner
def earliest(world: World) -> int:
    """The seat whose event is next."""
    return world.queue[1].winner


# The indices of letters, most of which are protocol messages, are in a binary heap.


@inner
def push_letter(letter: int, world: World) -> None:
    """Make a letter's arrival pending."""
    run = world.runs[0]
    place = run.letters
    run.letters += 1
    while place > 0:
        parent = (place - 1) >> 1
        if not before(world.letters[letter], world.letters[world.heap[parent]]):
            break
        world.heap[place] = world.heap[parent]
        place = parent
    world.heap[place] = letter


@inner
def pop_letter(world: World) -> None:
    """Take the letter whose arrival is next off the heap."""
    run = world.runs[0]
    run.letters -= 1
    count = run.letters
    moved = world.heap[count]
    place = 0
    while 2 * place + 1 < count:
        child = 2 * place + 1
        if child + 1 < count and before(
            world.letters[world.heap[child + 1]], world.letters[world.heap[child]]
        ):
            child += 1
        if not before(world.letters[world.heap[child]], world.letters[moved]):
            break
        world.heap[place] = world.heap[child]
        place = child
    world.heap[place] = moved
