"""The designs between CLI and MAN: how they divide, and that they are MAN and CLI otherwise."""

import pytest

from agents.pnr.testing import Bench
from model.papers.paying.dividing.designs import cli_tells, man_silent, ranks, ranks_silent
from topologies.managers.cli import cli
from topologies.managers.man import man


@pytest.mark.parametrize(
    ("design", "borrowed"),
    [(man, [3, 3]), (man_silent, [3, 3]), (ranks, [4, 2]), (ranks_silent, [4, 2])],
)
def test_one_search_finds_six_bytes_for_eight_and_divides_them(design, borrowed):
    bench = Bench(design(3), ram=[10, 10, 6])
    bench.place(1, {0: 14, 1: 14})
    bench.settle()
    assert [bench.memory(node).borrowed for node in (0, 1)] == borrowed
    assert bench.started == [(0, 1), (1, 1)]


@pytest.mark.parametrize("design", [cli, cli_tells])
def test_clients_that_search_by_themselves_get_what_is_left(design):
    bench = Bench(design(3), ram=[10, 10, 6])
    bench.place(1, {0: 14, 1: 14})
    bench.settle()
    assert sorted(bench.memory(node).borrowed for node in (0, 1)) == [2, 4]


@pytest.mark.parametrize(
    ("design", "told"),
    [(cli, 0), (cli_tells, 2), (man, 2), (man_silent, 0), (ranks, 2), (ranks_silent, 0)],
)
def test_managers_tell_all_others_what_they_learned_or_are_silent(design, told):
    bench = Bench(design(3), ram=[10, 10, 6])
    bench.place(1, {0: 14, 1: 10})
    kinds = []
    while bench.messages:
        kinds.append(type(bench.messages[0].content).__name__)
        bench.deliver(kinds[-1])
    assert kinds.count("LoadBroadcast") == told
