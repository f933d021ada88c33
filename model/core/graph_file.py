"""Networks and designs in files of other programs: GraphML (also yEd's), GML, node-link JSON.

Nodes of the cluster are the vertices whose `kind`, `type` or `role` says so; if there are none,
those with such a label (host3); if there are none, those with such a name (host3, or 3). All others
are switches. What a file does not say of links and switches is the scenario's.
"""

import json
import re
import warnings
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

import networkx as nx

from model.ground.errors import InputError, cut, shown
from model.ground.units import exact, round_half_up

Data = Mapping[str, object]
Vertex = Hashable

_SIMGRID = "a platform of SimGrid; write its hosts and links as GraphML, GML or node-link JSON"
_HOSTS = "host|node|server|computer?|worker|client|machine|pc|h"
_HOST_KIND = re.compile(rf"((end|compute)[\W_]*)?({_HOSTS})s?", re.IGNORECASE)
_HOST_NAME = re.compile(rf"({_HOSTS})[\W_]*\d*|\d+", re.IGNORECASE | re.ASCII)
_KINDS = ("kind", "type", "role", "nodetype", "devicetype")
_SWITCH_KIND = re.compile(r"switch|router|hub", re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,9}$", re.ASCII)  # of a host, at the end of its name
_AMOUNT = re.compile(r"([\d.]+(?:e[+-]?\d+)?)\s*(\S*)", re.IGNORECASE | re.ASCII)

_SI = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_BITS = [*product(("b", "bit", "bits"), ("", "ps", "/s")), ("", "")]


class _Quantity(NamedTuple):
    """An attribute of ours, what others call it, and how much of it their units are."""

    name: str
    others: str
    units: Mapping[str, int]
    own: int  # how much ours is
    example: str


_BANDWIDTH = _Quantity(
    "bandwidth_mbps",
    "bandwidth|bw|capacity|linkspeed|speed|datarate|rate|label",
    {
        "raw": 1,  # LinkSpeedRaw of the Topology Zoo
        **{si + bits + per: times for si, times in _SI.items() for bits, per in _BITS if si + bits},
        **{f"{si}B{per}": 8 * _SI[si.lower()] for si in "kKMGT" for per in ("ps", "/s")},
    },
    10**6,
    "100Mbps",
)
_TIMES = {"ns": 1, "us": 10**3, "µs": 10**3, "μs": 10**3, "ms": 10**6, "s": 10**9, "sec": 10**9}
_LATENCY = _Quantity("latency_ns", "latency|delay|linkdelay|label", _TIMES, 1, "50us")
_SWITCH = _Quantity("switch_ns", "switch", _TIMES, 1, "50us")


def managers_in(path: Path, nodes: int) -> nx.Graph:
    """The design in a file, whose vertices are the servents; raises InputError."""
    graph = _read(path)
    simple = nx.DiGraph(graph) if graph.is_directed() else nx.Graph(graph)
    return nx.relabel_nodes(simple, _hosts(path, graph, _called(graph)))


def network_in(
    path: Path, nodes: int, bandwidth_mbps: float, latency_ns: int, switch_ns: int
) -> nx.Graph:
    """The network in a file; what a person should know of it is its `remark`.

    Where no vertex is a switch, and not all are linked with each other, each is a switch with a
    node of its own. Raises InputError.
    """
    graph = _read(path)
    called = _called(graph)
    hosts = _hosts(path, graph, called)
    listed = [called[vertex] for vertex in hosts]
    if len(hosts) != nodes:
        some = ", ".join(listed[:4]) + ", …" * (len(hosts) > 4)
        raise InputError(
            f"{path}: it has {len(hosts)} hosts ({some}) for a cluster of {nodes} nodes; "
            f"give --nodes {len(hosts)}, or each vertex a kind, host or switch"
        )
    names = {vertex: _of_switch(called[vertex]) for vertex in graph} | hosts
    link = {"bandwidth_mbps": bandwidth_mbps, "latency_ns": latency_ns}
    links = _links(path, graph, called)
    network = nx.Graph(name=graph.graph.get("name", ""))
    for vertex, data in graph.nodes(data=True):
        if vertex in hosts:
            network.add_node(names[vertex])
        elif graph.degree(vertex):  # not a group or a note of a drawing
            own = _amount(f"{path}: {called[vertex]}", data, _SWITCH)
            network.add_node(names[vertex], switch_ns=switch_ns if own is None else own)
    network.add_edges_from(
        (names[one], names[other], link | data) for (one, other), data in links.items()
    )
    reached = nx.node_connected_component(network, 0)
    if apart := [name for node, name in enumerate(listed) if node not in reached]:
        raise InputError(f"{path}: no path from {listed[0]} to {apart[0]}; link them")
    remarks = []
    if listed != [*map(str, range(nodes))]:
        remarks.append(f"{listed[0]} to {listed[-1]} are nodes 0 to {nodes - 1}")
    if len(network) == nodes and len(links) < nodes * (nodes - 1) // 2:
        network = _with_switches(network, link, switch_ns)
        remarks.append("without a switch in it, each vertex is one, with a node of its own")
    for key, value in link.items():
        if lacking := sum(key not in data for data in links.values()):
            remarks.append(f"{lacking} of {len(links)} links have no {key} and take {value:g}")
    network.graph["remark"] = f"note: {path}: {'; '.join(remarks)}" if remarks else ""
    return network


