"""MASTER(strategy): which segments are allocated in, who leads, and what is asked again."""

import pytest

from agents.pnr.hosting import ProcessResized
from agents.pnr.messages import (
    LoadReport,
    Loan,
    Placed,
    RamGrant,
    RamRequest,
    Request,
    ServerRelease,
    ServerReply,
    ServerRequest,
)
from agents.pnr.protocols.master import (
    BEAT,
    COLLECTED,
    SILENCE,
    Borrower,
    Heartbeat,
    Master,
    Segment,
    SegmentQuery,
    SegmentServer,
    master,
)
from agents.pnr.role import CancelTimer, Decided, Send, SetTimer, Site, StartProcess
from agents.pnr.testing import Bench
from model.core.topology import load_topology
from model.pnr.explore.search import search
from model.pnr.explore.setting import Setting
from model.pnr.scenario import make_scenario
from model.systems import run
from tests.agents.pnr.effects import deeds
from tests.agents.pnr.memory import MB, RAM, memory_of
from tests.journaled import journaled
from tests.model.pnr.compiled.test_equality import SCARCE, SMALL

S = 10**9
NODES = 4
ASKED = Request(3, "client", 0, 1)  # what a client on node 3 asks the master
LENT = Request(0, "manager", 0, 1)  # what the master then asks a server


def site(node, used_mb=0, nodes=NODES, **given):
    numbers = {"strategy": "p2c", "drawn": 6, "alike": 0.01, "local_first": 0, "heartbeat_s": 5}
    numbers |= {"patience": 3, "reply_s": 1, "again_s": 1}
    numbers |= {"lease_s": 600, "renew_at": 0.5, "push_share": 0.01}
    parameters = numbers | given.pop("parameters", {})
    return Site(memory_of(used_mb), node, nodes, parameters=parameters, **given)


def leader(segments, **parameters):
    """A master that leads and is ready; segments are (free, RAM) in MB by server."""
    role = Master(site(0, 32, max(NODES, *segments) + 1, parameters=parameters))
    for server, (free_mb, ram_mb) in segments.items():
        role.receive(server, Segment(ram_mb * MB, LoadReport(free_mb * MB, 1), 0), 1)
    role.timer(COLLECTED, 2)
    return role


def asks(need_mb, job=1, request=ASKED):
    return RamRequest(job, 0, 1, need_mb * MB, LoadReport(-need_mb * MB, 2), request)


def served(role, need_mb=8, job=1):
    """Which server the master asks for a client on node 3; None if it asks nobody."""
    request = Request(3, "client", 0, job)
    effects = deeds(role.receive(3, asks(need_mb, job, request), 3))
    sent = [effect.target for effect in effects if isinstance(effect, Send)]
    return sent[0] if isinstance(effects[0].content, ServerRequest) else None


# Strategies


def test_the_master_asks_a_server_and_grants_what_it_lends():
    role = leader({2: (20, 32)})
    assert deeds(role.receive(3, asks(8), 3)) == [
        Send(2, ServerRequest(1, 8 * MB, LENT)),
        SetTimer("no answer to request 1", S),
    ]
    assert deeds(role.receive(2, ServerReply(1, 8 * MB, LoadReport(12 * MB, 4), LENT), 5)) == [
        CancelTimer("no answer to request 1"),
        Send(3, RamGrant(1, 0, (Loan(2, 8 * MB, LoadReport(12 * MB, 4)),), ASKED, (LENT,), 8 * MB)),
    ]


def test_what_one_segment_has_not_is_sought_in_another_and_granted_in_part():
    role = leader({1: (9, 32), 2: (5, 32)})
    assert served(role, need_mb=20) == 1
    later = LENT._replace(count=2)
    assert deeds(role.receive(1, ServerReply(1, 9 * MB, LoadReport(0, 4), LENT), 5))[1:] == [
        Send(2, ServerRequest(1, 11 * MB, later)),
        SetTimer("no answer to request 2", S),
    ]
    [_, grant] = deeds(role.receive(2, ServerReply(1, 5 * MB, LoadReport(0, 6), later), 7))
    assert [loan[:2] for loan in grant.content.loans] == [(1, 9 * MB), (2, 5 * MB)]


