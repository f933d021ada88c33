"""A trace for Perfetto (ui.perfetto.dev): who did what on which node, and why.

Below *Nodes* each node has its servent, its processes with their states, its disk and its memory;
below *Network* each link and switch has its services and how many wait for it. Arrows (flows) lead
from each record of a message to its next one, and from causes to effects.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from agents.messages import DATA_PHASES
from model.core.journal.kinds import WAY_ENDS, Disk, Hop, Record, Sent
from model.core.journal.over_time import spans_of_processes
from model.views.caption import caption
from model.views.exports.tracks import BEGIN, COUNTER, END, INSTANT, Event, Track, write
from model.views.levels import Levels
from model.views.memory import memory_of
from model.views.recording import Recording, Selection, over_network
from model.views.wiring import switches_of

_SERVICES = (Hop.name, Disk.name)
_SCHEDULER, _JOBS, _NODES, _NETWORK = "Scheduler", "Jobs", "Nodes", "Network"
_SERVENT, _PAGES, _DISK = "servent", "pages and barriers", "disk"
_WAITING, _IN_FLIGHT = "waiting", "messages in flight"
_LINKS, _SWITCHES = "links", "switches"
_OF_MEMORY = (
    *("RAM: own processes", "RAM: lent", "RAM: idle"),
    *("over-allocated: borrowed", "over-allocated: asked for", "over-allocated: on disk"),
)
#: Tracks in this order; others, such as processes, come after them, by name and number.
_FIRST = (
    *(_SCHEDULER, _JOBS, _NODES, _NETWORK, _IN_FLIGHT, _LINKS, _SWITCHES, _WAITING),
    *(*_OF_MEMORY, _SERVENT, _PAGES, _DISK),
)
_FIELDS = ("job", "rank", "node", "peer", "slot", "size_bytes", "amount_bytes", "id", "cause")


def trace(recordings: Sequence[Recording], selection: Selection, path: Path) -> None:
    """Write the selected records, and the states and counters of that time, in nanoseconds.

    Each run has a tree of tracks, on one axis. States are of the selected job and nodes; counters
    of memory of the selected nodes. Of what use a message was, and what lies below it, is asked by
    `messages.sql`.
    """
    events: list[Event] = []
    units: dict[Track, str] = {}
    for recording in recordings:
        below: dict[Track, Track] = {}  # one object for all events of a track
        for event in _of_run(recording, selection, flows=len(events)):
            event.track = below.setdefault(event.track, (_name(recording), *event.track))
            events.append(event)
            if event.type == COUNTER:
                units[event.track] = "bytes" if event.track[-1] in _OF_MEMORY else "count"
    write(path, events, (*map(_name, recordings), *_FIRST), units)


def _of_run(recording: Recording, selection: Selection, flows: int) -> list[Event]:
    """All events of a run; its flows have numbers above `flows`."""
    records = list(selection.each(recording))
    stations = _stations(recording, records)
    events = [_beginning(recording, selection, records), *_states(recording, selection)]
    events += _events(recording, records, stations, flows)
    return [*events, *_counters(recording, selection, records, stations)]


def _name(recording: Recording) -> str:
    return f"{recording.scenario.noun} {recording.design}"


def _stations(recording: Recording, records: list[Record]) -> dict[str, Track]:
    """The track of each link, switch and disk that serves anything here."""
    found: dict[str, Track] = {}
    hops = [Hop.of(record) for record in records if record.kind == Hop.name]
    if hops:
        switches = switches_of(recording.network)
        for hop in hops:
            of = _SWITCHES if hop.station in switches else _LINKS
            found[hop.station] = (_NETWORK, of, hop.station)
    for disk in [Disk.of(record) for record in records if record.kind == Disk.name]:
        found[disk.station] = (_NODES, f"node {disk.node}", _DISK)
    return found


def _beginning(recording: Recording, selection: Selection, records: list[Record]) -> Event:
    """What the trace shows, as a first event: the run and what is selected of it."""
    shows = {"shows": caption(recording, selection)}
    return Event(records[0].time_ns, INSTANT, (_SCHEDULER,), _name(recording), "run", shows)


def _events(
    recording: Recording, records: list[Record], stations: dict[str, Track], flows: int
) -> list[Event]:
    """A slice for each service, an instant for each other record, and the arrows between them."""
    events: list[Event] = []
    last: dict[int, Event] = {}  # by id: of its latest record
    for record in records:
        arguments = _arguments(record)
        if record.kind == Sent.name and record.id in recording.use_of:
            arguments["use"] = recording.use_of[record.id]
        if record.kind in _SERVICES:
            served = Hop.of(record)  # or a disk's, which has these, too
            track, start_ns = stations[served.station], served.start_ns
            arguments["waited_ns"] = start_ns - record.time_ns
            event = Event(start_ns, BEGIN, track, record.what or "page", record.kind, arguments)
            events += [event, Event(served.end_ns, END, track)]
        else:
            name = f"{record.kind} {record.what}" if record.what else record.kind
            category = "step" if record.phase is None else "message"
            event = Event(record.time_ns, INSTANT, _track(record), name, category, arguments)
            events.append(event)
        before = last.get(record.id, last.get(record.cause))
        if before is not None:
            flows += 1
            before.leaving += (flows,)
            event.arriving = (flows,)
        last[record.id] = event
    return events


def _track(record: Record) -> Track:
    if record.node is None:
        return (_SCHEDULER,) if record.job is None else (_JOBS, f"job {record.job}")
    node = (_NODES, f"node {record.node}")
    if record.phase is None and record.rank is not None and record.job is not None:
        return (*node, _process(record.job, record.rank))
    return (*node, _PAGES if record.phase in DATA_PHASES else _SERVENT)


def _process(job: int, rank: int) -> str:
    return f"job {job}, rank {rank}"


def _arguments(record: Record) -> dict[str, Any]:
    """The fields that its kind has; a payload with its parts."""
    found = {name: value for name in _FIELDS if (value := getattr(record, name)) is not None}
    return found if record.payload is None else found | {"payload": json.loads(record.payload)}


def _states(recording: Recording, selection: Selection) -> Iterator[Event]:
    """Slices of what the selected jobs, and their processes on selected nodes, did meanwhile."""
    first_ns, last_ns = selection.window_ns(recording)
    nodes = {*selection.nodes_of(recording)}
    spans = recording.job_spans
    if recording.scenario.lends_memory:
        spans = spans + spans_of_processes(recording.records, recording.scenario.nodes)
    for span in spans:
        elsewhere = span.rank is not None and nodes.isdisjoint(span.nodes)
        start_ns, end_ns = max(first_ns, span.start_ns), min(last_ns, span.end_ns)
        if selection.job not in (None, span.job) or elsewhere or start_ns >= end_ns:
            continue
        track: Track = (_JOBS, f"job {span.job}")
        if span.rank is not None:
            track = (_NODES, f"node {span.nodes[0]}", _process(span.job, span.rank))
        yield Event(start_ns, BEGIN, track, span.state, "state", {"job": span.job})
        yield Event(end_ns, END, track)


def _counters(
    recording: Recording, selection: Selection, records: list[Record], stations: dict[str, Track]
) -> Iterator[Event]:
    """Memory by node, in bytes, waiting messages by station, messages under way."""
    found: dict[Track, Levels] = {}
    if recording.scenario.lends_memory:
        held = memory_of(recording)
        it = held.parts(recording.rams)
        of_all = (it.own, it.lent, it.idle, it.borrowed, it.asked, it.on_disk)
        for node in selection.nodes_of(recording):
            for name, values in zip(_OF_MEMORY, of_all, strict=True):
                found[_NODES, f"node {node}", name] = Levels(held.times_ns, values[node])
    waits: dict[str, list[tuple[int, int]]] = {}
    for served in [Hop.of(record) for record in records if record.kind in _SERVICES]:
        if served.start_ns > served.time_ns:
            waits.setdefault(served.station, []).append((served.time_ns, served.start_ns))
    for station, its in waits.items():
        found[*stations[station], _WAITING] = Levels.of(*zip(*its, strict=True))
    ways = selection.ways(recording)
    sent = over_network(ways)
    ends = ways[ways["kind"].isin(WAY_ENDS) & ways["id"].isin(sent["id"])]
    found[_NETWORK, _IN_FLIGHT] = Levels.of(sent["time_ns"], ends["time_ns"])
    window_ns = selection.window_ns(recording)
    for track, levels in found.items():
        before = None
        for time_ns, value in zip(*levels.within(*window_ns), strict=True):
            if value != before:
                yield Event(int(time_ns), COUNTER, track, value=int(value))
            before = value
