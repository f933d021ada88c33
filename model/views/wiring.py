"""Where a network's nodes and switches stand in pictures, and along which lines messages go."""

import itertools
import re
from collections.abc import Hashable, Iterable, Mapping, Sequence

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from model.core.routing import Routing, station_names
from model.core.scenario import BaseScenario

Place = tuple[float, float]
Places = dict[Hashable, Place]

ROW = 32  # nodes that fit beside each other
_INNER = 0.62  # the circle of switches within that of their nodes
_GAP = 0.25  # between the nodes of two switches in layers, in nodes


class Routes:
    """The routes of messages through a network, each found once."""

    def __init__(self, graph: nx.Graph, scenario: BaseScenario) -> None:
        self._graph = graph
        self._routing = Routing(graph, scenario)
        self.stations = station_names(graph, scenario.duplex)
        self._lines: dict[tuple[int, int], dict[str, list[Hashable]]] = {}

    def between(self, source: int, target: int) -> list[Hashable]:
        """The vertices from one node to another, including media that neighbours share."""
        path: list[Hashable] = [source]
        for here, there in itertools.pairwise(self._routing.path(source, target)):
            path += line_of(self._graph, here, there)[1:]
        return path

    def lines(self, source: int, target: int) -> dict[str, list[Hashable]]:
        """The vertices that each station of a way stands for: a switch, or the ends of a link."""
        if (source, target) not in self._lines:
            found = self._lines[source, target] = {}
            for one, other in itertools.pairwise(self._routing.path(source, target)):
                found[self.stations[one, other]] = line_of(self._graph, one, other)
                found.setdefault(str(other), [other])
        return self._lines[source, target]


def line_of(graph: nx.Graph, one: Hashable, other: Hashable) -> list[Hashable]:
    """Two neighbours and, between them, the medium that their edge shares with others, if any."""
    medium = graph.edges[one, other].get("station")
    return [one, other] if medium is None else [one, medium, other]


def wires_of(graph: nx.Graph) -> nx.Graph:
    """The network with a vertex for each medium that several edges share."""
    wires = nx.Graph(name=graph.name)
    wires.add_nodes_from(graph.nodes(data=True))
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


def groups_of(switches: Iterable[Hashable]) -> dict[str, list[Hashable]]:
    """Switches whose names differ in their last number alone: switch 3.0, switch 3.1, ..."""
    groups: dict[str, list[Hashable]] = {}
    for switch in switches:
        groups.setdefault(re.sub(r"[ .]?\d+$", "", str(switch)), []).append(switch)
    return groups


def places(wires: nx.Graph, nodes: list[int], others: list[Hashable]) -> Places:
    """Where to draw each vertex, from -1 to 1.

    Where each vertex of the graph has a `pos`, there. Else the nodes of a bus stand along a line;
    where switches have several nodes each, there are layers, with nodes at the bottom. Else nodes
    are on a circle in the order of their numbers, or of their switches, which are within.
    """
    stated = nx.get_node_attributes(wires, "pos")
    if all(vertex in stated or _is_medium(wires, vertex) for vertex in wires):
        for medium in [vertex for vertex in wires if vertex not in stated]:
            stated[medium] = np.mean([stated[end] for end in wires[medium]], axis=0)
        scaled = nx.rescale_layout_dict({it: np.array(at, float) for it, at in stated.items()})
        return _plain({vertex: scaled[vertex] for vertex in wires})
    if is_bus(wires, others):
        return _along(nodes, others[0])
    own: dict[Hashable, list[int]] = {vertex: [] for vertex in others}
    switch = {node: next((it for it in wires[node] if it in own), None) for node in nodes}
    if None in switch.values():
        return _plain(nx.shell_layout(wires, [it for it in (others, nodes) if it], rotate=0))
    for node, its in switch.items():
        own[its].append(node)
    return _layers(wires, own) if is_layered(wires, nodes, others) else _circles(own)


def _plain(where: Mapping[Hashable, NDArray[np.float64]]) -> Places:
    return {vertex: (float(x), float(y)) for vertex, (x, y) in where.items()}


def _is_medium(wires: nx.Graph, vertex: Hashable) -> bool:
    return "switch_ns" not in wires.nodes[vertex] and isinstance(vertex, str)


def is_bus(wires: nx.Graph, others: list[Hashable]) -> bool:
    """Whether it is one medium and its nodes."""
    return len(others) == 1 and _is_medium(wires, others[0])


