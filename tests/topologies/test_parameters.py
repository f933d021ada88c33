"""The numbers of a design: given where it is named, typed by its function, told in its name."""

import pytest

from model.core.names import split_names
from model.core.topology import are_alike, fingerprint, load_topology
from model.ground.errors import InputError
from model.interactive import compare
from model.pnr.design import load_design
from model.pnr.explore.setting import Setting
from model.pnr.scenario import make_scenario
from model.sweeps.sweep import load_sweep

MINE = """
from typing import Annotated, Literal

from pydantic import Field

from agents.pnr.protocol import Manager, Protocol
from topologies.managers.man import man


class Telling(Manager):
    def tell(self, job, now_ns):
        return super().tell(job, now_ns)[: self.parameters["most"]]


def telling(
    nodes,
    most: int = 3,
    rate: float = 0.5,
    way: Literal["up", "down"] = "up",
    odd: bool = False,
    limit: int | None = None,
    share: Annotated[float, Field(gt=0)] = 1.0,
    word="",
):
    graph = man(nodes)
    graph.graph |= {"name": "TELLING", "protocol": Protocol(manager=Telling)}
    return graph


def needy(nodes, d: int):
    return man(nodes)


def sending(nodes, sends: int = 3):
    graph = man(nodes)
    graph.graph |= {"name": "SENDING", "protocol": Protocol(manager=Telling)}
    return graph
"""
JOB = {"processes": 2, "memory_mb": 40, "demand_s": 1}


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(MINE)
    return path


def design(name):
    return load_design(name, make_scenario(nodes=8))


def test_commas_in_parentheses_do_not_separate_names():
    text = "mine.py:auction(d=8, deadline_ms=5),PROBE(d=4), RELIABLE(mine.py:auction(d=8),sends=2)"
    auction, probe, reliable = split_names(text)
    assert auction == "mine.py:auction(d=8, deadline_ms=5)"
    assert (probe, reliable) == ("PROBE(d=4)", "RELIABLE(mine.py:auction(d=8),sends=2)")


def test_roles_see_what_was_given_and_else_the_defaults_typed_by_annotation(file):
    given = design(f"{file}:telling(most=8, rate=2, way=down, odd=true, limit=4, share=2, word=7)")
    told = {
        name: given.parameters[name] for name in ("most", "rate", "way", "odd", "limit", "word")
    }
    assert told == {"most": 8, "rate": 2.0, "way": "down", "odd": True, "limit": 4, "word": "7"}
    assert isinstance(told["rate"], float)
    assert isinstance(told["odd"], bool)
    default = design(f"{file}:telling(limit=none)").parameters
    assert [default[name] for name in ("most", "rate", "odd", "limit")] == [3, 0.5, False, None]


def test_results_call_a_design_by_the_values_that_were_given_in_one_order(file):
    names = [f"{file}:telling( rate = 5, most=04 )", f"{file}:telling(most=4,rate=5.0)"]
    assert {design(name).name for name in names} == {"TELLING(most=4, rate=5)"}
    assert design(f"{file}:telling").name == "TELLING"
    assert design(f"RELIABLE({file}:telling(most=4), sends=2)").name == (
        "RELIABLE(TELLING(most=4), sends=2)"
    )


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("PROBE(d=4)", "PROBE4"),
        ("BB(x=3)", "BB3"),
        ("PROBE4(rounds=3)", "PROBE4(rounds=3)"),
        ("PROBE(rounds=3, d=4)", "PROBE4(rounds=3)"),
        ("LEASE(lease_s=60)", "LEASE(lease_s=60)"),
        ("RELIABLE(RECLAIM(BB(x=2)))", "RELIABLE(RECLAIM(BB2))"),
    ],
)
def test_bundled_designs_take_theirs_in_the_same_way(name, called):
    assert design(name).name == called
    assert are_alike(name, called)
    assert fingerprint("managers", name, 8) == fingerprint("managers", called, 8)


def test_every_number_decides_which_run_it_is(file):
    names = [f"{file}:telling", *(f"{file}:telling(most={most})" for most in (1, 2))]
    names += ["GOSSIP", "GOSSIP(words=2)", "RELIABLE(MAN)", "RELIABLE(MAN, sends=2)"]
    assert len({fingerprint("managers", name, 8) for name in names}) == len(names)


def test_a_network_takes_parameters_too():
    short, long = (load_topology("networks", name, 9, 100, 50, 80) for name in SPINES)
    assert dict(short.adjacency()) == dict(long.adjacency())
    assert fingerprint("networks", SPINES[0], 9, 100, 50, 80) == fingerprint(
        "networks", SPINES[1], 9, 100, 50, 80
    )


SPINES = ("leaf-spine2", "leaf-spine(spines=2)")


def test_they_change_what_a_design_does(file):
    names = f"{file}:telling(most=1),{file}:telling(most=2)"
    results = compare(designs=names, nodes=4, job=[JOB], minimum_demand_s=0.001)
    told = {run.summary["design"]: run.summary["messages"] for run in results.runs}
    one, two = told["TELLING(most=1)"], told["TELLING(most=2)"]
    assert 0 < 2 * one["LoadBroadcast"] == two["LoadBroadcast"]


def test_explore_takes_them(file):
    setting = Setting(f"{file}:telling(most=1)")
    assert setting.design.name == "TELLING(most=1)"
    assert setting.host(0).site.parameters["most"] == 1


