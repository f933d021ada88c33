"""INFINISWAP: slabs are bound when they are busy, and the least busy ones are evicted."""

import pytest

from agents.pnr.messages import LoadReport, Placed, Request
from agents.pnr.protocols.infiniswap import (
    ActivityQuery,
    ActivityReply,
    Done,
    Evict,
    FreeQuery,
    FreeReply,
    SlabClient,
    SlabReply,
    SlabRequest,
    SlabServer,
)
from agents.pnr.role import Send, SetTimer, Site, StartProcess
from model.pnr.explore.search import search
from model.pnr.explore.setting import Setting
from tests.agents.pnr.memory import MB, memory_of

S = 10**9
NUMBERS = {"slab_mb": 2, "hot_slab": 20, "headroom": 0.125, "extra": 10}
NUMBERS |= {"weight": 0.2, "period_s": 1}
RATES, USE = SetTimer("page rates", S), SetTimer("use of memory", S)
FIRST, SECOND = (Request(0, "client", 0, count) for count in (1, 2))


def site(node, used_mb, nodes=3, faults=None, **numbers):
    return Site(
        memory_of(used_mb), node, nodes, page_faults=faults, parameters={**NUMBERS, **numbers}
    )


def over(used_mb, **given):
    """A client on node 0 that has begun to average, of more than its 32 MB."""
    client = SlabClient(site(0, used_mb, **given))
    assert client.process_placed(Placed(1, 0, 1, None), 0) == [StartProcess(1)]
    assert client.memory_changed(0) == [RATES]
    return client


def stated(offer_mb, keeps_mb=4):
    return FreeReply(LoadReport((offer_mb + keeps_mb) * MB, 1), offer_mb * MB, FIRST)


def borrowing(used_mb=36):
    """A client on node 0 that has bound its first slab, to node 2, and seeks another if need be."""
    client = over(used_mb)
    client.timer("page rates", S)
    client.receive(1, stated(5), S)
    client.receive(2, stated(9), S)
    return client, client.receive(2, SlabReply(2 * MB, FIRST), S)


# The client


def test_a_slab_is_bound_when_its_average_of_pages_passes_hot_slab():
    """O is two slabs, so each has half of the node's pages: 112 a second make 56, and on average
    56 · 0.2 = 11.2 after a second, 11.2 + (56 - 11.2) · 0.2 = 20.16 after two.
    """
    pages = iter([1000, 1112, 1224])
    client = over(36, faults=lambda: next(pages))
    assert client.timer("page rates", S) == [RATES]
    assert client.activity == pytest.approx(11.2)
    asked = [Send(1, FreeQuery(FIRST)), Send(2, FreeQuery(FIRST))]
    assert client.timer("page rates", 2 * S) == [*asked, RATES]
    assert client.activity == pytest.approx(20.16)


def test_the_server_that_has_more_is_asked_and_then_another_for_the_next_slab():
    client = over(36)
    client.timer("page rates", S)
    assert client.receive(1, stated(5), S) == []
    [decided, ask] = client.receive(2, stated(9), S)
    assert (decided.chosen, ask) == (2, Send(2, SlabRequest(2 * MB, FIRST)))
    # Node 1 alone lends it nothing, so both are asked.
    again = [Send(1, FreeQuery(SECOND)), Send(2, FreeQuery(SECOND))]
    assert client.receive(2, SlabReply(2 * MB, FIRST), S) == again
    assert client.memory.loans == {2: 2 * MB}


def test_it_decides_about_one_slab_by_loads_of_which_servers_keep_some():
    client = over(40)  # lacks four slabs of 2 MB, and asks for one after another
    client.timer("page rates", S)
    client.receive(1, stated(5), S)
    [decided, _] = client.receive(2, stated(3, keeps_mb=9), S)  # has more, and offers less
    assert (decided.chosen, decided.missing) == (1, 2 * MB)
    assert decided.believed == ((1, LoadReport(9 * MB, 1)), (2, LoadReport(12 * MB, 1)))
    # If node 1 had 2 MB less, it would offer 3, and be chosen for its number; of 3 less, no more.
    assert decided.again({1: LoadReport(7 * MB, 0), 2: LoadReport(12 * MB, 1)}) == 1
    assert decided.again({1: LoadReport(6 * MB, 0), 2: LoadReport(12 * MB, 1)}) == 2
    # Believed idle, with 32 - 9 = 23 MB, node 2 would offer more.
    assert decided.again({1: LoadReport(9 * MB, 1), 2: None}) == 2
    assert decided.again({1: LoadReport(5 * MB, 0), 2: LoadReport(10 * MB, 0)}) is None  # 1 MB each


def test_of_many_two_are_drawn_that_lend_it_nothing():
    client = over(34, nodes=64)
    client.memory.borrow(7, MB, Request(0, "client", 0, 9))
    [*asked, _] = client.timer("page rates", S)
    drawn = {send.target for send in asked}
    assert len(drawn) == 2
    assert not drawn & {0, 7}


def test_a_refusal_or_nobody_with_a_slab_leaves_it_on_disk_for_a_second():
    client = over(34)
    client.timer("page rates", S)
    client.receive(1, stated(1), S)
    [decided] = client.receive(2, stated(1), S)
    assert (decided.chosen, client.binding) == (None, None)
    assert client.timer("page rates", 2 * S)[0] == Send(1, FreeQuery(FIRST))
    client.receive(1, stated(1), S)
    client.receive(2, stated(9), S)
    assert client.receive(2, SlabReply(0, FIRST), S) == []
    assert client.memory.unmet == 2 * MB


