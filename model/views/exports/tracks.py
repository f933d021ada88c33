"""A trace of track events: slices, instants and counters on a tree of tracks, as Perfetto reads it.

The format: perfetto.dev/docs/reference/synthetic-track-event. The fields of a track event stand in
`TrackEvent` of perfetto_trace.proto, of which the package `perfetto` holds the Python classes.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import (
    CounterDescriptor,
    Trace,
    TrackDescriptor,
    TrackEvent,
)

BEGIN, END, INSTANT, COUNTER = (
    TrackEvent.TYPE_SLICE_BEGIN,
    TrackEvent.TYPE_SLICE_END,
    TrackEvent.TYPE_INSTANT,
    TrackEvent.TYPE_COUNTER,
)
Track = tuple[str, ...]  # names from the root
_SEQUENCE = 1  # all packets are of one writer
_CHUNK = 4_096  # packets held before they are written
_UNITS = {"bytes": CounterDescriptor.UNIT_SIZE_BYTES, "count": CounterDescriptor.UNIT_COUNT}


@dataclass(slots=True)
class Event:
    """Something that begins, ends or happens on a track, or a counter's new value."""

    time_ns: int
    type: int
    track: Track
    name: str = ""
    category: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    value: int = 0  # of a counter
    leaving: tuple[int, ...] = ()  # the flows that go on from here
    arriving: tuple[int, ...] = ()  # the flows that end here


def write(
    path: Path, events: list[Event], first: Iterable[str], units: Mapping[Track, str]
) -> None:
    """Write a trace; of equal times the order of events is kept, as nesting needs it.

    Tracks are in the order of `first`, by name, then in natural order, since Perfetto keeps none
    above the first. `units` (bytes, count) are those of counters by track; all other tracks have
    slices.
    """
    numbers = _numbered((event.track for event in events), list(first))
    with path.open("wb") as file:
        part = Trace()
        for track, number in numbers.items():
            _describe(part, track, number, numbers, units.get(track))
        for event in sorted(events, key=lambda event: event.time_ns):
            if len(part.packet) >= _CHUNK:
                file.write(part.SerializeToString())
                part = Trace()  # traces can be put one after another
            _add(part, event, numbers[event.track])
        file.write(part.SerializeToString())


def _numbered(tracks: Iterable[Track], first: list[str]) -> dict[Track, int]:
    """The tracks and those above them, parents first, with numbers from 1."""
    rank = {name: place for place, name in enumerate(first)}
    whole = {track[:depth] for track in set(tracks) for depth in range(1, len(track) + 1)}

    def place(track: Track) -> list[Any]:
        return [(rank.get(name, len(rank)), _natural(name)) for name in track]

    return {track: number for number, track in enumerate(sorted(whole, key=place), 1)}


def _natural(name: str) -> list[tuple[int, str]]:
    """So that node 2 comes before node 10."""
    parts = re.split(r"(\d+)", name)
    return [(int(part), "") if part.isdigit() else (-1, part) for part in parts]


def _describe(
    trace: Trace, track: Track, number: int, numbers: dict[Track, int], unit: str | None
) -> None:
    described = TrackDescriptor(
        uuid=number,
        name=track[-1],
        sibling_order_rank=number,
        child_ordering=TrackDescriptor.EXPLICIT,
        # each is a track of its own, even if others have the same name
        sibling_merge_behavior=TrackDescriptor.SIBLING_MERGE_BEHAVIOR_NONE,
        parent_uuid=numbers[track[:-1]] if len(track) > 1 else None,
        counter=None if unit is None else CounterDescriptor(unit=_UNITS[unit]),
    )
    trace.packet.add(trusted_packet_sequence_id=_SEQUENCE, track_descriptor=described)


def _add(trace: Trace, event: Event, number: int) -> None:
    packet = trace.packet.add(timestamp=event.time_ns, trusted_packet_sequence_id=_SEQUENCE)
    written = packet.track_event
    written.type = event.type
    written.track_uuid = number
    if event.type == COUNTER:
        written.counter_value = event.value
    elif event.type != END:
        written.name = event.name
        written.categories.append(event.category)
        _annotate(written.debug_annotations, event.arguments)
        written.flow_ids.extend(event.leaving)
        written.terminating_flow_ids.extend(event.arriving)


def _annotate(annotations: Any, arguments: Mapping[str, Any]) -> None:
    for name, value in arguments.items():
        if isinstance(value, bool):
            annotations.add(name=name, bool_value=value)
        elif isinstance(value, int) and abs(value) < 2**63:
            annotations.add(name=name, int_value=value)
        elif isinstance(value, Mapping):
            _annotate(annotations.add(name=name).dict_entries, value)
        elif isinstance(value, float):
            annotations.add(name=name, double_value=value)
        else:
            text = value if isinstance(value, str) else json.dumps(value)
            annotations.add(name=name, string_value=text)
