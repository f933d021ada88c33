"""What the page draws of a watched cluster: positions, colors and texts, as plain data."""

import html
import itertools
import json
import math
from collections import Counter
from collections.abc import Hashable
from typing import Any

import pandas as pd

from agents.node import Node
from agents.pnr.process import STATES
from model.core.journal import Record
from model.dashboard.watched import KINDS, Flight, WatchedCluster
from model.ground.units import megabytes, seconds
from model.views.network import line_of, places, wires_of
from model.views.outages import SHADES
from model.views.style import ANSWERS, color_of, in_order

OWN, LENT, ELSEWHERE, DISK = "#56B4E9", "#009E73", "#E69F00", "#D55E00"
LEGEND = [
    {"text": "own processes", "color": OWN},
    {"text": "lent to others", "color": LENT},
    {"text": "swapped to other nodes", "color": ELSEWHERE},
    {"text": "swapped to disk", "color": DISK},
]
_EDGE = 1100  # of the network's picture: no mark is outside it
_GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))
_LIGHT, _FULL = (255, 255, 255), (0, 90, 150)  # of nodes, by their RAM in use
FULL = "#" + bytes(_FULL).hex()
_LEGEND = {"itemGap": 4, "textStyle": {"fontSize": 11}}
_LINE = {"type": "line", "symbol": "circle", "symbolSize": 3}
_LEFT, _RIGHT, _FOOT = 40, 1000, 385  # of the bars' picture