def nearest(points: Sequence[Place]) -> float:
    """How far the two that are next to each other are apart; of one alone, far."""
    at = np.array(points)
    apart = (np.hypot(*(at[place + 1 :] - at[place]).T).min() for place in range(len(at) - 1))
    return float(min(apart, default=2.0))


def outwards(
    wires: nx.Graph, where: Mapping[Hashable, Place], node: Hashable
) -> NDArray[np.float64]:
    """The direction in which there is room beside a node: away from what it is wired to."""
    ends = [where[it] for it in wires[node]] or [(0.0, 0.0)]
    away = np.subtract(where[node], np.mean(ends, axis=0))
    far = np.hypot(*away)
    return away / far if far > 1e-9 else np.array([0.0, -1.0])


def with_room(places: Sequence[float]) -> tuple[float, float]:
    """From where to where to draw, so that marks and names have room, even of a single row."""
    low, high = min(places), max(places)
    least = max(0.0, 1 - (high - low)) / 2
    return low - 0.12 - least, high + 0.12 + least


def _along(nodes: list[int], medium: Hashable) -> Places:
    """Nodes above and below a medium, in rows of at most as many as have room."""
    columns = min(-(-len(nodes) // 2), ROW)
    rows = -(-len(nodes) // columns)
    where: Places = {medium: (0.0, 0.0)}
    for node in nodes:
        row, column = divmod(node, columns)
        level = row - rows // 2  # those of the upper half above the medium, the others below
        y = -0.3 * (level + (level >= 0)) / max(1, rows // 2)
        where[node] = (2 * (column + 0.5) / columns - 1, y)
    return where


def is_layered(wires: nx.Graph, nodes: list[int], others: list[Hashable]) -> bool:
    """Whether every node has one switch, which has several, and no link to others like it."""
    leaves = {it for node in nodes for it in wires[node]}
    alone = leaves <= {*others} and all(wires.degree(node) == 1 for node in nodes)
    return alone and 1 < len(leaves) <= len(nodes) / 2 and not wires.subgraph(leaves).edges


def _layers(wires: nx.Graph, own: dict[Hashable, list[int]]) -> Places:
    """Nodes in a block below their switch; switches the higher the farther from all nodes.

    A switch without nodes stands beside those that are named like it.
    """
    leaves = [it for group in _outer(own) for it in group]
    leaves.sort(key=lambda leaf: own[leaf] or [len(wires)])
    deep = -(-sum(map(len, own.values())) // ROW)
    wide = [-(-max(1, len(own[leaf])) // deep) for leaf in leaves]
    unit = 2 / (sum(wide) + _GAP * len(leaves))
    where: Places = {}
    left = -1.0
    for leaf, columns in zip(leaves, wide, strict=True):
        for turn, node in enumerate(own[leaf]):
            row, column = divmod(turn, columns)
            where[node] = (left + (column + 0.5) * unit, -0.55 - row * unit)
        where[leaf] = (left + columns / 2 * unit, -0.25)
        left += (columns + _GAP) * unit
    layers = [*nx.bfs_layers(wires, [*where])][1:]
    for layer, above in enumerate(layers, 1):
        its = [vertex for vertex in own if vertex in above]
        for place, vertex in enumerate(its):
            where[vertex] = (2 * (place + 0.5) / len(its) - 1, -0.25 + 1.1 * layer / len(layers))
    return where


def _circles(own: dict[Hashable, list[int]]) -> Places:
    """Nodes on a circle, with gaps between groups of switches; each switch within, by its nodes."""
    groups = _outer(own)
    around: list[Hashable] = []  # who stands on the circle in turn, and gaps
    for group in groups:
        for switch in group:
            around += own[switch] or [switch]
        around += [("gap", *group)] * (len(groups) > 1)
    circle = nx.circular_layout(around)
    where: dict[Hashable, NDArray[np.float64]] = {
        node: circle[node] for its in own.values() for node in its
    }
    for switch in (it for group in groups for it in group):
        its = own[switch]
        at = np.mean([circle[it] for it in its], axis=0) if its else circle[switch]
        where[switch] = _INNER * at
    within = [switch for switch in own if switch not in where]
    return _plain(where | (nx.circular_layout(within, scale=_INNER / 3) if within else {}))


def _outer(own: dict[Hashable, list[int]]) -> list[list[Hashable]]:
    """The groups of switches to which nodes are wired."""
    return [group for group in groups_of(own).values() if any(own[it] for it in group)]
