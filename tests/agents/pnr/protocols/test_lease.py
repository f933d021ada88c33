"""LEASE: pushed loads, and loans that end by themselves."""

from itertools import cycle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.pnr.messages import (
    LoadReport,
    Loan,
    Placed,
    RamGrant,
    ReleaseAck,
    Request,
    ServerRelease,
    ServerReply,
    ServerRequest,
)
from agents.pnr.protocols.lease import (
    Broker,
    LeasingClient,
    LeasingServer,
    LoadPush,
    Renew,
    RenewAck,
)
from agents.pnr.role import CancelTimer, Send, SetTimer, Site, StartProcess
from model.pnr.scenario import make_scenario
from model.systems import run
from tests.agents.pnr.memory import MB, RAM, memory_of
from tests.journaled import journaled

S = 10**9
LENT = Request(0, "manager", 0, 1)  # the broker's request, for which a server lends
ALSO = Request(0, "manager", 0, 2)
NUMBERS = {"lease_s": 600, "renew_at": 0.5, "push_share": 0.05}
AT_SERVER = "lease for manager 0.0, request 1"
AT_CLIENT = "lease of server 3 for manager 0.0, request 1"


def site(node, used_mb):
    return Site(memory_of(used_mb), node, 4, parameters=NUMBERS)


def server():
    """A server on node 3 that lends 8 MB, on a lease that began at 0."""
    lender = LeasingServer(site(3, 0))
    lender.receive(0, ServerRequest(1, 8 * MB, LENT), 0)
    return lender


def client(granted_s=0, *loans):
    """A client on node 1 that asked at 0 for the 8 MB that its job 1 lacks, and was granted them.

    Loans are (server, MB, request); by default node 3 lends all.
    """
    borrower = LeasingClient(site(1, 40))
    assert len(borrower.process_placed(Placed(1, 0, 1, 0), 0)) == 1
    return borrower, grant(borrower, granted_s, *(loans or [(3, 8, LENT)]))


def grant(borrower, granted_s, *loans, job=1):
    [request] = borrower.asking
    said = tuple(Loan(node, size_mb * MB, LoadReport(0, 0)) for node, size_mb, _ in loans)
    lent_for = tuple(lent for *_, lent in loans)
    return borrower.receive(0, RamGrant(job, 0, said, request, lent_for), granted_s * S)


# The broker


def test_the_broker_believes_what_servers_push():
    broker = Broker(site(0, 0))
    assert broker.receive(3, LoadPush(LoadReport(5 * MB, 7)), 9) == []
    assert broker.receive(3, LoadPush(LoadReport(6 * MB, 6)), 9) == []  # stated before, heard later
    assert broker.believed(3) == 5 * MB


@pytest.mark.parametrize(
    ("used_mb", "told"),
    [(1, False), (1.6, False), (1.7, True), (8, True), (40, True)],  # 5 % of 32 MB are 1.6 MB
)
def test_a_server_pushes_its_load_once_it_has_moved_by_more_than_a_share_of_ram(used_mb, told):
    lender = LeasingServer(site(3, 0))
    lender.memory.allocate(2, int(used_mb * MB))
    push = Send(0, LoadPush(LoadReport(RAM - int(used_mb * MB), 7)))
    assert lender.memory_changed(7) == [push] * told
    assert lender.memory_changed(8) == []


def test_movements_add_up_since_the_last_push():
    lender = LeasingServer(site(3, 0))
    lender.memory.allocate(2, MB)
    assert lender.memory_changed(7) == []
    lender.memory.allocate(3, MB)
    assert lender.memory_changed(8) == [Send(0, LoadPush(LoadReport(30 * MB, 8)))]
    lender.memory.free(2)
    assert lender.memory_changed(9) == []


# The server


def test_a_server_lends_for_600_s_and_takes_back_in_the_nanosecond_after():
    lender = LeasingServer(site(3, 0))
    assert lender.receive(0, ServerRequest(1, 8 * MB, LENT), 5) == [
        Send(0, ServerReply(1, 8 * MB, LoadReport(24 * MB, 5), LENT)),
        SetTimer(AT_SERVER, 600 * S + 1),
    ]
    assert lender.timer(AT_SERVER, 5 + 600 * S + 1) == [CancelTimer(AT_SERVER)]
    assert (lender.memory.lent, lender.until) == (0, {})