def test_what_a_server_was_asked_for_is_gone_until_it_answers():
    def ask(server, need_mb, job):
        request = LENT._replace(count=job)
        timer = SetTimer(f"no answer to request {job}", S)
        return [Send(server, ServerRequest(job, need_mb * MB, request)), timer]

    role = leader({1: (30, 32), 2: (20, 32)})  # 94 % and 62 %
    assert deeds(role.receive(3, asks(24, 1), 3)) == ask(1, 24, 1)
    second = asks(8, 2, ASKED._replace(count=2))
    assert deeds(role.receive(3, second, 3)) == ask(2, 8, 2)  # 19 % and 62 %
    third = asks(8, 3, ASKED._replace(count=3))
    assert deeds(role.receive(3, third, 3)) == ask(2, 8, 3)  # 19 % and 38 %
    role.receive(1, ServerReply(1, 24 * MB, LoadReport(6 * MB, 4), LENT), 5)
    fourth = asks(5, 4, ASKED._replace(count=4))
    assert deeds(role.receive(3, fourth, 6)) == ask(1, 5, 4)  # 19 % and 12 %: once, not twice
    # By what is believed alone it would be asked again, less what was asked for then.
    [why, *_] = role.receive(3, asks(2, 5, ASKED._replace(count=5)), 7)
    assert why.believed == (
        (1, LoadReport(6 * MB, 4)),
        (2, LoadReport(20 * MB, 1)),
    )  # 1 MB and 4 MB
    assert (why.chosen, why.again(dict(why.believed))) == (2, 2)
    role.timer("no answer to request 2", S)
    assert [*role.awaited.values()] == [(2, 8 * MB), (1, 5 * MB), (2, 2 * MB), (1, 8 * MB)]


def test_where_no_segment_has_room_nobody_is_asked():
    role = leader({1: (0, 32), 2: (-5, 32)})
    assert served(role) is None


@pytest.mark.parametrize(
    ("segments", "chosen"),
    [
        ({1: (15, 32), 2: (20, 64)}, 1),  # 47 % to 31 %
        ({1: (15, 32), 2: (30, 64)}, 2),  # 47 % both: the bytes decide
        ({1: (100, 200), 2: (204, 400)}, 2),  # 50 % and 51 % are alike
        ({1: (103, 200), 2: (200, 400)}, 1),  # 51.5 % and 50 % are not
        ({1: (16, 32), 2: (16, 32)}, 1),
    ],
)
def test_p2c_takes_the_larger_share_and_of_shares_alike_the_one_with_more_bytes(segments, chosen):
    assert served(leader(segments)) == chosen


def test_p2c_draws_two_so_the_fullest_of_all_is_never_taken():
    free = {1: (10, 32), 2: (20, 32), 4: (30, 32)}
    chosen = [served(leader(free), job=job) for job in range(1, 300)]
    shares = [chosen.count(node) / len(chosen) for node in (1, 2, 4)]
    assert shares[0] == 0
    assert shares[1] == pytest.approx(1 / 3, abs=0.08)  # of three pairs, only (1, 2)


def test_random_takes_each_segment_with_room_as_often():
    free = {1: (10, 32), 2: (20, 32), 4: (30, 32), 5: (0, 32)}
    chosen = [served(leader(free, strategy="random"), job=job) for job in range(1, 600)]
    for node in (1, 2, 4):
        assert chosen.count(node) / len(chosen) == pytest.approx(1 / 3, abs=0.07)
    assert 5 not in chosen


def test_free_ratio_first_takes_the_largest_share_of_six():
    free = {node: (node, 32) for node in range(1, 7) if node != 3} | {7: (12, 64)}
    assert served(leader(free, strategy="free-ratio-first")) in (6, 7)  # both 3 / 16: the lowest
    assert served(leader(free, strategy="free-ratio-first")) == 6
    many = {node: (node, 32) for node in range(4, 20)}
    chosen = {served(leader(many, strategy="free-ratio-first"), job=job) for job in range(1, 100)}
    assert min(chosen) >= 9  # five others at least are drawn that have less
    assert len(chosen) > 5


def test_with_local_first_servers_of_the_askers_group_come_first():
    free = {1: (30, 32), 2: (5, 32), 4: (30, 32)}
    role = leader(free, local_first=2)
    assert served(role, need_mb=8) == 2  # of nodes 2 and 3
    [_, ask, _] = deeds(role.receive(2, ServerReply(1, 5 * MB, LoadReport(0, 4), LENT), 5))
    assert ask.target in (1, 4)


