"""The table of single faults in model/pnr/README.md is what the code of today gives."""

from collections import ChainMap
from itertools import product

from model.pnr.explore.search import search
from model.pnr.explore.setting import Setting
from model.terminal.exploring import FAULTS, Effort, bounds, decided
from tests.model.pnr.explore.faults_table import drawn, mistake_in, read

STATES = 50_000  # of all searches of a draw: some 5 CPU s


def test_drawn_cells_say_what_a_search_gives():
    designs, effort, cells = read()
    assert [*cells] == [*product(designs, FAULTS)]
    some = drawn(cells, STATES)
    assert len(some) >= 3
    mistakes = [mistake_in(*place, text, effort) for place, text in some.items()]
    assert not any(mistakes), "\n".join(filter(None, mistakes))


def test_the_command_prints_the_table(command):
    _, _, cells = read()
    _, out, _ = command("explore DP,BB2 --states 100000 --table")
    _, _, *rows = out.splitlines()
    for row, design in zip(rows, ("DP", "BB2"), strict=True):
        assert row == f"| {' | '.join([design, *(cells[design, fault] for fault in FAULTS)])} |"


def test_a_stale_cell_is_told_in_words():
    effort = Effort(None, 10_000, 1.0, None, quiet=True)
    told = mistake_in("CEN", "one loss", "holds (554 states)", effort)
    assert told.startswith("CEN, one loss: the table")
    assert "“holds (554 states)”, but a search gives “waits for ever, 12 steps (" in told


def test_a_search_with_too_many_states_has_fewer_timers_too_early_or_one_job():
    setting = Setting("LEASE", 2)
    for bound in ("", ", 1 timer too early", ", no timer too early", ", one job"):
        states = search(dict(ChainMap(*bounds(setting)))[bound]).states
        effort = Effort(None, states + 1, 1.0, None, quiet=True)
        assert decided(setting, effort) == f"holds ({states:,} states){bound}"
