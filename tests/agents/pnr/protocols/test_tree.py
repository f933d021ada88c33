"""TREEk: which words travel to whom, and that in the end everybody knows what MAN's would."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.pnr.messages import (
    LoadBroadcast,
    LoadReport,
    RamRequest,
    Request,
    ServerReply,
    ServerRequest,
)
from agents.pnr.protocol import Send, Site
from agents.pnr.protocols.tree import Branch, tree
from model.ground.errors import InputError
from model.pnr.scenario import make_scenario
from model.systems import run
from tests.agents.pnr.effects import deeds
from tests.agents.pnr.memory import MB, RAM, memory_of, words


def branch(node, nodes=8, children=2):
    return Branch(Site(memory_of(), node, nodes, tells=neighbours(nodes, children)[node]))


def neighbours(nodes, children):
    graph = tree(nodes, children)
    return [tuple(sorted(graph.successors(node))) for node in range(nodes)]


def broadcast(target, *told, job=1):
    return Send(target, LoadBroadcast(job, words(*told)))


def hears(manager, sender, *told, job=1, now=100):
    return deeds(manager.receive(sender, LoadBroadcast(job, words(*told)), now))


# The tree


def test_neighbours_are_the_parent_and_the_children():
    # (i - 1) // 2, and 2i + 1 and 2i + 2 where there are such nodes
    assert neighbours(8, 2) == [(1, 2), (0, 3, 4), (0, 5, 6), (1, 7), (1,), (2,), (2,), (3,)]


def test_one_child_each_is_a_chain_and_many_are_a_star():
    assert neighbours(4, 1) == [(1,), (0, 2), (1, 3), (2,)]
    assert neighbours(4, 9) == [(1, 2, 3), (0,), (0,), (0,)]
    assert neighbours(1, 2) == [()]


def test_a_tree_without_children_is_refused():
    job = [{"processes": 1, "memory_mb": 1, "demand_s": 1}]
    with pytest.raises(
        InputError, match=r"^TREE0: a tree in which each node has 0 children: take "
    ):
        run(make_scenario(nodes=4, job=job), "TREE0")


# What travels


def test_what_is_new_travels_on_but_not_back():
    manager = branch(1)  # its neighbours are 0, 3 and 4
    assert hears(manager, 3, (5, 20, 10), (6, 7, 9)) == [
        broadcast(0, (5, 20, 10), (6, 7, 9)),
        broadcast(4, (5, 20, 10), (6, 7, 9)),
    ]
    assert manager.believed(5) == 20 * MB


def test_of_what_comes_only_words_newer_than_the_tables_travel_on():
    manager = branch(1)
    hears(manager, 0, (5, 20, 10), (6, 7, 10), (7, 3, 10))
    # Node 5's is older, node 6's as old, node 7's newer.
    told = (5, 1, 9), (6, 1, 10), (7, 1, 11)
    assert hears(manager, 3, *told, job=2) == [
        broadcast(0, (7, 1, 11), job=2),
        broadcast(4, (7, 1, 11), job=2),
    ]
    assert [manager.believed(node) // MB for node in (5, 6, 7)] == [20, 7, 1]


def test_what_is_said_of_its_own_node_travels_on_once_though_it_knows_better_itself():
    manager = branch(1)
    manager.memory.allocate(9, 5 * MB)
    assert hears(manager, 0, (1, 20, 10)) == [broadcast(3, (1, 20, 10)), broadcast(4, (1, 20, 10))]
    assert hears(manager, 4, (1, 20, 10)) == []
    assert hears(manager, 4, (1, 3, 9)) == []
    assert (manager.believed(1), manager.table) == (27 * MB, {})


def test_after_a_grant_the_neighbours_are_told_all_that_it_knows():
    manager = branch(1)
    manager.memory.allocate(9, 31 * MB)
    hears(manager, 0, (5, 20, 10))
    lacks = RamRequest(1, 0, 1, 6 * MB, LoadReport(-6 * MB, 20), Request(6, "client", 0, 1))
    [ask] = deeds(manager.receive(6, lacks, 30))
    assert isinstance(ask.content, ServerRequest)
    reply = ServerReply(1, 6 * MB, LoadReport(9 * MB, 40), ask.content.request)
    _, *sends = manager.receive(ask.target, reply, 70)
    known = sorted([(1, 1, 70), (5, 20, 10), (6, -6, 20), (ask.target, 9, 40)])
    assert sends == [broadcast(node, *known) for node in (0, 3, 4)]
    # What is said of it from now on is news only if it is newer than this.
    assert hears(manager, 3, (1, 2, 70)) == []
    assert hears(manager, 3, (1, 2, 71)) == [broadcast(0, (1, 2, 71)), broadcast(4, (1, 2, 71))]


@given(nodes=st.integers(1, 20), children=st.integers(1, 4), data=st.data())
def test_news_reach_everybody_with_one_message_over_each_edge(nodes, children, data):
    managers = [branch(node, nodes, children) for node in range(nodes)]
    teller = data.draw(st.integers(0, nodes - 1))
    subject = data.draw(st.integers(0, nodes - 1))
    managers[teller].hear((subject, LoadReport(5 * MB, 50)))
    under_way = [(teller, send) for send in managers[teller].tell(1, 60)]
    delivered = 0
    while under_way:
        sender, send = under_way.pop(0)
        sends = managers[send.target].receive(sender, send.content, 70)
        under_way += [(send.target, passed_on) for passed_on in sends]
        delivered += 1
    assert delivered == nodes - 1
    for manager in managers:
        if subject not in (teller, manager.node):
            assert manager.believed(subject) == 5 * MB
        if teller != manager.node:
            assert manager.table[teller] == LoadReport(RAM, 60)
