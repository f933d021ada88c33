"""The network: builds links and switches from a graph, carries and counts messages."""

import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from typing import Annotated, Literal, Protocol, TypeVar

import networkx as nx
from msgspec import Meta, Struct, ValidationError, convert

from agents.interfaces import BaseConstants, Faults, Surroundings
from agents.link import Link
from agents.messages import Content, Message
from agents.node import Node
from agents.station import Forwarder
from agents.switch import Switch
from model.core.routing import Routing, Vertex, is_switch, predecessors, station_names
from model.core.scenario import BaseScenario
from model.core.topology import load_topology
from model.ground.errors import InputError, shown

_Part = TypeVar("_Part")
Route = tuple[Callable[[Message], None], ...]  # what takes a message at each hop


class Tally:
    """How many messages and bytes of one kind were sent over the network, arrived or were lost."""

    __slots__ = ("delivered", "delivered_bytes", "lost", "lost_bytes", "sent", "sent_bytes")

    def __init__(self) -> None:
        self.sent = self.sent_bytes = self.delivered = self.delivered_bytes = 0
        self.lost = self.lost_bytes = 0


class NetworkSurroundings(Surroundings, Protocol):
    """The part of the emulation that its network uses."""

    parameters: BaseScenario
    nodes: Sequence[Node]
    message_kinds: tuple[type[Content], ...]  # those that the system declares


class Network:
    """Carries messages between nodes over the stations of a shortest path."""

    def __init__(self, model: NetworkSurroundings, graph: nx.Graph) -> None:
        self.model = model
        self.nodes = model.nodes
        self.graph = graph
        self.tallies: defaultdict[type[Content], Tally] = defaultdict(Tally)
        self.tallies.update((kind, Tally()) for kind in model.message_kinds)
        self.switches = {
            name: Switch(model, str(name), attributes["switch_ns"], model.parameters.frame_bytes)
            for name, attributes in graph.nodes(data=True)
            if "switch_ns" in attributes
        }
        self.links: dict[str, Link] = {}
        self.between: dict[tuple[Vertex, Vertex], Link] = {}  # (from, to) in the graph
        for (source, target), name in station_names(graph, model.parameters.duplex).items():
            if name not in self.links:
                edge = graph.edges[source, target]
                self.links[name] = Link(model, name, edge["latency_ns"], edge["bandwidth_mbps"])
            self.between[source, target] = self.links[name]
        self.faults: Faults | None = None  # None: nothing happens to messages
        self.routing = Routing(graph, model.parameters)
        self._routes: defaultdict[int, dict[int, Route]] = defaultdict(dict)  # by source and target

    def connect(self) -> None:
        """Connect all nodes, which exist now; routes are found when they are first needed."""

    def send(self, message: Message, spared: bool = False) -> None:
        """Put a message on its way to another node, where a fault may strike it unless spared."""
        tally = self.tallies[type(message.content)]
        tally.sent += 1
        tally.sent_bytes += message.size_bytes
        self.carry(message)
        if self.faults is not None and not spared:
            self.faults.sent(message)

    def carry(self, message: Message) -> None:
        """Hand a message to the first station of its route."""
        routes, target = self._routes[message.source], message.target
        if target not in routes:
            stations = self.stations_between(message.source, target)
            arrive = self.hand_over if self.faults is None else self.deliver
            routes[target] = (*(station.accept for station in stations), arrive)
        message.route = route = routes[target]
        route[0](message)

    def deliver(self, message: Message) -> None:
        """Hand a message that has arrived to its node, unless a fault keeps it out."""
        if self.faults is None or self.faults.lets_in(message):
            self.hand_over(message)

    def hand_over(self, message: Message) -> None:
        """Hand a message to its node."""
        tally = self.tallies[type(message.content)]
        tally.delivered += 1
        tally.delivered_bytes += message.size_bytes
        self.nodes[message.target].receive(message)

    def lose(self, message: Message) -> None:
        """Count a message that was sent over the network and that nobody hears."""
        tally = self.tallies[type(message.content)]
        tally.lost += 1
        tally.lost_bytes += message.size_bytes

    def stations(self) -> list[Forwarder]:
        """All links and switches."""
        return [*self.links.values(), *self.switches.values()]

    def stations_between(self, source: int, target: int) -> list[Forwarder]:
        """The stations that a message passes from one node to another: link, switch, link, …"""
        stations: list[Forwarder] = []
        for here, there in itertools.pairwise(self.routing.path(source, target)):
            stations.append(self.between[here, there])
            if there in self.switches:
                stations.append(self.switches[there])
        return stations

    def unloaded_ns(self, source: int, target: int, size_bytes: int) -> int:
        """How long a message of this size takes from one node to another if it never waits."""
        return sum(
            station.service_ns(size_bytes) + station.latency_ns
            for station in self.stations_between(source, target)
        )


