"""What is worked out on the graph of a search, against brute force and random walks."""

import re
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.pnr.explore.graph import UNREACHABLE, Graph, find_circle, steps_to
from model.pnr.explore.narrator import retrace
from model.pnr.explore.search import search
from model.pnr.explore.setting import Setting
from model.pnr.explore.steps import CRASH, DELIVER, Step
from model.pnr.explore.storing import read_finding

LIVELOCKS = Path(__file__).with_name("livelocks.py")
WAITS = "somebody waits for ever: node"

EDGES = st.integers(1, 7).flatmap(
    lambda states: st.tuples(
        st.just(states),
        st.lists(
            st.tuples(st.integers(0, states - 1), st.integers(0, states - 1), st.integers(0, 3)),
            max_size=14,
        ),
        st.sets(st.integers(0, states - 1)),
    )
)


def arrays(edges):
    pairs = np.array(edges, np.int64).reshape(-1, 3)
    return pairs[:, 0], pairs[:, 1]


@given(EDGES)
def test_steps_to_what_is_wanted_are_the_fewest(drawn):
    states, edges, wanted = drawn
    graph = nx.DiGraph()
    graph.add_nodes_from(range(states))
    graph.add_edges_from((end, begin) for begin, end, _ in edges)
    fewest = nx.multi_source_dijkstra_path_length(graph, wanted) if wanted else {}
    which = np.isin(np.arange(states), sorted(wanted))
    found = steps_to(which, *arrays(edges))
    assert found.tolist() == [fewest.get(state, UNREACHABLE) for state in range(states)]


def fair_circle_exists(states, edges, waits):
    """By the definition: some states, each reachable from each, between which all happens of what
    could happen in each of them. Label 3 is a fault, which nobody waits for."""
    for size in range(1, states + 1):
        for chosen in combinations(sorted(waits), size):
            inner = [(a, b, label) for a, b, label in edges if a in chosen and b in chosen]
            graph = nx.DiGraph([(a, b) for a, b, _ in inner])
            if {*graph} != {*chosen} or not nx.is_strongly_connected(graph):
                continue
            happens = {label for *_, label in inner}
            could = [{label for a, _, label in edges if a == state} for state in chosen]
            if set.intersection(*could) - {3} <= happens:
                return True
    return False


@settings(max_examples=300, deadline=None)
@given(EDGES)
def test_a_circle_is_found_if_and_only_if_there_is_a_fair_one(drawn):
    states, edges, waits = drawn
    edges = sorted({*edges})
    steps = [Step(CRASH if label == 3 else DELIVER, label, label) for *_, label in edges]
    begins, ends = arrays(edges)
    none = np.zeros(states, bool)
    owed = np.isin(np.arange(states), sorted(waits)).astype(np.int64)
    debts = [(), ("somebody waits",)]
    graph = Graph(begins, ends, lambda place: (steps[place], None), none, none, owed, debts, False)
    circle = find_circle(graph)
    assert (circle is not None) == fair_circle_exists(states, edges, waits)
    if circle is not None:
        assert_fair_walk(edges, steps, waits, circle)


def assert_fair_walk(edges, steps, waits, circle):
    """The circle itself, not only its component, comes back to where it begins, and is fair."""
    leads = [(a, b, label) for (a, b, _), label in zip(edges, steps, strict=True)]
    walks = [[circle.begin]]
    for step in circle.steps:
        walks = [
            [*walk, b]  # here a step may lead to several states, other than in a search
            for walk in walks
            for a, b, label in leads
            if a == walk[-1] and label == step and b in waits
        ][:500]
    walks = [walk for walk in walks if walk[-1] == circle.begin]
    assert walks
    happens = {*circle.steps}
    could = [{label for a, _, label in leads if a == state} for state in range(8)]
    always = [set.intersection(*[could[state] for state in walk]) for walk in walks]
    assert any({it for it in each if it.kind == DELIVER} <= happens for each in always)


