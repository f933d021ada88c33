"""PROBEd: whom a client asks how much it has, whom for a loan, and when its process starts."""

from collections import Counter

import pytest

from agents.pnr.client import Answer
from agents.pnr.messages import LoadReport, Placed, RamGrant, Request, ServerRelease, ServerRequest
from agents.pnr.protocol import Send, SetTimer, Site, StartProcess
from agents.pnr.protocols.probe import (
    Lender,
    LoadQuery,
    LoadReply,
    LoanReply,
    Prober,
)
from model.ground.errors import InputError
from model.pnr.scenario import make_scenario
from model.systems import run
from tests.agents.pnr.effects import deeds
from tests.agents.pnr.memory import MB, memory_of

THRESHOLD = 1 * MB  # what a server never lends


def prober(used_mb=42, nodes=8, node=0, d=2, rounds=8, **site):
    """A client on a node of 32 MB where job 1 holds so much: with 42 MB, 10 are missing."""
    parameters = {"d": d, "rounds": rounds}
    return Prober(
        Site(memory_of(used_mb), node, nodes, threshold=THRESHOLD, parameters=parameters, **site)
    )


def own(count):
    """The id of what this client asked as its so manyth; its process's request is the first.

    Releases are counted by themselves.
    """
    return Request(0, "client", 0, count)


def placed(client, job=1, now_ns=0):
    """A process is placed; gives whom the client asks how much they have, in this order."""
    asks = client.process_placed(Placed(job, 3, 1, None), now_ns)
    return [ask.target for ask in asks if isinstance(ask, Send)], asks


def has(client, server, load_mb, count, now_ns=0):
    """A server says its load in the round that was asked as so manyth."""
    word = LoadReport(load_mb * MB, now_ns)
    return deeds(client.receive(server, LoadReply(1, 3, word, own(count)), now_ns))


def lends(client, server, size_mb, count, left_mb=0):
    word = LoadReport(left_mb * MB, 0)
    return deeds(client.receive(server, LoanReply(1, size_mb * MB, word, own(count)), 0))


def ask(server, size_mb, count):
    return Send(server, ServerRequest(1, size_mb * MB, own(count)))


def queries(servers, count):
    return [Send(server, LoadQuery(1, 3, own(count))) for server in servers]


# A process is placed


def test_a_process_that_lacks_nothing_starts_at_once():
    client = prober(used_mb=32)
    assert client.process_placed(Placed(1, 3, 1, None), 0) == [StartProcess(1, rank=3)]
    assert client.memory.asked == {}


def test_of_as_many_servents_as_it_has_choices_all_are_asked_at_once_how_much_they_have():
    client = prober(d=3)
    drawn, asks = placed(client)
    assert len(set(drawn)) == 3
    assert 0 not in drawn  # never itself
    assert asks == queries(drawn, 2)  # one id for the whole round
    assert client.memory.asked == {own(1): 10 * MB}
    client.validate()


def test_draws_depend_on_seed_node_and_request_and_are_as_likely_for_every_other_servent():
    first = Counter(placed(prober(d=1, nodes=4, node=2, seed=n))[0][0] for n in range(900))
    # 300 each, with standard deviation sqrt(900 * 1/3 * 2/3) = 14.1; 4 of them are 57.
    assert sorted(first) == [0, 1, 3]
    assert all(abs(count - 300) < 57 for count in first.values())
    assert placed(prober(seed=5))[0] == placed(prober(seed=5))[0]


# A round


def test_the_best_is_asked_for_what_is_missing_once_all_have_answered():
    client = prober()
    (a, b), _ = placed(client)
    assert has(client, a, 12, 2) == []
    assert has(client, b, 20, 2) == [ask(b, 10, 3)]
    client.validate()


def test_nobody_is_asked_for_more_than_it_has_above_the_threshold_and_then_comes_the_next_best():
    client = prober(d=3)
    (a, b, c), _ = placed(client)
    has(client, a, 3, 2)
    has(client, b, 1, 2)  # no more than the threshold: it has nothing to lend
    assert has(client, c, 7, 2) == [ask(c, 7 - 1, 3)]
    assert lends(client, c, 6, 3) == [ask(a, 3 - 1, 4)]
    # 10 - 6 - 2 = 2 MB are missing and nobody is left: the next round, of three others.
    drawn = lends(client, a, 2, 4)
    assert drawn == queries([send.target for send in drawn], 5)
    assert not {send.target for send in drawn} & {0, a, b, c}


def test_of_two_that_have_as_much_the_lower_node_is_asked():
    client = prober()
    (a, b), _ = placed(client)
    has(client, a, 20, 2)
    assert has(client, b, 20, 2) == [ask(min(a, b), 10, 3)]


def test_a_server_that_has_less_by_now_is_not_asked_twice_in_a_round():
    client = prober()
    (a, b), _ = placed(client)
    has(client, a, 20, 2)
    has(client, b, 2, 2)
    assert lends(client, a, 4, 3) == [ask(b, 1, 4)]
    assert all(send.target not in (a, b) for send in lends(client, b, 0, 4))


def test_what_is_granted_is_borrowed_at_once_and_no_longer_asked_for():
    client = prober()
    (a, b), _ = placed(client)
    has(client, a, 7, 2)
    has(client, b, 0, 2)
    lends(client, a, 6, 3)
    assert client.memory.loans_for == {a: {own(3): 6 * MB}}
    assert client.memory.asked == {own(1): 4 * MB}
    assert client.memory.missing == 0
    client.validate()


# The rounds


