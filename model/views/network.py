"""The network with its traffic: links as wide as the bytes that passed, as dark as they were busy.

It answers: who talks to whom and how much, over which links; how busy were these, each way?
"""

import itertools
from collections import defaultdict
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
from numpy.typing import ArrayLike, NDArray

from model.core.journal import words
from model.core.journal.kinds import Delivered, Lost
from model.core.journal.over_time import Outage
from model.core.scenario import BaseScenario
from model.ground.units import BYTES_PER_MB
from model.views import wiring
from model.views.picture import Picture
from model.views.recording import Recording, Selection, over_network
from model.views.style import CROSS, FONT_SIZE, PAGE_IN, grey_of, light_to_dark
from model.views.wiring import Place, Places, Routes

Way = tuple[Hashable, Hashable]  # over a link, from one end to the other

_HIGH_IN = 5.3
_MARKS_PT = (2.0, 12.0)  # the least and the largest diameter of a node
_NUMBER_PT = 7.5  # of a mark that has room for its number
_APART_PT = 9.0  # between numbers beside marks
_NAMED = 24  # switches whose names stand above them; of more, those of their groups
_SHARES = (("%", 100), ("millionths", 10**6), ("billionths", 10**9))
_PAPER = {"facecolor": "white", "edgecolor": "none", "pad": 0.2, "alpha": 0.75}  # below letters
_APART = 0.007  # the two ways of a link, as a share of the picture


@dataclass(frozen=True)
class Chart:
    """The network as drawn: a place for each vertex, and a line for each link."""

    graph: nx.Graph
    axes: Axes
    places: Places  # of nodes, switches and shared media
    ways: list[Way]  # both ways over each link
    lines: LineCollection
    grey: PathCollection  # discs over nodes that are down
    areas: NDArray[np.float64]  # of nodes, in proportion to their RAM
    along_a_bus: bool  # whether nodes hang on a line

    def show_traffic(
        self, carried: Mapping[Way, float], used: Mapping[Way, float] | None = None
    ) -> None:
        """Make each way as wide as its share of the most that any carried, as dark as it was busy.

        Ways that carried nothing are faint; if `used` is not given, all others are dark.
        """
        amounts = np.array([carried.get(way, 0.0) for way in self.ways])
        shares = amounts / max(1e-30, amounts.max(initial=0))
        busy = np.array([1.0 if used is None else used.get(way, 0.0) for way in self.ways])
        colors = light_to_dark()(np.clip(busy, 0, 1))
        colors[shares == 0] = to_rgba("#DDDDDD")
        self.lines.set_linewidth([*np.where(shares > 0, 0.5 + 3 * shares, 0.25)])
        self.lines.set_color(colors)

    def course(self, line: Sequence[Hashable]) -> NDArray[np.float64]:
        """The points on the way over vertices; along a bus, a message leaves it where it must."""
        points = [self.places[vertex] for vertex in line]
        if self.along_a_bus and len(line) > 1:
            ends = {place: it for place, it in enumerate(line) if it not in self.graph}
            for place in reversed(ends):
                beside = [points[at] for at in (place - 1, place + 1) if 0 <= at < len(line)]
                points[place : place + 1] = [(x, points[place][1]) for x, _ in beside]
        return np.array(points)

    def show_outages(self, shown: list[Outage]) -> None:
        """Put a grey disc over each node that is down, or whose servent is."""
        self.grey.set_offsets(np.array([self.places[it.node] for it in shown]).reshape(-1, 2))
        self.grey.set_sizes(0.8 * self.areas[[it.node for it in shown]])
        self.grey.set_facecolor([grey_of(it.what, it.how) for it in shown])


def draw(recording: Recording, selection: Selection) -> Picture:
    """Draw nodes as circles, managers as squares, switches and shared media as named diamonds.

    Each way over a link has a line of its own, to the right of its direction.
    """
    records = selection.of(recording)
    picture = Picture(recording, selection)
    axes = picture.panel(_HIGH_IN)
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
    down = [it for it in recording.outages if it.overlaps(*span_ns)]
    chart.show_outages(down)
    for outage in down:
        picture.explain(outage)
    unit, scale = next((it for it in _SHARES if most * it[1] >= 0.1), _SHARES[-1])
    shades = ScalarMappable(Normalize(0, scale * most), light_to_dark())
    bar = picture.colorbar(shades, ax=axes, location="bottom", shrink=0.5, aspect=40, pad=0.01)
    which = "messages" if recording.in_detail else "protocol messages"
    bar.set_label(f"Busy sending {which} ({unit} of {time})")
    title = _title(recording, carried, len(chart.ways), which)
    return picture.framed(title, _losses(chart, records))


def _arrived(recording: Recording, records: pd.DataFrame, last_ns: int) -> tuple[pd.DataFrame, int]:
    """Those of the records that are of messages with an end, and when all have it, or `last_ns`.

    What is sent in a window passes links after it, too: up to then at the latest.
    """
    ends = recording.of_kinds(Delivered, Lost)
    ends = ends[ends["id"].isin(over_network(records)["id"])]
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
    title += ": squares are managers" if recording.managers else ""
    title += ", areas show RAM" if len(set(recording.constants.rams)) > 1 else ""
    if carried:
        (one, other), widest = max(carried.items(), key=lambda it: it[1])
        title += f"; the widest line ({one} to {other}) carried {_size(widest)} of {which}"
        if unused := ways - len(carried):
            title += f"\n{unused:,} of {ways:,} directions of links (grey) carried no {which}"
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
        away = 12 * outwards / max(1e-9, np.hypot(*outwards))
        text, look = f"\N{MULTIPLICATION SIGN}{count:,}", {"size": FONT_SIZE + 1, "weight": "bold"}
        _name(
            chart.axes, text, chart.places[node], away, va="center", bbox=_PAPER, zorder=6, **look
        )
    return [Line2D([], [], **CROSS, label=f"messages lost on arrival ({lost.sum():,})")]