class Layout:
    """Where the network's vertices are: x and y from -1000 to 1000, y downwards."""

    def __init__(self, model: WatchedCluster) -> None:
        graph = model.network.graph
        wires = wires_of(graph)
        nodes = [vertex for vertex in wires if vertex in range(len(model.nodes))]
        others = [vertex for vertex in wires if vertex not in range(len(model.nodes))]
        self.where: dict[Hashable, tuple[int, int]] = {
            vertex: (round(1000 * float(x)), round(-1000 * float(y)))
            for vertex, (x, y) in places(wires, nodes, others).items()
        }
        self.edges = [[*self.where[one], *self.where[other]] for one, other in wires.edges]
        self.switches = [list(self.where[vertex]) for vertex in others]
        self.radius = max(20, min(60, 2500 // len(nodes)))
        self._graph = graph
        self._ways: dict[tuple[int, int], list[list[Hashable]]] = {}

    def way(self, model: WatchedCluster, source: int, target: int) -> list[list[Hashable]]:
        """For each station that a message passes, the vertices it stands for: one or a line."""
        if (source, target) not in self._ways:
            stations: list[list[Hashable]] = []
            for here, there in itertools.pairwise(model.network.path(source, target)):
                stations.append(line_of(self._graph, here, there))
                if there in model.network.switches:
                    stations.append([there])
            self._ways[source, target] = stations
        return self._ways[source, target]


def node_marks(model: WatchedCluster, layout: Layout) -> list[dict[str, Any]]:
    """A mark for each node: the fuller its RAM, the darker the mark; managers are square.

    What is down is grey.
    """
    managers = set(model.design.managers)
    marks = []
    for node in model.nodes:
        x, y = layout.where[node.index]
        share = node.memory.allocated / node.memory.ram
        down = model.witness.down.get(node.index)
        marks.append(
            {
                "node": node.index,
                "x": x,
                "y": y,
                "manager": node.index in managers,
                "color": SHADES[next(iter(down))] if down else _mixed(share),
                "dark": share > 0.5 and not down,
                "down": bool(down),
                "says": _says(node) + _outage(model, node.index),
            }
        )
    return marks


def loss_marks(model: WatchedCluster, layout: Layout) -> list[dict[str, Any]]:
    """A cross for each message that the last step lost: beside its receiver."""
    marks: list[dict[str, Any]] = []
    at: Counter[int] = Counter()
    for record in model.witness.lost:
        at[record.node] += 1
        x, y = _beside(layout.where[record.node], at[record.node])
        why = json.loads(record.payload)["by"]
        says = f"{record.what} {record.peer} → {record.node}, lost ({why})"
        marks.append({"x": x, "y": y, "node": record.node, "says": says})
    return marks


def message_marks(model: WatchedCluster, layout: Layout) -> list[dict[str, Any]]:
    """A mark for each message on its way, where it is now; marks at one place are side by side."""
    marks: list[dict[str, Any]] = []
    at: Counter[tuple[int, int]] = Counter()
    for flight in model.witness.flights.values():
        place = _place(model, layout, flight)
        x, y = _beside(place, at[place])
        at[place] += 1
        record = flight.sent
        marks.append(
            {
                "x": x,
                "y": y,
                "node": record.node if flight.hops <= 1 else record.peer,  # the nearer end
                **_dot(record.what),
                "says": f"{record.what} {record.node} → {record.peer}, {_queued(model, flight)}",
            }
        )
    return marks


def message_legend(model: WatchedCluster) -> list[dict[str, str]]:
    """How each kind of message looks: the system's kinds, and others that have been sent."""
    flying = {flight.sent.what for flight in model.witness.flights.values()}
    kinds = in_order([*KINDS, *model.witness.arrived, *flying])
    return [{"kind": kind, **_dot(kind)} for kind in kinds]


def _dot(kind: str) -> dict[str, str]:
    """The colors of a kind's mark; answers are hollow, in the color of what they answer."""
    color = color_of(kind)
    return {"edge": color, "fill": "white"} if kind in ANSWERS else {"edge": "black", "fill": color}


def memory_bars(model: WatchedCluster) -> dict[str, Any]:
    """A bar for each node: what its RAM holds, and above it what other nodes and the disk hold."""
    ram = megabytes(model.nodes[0].memory.ram)
    top = max(1.5 * ram, *(megabytes(node.memory.demand) for node in model.nodes))
    width = (_RIGHT - _LEFT) / len(model.nodes)
    every = max(1, len(model.nodes) // 16)

    def height(size_mb: float) -> float:
        return size_mb / top * _FOOT

    bars = []
    for node in model.nodes:
        parts, y = [], float(_FOOT)
        for size_mb, color in zip(_split(node), (OWN, LENT, ELSEWHERE, DISK), strict=True):
            y -= height(size_mb)
            parts.append({"y": round(y, 1), "height": round(height(size_mb), 1), "color": color})
        bars.append(
            {
                "node": node.index,
                "x": round(_LEFT + node.index * width, 2),
                "width": round(width, 2),
                "parts": [part for part in parts if part["height"] > 0],
                "label": node.index % every == 0,
                "says": _says(node),
            }
        )
    ticks = [{"y": _FOOT - height(mb), "text": f"{mb:.3g}"} for mb in (0, ram / 2, ram, top)]
    return {"bars": bars, "ram_y": _FOOT - height(ram), "ticks": ticks}


def traffic_chart(model: WatchedCluster) -> dict[str, Any]:
    """Messages that have arrived, by kind over time, for ECharts."""
    kinds = in_order(model.curve[-1][1])
    points = [
        [time_s, *(arrived.get(kind) for kind in kinds)]  # None instead of 0: the axis is log
        for time_s, arrived in model.curve
    ]
    lines = [
        {
            **_LINE,
            "name": kind,
            "color": color_of(kind),
            "lineStyle": {"width": 1.5, "type": "dashed" if kind in ANSWERS else "solid"},
            "encode": {"x": 0, "y": column},
        }
        for column, kind in enumerate(kinds, start=1)
    ]
    axis = {"name": "Messages arrived", "type": "log", "min": 1}
    return _chart(points, lines, axis, "" if lines else "no message has arrived yet")


def response_chart(model: WatchedCluster) -> dict[str, Any]:
    """The response time of each job that has ended, and the mean so far, for ECharts."""
    submitted = {job.number: job.submit_ns for job in model.jobs}
    times = [seconds(end_ns) for _, end_ns in model.witness.ended]
    responses = [seconds(end_ns - submitted[job]) for job, end_ns in model.witness.ended]
    means = pd.Series(responses, dtype=float).expanding().mean().tolist()
    points = [list(point) for point in zip(times, responses, means, strict=True)]
    job = {"type": "scatter", "name": "a job", "color": "#56B4E9", "symbolSize": 5}
    mean = {**_LINE, "name": "mean so far", "color": "black", "encode": {"x": 0, "y": 2}}
    lines = [{**job, "encode": {"x": 0, "y": 1}}, mean] if points else []
    axis = {"name": "Response time (s)", "min": 0}
    return _chart(points, lines, axis, "" if points else "no job has ended yet")


def _chart(
    points: list[list[float | None]], lines: list[dict[str, Any]], axis: dict[str, Any], empty: str
) -> dict[str, Any]:
    """A chart for ECharts from points (time in s, then a column for each line)."""
    middle = {"nameLocation": "middle", "axisLine": {"show": True}, "splitLine": {"show": False}}
    return {
        "animation": False,
        "backgroundColor": "white",  # as the other pictures, on a dark page too
        "dataset": {"source": points},
        "series": lines,
        "xAxis": {**middle, "type": "value", "name": "Time (s)", "nameGap": 25, "scale": True},
        "yAxis": {**middle, "nameGap": 45, **axis},
        "grid": {"left": 65, "right": 175, "top": 15, "bottom": 40},
        "legend": {**_LEGEND, "orient": "vertical", "right": 0, "top": 5},
        "tooltip": {"trigger": "axis"},
        "title": {"text": empty, "left": "center", "top": "middle", "textStyle": {"fontSize": 13}},
    }


def state_line(model: WatchedCluster) -> str:
    """One line that says where the emulation is."""
    waiting = len(model.scheduler.queue)
    running = sum(1 for job in model.jobs if job.start_ns is not None and job.end_ns is None)
    ended = len(model.witness.ended)
    return (
        f"{model.name} on {model.parameters.topology}, "
        f"{seconds(model.clock.now_ns):,.6f} s: {ended} of {len(model.jobs)} jobs ended, "
        f"{running} placed, {waiting} queued; {len(model.witness.flights)} messages in flight, "
        f"{model.scheduler.switches} context switches"
    )


def fault_line(model: WatchedCluster) -> str:
    """One line that says what came of faults; empty without faults."""
    faults = model.faults
    if faults is None:
        return ""
    down = sum(bool(its) for its in model.witness.down.values())
    told = {
        "lost messages": sum(faults.lost.values()),
        "servents down": down,
        "restarts": faults.restarts,
    }
    if not model.running:  # only then is it known
        leaked = megabytes(sum(node.memory.lent for node in model.nodes))
        told |= {"stuck jobs": model.unfinished, "leaked MB": round(leaked, 1)}
    return "; ".join(f"{what}: {count:,}" for what, count in told.items())


def node_details(model: WatchedCluster, index: int) -> str:
    """A node's memory, processes, loans, availability table and last messages, as HTML."""
    node = model.nodes[index]
    processes = [
        {
            "job": process.job.number,
            "rank": process.rank,
            "state": STATES[process.state] if process.job.running else "suspended",
            "MB": f"{megabytes(node.memory.processes[process.job.number]):.1f}",
            "CPU s done": f"{seconds(process.cpu_ns):,.1f}",
        }
        for process in node.residents.values()
    ]
    borrowed = [
        {"with": f"from {server}", "MB": f"{megabytes(amount):.2f}"}
        for server, amount in sorted(node.memory.loans.items())
    ]
    lent = [
        {"with": f"to {other.index}", "MB": f"{megabytes(other.memory.loans[index]):.2f}"}
        for other in model.nodes
        if index in other.memory.loans
    ]
    manager = model.servents[index].manager
    table = [] if manager is None else sorted(manager.table.items())
    believed = [
        {
            "node": other,
            "free MB": f"{megabytes(word.load):.1f}",
            "said at s": f"{seconds(word.stated_ns):,.3f}",
        }
        for other, word in table
    ]
    last = [_arrival(record) for record in reversed(model.witness.last[index])]
    role = "client and server" if manager is None else "client, server and manager"
    no_table = "manages nothing" if manager is None else "has heard of nobody yet"
    return "".join(
        [
            f"<h3>Node {index}: {role}</h3><p>{html.escape(_says(node))}"
            f"{html.escape(_outage(model, index))}</p>",
            _table("Processes", processes, "none"),
            _table("Loans", [*borrowed, *lent], "none"),
            _table("Availability table", believed, no_table),
            _table("Last protocol messages received", last, "none yet"),
        ]
    )


def _arrival(record: Record) -> dict[str, str]:
    return {
        "at s": f"{seconds(record.time_ns):,.6f}",
        "message": record.what,
        "from": "itself" if record.peer == record.node else str(record.peer),
        "job": "none" if record.job is None else str(record.job),
    }


def _table(title: str, rows: list[dict[str, Any]], otherwise: str) -> str:
    if not rows:
        return f"<h4>{title}</h4><p>{otherwise}</p>"
    return f"<h4>{title}</h4>" + pd.DataFrame(rows).to_html(index=False, border=0)


def _place(model: WatchedCluster, layout: Layout, flight: Flight) -> tuple[int, int]:
    source, target = flight.sent.node, flight.sent.peer
    way = layout.way(model, source, target)
    if flight.hop is None:
        return layout.where[source]
    vertices = [layout.where[vertex] for vertex in way[flight.hops - 1]]
    start_ns, end_ns = flight.hop.start_ns, flight.hop.end_ns
    done = (model.clock.now_ns - start_ns) / max(1, end_ns - start_ns)
    along = min(1.0, max(0.0, done)) * (len(vertices) - 1)
    leg = min(int(along), max(0, len(vertices) - 2))
    (x1, y1), (x2, y2) = vertices[leg], vertices[min(leg + 1, len(vertices) - 1)]
    share = along - leg
    return round(x1 + (x2 - x1) * share), round(y1 + (y2 - y1) * share)


def _beside(place: tuple[int, int], others: int) -> tuple[int, int]:
    """A place next to `others` marks at the same place, arranged like seeds in a sunflower."""
    away, angle = 36 * math.sqrt(others), others * _GOLDEN_ANGLE
    x, y = place[0] + away * math.cos(angle), place[1] + away * math.sin(angle)
    return round(min(_EDGE, max(-_EDGE, x))), round(min(_EDGE, max(-_EDGE, y)))


def _queued(model: WatchedCluster, flight: Flight) -> str:
    if flight.hop is None:
        return "just sent"
    waits = flight.hop.start_ns > model.clock.now_ns
    return f"{'waits for' if waits else 'on'} {flight.hop.station}"


def _split(node: Node) -> tuple[float, float, float, float]:
    """The MB of own processes in RAM, lent, swapped to other nodes and swapped to disk."""
    memory = node.memory
    own = memory.demand - memory.lent
    elsewhere = min(memory.borrowed, memory.over)
    sizes = (max(0, own - memory.over), memory.lent, elsewhere, memory.on_disk)
    return tuple(megabytes(size) for size in sizes)


def _says(node: Node) -> str:
    own, lent, elsewhere, disk = _split(node)
    return (
        f"Node {node.index}: {own:.1f} MB of its own in RAM, {lent:.1f} lent, "
        f"{elsewhere:.1f} on other nodes, {disk:.1f} on disk; "
        f"RAM {megabytes(node.memory.ram):.1f} MB"
    )


def _outage(model: WatchedCluster, index: int) -> str:
    """What of a node is down, and since when; empty if nothing is."""
    down = model.witness.down.get(index, {})
    return "".join(
        f"; its {what} has {how} at {seconds(since_ns):,.6f} s"
        if what == "servent"
        else f"; it has {how} at {seconds(since_ns):,.6f} s"
        for (what, how), since_ns in down.items()
    )


def _mixed(share: float) -> str:
    mixed = (round(a + (b - a) * share) for a, b in zip(_LIGHT, _FULL, strict=True))
    return "#" + "".join(f"{part:02X}" for part in mixed)
