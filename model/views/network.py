"""The network with its traffic: links as wide as the bytes that passed, as dark as they were busy.

It answers: who talks to whom and how much, over which links; how busy were these, each way?
"""

import itertools
from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.colors import Normalize, to_rgba
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from model.core.journal import words
from model.core.journal.kinds import Delivered, Lost, Sent
from model.core.journal.over_time import Outage
from model.core.scenario import BaseScenario
from model.ground.units import BYTES_PER_MB
from model.views.picture import Picture
from model.views.recording import Recording, Selection, over_network
from model.views.style import CROSS, FONT_SIZE, grey_of, light_to_dark
from model.views.titles import titled
from model.views.wiring import ROW, Place, Routes, is_layered, parted, places, wires_of, with_room

Way = tuple[Hashable, Hashable]  # over a link, from one end to the other

_ROOMY = 64  # nodes, with room for large marks
_LABELED = 128  # nodes on which numbers have room
_NAMED = 24  # switches whose names stand above them; more would overlap, but those in rows
_WIDTH_PT = 6.2 * 72  # of a row of nodes
_AROUND_PT = 2.1 * 2 * 3.14 * 72  # of a circle of nodes
_SHARES = (("%", 100), ("millionths", 10**6), ("billionths", 10**9))
_APART = 0.007  # the two ways of a link, as a share of the picture


@dataclass(frozen=True)
class Chart:
    """The network as drawn: a place for each vertex, and a line for each link."""

    graph: nx.Graph
    axes: Axes
    places: dict[Hashable, tuple[float, float]]  # of nodes, switches and shared media
    ways: list[tuple[Hashable, Hashable]]  # both ways over each link
    lines: LineCollection
    grey: PathCollection  # discs over nodes that are down
    areas: NDArray[np.float64]  # of nodes, in proportion to their RAM

    def show_traffic(
        self, carried: Mapping[Way, float], used: dict[Way, float] | None = None
    ) -> None:
        """Make each way as wide as its share of the most that any carried, as dark as it was busy.

        Ways that carried nothing are not drawn; or if `used` is not given, as in a film, they are
        faint, and all others dark.
        """
        amounts = np.array([carried.get(way, 0.0) for way in self.ways])
        shares = amounts / max(1e-30, amounts.max(initial=0))
        widths, film = 0.5 + 3 * shares, used is None
        busy = np.array([1.0 if film else used.get(way, 0.0) for way in self.ways])
        colors = light_to_dark()(np.clip(busy, 0, 1))
        colors[shares == 0] = to_rgba("#E4E4E4")
        self.lines.set_linewidths(np.where(shares > 0, widths, 0.2 * film))
        self.lines.set_color(colors)

    def course(self, line: Sequence[Hashable]) -> NDArray[np.float64]:
        """The points on the way over vertices; along a bus, a message leaves it where it must."""
        points = [self.places[vertex] for vertex in line]
        if self.graph.name == "bus" and len(line) > 1:
            ends = {place: it for place, it in enumerate(line) if it not in self.graph}
            for place in reversed(ends):
                beside = [points[at] for at in (place - 1, place + 1) if 0 <= at < len(line)]
                points[place : place + 1] = [(x, points[place][1]) for x, _ in beside]
        return np.array(points)

    def show_outages(self, shown: list[Outage]) -> None:
        """Put a grey disc over each node that is down, or whose servent is."""
        self.grey.set_offsets(np.array([self.places[it.node] for it in shown]).reshape(-1, 2))
        self.grey.set_sizes(0.8 * self.areas[[it.node for it in shown]])
        self.grey.set_facecolors([grey_of(it.what, it.how) for it in shown])


def draw(recording: Recording, selection: Selection) -> Picture:
    """Draw nodes as circles, managers as squares, switches and shared media as named diamonds.

    Each way over a link has a line of its own, to the right of its direction.
    """
    records = selection.of(recording)
    picture = Picture(recording, selection)
    axes = picture.panel(5.3)
    chart = draw_network(axes, recording)
    carried = carried_bytes(chart.graph, records, recording.scenario)
    span_ns = selection.window_ns(recording)
    arrived, until_ns = _arrived(recording, records, span_ns[1])
    time = "the time shown"
    if until_ns > span_ns[1]:
        time = f"the {words.span(until_ns - span_ns[0], 3)} until all had arrived"
    used = utilization(chart.graph, arrived, recording.scenario, until_ns - span_ns[0])
    most = max(used.values(), default=0) or 1.0
    chart.show_traffic(carried, {way: share / most for way, share in used.items()})
    ways = [
        f"{one} to {other}: {_size(carried.get((one, other), 0))}, "
        f"busy {100 * used.get((one, other), 0):.3g} % of {time}"
        for one, other in chart.ways
    ]
    titled(chart.lines, ways)
    down = [it for it in recording.outages if it.overlaps(*span_ns)]
    chart.show_outages(down)
    for outage in down:
        picture.explain(outage)
    unit, scale = next((it for it in _SHARES if most * it[1] >= 0.1), _SHARES[-1])
    shades = ScalarMappable(Normalize(0, scale * most), light_to_dark())
    bar = picture.colorbar(shades, ax=axes, location="bottom", shrink=0.5, aspect=40, pad=0.01)
    which = "messages" if recording.in_detail else "protocol messages"
    bar.set_label(f"Busy sending {which} ({unit} of {time})", size=FONT_SIZE + 1)
    bar.ax.tick_params(labelsize=FONT_SIZE)
    title = _title(recording, carried, len(chart.ways), which)
    return picture.framed(title, _losses(chart, records))


