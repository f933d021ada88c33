"""What a protocol counts, gauges and shows of itself: in results, journals and at a node."""

import json

import pytest

from agents.pnr.hosting import Crashed, Host, Received, Restarted, Started
from agents.pnr.protocol import Manager, Note, Protocol, Send, SetTimer, Site, message
from model.core.journal.past import Past
from model.ground.errors import ProtocolMistake
from model.ground.memory import Memory
from model.pnr.measures import own_measures
from model.pnr.metrics import measure
from tests.journaled import journaled_roles

S = 10**9
JOBS = [
    {"processes": 2, "memory_mb": 40, "demand_s": 3},
    {"processes": 1, "demand_s": 1, "memory_mb": 8},
]


@message("bidding", hears="manager", size_bytes=64)
class Bid:
    """Manager -> another: this much for job 1."""

    amount: int


class Bidder(Manager):
    """Node 0 is sent bids at 1 s and 3 s, and is rid of both at 4 s."""

    shows = ("bids", "best")

    def __init__(self, site):
        super().__init__(site)
        self.bids = []
        self.best = None

    def start(self, now_ns):
        return [SetTimer("bid", self.node * S)] if self.node in (1, 3, 2) else []

    def timer(self, name, now_ns):
        return [Send(0, Bid(self.node))]

    def receive(self, sender, content, now_ns):
        if not isinstance(content, Bid):
            return super().receive(sender, content, now_ns)
        self.count("bids", job=1)
        self.count("worth", by=content.amount)
        if content.amount != 2:
            self.bids.append(content.amount)
            self.best = max(self.bids)
        self.gauge("queue", len(self.bids))
        return []


def host():
    return Host(Protocol(manager=Bidder), Site(Memory(10), 0, 4), range(4))


def wanted(one, *inputs):
    return [effect for what in inputs for turn in one.happens(what, 5) for effect in turn.effects]


def test_what_a_role_shows_is_noted_when_it_changes():
    one = host()
    assert wanted(one, Started()) == [Note("bids", []), Note("best", None)]
    assert wanted(one, Received(1, Bid(7))) == [Note("bids", [7]), Note("best", 7)]
    assert wanted(one, Received(1, Bid(3))) == [Note("bids", [7, 3])]
    assert wanted(one, Received(1, Bid(2))) == []
    assert wanted(one, Crashed(), Restarted()) == [Note("bids", []), Note("best", None)]


def test_what_is_counted_is_no_part_of_the_state_and_outlives_a_crash():
    one, other = host(), host()
    wanted(one, Started(), Received(1, Bid(2)), Received(1, Bid(2)))
    wanted(other, Started())
    assert one.state() == other.state()
    wanted(one, Crashed(), Restarted())
    assert one.metrics.counts == {"bids": 2, "worth": 4}


def test_a_gauge_that_is_no_number_is_a_mistake():
    one = host()
    with pytest.raises(ProtocolMistake, match="gauges queue as inf; give a number that is finite"):
        one.roles["manager"].gauge("queue", float("inf"))


class Impostor(Bidder):
    def receive(self, sender, content, now_ns):
        self.count("wait_s", job=1)
        return super().receive(sender, content, now_ns)


def test_a_count_of_jobs_takes_no_column_of_their_table():
    with pytest.raises(ProtocolMistake) as told:
        emulate(manager=Impostor)
    assert "counts wait_s of jobs, which jobs.csv has a column for already; call" in str(told.value)


def emulate(plane="actors", manager=Bidder):
    return journaled_roles(JOBS, plane, {"latency_ns": 0, "switch_us": 0}, manager=manager)


def test_counters_and_gauges_stand_in_the_summary_and_the_jobs():
    cluster, _ = emulate()
    result = measure(cluster)
    assert result.summary["counts"] == {"bids": 3, "worth": 6}
    end_s = result.summary["sim_end_s"]
    queue = result.summary["gauges"]["queue"]
    assert queue["max"] == 2
    # one from 1 s on and two from 3 s on, but for some µs on the way
    assert queue["mean"] == pytest.approx((2 * 1 + (end_s - 3) * 2) / end_s, abs=1e-4)
    assert list(result.jobs["bids"]) == [3, 0]
    assert "worth" not in result.jobs
    lines = [(one.heading, one.text(result.summary)) for one in own_measures([result.summary])]
    assert lines[0] == ("bids", "3")
    assert lines[-1] == ("queue, maximum", "2.00")


def test_both_planes_note_and_count_alike():
    (actors, one), (compiled, other) = emulate(), emulate("compiled")
    assert [repr(record) for record in one] == [repr(record) for record in other]
    assert measure(actors).summary["gauges"] == measure(compiled).summary["gauges"]


def test_a_node_has_what_its_roles_have_noted_last():
    _, records = emulate()
    past = Past(4)
    for record in records:
        past.read(record)
    noted = {name: json.loads(value) for (_, name), value in past.nodes[0].noted.items()}
    counts = {"count of bids": 3, "count of worth": 1 + 2 + 3}
    assert noted == {"bids": [1, 3], "best": 3, "queue": 2, **counts}
