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
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from model.core.network import load_network, predecessors
from model.ground.units import BYTES_PER_MB
from model.views.caption import captioned
from model.views.outages import CROSS, Outage, legend, outages
from model.views.recording import Recording, Selection
from model.views.style import FONT_SIZE, LIGHT_TO_DARK, page
from model.views.traffic import window


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
        """Make each line as wide and dark as its link's share of the most that any link carried."""
        shares = np.array([carried.get(frozenset(edge), 0.0) / most for edge in self.edges])
        self.lines.set_linewidths(0.4 + 3.6 * shares)
        self.lines.set_color(LIGHT_TO_DARK(shares))

    def show_outages(self, shown: list[Outage]) -> None:
        """Put a grey disc over each node that is down, or whose servent is."""
        self.grey.set_offsets(np.array([self.places[it.node] for it in shown]).reshape(-1, 2))
        self.grey.set_facecolors([it.color for it in shown])


def draw(recording: Recording, selection: Selection) -> Figure:
    """Draw nodes as circles, managers as squares, switches and shared media as dark diamonds."""
    records = selection.of(recording)
    figure, axes = page(5.2)
    chart = draw_network(axes, recording)
    carried = traffic_mb(chart.graph, records)
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
    size = 130 if few else 20
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
        nx.draw_networkx_labels(wires, where, labels, font_size=FONT_SIZE - 2, ax=axes)
    grey = axes.scatter([], [], s=0.8 * size, zorder=2.5, linewidths=0)
    return Chart(graph, axes, where, edges, lines, grey)


def traffic_mb(graph: nx.Graph, records: pd.DataFrame) -> dict[frozenset[Hashable], float]:
    """The MB of sent messages that pass each link of the network, both ways together.

    A link is the set of its two ends, or of an end and the shared medium. Messages take the
    network's own routes, so a journal of the protocol alone suffices.
    """
    sent = records[(records["kind"] == "sent") & (records["node"] != records["peer"])]
    totals = sent.groupby(["node", "peer"])["size_bytes"].sum()
    carried: defaultdict[frozenset[Hashable], float] = defaultdict(float)
    routes = Routes(graph)
    for (source, target), size_bytes in totals.items():
        for link in itertools.pairwise(routes.between(source, target)):
            carried[frozenset(link)] += size_bytes / BYTES_PER_MB
    return dict(carried)


class Routes:
    """The routes of messages through a network, each found once."""

    def __init__(self, graph: nx.Graph) -> None:
        self._graph = graph
        self._predecessors: dict[int, dict[Hashable, Hashable]] = {}

    def between(self, source: int, target: int) -> list[Hashable]:
        """The vertices from one node to another, including media that neighbours share."""
        if source not in self._predecessors:
            self._predecessors[source] = predecessors(self._graph, source)
        path = [target]
        while path[-1] != source:
            here = self._predecessors[source][path[-1]]
            path += line_of(self._graph, path[-1], here)[1:]
        return path[::-1]


def line_of(graph: nx.Graph, one: Hashable, other: Hashable) -> list[Hashable]:
    """Two neighbours and, between them, the medium that their edge shares with others, if any."""
    medium = graph.edges[one, other].get("station")
    return [one, other] if medium is None else [one, medium, other]


def wires_of(graph: nx.Graph) -> nx.Graph:
    """The network with a vertex for each medium that several edges share."""
    wires = nx.Graph()
    wires.add_nodes_from(graph)
    for one, other in graph.edges:
        wires.add_edges_from(itertools.pairwise(line_of(graph, one, other)))
    return wires


def places(
    wires: nx.Graph, nodes: list[int], others: list[Hashable]
) -> dict[Hashable, tuple[float, float]]:
    """Where to draw each vertex; the nodes form a circle if there is at most one other vertex."""
    if len(others) <= 1:
        circle = nx.circular_layout(nodes)
        return {**circle, **dict.fromkeys(others, (0.0, 0.0))}
    return nx.kamada_kawai_layout(wires)
