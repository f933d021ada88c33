"""The key of a run changes with all that decides its result, and with nothing else."""

import shutil
from pathlib import Path

import pytest

from model.core import version
from model.pnr.scenario import BUNDLED_TRACE, Scenario
from model.sharing.scenarios import SHARING
from model.sweeps import identity
from model.sweeps.identity import conditions_of, key_of
from model.systems import scenarios

# Another valid value of every parameter.
OTHERS = {
    **{"designs": ("MAN",), "seed": 2, "first": 2, "jobs": 11, "demand": "runtime"},
    **{
        "load_factor": 2,
        "memory_mb": 3,
        "memory_scale": 2,
        "memory_field": 10,
        "memory_unit": "bytes",
        "machine_processors": 2048,
        "scale": "keep-load",
        "minimum_demand_s": 2,
        "nodes": 32,
        "cores": 2,
        "ram": 90,
    },
    **{"memory_profile": "ramp", "memory_start": 0.5, "memory_steps": 4, "memory_estimate": "user"},
    **{"ram_mb": 31, "page_bytes": 8192, "cpu_mhz": 34, "reference_cycles": 5, "hit_ratio": 0.4},
    **{"synchronization": "tree", "exchange_kb": 4},
    **{"barrier_s": 2, "seek_ms": 8, "rpm": 5400, "rotation": False, "disk_mb_per_s": 60},
    **{
        "topology": "bus",
        "bandwidth_mbps": 10,
        "latency_ns": 60,
        "switch_us": 70,
        "duplex": "full",
        "relocality": False,
        "relocality_unit": "page",
        "locality": "drifting",
        "page_exchange": "swap",
        "switch_scaling": False,
        "frame_bytes": 1500,
        "routing": "ecmp",
    },
    **{"page_request_bytes": 65, "page_header_bytes": 65, "barrier_bytes": 65},
    **{"protocol_bytes": 129, "pair_bytes": 17, "broadcast_bytes": 65, "entry_bytes": 17},
    **{"scheduler": "space", "mpl": 3, "quantum_s": 61, "pcs_ms": 5, "threshold_mb": 0.2},
    **{
        "migration_gain": 2,
        "skip_full": True,
        "drain_s": 60,
        "stall_s": 60,
        "memory_limit": 0.5,
        "disk_writes": True,
        "arrival_jitter": 0.1,
        "give_up_response_s": 10**6,
        "grant_timeout_s": 5,
        "sample_s": 60_000,
    },
    **{"page_timeout_ms": 11, "barrier_timeout_ms": 11},
    "page_costs_by": "loaded",
    "fault": ({"kind": "loss"},),
    "node": ({"count": 32, "ram_mb": 31},),
}
BASE = {"designs": ("DP",), "first": 1, "jobs": 10}


def key(**parameters):
    return key_of(identity.identity(Scenario(**{**BASE, **parameters})))


def test_every_parameter_changes_it():
    assert OTHERS.keys() == Scenario.model_fields.keys() - {
        "trace",
        "job",
        "fault_file",
        "node_groups",
        "preset",
        "reading",
        "columns",
        "page_costs",
        "count_pages",
    }
    keys = [key(), *(key(**{name: value}) for name, value in OTHERS.items())]
    assert len({*keys}) == len(keys)


def test_parameters_younger_than_stored_results_are_stated_where_they_differ_from_their_defaults():
    plain = identity.identity(Scenario(**BASE))
    later = {name: OTHERS[name] for name in Scenario.later if name in OTHERS}
    assert not later.keys() & plain.keys()
    for name, value in later.items():
        assert identity.identity(Scenario(**BASE, **{name: value})).keys() - plain.keys() == {name}


RULE = "def rule(message, now_ns):\n    return {answer}\n"
PROFILE = "job,cpu_s,memory_mb\n1,0,{size}\n"
DESIGN = """import networkx as nx
def mine(nodes):
    graph = nx.DiGraph()
    graph.add_nodes_from(range(nodes), manager={manager})
    return graph
"""


