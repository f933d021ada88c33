"""What a declaration declares: products, choices, windows, repeats, and mistakes."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.ground.errors import InputError
from model.pnr.scenario import make_scenario
from model.sweeps.sweep import BUNDLED, load_sweep
from model.systems import comparison_of

JOB = "[[job]]\nprocesses = 2\nmemory_mb = 40\ndemand_s = 1\n"


@pytest.fixture(scope="module")
def declare(tmp_path_factory):
    file = tmp_path_factory.mktemp("sweeps") / "sweep.toml"

    def declare(text):
        file.write_text(text)
        sweep = load_sweep(str(file))
        sweep.check(sweep.runs.values())
        return sweep

    return declare


def told(sweep, *names):
    return [tuple(run.parameters[name] for name in names) for run in sweep.runs.values()]


def test_a_memory_profile_beside_the_declaration_is_found_from_any_folder(tmp_path):
    (tmp_path / "own.csv").write_text("job,cpu_s,memory_mb\n1,0,8\n")
    declared = 'designs = ["DP"]\nmemory_profile = ["ramp", "own.csv"]\n[runs.one]\n'
    (tmp_path / "sweep.toml").write_text(declared + JOB.replace("[[job]]", "[[runs.one.job]]"))
    ramp, own = load_sweep(str(tmp_path / "sweep.toml")).runs.values()
    assert ramp.scenario.memory_profile == "ramp"
    assert own.scenario.memory_profile == str((tmp_path / "own.csv").resolve())


@pytest.fixture(scope="module")
def thesis(declared):
    return declared("thesis")


def test_table_3_1_of_the_thesis(thesis):
    keys = thesis.parts["table-3-1"]
    # 9 RAM sizes, 5 networks, 3 topologies, 3 with space sharing: 20 cases of 7 paging methods on
    # 2 loads and 2 clusters. The base case is one of the RAM sizes, networks and topologies.
    assert (len(keys), len(set(keys))) == (20 * 7 * 4, (20 - 2) * 7 * 4) == (560, 504)
    table = thesis.select(["table-3-1"], [])
    assert len(table) == 504
    for nodes, backbones in ((64, {"BB4", "BB8", "BB16"}), (128, {"BB8", "BB16", "BB32"})):
        for jobs in (4000, 5000):
            own = thesis.select(["table-3-1"], [f"nodes={nodes}", f"jobs={jobs}"])
            assert len(own) == 126
            assert {run.design for run in own} == {"DP", "CEN", "CLI", "MAN"} | backbones
            assert {run.scenario.load_factor for run in own} == {1}
            rest = ("ram", "bandwidth_mbps", "topology", "scheduler")
            varied = {tuple(run.parameters[name] for name in rest) for run in own}
            ram = [(r, 100, "star", "gang") for r in (150, 135, 125, 115, 100, 85, 75, 65, 50)]
            network = [(100, n, "star", "gang") for n in (10, 100, 1000, 10000, 100000)]
            wiring = [(100, 100, t, "gang") for t in ("bus", "star", "connected")]
            space = [(r, 100, "star", "space") for r in (50, 75, 100)]
            assert varied == {*ram, *network, *wiring, *space}
    base = thesis.select(["base"], [])
    assert [*thesis.runs.values()][:28] == base  # first
    assert {run.key for run in base} < {run.key for run in table}


def test_figures_and_replications_of_the_thesis(thesis):
    figures = thesis.select(["figures-4-1-and-4-22"], [])
    assert {run.scenario.jobs for run in figures} == {1000, 2000, 3000, 4000, 5000, 6000}
    assert len(figures) == 6 * 2 * 7
    seeds = {run.key for run in thesis.select(["base-seeds"], [])}
    assert len(seeds) == 5 * 28
    windows = thesis.select(["base-windows"], ["design=DP", "nodes=64"])
    records = [range(w, w + n) for w, n in (run.scenario.window for run in windows)]
    assert sorted(r for window in records for r in window) == [*range(1, 6001)]  # disjoint
    deep = thesis.select(["other-loads", "deep-seeds"], ["load_factor=1.5", "seed=1"])
    assert {run.key for run in deep} == {
        run.key for run in thesis.select(["deep-seeds"], ["seed=1"])
    }


def test_seeds_may_be_given_by_the_first_and_the_last(declare):
    sweep = declare(f"designs = 'DP'\nnodes = 4\n{JOB}[runs.all]\nseed = '9 to 11'")
    assert told(sweep, "seed") == [(9,), (10,), (11,)]


def test_a_run_is_the_scenario_it_says(thesis):
    first = next(iter(thesis.runs.values()))
    assert make_scenario(**first.scenario.model_dump(mode="json")) == first.scenario


def test_whats_written_is_what_runs(declare):
    sweep = declare(
        """
        nodes = 8
        ram = 80
        [choice.load]
        light = { jobs = 5 }
        heavy = { jobs = 6, load_factor = [2, 3] }
        [runs.seeds]
        across = ["load"]
        designs = ["DP", "CLI"]
        [runs.windows]
        across = ["load"]
        designs = "MAN"
        ram = 60
        window = [[1, 10], [11, 20]]
        [runs.one]
        across = "load.heavy"
        designs = "CEN"
        """
    )
    assert told(sweep, "ram", "first", "jobs", "load_factor", "design") == [
        *((80, None, 5, 1, design) for design in ("DP", "CLI")),
        *((80, None, 6, load, design) for load in (2, 3) for design in ("DP", "CLI")),
        *((60, *window, load, "MAN") for load in (1, 2, 3) for window in ((1, 10), (11, 20))),
        *((80, None, 6, load, "CEN") for load in (2, 3)),
    ]


values = st.lists(st.integers(1, 5), min_size=1, max_size=4)


@given(values, values, values)
@settings(max_examples=20)
def test_a_part_is_the_product_of_its_lists_and_repeats_are_done_once(declare, ram, seed, mpl):
    sweep = declare(
        f"designs = 'DP'\nnodes = 4\n{JOB}[runs.all]\nram = {ram}\nseed = {seed}\nmpl = {mpl}\n"
        f"[runs.again]\nseed = {seed[::-1]}\nmpl = {mpl}\nram = {ram}\n"
    )
    declared = [*product(ram, seed, mpl)]
    assert told(sweep, "ram", "seed", "mpl") == [*dict.fromkeys(declared)]
    assert [len(keys) for keys in sweep.parts.values()] == [len(declared)] * 2
    assert {*sweep.parts["all"]} == {*sweep.parts["again"]} == {*sweep.runs}


def test_paths_are_from_the_file_and_whole(declare, tmp_path_factory):
    sweep = declare(f"{JOB}[runs.all]\ndesigns = 'DP'\n")
    assert sweep.name == "sweep"
    folder = tmp_path_factory.mktemp("paths")
    (folder / "log.swf").write_text("1 0 0 4 1 3 40960 -1 -1 -1 1\n")
    (folder / "mine.py").write_text(
        "import networkx as nx\n"
        "def alone(nodes):\n"
        "    return nx.empty_graph(nodes, create_using=nx.DiGraph)\n"
    )
    (folder / "sweep.toml").write_text(
        "[runs.all]\ntrace = 'log.swf'\ndesigns = ['DP', 'mine.py:alone']\n"
    )
    own = [*load_sweep(str(folder / "sweep.toml")).runs.values()][1]
    assert own.scenario.trace == folder / "log.swf"
    assert own.scenario.designs == (f"{folder}/mine.py:alone",)
    assert own.design == "ALONE"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "declares no runs"),
        ("[runs.all]\nram = 0", "sweep.toml: ram: input should be greater than 0"),
        ("[runs.all]\ncolour = 'red'", "sweep.toml: colour: "),
        ("[runs.all]\nram = []", "runs.all: ram: the list is empty"),
        ("[runs.all]\ndesigns = ['DP', 'FOO']", "sweep.toml: 'FOO' is no design"),
        ("[runs.all]\nwindow = [1, 1000]", "runs.all: window: give pairs"),
        ("[runs.all]\nwindow = [[1, 9]]\njobs = 9", "runs.all.window: sets first and jobs"),
        ("[runs.all]\nwindow = [[6001, 1000]]", "reaches beyond"),
        ("[runs.all]\ntrace = 'nowhere.swf'", "nowhere.swf"),
        ("[runs.all]\nacross = ['load']", "runs.all.across: 'load' is no choice"),
        (
            "[choice.load]\na = { ram = 50 }\nb = { ram = 60 }\n[runs.all]\nacross = 'load.c'",
            "runs.all.across: 'load.c' is no choice; give load (a, b)",
        ),
        ("[runs.all]\nsystem = { a = 1 }", "system: give one of memory, "),
        ("[choice.load]\nlight = 3\n[runs.all]\nacross = ['load']", "choice.load.light: must be"),
        (
            "[choice]\na.x = { ram = 50 }\nb.x = { ram = 60 }\n[runs.all]\nacross = ['a', 'b']",
            "runs.all: ram is set by choice.b and by another",
        ),
        ("runs = 3", "must be a table"),
        ("[runs", "not a TOML file"),
        (
            f"[runs.all]\nseed = {[*range(1000)]}\nram = {[*range(1, 1001)]}\n"
            f"mpl = {[*range(1, 1001)]}\ndesigns = 'DP'",
            "declares 1,000,000,000 runs; a sweep has at most 100,000",
        ),
        ("[runs.all]\nseed = '2 to 1'", "runs.all: seed: the list is empty"),
        ("".join(f"[runs.{i}]\nseed = {[*range(9000)]}\n" for i in range(3)), "135,000 runs"),
    ],
)
def test_a_mistake_is_one_line_that_names_file_and_key(declare, text, says):
    with pytest.raises(InputError) as complaint:
        declare(text)
    assert says in str(complaint.value)
    assert "sweep.toml" in str(complaint.value)
    assert "\n" not in str(complaint.value)


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ("bandwidth_mbps = 0.001\nexchange_kb = [0, 1e6]", "exchange_kb 1e+06: the data"),
        (
            "switch_us = [80, 1e9]\npage_bytes = 1073741824\nframe_bytes = 64",
            "through a switch takes",
        ),
        ('faults = "nowhere.py:rule"', "nowhere.py"),
        ('fault = [[], [{ kind = "loss", messages = ["RamGrnt"] }]]', "called RamGrnt; take page"),
    ],
)
def test_a_mistake_of_any_run_is_told_before_the_first(declare, parameters, says):
    # two jobs of 1,000 s share both nodes; only the last run cannot be
    two = "[[job]]\nprocesses = 2\nmemory_mb = 1\ndemand_s = 1000\n" * 2
    designs = "" if "designs" in parameters else "designs = 'DP'\n"
    with pytest.raises(InputError) as complaint:
        declare(f"nodes = 2\n{designs}{two}[runs.all]\n{parameters}\n")
    assert says in str(complaint.value)
    assert "\n" not in str(complaint.value)


def test_a_fault_may_strike_messages_of_one_of_the_designs_that_a_part_compares(declare):
    lost = 'fault = [[{ kind = "loss", messages = ["LoanReply"] }]]'
    sweep = declare(f'nodes = 4\n{JOB}[runs.all]\ndesigns = ["DP", "PROBE2"]\n{lost}\n')
    assert [run.design for run in sweep.runs.values()] == ["DP", "PROBE2"]


def test_a_sweep_that_is_not_there():
    missing = {"nowhere.toml": "nowhere.toml: No such file", "thesys": "or one of .*thesis"}
    for name, says in missing.items():
        with pytest.raises(InputError, match=says):
            load_sweep(name)


@pytest.mark.parametrize("name", BUNDLED)
def test_what_comes_with_the_code_can_be_run(declared, name):
    """Nothing is checked when a sweep is read: here is the last run of each."""
    *_, run = declared(name).runs.values()
    comparison_of(run.scenario).validate()


def test_selecting_from_both_kinds_of_runs(declare):
    sweep = declare(
        "[runs.pnr]\njobs = 5\nram = [50, 100]\ndesigns = 'DP'\n"
        "[runs.sharing]\nsystem = 'memory'\njobs = 5\npolicies = 'NO_LS'\n"
    )
    assert [run.design for run in sweep.select([], ["ram=50"])] == ["DP"]
    assert [run.design for run in sweep.select([], ["system=memory"])] == ["NO_LS"]


def test_selecting_what_is_not_there(declare):
    sweep = declare(f"nodes = 4\n{JOB}[runs.all]\nram = [50, 100]\ndesigns = 'DP'\n")
    assert [run.scenario.ram for run in sweep.select(["all"], ["ram=50.0,75"])] == [50]
    for parts, conditions, says in (
        (["none"], [], "--part none: not in sweep, which has all"),
        ([], ["colour=red"], "--where colour=red: give a parameter"),
        ([], ["ram"], "--where ram: give a parameter"),
        ([], ["ram=75"], "--where ram=75: no run"),
    ):
        with pytest.raises(InputError, match=says):
            sweep.select(parts, conditions)