def test_no_servent_is_drawn_twice_until_all_were_then_they_are_drawn_afresh():
    client = prober(nodes=6, d=2, rounds=5)
    drawn, _ = placed(client)
    rounds = [drawn]
    for count in range(2, 6):
        has(client, drawn[0], 0, count)
        drawn = [send.target for send in has(client, drawn[1], 0, count)]
        rounds.append(drawn)
    flat = [server for drawn in rounds for server in drawn]
    assert sorted(flat[:5]) == [1, 2, 3, 4, 5]
    # The third round begins afresh after its first draw, which counts as drawn.
    assert sorted(flat[4:9]) == [1, 2, 3, 4, 5]
    assert all(len(set(drawn)) == 2 for drawn in rounds)


def test_after_the_last_round_the_process_starts_with_what_it_got():
    client = prober(d=1, rounds=2)
    [a], _ = placed(client, now_ns=100)
    has(client, a, 5, 2)
    [again] = lends(client, a, 4, 3)
    assert has(client, again.target, 0, 4, now_ns=900) == [StartProcess(1, rank=3)]
    assert client.metrics.answers == [Answer(need=10 * MB, granted=4 * MB, waited_ns=800)]
    assert (client.memory.asked, client.probes, client.serves) == ({}, {}, {})


def test_two_processes_on_a_node_are_served_side_by_side():
    client = prober(d=1)
    [a], _ = placed(client)
    client.memory.allocate(2, 5 * MB)
    [b], asks = placed(client, job=2)
    assert asks == [Send(b, LoadQuery(2, 3, own(4)))]
    assert client.memory.asked == {own(1): 10 * MB, own(3): 5 * MB}
    assert has(client, b, 20, 4) == [Send(b, ServerRequest(2, 5 * MB, own(5)))]
    assert has(client, a, 20, 2) == [ask(a, 10, 6)]
    assert lends(client, b, 5, 5) == [StartProcess(2, rank=3)]
    assert lends(client, a, 10, 6) == [StartProcess(1, rank=3)]


TIMER = SetTimer("no grant for request 1", 500)


def test_a_process_waits_no_longer_than_it_may_but_the_search_goes_on_for_its_node():
    client = prober(d=1, grant_timeout_ns=500)
    [a], asks = placed(client)
    assert asks == [*queries([a], 2), TIMER]
    assert client.timer(TIMER.name, 500) == [StartProcess(1, rank=3)]
    has(client, a, 20, 2)
    assert lends(client, a, 10, 3) == []
    assert client.memory.loans == {a: 10 * MB}


# What nobody expects


def test_repeated_late_and_strange_answers_are_ignored_and_counted():
    client = prober()
    (a, b), _ = placed(client)
    [stranger, *_] = {1, 2, 3} - {a, b}
    has(client, a, 20, 2)
    for answer in (has(client, a, 30, 2), has(client, stranger, 30, 2), has(client, b, 30, 9)):
        assert answer == []
    assert lends(client, a, 10, 9) == []
    assert client.receive(a, RamGrant(1, 3, (), own(1)), 0) == []
    has(client, b, 0, 2)
    assert has(client, b, 0, 2) == []  # when the round is over
    lends(client, a, 10, 3)
    assert lends(client, a, 10, 3) == []
    assert (client.metrics.ignored, client.memory.loans) == (7, {a: 10 * MB})


# The end


def borrower():
    """A client that borrows 6 MB of one server, which has 1 MB left, and 4 of another, with 9."""
    client = prober()
    (a, b), _ = placed(client)
    has(client, a, 7, 2)
    has(client, b, 5, 2)
    lends(client, a, 6, 3, left_mb=1)
    lends(client, b, 4, 4, left_mb=9)
    return client, a, b


def ended(client):
    client.memory.free(1)
    return client.process_ended(Placed(1, 3, 1, None), 0)


def test_at_the_end_servers_are_told_directly_the_most_loaded_first():
    client, a, b = borrower()
    assert ended(client) == [
        Send(a, ServerRelease(1, 6 * MB, ((own(3), 6 * MB),), own(1))),
        Send(b, ServerRelease(1, 4 * MB, ((own(4), 4 * MB),), own(2))),
    ]
    assert client.memory.borrowed == 0


# The server


def test_a_server_says_its_load_lends_down_to_its_threshold_and_takes_back_in_silence():
    memory = memory_of(20)
    server = Lender(Site(memory, threshold=THRESHOLD))
    replies = server.receive(5, LoadQuery(1, 3, own(2)), 70)
    assert replies == [Send(5, LoadReply(1, 3, LoadReport(12 * MB, 70), own(2)))]
    # 12 MB are free, of which one is never lent.
    replies = server.receive(5, ServerRequest(1, 15 * MB, own(3)), 80)
    assert replies == [Send(5, LoanReply(1, 11 * MB, LoadReport(1 * MB, 80), own(3)))]
    assert server.receive(5, ServerRelease(1, 4 * MB, ((own(3), 4 * MB),)), 90) == []
    assert memory.lent == 7 * MB


# The design


@pytest.mark.parametrize(
    ("name", "nodes", "take"),
    [("PROBE0", 8, "PROBE1 to PROBE7"), ("PROBE8", 8, "PROBE1 to PROBE7"), ("PROBE", 1, "more")],
)
def test_a_client_probes_at_least_one_and_no_more_than_all_others(name, nodes, take):
    with pytest.raises(InputError, match=rf"^{name}: \d choices do not fit .*: take {take}"):
        run(make_scenario(nodes=nodes, job=[{"processes": 1, "memory_mb": 1, "demand_s": 1}]), name)
