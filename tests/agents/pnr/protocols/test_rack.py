"""RACKk: racks that help themselves first, and a root that knows their sums."""

from unittest.mock import ANY

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.pnr.messages import (
    LoadReport,
    Loan,
    RamGrant,
    RamRequest,
    ReleaseNotice,
    Request,
    Return,
    ServerRelease,
    ServerReply,
    ServerRequest,
)
from agents.pnr.protocols.rack import AskOthers, AskRack, Found, Leader, Lent, RackSum
from agents.pnr.role import Send, Site
from model.ground.errors import InputError
from model.pnr.design import load_design
from model.pnr.scenario import make_scenario
from tests.agents.pnr.effects import deeds
from tests.agents.pnr.memory import MB, memory_of
from tests.journaled import journaled
from tests.model.pnr.compiled.test_equality import SCARCE, SMALL

ASKED = Request(1, "client", 0, 1)  # by the client on node 1
FROM_4 = Request(4, "manager", 0, 7)  # by the leader of nodes 4 and 5
FROM_ROOT = Request(0, "manager", 0, 9)
FOR_2, FOR_3 = (Request(2, "manager", 0, count) for count in (3, 4))


def leader(node, used_mb=0, size=2, skip_below=None):
    """The leader on a node of racks 0-1, 2-3 and 4-5 that uses so many of its 32 MB."""
    given = {"skip_below": skip_below, "tells": (0,) if node else (), "parameters": {"k": size}}
    return Leader(Site(memory_of(used_mb), node, 6, **given))


def says(load_mb, stated=0):
    return LoadReport(load_mb * MB, stated)


def lent(server, size_mb, left_mb, request, stated=0):
    return Lent(server, size_mb * MB, says(left_mb, stated), request)


def told(sum_mb, now=0):
    """What a leader tells the root."""
    return Send(0, RackSum(says(sum_mb, now)))


def asks(manager, node, need_mb, load_mb=0, now=0):
    """The only client of a job asks; its node states its load."""
    asked = RamRequest(1, 0, 1, need_mb * MB, says(load_mb, now), ASKED)
    return deeds(manager.receive(node, asked, now))


def replies(manager, server, granted_mb, left_mb, now=0):
    request = next(iter(manager.asked))
    reply = ServerReply(1, granted_mb * MB, says(left_mb, now), request)
    return deeds(manager.receive(server, reply, now))


# Which manager a job asks


def test_the_first_of_every_k_nodes_leads_and_all_leaders_tell_node_0():
    design = load_design("RACK4", make_scenario(nodes=10))
    assert (design.name, design.managers) == ("RACK4", [0, 4, 8])
    assert [design.tells(node) for node in (0, 4, 8)] == [(), (0,), (0,)]


def test_all_clients_of_a_job_ask_the_leader_of_its_rank_0():
    design = load_design("RACK4", make_scenario(nodes=10))
    assert [design.manager_of(1, [6, 9, 2], node) for node in (6, 9, 2)] == [4, 4, 4]
    assert design.clients_of(1, [6, 9, 2], 9) == 3


@pytest.mark.parametrize("size", [0, 11])
def test_racks_that_do_not_fit_the_cluster_are_one_line(size):
    says = f"RACK{size}: racks of {size} nodes do not fit a cluster of 10 nodes: take RACK1 to"
    with pytest.raises(InputError, match=says):
        load_design(f"RACK{size}", make_scenario(nodes=10))


# The first leader


def test_a_leader_asks_its_rack_alone_and_grants_what_it_finds_there():
    first = leader(2, used_mb=30)
    # 4 MB are missing: of nodes 2 (2 MB left) and 3 (idle, for all it knows) the latter is asked.
    # Client 1 is of another rack, so the sum stays at 2 + 32 = 34; but it was 64 when it was told.
    assert asks(first, 1, need_mb=4) == [Send(3, ServerRequest(1, 4 * MB, ANY)), told(34)]
    # Of node 3's 32 MB 28 are left: the rack has 2 + 28 = 30.
    assert replies(first, 3, granted_mb=4, left_mb=28, now=7) == [
        Send(1, RamGrant(1, 0, (Loan(3, 4 * MB, says(28, 7)),), ASKED, (ANY,), 4 * MB)),
        told(30, 7),
    ]