def test_why_a_server_was_chosen_can_be_asked_again():
    role = leader({1: (15, 32), 2: (20, 64)})
    [why] = [effect for effect in role.receive(3, asks(8), 3) if isinstance(effect, Decided)]
    assert (why.chosen, why.again(dict(why.believed))) == (1, 1)
    assert why.believed == ((1, LoadReport(15 * MB, 1)), (2, LoadReport(20 * MB, 1)))
    assert why.again({1: None, 2: LoadReport(20 * MB, 1)}) == 2
    assert why.changed_by({7: {1: None}, 8: {2: None}}) == [7]


# What is not answered


def test_a_server_that_does_not_answer_has_no_segment_until_it_states_it_again():
    role = leader({1: (9, 32), 2: (5, 32)})
    assert served(role) == 1
    [ask, _] = deeds(role.timer("no answer to request 1", S))
    assert (ask.target, role.segments) == (2, {2: 32 * MB})
    # Too late: its loan ends with its lease.
    assert role.receive(1, ServerReply(1, 8 * MB, LoadReport(0, 4), LENT), 2 * S) == []
    assert role.metrics.ignored == 1
    queries = [effect.target for effect in role.timer(BEAT, 5 * S)[1:-1]]
    assert queries == [0, 1, 3, 4]  # whose segments it does not know
    role.receive(1, Segment(RAM, LoadReport(4, 5), 0), 5 * S)
    assert sorted(role.segments) == [1, 2]


def test_requests_wait_until_all_segments_are_known_or_for_a_while():
    role = Master(site(0, 32))
    assert role.receive(3, asks(8), 1) == []
    for node in (0, 1, 2):
        free = 0 if node == 0 else 9 * MB
        assert role.receive(node, Segment(RAM, LoadReport(free, 1), 0), 1) == []
    [collected, ask, _] = deeds(role.receive(3, Segment(RAM, LoadReport(-8 * MB, 1), 0), 2))
    assert (collected, type(ask.content)) == (CancelTimer(COLLECTED), ServerRequest)

    role = Master(site(0, 32))
    role.receive(3, asks(8), 1)
    [_, grant] = deeds(role.timer(COLLECTED, S))
    assert grant == Send(3, RamGrant(1, 0, (), ASKED, (), 8 * MB))


def test_a_client_asks_both_again_and_then_the_one_that_has_answered():
    client = Borrower(site(3, 40))
    effects = client.process_placed(Placed(1, 0, 2, 0), 2)
    ask = asks(8)
    name = "no answer to request 1"
    assert effects == [Send(0, ask), SetTimer(name, S)]
    again = client.timer(name, 2)
    assert again == [Send(0, ask), Send(1, ask), SetTimer(name, S)]
    loans = (Loan(2, 8 * MB, LoadReport(0, 3)),)
    granted = client.receive(1, RamGrant(1, 0, loans, ASKED, (LENT,), 8 * MB), 4)
    assert granted[:2] == [CancelTimer(name), StartProcess(1)]
    client.memory.allocate(2, MB)
    [ask, _] = client.process_placed(Placed(2, 0, 2, 0), 5)
    assert ask.target == 1


def test_a_client_returns_what_is_granted_again_and_keeps_a_grant_that_comes_twice():
    client = Borrower(site(3, 40))
    client.process_placed(Placed(1, 0, 1, 0), 2)
    first = RamGrant(1, 0, (Loan(2, 8 * MB, LoadReport(0, 3)),), ASKED, (LENT,), 8 * MB)
    client.receive(0, first, 4)
    assert client.receive(0, first, 5) == []
    other = Request(1, "manager", 0, 1)
    second = RamGrant(1, 0, (Loan(1, 8 * MB, LoadReport(0, 3)),), ASKED, (other,), 8 * MB)
    assert client.receive(1, second, 6) == [
        Send(1, ServerRelease(1, 8 * MB, ((other, 8 * MB),))),
    ]
    assert client.memory.loans == {2: 8 * MB}


def test_who_lacks_nothing_starts_at_once():
    assert Borrower(site(3, 32)).process_placed(Placed(1, 0, 1, 0), 2) == [StartProcess(1)]


def test_a_client_releases_to_servers_which_take_back_in_silence():
    client = Borrower(site(3, 40))
    client.process_placed(Placed(1, 0, 1, 0), 2)
    loans = (Loan(2, 8 * MB, LoadReport(0, 3)),)
    client.receive(0, RamGrant(1, 0, loans, ASKED, (LENT,), 8 * MB), 4)
    client.memory.free(1)
    [release, over] = client.process_ended(Placed(1, 0, 1, 0), 5)
    first = Request(3, "client", 0, 1)  # of its releases
    assert release == Send(2, ServerRelease(1, 8 * MB, ((LENT, 8 * MB),), first))
    assert over == CancelTimer("lease of server 2 for manager 0.0, request 1")

    lender = SegmentServer(site(2))
    lender.receive(0, ServerRequest(1, 8 * MB, LENT), 3)
    assert lender.memory_changed(3) == []  # the reply has stated the load
    assert lender.receive(3, release.content, 6) == [
        CancelTimer("lease for manager 0.0, request 1")
    ]
    assert lender.memory_changed(6) == [Send(0, Segment(RAM, LoadReport(RAM, 6), 0))]


