"""Levels that change over time: memory by node, messages that wait or are under way."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from model.core.journal.kinds import WAY_ENDS, Record, Sent
from model.views.memory import memory_of
from model.views.recording import Recording

IN_RAM = ("RAM: own processes", "RAM: lent", "RAM: idle")
OVER = ("over-allocated: borrowed", "over-allocated: asked for", "over-allocated: on disk")


class Level(NamedTuple):
    """From a time on, something is so much."""

    time_ns: int
    of: Any  # a node's number and what of its memory; a station
    value: int


def memory(recording: Recording, nodes: Iterable[int]) -> Iterator[Level]:
    """The memory of each node in bytes, at time 0 and whenever it changes; its RAM is full of it.

    What is over-allocated is counted apart: what one borrows is what others lend.
    """
    held = memory_of(recording)
    split = held.parts(recording.rams)
    in_ram, over = (split.own, split.lent, split.idle), (split.borrowed, split.asked, split.on_disk)
    of_all = dict(zip((*IN_RAM, *OVER), (*in_ram, *over), strict=True))
    for node in nodes:
        for what, levels in of_all.items():
            yield from _changes((node, what), held.times_ns.tolist(), levels[node].tolist())


def waiting(services: Iterable[Record]) -> Iterator[Level]:
    """How many messages or page reads wait, without those in service, where any ever does."""
    steps: dict[str, list[tuple[int, int]]] = {}
    for service in services:
        if service.start_ns > service.time_ns:
            own = steps.setdefault(service.station, [(0, 0)])
            own += [(service.time_ns, 1), (service.start_ns, -1)]
    for station, own in steps.items():
        yield from _sums(station, own)


def in_flight(records: Iterable[Record]) -> Iterator[Level]:
    """How many of the messages sent over the network have not reached their receiver yet."""
    sent: set[int] = set()
    steps = [(0, 0)]
    for record in records:
        if record.kind == Sent.name and record.node != record.peer:
            sent.add(record.id)
            steps.append((record.time_ns, 1))
        elif record.kind in WAY_ENDS and record.id in sent:
            sent.discard(record.id)
            steps.append((record.time_ns, -1))
    yield from _sums(None, steps)


def within(levels: Iterable[Level], first_ns: int, last_ns: int) -> Iterator[Level]:
    """The levels in a window; what holds at its beginning is put there."""
    before: dict[Any, Level] = {}
    later: list[Level] = []
    for level in levels:
        if level.time_ns <= first_ns:
            before[level.of] = level._replace(time_ns=first_ns)
        elif level.time_ns <= last_ns:
            later.append(level)
    yield from (*before.values(), *later)


def _sums(of: object, steps: list[tuple[int, int]]) -> Iterator[Level]:
    times_ns, levels, level = [], [], 0
    for time_ns, change in sorted(steps, key=lambda step: step[0]):
        level += change
        if times_ns and times_ns[-1] == time_ns:
            levels[-1] = level
        else:
            times_ns.append(time_ns)
            levels.append(level)
    yield from _changes(of, times_ns, levels)


def _changes(of: object, times_ns: list[int], levels: list[int]) -> Iterator[Level]:
    """The levels that differ from those before."""
    before = None
    for time_ns, level in zip(times_ns, levels, strict=True):
        if level != before:
            yield Level(time_ns, of, level)
            before = level
