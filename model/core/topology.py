"""Finds topologies by name: a file of topologies/, a user's file.py:function, or a GraphML file."""

import importlib
import inspect
import json
import pkgutil
import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import networkx as nx

from model.core.names import PACKAGES, file_of, is_file_name, known, unwrapped, with_file
from model.core.users_code import plain, users_object
from model.core.version import version_of, version_of_file
from model.ground.errors import InputError, cut

_NUMBER = re.compile(r"0|[1-9]\d{0,8}", re.ASCII)  # of a node, in a GraphML file
_NOUNS = {"networks": "topology", "managers": "design", "wrappers": "design around another"}
#: What a journal keeps of a network that a user's file has made.
_OF_VERTICES, _OF_EDGES = ("switch_ns",), ("bandwidth_mbps", "latency_ns", "station", "duplex")


def load_topology(kind: str, name: str, *arguments: float) -> nx.Graph:
    """The graph that `name` names; `kind` is "networks" or "managers".

    A trailing number in the name of a bundled one (BB16) is passed on as the last argument. A
    design around another one, RELIABLE(MAN), is called with the other's graph. Raises InputError
    for a name, file or function that is not there or is invalid.
    """
    around, inner = unwrapped(name)
    if kind == "managers" and around:
        graph = load_topology(kind, inner, *arguments)
        for wrapper in reversed(around):
            graph = _call(name, _bundled("wrappers", wrapper), graph)
        return graph
    path, _, function = name.partition(":")
    if Path(name).suffix == ".graphml":
        return _with_plain_numbers(_read_graphml(Path(name)))
    if is_file_name(name):
        return _with_plain_numbers(
            _call(name, users_object(Path(path), function, name), *arguments)
        )
    parts = re.fullmatch(r"(.*?)(\d*)", name, re.DOTALL)
    assert parts is not None  # both may be empty
    stem, number = parts.groups()
    build = _bundled(kind, stem, name)
    arguments = (*arguments, *([int(number)] if number else []))
    if not _takes(build, arguments):
        raise InputError(f"{name}: take {_called(kind, stem)}")
    return _call(name, build, *arguments)


def _bundled(kind: str, stem: str, name: str | None = None) -> Callable[..., nx.Graph]:
    """The function that makes a bundled topology."""
    known_name = stem.lower().replace("-", "_")
    for package in map(importlib.import_module, PACKAGES[kind]):
        if known_name in (module.name for module in pkgutil.iter_modules(package.__path__)):
            module = importlib.import_module(f"{package.__name__}.{known_name}")
            build: Callable[..., nx.Graph] = getattr(module, known_name)
            return build
    raise InputError(f"{name or stem!r} is no {_NOUNS[kind]} known here; take {_choice(kind)}")


def _choice(kind: str) -> str:
    if kind == "wrappers":
        return " or ".join(f"{name.upper()}(…)" for name in known(kind))
    names = [_called(kind, name) for name in known(kind)]
    if kind == "managers":
        names += [f"{name.upper()}(…) around another" for name in known("wrappers")]
    return f"one of {', '.join(names)}, or file.py:function or a .graphml file of your own"


def _called(kind: str, stem: str) -> str:
    """What people call a bundled topology: a design in capitals, with the number that it takes."""
    name = stem.lower().replace("_", "-")
    number = {"bb": "x (as BB16)", "probe": "d", "tree": "k", "rack": "k"}
    return name if kind == "networks" else name.upper() + number.get(name, "")


def _takes(build: Callable[..., object], arguments: Sequence[float]) -> bool:
    """Whether a function can be called with so many arguments."""
    try:
        inspect.signature(build).bind(*arguments)
    except TypeError:
        return False
    return True


def as_text(network: nx.Graph) -> str:
    """A network as node-link JSON, of which `from_text` makes a graph with the same routes.

    A route takes the first of equally short ways, by the order in which the graph has a vertex's
    neighbours; so the edges are in an order in which each vertex gets its neighbours in this one.
    """
    place = {vertex: number for number, vertex in enumerate(network)}
    order = nx.DiGraph()
    for vertex, neighbours in network.adjacency():
        ends = (sorted((place[vertex], place[there])) for there in neighbours)
        nx.add_path(order, [tuple(pair) for pair in ends])
    names = [vertex if isinstance(vertex, int | str) else str(vertex) for vertex in network]
    vertices = [
        {"id": name} | {key: data[key] for key in _OF_VERTICES if key in data}
        for name, data in zip(names, network.nodes.values(), strict=True)
    ]
    listed = list(network)
    edges = []
    for one, other in nx.topological_sort(order):
        data = network.edges[listed[one], listed[other]]
        between = {"source": names[one], "target": names[other]}
        edges.append(between | {key: data[key] for key in _OF_EDGES if key in data})
    return json.dumps({"name": network.name, "nodes": vertices, "edges": edges})


