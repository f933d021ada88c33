"""Writes journals for other programs: tables, a graph of the traffic, a trace for Perfetto."""

import itertools
import json
import math
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import networkx as nx
import pandas as pd

from model.views.recording import Recording, Selection
from model.views.traffic import messages

# The trace's groups of tracks, which the format calls processes.
STATIONS, NODES, SCHEDULER, JOBS = range(1, 5)
_GROUPS = {
    STATIONS: "Links, switches, disks",
    NODES: "Nodes",
    SCHEDULER: "Scheduler",
    JOBS: "Jobs",
}
_TRACKS = 1_000_000  # group g numbers its tracks from g times this: Perfetto wants unique numbers
_SERVICES = ("hop", "disk")


def csv(recording: Recording, selection: Selection, path: Path) -> None:
    """Write records as comma-separated text; fields that a kind does not have are empty."""
    selection.of(recording).to_csv(path, index=False)


def parquet(recording: Recording, selection: Selection, path: Path) -> None:
    """Write records as a Parquet file."""
    selection.of(recording).to_parquet(path, index=False)


def traffic_graph(recording: Recording, selection: Selection) -> nx.DiGraph:
    """The graph of who sends to whom over the network, with messages, bytes and kinds.

    Nodes have the attributes `manager`, `sent` and `received` (messages).
    """
    sent = messages(selection.of(recording))
    managers = set(recording.managers)
    graph = nx.DiGraph(design=recording.design)
    for node in range(recording.scenario.nodes):
        graph.add_node(
            node,
            manager=node in managers,
            sent=int((sent["node"] == node).sum()),
            received=int((sent["peer"] == node).sum()),
        )
    for (source, target), between in sent.groupby(["node", "peer"]):
        kinds = between["what"].astype(str).value_counts().sort_index()
        graph.add_edge(
            int(source),
            int(target),
            messages=len(between),
            bytes=int(between["size_bytes"].sum()),
            **{kind: int(count) for kind, count in kinds.items()},
        )
    return graph


def graphml(recording: Recording, selection: Selection, path: Path) -> None:
    """Write the graph of the traffic as GraphML."""
    nx.write_graphml(traffic_graph(recording, selection), path)


def chrome_trace(recording: Recording, selection: Selection, path: Path) -> None:
    """Write a trace in the Trace Event Format, for Perfetto and Chrome, with times in µs.

    Each station has a track of its services, and each node a track of what happens there; jobs are
    async slices, and arrows lead from causes to effects.
    """
    records = selection.of(recording)
    with path.open("w", encoding="utf-8") as file:
        file.write('{"displayTimeUnit":"ns","traceEvents":[\n')
        for number, event in enumerate(trace_events(records)):
            file.write(",\n" * (number > 0) + json.dumps(event, separators=(",", ":")))
        file.write("\n]}\n")


FORMATS = {".json": chrome_trace, ".csv": csv, ".parquet": parquet, ".graphml": graphml}


