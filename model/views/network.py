"""The network with its traffic: links are as wide and dark as the bytes that passed them."""

import itertools
from collections import defaultdict
from collections.abc import Hashable
from dataclasses import dataclass

import networkx as nx
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.colors import Normalize, to_rgba
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from model.core.network import load_network
from model.core.routing import Routing
from model.core.scenario import BaseScenario
from model.ground.units import BYTES_PER_MB
from model.views.caption import captioned
from model.views.outages import CROSS, Outage, legend, outages
from model.views.recording import Recording, Selection
from model.views.style import FONT_SIZE, LIGHT_TO_DARK, page
from model.views.traffic import window

_ROOMY = 64  # nodes, on a circle


@dataclass(frozen=True)
class Chart:
    """The network as drawn: a place for each vertex, and a line for each link."""

    graph: nx.Graph
    axes: Axes
    places: dict[Hashable, tuple[float, float]]  # of nodes, switches and shared media
    edges: list[tuple[Hashable, Hashable]]
    lines: LineCollection
    grey: PathCollection  # discs over nodes that are down

    def show_traffic(self, carried: dict[frozenset[Hashable], float], most: float) -> None:
        """Make each line as wide and dark as its link's share of the most that any link carried.

        Links that carried nothing are faint.
        """
        shares = np.array([carried.get(frozenset(edge), 0.0) / most for edge in self.edges])
        used = shares > 0
        self.lines.set_linewidths(np.where(used, 0.5 + 3.5 * shares, 0.2))
        self.lines.set_color(np.where(used[:, None], LIGHT_TO_DARK(shares), to_rgba("#E4E4E4")))

    def show_outages(self, shown: list[Outage]) -> None:
        """Put a grey disc over each node that is down, or whose servent is."""
        self.grey.set_offsets(np.array([self.places[it.node] for it in shown]).reshape(-1, 2))
        self.grey.set_facecolors([it.color for it in shown])


def draw(recording: Recording, selection: Selection) -> Figure:
    """Draw nodes as circles, managers as squares, switches and shared media as dark diamonds."""
    records = selection.of(recording)
    figure, axes = page(5.2)
    chart = draw_network(axes, recording)
    carried = traffic_mb(chart.graph, records, recording.scenario)
    most = max(carried.values(), default=1)
    chart.show_traffic(carried, most)
    down = [it for it in outages(recording.records) if it.overlaps(*window(recording, selection))]
    chart.show_outages(down)
    handles = [*legend(down), *_losses(chart, records)]
    bar = figure.colorbar(ScalarMappable(Normalize(0, most), LIGHT_TO_DARK), ax=axes, shrink=0.6)
    bar.set_label("Sent over the link, both ways (MB)", size=FONT_SIZE + 1)
    bar.ax.tick_params(labelsize=FONT_SIZE)
    axes.set_title(
        f"{recording.design} on {recording.scenario.topology}"
        + (": squares manage" if recording.managers else ""),
        size=FONT_SIZE + 1,
    )
    if handles:
        figure.legend(
            handles=handles, loc="outside lower center", ncols=4, fontsize=FONT_SIZE, frameon=False
        )
    return captioned(figure, recording, selection)


def _losses(chart: Chart, records: pd.DataFrame) -> list[Line2D]:
    """Draw a cross, with their number, beside each node at whose door messages were lost."""
    lost = records[records["kind"] == "lost"]["node"].value_counts().sort_index()
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
    graph = load_network(recording.scenario, recording.constants)
    managers = recording.managers
    wires = wires_of(graph)
    nodes = [vertex for vertex in wires if vertex in range(recording.scenario.nodes)]
    others = [vertex for vertex in wires if vertex not in range(recording.scenario.nodes)]
    where = places(wires, nodes, others)
    axes.set_axis_off()
    axes.set_aspect("equal")
    edges = list(wires.edges)
    segments = [(where[one], where[other]) for one, other in edges]
    lines = LineCollection(segments, zorder=1)
    axes.add_collection(lines)
    few = len(nodes) <= 128  # more labels would overlap
    size = 130 if len(nodes) <= _ROOMY else 45 if few else 20
    for vertices, shape, color in (
        ([node for node in nodes if node not in managers], "o", "white"),
        ([node for node in nodes if node in managers], "s", "#F7E3B5"),
    ):
        nx.draw_networkx_nodes(
            wires,
            where,
            nodelist=vertices,
            node_shape=shape,
            node_color=color,
            edgecolors="black",
            linewidths=0.7,
            node_size=size,
            ax=axes,
        )
    nx.draw_networkx_nodes(
        wires, where, nodelist=others, node_shape="D", node_color="black", node_size=40, ax=axes
    )
    if few:
        labels = {node: str(node) for node in nodes}
        nx.draw_networkx_labels(
            wires, where, labels, font_size=FONT_SIZE - (2 if size > 100 else 3.5), ax=axes
        )
    grey = axes.scatter([], [], s=0.8 * size, zorder=2.5, linewidths=0)
    return Chart(graph, axes, where, edges, lines, grey)


