"""The plan of the house: which room imports which, and that no imports run in a circle."""

import ast
from collections import defaultdict
from pathlib import Path

import networkx as nx
import pytest

ROOT = Path(__file__).parents[1]
#: From the ground up; a room imports those before it only.
ROOMS = (
    "topologies",
    "model.ground",
    "agents",
    "model.core",
    "model.logs",
    "model.pnr",
    "model.live",
    "model.sharing",
    "model.systems",
    "model.sweeps",
    "model.views",
    "model.report",
    "model.papers",
    "model.dashboard",
    "model.judge",
    "model.terminal",
    "model.interactive",
    "run",
)


def files():
    """Every module of ours by its name; a package by its own."""
    found = {"run": ROOT / "run.py"}
    for top in ("agents", "model", "topologies"):
        for file in (ROOT / top).rglob("*.py"):
            name = ".".join(file.relative_to(ROOT).with_suffix("").parts)
            found[name.removesuffix(".__init__")] = file
    return found


@pytest.fixture(scope="module")
def imports():
    """(importing, imported) modules of ours: at the top, in functions, and for types alone."""
    return [*imported()]


def imported():
    known = files()
    for name, file in known.items():
        for statement in ast.walk(ast.parse(file.read_text("utf-8"))):
            wanted = []
            if isinstance(statement, ast.Import):
                wanted = [one.name for one in statement.names]
            elif isinstance(statement, ast.ImportFrom):
                for one in statement.names:
                    within = f"{statement.module}.{one.name}"
                    wanted.append(within if within in known else statement.module)
            yield from ((name, other) for other in wanted if other in known and other != name)


def room_of(module):
    top, *rest = module.split(".")
    return f"model.{rest[0]}" if top == "model" and rest else top


def test_no_imports_run_in_a_circle(imports):
    assert list(nx.simple_cycles(nx.DiGraph(imports))) == []


def test_every_import_goes_down_or_stays_in_its_room(imports):
    upwards = defaultdict(list)
    for importing, imported in imports:
        here, there = room_of(importing), room_of(imported)
        if here != there and ROOMS.index(there) >= ROOMS.index(here):
            upwards[here, there].append((importing, imported))
    assert dict(upwards) == {}


def test_agents_and_topologies_import_the_ground_alone(imports):
    reached = {room_of(other) for name, other in imports if room_of(name) == "agents"}
    assert reached == {"agents", "model.ground"}
    assert not [
        name
        for name, _ in imports
        if room_of(name) in ("topologies", "model.ground") and room_of(_) != room_of(name)
    ]


def test_load_sharing_imports_no_code_that_its_version_does_not_cover(imports):
    reached = {room_of(other) for name, other in imports if room_of(name) == "model.sharing"}
    assert reached <= {"agents", "model.ground", "model.core", "model.logs", "model.sharing"}


@pytest.mark.parametrize(
    "package",
    [
        p.parent
        for p in ROOT.glob("*/**/__init__.py")
        if p.parts[len(ROOT.parts)] in ("agents", "model")
    ],
)
def test_a_room_names_every_file_in_it(package):
    """In its `__init__.py`, or where a README has a table of them, each with a link."""
    told = (package / "__init__.py").read_text("utf-8") + (ROOT / "agents/README.md").read_text()
    missing = [
        file.name
        for file in sorted(package.glob("*.py"))
        if file.name != "__init__.py"
        and f"`{file.name}`" not in told
        and f"({package.name}/{file.name})" not in told.replace("(pnr/", "(")
    ]
    assert missing == []
