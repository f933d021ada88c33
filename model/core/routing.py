"""Which way a message takes through a network: always the first shortest one, or one drawn."""

from collections import deque
from typing import Any

import networkx as nx

from model.core.scenario import BaseScenario
from model.ground.randomness import ROUTE, draws


class Routing:
    """The way from one node to another: the same for all messages of a run.

    With `single` it is the first of all shortest paths in the order of the graph. With `ecmp`
    (equal-cost multi-path: Hopps, RFC 2992, 2000) each vertex on the way draws one of its next hops
    on shortest paths, by (seed, source, target): what a switch's hash of addresses does.
    """

    def __init__(self, graph: nx.Graph, scenario: BaseScenario) -> None:
        self._graph = graph
        self._seed = scenario.seed
        self.path = self._drawn_path if scenario.routing == "ecmp" else self._first_path
        #: Of a path's first vertex with several ways, or of its last node.
        self._trees: dict[Any, dict[Any, Any]] = {}

    def _first_path(self, source: int, target: int) -> list[Any]:
        """The graph nodes that a message passes, from `source` to `target`."""
        root = self._root(source)
        if root not in self._trees:
            self._trees[root] = predecessors(self._graph, root)
        tree, path = self._trees[root], [target]
        while path[-1] not in (root, source):
            path.append(tree[path[-1]])
        if path[-1] != source:
            path.append(source)
        return path[::-1]

    def _root(self, source: int) -> Any:
        """The switch to which a node is wired and nothing else is, or the node itself.

        All nodes at one switch share its tree: beyond it, each would find the same ways.
        """
        neighbors = self._graph.adj[source]
        if len(neighbors) == 1:
            (only,) = neighbors
            if is_switch(self._graph, only):
                return only
        return source

    def _drawn_path(self, source: int, target: int) -> list[Any]:
        if target not in self._trees:
            self._trees[target] = hops_to(self._graph, target)
        hops = self._trees[target]
        draw = draws(self._seed, ROUTE, source, target)
        path: list[Any] = [source]
        while path[-1] != target:
            here = path[-1]
            nearer = [
                there
                for there in self._graph.neighbors(here)
                if hops.get(there) == hops[here] - 1
                and (there == target or is_switch(self._graph, there))
            ]
            path.append(nearer[int(next(draw) * len(nearer))])
        return path


def is_switch(graph: nx.Graph, vertex: Any) -> bool:
    """Whether a vertex forwards messages; nodes never do."""
    return "switch_ns" in graph.nodes[vertex]


def predecessors(graph: nx.Graph, source: int) -> dict[Any, Any]:
    """Shortest paths by number of hops from `source`, through switches only, as predecessors.

    Breadth first; among equally short paths, the one whose hops the graph lists first.
    """
    predecessor: dict[Any, Any] = {source: source}
    queue = deque([source])
    while queue:
        here = queue.popleft()
        for there in graph.neighbors(here):
            if there not in predecessor:
                predecessor[there] = here
                if is_switch(graph, there):
                    queue.append(there)
    return predecessor


def hops_to(graph: nx.Graph, target: int) -> dict[Any, int]:
    """How many hops there are from each vertex to `target`, through switches only."""
    hops: dict[Any, int] = {}
    for there, nearer in predecessors(graph, target).items():  # the nearest first
        hops[there] = 0 if there == target else hops[nearer] + 1
    return hops
