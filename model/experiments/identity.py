"""The key of a run: a hash of everything that decides its result, and of nothing else."""

import ast
import json
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import networkx as nx

from model.constants import Constants
from model.design import load_design
from model.network import load_network
from model.scenario import BUNDLED_TRACE, Scenario
from model.topology import is_file_name

_ROOT = Path(__file__).parents[2]
# Files of model/ that show a run, and decide nothing in it.
_SHOWING = {"figures.py", "flow.py", "output.py", "session.py"}


@cache
def model_version() -> str:
    """A hash of the code that decides results: agents, topologies, and model/ without what shows.

    Comments, docstrings and layout do not count, so a better explanation costs no computation.
    """
    sources = [
        *(_ROOT / "agents").glob("*.py"),
        *(_ROOT / "topologies").glob("*/*.py"),
        *(file for file in (_ROOT / "model").glob("*.py") if file.name not in _SHOWING),
        *(_ROOT / "model" / "compiled").glob("*.py"),
    ]
    code = [
        (file.relative_to(_ROOT).as_posix(), _meaning(ast.parse(file.read_text("utf-8"))))
        for file in sorted(sources)
    ]
    return _hash(code)[:16]


def identity(scenario: Scenario) -> dict[str, Any]:
    """What decides the result of a run of the scenario's only design, under this version.

    A trace counts by its content, not by its place; a topology or design of a user's own by its
    graph. Raises InputError.
    """
    (design,) = scenario.designs
    values = scenario.model_dump(mode="json", exclude={"designs"})
    values["first"], values["jobs"] = (None, None) if scenario.job else scenario.window
    values["trace"] = None if scenario.job else _content(scenario.trace or BUNDLED_TRACE)
    values["topology"] = scenario.topology.lower().replace("_", "-")
    if is_file_name(scenario.topology):
        graph = load_network(scenario, Constants.of(scenario))
        values["topology"] = _own(scenario.topology, graph)
    values["design"] = design.upper()
    if is_file_name(design):
        values["design"] = _own(design, load_design(design, scenario).graph)
    return {"version": model_version(), **values}


def key_of(identity: dict[str, Any]) -> str:
    """The key of the run with this identity."""
    return _hash(identity)


def conditions_of(identity: dict[str, Any]) -> str:
    """The same for runs that differ in the design alone: they have their jobs and draws in common.

    (Common random numbers: such runs are compared in pairs.)
    """
    return _hash({**identity, "design": None})[:16]


def _meaning(code: Any) -> str:
    """Parsed code as text, the same from every version of Python."""
    if isinstance(code, list):
        return "[" + ",".join(map(_meaning, code)) + "]"
    if not isinstance(code, ast.AST):
        return repr(code)
    fields = dict(ast.iter_fields(code))
    body = fields.get("body")
    if isinstance(body, list) and isinstance(code, ast.Module | ast.ClassDef | ast.FunctionDef):
        fields["body"] = body[1:] if ast.get_docstring(code, clean=False) is not None else body
    told = (f"{name}={_meaning(v)}" for name, v in fields.items() if v is not None and v != [])
    return f"{type(code).__name__}({','.join(told)})"


def _own(name: str, graph: nx.Graph) -> str:
    """A user's own topology: its file's name, since results show it, and its graph.

    Of that nodes and edges in their order, which decides between paths of equal length.
    """
    return f"{Path(name).name} " + _hash(
        [_sorted(graph.graph), _named(graph.nodes(data=True)), _named(graph.edges.data())]
    )


def _named(parts: Iterable[tuple[Any, ...]]) -> list[Any]:
    return [[*map(repr, names), _sorted(attributes)] for *names, attributes in parts]


def _sorted(attributes: dict[Any, Any]) -> list[tuple[str, str]]:
    """Attributes in an order of their own, without a graph's name, which says nothing of it."""
    return sorted((str(name), repr(value)) for name, value in attributes.items() if name != "name")


def _content(file: Path) -> str:
    status = file.stat()
    return _file_hash(file, status.st_size, status.st_mtime_ns)


@cache
def _file_hash(file: Path, size: int, changed_ns: int) -> str:
    return sha256(file.read_bytes()).hexdigest()


def _hash(value: Any) -> str:
    canonical = json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return sha256(canonical.encode()).hexdigest()
