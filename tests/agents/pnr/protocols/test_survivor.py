"""SURVIVOR: leases, epochs and a ledger that is enough to know everything from."""

import pytest

from agents.pnr.messages import Placed, Request
from agents.pnr.protocols.survivor import (
    Borrowing,
    Lending,
    LoanRequest,
    Survivor,
    Witness,
    survivor,
)
from agents.pnr.role import CancelTimer, Send, SetTimer, Site, StartProcess
from model.pnr.explore.narrator import retrace
from model.pnr.explore.search import search
from model.pnr.explore.setting import Setting
from model.pnr.scenario import make_scenario
from model.systems import run
from tests.agents.pnr.memory import MB, memory_of

S = 10**9
NUMBERS = {"servers": 16, "answer_s": 1, "check_s": 120, "lease_s": 900, "lost_s": 1800}
FIRST = Request(1, "client", 0, 2)  # the client's first question; request 1 is the process's
SECOND = Request(1, "client", 0, 3)
ANSWER = "no answer for request 1"
LEASE = "lease for request 0.2"
LOST = "node 1 for request 0.2"
WATCH = SetTimer(LOST, 1800 * S)
CHECK = SetTimer("check", 120 * S)
JOB = Placed(1, 0, 1, None)


def site(node, used_mb, nodes=3, **numbers):
    return Site(memory_of(used_mb), node, nodes, parameters={**NUMBERS, **numbers})


def asking(nodes=3, **numbers):
    """A client on node 1 that asks for the 8 MB that its job 1 lacks, and whom it has asked."""
    borrower = Survivor(site(1, 40, nodes, **numbers))
    [ask, timer] = borrower.process_placed(JOB, 0)
    assert ask.content == LoanRequest(1, 0, 8 * MB, FIRST)
    assert timer == SetTimer(ANSWER, 1 * S)
    return borrower, ask.target


def borrowing():
    """A client on node 1 that borrows 8 MB, and from whom."""
    borrower, server = asking()
    assert borrower.receive(server, Lending(8 * MB, True, FIRST), 1) == [
        SetTimer(LEASE, 900 * S),
        CancelTimer(ANSWER),
        StartProcess(1),
    ]
    return borrower, server


def lending():
    """A server on node 2 that lends 8 MB to node 1."""
    lender = Witness(site(2, 0))
    assert lender.receive(1, LoanRequest(1, 0, 8 * MB, FIRST), 0) == [
        CHECK,
        WATCH,
        Send(1, Lending(8 * MB, True, FIRST, job=1)),
    ]
    return lender


# The client


def test_what_one_server_does_not_have_the_next_is_asked_for():
    borrower, server = asking()
    other = 2 - server  # of nodes 0 and 2
    assert borrower.receive(server, Lending(5 * MB, True, FIRST), 1) == [
        SetTimer(LEASE, 900 * S),
        Send(other, LoanRequest(1, 0, 3 * MB, SECOND)),
        SetTimer(ANSWER, 1 * S),
    ]
    assert borrower.receive(other, Lending(0, True, SECOND), 2) == [
        CancelTimer(ANSWER),
        StartProcess(1),
    ]
    assert (borrower.memory.loans, borrower.memory.asked) == ({server: 5 * MB}, {})


def test_who_does_not_answer_is_told_that_nothing_is_borrowed_and_another_is_asked():
    borrower, server = asking()
    assert borrower.timer(ANSWER, 1 * S) == [
        Send(server, Borrowing(0, FIRST)),
        Send(2 - server, LoanRequest(1, 0, 8 * MB, SECOND)),
        SetTimer(ANSWER, 1 * S),
    ]
    # The answer that comes too late is not taken any more.
    assert borrower.receive(server, Lending(8 * MB, True, FIRST), 2 * S) == [
        Send(server, Borrowing(0, FIRST))
    ]
    assert borrower.timer(ANSWER, 3 * S)[1:] == [CancelTimer(ANSWER), StartProcess(1)]
    assert borrower.memory.borrowed == 0