def test_what_the_rack_has_not_the_root_is_asked_for():
    first = leader(2, used_mb=32)
    asks(first, 2, need_mb=9)  # its own node asks, so only node 3 is left
    # 9 - 4 = 5 MB; node 2 asks. The rack has 0 of the 32 MB that it told of.
    ask = AskOthers(1, 1, 5 * MB, (2,), Request(2, "manager", 0, 2))
    assert replies(first, 3, granted_mb=4, left_mb=0) == [Send(0, ask), told(0)]


def test_the_first_leader_divides_what_the_others_have_found_and_takes_it_back_directly():
    first = leader(4, used_mb=32)
    asks(first, 4, need_mb=9)
    replies(first, 5, granted_mb=4, left_mb=0, now=5)
    [request] = first.asked
    found = Found(1, (lent(2, 3, 1, FOR_2, 6), lent(3, 2, 8, FOR_3, 7)), request)
    loans = (
        Loan(5, 4 * MB, says(0, 5)),
        Loan(2, 3 * MB, says(1, 6)),
        Loan(3, 2 * MB, says(8, 7)),
    )
    assert first.receive(0, found, 9) == [
        Send(4, RamGrant(1, 0, loans, ASKED, (ANY, FOR_2, FOR_3), ANY))
    ]
    notice = ReleaseNotice(1, 0, 1, ((2, 3 * MB),), says(0, 10), (Return(2, FOR_2, 3 * MB),))
    assert first.receive(4, notice, 10) == [
        Send(2, ServerRelease(1, 3 * MB, ((FOR_2, 3 * MB),), ANY))
    ]


def test_a_found_that_is_late_or_unknown_is_ignored_and_counted():
    first = leader(4, used_mb=32)
    assert first.receive(0, Found(1, (), FROM_4), 0) == [told(32)]  # its node has none of 64 left
    assert first.receive(0, Found(1, (), FROM_4), 0) == []
    assert first.metrics.ignored == 2


# The root


def asked_for(root, size_mb, *asking, request=FROM_4, now=0):
    return deeds(root.receive(4, AskOthers(1, 1, size_mb * MB, asking, request), now))


def order(target, size_mb, *asking):
    return Send(target, AskRack(1, 1, size_mb * MB, asking, ANY))


def finds(root, sender, *found):
    return deeds(root.receive(sender, Found(1, found, next(iter(root.ordered))), 0))


def test_the_root_asks_the_rack_believed_to_have_the_most_first_each_once():
    root = leader(0, used_mb=20)  # its own rack has 12 + 32 = 44 MB
    root.receive(2, RackSum(says(45, 1)), 1)
    assert asked_for(root, 9, 4) == [order(2, 9, 4)]
    assert finds(root, 2, lent(3, 4, 0, FOR_3)) == [order(0, 5, 4)]
    # Rack 4 has asked, so nobody is left.
    assert finds(root, 0, lent(1, 2, 0, ASKED)) == [
        Send(4, Found(1, (lent(3, 4, 0, FOR_3), lent(1, 2, 0, ASKED)), FROM_4))
    ]


def test_racks_not_heard_of_are_idle_and_ties_go_to_the_lowest():
    root = leader(0)
    assert asked_for(root, 9) == [order(0, 9)]  # 64 MB each


def test_the_newest_sum_counts_by_when_it_was_stated():
    root = leader(0)
    root.receive(2, RackSum(says(8, 5)), 6)
    root.receive(2, RackSum(says(60, 4)), 7)
    assert root.sum_of(2) == 8 * MB


