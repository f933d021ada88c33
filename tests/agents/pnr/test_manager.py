"""The manager role, from the first request of a job to the last acknowledgment."""

from collections import Counter
from itertools import pairwise
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.pnr.beliefs import Shares
from agents.pnr.manager import Manager, deal, share_evenly
from agents.pnr.messages import (
    LoadBroadcast,
    LoadReport,
    Loan,
    RamGrant,
    RamRequest,
    ReleaseAck,
    ReleaseNotice,
    Request,
    Return,
    ServerRelease,
    ServerReply,
    ServerRequest,
)
from agents.pnr.role import Decided, Send, Site
from tests.agents.pnr.effects import deeds
from tests.agents.pnr.memory import MB, memory_of

NOTHING_LEFT = LoadReport(0, 0)
ANY = mock.ANY  # the id of a request of the manager's


def manager_of(nodes, node, tells=(), used_mb=0, skip_below=None, seed=1, rams_mb=None):
    """A manager on a node that uses so many of its 32 MB, in a cluster of so many nodes."""
    shares = None if rams_mb is None else Shares([ram * MB for ram in rams_mb], skip_below)
    told = {"skip_below": skip_below, "tells": tuple(tells), "shares": shares}
    return Manager(Site(memory_of(used_mb), node, nodes, seed, **told))


def asked_by(node, rank):
    """The id of a client's request; made up from the rank, so that each has another."""
    return Request(node, "client", 0, 100 + rank)


def lent(server):
    """The id of the request for which a server has lent; made up from the server."""
    return Request(50, "manager", 0, server)


def requests(manager, node, need_mb, job=1, rank=0, clients=1, load_mb=-1, stated=0, attempt=1):
    word, request = LoadReport(load_mb * MB, stated), asked_by(node, rank)
    message = RamRequest(job, rank, clients, need_mb * MB, word, request, attempt)
    return deeds(manager.receive(node, message, 0))


def replies(manager, node, granted_mb, job=1, left_mb=0, stated=0, now=0):
    return answers(manager, node, granted_mb * MB, job, LoadReport(left_mb * MB, stated), now)


def answers(manager, node, granted, job=1, word=NOTHING_LEFT, now=0):
    """A server grants so many bytes to the request that the manager made for a job."""
    request = next(request for request, its in manager.asked.items() if its == (job, 1))
    return deeds(manager.receive(node, ServerReply(job, granted, word, request), now))


def notices(manager, node, *returns_mb, job=1, rank=0, clients=1, load_mb=0, stated=0, now=0):
    returns = tuple((server, size_mb * MB) for server, size_mb in returns_mb)
    parts = tuple(Return(server, lent(server), amount) for server, amount in returns)
    message = ReleaseNotice(job, rank, clients, returns, LoadReport(load_mb * MB, stated), parts)
    return deeds(manager.receive(node, message, now))


def acknowledges(manager, node, job=1, load_mb=0, stated=0, now=0):
    """A server acknowledges a release that is open at the end of a job."""
    request = next(request for request, its in manager.releasing.items() if its == (job, 1))
    return deeds(
        manager.receive(node, ReleaseAck(job, LoadReport(load_mb * MB, stated), request), now)
    )


def learns(manager, *loads_mb, stated=0):
    """Another manager tells it the loads of nodes 0, 1, …; None for a node it knows nothing of."""
    table = tuple(
        (node, LoadReport(load_mb * MB, stated))
        for node, load_mb in enumerate(loads_mb)
        if load_mb is not None
    )
    assert manager.receive(50, LoadBroadcast(1, table), 0) == []


def ask(node, size_mb, job=1):
    """What the manager sends to a server."""
    return Send(node, ServerRequest(job, size_mb * MB, ANY))


def grant(node, *loans, job=1, rank=0):
    """What the manager sends to a client; loans are (server, MB, MB left there, stated)."""
    said = tuple(
        Loan(server, size_mb * MB, LoadReport(left_mb * MB, stated))
        for server, size_mb, left_mb, stated in loans
    )
    return Send(node, RamGrant(job, rank, said, asked_by(node, rank), (ANY,) * len(loans), ANY))


def release(node, size_mb, job=1):
    """What the manager sends to a server that lent so many MB."""
    return Send(node, ServerRelease(job, size_mb * MB, ((lent(node), size_mb * MB),), ANY))


