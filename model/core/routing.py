"""Which way a message takes through a network: always the first shortest one, or one drawn."""

from collections import deque
from collections.abc import Collection, Hashable
from itertools import islice

import networkx as nx

from model.core.scenario import BaseScenario
from model.ground.randomness import ROUTE, draws

#: A node of a network's graph: one of the cluster's, by its number, or a switch.
Vertex = Hashable


class Routing:
    """The way from one node to another: the same for all messages of a run.

    With `single` it is the first of all shortest paths in the order of the graph. With `ecmp`
    (equal-cost multi-path: Hopps, RFC 2992, 2000) each vertex on the way draws one of its next hops
    on shortest paths, by (seed, source, target): what a switch's hash of addresses does.

    A node that is wired to one switch and to nothing else enters the network at this *gate*. All
    nodes of a gate have the same ways beyond it; so ways are searched and kept between gates.
    """

    def __init__(self, graph: nx.Graph, scenario: BaseScenario) -> None:
        self._graph = graph
        self._seed = scenario.seed
        self._drawn = scenario.routing == "ecmp"
        self._gates = {node: gate for node in graph if (gate := _gate(graph, node)) is not None}
        self._trees: dict[Vertex, dict[Vertex, Vertex]] = {}  # by a path's first gate
        self._hops: dict[Vertex, dict[Vertex, int]] = {}  # by a drawn path's last gate

    def gate(self, node: int) -> Vertex:
        """The switch to which a node is wired and nothing else is, or the node itself."""
        return self._gates.get(node, node)

    def between(self, source: int, target: int) -> tuple[Vertex, Vertex]:
        """What decides the way between two nodes' gates: the same for all that share it."""
        if self._drawn:
            return source, target
        gates = self._gates  # asked here, since it is for each message
        return gates.get(source, source), gates.get(target, target)

    def path(self, source: int, target: int) -> list[Vertex]:
        """The graph nodes that a message passes, from `source` to `target`."""
        first, last = self.gate(source), self.gate(target)
        path = self._drawn_path(source, target) if self._drawn else self._first_path(first, last)
        return [source] * (first != source) + path + [target] * (last != target)

    def _first_path(self, first: Vertex, last: Vertex) -> list[Vertex]:
        """The first of the shortest paths between two gates."""
        if first not in self._trees:
            self._trees[first] = predecessors(self._graph, first, self._gates)
        tree, path = self._trees[first], [last]
        while path[-1] != first:
            path.append(tree[path[-1]])
        return path[::-1]

    def _drawn_path(self, source: int, target: int) -> list[Vertex]:
        """The path drawn between two nodes' gates; each vertex draws, that before a gate too."""
        first, last = self.gate(source), self.gate(target)
        if last not in self._hops:
            self._hops[last] = hops_to(self._graph, last, self._gates)
        hops = self._hops[last]
        draw = islice(draws(self._seed, ROUTE, source, target), int(first != source), None)
        path: list[Vertex] = [first]
        while path[-1] != last:
            here = path[-1]
            nearer = [
                there
                for there in self._graph.neighbors(here)
                if hops.get(there) == hops[here] - 1
                and (there == last or is_switch(self._graph, there))
            ]
            path.append(nearer[int(next(draw) * len(nearer))])
        return path


def is_switch(graph: nx.Graph, vertex: Vertex) -> bool:
    """Whether a vertex forwards messages; nodes never do."""
    return "switch_ns" in graph.nodes[vertex]


def _gate(graph: nx.Graph, vertex: Vertex) -> Vertex | None:
    """The switch to which a node is wired and nothing else is; None if there is none."""
    neighbors = graph.adj[vertex]
    if len(neighbors) != 1 or is_switch(graph, vertex):
        return None
    (only,) = neighbors
    return only if is_switch(graph, only) else None


def predecessors(
    graph: nx.Graph, source: Vertex, without: Collection[Vertex] = ()
) -> dict[Vertex, Vertex]:
    """Shortest paths by number of hops from `source`, through switches only, as predecessors.

    Breadth first; among equally short paths, the one whose hops the graph lists first. Nodes in
    `without` are left out.
    """
    predecessor: dict[Vertex, Vertex] = {source: source}
    queue = deque([source])
    while queue:
        here = queue.popleft()
        for there in graph.neighbors(here):
            if there not in predecessor and there not in without:
                predecessor[there] = here
                if is_switch(graph, there):
                    queue.append(there)
    return predecessor


def hops_to(graph: nx.Graph, target: Vertex, without: Collection[Vertex] = ()) -> dict[Vertex, int]:
    """How many hops there are from each vertex to `target`, as `predecessors` counts them."""
    hops: dict[Vertex, int] = {}
    for there, nearer in predecessors(graph, target, without).items():  # the nearest first
        hops[there] = 0 if there == target else hops[nearer] + 1
    return hops


def station_names(graph: nx.Graph, duplex: str) -> dict[tuple[Vertex, Vertex], str]:
    """The name of the station that takes messages from a vertex to a neighbour, of all of these.

    Edges that name a `station` share that medium. Another edge is one link for each way if it is of
    full duplex, and one link for both if of half; an edge's own `duplex` comes before the argument.
    """
    names = {}
    for one, other, edge in graph.edges(data=True):
        full = edge.get("duplex", duplex) == "full"
        for source, target in ((one, other), (other, one)):
            link = f"{source}->{target}" if full else f"{one}<->{other}"
            names[source, target] = edge.get("station") or link
    return names
