"""Manager topologies by name: who manages, who is told, whom a job asks; files of the user's."""

from collections import Counter
from itertools import permutations

import networkx as nx
import pytest

from model.core.topology import load_topology
from model.ground.errors import InputError
from model.pnr.design import load_design
from model.pnr.metrics import measure
from model.pnr.scenario import make_scenario
from model.systems import run

#: Two jobs that lack memory, one after another, and a third that has to ask for nothing.
SCARCE = [
    {"processes": 3, "memory_mb": 40, "demand_s": 0.02},
    {"submit_s": 0.01, "processes": 2, "memory_mb": 50, "demand_s": 0.02},
    {"submit_s": 0.01, "processes": 4, "memory_mb": 1, "demand_s": 0.02},
]
MINE = """
import networkx as nx

def pair(nodes):
    graph = nx.DiGraph(asks="any")
    graph.add_nodes_from(range(nodes))
    for manager in (0, nodes // 2):
        graph.nodes[manager]["manager"] = True
    graph.add_edge(0, nodes // 2)
    graph.add_edge(nodes // 2, 0)
    return graph

def undirected(nodes):
    return nx.path_graph(nodes)
"""


def design(name, nodes=8, seed=1):
    return load_design(str(name), make_scenario(nodes=nodes, seed=seed))


def broadcasts(design):
    return {(one, other) for one in design.managers for other in design.tells(one)}


def graph_of(nodes, managers, *edges, **attributes):
    graph = nx.DiGraph(**attributes)
    graph.add_nodes_from(range(nodes))
    for manager in managers:
        graph.nodes[manager]["manager"] = True
    graph.add_edges_from(edges)
    return graph


def graph_with_manager(value):
    graph = graph_of(4, [0])
    graph.nodes[2]["manager"] = value
    return graph


@pytest.fixture
def saved(tmp_path):
    """Writes a graph into a GraphML file, and says which."""

    def save(graph):
        nx.write_graphml(graph, tmp_path / "mine.graphml")
        return tmp_path / "mine.graphml"

    return save


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(MINE)
    return path


# Ours


@pytest.mark.parametrize(
    ("name", "managers", "asks", "told"),
    [
        ("DP", [], "own", set()),
        ("CLI", [0, 1, 2, 3], "own", set()),
        ("CEN", [0], "any", set()),
        ("MAN", [0, 1, 2, 3], "member", set(permutations(range(4), 2))),
        ("BB2", [0, 2], "any", {(0, 2), (2, 0)}),
    ],
)
def test_a_design_says_who_manages_who_is_asked_and_who_is_told(name, managers, asks, told):
    four = design(name, nodes=4)
    assert (four.managers, four.asks) == (managers, asks)
    assert broadcasts(four) == told


def test_that_all_managers_tell_each_other_is_said_by_edges_or_by_a_word(saved):
    edges = design(saved(graph_of(8, [1, 2, 5], *permutations([1, 2, 5], 2))))
    word = design(saved(graph_of(8, [1, 2, 5], tells="all")))
    for manager in (1, 2, 5):
        told = word.tells(manager)
        assert tuple(told) == tuple(told[:]) == edges.tells(manager)
        assert len(told) == 2


@pytest.mark.parametrize("name", ["DP", "CLI", "CEN", "MAN", "BB4", "BB16"])
def test_a_design_is_called_by_its_name_in_capitals(name):
    assert design(name.lower(), 64).name == design(name, 64).name == name


def test_gaps_of_a_backbone_differ_by_one_at_most():
    for nodes in range(1, 40):
        for count in range(1, nodes + 1):
            managers = design(f"BB{count}", nodes).managers
            assert len(managers) == count
            around = [*managers[1:], managers[0] + nodes]
            gaps = [after - here for here, after in zip(managers, around, strict=True)]
            assert max(gaps) - min(gaps) <= 1


# Whom a job asks


@pytest.mark.parametrize(
    ("name", "coordinated"), [("CLI", False), ("CEN", True), ("MAN", True), ("BB2", True)]
)
def test_all_but_local_managers_wait_for_all_clients_of_a_job(name, coordinated):
    assert design(name).coordinated == coordinated


def test_in_dp_there_is_nobody_to_ask():
    assert design("DP").manager_of(1, [2, 3], 2) is None


@pytest.mark.parametrize(("name", "asked"), [("CLI", [2, 5, 7]), ("CEN", [0, 0, 0])])
def test_in_cli_each_node_asks_itself_and_in_cen_all_ask_node_0(name, asked):
    chosen = design(name)
    assert [chosen.manager_of(1, [2, 5, 7], node) for node in (2, 5, 7)] == asked


@pytest.mark.parametrize("name", ["MAN", "BB4", "BB8"])
def test_all_clients_of_a_job_ask_the_same_manager(name):
    chosen, nodes = design(name), [1, 3, 4, 6]
    for job in range(50):
        assert len({chosen.manager_of(job, nodes, node) for node in nodes}) == 1