def fill(graph: nx.Graph, nodes: Sequence[Data], links: Sequence[Data]) -> None:
    """Put the vertices and links of node-link JSON into a graph."""
    for vertex in nodes:
        data = {key: value for key, value in vertex.items() if key != "id"}
        graph.add_nodes_from([(vertex["id"], data)])
    for link in links:
        data = {key: value for key, value in link.items() if key not in ("source", "target")}
        graph.add_edges_from([(link["source"], link["target"], data)])


def _read(path: Path) -> nx.MultiGraph:
    """The graph in a file, its defaults filled in; raises InputError."""
    if path.suffix in (".dot", ".gv"):
        raise InputError(
            f"{path}: a file of Graphviz; gv2gml {path} -o {path.stem}.gml converts it"
        )
    what, read = _READERS[path.suffix]
    try:
        raw = path.read_bytes()
        text = raw.decode(json.detect_encoding(raw), errors="replace")
        with warnings.catch_warnings(action="ignore"):
            graph = read(text)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; give a readable {what} file") from None
    except Exception as error:  # whatever its parser and networkx raise for a bad file
        if "<platform" in text:
            raise InputError(f"{path}: {_SIMGRID}") from None
        why = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
        raise InputError(f"{path}: not a {what} file: {cut(why)}") from None
    for part, members in (("node_default", graph.nodes), ("edge_default", graph.edges)):
        for key, value in graph.graph.pop(part, {}).items():
            for member in members:
                members[member].setdefault(key, value)
    return graph


def _graphml(text: str) -> nx.MultiGraph:
    return nx.parse_graphml(text, force_multigraph=True)


def _gml(text: str) -> nx.MultiGraph:
    return nx.parse_gml(re.sub(r"\bgraph\s*\[", "graph [\nmultigraph 1\n", text, count=1), "id")


def _node_link(text: str) -> nx.MultiGraph:
    """The graph of NetworkX's JSON, or D3's, whose links may name nodes by their places."""
    stated = json.loads(text)
    graph = nx.MultiDiGraph() if stated.get("directed") else nx.MultiGraph()
    graph.graph.update(stated.get("graph", {}))
    nodes = [{"id": place} | vertex for place, vertex in enumerate(stated["nodes"])]
    fill(graph, nodes, stated["edges"] if "edges" in stated else stated["links"])
    if len(graph) != len(nodes):
        raise ValueError("two nodes have one id, or a link names none of the nodes")
    return graph


_READERS: dict[str, tuple[str, Callable[[str], nx.MultiGraph]]] = {
    ".graphml": ("GraphML", _graphml),
    ".xml": ("GraphML", _graphml),
    ".gml": ("GML", _gml),
    ".json": ("node-link JSON", _node_link),
}


def _label(data: Data) -> str:
    return str(data.get("label") or data.get("name") or "").strip()


def _called(graph: nx.Graph) -> dict[Vertex, str]:
    """What people call each vertex: its label, or its name if no or several vertices have that."""
    labels = {vertex: _label(data) for vertex, data in graph.nodes(data=True)}
    alike = Counter(labels.values())
    return {it: label if label and alike[label] == 1 else str(it) for it, label in labels.items()}


def _of_switch(name: str) -> str:
    """The name of a switch, which is not that of a node."""
    return f"switch {name}" if name.isdecimal() else name


