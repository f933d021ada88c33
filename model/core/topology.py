"""Finds topologies by name: a file of topologies/, a user's file.py:function, or a graph's file."""

import importlib
import json
import pkgutil
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from types import ModuleType

import networkx as nx

from model.core.arguments import Parameters, is_needed, parameters_of, typed
from model.core.graph_file import fill, managers_in, network_in
from model.core.names import (
    GRAPH_FILES,
    PACKAGES,
    Name,
    file_of,
    is_file_name,
    known,
    read_name,
    text_of,
)
from model.core.users_code import plain, users_object
from model.core.version import version_of_file
from model.ground.errors import InputError, shown

_NOUNS = {"networks": "topology", "managers": "design", "wrappers": "design around another"}
#: What a journal keeps of a network that a user's file has made.
_OF_VERTICES, _OF_EDGES = (
    ("switch_ns", "pos"),
    ("bandwidth_mbps", "latency_ns", "station", "duplex"),
)


Build = Callable[..., nx.Graph]


@dataclass(frozen=True)
class _Found:
    """The function that a name names, what it takes, and what the name gives it, typed."""

    name: Name
    build: Build
    takes: Parameters
    values: Mapping[str, object]
    inner: "_Found | None" = None

    @property
    def short(self) -> str | None:
        """What a number at the end of a bundled one's name stands for, as in BB16; or None."""
        first = next(iter(self.takes.values()), None)
        if first is None or first.kind is first.KEYWORD_ONLY or self.inner is not None:
            return None
        return None if is_file_name(self.name.called) else first.name

    def number(self) -> object:
        """The number at the end of its name; None if there is none."""
        if self.short is None:
            return None
        default = self.takes[self.short].default
        value = self.values.get(self.short, default)
        return value if isinstance(value, int) else None

    def told(self) -> tuple[tuple[str, str], ...]:
        """The parameters that stand in its name, with their values."""
        left = (item for item in self.values.items() if item[0] != self.short)
        return tuple((name, text_of(value)) for name, value in left)


def load_topology(kind: str, name: str, *arguments: float) -> nx.Graph:
    """The graph that `name` names; `kind` is "networks" or "managers".

    Its function is called with these arguments, and with those that the name gives it: PROBE(d=4),
    or a number at the end of a bundled one's (BB16), which is the first of them. A design around
    another one, RELIABLE(MAN), is called with the other's graph. Roles see what a design's function
    takes: it stands in the graph's attributes, and what was given, in its name. Raises InputError
    for a name, file, function or parameter that is not there or is invalid.
    """
    return _built(kind, _find(kind, read_name(name), len(arguments)), arguments)


def parameters(kind: str, name: str) -> Parameters:
    """What the outermost function that a name names takes besides the cluster; see above."""
    return _find(kind, read_name(name), 1).takes


def _find(kind: str, name: Name, count: int) -> _Found:
    """What a name names; its function is called with `count` arguments of the cluster."""
    called = name.called
    if name.inner is not None:
        if kind != "managers":
            raise InputError(f"{name}: is put around another; give numbers by name, as BB(x=16)")
        build = _bundled("wrappers", called)
        takes = parameters_of(build, 1)
        values = typed(called, takes, dict(name.given))
        return _Found(name, build, takes, values, _find(kind, name.inner, count))
    if is_file_name(called):
        path, _, function = called.partition(":")
        if Path(called).suffix in GRAPH_FILES:
            build = partial(network_in if kind == "networks" else managers_in, Path(called))
        else:
            build = users_object(Path(path), function, called)
        takes = parameters_of(build, count)
        return _Found(name, build, takes, typed(called, takes, dict(name.given)))
    parts = re.fullmatch(r"(.*?)(\d*)", called, re.DOTALL)
    assert parts is not None  # both may be empty
    stem, number = parts.groups()
    build = _bundled(kind, stem, str(name))
    takes, given = parameters_of(build, count), dict(name.given)
    short = _Found(Name(stem), build, takes, {}).short
    if number and short in given:
        raise InputError(f"{name}: {short} is given twice")
    if number and short is not None:
        given[short] = number
    if (number and short is None) or (short and short not in given and is_needed(takes[short])):
        raise InputError(f"{name}: take {_called(kind, stem)}")
    return _Found(name, build, takes, typed(called, takes, given))


def _built(kind: str, found: _Found, arguments: Sequence[float]) -> nx.Graph:
    """The graph that a function makes; a design's has its parameters, its name those given."""
    inner = None if found.inner is None else _built(kind, found.inner, arguments)
    given = arguments if inner is None else (inner,)
    graph = _call(found, *given)
    if is_file_name(found.name.called):
        graph = _with_plain_numbers(graph)
    if kind != "managers":
        return graph
    if inner is not None and (both := found.takes.keys() & inner.graph.keys()):
        raise InputError(
            f"{found.name}: {', '.join(sorted(both))} is a parameter of {found.name.called} and of "
            "the design within; call it otherwise there"
        )
    for name, parameter in found.takes.items():
        graph.graph.setdefault(name, found.values.get(name, parameter.default))
    graph.graph["name"] = _told(found, graph)
    return graph


