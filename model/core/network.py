"""The network: builds links and switches from a graph, carries and counts messages."""

import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from numbers import Integral, Real
from typing import Protocol

import networkx as nx

from agents.interfaces import BaseConstants, Faults, Surroundings
from agents.link import Link
from agents.messages import Content, Message
from agents.node import Node
from agents.station import Forwarder
from agents.switch import Switch
from model.core.routing import Routing, Vertex, is_switch, predecessors, station_names
from model.core.scenario import BaseScenario
from model.core.topology import load_topology, reading_graph
from model.ground.errors import InputError, shown

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
    with reading_graph(scenario.topology):
        check_network(scenario.topology, graph, scenario.nodes)
        return scenario.with_own_links(graph)


def check_network(name: str, graph: nx.Graph, nodes: int) -> None:
    """Raise InputError if a graph is not a network of `nodes` nodes (see topologies/networks)."""
    if graph.is_directed() or graph.is_multigraph():
        raise InputError(f"{name}: a network is an undirected graph (networkx.Graph)")
    switches = [vertex for vertex, data in graph.nodes(data=True) if "switch_ns" in data]
    if set(graph) - set(switches) != set(range(nodes)):
        raise InputError(
            f"{name}: without its switches (those with switch_ns) the graph's nodes are not just "
            f"0 to {nodes - 1}, the {nodes} nodes of the cluster"
        )
    for vertex in switches:
        _check_attribute(f"{name}: switch {vertex}", graph.nodes[vertex], "switch_ns")
    for vertex, place in graph.nodes(data="pos"):
        if place is not None and not _is_place(place):
            raise InputError(
                f"{name}: {vertex}: its pos, where pictures show it, is two numbers "
                f"(not {shown(place)})"
            )
    media: dict[str, tuple[object, object]] = {}  # shared station -> bandwidth and latency
    names = [*map(str, switches), *(f"disk {node}" for node in range(nodes))]
    for one, other, data in graph.edges(data=True):
        if one == other:
            raise InputError(f"{name}: the link {one} - {other} leads from a node to itself")
        for key in ("bandwidth_mbps", "latency_ns"):
            _check_attribute(f"{name}: the link {one} - {other}", data, key)
        if data.get("duplex", "full") not in ("full", "half"):
            raise InputError(
                f'{name}: the link {one} - {other}: its duplex is "full" or "half" '
                f"(not {shown(data['duplex'])})"
            )
        station, medium = data.get("station"), (data["bandwidth_mbps"], data["latency_ns"])
        if not station:
            names += [f"{one}->{other}", f"{other}->{one}", f"{one}<->{other}"]
        elif not isinstance(station, str):
            raise InputError(
                f"{name}: the link {one} - {other}: its station's name is a text "
                f"(not {shown(station)})"
            )
        elif media.setdefault(station, medium) != medium:
            raise InputError(
                f"{name}: the link {one} - {other} differs in bandwidth_mbps or latency_ns from "
                f"others that share its station {station}"
            )
    names += media
    for station, count in Counter(names).items():
        if not (station.strip() and station.isprintable()):
            raise InputError(
                f"{name}: a station is called {shown(station)}; give it a name that can be printed"
            )
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


def _is_place(value: object) -> bool:
    if not isinstance(value, tuple | list) or len(value) != 2:
        return False
    return all(isinstance(part, int | float) and isfinite(part) for part in value)


def _one_fabric(graph: nx.Graph, nodes: int) -> bool:
    """Whether every node is wired to the same switches that are all connected with each other.

    Then each reaches each; if not, they still may, over links of their own.
    """
    switches = graph.subgraph(vertex for vertex in graph if is_switch(graph, vertex))
    fabric = max(nx.connected_components(switches), key=len, default=())
    return all(any(neighbour in fabric for neighbour in graph.adj[node]) for node in range(nodes))


# Types and limits of attributes. The upper limits keep a simulated year within 64 bits.
_ATTRIBUTES = {
    "bandwidth_mbps": (Real, 0.001, 10**9),
    "latency_ns": (Integral, 0, 10**15),
    "switch_ns": (Integral, 0, 10**15),
}


def _check_attribute(whose: str, data: Mapping[str, object], key: str) -> None:
    kind, least, most = _ATTRIBUTES[key]
    value = data.get(key)
    if isinstance(value, bool) or not (
        isinstance(value, kind) and least <= value <= most  # type: ignore[operator]  # typeshed: no Real.__ge__(int)
    ):
        number = "a whole number" if kind is Integral else "a number"
        raise InputError(
            f"{whose} needs {key}, {number} from {least} to {most} (not {shown(value)})"
        )