# Who leads


def test_at_first_node_0_leads_and_node_1_stands_by():
    assert Master(site(0)).start(0) == [
        CancelTimer(SILENCE),
        SetTimer(BEAT, 5 * S),
        SetTimer(COLLECTED, S),
    ]
    standby = Master(site(1))
    begins = [CancelTimer(BEAT), CancelTimer(COLLECTED), SetTimer(SILENCE, 15 * S)]
    assert standby.start(0) == begins
    assert standby.receive(0, Heartbeat(0), 5 * S) == begins  # it waits anew
    assert standby.receive(3, asks(8), 6 * S) == []
    assert standby.metrics.ignored == 0


def test_the_standby_takes_over_and_asks_all_servers_for_their_segments():
    standby = Master(site(1))
    effects = standby.timer(SILENCE, 15 * S)
    assert effects == [
        Send(0, Heartbeat(1)),
        *(Send(node, SegmentQuery(1)) for node in range(NODES)),
        CancelTimer(SILENCE),
        SetTimer(BEAT, 5 * S),
        SetTimer(COLLECTED, S),
    ]
    assert standby.leads


def test_who_hears_of_a_newer_term_stands_by_in_it():
    role = leader({2: (20, 32)})
    effects = role.receive(1, Heartbeat(1), 3)
    assert effects == [CancelTimer(BEAT), CancelTimer(COLLECTED), SetTimer(SILENCE, 15 * S)]
    assert (role.leads, role.segments) == (False, {})
    assert role.receive(3, asks(8), 4) == []
    assert role.timer(SILENCE, 20 * S)[0] == Send(1, Heartbeat(2))


@pytest.mark.parametrize("node", [0, 1])
def test_after_a_crash_it_leads_in_no_term_until_servers_name_the_newest(node):
    again = Master(site(node, incarnation=1))
    unknown = -1 - node
    assert again.start(9)[:NODES] == [Send(n, SegmentQuery(unknown)) for n in range(NODES)]
    assert not again.leads
    assert again.receive(2, Segment(RAM, LoadReport(5, 9), 4 + node), 9) == [
        CancelTimer(SILENCE),
        SetTimer(BEAT, 5 * S),
        SetTimer(COLLECTED, S),
    ]  # its own: nobody else has led in it
    assert again.leads
    assert again.receive(2, Segment(RAM, LoadReport(5, 9), 5 + node), 9)[-1] == SetTimer(
        SILENCE, 15 * S
    )


def test_a_server_states_its_segment_at_its_start_and_to_the_leader_of_the_newest_term():
    lender = SegmentServer(site(2, 8))
    assert lender.start(0) == [Send(0, Segment(RAM, LoadReport(24 * MB, 0), 0))]
    assert lender.receive(1, SegmentQuery(1), 7) == [
        Send(1, Segment(RAM, LoadReport(24 * MB, 7), 1))
    ]
    lender.memory.allocate(2, MB)
    assert lender.memory_changed(8) == [Send(1, Segment(RAM, LoadReport(23 * MB, 8), 1))]
    # Node 0 has crashed, and does not know the term.
    assert lender.receive(0, SegmentQuery(-1), 9) == [
        Send(0, Segment(RAM, LoadReport(23 * MB, 9), 1))
    ]
    # Who stands by names the term to a server that does not know it; its segment is the leader's.
    assert lender.receive(1, SegmentQuery(2), 9) == [
        Send(0, Segment(RAM, LoadReport(23 * MB, 9), 2))
    ]


def test_a_server_that_starts_late_or_again_tells_both_and_hears_who_leads():
    late, again = SegmentServer(site(2)), SegmentServer(site(2, incarnation=1))
    for lender in (late, again):
        said = lender.start(5)
        assert [send.target for send in said] == [0, 1]
    role = Master(site(1))
    role.timer(SILENCE, 1)
    assert role.receive(2, said[1].content, 6) == [Send(2, SegmentQuery(1))]


# The whole


