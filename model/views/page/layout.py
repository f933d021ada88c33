"""Where everything stands in the picture of a network, and which lines its stations stand for."""

from collections.abc import Hashable
from typing import NamedTuple

import networkx as nx
import numpy as np

from model.core.scenario import BaseScenario
from model.views.wiring import Routes, is_bus, outwards, parted, places, wires_of

_SIZE = 1000  # x and y go from minus this to this, y downwards
_TALLEST = 2.5  # by how much a flat picture, as of a bus, is made taller: the page has the room


class Tap(NamedTuple):
    """Where a node hangs on the bus."""

    node: Hashable


class Layout:
    """The vertices of a scenario's network in the plane: nodes, switches and shared media."""

    def __init__(self, scenario: BaseScenario, graph: nx.Graph) -> None:
        wires = wires_of(graph)
        nodes, others = parted(wires, scenario.nodes)
        where = places(wires, nodes, others)
        width, height = (np.ptp([place[axis] for place in where.values()]) for axis in (0, 1))
        highest = max(abs(y) for _, y in where.values())
        room = 1.0 if highest == 0 else 1 / highest  # up to the edge
        taller = max(1.0, min(_TALLEST, room, width / height)) if height > 0 else 1.0
        taps = [Tap(node) for node in sorted(nodes)] if is_bus(wires, others) else []
        if taps:  # a bus is a line, and no point
            where |= {tap: (where[tap.node][0], where[others[0]][1]) for tap in taps}
            along = sorted(taps, key=where.__getitem__)
            wires = nx.Graph([*zip(sorted(nodes), taps, strict=True), (along[0], along[-1])])
            others = []
        self.vertices = [*sorted(nodes), *others, *taps]
        self.points = [
            (round(_SIZE * x), round(-_SIZE * taller * y))
            for x, y in map(where.__getitem__, self.vertices)
        ]
        self._place = {vertex: place for place, vertex in enumerate(self.vertices)}
        self._graph, self._wires, self._where = graph, wires, where
        self._nodes, self._others = len(nodes), others
        self._routes = Routes(graph, scenario)
        self._lines: dict[tuple[int, int, str], tuple[int, ...]] = {}

    def line(self, source: int, target: int, station: str) -> tuple[int, ...]:
        """The vertices, by place, that a station of a message's way stands for: one or a line."""
        if (source, target, station) not in self._lines:
            line = self._routes.lines(source, target).get(station, [source, target])
            if Tap(source) in self._place:
                line = [source, Tap(source), Tap(target), target]
            places = tuple(self._place[vertex] for vertex in line)
            self._lines[source, target, station] = places
        return self._lines[source, target, station]

    def drawn(self) -> dict[str, object]:
        """The picture without anything that happens, as plain data."""
        away = [outwards(self._wires, self._where, it) for it in self.vertices[: self._nodes]]
        return {
            "points": self.points,
            "outwards": [(round(float(x), 2), round(-float(y), 2)) for x, y in away],
            "switches": [
                [place, str(vertex)] for place, vertex in enumerate(self._others, self._nodes)
            ],
            "wires": [
                [self._place[one], self._place[other], self._stations_of(one, other)]
                for one, other in self._wires.edges
            ],
        }

    def _stations_of(self, one: Hashable, other: Hashable) -> list[str]:
        """The stations whose messages pass a wire: a link, or one each way, or a medium."""
        medium = [v for v in (one, other) if v not in self._graph]
        if medium:
            return [self._graph.name if isinstance(medium[0], Tap) else str(medium[0])]
        stations = self._routes.stations
        return [*dict.fromkeys((stations[one, other], stations[other, one]))]
