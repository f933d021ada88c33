"""The network with its traffic: links as wide and dark as the bytes that passed them."""

import itertools
from collections import defaultdict
from collections.abc import Hashable

import networkx as nx
import pandas as pd
from matplotlib.cm import ScalarMappable
from matplotlib.colors import LinearSegmentedColormap, Normalize
from matplotlib.figure import Figure

from model.constants import Constants
from model.design import load_design
from model.network import load_network, predecessors
from model.units import BYTES_PER_MB
from model.views.recording import Recording, Selection
from model.views.style import FONT_SIZE, page

_LIGHT_TO_DARK = LinearSegmentedColormap.from_list("traffic", ["#D0E4F2", "#0072B2", "#08233B"])


def draw(recording: Recording, selection: Selection) -> Figure:
    """Nodes as circles, managers as squares, switches and shared media as dark diamonds."""
    records = selection.of(recording)
    graph = load_network(recording.scenario, Constants.of(recording.scenario))
    managers = load_design(recording.design, recording.scenario).managers
    wires = wires_of(graph)
    carried = traffic_mb(graph, records)
    nodes = [vertex for vertex in wires if vertex in range(recording.scenario.nodes)]
    others = [vertex for vertex in wires if vertex not in range(recording.scenario.nodes)]
    where = places(wires, nodes, others)

    figure, axes = page(5.2)
    axes.set_axis_off()
    axes.set_aspect("equal")
    edges = list(wires.edges)
    amounts = [carried.get(frozenset(edge), 0.0) for edge in edges]
    scale = Normalize(0, max(amounts, default=0) or 1)
    nx.draw_networkx_edges(
        wires,
        where,
        edgelist=edges,
        width=[0.4 + 3.6 * scale(amount) for amount in amounts],
        edge_color=amounts,
        edge_cmap=_LIGHT_TO_DARK,
        edge_vmin=0,
        edge_vmax=scale.vmax,
        ax=axes,
    )
    few = len(nodes) <= 128  # of more, labels would overlap
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
    bar = figure.colorbar(ScalarMappable(scale, _LIGHT_TO_DARK), ax=axes, shrink=0.6)
    bar.set_label("Sent over the link, both ways (MB)", size=FONT_SIZE + 1)
    bar.ax.tick_params(labelsize=FONT_SIZE)
    axes.set_title(
        f"{recording.design} on {recording.scenario.topology}: squares manage", size=FONT_SIZE + 1
    )
    return figure


def traffic_mb(graph: nx.Graph, records: pd.DataFrame) -> dict[frozenset[Hashable], float]:
    """MB of the messages sent that pass each link of the network, both ways together.

    A link is the set of its two ends, or of an end and the medium that it shares. Messages take
    the network's own routes, so the protocol alone does as well as a journal of every hop.
    """
    sent = records[(records["kind"] == "sent") & (records["node"] != records["peer"])]
    totals = sent.groupby(["node", "peer"])["size_bytes"].sum()
    carried: defaultdict[frozenset[Hashable], float] = defaultdict(float)
    routes: dict[int, dict[Hashable, Hashable]] = {}
    for (source, target), size_bytes in totals.items():
        if source not in routes:
            routes[source] = predecessors(graph, source)
        path = [target]
        while path[-1] != source:
            path.append(routes[source][path[-1]])
        for here, there in itertools.pairwise(path):
            for link in links_of(graph, here, there):
                carried[link] += size_bytes / BYTES_PER_MB
    return dict(carried)


def links_of(graph: nx.Graph, one: Hashable, other: Hashable) -> list[frozenset[Hashable]]:
    """The line between two vertices; over a shared medium, the two lines to it."""
    medium = graph.edges[one, other].get("station")
    if medium is None:
        return [frozenset((one, other))]
    return [frozenset((one, medium)), frozenset((other, medium))]


def wires_of(graph: nx.Graph) -> nx.Graph:
    """The network with a vertex for each medium that several edges share."""
    wires = nx.Graph()
    wires.add_nodes_from(graph)
    for one, other in graph.edges:
        wires.add_edges_from(tuple(link) for link in links_of(graph, one, other))
    return wires


def places(
    wires: nx.Graph, nodes: list[int], others: list[Hashable]
) -> dict[Hashable, tuple[float, float]]:
    """Where to draw each vertex: the nodes in a circle around a single other, if there is one."""
    if len(others) <= 1:
        circle = nx.circular_layout(nodes)
        return {**circle, **dict.fromkeys(others, (0.0, 0.0))}
    return nx.kamada_kawai_layout(wires)
