"""What the head has nodes do, without nodes: what it would tell them, and do to their processes."""

import asyncio
from types import SimpleNamespace

import pytest

from model.live import telling
from model.live.comparison import LiveComparison
from model.live.head import LiveCluster, LiveSettings
from model.live.node_process import in_a_loop
from model.pnr.scenario import make_scenario

JOB = {"processes": 1, "memory_mb": 0.5, "demand_s": 1}


class Recording(LiveCluster):
    """Notes what it would do to node 1."""

    def __init__(self, *parameters):
        self.done = []
        super().__init__(*parameters)

    def _say(self, node, what):
        if node == 1:
            self.done.append(what)

    def start_node(self, node):
        if self._links[node].process is not None:
            return False
        self._links[node].process = object()
        self.done.append("start")
        return True

    def kill_node(self, node, for_ever):
        self._links[node].process, self._links[node].ready = None, False
        self.done.append("kill")

    def stop_node(self, node):
        self.done.append("stop")

    def continue_node(self, node):
        self.done.append("continue")

    def all_begin(self):
        """All have been started, and begin."""
        self._epoch_ns = 0
        for node, link in enumerate(self._links):
            link.process = object()
            self._have_begin(node)

    def all_done(self):
        done, self.done = self.done, []
        return [what for what in done if not isinstance(what, telling.LoseMemory)]


@pytest.fixture
def head():
    def made(**parameters):
        scenario = make_scenario(designs=["MAN"], nodes=3, ram_mb=1, job=[JOB], **parameters)
        comparison = LiveComparison(scenario, LiveSettings())
        design, loaded = comparison.contestants["MAN"], comparison.loaded
        return Recording(comparison.scenario, design, "MAN", comparison.settings, loaded)

    return made


def test_a_node_that_comes_back_while_its_servent_is_down_begins_without_it(head):
    cluster = head()
    cluster.all_begin()
    assert cluster.all_done() == [telling.Begin(0, 0, False)]
    cluster.servents[1].crash(for_ever=False)
    cluster.node_crashes.crash(1, for_ever=False)
    cluster.node_crashes.restart(1)
    assert cluster.all_done() == [telling.CrashServent(False), "kill", "start"]
    cluster._have_begin(1)
    cluster.servents[1].restart()
    told = [what for what in cluster.all_done() if not isinstance(what, telling.NodeGone)]
    assert told == [telling.Begin(0, 1, False), telling.ComeBack(), telling.RestartServent()]


def test_a_servent_that_restarts_on_a_node_that_is_down_starts_no_process(head):
    cluster = head()
    cluster.all_begin()
    cluster.servents[1].crash(for_ever=False)
    cluster.node_crashes.crash(1, for_ever=False)
    cluster.servents[1].restart()
    assert cluster.all_done()[1:] == [telling.CrashServent(False), "kill"]
    cluster.node_crashes.restart(1)
    cluster._have_begin(1)
    assert cluster.all_done()[:2] == ["start", telling.Begin(0, 0, False)]


def test_a_process_goes_on_when_the_last_of_its_pauses_is_over(head):
    servent = head().servents[1]
    servent.pause()
    servent.pause()
    servent.resume()
    assert servent.model.all_done() == ["stop", "stop"]
    servent.resume()
    assert servent.model.all_done() == ["continue"]


def test_a_node_that_joins_later_begins_with_a_servent_that_is_down(head):
    """Else its roles would speak before it is there."""
    cluster = head(node=[{}, {"joins_s": 5}, {}])
    cluster.all_begin()
    assert cluster.all_done() == [telling.Begin(0, 1, False)]
    cluster.membership._join(1)
    assert cluster.all_done() == [telling.ComeBack(), telling.RestartServent()]


def test_a_process_that_dies_on_a_node_that_has_not_joined_is_not_there_when_it_is_back(head):
    cluster = head(node=[{}, {"joins_s": 5}, {}])
    cluster.all_begin()
    cluster.clock.now_ns = 1
    cluster._over = type("Over", (), {"done": lambda _: False})()
    cluster._died_unasked(1, "has died")
    assert cluster.all_done()[1:] == ["kill"]
    cluster._start_again(1)
    cluster._have_begin(1)
    assert cluster.all_done() == ["start", telling.Begin(0, 1, False)]
    assert 1 not in cluster.scheduler.up


def test_what_a_node_says_last_is_read_though_its_process_has_ended(head):
    """The head may see the end of a process before it reads what that has written before."""
    cluster = head()
    process = SimpleNamespace(sentinel=99, exitcode=0, join=lambda: None, kill=lambda: None)
    closed = []
    connection = SimpleNamespace(close=lambda: closed.append(True))

    link = cluster._links[1]

    async def ends():
        cluster._over = asyncio.get_running_loop().create_future()
        cluster._over.set_result(None)
        link.process, link.connection = process, connection
        cluster._has_died(1, process)

    in_a_loop(ends())
    assert (link.process, link.connection, closed) == (None, connection, [])
