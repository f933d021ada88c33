"""A trace for Perfetto (ui.perfetto.dev): who did what on which node, and why.

Below *Nodes* each node has its servent, its processes with their states, its disk and its memory;
below *Network* each link and switch has its services and how many wait for it. Arrows (flows) lead
from each record of a message to its next one, and from causes to effects.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from agents.messages import DATA_PHASES
from model.ground.units import NS_PER_S
from model.views.caption import caption
from model.views.exports import counters, states
from model.views.exports.tracks import BEGIN, COUNTER, END, INSTANT, Event, Track, write
from model.views.recording import Recording, Selection, rows

_SERVICES = ("hop", "disk")
_STEPS = ("fault", "io", "barrier", "started", "resized", "departed", "arrived", "finished")
_SCHEDULER, _JOBS, _NODES, _NETWORK = "Scheduler", "Jobs", "Nodes", "Network"
_SERVENT, _PAGES, _DISK = "servent", "pages and barriers", "disk"
_WAITING, _IN_FLIGHT = "waiting", "messages in flight"
_LINKS, _SWITCHES = "links", "switches"
#: Tracks in this order; others, such as processes, come after them, by name and number.
_FIRST = (_SCHEDULER, _JOBS, _NODES, _NETWORK, _IN_FLIGHT, _LINKS, _SWITCHES, _WAITING)
_OF_MEMORY = (*counters.IN_RAM, *counters.OVER)
_FIRST += (*_OF_MEMORY, _SERVENT, _PAGES, _DISK)
_SAYS = ("job", "rank", "node", "peer", "slot", "size_bytes", "amount_bytes", "id", "cause")


def trace(recording: Recording, selection: Selection, path: Path) -> None:
    """Write the selected records, and the states and counters of that time, in nanoseconds.

    States are of the selected job and nodes; counters of memory of the selected nodes.
    """
    rows = _rows(selection.of(recording))
    stations = _stations(recording, rows)
    levels = [*_levels(recording, selection, rows, stations)]
    events = [_told(recording, selection, rows), *_states(recording, selection)]
    events += _records(rows, stations) + levels
    units = {one.track: "bytes" if one.track[-1] in _OF_MEMORY else "count" for one in levels}
    write(path, _name(recording), events, _FIRST, units)


def _name(recording: Recording) -> str:
    return f"{recording.scenario.noun} {recording.design}"


def _rows(records: pd.DataFrame) -> list[dict[str, object]]:
    """The records as dictionaries without fields that a kind does not have."""
    return [
        {name: value for name, value in record._asdict().items() if value is not None}
        for record in rows(records)
    ]


def _stations(recording: Recording, rows: list[dict[str, Any]]) -> dict[str, Track]:
    """The track of each link, switch and disk that serves anything here."""
    found: dict[str, Track] = {}
    hops = [row for row in rows if row["kind"] == "hop"]
    if hops:
        switches = {
            str(name) for name, data in recording.network.nodes(data=True) if "switch_ns" in data
        }
        for row in hops:
            of = _SWITCHES if row["station"] in switches else _LINKS
            found[row["station"]] = (_NETWORK, of, row["station"])
    disks = {row["station"]: row["node"] for row in rows if row["kind"] == "disk"}
    return found | {name: (_NODES, f"node {node}", _DISK) for name, node in disks.items()}


def _told(recording: Recording, selection: Selection, rows: list[dict[str, Any]]) -> Event:
    """What the trace shows, as a first event: the run and what is selected of it."""
    says = {"shows": caption(recording, selection)}
    return Event(rows[0]["time_ns"], INSTANT, (_SCHEDULER,), _name(recording), "run", says)


def _records(rows: list[dict[str, Any]], stations: dict[str, Track]) -> list[Event]:
    """A slice for each service, an instant for each other record, and the arrows between them."""
    events: list[Event] = []
    last: dict[int, Event] = {}  # by id: of its latest record
    flows = 0
    for row in rows:
        track = stations[row["station"]] if row["kind"] in _SERVICES else _track(row)
        if row["kind"] in _SERVICES:
            waited = {"waited_ns": row["start_ns"] - row["time_ns"]}
            says = _arguments(row) | waited
            name = row.get("what", "page")
            event = Event(row["start_ns"], BEGIN, track, name, row["kind"], says)
            events += [event, Event(row["end_ns"], END, track)]
        else:
            name = f"{row['kind']} {row['what']}" if "what" in row else row["kind"]
            category = "message" if "phase" in row else "step"
            event = Event(row["time_ns"], INSTANT, track, name, category, _arguments(row))
            events.append(event)
        before = last.get(row["id"], last.get(row["cause"]))
        if before is not None:
            flows += 1
            before.leaving.append(flows)
            event.arriving.append(flows)
        last[row["id"]] = event
    return events


def _track(row: dict[str, Any]) -> Track:
    """Where a record that is no service is told."""
    if "node" not in row:
        return (_JOBS, f"job {row['job']}") if "job" in row else (_SCHEDULER,)
    node = (_NODES, f"node {row['node']}")
    if row["kind"] in _STEPS:
        return (*node, _process(row["job"], row["rank"]))
    return (*node, _PAGES if row.get("phase") in DATA_PHASES else _SERVENT)


def _process(job: int, rank: int) -> str:
    return f"job {job}, rank {rank}"


def _arguments(row: dict[str, Any]) -> dict[str, Any]:
    says = {"says": json.loads(row["payload"])} if "payload" in row else {}
    return {name: row[name] for name in _SAYS if name in row} | says


def _states(recording: Recording, selection: Selection) -> Iterator[Event]:
    """Slices of what the selected jobs, and their processes on selected nodes, did meanwhile."""
    first_ns, last_ns = _window_ns(recording, selection)
    nodes = set(selection.nodes_of(recording))
    found = states.of_jobs(recording)
    if recording.scenario.lends_memory:
        found += states.of_processes(recording)
    for state in found:
        if selection.job not in (None, state.job) or state.node not in (None, *nodes):
            continue
        start_ns, end_ns = max(first_ns, state.start_ns), min(last_ns, state.end_ns)
        if start_ns >= end_ns:
            continue
        if state.rank is None:
            track: Track = (_JOBS, f"job {state.job}")
        else:
            track = (_NODES, f"node {state.node}", _process(state.job, state.rank))
        yield Event(start_ns, BEGIN, track, state.name, "state", {"job": state.job})
        yield Event(end_ns, END, track)


def _levels(
    recording: Recording,
    selection: Selection,
    rows: list[dict[str, Any]],
    stations: dict[str, Track],
) -> Iterator[Event]:
    """The counters: memory by node, waiting messages by station, messages under way."""
    window_ns = _window_ns(recording, selection)
    if recording.scenario.lends_memory:
        of_nodes = counters.memory(recording, selection.nodes_of(recording))
        for level in counters.within(of_nodes, *window_ns):
            node, what = level.of
            yield _counted(level, (_NODES, f"node {node}", what))
    services = (row for row in rows if row["kind"] in _SERVICES)
    for level in counters.within(counters.waiting(services), *window_ns):
        yield _counted(level, (*stations[level.of], _WAITING))
    under_way = counters.in_flight(_rows(_messages(recording, selection)))
    for level in counters.within(under_way, *window_ns):
        yield _counted(level, (_NETWORK, _IN_FLIGHT))


def _messages(recording: Recording, selection: Selection) -> pd.DataFrame:
    """All of the selected messages: one that is sent may arrive after the window."""
    chosen, records = selection.of(recording), recording.records
    sent = chosen.loc[chosen["kind"] == "sent", "id"]
    return records[records["id"].isin(sent) & records["kind"].isin(("sent", "delivered", "lost"))]


def _counted(level: counters.Level, track: Track) -> Event:
    return Event(level.time_ns, COUNTER, track, value=level.value)


def _window_ns(recording: Recording, selection: Selection) -> tuple[int, int]:
    first_s, last_s = selection.window_s(recording)
    return round(first_s * NS_PER_S), round(last_s * NS_PER_S)
