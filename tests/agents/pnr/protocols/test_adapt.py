"""ADAPT: when clients ask another manager, and how many others a manager tells."""

from itertools import pairwise
from math import ceil, sqrt

from hypothesis import given
from hypothesis import strategies as st

from agents.pnr.messages import (
    LoadBroadcast,
    LoadReport,
    Loan,
    Placed,
    RamGrant,
    RamRequest,
    ReleaseNotice,
    Request,
    Return,
    ServerRelease,
    ServerReply,
    ServerRequest,
)
from agents.pnr.protocol import Note, Send, SetTimer, Site, StartProcess
from agents.pnr.protocols.adapt import Measuring, Switching, adapt
from agents.pnr.wrappers.reclaim import reclaim
from tests.agents.pnr.effects import deeds
from tests.agents.pnr.memory import MB, memory_of

#: Of eight nodes, ⌈√8⌉ = 3 are the backbone: 0, 8/3 and 16/3 rounded down. Node 4 asks number 4
#: mod 3 = 1 of these.
NODES, NODE, BACKBONE = 8, 4, 2


def switching(**more):
    """The client of node 4 of eight, with 32 MB that are all taken by others than the jobs."""
    parameters = adapt(NODES).graph
    return Switching(
        Site(memory_of(32, job=0), NODE, NODES, coordinated=False, parameters=parameters, **more)
    )


def place(client, job, size_mb=8):
    """A process of a job is placed; gives the manager that is asked for it."""
    client.memory.allocate(job, size_mb * MB)
    send, *_ = client.process_placed(Placed(job, 3, 1, NODE), 0)
    assert isinstance(send.content, RamRequest)
    assert send.content.clients == 1
    return send.target


def grant(client, job, size_mb, sender=NODE):
    """The oldest request is granted so many MB of node 7.

    Of its process so much remains, so that what the next one lacks is its own alone.
    """
    request = next(iter(client.memory.asked))
    lent_for = Request(sender, "manager", 0, job)
    loans = (Loan(7, size_mb * MB, LoadReport(0, 0)),) if size_mb else ()
    answer = RamGrant(job, 3, loans, request, (lent_for,) if loans else ())
    if job in client.memory.processes:
        client.memory.free(job)
        client.memory.allocate(job, size_mb * MB)
    return deeds(client.receive(sender, answer, 0))


def asks(client, *granted_mb, first=1):
    """So many MB of 8 are granted to one job after another; gives whom each of them asked."""
    asked = []
    for job, size_mb in enumerate(granted_mb, start=first):
        asked.append(place(client, job))
        grant(client, job, size_mb)
    return asked


def ended(client, job):
    client.memory.free(job)
    return client.process_ended(Placed(job, 3, 1, NODE), 0)


# Whom a client asks


def test_at_first_it_asks_its_own_manager_and_does_so_as_long_as_it_gets_half():
    assert asks(switching(), 8, 8, 0, 8, 4, 0, 0, 8) == [NODE] * 8  # never more than half refused


def test_one_that_lacks_nothing_asks_nobody():
    client = switching()
    client.memory.free(0)
    client.memory.allocate(1, 8 * MB)
    assert client.process_placed(Placed(1, 3, 1, NODE), 0) == [StartProcess(1, rank=3)]
    assert client.managers == {}


def test_if_more_than_half_was_refused_it_asks_its_manager_of_the_backbone():
    client = switching()
    place(client, 1)
    # 1 - 4/8 is half, not more.
    assert grant(client, 1, 4) == [StartProcess(1, rank=3)]
    place(client, 2)
    # 1 - (4 + 3)/16 = 9/16
    assert grant(client, 2, 3) == [StartProcess(2, rank=3), Note("asks", BACKBONE)]
    assert place(client, 3) == BACKBONE


def test_if_less_than_a_quarter_was_refused_it_asks_its_own_again():
    client = switching()
    asks(client, 0)  # 1 - 0/8: the backbone
    assert asks(client, 8, 8, 8, first=2) == [BACKBONE] * 3
    # 1 - 24/32 is a quarter, not less.
    assert client.backbone_requests is not None
    place(client, 5)
    assert grant(client, 5, 8) == [StartProcess(5, rank=3), Note("asks", NODE)]  # 1 - 32/40
    assert place(client, 6) == NODE


def test_what_was_refused_counts_in_bytes_not_in_requests():
    client = switching()
    place(client, 1, size_mb=30)
    grant(client, 1, 30)
    assert asks(client, 0, 0, 0, first=2) == [NODE] * 3  # 1 - 30/54 = 24/54
    assert client.backbone_requests is None


