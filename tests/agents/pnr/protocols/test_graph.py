"""GRAPH: the other designs are points of it, and what lies between them is a design, too."""

import pytest

from model.ground.errors import InputError
from model.pnr.design import load_design
from model.pnr.scenario import make_scenario
from model.systems import compare

POINTS = {
    "CLI": "managers=12, tells=nobody, asks=own",
    "CEN": "managers=1, tells=nobody, asks=any",
    "BB4": "managers=4, tells=all, asks=any",
    "MAN": "managers=12, tells=all, asks=member",
    "TREE3": "managers=12, fanout=3, tells=tree, asks=member",
    "RACK4": "managers=3, tells=sums, asks=first",
}
#: Three jobs that lack memory at once, of which two share nodes.
JOBS = [
    {"processes": 5, "memory_mb": 40, "demand_s": 0.05},
    {"submit_s": 0.01, "processes": 9, "memory_mb": 36, "demand_s": 0.05},
    {"submit_s": 0.02, "processes": 3, "memory_mb": 50, "demand_s": 0.05},
]


@pytest.mark.parametrize("design", POINTS)
def test_other_designs_are_points_of_it_with_equal_results(design):
    designs = design, f"GRAPH({POINTS[design]})"
    one, other = compare(make_scenario(designs=designs, nodes=12, topology="bus", job=JOBS))
    assert one.summary["faults_network"]
    aside = dict.fromkeys(("design", "wall_s"))
    assert one.summary | aside == other.summary | aside
    assert one.jobs.drop(columns="design").equals(other.jobs.drop(columns="design"))


def edges(parameters):
    return sorted(load_design(f"GRAPH({parameters})", make_scenario(nodes=12)).graph.edges)


def test_managers_tell_the_next_ones_around_a_ring():
    assert edges("managers=4, tells=next, fanout=1") == [(0, 3), (3, 6), (6, 9), (9, 0)]
    two = [(0, 3), (0, 6), (3, 6), (3, 9), (6, 0), (6, 9), (9, 0), (9, 3)]
    assert edges("managers=4, tells=next, fanout=2") == two
    everybody = [(one, other) for one in (0, 6) for other in (0, 6) if one != other]
    assert edges("managers=2, tells=next, fanout=9") == everybody


def test_on_fewer_nodes_all_of_them_manage():
    design = load_design("GRAPH(managers=4096, asks=own)", make_scenario(nodes=12))
    assert (design.name, len(design.managers)) == ("GRAPH(managers=4096, asks=own)", 12)


def test_a_backbone_may_be_a_tree():
    assert edges("managers=4, tells=tree, fanout=2") == [
        *((0, 3), (0, 6), (3, 0), (3, 9), (6, 0), (9, 3))
    ]


def test_clients_ask_the_manager_nearest_to_them_or_to_the_first_of_their_job():
    scenario = make_scenario(nodes=12)
    nearest = load_design("GRAPH(managers=3, asks=nearest)", scenario)
    assert [nearest.manager_of(1, [3, 4, 11], node) for node in (3, 4, 11)] == [0, 4, 8]
    assert nearest.clients_of(1, [3, 4, 5, 11], 5) == 2
    first = load_design("GRAPH(managers=3, asks=first)", scenario)
    assert [first.manager_of(1, [4, 11, 3], node) for node in (3, 4, 11)] == [4, 4, 4]


@pytest.mark.parametrize(
    ("parameters", "told"),
    [
        ("managers=0", "managers should be greater than or equal to 1"),
        ("managers=3, asks=own", "every node manages: managers=12"),
        ("managers=3, tells=sums", "asks=first"),
        ("managers=5, tells=sums, asks=first", "do not fit 12 nodes: take 4"),
        ("tells=some", "'nobody', 'all', 'next', 'tree' or 'sums'"),
    ],
)
def test_what_does_not_go_together_is_told(parameters, told):
    with pytest.raises(InputError, match=told):
        load_design(f"GRAPH({parameters})", make_scenario(nodes=12))
