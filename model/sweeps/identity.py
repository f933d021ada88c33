"""The key of a run: a hash of everything that decides its result, and of nothing else.

A run is of a design (parallel network RAM) or of a policy (load sharing). The code of each load
sharing system has a version of its own: what one of them changes leaves the others' results valid.
"""

import ast
from functools import cache
from pathlib import Path
from typing import Any

from model.core.comparison import comparison_of
from model.core.scenario import BaseScenario
from model.core.topology import canonical_hash, content, fingerprint
from model.systems import SCENARIOS

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
    return canonical_hash(sorted(code.items()))[:16]


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


def identity(scenario: BaseScenario) -> dict[str, Any]:
    """What decides the result of a run of the scenario's only design or policy, in this version.

    A trace counts by its content, not by its place; network and design by their names and graphs; a
    policy of one's own by its name and its file. Raises InputError.
    """
    (name,) = scenario.compared
    comparison = comparison_of(scenario)
    dumped = scenario.model_dump(mode="json", exclude={scenario.compares})
    values = scenario.as_run(dumped)
    if scenario.job is not None:
        values["trace"] = None
    elif scenario.trace_file is not None:
        values["trace"] = content(scenario.trace_file)
    constants = comparison.constants
    # A default may be an integer where a given value is a float; both are the same network.
    link = (float(scenario.bandwidth_mbps), constants.latency_ns, constants.switch_ns)
    values["topology"] = fingerprint("networks", scenario.topology, scenario.nodes, *link)
    design = comparison.identity_of(name)
    return {"version": model_version(dumped.get("system")), **values, "design": design}


def key_of(identity: dict[str, Any]) -> str:
    """The key of the run with this identity."""
    return canonical_hash(identity)


def conditions_of(identity: dict[str, Any]) -> str:
    """The same for runs that differ in the design (or policy) alone.

    They have their jobs and draws in common (common random numbers), and are compared in pairs.
    """
    return canonical_hash({**identity, "design": None})[:16]


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
