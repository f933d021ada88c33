"""Timers of roles: when they fire, on both data planes alike, and how a run with timers ends."""

import pytest

from agents.pnr.messages import RamRequest, ReleaseNotice
from agents.pnr.protocol import (
    CancelTimer,
    Client,
    Manager,
    Note,
    Send,
    Server,
    SetTimer,
    message,
)
from model.ground.errors import ProtocolMistake
from tests.journaled import journaled_roles

S = 10**9
JOBS = [  # the first borrows: 2 · 40 MB on nodes of 32 MB, with two idle ones
    {"processes": 2, "memory_mb": 40, "demand_s": 3},
    {"processes": 1, "memory_mb": 8, "demand_s": 2, "submit_s": 1},
]


@message("telling", hears="manager", size_bytes=64)
class Hint:
    """Manager -> another: the load of my node."""

    load: int


def emulate(plane="actors", jobs=JOBS, **roles):
    return journaled_roles(jobs, plane, **roles)


def fired(records):
    return [
        (record.time_ns, record.node, record.what) for record in records if record.kind == "timer"
    ]


class Setting(Manager):
    def start(self, now_ns):
        return [
            SetTimer("moved", 1 * S),
            SetTimer("moved", 2 * S),
            SetTimer("forgotten", 1 * S),
            CancelTimer("forgotten"),
            CancelTimer("never set"),
        ]

    def timer(self, name, now_ns):
        return []


def test_a_timer_fires_once_when_it_was_last_set_to_unless_it_is_cancelled():
    _, records = emulate(manager=Setting)
    assert fired(records) == [(2 * S, node, "moved") for node in range(4)]


class Both(Setting):
    name = "manager"

    def start(self, now_ns):
        return [SetTimer("second", 1 * S), SetTimer("first", 1 * S)]


class BothClient(Client):
    def start(self, now_ns):
        return [SetTimer("client's", 1 * S)]

    def timer(self, name, now_ns):
        return []


def test_at_one_instant_timers_fire_by_node_then_role_then_the_order_of_setting():
    _, records = emulate(manager=Both, client=BothClient)
    names = ["client's", "second", "first"]
    assert fired(records) == [(1 * S, node, name) for node in range(4) for name in names]


class Late(Manager):
    """Waits a second before it takes up a request, and says what it waits for."""

    def receive(self, sender, content, now_ns):
        if isinstance(content, RamRequest):
            self.waiting = (sender, content)
            return [SetTimer("late", S), Note("waits for", content.rank)]
        return super().receive(sender, content, now_ns)

    def timer(self, name, now_ns):
        return super().receive(*self.waiting, now_ns)


def test_a_firing_is_caused_by_what_set_it_and_causes_what_follows():
    _, records = emulate(manager=Late, jobs=JOBS[1:])
    [asked] = [r for r in records if r.kind == "delivered" and r.what == "RamRequest"]
    [note] = [record for record in records if record.kind == "note"]
    [timer] = [record for record in records if record.kind == "timer"]
    [grant] = [r for r in records if r.kind == "sent" and r.what == "RamGrant"]
    assert (note.what, note.payload, note.cause, note.hears) == (
        "waits for",
        "0",
        asked.id,
        "manager",
    )
    assert (timer.time_ns, timer.cause, timer.hears) == (asked.time_ns + S, asked.id, "manager")
    assert (grant.time_ns, grant.cause) == (timer.time_ns, timer.id)