def draw_network(axes: Axes, recording: Recording) -> Chart:
    """Draw nodes, switches and links, still without traffic."""
    graph = recording.network
    managers = recording.managers
    wires = wiring.wires_of(graph)
    nodes, others = wiring.parted(wires, recording.scenario.nodes)
    where = wiring.places(wires, nodes, others)
    axes.set_axis_off()
    axes.set_aspect("equal")
    (left, right), (low, high) = (
        wiring.with_room(its) for its in zip(*where.values(), strict=True)
    )
    axes.set_xlim(left, right)
    axes.set_ylim(low, high)
    unit_pt = 72 * min(PAGE_IN / (right - left), 0.9 * _HIGH_IN / (high - low))
    apart_pt = unit_pt * wiring.nearest([where[node] for node in nodes])
    mark_pt = float(np.clip(0.84 * apart_pt, *_MARKS_PT))
    ways = [way for edge in wires.edges for way in (edge, edge[::-1])]
    lines = LineCollection([], zorder=1)
    axes.add_collection(lines, autolim=False)
    areas = mark_pt**2 * recording.rams[:, 0] / recording.rams.mean()
    for vertices, marker, color, area in (
        (free := [node for node in nodes if node not in managers], "o", "white", areas[free]),
        (managing := [it for it in nodes if it in managers], "s", "#F7E3B5", areas[managing]),
        (others, "D", "black", min(40, mark_pt**2)),
    ):
        x, y = np.array([where[vertex] for vertex in vertices]).reshape(-1, 2).T
        lw = mark_pt / 18
        axes.scatter(x, y, s=area, marker=marker, fc=color, ec="black", lw=lw, zorder=2)
    _name_nodes(axes, wires, where, nodes, mark_pt, apart_pt, unit_pt)
    _name_switches(axes, where, others)
    grey = axes.scatter([], [], zorder=2.5, linewidths=0)
    chart = Chart(graph, axes, where, ways, lines, grey, areas, wiring.is_bus(wires, others))
    courses = np.array([chart.course(way) for way in ways]).reshape(-1, 2, 2)
    size = np.ptp(np.array(list(where.values())), axis=0).max()
    lines.set_segments([*_side_by_side(courses, _APART * size)])
    if chart.along_a_bus:
        axes.axhline(where[others[0]][1], color="black", lw=1.2, zorder=0.9)
    return chart


def _name_nodes(
    axes: Axes,
    wires: nx.Graph,
    where: Places,
    nodes: list[int],
    mark_pt: float,
    apart_pt: float,
    unit_pt: float,
) -> None:
    """Write the nodes' numbers on their marks, or of some of them beside, as there is room."""
    on_marks = mark_pt >= _NUMBER_PT
    every = 1 if on_marks else 2 ** max(0, int(np.ceil(np.log2(_APART_PT / apart_pt))))
    points = np.array([where[node] for node in nodes])
    for node in nodes[::every]:
        away = np.zeros(2) if on_marks else (mark_pt / 2 + 5) * wiring.outwards(wires, where, node)
        closest = np.hypot(*(points - (where[node] + away / unit_pt)).T).argmin()
        if nodes[closest] != node:
            continue  # no room
        size = min(FONT_SIZE - 2, 0.6 * mark_pt) if on_marks else FONT_SIZE - 2
        _name(axes, str(node), where[node], away, va="center_baseline", size=size)


def _name_switches(axes: Axes, where: Places, others: list[Hashable]) -> None:
    """Write the names of switches above them; of many, that of each group in its middle."""
    named: dict[str, Place] = {str(vertex): where[vertex] for vertex in others}
    if len(named) > _NAMED:
        groups = wiring.groups_of(others)
        named = {
            name: tuple(np.mean([where[it] for it in group], axis=0))
            for name, group in groups.items()
        }
    if not others or len(named) > _NAMED or len(others) > len(named) == 1:
        return
    for name, at in named.items():
        _name(axes, name.replace(" ", "\n", 1), at, (0, 6), size=FONT_SIZE - 1.5, bbox=_PAPER)


def _name(
    axes: Axes, text: str, at: Place, away: ArrayLike, zorder: float = 4, **look: Any
) -> None:
    """Write so many points away from a place."""
    right, up = np.asarray(away)
    look |= {"textcoords": "offset points", "ha": "center", "zorder": zorder}
    axes.annotate(text, at, (right, up), **look)


def _side_by_side(courses: NDArray[np.float64], apart: float) -> NDArray[np.float64]:
    """The segments, each moved to the right of its direction, so that both ways are seen."""
    along = courses[:, -1] - courses[:, 0]
    length = np.maximum(1e-9, np.hypot(*along.T))
    right = np.stack([along[:, 1], -along[:, 0]], axis=1) / length[:, None]
    aside: NDArray[np.float64] = courses + apart * right[:, None]
    return aside


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