def _arrived(recording: Recording, records: pd.DataFrame, last_ns: int) -> tuple[pd.DataFrame, int]:
    """Those of the records that are of messages with an end, and when all have it, or `last_ns`.

    What is sent in a window passes links after it, too: up to then at the latest.
    """
    ends = recording.of_kinds(Delivered, Lost)
    sent = records.loc[records["kind"] == Sent.name, "id"]
    ends = ends[ends["id"].isin(sent)]
    return records[records["id"].isin(ends["id"])], max([last_ns, *ends["time_ns"].nlargest(1)])


def _size(size_bytes: int) -> str:
    """Bytes for people, in the unit that fits."""
    for unit, scale in (("MB", BYTES_PER_MB), ("KB", 1024)):
        if size_bytes >= scale:
            return f"{size_bytes / scale:,.4g} {unit}"
    return f"{size_bytes} bytes"


def _title(recording: Recording, carried: dict[Way, int], ways: int, which: str) -> str:
    """What the picture shows, and which traffic it cannot show, since the journal lacks it."""
    title = f"{recording.design} on {recording.scenario.topology}"
    title += ": squares manage" if recording.managers else ""
    title += ", areas are RAM" if len(set(recording.constants.rams)) > 1 else ""
    if carried:
        (one, other), widest = max(carried.items(), key=lambda it: it[1])
        title += f"; the widest line, {one} to {other}, carried {_size(widest)} of {which}"
        if unused := ways - len(carried):
            title += f"\n{unused:,} of {ways:,} ways over links, not drawn, carried no {which}"
    if recording.scenario.lends_memory and not recording.in_detail:
        title += "\nPages and barriers are not in this journal; stations.csv has all traffic"
    return title


def _losses(chart: Chart, records: pd.DataFrame) -> list[Line2D]:
    """Draw a cross, with their number, beside each node at whose door messages were lost."""
    lost = records[records["kind"] == Lost.name]["node"].value_counts().sort_index()
    if lost.empty:
        return []
    middle = np.mean(list(chart.places.values()), axis=0)
    for node, count in lost.items():
        outwards = chart.places[node] - middle
        chart.axes.annotate(
            f"\N{MULTIPLICATION SIGN}{count:,}",
            chart.places[node],
            xytext=12 * outwards / max(1e-9, np.hypot(*outwards)),
            textcoords="offset points",
            ha="center",
            va="center",
            size=FONT_SIZE + 1,
            weight="bold",
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.2, "alpha": 0.8},
            zorder=6,
        )
    return [Line2D([], [], **CROSS, label=f"messages lost at its door ({lost.sum():,})")]


def draw_network(axes: Axes, recording: Recording) -> Chart:
    """Draw nodes, switches and links, still without traffic."""
    graph = recording.network
    managers = recording.managers
    wires = wires_of(graph)
    nodes, others = parted(wires, recording.scenario.nodes)
    where = places(wires, nodes, others)
    axes.set_axis_off()
    axes.set_aspect("equal")
    xs, ys = zip(*where.values(), strict=True)
    axes.set_xlim(*with_room(xs))
    axes.set_ylim(*with_room(ys))
    ways = [way for edge in wires.edges for way in (edge, edge[::-1])]
    lines = LineCollection([], zorder=1)
    axes.add_collection(lines, autolim=False)
    size = 130.0 if len(nodes) <= _ROOMY else 45.0
    if layered := is_layered(wires, nodes, others):
        size = min(60.0, (0.8 * _WIDTH_PT / len(nodes)) ** 2)
    elif wires.name not in ("torus", "bus"):  # beside each other on a circle
        size = min(size, (0.7 * _AROUND_PT / len(nodes)) ** 2)
    areas = size * recording.rams[:, 0] / recording.rams.mean()
    for vertices, marker, color, area in (
        (free := [node for node in nodes if node not in managers], "o", "white", areas[free]),
        (managing := [it for it in nodes if it in managers], "s", "#F7E3B5", areas[managing]),
        (others, "D", "black", 40),
    ):
        at = np.array([where[vertex] for vertex in vertices]).reshape(-1, 2).T
        look = {"ec": "black", "lw": min(0.7, size / 60), "zorder": 2}
        axes.scatter(*at, s=area, marker=marker, fc=color, **look)
    if layered or len(nodes) <= _LABELED:
        _name_nodes(axes, where, nodes, FONT_SIZE - (2 if size > 100 else 3.5), below=layered)
    if not layered and _NAMED < len(others) <= _ROOMY and wires.name != "torus":
        _name_outwards(axes, where, others)
    elif layered or len(others) <= _NAMED:
        _name_switches(axes, where, others, in_rows=layered)
    grey = axes.scatter([], [], zorder=2.5, linewidths=0)
    chart = Chart(graph, axes, where, ways, lines, grey, areas)
    courses = np.array([chart.course(way) for way in ways]).reshape(-1, 2, 2)
    size = np.ptp(np.array(list(where.values())), axis=0).max()
    lines.set_segments(_side_by_side(courses, _APART * size))
    if wires.name == "bus" and others:
        axes.axhline(where[others[0]][1], color="black", lw=1.2, zorder=0.9)
    return chart