def broadcast(node, *words, job=1):
    """What the manager sends to another manager; words are (node, MB available, stated)."""
    table = tuple((about, LoadReport(load_mb * MB, stated)) for about, load_mb, stated in words)
    return Send(node, LoadBroadcast(job, table))


# Step 1: wait for all clients


def test_the_manager_waits_for_all_clients_then_asks_for_the_sum_of_their_needs():
    manager = manager_of(nodes=4, node=3)
    learns(manager, None, None, 20)
    assert requests(manager, 0, need_mb=4, rank=0, clients=2) == []
    # Node 3 itself is idle (32 MB), node 2 has 20 left.
    assert requests(manager, 1, need_mb=5, rank=1, clients=2) == [ask(3, 4 + 5)]


def test_if_nobody_needs_anything_all_are_answered_at_once_and_nobody_is_told():
    manager = manager_of(nodes=4, node=3, tells=[2])
    requests(manager, 0, need_mb=0, rank=0, clients=2)
    assert requests(manager, 1, need_mb=0, rank=1, clients=2) == [grant(0), grant(1, rank=1)]


def test_if_all_nodes_are_asking_there_is_no_server_and_all_are_answered_at_once():
    manager = manager_of(nodes=2, node=0, tells=[1])
    requests(manager, 0, need_mb=3, rank=0, clients=2)
    assert requests(manager, 1, need_mb=4, rank=1, clients=2) == [grant(0), grant(1, rank=1)]


# Step 2: ask servers, one after another


def test_the_server_believed_to_have_the_most_ram_is_asked_first_and_missing_amounts_shrink():
    manager = manager_of(nodes=5, node=4, used_mb=22)  # it has 10 MB itself
    learns(manager, None, 5, 20, 3)
    assert requests(manager, 0, need_mb=25) == [ask(2, 25)]
    assert replies(manager, 2, granted_mb=15) == [ask(4, 10)]
    assert replies(manager, 4, granted_mb=7) == [ask(1, 3)]
    assert replies(manager, 1, granted_mb=0) == [ask(3, 3)]


def test_even_servers_believed_full_are_asked():
    manager = manager_of(nodes=4, node=3, used_mb=40)
    learns(manager, None, -9, 0)
    assert requests(manager, 0, need_mb=6) == [ask(2, 6)]
    assert replies(manager, 2, granted_mb=0, left_mb=0) == [ask(3, 6)]
    assert replies(manager, 3, granted_mb=0, left_mb=-8) == [ask(1, 6)]
    assert replies(manager, 1, granted_mb=0, left_mb=-9) == [grant(0)]


def test_skip_below_ends_the_search_at_the_first_server_believed_to_have_no_more():
    manager = manager_of(nodes=4, node=3, used_mb=40, skip_below=2 * MB)
    learns(manager, None, 2, 3)
    assert requests(manager, 0, need_mb=6) == [ask(2, 6)]  # 3 MB: more than 2
    assert replies(manager, 2, granted_mb=1, left_mb=2, stated=7) == [grant(0, (2, 1, 2, 7))]


@pytest.mark.parametrize(
    ("rams_mb", "skip_below", "order"),
    [
        (None, None, [1, 2, 3]),  # 40, 23, 3 MB
        ((32, 100, 32, 4), None, [3, 2, 1]),  # 75 %, 72 %, 40 %
        ((32, 100, 32, 4), 3 * MB, [2, 1]),  # 3 MB are none, whatever share that is
    ],
)
def test_servers_are_compared_by_bytes_or_by_the_share_of_their_ram(rams_mb, skip_below, order):
    manager = manager_of(4, 0, used_mb=40, rams_mb=rams_mb, skip_below=skip_below)
    learns(manager, None, 40, 23, 3)
    asked, effects = [], requests(manager, 0, need_mb=6)
    while not isinstance(effects[0].content, RamGrant):
        [(server, *_)] = effects
        asked.append(server)
        effects = replies(manager, server, granted_mb=0, left_mb=0)
    assert asked == order


def test_its_own_node_it_reads_directly():
    manager = manager_of(nodes=3, node=2, used_mb=1)
    learns(manager, None, 20, -5, stated=10**9)  # what is said of node 2 does not matter
    assert requests(manager, 0, need_mb=6) == [ask(2, 6)]
    manager.memory.allocate(5, 30 * MB)  # 1 MB left by now
    assert requests(manager, 0, need_mb=6, job=2) == [ask(1, 6, job=2)]


