"""The key of a run: a hash of everything that decides its result, and of nothing else.

A run is of a design (parallel network RAM) or of a policy (load sharing). The code of each load
sharing system has a version of its own: what one of them changes leaves the others' results valid.
"""

import ast
import json
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import networkx as nx

from model.core.topology import is_file_name, load_topology
from model.pnr.scenario import BUNDLED_TRACE
from model.sharing.metrics import label
from model.sharing.scenario import SharingScenario
from model.sharing.scenarios import SCENARIOS, AnyScenario, constants_of

_ROOT = Path(__file__).parents[2]
# What runs and measures; all that they import decides results, and nothing else does.
_DECIDING = ("model.pnr.comparison", "model.pnr.metrics")
_SHARING = ("model.sharing.comparison", "model.sharing.metrics")


@cache
def model_version(system: str | None = None) -> str:
    """A hash of the code that decides results: of what a run and its measures import.

    Of parallel network RAM, or of a load sharing system. Topologies are not in it: a run's own are
    part of its identity, as graphs. Comments, docstrings and layout do not count, so a better
    explanation costs no computation.
    """
    code: dict[str, str] = {}
    found = list(_DECIDING)
    if system is not None:
        package = SCENARIOS[system].__module__.rpartition(".")[0]
        found = [*_SHARING, f"{package}.system"]
    while found:
        module = found.pop()
        file = _ROOT.joinpath(*module.split(".")).with_suffix(".py")
        if module not in code and file.is_file():
            parsed = ast.parse(file.read_text("utf-8"))
            code[module] = _meaning(parsed)
            found += _imported(parsed)
    return _hash(sorted(code.items()))[:16]


def _imported(code: ast.Module) -> list[str]:
    """The modules that it may import, at its top or in functions; some may not exist."""
    modules = []
    for statement in ast.walk(code):
        if isinstance(statement, ast.Import):
            modules += [name.name for name in statement.names]
        elif isinstance(statement, ast.ImportFrom) and statement.module is not None:
            modules.append(statement.module)
            modules += [f"{statement.module}.{name.name}" for name in statement.names]
    return modules


def compared(scenario: AnyScenario) -> str:
    """The scenario's only design or policy, as declared."""
    is_sharing = isinstance(scenario, SharingScenario)
    (name,) = scenario.policies if is_sharing else scenario.designs
    return name


def identity(scenario: AnyScenario) -> dict[str, Any]:
    """What decides the result of a run of the scenario's only design or policy, in this version.

    A trace counts by its content, not by its place; network and design by their names and graphs; a
    policy of one's own by its name and its file. Raises InputError.
    """
    if isinstance(scenario, SharingScenario):
        return _sharing_identity(scenario)
    (design,) = scenario.designs
    values = scenario.model_dump(mode="json", exclude={"designs"})
    values["first"], values["jobs"] = (None, None) if scenario.job else scenario.window
    values["trace"] = None if scenario.job else _content(scenario.trace or BUNDLED_TRACE)
    values["topology"] = _network(scenario)
    values["design"] = _topology("managers", design, scenario.nodes)
    return {"version": model_version(), **values}


def _sharing_identity(scenario: SharingScenario) -> dict[str, Any]:
    policy, trace = compared(scenario), Path(scenario.trace)
    values = scenario.model_dump(mode="json", exclude={"policies"})
    if scenario.job is not None:
        values["trace"] = None
    elif trace.is_file():
        values["trace"] = _content(trace)
    values["topology"] = _network(scenario)
    file = Path(policy.partition(":")[0])
    own = f" {_content(file)}" if is_file_name(policy) else ""
    return {
        "version": model_version(scenario.system),
        **values,
        "design": label(policy).upper() + own,
    }


def key_of(identity: dict[str, Any]) -> str:
    """The key of the run with this identity."""
    return _hash(identity)


def conditions_of(identity: dict[str, Any]) -> str:
    """The same for runs that differ in the design (or policy) alone.

    They have their jobs and draws in common (common random numbers), and are compared in pairs.
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


def _network(scenario: AnyScenario) -> str:
    constants = constants_of(scenario)
    # A default may be an integer where a given value is a float; both are the same network.
    link = (float(scenario.bandwidth_mbps), constants.latency_ns, constants.switch_ns)
    return _topology("networks", scenario.topology, scenario.nodes, *link)


def _topology(kind: str, name: str, *arguments: float) -> str:
    """A topology's name (of a user's own its file's), since results show it, and its graph."""
    if is_file_name(name):
        return f"{Path(name).name} " + _graph(load_topology(kind, name, *arguments))
    return _ours(kind, name.lower().replace("_", "-"), *arguments)


@cache
def _ours(kind: str, name: str, *arguments: float) -> str:
    return f"{name} " + _graph(load_topology(kind, name, *arguments))


def _graph(graph: nx.Graph) -> str:
    """A hash; nodes and edges in their order, which decides between paths of equal length."""
    return _hash([_sorted(graph.graph), _named(graph.nodes(data=True)), _named(graph.edges.data())])


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