@pytest.mark.parametrize(
    ("given", "text", "other"),
    [
        ({"faults": "rule.py:rule"}, RULE.format(answer=None), RULE.format(answer=1)),
        ({"memory_profile": "own.csv"}, PROFILE.format(size=5), PROFILE.format(size=6)),
        ({"page_costs": "pages.csv"}, "page_ms,pages\n5,1\n", "page_ms,pages\n6,1\n"),
        ({"designs": "mine.py:mine"}, DESIGN.format(manager=True), DESIGN.format(manager=False)),
    ],
)
def test_a_file_of_ones_own_counts_by_what_it_says_wherever_it_stands(tmp_path, given, text, other):
    ((parameter, file),) = given.items()
    keys = []
    for folder, content in (("one", text), ("two", text), ("three", other)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / file.partition(":")[0]).write_text(content)
        keys.append(key(**{parameter: f"{tmp_path / folder / file}"}))
    assert keys[0] == keys[1] != keys[2]


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


def test_a_preset_counts_by_its_values():
    assert key(preset="cm5") == key()
    stated = Scenario(preset="beowulf-2004").model_dump(exclude_defaults=True)
    assert key(preset="beowulf-2004") == key(**stated) != key()


def test_a_reading_counts_by_its_values():
    assert key(reading="bare") == key()
    assert key(reading="ethernet") == key(page_exchange="swap", frame_bytes=1500)


def test_a_trace_counts_by_its_content(tmp_path):
    copy = tmp_path / "copy.swf.gz"
    shutil.copy(BUNDLED_TRACE, copy)
    assert key(trace=copy, scale="keep-jobs") == key() == key(scale="keep-jobs")
    assert key(trace=copy) == key(scale="keep-load") != key()
    other = tmp_path / "other.swf"
    other.write_text("1 0 0 4 1 3 40960 -1 -1 -1 1\n")
    before = key(trace=other, jobs=1)
    other.write_text("1 0 0 5 1 3 40960 -1 -1 -1 1\n2 0 0 5 1 3 40960 -1 -1 -1 1\n")
    assert key(trace=other, jobs=1) != before


def test_a_map_of_columns_counts_by_its_content(tmp_path):
    (tmp_path / "log.csv").write_text("a,c,t,m,u\n" + "1,1,1,1,2\n" * 2)
    columns = """submit = { column = "a", unit = "s" }
processors = "c"
seconds = { column = "t", unit = "s" }
memory = { column = "%s", unit = "mb" }
"""
    keys = []
    for name, memory in (("a.toml", "m"), ("b.toml", "m"), ("c.toml", "u")):
        (tmp_path / name).write_text(columns % memory)
        keys.append(key(trace=tmp_path / "log.csv", columns=tmp_path / name, jobs=2))
    assert keys[0] == keys[1] != keys[2]


def test_listed_jobs_count():
    job = {"processes": 2, "memory_mb": 40, "demand_s": 1}
    own = {"first": None, "jobs": None}
    keys = [key(job=[{**job, **change}], **own) for change in ({}, {"demand_s": 2}, {"number": 3})]
    assert len({*keys, key()}) == 4


def test_a_graph_that_depends_on_more_than_its_file_counts_too(tmp_path):
    (tmp_path / "mine.py").write_text(
        DESIGN.format(manager="open(__file__ + '.txt').read() == 'yes'")
    )
    keys = []
    for answer in ("yes", "no", "yes"):
        (tmp_path / "mine.py.txt").write_text(answer)
        keys.append(key(designs=(f"{tmp_path}/mine.py:mine",)))
    assert keys[0] == keys[2] != keys[1]


@pytest.mark.parametrize(
    ("room", "systems"),
    [
        ("agents/pnr", [*scenarios()]),
        ("topologies", [*scenarios()]),
        ("model/pnr", ["pnr"]),
        ("model/sharing/unknown", [*SHARING]),
        ("model/sweeps", []),
    ],
)
def test_a_change_of_code_changes_the_keys_of_the_systems_it_is_of(
    tmp_path, monkeypatch, room, systems
):
    def versions():
        version.version_of_rooms.cache_clear()
        return {system: identity.model_version(system) for system in scenarios()}

    monkeypatch.setattr(version, "ROOT", tmp_path)
    (tmp_path / room).mkdir(parents=True)
    before = versions()
    (tmp_path / room / "new.py").write_text("")
    after = versions()
    version.version_of_rooms.cache_clear()
    assert [system for system in scenarios() if before[system] != after[system]] == systems


def test_conditions_are_shared_by_designs_and_by_nothing_else():
    def conditions(**parameters):
        return conditions_of(identity.identity(Scenario(**{**BASE, **parameters})))

    assert conditions() == conditions(designs=("MAN",))
    assert conditions() != conditions(seed=2)
    assert conditions() != conditions(ram=90)