def test_an_asking_node_is_never_asked_but_a_node_of_the_job_without_need_may_lend():
    manager = manager_of(nodes=3, node=0, used_mb=34)
    assert requests(manager, 0, need_mb=2, rank=0, clients=3, load_mb=-2) == []
    assert requests(manager, 1, need_mb=0, rank=1, clients=3, load_mb=4) == []
    assert requests(manager, 2, need_mb=1, rank=2, clients=3, load_mb=-1) == [ask(1, 3)]
    # Nodes 0 and 2 ask themselves, so nobody is left for the last 1 MB.
    assert replies(manager, 1, granted_mb=2, left_mb=2, stated=7) == [
        grant(0, (1, 1, 2, 7), rank=0),
        grant(1, rank=1),
        grant(2, (1, 1, 2, 7), rank=2),
    ]


def first_asked_of_three(seed, job, node=4):
    """Who of nodes 1, 2 and 3, all believed idle, is asked first."""
    manager = manager_of(nodes=5, node=node, used_mb=30, seed=seed)
    [send] = requests(manager, 0, need_mb=6, job=job)
    return send.target


@pytest.mark.parametrize("vary", ["seed", "job"])
def test_ties_are_drawn_so_that_every_tied_server_has_the_same_chance(vary):
    fixed = {"seed": 1, "job": 1}
    asked = Counter(first_asked_of_three(**{**fixed, vary: n}) for n in range(900))
    # 300 each, with standard deviation sqrt(900 * 1/3 * 2/3) = 14.1; 4 of them are 57.
    assert set(asked) == {1, 2, 3}
    assert all(abs(count - 300) < 57 for count in asked.values())


def test_interleaved_jobs_at_one_manager_do_not_disturb_each_other():
    manager = manager_of(nodes=5, node=4, used_mb=32)
    learns(manager, None, 0, 20, 10)
    assert requests(manager, 0, need_mb=6, job=1) == [ask(2, 6, job=1)]
    # Nothing is reserved: job 2 is sent to the same server, as long as no reply says otherwise.
    assert requests(manager, 1, need_mb=9, job=2) == [ask(2, 9, job=2)]
    assert replies(manager, 2, 6, job=1, left_mb=14, stated=50) == [grant(0, (2, 6, 14, 50), job=1)]
    assert replies(manager, 2, 5, job=2, left_mb=9, stated=51) == [ask(3, 4, job=2)]
    assert replies(manager, 3, 4, job=2, left_mb=6, stated=60) == [
        grant(1, (2, 5, 9, 51), (3, 4, 6, 60), job=2)
    ]


# Step 3: divide what was granted


def test_clients_are_filled_in_rank_order_from_servers_in_the_order_of_their_grants():
    manager = manager_of(nodes=5, node=4, used_mb=32)
    learns(manager, None, None, 10, 20)
    # Rank 0 runs on node 1 and is heard last.
    requests(manager, 0, need_mb=8, rank=1, clients=2)
    assert requests(manager, 1, need_mb=6, rank=0, clients=2) == [ask(3, 14)]
    assert replies(manager, 3, granted_mb=4, left_mb=16, stated=50) == [ask(2, 10)]
    assert replies(manager, 2, granted_mb=2, left_mb=8, stated=60) == [ask(4, 8)]
    # 4 + 2 = 6 MB, 3 for each: rank 0 all from server 3; rank 1 its last MB, then server 2's.
    assert replies(manager, 4, granted_mb=0) == [
        grant(1, (3, 3, 16, 50), rank=0),
        grant(0, (3, 1, 16, 50), (2, 2, 8, 60), rank=1),
    ]


NEEDS = st.lists(st.integers(0, 12), min_size=1, max_size=6)


@given(total=st.integers(0, 80), needs=NEEDS)
def test_shares_are_those_of_handing_out_byte_after_byte_in_turn(total, needs):
    shares = [0] * len(needs)
    while total and shares != needs:
        for rank, need in enumerate(needs):
            if total and shares[rank] < need:
                shares[rank] += 1
                total -= 1
    assert share_evenly(sum(shares) + total, needs) == shares