def test_what_is_not_answered_in_two_seconds_is_given_up_and_a_late_slab_goes_back():
    client = over(34)
    client.timer("page rates", S)
    assert client.timer("page rates", 2 * S) == [RATES]
    again = [Send(1, FreeQuery(SECOND)), Send(2, FreeQuery(SECOND))]
    assert client.timer("page rates", 3 * S) == [*again, RATES]
    late = client.receive(1, SlabReply(2 * MB, FIRST), 3 * S)
    assert late == [Send(1, Done(2 * MB, FIRST))]


def test_a_client_says_how_busy_its_slabs_are_and_gives_up_what_is_evicted():
    client, _ = borrowing(34)
    asked = client.receive(2, ActivityQuery((FIRST, SECOND)), 2 * S)
    assert asked == [Send(2, ActivityReply((21.0, None), (FIRST, SECOND)))]  # hot_slab and 1
    assert client.receive(2, Evict(FIRST), 3 * S) == [Send(2, Done(2 * MB, FIRST))]
    assert client.memory.unmet == 2 * MB
    assert client.receive(2, Evict(FIRST), 4 * S) == []


def test_whole_slabs_go_back_that_are_not_needed_any_more():
    client, _ = borrowing(33)  # a slab of 2 MB for 1 MB
    assert client.memory_changed(2 * S) == []
    client.memory.resize(1, 32 * MB)
    assert client.memory_changed(3 * S) == [Send(2, Done(2 * MB, FIRST))]
    assert client.timer("page rates", 4 * S) == []


# The server


def lending(used_mb, *slabs, **numbers):
    """A server on node 2 that lends these slabs of 2 MB."""
    server = SlabServer(site(2, used_mb, **numbers))
    for slab in slabs:
        lends = [Send(slab.node, SlabReply(2 * MB, slab))]
        assert server.receive(slab.node, SlabRequest(2 * MB, slab), 0) == lends
    return server


def test_a_server_says_what_it_has_and_keeps_its_headroom():
    server = lending(25)  # of 32 MB, of which 4 stay free
    said = server.receive(0, FreeQuery(FIRST), 7)
    assert said == [Send(0, FreeReply(LoadReport(7 * MB, 7), 3 * MB, FIRST))]
    assert server.receive(0, SlabRequest(2 * MB, FIRST), 8) == [Send(0, SlabReply(2 * MB, FIRST))]
    refused = server.receive(0, SlabRequest(2 * MB, SECOND), 9)
    assert refused == [Send(0, SlabReply(0, SECOND))]
    assert server.receive(0, SlabRequest(2 * MB, FIRST), 9) == [Send(0, SlabReply(2 * MB, FIRST))]
    assert server.memory.lent == 2 * MB


def test_the_least_busy_slabs_are_evicted_when_the_average_leaves_too_little():
    """Three slabs of 2 MB and 16 MB used; then 26 are. After one second the average is
    16 + 10 · 0.2 = 18, after two 19.6, three 20.88, four 21.904, five 22.723: with 6 MB lent and 4
    of headroom that is 0.723 MB too much, or one slab.
    """
    other = Request(1, "client", 0, 1)
    server = lending(16, FIRST, SECOND, other)
    server.memory.resize(1, 26 * MB)
    assert server.memory_changed(0) == [USE]
    for second in range(1, 5):
        assert server.timer("use of memory", second * S) == [USE]
    assert server.timer("use of memory", 5 * S) == [
        Send(0, ActivityQuery((FIRST, SECOND))),
        Send(1, ActivityQuery((other,))),
        USE,
    ]
    assert server.receive(0, ActivityReply((30.0, 20.0), (FIRST, SECOND)), 5 * S) == []
    evicts = server.receive(1, ActivityReply((25.0,), (other,)), 5 * S)
    assert evicts == [Send(0, Evict(SECOND))]
    assert server.receive(0, Done(2 * MB, SECOND), 5 * S) == []
    assert (server.memory.lent, server.eviction) == (4 * MB, None)


def test_of_many_slabs_so_many_and_extra_more_are_drawn():
    slabs = [Request(0, "client", 0, count) for count in range(1, 11)]
    server = lending(1, *slabs, extra=2, weight=1)
    server.memory.resize(1, 13 * MB)  # 20 are lent and 4 are headroom: 5 too much, three slabs
    server.memory_changed(0)
    [query, _] = server.timer("use of memory", S)
    drawn = query.content.slabs
    assert (len(drawn), set(drawn) <= set(slabs)) == (5, True)


def test_a_slab_that_its_borrower_does_not_know_is_taken_back():
    server = lending(26, FIRST, weight=1)
    server.memory.resize(1, 28 * MB)
    server.memory_changed(0)
    server.timer("use of memory", S)
    assert server.receive(0, ActivityReply((None,), (FIRST,)), S) == []
    assert server.memory.lent == 0


def test_who_leaves_evicts_all():
    server = lending(0, FIRST)
    server.memory.withdrawn = True
    assert server.leaving(9 * S) == [Send(0, ActivityQuery((FIRST,))), USE]
    assert server.receive(0, ActivityReply((30.0,), (FIRST,)), 1) == [Send(0, Evict(FIRST))]


# The whole


@pytest.mark.parametrize(("nodes", "jobs"), [(2, 1), (3, 1)])
def test_it_keeps_all_rules_in_all_orders(nodes, jobs):
    """Averages are the last values: each other one would be another state."""
    averages = "INFINISWAP(slab_mb=2, weight=1)"
    found = search(Setting(averages, nodes, jobs, late_timers=True))
    assert found.whole
    assert found.finding is None