def _told(found: _Found, graph: nx.Graph) -> object:
    """What results call a design: its graph's name, or its function's, with what was given."""
    function = found.name.called.rpartition(":")[2]
    name = graph.graph.get("name") or Path(function).stem.upper()
    if not (told := found.told()) or not isinstance(name, str):
        return name
    text = ", ".join(f"{key}={value}" for key, value in told)
    return f"{name.removesuffix(')')}, {text})" if found.inner else f"{name}({text})"


def _canonical(found: _Found) -> Name:
    """The name with its parameters as they are written in one way: probe(d=4) as probe4."""
    inner = None if found.inner is None else _canonical(found.inner)
    if is_file_name(found.name.called):
        return Name(found.name.called, found.told())
    number = found.number()
    stem = found.name.called.rstrip("0123456789").lower().replace("_", "-")
    return Name(f"{stem}{'' if number is None else number}", found.told(), inner)


def are_alike(one: str, other: str) -> bool:
    """Whether two names are of the same design, as PROBE(d=4) and probe4 are.

    Of designs that are not bundled, only spaces and small letters are looked through.
    """
    names = [read_name(one), read_name(other)]
    if "=" in one + other:  # to find bundled ones imports their code, which is slow
        for place, name in enumerate(names):
            if is_file_name(str(name)):  # to compare names runs nobody's code
                continue
            with suppress(InputError):
                names[place] = _canonical(_find("managers", name, 1))
    return str(names[0]).upper() == str(names[1]).upper()


def _bundled(kind: str, stem: str, name: str | None = None) -> Build:
    """The function that makes a bundled topology."""
    known_name = stem.lower().replace("-", "_")
    module = _module(kind, known_name)
    if module is None:
        raise InputError(
            f"{shown(name or stem)} is no {_NOUNS[kind]} known here; take {_choice(kind)}"
        )
    build: Build = getattr(module, known_name)
    return build


@cache
def _module(kind: str, known_name: str) -> ModuleType | None:
    """The module of a bundled topology; None if there is none."""
    for package in map(importlib.import_module, PACKAGES[kind]):
        if known_name in (module.name for module in pkgutil.iter_modules(package.__path__)):
            return importlib.import_module(f"{package.__name__}.{known_name}")
    return None


def _choice(kind: str) -> str:
    if kind == "wrappers":
        around = " or ".join(f"{name.upper()}(…)" for name in known(kind))
        return f"{around}; numbers are given by name, as PROBE(d=4)"
    names = [_called(kind, name) for name in known(kind)]
    if kind == "managers":
        names += [f"{name.upper()}(…) around another" for name in known("wrappers")]
    own = "file.py:function or a .graphml, .gml or .json file of your own"
    return f"one of {', '.join(names)}, or {own}"


def _called(kind: str, stem: str) -> str:
    """What people call a bundled topology: a design in capitals, with the number that it takes."""
    name = stem.lower().replace("_", "-")
    if kind == "networks":
        return name
    takes = parameters_of(_bundled(kind, stem), 1)
    short = _Found(Name(stem), nx.Graph, takes, {}).short or ""
    return f"{name.upper()}{short}" + (" (as BB16)" if name == "bb" else "")


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
        fill(network, stated["nodes"], stated["edges"])
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"no network: {error}") from None
    return network


def _call(found: _Found, *arguments: object) -> nx.Graph:
    try:
        graph = found.build(*arguments, **found.values)
    except InputError:
        raise
    except ValueError as error:
        raise InputError(f"{found.name}: {error}") from None
    if not isinstance(graph, nx.Graph):
        raise InputError(f"{found.name}: returns a {type(graph).__name__}, not a networkx graph")
    return graph


def _with_plain_numbers(graph: nx.Graph) -> nx.Graph:
    """The graph with Python's numbers instead of numpy's in names and attributes."""
    for attributes in (
        graph.graph,
        *(attributes for _, attributes in graph.nodes(data=True)),
        *(attributes for *_, attributes in graph.edges(data=True)),
    ):
        attributes.update({name: plain(value) for name, value in attributes.items()})
    names = {name: plain(name) for name in graph}
    if any(type(name) is not type(named) for name, named in names.items()):
        return nx.relabel_nodes(graph, names)
    return graph


def fingerprint(kind: str, name: str, *arguments: float) -> str:
    """What tells a topology from others of the same cluster and the same version of our code.

    Of a bundled one that is its name; of a user's, its file's name and code, and its graph, which
    may depend on more: the order of nodes and edges decides between paths of equal length.
    """
    called = _canonical(_find(kind, read_name(name), len(arguments)))
    if not is_file_name(name):
        return str(called)
    label = called.changed(lambda inner: Path(inner).name)
    graph = load_topology(kind, name, *arguments)
    nodes, edges = graph.nodes(data=True), graph.edges(data=True)
    parts = [[*map(repr, ends), repr(sorted(data.items()))] for *ends, data in (*nodes, *edges)]
    return f"{label} {graph.name} {canonical_hash(parts)} {version_of_file(file_of(name))}"


def canonical_hash(value: object) -> str:
    """A hash of a value that JSON can express, whatever the order of its keys."""
    canonical = json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return sha256(canonical.encode()).hexdigest()