def test_it_asks_only_so_many_servers():
    borrower, server = asking(9, servers=1)
    refused = borrower.receive(server, Lending(0, True, FIRST), 1)
    assert refused == [CancelTimer(ANSWER), StartProcess(1)]


@pytest.mark.parametrize("renews", [True, False])
def test_a_check_is_answered_and_renews_the_lease_if_the_one_before_was_answered(renews):
    borrower, server = borrowing()
    assert borrower.receive(server, Lending(8 * MB, renews, FIRST), 9) == [
        *[SetTimer(LEASE, 900 * S)] * renews,
        Send(server, Borrowing(8 * MB, FIRST)),
    ]


def test_a_loan_whose_lease_is_over_is_dropped():
    borrower, server = borrowing()
    assert borrower.timer(LEASE, 900 * S) == [
        CancelTimer(LEASE),
        Send(server, Borrowing(0, FIRST)),
    ]
    assert borrower.memory.unmet == 8 * MB


def test_a_loan_of_which_the_server_knows_nothing_is_dropped_in_silence():
    borrower, server = borrowing()
    assert borrower.receive(server, Lending(0, True, FIRST), 9) == [CancelTimer(LEASE)]
    assert borrower.memory.unmet == 8 * MB


def test_what_is_left_of_a_loan_is_reported_after_the_end_of_a_process():
    borrower, server = borrowing()
    borrower.memory.allocate(2, 0)
    borrower.memory.resize(1, 35 * MB)
    assert borrower.process_ended(JOB, 5) == [Send(server, Borrowing(3 * MB, FIRST))]
    borrower.memory.free(1)
    assert borrower.process_ended(JOB, 6) == [
        CancelTimer(LEASE),
        Send(server, Borrowing(0, FIRST)),
    ]


def test_after_a_crash_a_client_reports_what_its_ledger_has_and_is_done_with_all_else():
    borrower, server = borrowing()
    again = Survivor(borrower.site)
    again.validate()
    assert again.start(5) == [
        Send(server, Borrowing(8 * MB, FIRST)),
        SetTimer(LEASE, 900 * S),
    ]
    # A question from before the crash is answered: nobody asks any more.
    assert again.receive(0, Lending(MB, True, SECOND), 6) == [Send(0, Borrowing(0, SECOND))]


# The server


def test_a_repeated_question_gets_the_first_answer():
    lender = lending()
    again = lender.receive(1, LoanRequest(1, 0, 9 * MB, FIRST), 9)
    assert again == [Send(1, Lending(8 * MB, True, FIRST, job=1))]


def test_who_has_nothing_lends_nothing_and_watches_nothing():
    lender = Witness(site(2, 32))
    refused = lender.receive(1, LoanRequest(1, 0, 8 * MB, FIRST), 9)
    assert refused == [Send(1, Lending(0, True, FIRST, job=1))]


def test_a_check_renews_only_after_an_answer():
    lender = lending()
    assert lender.timer("check", 120 * S) == [Send(1, Lending(8 * MB, True, FIRST)), CHECK]
    assert lender.timer("check", 240 * S) == [Send(1, Lending(8 * MB, False, FIRST)), CHECK]
    assert lender.receive(1, Borrowing(8 * MB, FIRST), 250 * S) == [WATCH]
    assert lender.timer("check", 360 * S) == [Send(1, Lending(8 * MB, True, FIRST)), CHECK]


def test_it_takes_back_what_is_no_longer_borrowed_and_nothing_twice():
    lender = lending()
    assert lender.receive(1, Borrowing(3 * MB, FIRST), 5) == [WATCH]
    assert lender.receive(1, Borrowing(3 * MB, FIRST), 6) == [WATCH]
    assert lender.memory.lent == 3 * MB
    over = lender.receive(1, Borrowing(0, FIRST), 7)
    assert over == [CancelTimer("check"), CancelTimer(LOST)]
    assert lender.receive(1, Borrowing(0, FIRST), 8) == []


