"""What the head does to nodes, without nodes: what it would do to their processes."""

import pytest

from model.live.comparison import LiveComparison
from model.live.head import LiveCluster, LiveSettings
from model.live.wire import Begin, NodeState, Report, Switch, encode
from model.pnr.scenario import make_scenario

JOB = {"processes": 1, "memory_mb": 0.5, "demand_s": 1}


class Recording(LiveCluster):
    """Notes what it would do to node 1."""

    def __init__(self, *parameters):
        self.done = []
        super().__init__(*parameters)

    def _send(self, node, packet):
        if node == 1:
            self.done.append(packet)

    def start_node(self, node):
        self.done.append(f"start {node}")

    def kill_node(self, node):
        self.done.append(f"kill {node}")

    def _signal(self, node, number):
        self.done.append(number.name)


@pytest.fixture
def head():
    scenario = make_scenario(designs=["MAN"], nodes=3, ram_mb=1, job=[JOB])
    comparison = LiveComparison(scenario, LiveSettings())
    design, loaded = comparison.contestants["MAN"], comparison.loaded
    return Recording(comparison.scenario, design, "MAN", comparison.settings, loaded)


def test_a_node_that_crashes_twice_starts_again_when_both_crashes_are_over(head):
    for _ in range(2):
        head.node_crashes.crash(1, for_ever=False)
    assert head.done == ["kill 1"]
    head.node_crashes.restart(1)
    assert head.done == ["kill 1"]
    head.node_crashes.restart(1)
    assert head.done == ["kill 1", "start 1"]


def test_a_process_goes_on_when_the_last_of_its_pauses_is_over(head):
    servent = head.servents[1]
    servent.pause()
    servent.pause()
    servent.resume()
    assert head.done == ["SIGSTOP", "SIGSTOP"]
    servent.resume()
    assert head.done == ["SIGSTOP", "SIGSTOP", "SIGCONT"]


def test_what_is_told_to_a_node_that_starts_again_waits_until_it_has_begun(head):
    head.tell(1, Switch(7, True))
    assert head.done == []
    head._have_begin(1, 5)
    assert head.done == [Begin(5), Switch(7, True)]


def test_of_a_dead_process_only_what_it_stored_and_journaled_still_counts(head):
    dead, living = object(), object()
    head._links[1].connection = living
    state = encode(NodeState([9, 0, 0, 0, 0], 0, {}, [], 1))
    head._hears(1, dead, encode(Report([], "{'manager': {'starts': 1}}")))
    head._hears(1, dead, state)
    assert head._links[1].stored == "{'manager': {'starts': 1}}"
    assert head.nodes[1].memory.demand == 0
    head._hears(1, living, state)
    assert head.nodes[1].memory.demand == 9
