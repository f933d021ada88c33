"""The client role: asks for what its node's memory lacks, gives back what it needs no more."""

from agents.pnr.client import Answer, Client
from agents.pnr.messages import (
    LoadReport,
    Loan,
    Placed,
    RamGrant,
    RamRequest,
    ReleaseNotice,
    Request,
    Return,
)
from agents.pnr.role import CancelTimer, Send, SetTimer, Site, StartProcess
from tests.agents.pnr.memory import MB, RAM, memory_of

MANAGER = 9
IDLE = LoadReport(RAM, 0)


def client_on_node(*processes_mb, coordinated=True, **site):
    """A client on a node of 32 MB where jobs 1, 2, … hold so many MB each."""
    memory = memory_of()
    for job, size_mb in enumerate(processes_mb, start=1):
        memory.allocate(job, size_mb * MB)
    return Client(Site(memory, coordinated=coordinated, **site))


def request(count=1):
    """The id of the client's request of this number."""
    return Request(0, "client", 0, count)


def lent(server):
    """The id of the manager's request for which a server lends."""
    return Request(MANAGER, "manager", 0, server)


def placed(client, job=1, rank=0, clients=1, manager=MANAGER, now_ns=0):
    return client.process_placed(Placed(job, rank, clients, manager), now_ns)


def granted(client, *loans, job=1, now_ns=0):
    """The answer to its oldest request reaches it; loans are (server, MB, load, stated_ns)."""
    oldest = next(iter(client.memory.asked))
    said = tuple(
        Loan(server, size_mb * MB, LoadReport(load, stated_ns))
        for server, size_mb, load, stated_ns in loans
    )
    lent_for = tuple(lent(server) for server, *_ in loans)
    return client.receive(MANAGER, RamGrant(job, 0, said, oldest, lent_for), now_ns)


def ended(client, job=1, rank=0, clients=1, now_ns=0):
    """The process of `job` frees its memory, and the client is told."""
    client.memory.free(job)
    return client.process_ended(Placed(job, rank, clients, MANAGER), now_ns)


# A process is placed


def test_without_a_manager_a_process_starts_at_once_however_much_is_missing():
    client = client_on_node(40)
    assert placed(client, manager=None) == [StartProcess(1)]
    assert client.memory.asked == {}


def test_an_uncoordinated_client_that_misses_nothing_starts_its_process_at_once():
    client = client_on_node(32, coordinated=False)
    assert placed(client) == [StartProcess(1)]


def test_an_uncoordinated_client_asks_for_what_does_not_fit():
    client = client_on_node(40, coordinated=False)
    # 40 - 32 = 8 MB are missing, which is also by how much the node is overloaded.
    asks = RamRequest(
        1, 2, clients=1, need=8 * MB, word=LoadReport(-8 * MB, 500), request=request()
    )
    assert placed(client, rank=2, now_ns=500) == [Send(MANAGER, asks)]


def test_a_coordinated_client_asks_even_for_nothing_since_its_manager_waits_for_all_clients():
    client = client_on_node(20)
    asks = RamRequest(1, 2, clients=4, need=0, word=LoadReport(12 * MB, 500), request=request())
    assert placed(client, rank=2, clients=4, now_ns=500) == [Send(MANAGER, asks)]


def test_a_client_does_not_ask_again_for_what_was_asked_for_and_is_not_yet_answered():
    client = client_on_node(40)
    placed(client, job=1)  # asks for 8 MB
    client.memory.allocate(2, 5 * MB)
    # 45 - 32 = 13 MB are over, 8 of them asked for: 5 are missing.
    asks = RamRequest(
        2, 0, clients=1, need=5 * MB, word=LoadReport(-13 * MB, 0), request=request(2)
    )
    assert placed(client, job=2) == [Send(MANAGER, asks)]


# The manager answers


def test_a_grant_lends_the_node_its_loans_and_starts_the_process():
    client = client_on_node(40)
    placed(client)
    assert granted(client, (3, 5, 0, 0), (4, 2, 0, 0)) == [StartProcess(1)]
    assert client.memory.loans == {3: 5 * MB, 4: 2 * MB}
    assert client.memory.asked == {}


def test_a_grant_answers_the_request_whose_id_it_carries():
    client = client_on_node(40)
    placed(client, job=1)  # asks for 8 MB
    client.memory.allocate(2, 5 * MB)
    placed(client, job=2)  # asks for 5 MB
    assert client.memory.asked == {request(1): 8 * MB, request(2): 5 * MB}
    assert client.receive(MANAGER, RamGrant(2, 0, (), request(2)), 0) == [StartProcess(2)]
    assert client.memory.asked == {request(1): 8 * MB}