def test_who_claims_a_loan_that_is_over_is_told_so():
    lender = Witness(site(2, 0))
    assert lender.receive(1, Borrowing(3 * MB, FIRST), 5) == [Send(1, Lending(0, True, FIRST))]


def test_a_node_of_which_nothing_is_heard_is_presumed_lost():
    lender = lending()
    assert lender.timer(LOST, 1800 * S) == [CancelTimer("check"), CancelTimer(LOST)]
    assert lender.memory.lent == 0


def test_after_a_crash_a_server_checks_what_it_lends_and_renews_nothing_before_an_answer():
    again = Witness(lending().site)
    assert again.start(5) == [WATCH, CHECK]
    assert again.timer("check", 120 * S) == [Send(1, Lending(8 * MB, False, FIRST)), CHECK]


# The whole

FAULTS = [{}, {"losses": 1}, {"duplicates": 1}]


@pytest.mark.parametrize("faults", FAULTS, ids=str)
def test_it_keeps_all_rules_in_all_orders(faults):
    found = search(Setting("SURVIVOR", 3, 1, late_timers=True, **faults))
    assert found.whole
    assert found.finding is None


def test_it_keeps_all_rules_whenever_a_servent_crashes():
    found = search(Setting("SURVIVOR(lost_s=none)", 3, 1, crashes=1, late_timers=True))
    assert found.whole
    assert found.finding is None


def test_a_client_drops_what_it_borrows_before_the_server_presumes_that_it_is_lost():
    """The fourth lost check in a row; `presumes_too_soon` shows that it comes so far."""
    short = "SURVIVOR(check_s=4, lease_s=7, lost_s=16)"
    found = search(Setting(short, 3, 1, losses=4, late_timers=True))
    assert found.whole
    assert found.finding is None


def test_who_presumes_too_soon_is_told_so():
    with pytest.raises(ValueError, match="lost_s is 1000; take more than 1020"):
        survivor(3, lost_s=1000)


def presumes_too_soon(nodes):
    """Its server presumes a loss before the client drops what it borrows."""
    graph = survivor(nodes, check_s=4, lease_s=7, lost_s=16)
    graph.graph |= {"name": "PRESUMES-TOO-SOON", "lease_s": 17}
    return graph


def test_a_server_that_presumes_so_too_soon_is_found():
    too_soon = Setting(f"{__file__}:presumes_too_soon", 3, 1, losses=4, late_timers=True)
    finding = search(too_soon).finding
    assert "are borrowed, but it lends" in finding.complaint
    assert retrace(too_soon, finding.path) == finding


@pytest.mark.parametrize("restart_s", [600, None])
def test_whatever_fails_all_jobs_end_and_all_memory_comes_back(restart_s):
    jobs = [{"processes": 2, "memory_mb": 40, "demand_s": 1000, "submit_s": s} for s in (0, 100)]
    faults = [
        {"kind": "loss", "rate": 0.3},
        {"kind": "servent", "mtbf_s": 3000, "mttr_s": 30},
        {"kind": "node", "nodes": [1], "from_s": 500, "restart_s": restart_s},
        {"kind": "partition", "from_s": 200, "until_s": 1800, "groups": [[0, 1]], "oneway": True},
    ]
    scenario = make_scenario(nodes=6, job=jobs, fault=faults, page_bytes=2**20, barrier_s=100)
    ran = run(scenario, "SURVIVOR", plane="compiled", check=True)
    assert (ran.faults.lost != {}, ran.stuck) == (True, 0)
    assert all(job.end_ns is not None for job in ran.jobs)
    assert [(node.memory.lent, node.memory.borrowed) for node in ran.nodes] == [(0, 0)] * 6