@pytest.mark.parametrize(
    ("name", "candidates"),
    [("BB4", {0, 2, 4, 6}), ("MAN", {1, 3, 4, 7})],  # of the backbone; of the job's nodes
)
def test_jobs_are_spread_evenly_over_the_managers_they_may_ask(name, candidates):
    chosen = design(name)
    asked = Counter(chosen.manager_of(job, [1, 3, 4, 7], 1) for job in range(4000))
    assert asked.keys() == candidates
    # binomial: 1,000 expected, a deviation of sqrt(4000 · 1/4 · 3/4) = 27; four of them
    assert all(abs(count - 1000) < 110 for count in asked.values())


def test_the_manager_of_a_job_depends_on_the_seed():
    def asked(seed):
        return [design("BB8", seed=seed).manager_of(job, [1], 1) for job in range(30)]

    assert asked(seed=1) == asked(seed=1) != asked(seed=2)


def test_a_job_without_a_manager_on_its_nodes_asks_any(saved):
    some = design(saved(graph_of(8, [2, 5], asks="member")))
    assert {some.manager_of(job, [0, 5, 6], 0) for job in range(50)} == {5}
    assert {some.manager_of(job, [0, 6, 7], 0) for job in range(50)} == {2, 5}


# The user's


def test_a_function_in_a_file_of_the_users_is_a_design_of_that_name(file):
    mine = design(f"{file}:pair")
    assert mine.name == "PAIR"
    assert (mine.managers, mine.asks) == ([0, 4], "any")
    assert broadcasts(mine) == {(0, 4), (4, 0)}


def test_a_graphml_file_is_a_design(saved):
    path = saved(graph_of(8, [1, 2, 5], (1, 2), (2, 5), asks="member"))
    mine = design(path)
    assert mine.name == "MINE"
    assert (mine.managers, mine.asks) == ([1, 2, 5], "member")
    assert broadcasts(mine) == {(1, 2), (2, 5)}  # not back: told are only whom the edges name


def test_a_design_that_does_not_say_asks_any_manager(saved):
    mine = design(saved(graph_of(8, [3, 6])))
    assert mine.asks == "any"
    assert {mine.manager_of(job, [0, 1], 0) for job in range(50)} == {3, 6}


@pytest.mark.parametrize("kind", ["py", "graphml"])
def test_a_users_design_runs_as_the_same_design_of_ours(kind, file, saved):
    own = f"{file}:pair"
    if kind == "graphml":
        own = str(saved(load_topology("managers", "BB2", 8)))
    scenario = make_scenario(job=SCARCE, nodes=8, minimum_demand_s=0.001, barrier_s=0.01)
    ours, mine = (measure(run(scenario, name)) for name in ("BB2", own))
    assert ours.summary["messages"]["LoadBroadcast"] > 0
    assert mine.summary["messages"] == ours.summary["messages"]
    assert mine.jobs.drop(columns="design").equals(ours.jobs.drop(columns="design"))


# What is refused


@pytest.mark.parametrize(("name", "managers"), [("BB0", 0), ("BB9", 9), ("bb100", 100)])
def test_a_backbone_has_one_manager_at_least_and_no_more_than_nodes(name, managers):
    complaint = (
        f"^{name}: a backbone of {managers} managers does not fit a cluster of 8 nodes: "
        "take BB1 to BB8$"
    )
    with pytest.raises(InputError, match=complaint):
        design(name, nodes=8)


def test_a_backbone_without_a_number_is_refused():
    with pytest.raises(InputError, match=r"^BB: take BBx \(as BB16\)$"):
        design("BB")


def test_a_graph_without_directions_is_refused(file):
    with pytest.raises(InputError, match=r"mine\.py:undirected: a manager topology is a directed"):
        design(f"{file}:undirected")


NOT_JUST = r"not just 0 to 3, the 4 nodes of the cluster$"


@pytest.mark.parametrize(
    ("graph", "complaint"),
    [
        (graph_of(3, [0]), f"its graph has 3 nodes, {NOT_JUST}"),
        (nx.relabel_nodes(graph_of(4, [0]), {3: "hub"}), f"its graph has 4 nodes, {NOT_JUST}"),
        (
            graph_of(4, [0], asks="some"),
            'asks is \'some\'; take "own", "any", "member" or a function$',
        ),
        (graph_of(4, [0, 1, 2], asks="own"), 'asks is "own", so every node must be a manager$'),
        (graph_of(4, [0, 1], tells="one"), "tells is 'one'; take \"all\" or edges"),
        (graph_of(4, [0, 1], (0, 1), tells="all"), 'tells is "all", so the graph needs no edges'),
        (graph_of(4, [0, 1], (0, 1), (1, 2)), "the edge 1 -> 2 is no broadcast from a manager"),
        (graph_of(4, [0, 1], (0, 1), (1, 1)), "the edge 1 -> 1 is no broadcast from a manager"),
        (graph_with_manager("false"), r"node 2: manager is true or false \(not 'false'\)$"),
    ],
)
def test_a_graph_that_is_no_design_is_refused(saved, graph, complaint):
    with pytest.raises(InputError, match=rf"mine\.graphml: .*{complaint}"):
        design(saved(graph), nodes=4)