def test_its_parameters_are_told_in_its_name_and_a_standby_needs_a_node():
    scenario = make_scenario(job=SCARCE, **SMALL)
    assert run(scenario, "MASTER(strategy=random)").design.name == "MASTER(strategy=random)"
    with pytest.raises(ValueError, match="take more nodes"):
        master(1)


def test_the_processes_of_a_job_draw_segments_each_for_itself():
    role = leader(dict.fromkeys(range(1, 20), (32, 32)), strategy="random")
    asked = []
    for rank in range(8):
        request = RamRequest(7, rank, 1, MB, LoadReport(0, 0), Request(3, "client", 0, rank + 1), 1)
        asked += role.receive(3, request, S)
    # Of 19 segments, eight draws find 6.7 different ones on average.
    assert len({effect.target for effect in asked if isinstance(effect, Send)}) > 4


def refused():
    """How many requests servers have refused, and how many they have answered, on unequal nodes."""
    groups = [{"count": 8, "ram_mb": 16}, {"count": 2, "ram_mb": 40, "seats": False}]
    job = {"processes": 4, "memory_mb": 26, "demand_s": 20}
    jobs = [{**job, "submit_s": 10 * number} for number in range(20)]
    scenario = make_scenario(node=groups, job=jobs, page_bytes=2**20, barrier_s=100)
    _, records = journaled(scenario, "MASTER", journal_level="protocol")
    replies = [it for it in records if it.kind == "sent" and it.what == "ServerReply"]
    return sum(it.amount_bytes == 0 for it in replies), len(replies)


def test_requests_that_come_at_once_are_refused_only_where_what_was_asked_for_is_forgotten(
    monkeypatch,
):
    assert refused() == (0, 12)
    monkeypatch.setattr(Master, "_ordered", lambda master: {})
    assert refused() == (4, 18)


CRASHES = {
    "the master": [{"kind": "servent", "nodes": [0], "from_s": 50}],
    "the master, for a while": [{"kind": "servent", "nodes": [0], "from_s": 50, "restart_s": 3}],
    "the master, for longer": [{"kind": "servent", "nodes": [0], "from_s": 50, "restart_s": 90}],
    "the standby": [{"kind": "servent", "nodes": [1], "from_s": 50, "restart_s": 40}],
    "one after the other": [
        {"kind": "servent", "nodes": [0], "from_s": 50, "restart_s": 60},
        {"kind": "servent", "nodes": [1], "from_s": 200, "restart_s": 60},
    ],
    "half of the messages of a minute": [
        {"kind": "loss", "rate": 0.5, "from_s": 40, "until_s": 100}
    ],
}


@pytest.mark.parametrize("who", CRASHES)
def test_jobs_go_on_and_no_memory_is_lost_whatever_crashes(who):
    jobs = [
        {"processes": 2, "memory_mb": 40, "demand_s": 40, "submit_s": s} for s in range(0, 400, 45)
    ]
    scenario = make_scenario(
        nodes=6, job=jobs, fault=CRASHES[who], page_bytes=2**20, barrier_s=100, drain_s=2000
    )
    cluster = run(scenario, "MASTER", plane="compiled", check=True)
    assert all(job.end_ns is not None for job in cluster.jobs)
    assert [node.memory.lent for node in cluster.nodes] == [0] * 6
    # A client that stays down cannot say that it needs nothing any more.
    down = {0} if who == "the master" else set()
    assert all(node.index in down or not node.memory.borrowed for node in cluster.nodes)


@pytest.mark.parametrize("losses", [0, 1])
def test_on_two_nodes_no_order_of_messages_and_no_loss_leaves_a_job_waiting(losses):
    found = search(Setting("MASTER", 2, 1, losses=losses, late_timers=True))
    assert (found.whole, found.finding) == (True, None)


def test_within_reclaim_the_master_is_asked_again_that_has_answered_last():
    bench = Bench(load_topology("managers", "RECLAIM(MASTER)", NODES), ram=10)
    bench.settle()
    bench.crash(0)
    bench.fire(1, SILENCE)
    bench.settle()
    bench.restart(0)
    bench.settle()
    bench.place(1, {2: 14})  # node 0, which stands by, says nothing
    bench.fire(2, "no answer to request 1")
    bench.settle()
    assert (bench.started, bench.memory(2).borrowed) == ([(2, 1)], 4)
    bench.memory(2).resize(1, 17)
    bench.happens(2, ProcessResized())
    bench.settle()
    assert (bench.memory(2).borrowed, bench.memory(2).asked) == (7, {})
