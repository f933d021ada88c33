"""The table of single faults in model/pnr/README.md is what the code of today gives."""

import re
import shlex
from collections import ChainMap
from hashlib import sha256
from itertools import product
from pathlib import Path

from model.core.names import listed
from model.core.version import version_of_rooms
from model.pnr.explore.search import search
from model.pnr.explore.setting import Setting
from model.terminal.exploring import FAULTS, Effort, bounds, cell, decided

PAGE = Path(__file__).parents[4] / "model/pnr/README.md"
HEAD = f"| design | {' | '.join(FAULTS)} |\n"
STATES = 50_000  # of all searches of a draw: some 5 CPU s
Cells = dict[tuple[str, str], str]  # by design and fault


def read() -> tuple[list[str], Effort, Cells]:
    """The designs and the effort of the command above the table, and the table's cells."""
    above, _, below = PAGE.read_text("utf-8").partition(HEAD)
    words = shlex.split(above.rpartition("uv run run.py explore")[2].partition("\n")[0])
    states, memory_gb = (words[words.index(it) + 1] for it in ("--states", "--memory-gb"))
    cells = {}
    for line in below.partition("\n\n")[0].splitlines()[1:]:
        design, *texts = line.strip("| ").split(" | ")
        cells |= {(design, fault): text for fault, text in zip(FAULTS, texts, strict=True)}
    return listed(words[0]), Effort(None, int(states), float(memory_gb), None, True), cells


def drawn(cells: Cells, most_states: int) -> Cells:
    """Cells whose searches see at most so many states in all: others after each change of code."""
    version = version_of_rooms("agents", "model/pnr", "topologies")

    def order(place: tuple[str, str]) -> str:
        return sha256(repr((version, place)).encode()).hexdigest()

    some = {}
    for place in sorted(cells, key=order):
        if (seen := re.search(r"\(([\d,]+) states", cells[place])) is None:
            continue
        states = int(seen[1].replace(",", ""))
        if states <= most_states:
            most_states -= states
            some[place] = cells[place]
    return some


def test_drawn_cells_say_what_a_search_gives():
    designs, effort, cells = read()
    assert [*cells] == [*product(designs, FAULTS)]
    some = drawn(cells, STATES)
    assert len(some) >= 3
    for (design, fault), text in some.items():
        settings = dict(ChainMap(*bounds(Setting(design, **FAULTS[fault]))))
        bound = max((it for it in settings if text.endswith(it)), key=len)
        found = cell(effort.on(settings[bound]), bound)
        assert found == text, f"{design}, {fault}: the command above the table makes its row again"


def test_the_command_prints_the_table(command):
    _, _, cells = read()
    _, out, _ = command("explore DP,BB2 --states 100000 --table")
    _, _, *rows = out.splitlines()
    for row, design in zip(rows, ("DP", "BB2"), strict=True):
        assert row == f"| {' | '.join([design, *(cells[design, fault] for fault in FAULTS)])} |"


def test_a_search_with_too_many_states_has_fewer_timers_too_early_or_one_job():
    setting = Setting("LEASE", 2)
    for bound in ("", ", 1 timer too early", ", no timer too early", ", one job"):
        states = search(dict(ChainMap(*bounds(setting)))[bound]).states
        effort = Effort(None, states + 1, 1.0, None, quiet=True)
        assert decided(setting, effort) == f"holds ({states:,} states){bound}"
