"""The journals of all nodes become one that says what is so."""

import math

from agents.messages import Message
from agents.pnr.messages import LoadReport, RamGrant
from model.core.journal.kinds import Decided
from model.core.journal.writer import Journal
from model.ground.clock import Clock
from model.live.journal import Merger, NodeJournal


def journal():
    """A journal, its records and its clock."""
    clock, records = Clock(), []
    return Journal(clock, [records.append]), records, clock


def merged(records, rams):
    merger = Merger(rams)
    merger.add(records)
    return [*merger.until(math.inf)]


def message(source, target, number):
    return Message(source, target, number, RamGrant(1, 0, (), 1), 64, 0)


def test_what_a_dead_node_never_took_is_lost():
    writes, records, clock = journal()
    first, second = message(0, 1, 1), message(0, 1, 2)
    clock.now_ns = 10
    writes.sent(first)
    writes.sent(second)
    clock.now_ns = 12
    writes.delivered(first)
    clock.now_ns = 20
    writes.failed("crashed", 1, "node")
    found = [(r.time_ns, r.kind, r.id & 3) for r in merged(records, [100, 100])]
    assert found == [
        (10, "sent", 1),
        (10, "sent", 2),
        (12, "delivered", 1),
        (20, "crashed", 1),
        (20, "lost", 2),
    ]


class Choice:
    """A decision of node 0 between itself and node 1, of which it knows nothing."""

    search, missing, chosen, groups, rams, again = (1,), 50, 1, {}, None, None
    believed = ((0, LoadReport(70, 0)), (1, None))


def test_decisions_say_what_was_true_by_the_journals_of_others():
    writes, records, clock = journal()
    writes.loan(1, "lent", 30, None)
    clock.now_ns = 5
    writes.decided(0, "manager", Choice, {0: 0, 1: 0})
    *_, decided = merged(records, [100, 100])
    assert '"0":[70,0,100]' in decided.payload
    assert '"1":[null,null,70]' in decided.payload


def test_a_node_that_has_died_has_no_free_memory():
    writes, records, _ = journal()
    writes.failed("crashed", 1, "node")
    writes.decided(0, "manager", Choice, {0: 0, 1: 0})
    *_, decided = merged(records, [100, 100])
    assert Decided.contents(decided.payload).candidates[1].true == 0


def test_later_decisions_of_a_search_say_what_has_become_true_of_others():
    """Node 0 does not see that node 1 lends 30 bytes meanwhile, of which it has heard nothing."""
    clock, records = Clock(), []
    manager, server = (NodeJournal(clock, records, "all", 0) for _ in range(2))
    manager.decided(0, "manager", Choice, {0: 0, 1: 0})
    clock.now_ns = 5
    server.loan(1, "lent", 30, None)
    clock.now_ns = 9
    manager.decided(0, "manager", Choice, {0: 0, 1: 0})
    *_, later = merged(records, [100, 100])
    assert (later.time_ns, Decided.contents(later.payload).candidates[1].true) == (9, 100 - 30)