def load_network(scenario: BaseScenario, constants: BaseConstants) -> nx.Graph:
    """The graph of the scenario's topology; raises InputError if it is invalid."""
    graph = load_topology(
        "networks",
        scenario.topology,
        scenario.nodes,
        scenario.bandwidth_mbps,
        constants.latency_ns,
        constants.switch_ns,
    )
    check_network(scenario.topology, graph, scenario.nodes)
    return scenario.with_own_links(graph)


# Attributes of a graph. The upper limits keep a simulated year within 64 bits.
_Delay = Annotated[int, Meta(ge=0, le=10**15)]


class _Vertex(Struct):
    pos: tuple[float, float] | None = None  # where pictures show it


class _Switch(_Vertex, kw_only=True):
    switch_ns: _Delay


class _Link(Struct):
    bandwidth_mbps: Annotated[float, Meta(ge=0.001, le=10**9)]
    latency_ns: _Delay
    duplex: Literal["full", "half"] = "full"
    station: str | None = None


def check_network(name: str, graph: nx.Graph, nodes: int) -> None:
    """Raise InputError if a graph is not a network of `nodes` nodes (see topologies/networks)."""
    if graph.is_directed() or graph.is_multigraph():
        raise InputError(f"{name}: a network is an undirected graph (networkx.Graph)")
    switches = [vertex for vertex in graph if is_switch(graph, vertex)]
    if set(graph) - set(switches) != set(range(nodes)):
        raise InputError(
            f"{name}: without its switches (those with switch_ns) the graph's nodes are not just "
            f"0 to {nodes - 1}, the {nodes} nodes of the cluster"
        )
    for vertex, data in graph.nodes(data=True):
        kind = "switch" if is_switch(graph, vertex) else "node"
        _attributes(f"{name}: {kind} {vertex}", data, _Switch if kind == "switch" else _Vertex)
    media: dict[str, _Link] = {}  # by shared station
    names = [*map(str, switches), *(f"disk {node}" for node in range(nodes))]
    for one, other, data in graph.edges(data=True):
        called = f"{name}: the link {one} - {other}"
        if one == other:
            raise InputError(f"{called} leads from a node to itself")
        link = _attributes(called, data, _Link)
        if not link.station:
            names += [f"{one}->{other}", f"{other}->{one}", f"{one}<->{other}"]
            continue
        medium = media.setdefault(link.station, link)
        if (medium.bandwidth_mbps, medium.latency_ns) != (link.bandwidth_mbps, link.latency_ns):
            raise InputError(
                f"{called} differs in bandwidth_mbps or latency_ns from others that share its "
                f"station {link.station}"
            )
    for station, count in Counter([*names, *media]).items():
        if count > 1:
            raise InputError(
                f"{name}: {count} stations are called {shown(station)}; give each switch, link "
                "and disk a name of its own"
            )
    for source in [] if _one_fabric(graph, nodes) else range(nodes):
        unreached = set(range(nodes)) - predecessors(graph, source).keys()
        if unreached:
            raise InputError(
                f"{name}: no path through switches from node {source} to node {min(unreached)}"
            )


def _attributes(whose: str, data: dict[str, object], kind: type[_Part]) -> _Part:
    try:
        return convert(data, kind)
    except ValidationError as error:
        raise InputError(f"{whose}: {error}") from None


def _one_fabric(graph: nx.Graph, nodes: int) -> bool:
    """Whether every node is wired to the same switches that are all connected with each other.

    Then each reaches each; if not, they still may, over links of their own.
    """
    switches = graph.subgraph(vertex for vertex in graph if is_switch(graph, vertex))
    fabric = max(nx.connected_components(switches), key=len, default=())
    return all(any(neighbour in fabric for neighbour in graph.adj[node]) for node in range(nodes))
