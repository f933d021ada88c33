"""What roles store survives crashes of servents and of nodes, on both planes and when exploring."""

import pytest

from agents.pnr.hosting import Crashed, Host, NodeLost, Received, Restarted, Started
from agents.pnr.protocol import Manager, Note, Protocol, Send, Site, message
from model.ground.memory import Memory
from model.pnr.explore.search import search
from model.pnr.explore.setting import Setting
from model.pnr.metrics import measure
from tests.journaled import journaled_roles

JOBS = [{"processes": 2, "memory_mb": 40, "demand_s": 3}]


@message("voting", hears="manager", size_bytes=64)
class Ask:
    """Manager -> another: vote for me in this term."""

    term: int


class Voter(Manager):
    """Votes once in each term, also if it crashes in between."""

    def start(self, now_ns):
        self.votes = self.stored.get("votes", {})
        self.store(starts=self.stored.get("starts", 0) + 1)
        return [Note("starts", self.stored["starts"])]

    def receive(self, sender, content, now_ns):
        if not isinstance(content, Ask):
            return super().receive(sender, content, now_ns)
        if content.term in self.votes:
            return []
        self.votes[content.term] = sender
        self.store(votes=self.votes)
        return [Send(sender, Ask(content.term))]


def host(**more):
    return Host(Protocol(manager=Voter), Site(Memory(10), 0, 3, **more), (0, 1, 2))


def effects(one, *inputs):
    return [wants for what in inputs for turn in one.happens(what, 5) for wants in turn.effects]


@pytest.mark.parametrize("crash", [Crashed(), NodeLost()])
def test_a_vote_is_given_once_whatever_crashes(crash):
    one = host()
    assert effects(one, Started(), Received(1, Ask(4))) == [Note("starts", 1), Send(1, Ask(4))]
    again = effects(one, crash, Restarted(), Received(2, Ask(4)), Received(2, Ask(5)))
    assert again == [Note("starts", 2), Send(2, Ask(5))]
    assert one.metrics.stored == 4  # two starts, two votes


def test_only_what_was_stored_survives():
    one = host()
    effects(one, Started())
    manager = one.roles["manager"]
    manager.votes[9] = 1  # remembered, not stored
    stored = manager.stored
    stored["starts"] = 99  # a copy
    effects(one, Crashed(), Restarted())
    assert one.roles["manager"].stored == {"starts": 2}
    assert one.roles["manager"].votes == {}


def test_a_copy_of_a_host_stores_apart():
    one = host()
    effects(one, Started(), Received(1, Ask(4)))
    other = one.copy()
    assert other.roles["manager"].stored == {"starts": 1, "votes": {4: 1}}
    assert other.state() == one.state()
    effects(other, Received(1, Ask(5)))
    assert one.roles["manager"].stored["votes"] == {4: 1}


def emulate(plane):
    fault = [{"kind": "servent", "nodes": [1], "from_s": 1, "restart_s": 0.5}]
    fault += [{"kind": "node", "nodes": [3], "from_s": 1, "restart_s": 0.5}]
    return journaled_roles(JOBS, plane, {"fault": fault}, manager=Voter)


def test_both_planes_agree_on_what_survives():
    (actors, one), (compiled, other) = emulate("actors"), emulate("compiled")
    assert [repr(record) for record in one] == [repr(record) for record in other]
    notes = [(record.node, record.payload) for record in one if record.kind == "note"]
    assert sorted(notes) == [(0, "1"), (1, "1"), (1, "2"), (2, "1"), (3, "1"), (3, "2")]
    for cluster in (actors, compiled):
        assert measure(cluster).summary["stored"] == 6


def test_a_run_in_which_nothing_is_stored_has_no_such_measure():
    cluster, _ = journaled_roles(JOBS)
    assert "stored" not in measure(cluster).summary


DOUBTFUL = """
from agents.pnr.protocol import Client, Protocol
from topologies.managers.dp import dp


class Counting(Client):
    def start(self, now_ns):
        KEEP
        return []


def counting(nodes):
    graph = dp(nodes)
    graph.graph |= {"name": "COUNTING", "protocol": Protocol(client=Counting)}
    return graph


def nobody_has_started_twice(before, step, after):
    for node in after.nodes:
        if not node.is_down and getattr(node.roles["client"], "starts", 0) > 1:
            return f"node {node.node} has started twice"
"""
STORES = 'self.starts = self.stored.get("starts", 0) + 1; self.store(starts=self.starts)'


@pytest.mark.parametrize(
    ("keep", "found"), [(STORES, "node 0 has started twice"), ("self.starts = 1", None)]
)
def test_exploring_keeps_what_is_stored_over_a_crash(tmp_path, keep, found):
    file = tmp_path / "doubtful.py"
    file.write_text(DOUBTFUL.replace("KEEP", keep))
    setting = Setting(f"{file}:counting", nodes=2, jobs=1, crashes=1)
    finding = search(setting).finding
    assert (finding and finding.complaint.rpartition(": ")[2]) == found