def test_only_the_last_eight_answers_count():
    client = switching()
    # Of all thirteen 5/13 are refused, of the last eight 5/8.
    asks(client, *[8] * 8, *[0] * 4)
    assert client.backbone_requests is None  # 4/8
    asks(client, 0, first=13)
    assert client.backbone_requests == 0  # 5/8


def test_each_16th_request_is_to_its_own_manager_while_it_asks_the_backbone():
    client = switching()
    asks(client, 0)
    assert asks(client, *[0] * 34, first=2) == [
        *[BACKBONE] * 15,
        NODE,
        *[BACKBONE] * 15,
        NODE,
        *[BACKBONE] * 2,
    ]


def test_within_reclaim_only_answers_to_processes_count():
    """All of 8 MB is granted to a process. Then it needs 24 more, of which nothing is found: of
    both together 24/32 are refused, but what is asked for again is no answer to a process.
    """
    design = reclaim(adapt(NODES))
    memory = memory_of(32, job=0)
    kind = design.graph["protocol"].client
    client = kind(Site(memory, NODE, NODES, coordinated=False, parameters=design.graph))
    place(client, 1)
    grant(client, 1, 8)
    memory.resize(1, 32 * MB)
    [again] = client.memory_changed(1)
    assert again.content.need == 24 * MB
    client.receive(NODE, RamGrant(1, 3, (), again.content.request, (), 24 * MB), 2)
    assert client.backbone_requests is None
    assert (client.answers, len(client.metrics.answers)) == ([(8 * MB, 8 * MB)], 1)


# To whom it gives back


def notice(manager, job, *returns_mb, load_mb):
    returns = tuple((7, size_mb * MB) for _, size_mb in returns_mb)
    total = ((7, sum(amount for _, amount in returns)),) if returns else ()
    parts = tuple(Return(7, lent, size_mb * MB) for lent, size_mb in returns_mb)
    word = LoadReport(load_mb * MB, 0)
    return Send(manager, ReleaseNotice(job, 3, 1, total, word, parts))


def test_a_process_gives_back_by_way_of_the_manager_that_was_asked_for_it():
    client = switching()
    asks(client, 3, 8)  # the first is refused 5/8, so the second asks the backbone
    lent = [Request(NODE, "manager", 0, job) for job in (1, 2)]
    # 32 + 3 MB remain of 32 + 11, so 8 of the 11 go back, those of the oldest loan first.
    assert ended(client, 2) == [notice(BACKBONE, 2, (lent[0], 3), (lent[1], 5), load_mb=-3)]
    assert ended(client, 1) == [notice(NODE, 1, (lent[1], 3), load_mb=0)]
    assert client.managers == {}


def test_one_that_asked_nobody_gives_back_by_way_of_its_own_manager():
    client = switching()
    asks(client, 8)
    lent = Request(NODE, "manager", 0, 1)
    # Job 0, which fitted, ends: 8 MB of 32 remain.
    assert ended(client, 0) == [notice(NODE, 0, (lent, 8), load_mb=24)]


def test_one_that_ends_before_its_grant_gives_back_to_whom_it_asked_after_it():
    client = switching(grant_timeout_ns=500)
    place(client, 1)
    grant(client, 1, 0)
    client.memory.allocate(2, 8 * MB)
    send, timer = client.process_placed(Placed(2, 3, 1, NODE), 0)
    assert (send.target, type(timer)) == (BACKBONE, SetTimer)
    client.timer(timer.name, 500)
    assert ended(client, 2) == []
    ended(client, 1)
    lent = Request(BACKBONE, "manager", 0, 2)
    assert grant(client, 2, 8, sender=BACKBONE) == [notice(BACKBONE, 2, (lent, 8), load_mb=0)]


# The manager


def measuring(nodes=9):
    """A manager, of a node without free memory, that may tell the eight others."""
    others = tuple(range(1, nodes))
    return Measuring(Site(memory_of(32), 0, nodes, parameters=adapt(nodes).graph, tells=others))


def requests(manager, client, rank, need_mb=6, job=1):
    word, request = LoadReport(-need_mb * MB, 0), Request(client, "client", 0, 10 * job + rank)
    return deeds(manager.receive(client, RamRequest(job, rank, 1, need_mb * MB, word, request), 0))


def round_trip(manager, took_ns, job):
    """A job gets all it needs from the one server that is asked, which answers after a time."""
    [ask] = requests(manager, 1, 0, job=job)
    word = LoadReport(20 * MB, 0)
    reply = ServerReply(job, 6 * MB, word, ask.content.request)
    return deeds(manager.receive(ask.target, reply, took_ns))