@given(amounts=st.lists(st.integers(1, 20), max_size=6), cuts=st.lists(st.integers(0, 120)))
def test_dealing_cuts_the_row_of_grants_into_the_row_of_shares(amounts, cuts):
    grants = list(enumerate(amounts))
    total = sum(amounts)
    edges = [0, *sorted(min(cut, total) for cut in cuts), total]
    shares = [end - start for start, end in pairwise(edges)]
    portions = deal(grants, shares)
    assert [sum(amount for _, amount in portion) for portion in portions] == shares
    row = [server for portion in portions for server, amount in portion for _ in range(amount)]
    assert row == [server for server, amount in grants for _ in range(amount)]
    assert all(amount > 0 for portion in portions for _, amount in portion)


# Step 4: tell the other managers


def test_after_a_grant_the_others_are_told_in_node_order_the_newest_word_of_each_node():
    manager = manager_of(nodes=5, node=2, tells=[1, 3, 4], used_mb=31)
    learns(manager, None, None, None, 20, stated=5)
    requests(manager, 1, need_mb=6, load_mb=-6, stated=10)
    replies(manager, 0, granted_mb=2, left_mb=0, stated=30)  # node 0 was believed idle, as node 4
    sends = replies(manager, 4, granted_mb=4, left_mb=8, stated=40, now=70)
    table = [(0, 0, 30), (1, -6, 10), (2, 1, 70), (3, 20, 5), (4, 8, 40)]  # its own: now
    assert sends == [
        grant(1, (0, 2, 0, 30), (4, 4, 8, 40)),
        broadcast(1, *table),
        broadcast(3, *table),
        broadcast(4, *table),
    ]


def test_if_nothing_was_granted_nobody_is_told():
    manager = manager_of(nodes=2, node=1, tells=[0], used_mb=32)
    assert requests(manager, 0, need_mb=6) == [ask(1, 6)]
    assert replies(manager, 1, granted_mb=0) == [grant(0)]


# What a manager believes


@pytest.mark.parametrize("say", [requests, replies, notices, acknowledges])
def test_every_message_from_a_client_or_a_server_brings_word_of_its_node(say):
    manager = manager_of(nodes=4, node=3)
    # A conversation with node 1 in which each kind of message may come next.
    requests(manager, 0, need_mb=9, rank=0, clients=3 if say is requests else 1)
    notices(manager, 0, (1, 1), (2, 1), rank=0, clients=2 if say is notices else 1)
    said = {
        requests: {"need_mb": 2, "rank": 1, "clients": 3, "load_mb": 11},
        replies: {"granted_mb": 2, "left_mb": 11},
        notices: {"load_mb": 11, "clients": 3},
        acknowledges: {"load_mb": 11},
    }
    say(manager, 1, **said[say], stated=10)
    assert manager.believed(1) == 11 * MB


# At the end of a job


def test_the_manager_waits_for_all_notices_and_tells_each_server_the_sum_of_what_it_gets_back():
    manager = manager_of(nodes=5, node=4)
    assert notices(manager, 0, (2, 3), (3, 1), rank=0, clients=3) == []
    assert notices(manager, 1, rank=1, clients=3) == []
    sends = notices(manager, 4, (3, 4), rank=2, clients=3)
    assert sends == [release(2, 3), release(3, 1 + 4)]


def test_a_notice_may_be_empty_and_if_all_are_there_is_nothing_to_do_or_to_tell():
    manager = manager_of(nodes=5, node=4, tells=[3])
    assert notices(manager, 0, rank=0, clients=2) == []
    assert notices(manager, 1, rank=1, clients=2) == []
    assert manager.releases == {}


def test_after_the_last_acknowledgment_the_others_are_told():
    manager = manager_of(nodes=5, node=4, tells=[1, 2])
    notices(manager, 0, (2, 3), (3, 1), load_mb=30, stated=10)
    assert acknowledges(manager, 3, load_mb=7, stated=20) == []
    table = [(0, 30, 10), (2, 9, 30), (3, 7, 20), (4, 32, 40)]
    assert acknowledges(manager, 2, load_mb=9, stated=30, now=40) == [
        broadcast(1, *table),
        broadcast(2, *table),
    ]


def test_two_jobs_may_release_at_one_manager_at_the_same_time():
    manager = manager_of(nodes=5, node=4, tells=[1])
    assert notices(manager, 0, (2, 3), job=1) == [release(2, 3, job=1)]
    assert notices(manager, 0, (2, 5), job=2, rank=0, clients=2) == []
    [told] = acknowledges(manager, 2, job=1)
    assert (told.target, told.content.job) == (1, 1)
    assert notices(manager, 1, (2, 1), job=2, rank=1, clients=2) == [release(2, 5 + 1, job=2)]
    [told] = acknowledges(manager, 2, job=2)
    assert (told.target, told.content.job) == (1, 2)
    assert manager.releases == {}


