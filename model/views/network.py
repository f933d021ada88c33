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
from matplotlib.collections import LineCollection
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from model.core.network import load_network, predecessors
from model.ground.units import BYTES_PER_MB
from model.views.recording import Recording, Selection
from model.views.style import FONT_SIZE, LIGHT_TO_DARK, page


@dataclass(frozen=True)
class Chart:
    """The network as drawn: a place for each vertex, and a line for each link."""

    graph: nx.Graph
    axes: Axes
    places: dict[Hashable, tuple[float, float]]  # of nodes, switches and shared media
    edges: list[tuple[Hashable, Hashable]]
    lines: LineCollection

    def show_traffic(self, carried: dict[frozenset[Hashable], float], most: float) -> None:
        """Make each line as wide and dark as its link's share of the most that any link carried."""
        shares = np.array([carried.get(frozenset(edge), 0.0) / most for edge in self.edges])
        self.lines.set_linewidths(0.4 + 3.6 * shares)
        self.lines.set_color(LIGHT_TO_DARK(shares))


def draw(recording: Recording, selection: Selection) -> Figure:
    """Draw nodes as circles, managers as squares, switches and shared media as dark diamonds."""
    records = selection.of(recording)
    figure, axes = page(5.2)
    chart = draw_network(axes, recording)
    carried = traffic_mb(chart.graph, records)
    most = max(carried.values(), default=1)
    chart.show_traffic(carried, most)
    bar = figure.colorbar(ScalarMappable(Normalize(0, most), LIGHT_TO_DARK), ax=axes, shrink=0.6)
    bar.set_label("Sent over the link, both ways (MB)", size=FONT_SIZE + 1)
    bar.ax.tick_params(labelsize=FONT_SIZE)
    axes.set_title(
        f"{recording.design} on {recording.scenario.topology}"
        + (": squares manage" if recording.managers else ""),
        size=FONT_SIZE + 1,
    )
    return figure


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
    return Chart(graph, axes, where, edges, lines)


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