def test_a_table_of_lists_means_each_combination():
    tables = [
        "DP",
        {"design": "mine.py:auction", "d": [2, 4], "fast": [True]},
        {"design": "RELIABLE(mine.py:auction)", "d": 8, "RELIABLE": {"sends": [4, 8]}},
    ]
    assert split_names(tables) == [
        "DP",
        "mine.py:auction(d=2, fast=true)",
        "mine.py:auction(d=4, fast=true)",
        "RELIABLE(mine.py:auction(d=8), sends=4)",
        "RELIABLE(mine.py:auction(d=8), sends=8)",
    ]


def test_a_sweep_has_a_run_for_each_value(file):
    sweep = file.with_name("sweep.toml")
    sweep.write_text(
        'nodes = 4\n[runs.all]\ndesigns = ["DP", { design = "mine.py:telling", most = [1, 2] }]\n'
        "[[job]]\nprocesses = 2\nmemory_mb = 40\ndemand_s = 1\n".replace(
            "[[job]]", "[[runs.all.job]]"
        )
    )
    runs = load_sweep(str(sweep))
    names = [run.design for run in runs.runs.values()]
    assert names == ["DP", "TELLING(most=1)", "TELLING(most=2)"]
    assert [run.design for run in runs.select([], ["design=DP,telling(most=2)"])] == names[::2]


def test_a_scenario_file_names_them_beside_itself(file, monkeypatch, tmp_path_factory):
    scenario = file.with_name("scenario.toml")
    scenario.write_text('designs = ["RELIABLE(mine.py:telling(most=2))"]\n')
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    (declared,) = make_scenario(scenario).designs
    assert declared == f"RELIABLE({file}(most=2))".replace(".py(", ".py:telling(")


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("{}:telling(mst=2)", "takes no mst; it takes most (int, default 3), rate (float, default"),
        ("{}:telling(most=x)", "most should be a valid integer, unable to parse"),
        ("{}:telling(rate=nan)", "rate should be a finite number (not 'nan')"),
        ("{}:telling(way=left)", "way should be 'up' or 'down' (not 'left'); it takes most"),
        ("{}:telling(odd=x)", "odd should be a valid boolean"),
        ("{}:telling(share=0)", "share should be greater than 0 (not '0')"),
        ("{}:telling(most=1, most=2)", "most is given twice"),
        ("{}:needy", "needs d; it takes d (int)"),
        ("{}:telling(MAN)", "numbers are given by name, as PROBE(d=4)"),
        ("PROBE(x=2)", "PROBE: takes no x; it takes d (int, default 2), rounds (int, default 8)"),
        ("PROBE4(d=2)", "PROBE4(d=2): d is given twice"),
        ("DP(d=2)", "DP: takes no d; it has no parameters"),
        ("RELIABLE(MAN, CEN)", "goes around one design (not MAN and CEN)"),
        ("RELIABLE(MAN, send=3)", "RELIABLE: takes no send; it takes repeat_after_s (float, def"),
        ("RELIABLE({}:sending)", "sends is a parameter of RELIABLE and of the design within"),
    ],
)
def test_a_wrong_name_or_type_is_a_line_that_lists_what_there_is(file, name, complaint):
    with pytest.raises(InputError) as told:
        design(name.format(file))
    assert complaint in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("table", "complaint"),
    [
        ({"design": "RELIABLE(MAN)", "RELIABLE": 3}, "RELIABLE is a table of what it takes"),
        ({"design": "PROBE(d=2)", "d": 3}, "d is given twice"),
    ],
)
def test_a_table_that_names_no_design_is_refused(table, complaint):
    with pytest.raises(InputError, match=complaint):
        make_scenario(designs=[table])


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("LEASE(renew_at=0)", "renew_at should be greater than or equal to 0.01 (not '0')"),
        ("MASTER(renew_at=1)", "renew_at should be less than 1 (not '1'); it takes strategy"),
        ("INFINISWAP(slab_mb=0)", "slab_mb should be greater than 0"),
        # 1 s · 2^29 = 5.4 · 10^8 s, and 2^30 more than 10^9
        ("RELIABLE(MAN, sends=31)", "31 sends with a backoff of 2 wait for more than 1e+09 s"),
        ("RELIABLE(MAN, sends=1000000)", "1000000 sends with a backoff of 2 wait for more than"),
    ],
)
def test_a_number_out_of_its_range_and_sends_that_never_end_are_refused(name, complaint):
    with pytest.raises(InputError) as told:
        design(name)
    assert complaint in str(told.value)


@pytest.mark.parametrize(
    "name",
    [
        *("ADAPT(window=1, own_every=1, smoothing=1, slow=0, fast=0)", "GOSSIP(extra_rounds=0)"),
        *("GOSSIP(words=1)", "INFINISWAP(headroom=0, extra=0, weight=1)", "PROBE1(rounds=1)"),
        *("LEASE(renew_at=0.01, push_share=0)", "LEASE(lease_s=1e8)", "SURVIVOR(servers=1)"),
        *("MASTER(drawn=1, patience=1000, heartbeat_s=1e6)", "SURVIVOR(check_s=9, lost_s=none)"),
        *("RELIABLE(MAN, sends=1)", "RELIABLE(MAN, sends=30)", "RELIABLE(MAN, backoff=1)"),
    ],
)
def test_a_design_runs_at_the_ends_of_its_ranges(name):
    summary = compare(designs=name, nodes=4, job=[JOB], minimum_demand_s=0.001).runs[0].summary
    assert summary["jobs"] == 1