def test_skip_below_ends_the_search_at_the_first_rack_believed_to_have_no_more():
    root = leader(0, used_mb=32, skip_below=40 * MB)  # its own rack has 32
    root.receive(2, RackSum(says(40)), 1)
    assert asked_for(root, 9) == [Send(4, Found(1, (), FROM_4))]


def test_a_repeated_question_is_ignored_and_counted():
    root = leader(0)
    asked_for(root, 9)
    assert asked_for(root, 9) == []
    assert root.metrics.ignored == 1


# A leader whose rack others ask for


def test_a_leader_asks_its_rack_for_the_root_and_leaves_out_who_asks():
    other = leader(2, used_mb=30)
    ask = AskRack(1, 1, 9 * MB, (3, 4), FROM_ROOT)
    # Node 3 asks itself; node 2 has 2 MB left, and the rack 2 + 32.
    assert deeds(other.receive(0, ask, 0)) == [Send(2, ServerRequest(1, 9 * MB, ANY)), told(34)]
    assert other.receive(0, ask, 0) == []  # the same again
    other.memory.lend(2 * MB, FOR_2)
    [found, sum_now] = replies(other, 2, granted_mb=2, left_mb=0, now=3)
    request = Request(2, "manager", 0, 1)
    assert found == Send(0, Found(1, (lent(2, 2, 0, request, stated=3),), FROM_ROOT))
    assert (sum_now, other.metrics.ignored) == (told(32, 3), 1)


# The sum


@pytest.mark.parametrize(("load_mb", "sum_mb"), [(20, 52), (0, 32), (-7, 32)])
def test_a_sum_counts_an_overloaded_node_as_full(load_mb, sum_mb):
    first = leader(2)
    # Node 3 needs nothing; it states its load, which is what the rack has beside node 2's 32 MB.
    [grant, told_sum] = asks(first, 3, need_mb=0, load_mb=load_mb, now=4)
    assert (grant.target, told_sum) == (3, told(sum_mb, 4))
    assert asks(first, 3, need_mb=0, load_mb=load_mb, now=5) == [grant]  # as it was


def test_the_root_tells_nobody_its_own_sum():
    assert len(asks(leader(0), 1, need_mb=0, load_mb=5)) == 1


# The whole


def test_memory_is_borrowed_also_from_other_racks():
    scenario = make_scenario(job=SCARCE, **SMALL)
    _, records = journaled(scenario, "RACK2", plane="actors", check=True)
    lenders = {(r.node, r.peer) for r in records if r.kind == "borrowed"}
    assert any(node // 2 != server // 2 for node, server in lenders)
    assert {r.what for r in records if r.kind == "sent"} >= {"AskOthers", "AskRack", "Found"}


@given(
    loads=st.lists(st.integers(0, 32), min_size=6, max_size=6),
    need_mb=st.integers(1, 200),
    size=st.integers(1, 6),
)
def test_what_is_found_is_what_there_is_or_what_is_missing(loads, need_mb, size):
    """Messages between leaders, and servers that lend all that they have; node 5 asks."""
    leaders = {
        node: leader(node, 32 - load, size=size)
        for node, load in enumerate(loads)
        if node % size == 0
    }
    first = 5 // size * size
    under_way = [(first, 5, RamRequest(1, 0, 1, need_mb * MB, says(0), ASKED))]
    while under_way:
        target, sender, content = under_way.pop(0)
        if isinstance(content, RamGrant):
            break
        if isinstance(content, ServerRequest):
            granted = min(content.amount, loads[target] * MB)
            reply = ServerReply(
                1, granted, LoadReport(loads[target] * MB - granted, 1), content.request
            )
            under_way.append((sender, target, reply))
            continue
        for send in deeds(leaders[target].receive(sender, content, 1)):
            under_way.append((send.target, target, send.content))
        leaders[target].validate()
    assert content.amount == min(need_mb, sum(loads[:5])) * MB
    assert len({loan.server for loan in content.loans}) == len(content.loans)
    for other in leaders.values():
        open_ones = (other.allocations, other.asked, other.for_root, other.searches, other.ordered)
        assert open_ones == ({},) * 5