def told(effects):
    return [
        send.target for send in effects if isinstance(getattr(send, "content", 0), LoadBroadcast)
    ]


def notes(effects):
    return [effect for effect in effects if isinstance(effect, Note)]


def test_clients_of_one_job_are_served_each_by_itself():
    manager = measuring()
    [first] = requests(manager, 1, rank=0, need_mb=6)
    [second] = requests(manager, 2, rank=1, need_mb=5)
    assert first.content.amount == 6 * MB
    assert second.content.amount == 5 * MB
    word = LoadReport(0, 0)
    [grant, *_] = manager.receive(
        second.target, ServerReply(1, 5 * MB, word, second.content.request), 0
    )
    assert (grant.target, grant.content.rank, grant.content.amount) == (2, 1, 5 * MB)
    back = ReleaseNotice(1, 1, 1, ((3, MB),), word, (Return(3, None, MB),))
    assert isinstance(manager.receive(2, back, 0)[0].content, ServerRelease)
    manager.validate()


def test_at_first_all_others_are_told():
    manager = measuring()
    effects = round_trip(manager, 100, job=1)
    assert told(effects) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert notes(effects) == []


def test_long_round_trips_halve_how_many_are_told_and_those_are_told_in_turn():
    manager = measuring()
    round_trip(manager, 100, job=1)
    # The mean: 100 + (2500 - 100)/8 = 400, which is 4 times the least and not more.
    assert len(told(round_trip(manager, 2500, job=2))) == 8
    # 400 + (1200 - 400)/8 = 500
    effects = round_trip(manager, 1200, job=3)
    assert (notes(effects), told(effects)) == ([Note("tells", 4)], [1, 2, 3, 4])
    # 500 + (500 - 500)/8 = 500 again and again
    effects = round_trip(manager, 500, job=4)
    assert (notes(effects), told(effects)) == ([Note("tells", 2)], [5, 6])
    effects = round_trip(manager, 500, job=5)
    assert (notes(effects), told(effects)) == ([Note("tells", 1)], [7])
    effects = round_trip(manager, 500, job=6)
    assert (notes(effects), told(effects)) == ([], [8])  # one is always told
    assert told(round_trip(manager, 500, job=7)) == [1]


def test_short_ones_double_it_again_up_to_all():
    manager = measuring(nodes=7)  # six others
    round_trip(manager, 100, job=1)
    manager.at_once, manager.turn, manager.mean_ns = 2, 4, 200
    # 200 + (200 - 200)/8 is twice the least and not less.
    effects = round_trip(manager, 200, job=2)
    assert (notes(effects), told(effects)) == ([], [5, 6])
    # 200 + (192 - 200)/8 = 199
    effects = round_trip(manager, 192, job=3)
    assert (notes(effects), told(effects)) == ([Note("tells", 4)], [1, 2, 3, 4])
    effects = round_trip(manager, 100, job=4)
    assert (notes(effects), told(effects)) == ([Note("tells", 6)], [5, 6, 1, 2, 3, 4])
    assert notes(round_trip(manager, 100, job=5)) == []


def test_its_own_node_answers_without_a_network_and_is_not_measured():
    manager = measuring()
    manager.memory.free(1)
    for node in range(1, 9):
        manager.hear((node, LoadReport(0, 0)))
    [ask] = requests(manager, 1, 0)
    assert ask.target == 0
    assert isinstance(ask.content, ServerRequest)
    manager.receive(0, ServerReply(1, 6 * MB, LoadReport(0, 0), ask.content.request), 0)
    assert (manager.least_ns, manager.sent_ns) == (None, {})


def test_a_repeated_reply_is_ignored_counted_and_not_measured():
    manager = measuring()
    [ask] = requests(manager, 1, 0)
    reply = ServerReply(1, 6 * MB, LoadReport(0, 0), ask.content.request)
    manager.receive(ask.target, reply, 100)
    assert manager.receive(ask.target, reply, 900) == []
    assert (manager.metrics.ignored, manager.least_ns, manager.mean_ns) == (1, 100, 100)


# The design


@given(nodes=st.integers(1, 200))
def test_the_backbone_is_evenly_spaced_and_as_large_as_the_root_of_the_nodes(nodes):
    backbone = adapt(nodes).graph["backbone_nodes"]
    assert len(backbone) == ceil(sqrt(nodes))
    assert backbone[0] == 0
    gaps = {after - before for before, after in pairwise((*backbone, nodes))}
    assert max(gaps) - min(gaps) <= 1