def test_a_renewal_extends_the_lease_from_when_it_is_received():
    lender = server()
    assert lender.receive(1, Renew(LENT), 301 * S) == [
        Send(1, RenewAck(LENT, 901 * S)),
        SetTimer(AT_SERVER, 600 * S + 1),
    ]


def test_what_is_released_has_no_lease_any_more():
    lender = server()
    part = lender.receive(0, ServerRelease(1, 3 * MB, ((LENT, 3 * MB),), ALSO), 5)
    assert part == [Send(0, ReleaseAck(1, LoadReport(27 * MB, 5), ALSO))]  # 5 MB still are on lease
    later = ALSO._replace(count=ALSO.count + 1)
    rest = lender.receive(0, ServerRelease(1, 5 * MB, ((LENT, 5 * MB),), later), 6)
    assert rest == [Send(0, ReleaseAck(1, LoadReport(RAM, 6), later)), CancelTimer(AT_SERVER)]


def test_a_renewal_or_a_release_after_the_lease_changes_nothing():
    lender = server()
    lender.timer(AT_SERVER, 600 * S + 1)
    assert lender.receive(1, Renew(LENT), 700 * S) == []
    assert lender.metrics.ignored == 1
    release = ServerRelease(1, 8 * MB, ((LENT, 8 * MB),), ALSO)
    assert lender.receive(0, release, 701 * S) == [
        Send(0, ReleaseAck(1, LoadReport(RAM, 701 * S), ALSO))
    ]


def test_after_a_crash_a_server_lends_on_new_leases():
    again = LeasingServer(server().site)
    again.validate()
    assert again.start(100 * S) == [SetTimer(AT_SERVER, 600 * S + 1)]
    again.validate()


# The client


def test_a_client_counts_from_when_it_asked_and_renews_at_half():
    _, effects = client(granted_s=2)
    assert effects == [StartProcess(1), SetTimer(AT_CLIENT, 298 * S)]


def test_a_client_renews_then_waits_for_the_confirmation_until_the_end():
    borrower, _ = client()
    assert borrower.timer(AT_CLIENT, 300 * S) == [
        Send(3, Renew(LENT)),
        SetTimer(AT_CLIENT, 300 * S),
    ]
    # Half of the time that is then confirmed is over at 901 - 300 = 601 s.
    assert borrower.receive(3, RenewAck(LENT, 901 * S), 302 * S) == [SetTimer(AT_CLIENT, 299 * S)]


def test_what_is_not_confirmed_in_time_is_on_disk_from_then_on():
    borrower, _ = client(0, (3, 5, LENT), (2, 3, ALSO))
    borrower.timer(AT_CLIENT, 300 * S)
    assert borrower.timer(AT_CLIENT, 600 * S) == [CancelTimer(AT_CLIENT)]
    assert (borrower.memory.loans, borrower.memory.unmet) == ({2: 3 * MB}, 5 * MB)
    # The confirmation comes too late.
    assert borrower.receive(3, RenewAck(LENT, 901 * S), 601 * S) == []
    assert borrower.metrics.ignored == 1


def test_of_two_loans_of_one_server_only_the_one_whose_lease_is_over_is_dropped():
    borrower, _ = client()
    borrower.memory.allocate(2, 2 * MB)
    borrower.process_placed(Placed(2, 0, 1, 0), 10 * S)
    later = grant(borrower, 10, (3, 2, ALSO), job=2)
    name = "lease of server 3 for manager 0.0, request 2"
    assert later == [StartProcess(2), SetTimer(name, 300 * S)]
    borrower.timer(AT_CLIENT, 600 * S)
    assert borrower.memory.loans_for == {3: {ALSO: 2 * MB}}


def test_an_older_or_unknown_confirmation_is_ignored():
    borrower, _ = client()
    assert borrower.receive(3, RenewAck(LENT, 600 * S), 1) == []
    assert borrower.receive(2, RenewAck(LENT, 900 * S), 1) == []
    assert borrower.metrics.ignored == 2


def test_a_grant_that_comes_after_its_lease_is_not_used():
    borrower, effects = client(granted_s=600)
    assert effects == [StartProcess(1)]
    assert borrower.memory.borrowed == 0


