"""Where a network's nodes and switches stand in pictures, and along which lines messages go."""

import itertools
from collections.abc import Hashable, Sequence

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from model.core.routing import Routing
from model.core.scenario import BaseScenario

Place = tuple[float, float]

ROW = 32  # nodes that fit beside each other


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


def parted(wires: nx.Graph, nodes: int) -> tuple[list[int], list[Hashable]]:
    """The vertices that are the cluster's nodes, and all others: switches and media."""
    return (
        [vertex for vertex in wires if vertex in range(nodes)],
        [vertex for vertex in wires if vertex not in range(nodes)],
    )


def switches_of(graph: nx.Graph) -> list[str]:
    """The names of its switches."""
    return [str(name) for name, data in graph.nodes(data=True) if "switch_ns" in data]


def places(
    wires: nx.Graph, nodes: list[int], others: list[Hashable]
) -> dict[Hashable, tuple[float, float]]:
    """Where to draw each vertex, from -1 to 1, with nodes in the order of their numbers.

    A torus is a grid; nodes of a bus stand along a line; where switches have several nodes each,
    there are layers, with nodes at the bottom. Else nodes are on a circle, and switches on circles
    within it, the farther from all nodes the closer to the middle, and each beside what it connects
    to the circle outside of its own; one without nodes that is named like those with some is among
    these.
    """
    if wires.name == "torus" and others:
        return _grid(wires, nodes)
    if wires.name == "bus" and others:
        return _along(nodes, others[0])
    if is_layered(wires, nodes, others):
        return _layers(wires, nodes, others)
    away = nx.multi_source_dijkstra_path_length(wires, set(nodes), weight=None)
    leaves = _leaves(wires, nodes, others)
    without = [it for it in _alike(leaves, others) if it not in leaves]
    room = max((sum(it in nodes for it in wires[leaf]) for leaf in leaves), default=0)
    turn = 2 * np.pi / (len(nodes) + room * len(without))
    angle_of: dict[Hashable, float] = {node: turn * place for place, node in enumerate(nodes)}
    for place, vertex in enumerate(without):
        angle_of[vertex] = turn * (len(nodes) + room * (place + 0.5) - 0.5)
        away[vertex] = 1
    where = {it: np.array([np.cos(at), np.sin(at)]) for it, at in angle_of.items()}
    layers: dict[int, list[Hashable]] = {}
    for vertex in others:
        layers.setdefault(away[vertex], []).append(vertex)
    depth = max(layers, default=0)
    for layer, vertices in sorted(layers.items()):
        radius = 0.0 if len(vertices) == 1 else 1 - layer / (depth + 1.4)
        below: dict[Hashable, NDArray[np.float64]] = {
            vertex: sum(
                (where[it] for it in wires[vertex] if away[it] < layer),
                where.get(vertex, np.zeros(2)),
            )
            for vertex in vertices
        }
        blurred = any(np.hypot(x, y) < 1e-3 for x, y in below.values())
        angles = {vertex: np.arctan2(y, x) % (2 * np.pi) for vertex, (x, y) in below.items()}
        ordered = vertices if blurred else sorted(vertices, key=lambda vertex: angles[vertex])
        spread = _spread([] if blurred else [angles[it] for it in ordered], len(ordered))
        for vertex, angle in zip(ordered, spread, strict=True):
            where[vertex] = radius * np.array([np.cos(angle), np.sin(angle)])
    return {vertex: (float(x), float(y)) for vertex, (x, y) in where.items()}


def with_room(places: Sequence[float]) -> tuple[float, float]:
    """From where to where to draw, so that marks and names have room, even of a single row."""
    low, high = min(places), max(places)
    least = max(0.0, 1 - (high - low)) / 2
    return low - 0.12 - least, high + 0.12 + least


def _along(nodes: list[int], medium: Hashable) -> dict[Hashable, tuple[float, float]]:
    """Nodes above and below a medium, in rows of at most as many as have room."""
    columns = min(-(-len(nodes) // 2), ROW)
    rows = -(-len(nodes) // columns)
    where: dict[Hashable, tuple[float, float]] = {medium: (0.0, 0.0)}
    for node in nodes:
        row, column = divmod(node, columns)
        level = row - rows // 2  # those of the upper half above the medium, the others below
        y = -0.3 * (level + (level >= 0)) / max(1, rows // 2)
        where[node] = (2 * (column + 0.5) / columns - 1, y)
    return where


def _leaves(wires: nx.Graph, nodes: list[int], others: list[Hashable]) -> list[Hashable]:
    """The switches to which nodes are wired."""
    own = set(nodes)
    return [vertex for vertex in others if not own.isdisjoint(wires[vertex])]


def _alike(leaves: list[Hashable], others: list[Hashable]) -> list[Hashable]:
    """The switches that are named like those to which nodes are wired, perhaps without nodes."""
    words = {str(leaf).split()[0] for leaf in leaves}
    return [it for it in others if str(it).split()[0] in words]


def is_layered(wires: nx.Graph, nodes: list[int], others: list[Hashable]) -> bool:
    """Whether every node has one switch, which has several, and no link to others like it."""
    leaves = _leaves(wires, nodes, others)
    alone = all(wires.degree(node) == 1 for node in nodes)
    return alone and 1 < len(leaves) <= len(nodes) / 2 and not wires.subgraph(leaves).edges


def _layers(
    wires: nx.Graph, nodes: list[int], others: list[Hashable]
) -> dict[Hashable, tuple[float, float]]:
    """Nodes in one row, each below its switch; switches the higher the farther from all nodes.

    A switch without nodes stands beside those that are named like it.
    """
    leaves = _leaves(wires, nodes, others)
    leaves += [it for it in _alike(leaves, others) if it not in leaves]
    own = {leaf: sorted(it for it in wires[leaf] if it in nodes) for leaf in leaves}
    leaves.sort(key=lambda leaf: min(own[leaf], default=len(nodes)))
    width = 2 / (len(nodes) + len(leaves))  # of a node; there is as much between two switches
    where: dict[Hashable, tuple[float, float]] = {}
    left = -1.0
    for leaf in leaves:
        for turn, node in enumerate(own[leaf]):
            where[node] = (left + (turn + 1) * width, -0.55)
        where[leaf] = (left + (len(own[leaf]) + 1) / 2 * width, -0.25)
        left += (len(own[leaf]) + 1) * width
    away = nx.multi_source_dijkstra_path_length(wires, set(nodes), weight=None)
    depth = max(away[vertex] for vertex in others if vertex not in own)
    for layer in range(2, depth + 1):
        its = [vertex for vertex in others if away[vertex] == layer and vertex not in own]
        below = {it: [where[o][0] for o in wires[it] if away[o] < layer] for it in its}
        ordered = sorted(its, key=lambda it: float(np.mean(below[it])))
        for place, vertex in enumerate(ordered):
            x = -1 + 2 * (place + 0.5) / len(ordered)
            where[vertex] = (x, -0.25 + 1.1 * (layer - 1) / max(1, depth - 1))
    return where


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
