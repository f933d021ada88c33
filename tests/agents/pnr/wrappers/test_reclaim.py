"""RECLAIM(…): recalls, and requests while jobs run."""

from unittest.mock import ANY

import networkx as nx
import pytest

from agents.pnr.messages import (
    LoadReport,
    Loan,
    Placed,
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
from agents.pnr.role import Send, SetTimer, Site, StartProcess
from agents.pnr.wrappers.reclaim import (
    ASK_AGAIN,
    Assigned,
    NamedRelease,
    Recall,
    Recalled,
    ReclaimingClient,
    ReclaimingManager,
    ReclaimingServer,
    reclaim,
)
from model.ground.errors import InputError
from model.pnr.design import load_design
from model.pnr.scenario import make_scenario
from tests.agents.pnr.effects import deeds
from tests.agents.pnr.memory import MB, RAM, memory_of
from tests.journaled import journaled

S = 10**9
MANAGER = 0
LENT = Request(MANAGER, "manager", 0, 1)  # the managers' requests, for which servers lend
ALSO = Request(MANAGER, "manager", 0, 2)
FIRST, SECOND = (Request(3, "server", 0, count) for count in (1, 2))  # recalls of node 3


def site(node, used_mb=0):
    return Site(memory_of(used_mb), node, 4, parameters={"ask_again_s": 60})


def pairs(**amounts_mb):
    """(node, bytes) of borrowers, as node1=5."""
    return tuple((int(name[-1]), size_mb * MB) for name, size_mb in amounts_mb.items())


# Managers name borrowers


def test_after_a_grant_each_server_is_told_who_holds_how_much_of_what_it_has_lent():
    manager = ReclaimingManager(site(0, used_mb=32))
    for rank, need_mb in enumerate((6, 3)):
        asks = RamRequest(1, rank, 2, need_mb * MB, LoadReport(0, 0), Request(rank + 1, "c", 0, 1))
        effects = deeds(manager.receive(rank + 1, asks, 0))
    assert effects == [Send(3, ServerRequest(1, 9 * MB, ANY))]
    # All others than node 3 ask themselves or are full; 5 MB of 9 are granted: 3 + 2.
    [request] = manager.asked
    [asks_itself] = deeds(manager.receive(3, ServerReply(1, 5 * MB, LoadReport(0, 1), request), 1))
    [last] = manager.asked
    *grants, assigned = deeds(manager.receive(0, ServerReply(1, 0, LoadReport(0, 2), last), 2))
    assert asks_itself.target == 0
    assert [(send.target, send.content.amount) for send in grants] == [
        (1, 5 * MB // 2),
        (2, 5 * MB // 2),
    ]
    halves = ((1, 5 * MB // 2), (2, 5 * MB // 2))
    assert assigned == Send(3, Assigned(1, halves))


def test_a_release_names_those_who_give_back():
    manager = ReclaimingManager(site(0))
    for rank, size_mb in enumerate((6, 3)):
        parts = (Return(3, LENT, size_mb * MB), Return(2, ALSO, rank * MB))
        notice = ReleaseNotice(1, rank, 2, (), LoadReport(0, 0), parts[: rank + 1])
        effects = manager.receive(rank + 1, notice, 0)
    two = ServerRelease(1, 1 * MB, ((ALSO, 1 * MB),), ANY)
    three = ServerRelease(1, 9 * MB, ((LENT, 9 * MB),), ANY)
    assert effects == [
        Send(2, NamedRelease(two, pairs(node2=1))),
        Send(3, NamedRelease(three, pairs(node1=6, node2=3))),
    ]
    for request, server in zip(list(manager.releasing), (2, 3), strict=True):
        manager.receive(server, ReleaseAck(1, LoadReport(0, 1), request), 1)
    assert manager.givers == {}


def test_who_needed_nothing_leaves_no_names_behind():
    manager = ReclaimingManager(site(0))
    assert manager.receive(1, ReleaseNotice(1, 0, 1, (), LoadReport(0, 0)), 0) == []
    assert manager.givers == {}


# A server recalls


def server(used_mb=0, **holders_mb):
    """The server of node 3, which has lent to these nodes, and then uses so many MB itself."""
    lender = ReclaimingServer(site(3))
    for borrower, amount in pairs(**holders_mb):
        lender.memory.lend(amount, lent_to(borrower))
        assert lender.receive(MANAGER, Assigned(1, ((borrower, amount),)), 0) == []
    lender.memory.allocate(1, used_mb * MB)
    return lender


def lent_to(borrower):
    return Request(MANAGER, "manager", 0, 10 + borrower)


def recall(target, size_mb, request=FIRST):
    return Send(target, Recall(size_mb * MB, request))


def answers(lender, borrower, size_mb):
    parts = ((lent_to(borrower), size_mb * MB),) if size_mb else ()
    return deeds(lender.receive(borrower, Recalled(parts, FIRST), 9))


@pytest.mark.parametrize(
    ("used_mb", "recalls"),
    [
        (17, []),  # 17 + 15 lent = 32: it fits
        (20, [recall(1, 3)]),  # 3 MB over
        (27, [recall(1, 8), recall(2, 2, SECOND)]),  # 10 MB over; nodes 1, 2 and 0 hold 8, 4 and 3
        (50, [recall(1, 8), recall(2, 4, SECOND), recall(0, 3, Request(3, "server", 0, 3))]),
    ],
)
def test_a_server_recalls_what_is_over_of_what_it_lends_from_the_largest_borrower_first(
    used_mb, recalls
):
    lender = server(used_mb, node0=3, node1=8, node2=4)
    assert lender.memory_changed(5) == recalls
    assert lender.memory_changed(6) == []  # all is recalled


def test_of_equal_borrowers_the_lowest_is_first():
    assert server(30, node2=5, node1=5).memory_changed(5) == [recall(1, 5), recall(2, 3, SECOND)]


# Its own process may have 4 MB in RAM, and lacks 26: with the 8 that are lent, 20 are idle.
def test_what_a_process_may_not_hold_in_ram_is_no_reason_to_recall():
    lender = server(node1=8)
    lender.memory.allocate(1, 30 * MB, limit=4 * MB)
    assert lender.memory_changed(5) == []
    lender.memory.allocate(2, 23 * MB)  # 3 MB more than are idle
    assert lender.memory_changed(6) == [recall(1, 3)]


def test_only_what_the_borrower_has_given_back_is_taken_back():
    lender = server(30, node1=8)  # 6 MB over
    assert lender.memory_changed(5) == [recall(1, 6)]
    assert lender.memory.lent == 8 * MB
    assert answers(lender, 1, 6) == []
    assert (lender.memory.lent, lender.memory.over) == (2 * MB, 0)
    assert lender.balances == {1: 2 * MB}


def test_a_repeated_answer_is_ignored_and_counted():
    lender = server(30, node1=8)
    lender.memory_changed(5)
    answers(lender, 1, 6)
    assert answers(lender, 1, 6) == []
    assert (lender.memory.lent, lender.metrics.ignored) == (2 * MB, 1)


def test_who_gives_back_less_has_no_more_and_is_not_asked_again_but_another_is():
    lender = server(30, node1=8, node2=4)  # 10 MB over
    assert lender.memory_changed(5) == [recall(1, 8), recall(2, 2, SECOND)]
    # Node 1 has given 5 of its 8 MB back already, by its manager: 5 MB, of node 2, are still to be
    # recalled, of which 2 are; it holds 2 more.
    assert answers(lender, 1, 3) == [recall(2, 2, Request(3, "server", 0, 3))]
    assert lender.returning == {1: 5 * MB}
    release = ServerRelease(1, 5 * MB, ((lent_to(1), 5 * MB),), ALSO)
    acknowledged = lender.receive(MANAGER, NamedRelease(release, pairs(node1=5)), 10)
    assert [send.content.request for send in acknowledged] == [ALSO]
    assert (lender.balances, lender.returning) == ({2: 4 * MB}, {})


def test_a_server_that_learns_only_now_who_borrows_recalls_then():
    lender = ReclaimingServer(site(3, used_mb=20))
    lender.memory.lend(8 * MB, lent_to(1))
    lender.memory.allocate(2, 10 * MB)
    assert lender.memory_changed(5) == []
    assert lender.receive(MANAGER, Assigned(1, pairs(node1=8)), 6) == [recall(1, 6)]


# A borrower


def client(node=1, **loans_mb):
    """A client whose job 1 has started with these loans of servers."""
    borrower = ReclaimingClient(site(node, 40))
    borrower.process_placed(Placed(1, 0, 2, MANAGER), 0)
    if borrower.asking:
        granted(borrower, 0, **loans_mb)
    return borrower


def granted(borrower, now_ns, **loans_mb):
    [request] = borrower.asking
    loans = tuple(Loan(node, amount, LoadReport(0, 0)) for node, amount in pairs(**loans_mb))
    return deeds(
        borrower.receive(MANAGER, RamGrant(1, 0, loans, request, (LENT,) * len(loans)), now_ns)
    )


def asks_again(borrower_node, need_mb, load_mb, now_ns, count, attempt):
    request = Request(borrower_node, "client", 0, count)
    word = LoadReport(load_mb * MB, now_ns)
    return Send(MANAGER, RamRequest(1, 0, 1, need_mb * MB, word, request, attempt))


# Node 1 of 4 fires at 30 s, then every 60 s.
AT_30 = SetTimer(ASK_AGAIN, 30 * S)


def test_a_client_gives_back_what_is_recalled_and_keeps_it_on_its_disk():
    borrower = client(node3=8)
    returned = Send(3, Recalled(((LENT, 5 * MB),), FIRST))
    assert borrower.receive(3, Recall(5 * MB, FIRST), 0) == [returned, AT_30]
    assert (borrower.memory.loans, borrower.memory.unmet) == ({3: 3 * MB}, 5 * MB)
    # The same again: the same answer, and nothing more is given back.
    assert borrower.receive(3, Recall(5 * MB, FIRST), 1) == [returned]
    assert borrower.memory.loans == {3: 3 * MB}


@pytest.mark.parametrize(("node", "has_mb"), [(3, 8), (2, 0)])
def test_a_client_gives_back_no_more_than_it_has(node, has_mb):
    borrower = client(node3=8)
    parts = ((LENT, has_mb * MB),) if has_mb else ()
    [answer, *_] = borrower.receive(node, Recall(9 * MB, FIRST), 0)
    assert answer == Send(node, Recalled(parts, FIRST))


def test_a_client_asks_again_every_60_s_for_what_is_on_disk_but_once_at_a_time():
    borrower = client(node3=5)  # 3 of 8 MB are on disk
    # Alone: it is the first time, and 1 · 4 nodes + node 1 = 5.
    again = asks_again(1, 3, -8, 30 * S, count=2, attempt=-5)
    assert borrower.timer(ASK_AGAIN, 30 * S) == [again]
    assert borrower.memory_changed(31 * S) == []  # it is under way
    # 1 MB is granted; for the other 2 it asks again in its time, at 90 s.
    assert granted(borrower, 32 * S, node2=1) == [SetTimer(ASK_AGAIN, 58 * S)]
    assert borrower.memory.loans == {3: 5 * MB, 2: 1 * MB}
    again = asks_again(1, 2, -8, 90 * S, count=3, attempt=-9)
    assert borrower.timer(ASK_AGAIN, 90 * S) == [again]
    assert len(borrower.metrics.answers) == 1  # for the metrics, of a process


def test_a_client_asks_again_when_its_memory_has_changed():
    borrower = client(node3=5)
    borrower.memory.allocate(2, 2 * MB)
    assert borrower.memory_changed(7) == [asks_again(1, 5, -10, 7, count=2, attempt=-5)]


def test_what_a_process_has_just_asked_for_is_not_asked_for_again():
    borrower = ReclaimingClient(site(1, used_mb=40))
    assert len(borrower.process_placed(Placed(1, 0, 2, MANAGER), 0)) == 1
    assert borrower.memory_changed(0) == []


def test_the_timer_is_set_only_while_there_is_reason():
    borrower = client(node3=8)
    assert borrower.memory_changed(0) == []
    borrower.receive(3, Recall(5 * MB, FIRST), 0)
    borrower.memory.free(1)
    borrower.process_ended(Placed(1, 0, 2, MANAGER), 5)
    assert borrower.timer(ASK_AGAIN, 30 * S) == []


def test_what_is_granted_and_not_needed_any_more_is_given_back_at_once():
    borrower = client(node3=5)
    borrower.timer(ASK_AGAIN, 30 * S)
    borrower.memory.free(1)
    [ended] = borrower.process_ended(Placed(1, 0, 2, MANAGER), 31 * S)
    assert (ended.content.amount, ended.content.clients) == (5 * MB, 2)
    parts = (Return(2, LENT, 3 * MB),)
    notice = ReleaseNotice(1, 0, 1, ((2, 3 * MB),), LoadReport(RAM, 32 * S), parts, attempt=-9)
    assert granted(borrower, 32 * S, node2=3) == [Send(MANAGER, notice)]
    assert borrower.memory.borrowed == 0


def test_a_surplus_is_given_back_when_memory_changes():
    borrower = ReclaimingClient(site(1, used_mb=37))
    borrower.memory.lend(3 * MB, ALSO)
    borrower.process_placed(Placed(1, 0, 2, MANAGER), 0)
    granted(borrower, 0, node3=8)
    borrower.memory.take_back(3 * MB, ALSO)
    [given] = borrower.memory_changed(5)
    assert (given.content.returns, given.content.clients) == (((3, 3 * MB),), 1)


def test_no_two_clients_requests_are_of_one_attempt():
    attempts = []
    for node in range(4):
        borrower = client(node=node, node3=5) if node != 3 else client(node=3, node2=5)
        for count in range(3):
            [*_, sent] = borrower.timer(ASK_AGAIN, count)
            attempts.append(sent.content.attempt)
            granted(borrower, count)
    assert len(set(attempts)) == 12
    assert max(attempts) < 0


def test_a_process_starts_with_its_own_grant_alone():
    borrower = client(node3=5)
    borrower.timer(ASK_AGAIN, 30 * S)
    borrower.memory.allocate(2, MB)
    [asked] = borrower.process_placed(Placed(2, 0, 1, MANAGER), 31 * S)
    grant = RamGrant(2, 0, (), asked.content.request)
    assert borrower.receive(MANAGER, grant, 32 * S)[0] == StartProcess(2)
    assert granted(borrower, 33 * S)[:1] != [StartProcess(1)]


# The whole


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("DP", "DP has no managers to ask again"),
        ("RECLAIM(MAN)", r"RECLAIM\(MAN\) reclaims already"),
        ("RELIABLE(MAN)", r"RELIABLE\(MAN\) would not see its messages: take RELIABLE\(RECLAIM"),
    ],
)
def test_what_it_cannot_be_around_is_one_line(name, says):
    with pytest.raises(InputError, match=says):
        load_design(f"RECLAIM({name})", make_scenario(nodes=8))


def test_the_design_itself_stays_as_it_was():
    design = nx.DiGraph(name="OWN")
    design.add_node(0, manager=True)
    reclaim(design)
    assert design.graph == {"name": "OWN"}


def test_a_lender_that_needs_its_memory_gets_it_back_while_the_borrower_runs():
    jobs = [
        {"processes": 1, "memory_mb": 40, "demand_s": 100},  # node 0 borrows 8 MB
        {"processes": 2, "memory_mb": 30, "demand_s": 20, "submit_s": 10},  # its lender needs them
    ]
    scenario = make_scenario(nodes=2, job=jobs, page_bytes=2**20, barrier_s=10)
    lent = {}
    for design in ("MAN", "RECLAIM(MAN)"):
        _, records = journaled(scenario, design, plane="actors", check=True)
        lent[design] = [r.time_ns // S for r in records if r.kind == "returned"]
    assert min(lent["MAN"]) > 20
    assert min(lent["RECLAIM(MAN)"]) == 10


# Each node lacks 12 MB for a process that may hold 8 in RAM, and has 24 idle; it keeps 1.
def test_nodes_that_lack_memory_for_limited_processes_lend_to_each_other_once():
    jobs = [{"processes": 1, "memory_mb": 20, "limit_mb": 8, "demand_s": 3}] * 2
    scenario = make_scenario(nodes=2, job=jobs, threshold_mb=1, page_bytes=2**20)
    _, records = journaled(scenario, "RECLAIM(MAN)", plane="actors", check=True)
    lent = [(it.node, it.amount_bytes) for it in records if it.kind == "lent"]
    assert sorted(lent) == [(0, 12 * MB), (1, 12 * MB)]