def traffic_mb(
    graph: nx.Graph, records: pd.DataFrame, scenario: BaseScenario
) -> dict[frozenset[Hashable], float]:
    """The MB of sent messages that pass each link of the network, both ways together.

    A link is the set of its two ends, or of an end and the shared medium. Messages take the
    network's own routes, so a journal of the protocol alone suffices.
    """
    sent = records[(records["kind"] == "sent") & (records["node"] != records["peer"])]
    totals = sent.groupby(["node", "peer"])["size_bytes"].sum()
    carried: defaultdict[frozenset[Hashable], float] = defaultdict(float)
    routes = Routes(graph, scenario)
    for (source, target), size_bytes in totals.items():
        for link in itertools.pairwise(routes.between(source, target)):
            carried[frozenset(link)] += size_bytes / BYTES_PER_MB
    return dict(carried)


class Routes:
    """The routes of messages through a network, each found once."""

    def __init__(self, graph: nx.Graph, scenario: BaseScenario) -> None:
        self._graph = graph
        self._routing = Routing(graph, scenario)

    def between(self, source: int, target: int) -> list[Hashable]:
        """The vertices from one node to another, including media that neighbours share."""
        path: list[Hashable] = [source]
        for here, there in itertools.pairwise(self._routing.path(source, target)):
            path += line_of(self._graph, here, there)[1:]
        return path


def line_of(graph: nx.Graph, one: Hashable, other: Hashable) -> list[Hashable]:
    """Two neighbours and, between them, the medium that their edge shares with others, if any."""
    medium = graph.edges[one, other].get("station")
    return [one, other] if medium is None else [one, medium, other]


def wires_of(graph: nx.Graph) -> nx.Graph:
    """The network with a vertex for each medium that several edges share."""
    wires = nx.Graph(name=graph.name)
    wires.add_nodes_from(graph)
    for one, other in graph.edges:
        wires.add_edges_from(itertools.pairwise(line_of(graph, one, other)))
    return wires


def places(
    wires: nx.Graph, nodes: list[int], others: list[Hashable]
) -> dict[Hashable, tuple[float, float]]:
    """Where to draw each vertex: nodes on a circle, in the order of their numbers.

    Switches and media are on circles within it, the farther from all nodes the closer to the
    middle, and each beside what it connects to the circle outside of its own. A torus is a grid.
    """
    if wires.name == "torus" and others:
        return _grid(wires, nodes)
    where = {vertex: np.array(place) for vertex, place in nx.circular_layout(nodes).items()}
    away = nx.multi_source_dijkstra_path_length(wires, set(nodes), weight=None)
    layers: dict[int, list[Hashable]] = {}
    for vertex in others:
        layers.setdefault(away[vertex], []).append(vertex)
    depth = max(layers, default=0)
    for layer, vertices in sorted(layers.items()):
        radius = 0.0 if len(vertices) == 1 else 1 - layer / (depth + 0.6)
        below = {
            vertex: sum(where[it] for it in wires[vertex] if away[it] < layer)
            for vertex in vertices
        }
        blurred = any(np.hypot(*it) < 1e-3 for it in below.values())
        angles = {vertex: np.arctan2(y, x) % (2 * np.pi) for vertex, (x, y) in below.items()}
        ordered = vertices if blurred else sorted(vertices, key=lambda vertex: angles[vertex])
        spread = _spread([] if blurred else [angles[it] for it in ordered], len(ordered))
        for vertex, angle in zip(ordered, spread, strict=True):
            where[vertex] = radius * np.array([np.cos(angle), np.sin(angle)])
    return {vertex: (float(x), float(y)) for vertex, (x, y) in where.items()}


def _spread(angles: list[float], count: int) -> list[float]:
    """Angles as wanted, in order; those that are alike stand side by side; none: evenly spaced."""
    if not angles:
        return [2 * np.pi * place / count for place in range(count)]
    gap = 0.6 * 2 * np.pi / count
    spread: list[float] = []
    for _, alike in itertools.groupby(angles, key=lambda angle: round(angle, 3)):
        together = list(alike)
        first = together[0] - gap * (len(together) - 1) / 2
        spread += [first + gap * place for place in range(len(together))]
    return spread


def _grid(wires: nx.Graph, nodes: list[int]) -> dict[Hashable, tuple[float, float]]:
    """A torus from -1 to 1: rows are bent, so that the links around it are seen."""
    switch = {node: next(iter(wires[node])) for node in nodes}
    columns = next(
        (
            node
            for node in nodes[2:-1]
            if wires.has_edge(switch[0], switch[node])
            and wires.has_edge(switch[1], switch[node + 1])
            and wires.has_edge(switch[node], switch[node + 1])
        ),
        len(nodes),
    )
    rows = -(-len(nodes) // columns)
    where: dict[Hashable, tuple[float, float]] = {}
    for node in nodes:
        row, column = divmod(node, columns)
        x = 2 * (column + 0.5) / columns - 1
        y = 1 - 2 * (row + 0.5) / rows
        bent = (0.6 * x * x / rows, 0.6 * y * y / columns)
        where[switch[node]] = (x - bent[1], y - bent[0])
        where[node] = (x - bent[1] + 0.7 / columns, y - bent[0] + 0.7 / rows)
    return where