def trace_events(records: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """The events of a trace: first the names of tracks, then the others in the order of time."""
    rows = [
        {name: value for name, value in zip(records.columns, row, strict=True) if value is not None}
        for row in records.astype(object).where(records.notna(), None).itertuples(index=False)
    ]
    stations = {name: _track(STATIONS, i) for i, name in enumerate(_station_names(rows))}
    yield from _track_names(rows, stations)
    arriving, leaving = _arrows(rows)
    events = _jobs(rows)
    for place, row in enumerate(rows):
        event = _service(row, stations) if row["kind"] in _SERVICES else _instant(row)
        events.append(event)
        # An arrow attaches to the slice begun last on its track: nothing may come between them.
        at = {key: event[key] for key in ("ts", "pid", "tid")}
        arrow = {"name": "causes", "cat": "cause", **at}
        events.extend({**arrow, "ph": "f", "bp": "e", "id": number} for number in arriving[place])
        events.extend({**arrow, "ph": "s", "id": number} for number in leaving[place])
    events.sort(key=lambda event: event["ts"])  # stable: services of one time stay in FIFO order
    yield from events


def _station_names(rows: list[dict[str, Any]]) -> list[str]:
    """The stations, in natural order: 2->switch before 10->switch."""
    names = {row["station"] for row in rows if row["kind"] in _SERVICES}
    return sorted(names, key=lambda name: [(len(part), part) for part in name.split()])


def _track_names(rows: list[dict[str, Any]], stations: dict[str, int]) -> Iterator[dict[str, Any]]:
    tracks = [(STATIONS, number, name) for name, number in stations.items()]
    nodes = {row["node"] for row in rows if row["kind"] not in _SERVICES and "node" in row}
    tracks += [(NODES, _track(NODES, node), f"node {node}") for node in sorted(nodes)]
    tracks.append((SCHEDULER, _track(SCHEDULER), "scheduler"))
    for group, name in _GROUPS.items():
        yield _metadata("process_name", group, _track(group), {"name": name})
        yield _metadata("process_sort_index", group, _track(group), {"sort_index": group})
    for place, (group, number, name) in enumerate(tracks):
        yield _metadata("thread_name", group, number, {"name": name})
        yield _metadata("thread_sort_index", group, number, {"sort_index": place})


def _track(group: int, number: int = 0) -> int:
    return group * _TRACKS + number


def _us(time_ns: int) -> float:
    """Microseconds that Perfetto, which truncates, turns into these nanoseconds again."""
    time_us = time_ns / 1000
    return time_us if int(time_us * 1000) == time_ns else math.nextafter(time_us, math.inf)


def _metadata(name: str, group: int, track: int, says: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "ph": "M", "ts": 0, "pid": group, "tid": track, "args": says}


def _service(row: dict[str, Any], stations: dict[str, int]) -> dict[str, Any]:
    """A complete event: a station serves a message or a page."""
    start_ns, end_ns = row["start_ns"], row["end_ns"]
    return {
        "name": row.get("what", "page"),
        "cat": row["kind"],
        "ph": "X",
        "ts": _us(start_ns),
        "dur": _us(end_ns - start_ns),
        "pid": STATIONS,
        "tid": stations[row["station"]],
        "args": {**_arguments(row), "waited_us": _us(start_ns - row["time_ns"])},
    }


def _instant(row: dict[str, Any]) -> dict[str, Any]:
    """An instant event: something happens at a node or at the scheduler."""
    group = NODES if "node" in row else SCHEDULER
    return {
        "name": f"{row['kind']} {row['what']}" if "what" in row else row["kind"],
        "cat": "message" if "what" in row else "step",
        "ph": "i",
        "s": "t",
        "ts": _us(row["time_ns"]),
        "pid": group,
        "tid": _track(group, row.get("node", 0)),
        "args": _arguments(row),
    }


def _arguments(row: dict[str, Any]) -> dict[str, Any]:
    says = ("job", "rank", "node", "peer", "slot", "size_bytes", "amount_bytes", "payload")
    # As texts: ids have more digits than JavaScript's numbers.
    ids = {"id": str(row["id"]), "cause": str(row["cause"])}
    return ids | {name: row[name] for name in says if name in row}


def _jobs(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each job from its submission to its end, or between its first and last selected records."""
    spans: dict[int, list[int]] = {}
    ended: set[int] = set()
    for row in rows:
        job = row.get("job")
        if job is not None and job not in ended:
            spans.setdefault(job, [row["time_ns"]] * 2)[1] = row["time_ns"]
            if row["kind"] == "ended":
                ended.add(job)
    return [
        {
            "name": f"job {job}",
            "cat": "job",
            "ph": phase,
            "id": job,
            "ts": _us(time_ns),
            "pid": JOBS,
            "tid": _track(JOBS),
        }
        for job, span in spans.items()
        for phase, time_ns in zip("be", span, strict=True)
    ]


def _arrows(
    rows: list[dict[str, Any]],
) -> tuple[defaultdict[int, list[int]], defaultdict[int, list[int]]]:
    """The arrows' numbers, by the row in which they end and by the row in which they begin.

    They lead from one record of a message to its next one, and from the last record of a cause to
    the first record of an effect.
    """
    arriving: defaultdict[int, list[int]] = defaultdict(list)
    leaving: defaultdict[int, list[int]] = defaultdict(list)
    numbers = itertools.count(1)
    last: dict[int, int] = {}  # id -> the place of its latest record
    for place, row in enumerate(rows):
        before = last.get(row["id"], last.get(row["cause"]))
        if before is not None:
            number = next(numbers)
            leaving[before].append(number)
            arriving[place].append(number)
        last[row["id"]] = place
    return arriving, leaving