def test_what_is_given_back_is_not_renewed():
    borrower, _ = client()
    borrower.memory.free(1)
    [notice, cancelled] = borrower.process_ended(Placed(1, 0, 1, 0), 5 * S)
    assert (notice.content.amount, cancelled) == (8 * MB, CancelTimer(AT_CLIENT))
    assert borrower.until == {}


def test_after_a_crash_a_client_uses_no_memory_whose_lease_it_does_not_know():
    borrower, _ = client()
    again = LeasingClient(borrower.site)
    assert again.start(5) == []
    assert (again.memory.borrowed, again.memory.unmet) == (0, 8 * MB)


@given(
    way_s=st.lists(st.sampled_from([0, 1, 200, 299, 300, 301, 700]), min_size=1, max_size=6),
    lost=st.lists(st.booleans(), min_size=1, max_size=6),
)
@settings(max_examples=300)
def test_never_is_more_borrowed_than_lent_whatever_is_late_or_lost(way_s, lost):
    """Grant, renewals and confirmations take so long each, or never come."""
    lender, borrower = server(), LeasingClient(site(1, 40))
    borrower.process_placed(Placed(1, 0, 1, 0), 0)
    ways, losses = cycle(way_s), cycle(lost)
    timers = {"server": {AT_SERVER: 600 * S + 1}, "client": {}}
    [request] = borrower.asking
    told = RamGrant(1, 0, (Loan(3, 8 * MB, LoadReport(0, 0)),), request, (LENT,))
    under_way = [(next(ways) * S, "client", told)]
    for _ in range(40):
        fires = [(at, 1, role, name) for role, its in timers.items() for name, at in its.items()]
        events = sorted([(at, 0, role, what) for at, role, what in under_way] + fires, key=str)
        events.sort(key=lambda event: event[:2])
        if not events:
            break
        now_ns, fired, role, what = events[0]
        its = lender if role == "server" else borrower
        if fired:
            del timers[role][what]
            effects = its.timer(what, now_ns)
        else:
            under_way.remove((now_ns, role, what))
            effects = its.receive(1 if role == "server" else 3, what, now_ns)
        for effect in effects:
            if isinstance(effect, SetTimer):
                timers[role][effect.name] = now_ns + effect.after_ns
            elif isinstance(effect, CancelTimer):
                timers[role].pop(effect.name, None)
            elif isinstance(effect, Send) and not next(losses):
                under_way.append((now_ns + next(ways) * S, effect.content.hears, effect.content))
        assert borrower.memory.borrowed <= lender.memory.lent
        its.validate()


# The whole


def test_leases_are_renewed_as_long_as_a_job_runs_and_all_memory_comes_back():
    jobs = [{"processes": 2, "memory_mb": 40, "demand_s": 1000}]
    scenario = make_scenario(nodes=4, job=jobs, page_bytes=2**20, barrier_s=100)
    _, records = journaled(scenario, "LEASE", plane="actors", check=True)
    [ended] = [r.time_ns for r in records if r.kind == "ended"]
    renewals = [r for r in records if (r.kind, r.what) == ("delivered", "RenewAck")]
    loans = sum(r.kind == "borrowed" for r in records)
    assert len(renewals) == loans * (ended // (300 * S))  # each 300 s after the last
    # Nothing was dropped on the way: memory is given back after 1,000 s of computing alone.
    assert min(r.time_ns for r in records if r.kind == "given back") > 1000 * S


#: Memory comes back by leases alone, or leases are not renewed, or messages are lost at random.
LOST = [("ServerRelease", "ReleaseNotice"), ("leasing",), None]


@pytest.mark.parametrize("kinds", LOST)
def test_whatever_is_lost_no_memory_is_lost(kinds):
    jobs = [{"processes": 2, "memory_mb": 40, "demand_s": 1000, "submit_s": s} for s in (0, 100)]
    loss = {"kind": "loss", "messages": kinds, "rate": 1 if kinds else 0.3}
    given = {"fault": [loss], "grant_timeout_s": 5, "page_bytes": 2**20, "barrier_s": 100}
    scenario = make_scenario(nodes=6, job=jobs, **given)
    lease = run(scenario, "LEASE", plane="compiled", check=True)
    assert lease.faults.lost
    assert [(node.memory.lent, node.memory.borrowed) for node in lease.nodes] == [(0, 0)] * 6
    if kinds == LOST[0]:
        cen = run(scenario, "CEN", plane="compiled", check=True)
        assert sum(node.memory.lent for node in cen.nodes) > 0
