"""What clients take beyond their need, and what managers do with it, in a small cluster."""

import pytest

from agents.pnr.testing import Bench
from model.core.topology import load_topology
from model.ground.errors import InputError


def bench_of(name, nodes, threshold=0):
    """Servents with 10 bytes each."""
    return Bench(load_topology("managers", name, nodes), ram=10, threshold=threshold)


def borrowed(bench, node):
    return sorted(bench.memory(node).loans.values(), reverse=True)


def lent(bench):
    return sum(host.memory.lent for host in bench.hosts)


@pytest.mark.parametrize(
    ("takes", "of_4", "of_14"),
    [
        ("need", [4], [10, 4]),
        ("2", [8], [10, 10, 8]),  # 8 of 10 that the first has; 28 of 30 that all have
        ("0.5", [2], [7]),
        ("server", [10], [10, 10]),  # all that one has, or two
        ("all", [10, 10, 10], [10, 10, 10]),
        ("'server'", [10], [10, 10]),
    ],
)
@pytest.mark.parametrize("need", [4, 14])
def test_a_client_takes_its_need_or_more_and_gives_all_of_it_back(takes, of_4, of_14, need):
    bench = bench_of(f"CLI(takes={takes})", nodes=4)
    bench.place(1, {0: 10 + need})
    bench.settle()
    assert borrowed(bench, 0) == (of_4 if need == 4 else of_14)
    assert bench.started == [(0, 1)]
    bench.end(1)
    bench.settle()
    assert lent(bench) == 0


def test_a_server_keeps_its_threshold_whatever_is_taken():
    bench = bench_of("CLI(takes=server)", nodes=2, threshold=1)
    bench.place(1, {0: 14})
    bench.settle()
    assert borrowed(bench, 0) == [9]


def test_who_needs_nothing_takes_nothing():
    for name in ("CLI(takes=all)", "CEN(takes=all)"):
        bench = bench_of(name, nodes=3)
        bench.place(1, {1: 10})
        bench.settle()
        assert lent(bench) == 0
        assert bench.started == [(1, 1)]


def test_what_was_taken_beyond_the_need_serves_the_next_process_without_asking():
    bench = bench_of("CLI(takes=server)", nodes=2)
    bench.place(1, {0: 14})
    bench.settle()
    bench.place(2, {0: 6})  # together 10 beyond the RAM, as much as is borrowed
    assert bench.messages == []
    bench.end(1)
    bench.settle()
    assert lent(bench) == 0  # the second fits


# Job 1 needs 4 bytes on node 1 and 2 on node 2; nodes 0 and 3 have 10 each, or 10 and nothing.


@pytest.mark.parametrize(
    ("surplus", "on_1", "on_2", "in_all"),
    [("deal", [6], [4], 10), ("keep", [4], [2], 10), ("back", [4], [2], 6)],
)
def test_a_manager_deals_out_keeps_or_returns_what_is_beyond_the_need(surplus, on_1, on_2, in_all):
    bench = bench_of(f"CEN(takes=server, surplus={surplus})", nodes=4)
    bench.place(1, {1: 14, 2: 12})
    bench.settle()
    assert (borrowed(bench, 1), borrowed(bench, 2)) == (on_1, on_2)
    assert lent(bench) == in_all
    bench.end(1)
    bench.settle()
    assert lent(bench) == 0


def test_nobody_without_need_is_dealt_any():
    bench = bench_of("CEN(takes=server)", nodes=4)
    bench.place(1, {1: 14, 2: 3})
    bench.settle()
    assert (borrowed(bench, 1), borrowed(bench, 2)) == ([10], [])


def test_what_was_kept_is_granted_before_a_server_is_asked():
    bench = bench_of("CEN(takes=server, surplus=keep)", nodes=4)
    bench.place(1, {1: 16, 2: 10})  # one server lends 10, of which 4 are kept
    bench.settle()
    bench.place(2, {2: 3})
    assert [bench.deliver("RamRequest").need, bench.deliver("RamGrant").amount] == [3, 3]
    assert lent(bench) == 10
    bench.end(2)
    bench.settle()
    assert lent(bench) == 6  # the byte that was still kept went back, too
    bench.end(1)
    bench.settle()
    assert lent(bench) == 0


def test_a_factor_is_positive():
    for takes in ("0", "-1", "most"):
        with pytest.raises(InputError, match="CLI: "):
            load_topology("managers", f"CLI(takes={takes})", 4)
