"""The key of a run changes with all that decides its result, and with nothing else."""

import importlib
import shutil
from pathlib import Path

import pytest

from model.pnr.scenario import BUNDLED_TRACE, Scenario
from model.sweeps import identity
from model.sweeps.identity import conditions_of, key_of

# Another valid value of every parameter.
OTHERS = {
    **{"designs": ("MAN",), "seed": 2, "first": 2, "jobs": 11, "demand": "runtime"},
    **{"load_factor": 2, "memory_mb": 3, "minimum_demand_s": 2, "nodes": 32, "ram": 90},
    **{"ram_mb": 31, "page_bytes": 8192, "cpu_mhz": 34, "reference_cycles": 5, "hit_ratio": 0.4},
    **{"barrier_s": 2, "seek_ms": 8, "rpm": 5400, "rotation": False, "disk_mb_per_s": 60},
    **{
        "topology": "bus",
        "bandwidth_mbps": 10,
        "latency_ns": 60,
        "switch_us": 70,
        "duplex": "half",
    },
    **{"page_request_bytes": 65, "page_header_bytes": 65, "barrier_bytes": 65},
    **{"protocol_bytes": 129, "pair_bytes": 17, "broadcast_bytes": 65, "entry_bytes": 17},
    **{"scheduler": "space", "mpl": 3, "quantum_s": 61, "pcs_ms": 5, "threshold_mb": 0.2},
    **{"skip_full": True, "sample_s": 60_000},
}
BASE = {"designs": ("DP",), "first": 1, "jobs": 10}


def key(**parameters):
    return key_of(identity.identity(Scenario(**{**BASE, **parameters})))


def test_every_parameter_changes_it():
    assert OTHERS.keys() == Scenario.model_fields.keys() - {"trace", "job"}
    keys = [key(), *(key(**{name: value}) for name, value in OTHERS.items())]
    assert len({*keys}) == len(keys)


def test_the_order_and_the_way_of_writing_do_not():
    reverse = dict(reversed([*{**OTHERS, "designs": ("BB4",)}.items()]))
    assert key(**reverse) == key(**{**OTHERS, "designs": ("BB4",)})
    assert key(ram="100", bandwidth_mbps=100.0, designs=("dp",)) == key(ram=100, topology="Star")
    assert key(first=None) == key(first=1)  # jobs = 10: from the beginning
    window = {"first": 4501, "jobs": 300}
    assert key(first=None, jobs=None) == key(**window)  # what a bare run takes


def test_a_default_and_its_value_given_are_the_same(tmp_path):
    own = tmp_path / "own.py"  # whose graph is made anew for each key
    shutil.copy(Path("topologies/networks/star.py"), own)
    defaults = {name: Scenario.model_fields[name].default for name in OTHERS}
    given = {name: value for name, value in defaults.items() if name not in BASE}
    assert key(**{**given, "topology": f"{own}:star"}) == key(topology=f"{own}:star")


def test_a_trace_counts_by_its_content(tmp_path):
    copy = tmp_path / "copy.swf.gz"
    shutil.copy(BUNDLED_TRACE, copy)
    assert key(trace=copy) == key()
    other = tmp_path / "other.swf"
    other.write_text("1 0 0 4 1 3 40960 -1 -1 -1 1\n")
    before = key(trace=other, jobs=1)
    other.write_text("1 0 0 5 1 3 40960 -1 -1 -1 1\n2 0 0 5 1 3 40960 -1 -1 -1 1\n")
    assert key(trace=other, jobs=1) != before


def test_listed_jobs_count():
    job = {"processes": 2, "memory_mb": 40, "demand_s": 1}
    own = {"first": None, "jobs": None}
    keys = [key(job=[{**job, **change}], **own) for change in ({}, {"demand_s": 2}, {"number": 3})]
    assert len({*keys, key()}) == 4


DESIGN = """import networkx as nx
def mine(nodes):
    graph = nx.DiGraph()
    graph.add_nodes_from(range(nodes), manager={manager})
    return graph
"""


def test_a_design_of_ones_own_counts_by_its_graph(tmp_path):
    keys = []
    for folder, text in (
        ("one", DESIGN.format(manager=True)),
        ("two", "# why\n" + DESIGN.format(manager="2 > 1")),
        ("three", DESIGN.format(manager=False)),
    ):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine.py").write_text(text)
        keys.append(key(designs=(f"{tmp_path / folder}/mine.py:mine",)))
    assert keys[0] == keys[1] != keys[2]


@pytest.mark.parametrize("part", ["managers", "networks"])
def test_a_topology_of_ours_counts_by_its_graph(monkeypatch, part):
    before = key(designs=("CEN",))
    identity._ours.cache_clear()
    name = {"managers": "cen", "networks": "star"}[part]
    module = importlib.import_module(f"topologies.{part}.{name}")
    build = getattr(module, name)

    def other(*arguments):
        graph = build(*arguments)
        graph.nodes[1]["manager"] = True
        return graph

    monkeypatch.setattr(module, name, lambda *a: build(*a))
    assert key(designs=("CEN",)) == before
    identity._ours.cache_clear()
    monkeypatch.setattr(module, name, other)
    assert key(designs=("CEN",)) != before
    identity._ours.cache_clear()


def test_conditions_are_shared_by_designs_and_by_nothing_else():
    def conditions(**parameters):
        return conditions_of(identity.identity(Scenario(**{**BASE, **parameters})))

    assert conditions() == conditions(designs=("MAN",))
    assert conditions() != conditions(seed=2)
    assert conditions() != conditions(ram=90)


@pytest.fixture
def code(tmp_path, monkeypatch):
    """A copy of our code, and a function that gives its version."""
    for part in ("agents", "model", "topologies"):
        shutil.copytree(Path(__file__).parents[3] / part, tmp_path / part)
    monkeypatch.setattr(identity, "_ROOT", tmp_path)
    return tmp_path, identity.model_version.__wrapped__


@pytest.mark.parametrize(
    "place",
    [
        *("agents/pnr/manager.py", "agents/link.py", "model/ground/paging.py", "model/core/swf.py"),
        *("model/pnr/compiled/transport.py", "model/pnr/metrics.py"),
    ],
)
def test_the_version_changes_with_code_that_decides(code, place):
    folder, version = code
    before = version()
    with open(folder / place, "a") as file:
        file.write("\nSURPRISE = 1\n")
    assert version() != before


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("model/ground/paging.py", "\n# only a remark\n"),
        ("model/report/figures.py", "\nSURPRISE = 1\n"),
        ("model/views/new.py", "SURPRISE = 1\n"),
        ("model/another_system.py", "SURPRISE = 1\n"),
        ("agents/of_another_system.py", "SURPRISE = 1\n"),
        ("topologies/networks/new.py", "SURPRISE = 1\n"),
        ("model/sweeps/store.py", "\nSURPRISE = 1\n"),
        ("model/data/README.md", "more"),
    ],
)
def test_the_version_stays_with_what_does_not_decide(code, place, text):
    folder, version = code
    before = version()
    with open(folder / place, "a") as file:
        file.write(text)
    assert version() == before


def test_docstrings_and_layout_do_not_count():
    import ast

    one = 'def f(a, b):\n    """What."""\n    return (a +\n        b)\n'
    two = "def f(a,b): return a+b # so\n"
    three = "def f(a,b): return a-b\n"
    meanings = [identity._meaning(ast.parse(code)) for code in (one, two, three)]
    assert meanings[0] == meanings[1] != meanings[2]