def _hosts(path: Path, graph: nx.Graph, called: Mapping[Vertex, str]) -> dict[Vertex, int]:
    """The vertices that are nodes, by number: in the order of the numbers at their names' ends.

    If these are not all there and different, in the order of the file.
    """
    kinds = {
        vertex: [str(value).strip() for key, value in data.items() if _plain(key) in _KINDS]
        for vertex, data in graph.nodes(data=True)
    }
    others = [
        vertex
        for vertex, data in graph.nodes(data=True)
        if "switch_ns" not in data and not any(map(_SWITCH_KIND.fullmatch, kinds[vertex]))
    ]
    found = (
        [vertex for vertex in others if any(map(_HOST_KIND.fullmatch, kinds[vertex]))]
        or [vertex for vertex in others if _HOST_NAME.fullmatch(_label(graph.nodes[vertex]))]
        or [vertex for vertex in others if _HOST_NAME.fullmatch(str(vertex))]
        or (others if len(others) < len(graph) else [])
    )
    if not found:
        raise InputError(
            f"{path}: nothing says which of its {len(graph)} vertices are hosts; give each a kind, "
            "host or switch, or hosts the labels host0, host1, …"
        )
    numbers = {it: int(end[0]) for it in found if (end := _NUMBER.search(called[it]))}
    if len({*numbers.values()}) == len(found):
        found.sort(key=numbers.__getitem__)
    return {vertex: number for number, vertex in enumerate(found)}


def _links(
    path: Path, graph: nx.Graph, called: Mapping[Vertex, str]
) -> dict[tuple[Vertex, Vertex], dict[str, object]]:
    """What the file says of each link; one that is there both ways is one link."""
    found: dict[tuple[Vertex, Vertex], dict[str, object]] = {}
    both: set[tuple[Vertex, Vertex]] = set()
    for one, other, data in graph.edges(data=True):
        way, back = (one, other), (other, one)
        where = f"{path}: the link {called[one]} - {called[other]}"
        if one == other:
            raise InputError(f"{where} leads from a vertex to itself; leave it out")
        if way in found or back in both:
            raise InputError(f"{where} is there twice; write it once, with twice the bandwidth")
        known = graph.graph | data
        amounts = ((it.name, _amount(where, known, it)) for it in (_BANDWIDTH, _LATENCY))
        others = ((key, data.get(key)) for key in ("duplex", "station"))
        said = {key: value for key, value in (*amounts, *others) if value not in (None, "")}
        if back not in found:
            found[way] = said
        elif found[back] == said:
            both.add(back)
        else:
            raise InputError(f"{where} differs from the link back; give both the same values")
    for one, other in found if both else ():
        if (one, other) not in both:
            where = f"{path}: the link {called[one]} -> {called[other]}"
            raise InputError(f"{where} leads one way, and others both; write all of them alike")
    return found


def _amount(where: str, data: Data, quantity: _Quantity) -> float | None:
    """What the attributes of a link or switch say of a quantity, in our unit; None if nothing."""
    own = _plain(quantity.name)
    said = {_plain(key): value for key, value in data.items() if value not in (None, "")}
    keys = re.compile(rf"({quantity.others})({'|'.join(quantity.units)})?", re.IGNORECASE)
    for key in sorted(said, key=own.__ne__):  # ours first
        found = keys.fullmatch(key)
        if found is None:
            continue
        value = said[key]
        if key == own and isinstance(value, int):
            return value
        name, unit = found.groups()
        amount = _AMOUNT.fullmatch(str(value).strip())
        if amount is not None:
            unit = unit or amount[2] or str(said.get(f"{name}unit") or said.get(f"{name}units"))
            times = quantity.units.get(unit) or quantity.units.get(unit.lower())
            if times is not None:
                made = exact(amount[1]) * times / quantity.own
                return float(made) if quantity is _BANDWIDTH else round_half_up(made)
        if name != "label":
            raise InputError(
                f"{where}: {key} is {shown(value)}; give {quantity.name}, or a number with its "
                f"unit, as {quantity.example}"
            )
    return None


def _plain(key: str) -> str:
    return re.sub(r"[\W_]", "", key).lower()


def _with_switches(hosts: nx.Graph, link: Data, switch_ns: int) -> nx.Graph:
    """The network in which nodes that are linked with each other have a switch each for that."""
    network = nx.Graph(**hosts.graph)
    network.add_nodes_from(hosts)
    network.add_nodes_from((f"switch {node}" for node in hosts), switch_ns=switch_ns)
    network.add_edges_from(((node, f"switch {node}") for node in hosts), **link)
    network.add_edges_from(
        (f"switch {one}", f"switch {other}", data) for one, other, data in hosts.edges(data=True)
    )
    return network