def from_text(text: str) -> nx.Graph:
    """The graph of such a text, not checked; raises ValueError if it is none."""
    try:
        stated = json.loads(text)
        network = nx.Graph(name=stated["name"])
        for vertex in stated["nodes"]:
            network.add_node(vertex.pop("id"), **vertex)
        for edge in stated["edges"]:
            network.add_edge(edge.pop("source"), edge.pop("target"), **edge)
    except (KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"no network: {error}") from None
    return network


def _call(name: str, build: Callable[..., nx.Graph], *arguments: float) -> nx.Graph:
    try:
        inspect.signature(build).bind(*arguments)
    except (TypeError, ValueError) as error:  # ValueError: it has none
        raise InputError(
            f"{name}: {getattr(build, '__name__', 'it')} cannot be called so: {error}"
        ) from None
    try:
        graph = build(*arguments)
    except InputError:
        raise
    except ValueError as error:
        raise InputError(f"{name}: {error}") from None
    if not isinstance(graph, nx.Graph):
        raise InputError(f"{name}: returns a {type(graph).__name__}, not a networkx graph")
    return graph


def _read_graphml(path: Path) -> nx.Graph:
    """The graph of a GraphML file; its nodes with numbers as names become the cluster's nodes."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", UserWarning)  # of ports, which it leaves out
            graph = nx.read_graphml(path)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; give a readable GraphML file") from None
    except Exception as error:  # whatever its XML parser and networkx raise for a bad file
        raise InputError(f"{path}: not a GraphML file: {cut(str(error))}") from None
    return nx.relabel_nodes(
        graph, {name: int(name) for name in graph if _NUMBER.fullmatch(str(name))}
    )


def _with_plain_numbers(graph: nx.Graph) -> nx.Graph:
    """The graph with Python's numbers instead of numpy's in names and attributes."""
    for attributes in (
        graph.graph,
        *(attributes for _, attributes in graph.nodes(data=True)),
        *(attributes for *_, attributes in graph.edges(data=True)),
    ):
        for name, value in attributes.items():
            attributes[name] = plain(value)
    names = {name: _node_name(plain(name)) for name in graph}
    if any(type(name) is not type(named) for name, named in names.items()):
        return nx.relabel_nodes(graph, names)
    return graph


def _node_name(name: object) -> object:
    """A number that is whole as an int: 1.0 and True are node 1, as equal names are one node."""
    if isinstance(name, bool) or (isinstance(name, float) and name.is_integer()):
        return int(name)
    return name


def fingerprint(kind: str, name: str, *arguments: float) -> str:
    """A topology's name (for a user's own: its file's and its graph's), and its graph.

    The name counts since results show it. If the graph names classes or functions, as a design of
    a protocol of one's own does, the code of their file counts, with all that it imports.
    """
    if is_file_name(name):
        graph = load_topology(kind, name, *arguments)
        own = version_of_file(file_of(name)) if _has_code(graph) else ""
        label = with_file(name, lambda inner: Path(inner).name)
        return f"{label} {graph.name} {_hash_of(graph)} {own} {_around(name)}".rstrip()
    return _ours(kind, name.lower().replace("_", "-"), *arguments)


@cache
def _ours(kind: str, name: str, *arguments: float) -> str:
    graph = load_topology(kind, name, *arguments)
    label = f"{name} {_hash_of(graph)}"
    if not _has_code(graph):
        return label
    _, inner = unwrapped(name)
    stem = inner.rstrip("0123456789")
    return f"{label} {version_of(_bundled(kind, stem).__module__)} {_around(name)}".rstrip()


def _around(name: str) -> str:
    """The versions of the code of the names around a design's."""
    around, _ = unwrapped(name)
    return " ".join(version_of(_bundled("wrappers", wrapper).__module__) for wrapper in around)


def _hash_of(graph: nx.Graph) -> str:
    """A hash of nodes and edges in their order, which decides between paths of equal length."""
    parts = [_sorted(graph.graph), _named(graph.nodes(data=True)), _named(graph.edges.data())]
    return canonical_hash(parts)


def _named(parts: Iterable[tuple[Any, ...]]) -> list[list[object]]:
    return [[*map(repr, names), _sorted(attributes)] for *names, attributes in parts]


def _sorted(attributes: Mapping[object, object]) -> list[tuple[str, str]]:
    """Attributes in sorted order, without a graph's name, which does not change what it does."""
    return sorted(
        (str(name), _as_text(value)) for name, value in attributes.items() if name != "name"
    )


def _has_code(graph: nx.Graph) -> bool:
    return any(callable(value) or is_dataclass(value) for value in graph.graph.values())


def _as_text(value: Any) -> str:
    """A value as text, the same in every process; of code its name alone."""
    if callable(value):
        name: str = value.__qualname__
        return name
    if is_dataclass(value):
        return str([_as_text(getattr(value, part.name)) for part in fields(value)])
    return repr(value)


def canonical_hash(value: object) -> str:
    """A hash of a value that JSON can express, whatever the order of its keys."""
    canonical = json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return sha256(canonical.encode()).hexdigest()