def test_what_a_manager_does_not_expect_is_ignored_and_counted():
    manager = manager_of(nodes=5, node=4, tells=[1])
    requests(manager, 0, need_mb=6)
    notices(manager, 0, (2, 3), rank=0, clients=2)
    strange = asked_by(0, 0)
    for content in (
        ServerRequest(1, MB, strange),  # said to another role
        ServerReply(1, MB, NOTHING_LEFT, strange),
        ReleaseAck(1, NOTHING_LEFT, strange),
        ReleaseNotice(1, 0, 2, (), NOTHING_LEFT),  # of the same rank again
    ):
        assert manager.receive(0, content, 0) == []
    assert manager.metrics.ignored == 4


def test_a_job_that_begins_again_is_not_mixed_up_with_its_earlier_attempt():
    manager = manager_of(nodes=4, node=3)
    assert requests(manager, 0, need_mb=4, rank=0, clients=2) == []
    assert requests(manager, 1, need_mb=5, rank=1, clients=2, attempt=2) == []
    assert requests(manager, 2, need_mb=6, rank=0, clients=2, attempt=2) == [ask(3, 11)]


# Why


def test_asked_again_it_draws_ties_as_it_did_and_believes_what_it_is_given():
    chosen = set()
    for job in range(1, 9):
        manager = manager_of(nodes=4, node=3, used_mb=10)
        learns(manager, None, 20, 20, stated=7)
        request = RamRequest(job, 0, 1, 25 * MB, LoadReport(-25 * MB, 9), asked_by(0, 0))
        learns(manager, None, None, None, stated=7)
        manager.memory.lend(20 * MB, asked_by(1, 1))  # of its own 2 MB are left
        first, *_ = manager.receive(0, request, 9)
        believed = dict(first.believed)
        assert [first.again(believed) for _ in range(3)] == [first.chosen] * 3
        assert first.again(believed | {1: None}) == 1  # idle, which is more than 20 MB
        assert first.again(believed | {1: LoadReport(0, 0), 2: LoadReport(0, 0)}) == 3
        chosen.add(first.chosen)
    assert chosen == {1, 2}  # both were drawn


def test_it_says_what_it_believed_of_each_candidate_and_whom_it_chose():
    manager = manager_of(nodes=4, node=3, used_mb=10)  # 22 of its own 32 MB are free
    learns(manager, None, None, 20, stated=7)
    request = RamRequest(1, 0, 1, 25 * MB, LoadReport(-25 * MB, 9), asked_by(0, 0))
    first, ask_3 = manager.receive(0, request, 9)
    # Node 0 asks, so it is no candidate; of node 1 it has heard nothing and believes it idle.
    believed = ((1, None), (2, LoadReport(20 * MB, 7)), (3, LoadReport(22 * MB, 9)))
    assert first._replace(again=None) == Decided(request.request, 25 * MB, 1, believed)
    assert ask_3 == ask(1, 25)
    reply = ServerReply(1, 5 * MB, LoadReport(0, 11), ask_3.content.request)
    second, ask_4 = manager.receive(1, reply, 12)
    left = (believed[1], (3, LoadReport(22 * MB, 12)))
    assert second._replace(again=None) == Decided(request.request, 20 * MB, 3, left)
    assert ask_4 == ask(3, 20)


def test_messages_are_about_the_job_whatever_is_served_together():
    class ByItself(Manager):
        def run_of(self, content):
            return ("alone", content.rank)

    manager = ByItself(Site(memory_of(), 0, 3))
    asked = Request(1, "client", 0, 1)
    _why, send = manager.receive(1, RamRequest(7, 0, 1, MB, LoadReport(-MB, 0), asked), 1)
    reply = ServerReply(send.content.job, MB, LoadReport(0, 2), send.content.request)
    grant, *_ = manager.receive(send.target, reply, 2)
    notice = ReleaseNotice(7, 0, 1, ((2, MB),), LoadReport(0, 3), (Return(2, reply.request, MB),))
    (release,) = manager.receive(1, notice, 3)
    assert [it.content.job for it in (send, grant, release)] == [7, 7, 7]