@pytest.mark.parametrize(
    ("design", "nodes", "jobs", "circle"),
    [
        ("asks_the_same", 2, 2, 2),  # a request and its answer
        ("takes_up_one", 2, 1, 2),  # the token, from node to node
        ("takes_up_one", 3, 1, 3),
    ],
)
def test_who_waits_while_others_are_busy_for_ever_is_found(design, nodes, jobs, circle):
    finding = search(Setting(f"{LIVELOCKS}:{design}", nodes, jobs)).finding
    assert finding.complaint.startswith(WAITS)
    assert finding.repeat == circle
    assert {step.kind for step in finding.path[-circle:]} == {DELIVER}


@pytest.mark.parametrize("faults", [{}, {"duplicates": 1}])
def test_a_token_that_goes_round_for_ever_does_no_harm_by_itself(faults):
    found = search(Setting(f"{LIVELOCKS}:takes_turns", 3, 1, **faults))
    assert (found.whole, found.finding) == (True, None)


def test_a_circle_is_told_and_can_be_taken_again(command):
    words = f"explore {LIVELOCKS}:takes_up_one --nodes 2 --jobs 1"
    status, out, _ = command(f"{words} --out circle.parquet")
    assert status == 1
    told = re.search(r"Found after (\d+) steps: (.*, while steps (\d+) to (\d+) repeat.*)", out)
    assert told.group(1) == told.group(4)
    assert int(told.group(4)) - int(told.group(3)) == 1
    status, again, _ = command(f"explore {LIVELOCKS}:takes_up_one --replay circle.parquet")
    assert (status, told.group(2) in again) == (1, True)
    setting, finding = read_finding(Path("circle.parquet"))
    assert retrace(setting, finding.path, repeat=finding.repeat) == finding
    mended = replace(setting, declared=setting.declared.replace("up_one", "turns"))
    assert retrace(mended, finding.path[:3], repeat=2) is None


def test_the_moment_it_was_doomed_is_told_and_marked(command):
    status, out, _ = command("explore CEN --nodes 2 --duplicates 1 --out late.parquet")
    assert status == 1
    # a release that is repeated looks like the release of a process that has not ended: from the
    # sixteenth step on, though nothing shows before the last
    assert "Found after 18 steps: somebody waits for ever" in out
    assert "Doomed from step 16: no order of events leads to a good end after it." in out
    assert (
        "One step earlier the run could still have ended well, in 1 more step, starting with\n"
        in out
    )
    assert command("view late.parquet --out late.svg")[0] == 0
    assert "doomed from step 16" in Path("late.svg").read_text("utf-8")
    assert command("explore --replay late.parquet --out again.parquet")[0] == 1
    assert read_finding(Path("again.parquet"))[1].doomed == 16


@pytest.mark.parametrize(
    "setting", [Setting("MAN", 2, 1, losses=1), Setting("CEN", 2, 1, crashes=1, duplicates=1)]
)
def test_what_cannot_be_saved_any_more_is_what_no_walk_saves(setting):
    """By brute force: from a state that is doomed no other that is not can be reached."""
    graph = search(setting, all_rules=True).search.graph
    follows = nx.DiGraph(zip(graph.begins.tolist(), graph.ends.tolist(), strict=True))
    done = {*np.flatnonzero(graph.done).tolist()}
    good = {state for state in done if nx.descendants(follows, state) <= done}
    doomed = np.flatnonzero(graph.doomed).tolist()
    assert doomed
    assert doomed == [
        state
        for state in range(graph.states)
        if state not in good
        and not (nx.descendants(follows, state) & good if state in follows else ())
    ]
    chances = graph.chances
    assert set(chances[doomed]) == {1.0}
    assert set(chances[sorted(good)]) == {0.0}
    for state in range(graph.states):  # as the definition says: the mean of where its steps lead
        if state not in good and state not in doomed:
            ends = graph.ends[graph.begins == state]
            assert abs(chances[state] - chances[ends].mean()) < 1e-9