def test_a_grant_that_nobody_asked_for_is_ignored_and_counted():
    client = client_on_node(40)
    assert client.receive(MANAGER, RamGrant(1, 0, (Loan(3, 8 * MB, IDLE),), request()), 0) == []
    assert (client.memory.loans, client.metrics.ignored) == ({}, 1)


TIMER = SetTimer("no grant for request 1", 500)


def test_a_process_starts_without_its_grant_after_the_timeout_and_a_late_grant_is_borrowed():
    client = client_on_node(40, grant_timeout_ns=500)
    _, timer = placed(client)
    assert timer == TIMER
    assert client.timer(timer.name, 500) == [StartProcess(1)]
    assert granted(client, (3, 8, 0, 0), now_ns=900) == []
    assert client.memory.loans == {3: 8 * MB}
    assert client.metrics.answers == [Answer(8 * MB, 8 * MB, 900)]


def test_a_grant_in_time_ends_the_wait_for_it():
    client = client_on_node(40, grant_timeout_ns=500)
    placed(client)
    assert granted(client) == [CancelTimer(TIMER.name), StartProcess(1)]


# A process ends


def test_if_a_process_ends_before_its_grant_the_notice_waits_for_the_grant():
    client = client_on_node(40, grant_timeout_ns=500)
    placed(client)
    client.timer(TIMER.name, 500)
    assert ended(client) == []
    [send] = granted(client, (3, 8, 0, 0))
    assert send.content.returns == ((3, 8 * MB),)
    assert client.memory.loans == {}


def test_each_part_of_what_is_given_back_says_for_which_request_it_was_lent():
    client = client_on_node(40)
    client.memory.borrow(3, 5 * MB, lent(1))
    client.memory.borrow(3, 2 * MB, lent(2))
    client.memory.borrow(3, 1 * MB, lent(1))
    client.memory.free(1)
    client.memory.allocate(2, 33 * MB)  # 1 MB is over: 7 of 8 MB go back, those lent first first
    [send] = client.process_ended(Placed(1, 0, 1, MANAGER), 0)
    assert send.content.parts == (Return(3, lent(1), 6 * MB), Return(3, lent(2), 1 * MB))
    assert client.memory.loans_for == {3: {lent(2): 1 * MB}}


def test_an_uncoordinated_client_with_nothing_to_give_back_says_nothing():
    assert ended(client_on_node(40, coordinated=False)) == []


def test_a_coordinated_client_gives_notice_even_of_nothing_since_its_manager_waits():
    client = client_on_node(20)
    notice = ReleaseNotice(1, rank=2, clients=4, returns=(), word=LoadReport(RAM, 500))
    assert ended(client, rank=2, clients=4, now_ns=500) == [Send(MANAGER, notice)]


def test_an_uncoordinated_client_gives_back_what_it_borrowed():
    client = client_on_node(40, coordinated=False)
    placed(client)
    granted(client, (3, 8, 0, 0))
    returns, parts = ((3, 8 * MB),), (Return(3, lent(3), 8 * MB),)
    notice = ReleaseNotice(
        1, rank=2, clients=1, returns=returns, word=LoadReport(RAM, 500), parts=parts
    )
    assert ended(client, rank=2, now_ns=500) == [Send(MANAGER, notice)]


def test_only_what_the_node_no_longer_needs_is_given_back():
    client = client_on_node(30, 10)
    client.memory.allocate(3, 2 * MB)
    placed(client, job=3)
    granted(client, (4, 10, 0, 0), job=3)  # 30 + 10 + 2 = 42 MB: 10 over, 10 borrowed
    # Without job 3's 2 MB, 8 are over: of the 10 borrowed 2 are too many.
    [send] = ended(client, job=3)
    assert send.content.returns == ((4, 2 * MB),)
    assert client.memory.loans == {4: 8 * MB}


def test_memory_goes_back_first_to_the_servers_believed_the_most_loaded():
    client = client_on_node(40)
    placed(client)
    # The loads that the grant states: node 4 is the most loaded (2 MB left), then 5, then 3.
    granted(client, (3, 2, 9 * MB, 0), (4, 3, 2 * MB, 0), (5, 3, 4 * MB, 0))
    client.memory.allocate(2, 28 * MB)
    # Job 1 ends: 28 MB fit, all 8 MB go back.
    [send] = ended(client)
    assert send.content.returns == ((4, 3 * MB), (5, 3 * MB), (3, 2 * MB))