def _name_nodes(
    axes: Axes, where: dict[Hashable, Place], nodes: list[int], type_size: float, below: bool
) -> None:
    """Write the nodes' numbers on them, or in a narrow row below."""
    upright = below and len(nodes) > ROW
    for node in nodes:
        axes.annotate(
            str(node),
            where[node],
            xytext=(0, -5 if below else 0),
            textcoords="offset points",
            ha="center",
            va="top" if below else "center_baseline",
            rotation=90 if upright else 0,
            size=min(FONT_SIZE - 2, 0.8 * _WIDTH_PT / len(nodes)) if below else type_size,
            zorder=4,
        )


def _name_switches(
    axes: Axes, where: dict[Hashable, Place], others: list[Hashable], in_rows: bool
) -> None:
    """Write their names above switches, on end where they are many in a row."""
    rows = Counter(where[vertex][1] for vertex in others)
    for vertex in others:
        upright = in_rows and rows[where[vertex][1]] > ROW / 4
        axes.annotate(
            str(vertex) if upright else str(vertex).replace(" ", "\n", 1),
            where[vertex],
            xytext=(0, 6),
            textcoords="offset points",
            ha="center",
            rotation=90 if upright else 0,
            size=FONT_SIZE - 1.5,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.2, "alpha": 0.7},
            zorder=4,
        )


def _name_outwards(axes: Axes, where: dict[Hashable, Place], others: list[Hashable]) -> None:
    """Write the names of switches on a circle beside them, away from the middle."""
    for vertex in others:
        x, y = where[vertex]
        angle = float(np.degrees(np.arctan2(y, x)))
        leftwards = abs(angle) > 90
        axes.annotate(
            str(vertex),
            where[vertex],
            xytext=7 * np.array([x, y]) / max(1e-9, np.hypot(x, y)),
            textcoords="offset points",
            ha="right" if leftwards else "left",
            va="center",
            rotation=angle + 180 * leftwards,
            rotation_mode="anchor",
            size=FONT_SIZE - 2.5,
            zorder=4,
        )


def _side_by_side(courses: NDArray[np.float64], apart: float) -> NDArray[np.float64]:
    """The segments, each moved to the right of its direction, so that both ways are seen."""
    along = courses[:, -1] - courses[:, 0]
    length = np.maximum(1e-9, np.hypot(*along.T))
    right = np.stack([along[:, 1], -along[:, 0]], axis=1) / length[:, None]
    return courses + apart * right[:, None]


def carried_bytes(graph: nx.Graph, records: pd.DataFrame, scenario: BaseScenario) -> dict[Way, int]:
    """The bytes of sent messages that pass each link of the network, each way.

    An end may be the medium that links share. Messages take the network's own routes, so a journal
    of the protocol alone suffices.
    """
    totals = over_network(records).groupby(["node", "peer"])["size_bytes"].sum()
    carried: defaultdict[Way, int] = defaultdict(int)
    routes = Routes(graph, scenario)
    for (source, target), size_bytes in totals.items():
        for way in itertools.pairwise(routes.between(source, target)):
            carried[way] += int(size_bytes)
    return dict(carried)


def utilization(
    graph: nx.Graph, records: pd.DataFrame, scenario: BaseScenario, span_ns: int
) -> dict[Way, float]:
    """The share of a time in which each way's messages were being sent, from their sizes.

    On a link or medium that both ways share, each has its own share of the whole.
    """
    shares = {}
    for (one, other), size_bytes in carried_bytes(graph, records, scenario).items():
        edge = graph.edges.get((one, other)) or _of_medium(graph, one, other)
        sent_ns = size_bytes * 8 * 1000 / edge["bandwidth_mbps"]
        shares[one, other] = sent_ns / span_ns
    return shares


def _of_medium(graph: nx.Graph, one: Hashable, other: Hashable) -> dict[str, Any]:
    """The attributes of the links that share a medium, of which one of the two is the name."""
    return next(data for *_, data in graph.edges(data=True) if data.get("station") in (one, other))
