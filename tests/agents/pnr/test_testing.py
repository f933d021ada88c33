"""The bench: servents without network, whose messages go by hand."""

import pytest

from agents.pnr.protocols.lease import lease
from agents.pnr.testing import Bench
from agents.pnr.wrappers.reliable import reliable
from topologies.managers.cli import cli
from topologies.managers.dp import dp
from topologies.managers.man import man


def kinds(bench):
    return [type(message.content).__name__ for message in bench.messages]


def test_a_job_borrows_and_gives_back_message_by_message():
    bench = Bench(man(3), ram=10)
    bench.place(1, {0: 14})
    assert kinds(bench) == ["RamRequest"]
    bench.deliver("RamRequest")
    assert bench.deliver("ServerRequest").amount == 4
    assert bench.started == []
    bench.settle()
    assert bench.started == [(0, 1)]
    assert bench.memory(0).borrowed == 4
    assert sum(bench.memory(node).lent for node in (1, 2)) == 4
    bench.end(1)
    bench.settle()
    assert [bench.memory(node).lent for node in range(3)] == [0, 0, 0]


def test_without_managers_a_process_starts_at_once():
    bench = Bench(dp(2))
    bench.place(1, {0: 14, 1: 2})
    assert (bench.started, bench.messages) == ([(0, 1), (1, 1)], [])


def test_clients_ask_their_own_manager_in_a_design_of_own_managers():
    bench = Bench(cli(2))
    bench.place(1, {1: 14})
    assert (bench.messages[0].sender, bench.messages[0].target) == (1, 1)


def test_a_message_that_is_taken_is_lost_or_arrives_twice():
    bench = Bench(reliable(man(2), repeat_after_s=1), ram=10)
    bench.place(1, {0: 14}, manager=1)
    first = bench.take("RamRequest")
    assert bench.messages == []
    bench.fire(0)  # nobody has acknowledged it
    assert bench.now_ns >= 10**9
    again = bench.take("RamRequest")
    assert again.content == first.content
    bench.arrive(again)
    bench.arrive(first)
    bench.settle()
    assert bench.started == [(0, 1)]
    assert bench.role(1, "manager").metrics.ignored == 1


def test_a_servent_that_is_down_hears_nothing_and_has_no_timers():
    bench = Bench(lease(2), ram=10)
    bench.place(1, {1: 14})
    bench.settle()
    assert bench.memory(0).lent == 4
    assert any(node == 0 for node, *_ in bench.timers)
    bench.crash(0)
    assert not any(node == 0 for node, *_ in bench.timers)
    bench.end(1)
    bench.settle()
    assert bench.memory(0).lent == 4
    bench.restart(0)
    bench.fire(0)  # what it lends is on a new lease, which ends
    assert bench.memory(0).lent == 0


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda bench: bench.take("RamGrant"), "no RamGrant is on its way; there are: RamRequest"),
        (lambda bench: bench.fire(0), "node 0 has set no timer"),
        (lambda bench: bench.settle(most=1), "after 1 messages there is still one on its way"),
    ],
)
def test_what_is_not_there_is_told(call, complaint):
    bench = Bench(man(3))
    bench.place(1, {0: 14})
    with pytest.raises(AssertionError, match=complaint):
        call(bench)
