"""MIGRATE(…): the design that it makes, and what roles hear of a process that moves."""

import pytest

from agents.pnr.client import Client
from agents.pnr.messages import Placed, ReleaseNotice, Request
from agents.pnr.protocols.adapt import Switching, adapt
from agents.pnr.role import Send, Site
from agents.pnr.wrappers.reclaim import ReclaimingClient
from model.core.topology import fingerprint
from model.ground.errors import InputError
from model.pnr.design import load_design
from model.pnr.scenario import make_scenario
from tests.agents.pnr.memory import MB, memory_of

LENT = Request(0, "manager", 0, 1)


def site(borrowed_mb, **given):
    """Node 2 of 4, with nothing in its RAM, that borrows from node 3."""
    memory = memory_of()
    memory.borrow(3, borrowed_mb * MB, LENT)
    return Site(memory, 2, 4, **given)


def test_it_keeps_the_design_within_and_says_that_processes_move():
    scenario = make_scenario(nodes=4)
    for name in ("MIGRATE(DP)", "migrate(man)", "RECLAIM(MIGRATE(MAN))", "MIGRATE(RELIABLE(CLI))"):
        assert load_design(name, scenario).migrates
    inner, around = load_design("MAN", scenario), load_design("MIGRATE(MAN)", scenario)
    assert (inner.migrates, around.name) == (False, "MIGRATE(MAN)")
    assert (around.protocol, around.asks) == (inner.protocol, inner.asks)
    assert list(around.graph.edges) == list(inner.graph.edges)
    prints = [fingerprint("managers", name, 4) for name in ("MAN", "MIGRATE(MAN)")]
    assert prints[0] != prints[1]


@pytest.mark.parametrize("name", ["MIGRATE(MIGRATE(DP))", "MIGRATE(RECLAIM(MIGRATE(MAN)))"])
def test_it_is_not_put_around_itself(name):
    with pytest.raises(InputError, match="moves processes already"):
        load_design(name, make_scenario(nodes=4))


def test_a_client_gives_back_alone_and_is_not_taken_for_one_whose_job_ends():
    client = Client(site(5))
    process = Placed(job=7, rank=1, clients=3, manager=0)
    (send,) = client.process_left(process, 9)
    assert isinstance(send, Send)
    assert send.target == 0
    notice = send.content
    assert isinstance(notice, ReleaseNotice)
    assert (notice.clients, notice.returns) == (1, ((3, 5 * MB),))
    assert notice.attempt < 0  # those of jobs begin with 1
    (again,) = client.process_left(process, 9)
    assert again.content.attempt != notice.attempt


def test_a_client_of_disk_paging_says_nothing():
    client = Client(Site(memory_of()))
    process = Placed(job=7, rank=0, clients=1, manager=None)
    assert client.process_left(process, 9) == client.process_arrived(process, 9) == []


def test_adapt_gives_back_by_way_of_the_manager_that_it_had_asked():
    client = Switching(site(5, parameters=adapt(4).graph, coordinated=False))
    client.managers[7, 1, 1] = 0
    (send,) = client.process_left(Placed(job=7, rank=1, clients=1, manager=2), 9)
    assert send.target == 0
    assert not client.managers


def test_reclaim_asks_again_for_a_process_that_has_come():
    client = ReclaimingClient(Site(memory_of(), 2, 4, parameters={"ask_again_s": 60}))
    process = Placed(job=7, rank=1, clients=3, manager=0)
    assert client.process_arrived(process, 9) == []
    client.memory.allocate(7, 40 * MB)  # it has grown
    asks = client.memory_changed(10)[0]
    assert (asks.target, asks.content.amount, asks.content.clients) == (0, 8 * MB, 1)