class Hinting(Manager):
    """Tells its neighbour its load, again and again; nodes begin one after another."""

    def start(self, now_ns):
        return [SetTimer("hint", S * (self.node + 1) // self.nodes)]

    def timer(self, name, now_ns):
        hint = Hint(self.memory.load)
        return [Send((self.node + 1) % self.nodes, hint), SetTimer("hint", S)]

    def receive(self, sender, content, now_ns):
        return [] if isinstance(content, Hint) else super().receive(sender, content, now_ns)


def test_after_the_last_job_timers_end_as_soon_as_no_memory_is_lent():
    cluster, records = emulate(manager=Hinting)
    [*_, ended] = [record.time_ns for record in records if record.kind == "ended"]
    [*_, returned] = [record.time_ns for record in records if record.kind == "returned"]
    assert returned > ended  # it travels after the job's end
    assert all(time_ns <= returned for time_ns, _, _ in fired(records))
    assert cluster.clock.now_ns < returned + S


class Forgetful(Hinting):
    """Never tells servers that their memory is theirs again."""

    def receive(self, sender, content, now_ns):
        return (
            [] if isinstance(content, ReleaseNotice) else super().receive(sender, content, now_ns)
        )


def test_memory_that_never_comes_back_keeps_timers_going_for_no_longer_than_they_may():
    cluster, records = emulate(manager=Forgetful, parameters={"drain_s": 30})
    [*_, ended] = [record.time_ns for record in records if record.kind == "ended"]
    [*_, last] = [time_ns for time_ns, _, _ in fired(records)]
    assert sum(node.memory.lent for node in cluster.nodes) > 0
    assert ended + 29 * S < last <= ended + 30 * S


def test_a_crash_that_brings_the_last_memory_back_ends_the_run():
    crash = {"kind": "node", "nodes": [2], "from_s": 100, "restart_s": 50}
    cluster, _ = emulate(manager=Forgetful, parameters={"fault": [crash]})
    assert cluster.clock.now_ns == 100 * S
    assert not any(node.memory.lent for node in cluster.nodes)


class Deaf(Hinting):
    def receive(self, sender, content, now_ns):
        return []


def test_a_run_in_which_nothing_but_timers_happens_for_so_long_has_stalled():
    told = (
        r"OWN, 6\d\.\d+ s: the manager of node \d has not answered what the client of node 0 asked"
    )
    with pytest.raises(ProtocolMistake, match=told + " for rank 0 of job 1 at 0.000000 s"):
        emulate(manager=Deaf, parameters={"stall_s": 60})


class Chatting(Manager):
    def receive(self, sender, content, now_ns):
        return [Send(sender, Hint(0))]


def test_roles_that_only_talk_to_each_other_are_told_so():
    # 5,000 messages, and 100 for each of four nodes
    told = r"OWN, 0.\d+ s: the manager of node \d hears Hint without end: 5,400 messages"
    with pytest.raises(ProtocolMistake, match=told):
        emulate(manager=Chatting)


@pytest.mark.parametrize("plane", ["actors", "compiled"])
def test_clients_and_servers_hear_of_each_change_of_their_nodes_demand_once(plane):
    heard = []

    class Listening:
        def memory_changed(self, now_ns):
            heard.append((self.node, self.name, self.memory.demand // 2**20))
            return []

    class ListeningClient(Listening, Client):
        def process_placed(self, *arguments):
            heard.append((self.node, "placed", self.memory.demand // 2**20))
            return super().process_placed(*arguments)

    class ListeningServer(Listening, Server):
        pass

    emulate(plane, client=ListeningClient, server=ListeningServer, jobs=JOBS[:1])
    assert heard[:3] == [(0, "server", 40), (0, "placed", 40), (0, "client", 40)]
    lender = [(name, mb) for node, name, mb in heard if node == 2]
    assert lender == [("server", 16), ("client", 16), ("server", 0), ("client", 0)]


@pytest.mark.parametrize("plane", ["actors", "compiled"])
def test_clients_and_servers_hear_of_a_change_of_demand_by_a_timer(plane):
    heard = []

    class LendingForASecond(Server):
        def start(self, now_ns):
            return [SetTimer("lend", S)] if self.node == 3 else []

        def timer(self, name, now_ns):
            if name == "lend":
                self.memory.lend(2**20, "somebody")
                return [SetTimer("take back", S)]
            self.memory.take_back(2**20, "somebody")
            return []

        def memory_changed(self, now_ns):
            heard.append((self.node, now_ns, self.memory.lent))
            return []

    emulate(plane, server=LendingForASecond, jobs=JOBS[1:])
    assert [change for change in heard if change[0] == 3] == [(3, S, 2**20), (3, 2 * S, 0)]
