"""The compiled search takes the steps of the world: same order, same states, for any setting."""

import os
import signal
import time
from pathlib import Path
from random import Random

import pytest

from model.pnr.explore import compiled as c
from model.pnr.explore.instants import apart_if_possible
from model.pnr.explore.search import search
from model.pnr.explore.setting import Setting
from model.pnr.explore.table import Table
from model.pnr.explore.world import Step, World

ROOT = Path(__file__).parents[4]
DESIGNS = (
    *("CLI", "CEN", "MAN", "BB2", "PROBE1", "GOSSIP", "TREE2", "RACK2", "INFINISWAP", "LEASE"),
    *("MASTER", "ADAPT", "SURVIVOR", "RECLAIM(MAN)", "RELIABLE(CEN)", "RELIABLE(CLI)"),
)


def some_setting(design, number):
    draw = Random(f"{design} {number}").randint
    return Setting(
        design,
        nodes=draw(2, 4),
        jobs=draw(1, 3),
        order=("fifo", "any")[draw(0, 1)],
        losses=draw(0, 2),
        duplicates=draw(0, 2),
        crashes=draw(0, 2),
        for_ever=bool(draw(0, 1)),
        joins=draw(0, 1),
        leaves=draw(0, 1),
        late_timers=bool(draw(0, 1)),
        early=draw(0, 2),
        placements=("lowest", "any")[draw(0, 1)],
        seed=draw(1, 3),
    )


MOST = 100  # states that are compared


def compared(setting, apart):
    """Search breadth first in Python, state by state beside the table; returns how many states."""
    world = World(setting, apart)
    table = Table(world, False, 100 * MOST)
    first = world.beginning().state
    states, known = [first], {world.digest(first): 0}
    for number in range(MOST):
        if number == len(states):
            break
        while table.advance(number + 1):
            pass
        arrays = table.search
        begin, end = arrays.states[c.STATE_EDGES, number : number + 2]
        steps = world.steps(states[number])
        assert [Step.of_number(int(it)) for it in arrays.edges[c.EDGE_LABELS, begin:end]] == steps
        for step, leads_to in zip(steps, arrays.edges[c.EDGE_ENDS, begin:end], strict=True):
            after, broken, _ = world.take(states[number], step)
            if broken:
                return len(states)
            digest = world.digest(after)
            if digest not in known:
                known[digest] = len(states)
                states.append(after)
                row = slice(*arrays.states[c.STATE_BEGINS, leads_to : leads_to + 2])
                assert world.digest(table.state(arrays.rows[row])) == digest
            assert known[digest] == leads_to
    return len(states)


@pytest.mark.parametrize("number", range(2))
@pytest.mark.parametrize("design", DESIGNS)
def test_state_by_state_it_finds_what_the_world_finds(design, number):
    setting = some_setting(design, number)
    assert apart_if_possible(lambda apart: compared(setting, apart)) > 1


@pytest.mark.parametrize(("design", "states", "steps"), [("CLI", 15_635, 33_277)])
def test_it_counts_what_the_search_in_python_counted(design, states, steps):
    """The numbers are those of the search that was not compiled (commit 9cefa51)."""
    found = search(Setting(design, 3, 2))
    assert (found.states, found.steps, found.depth, found.whole) == (states, steps, 34, True)


def test_arrays_grow_and_the_search_stops_at_the_memory_it_is_given():
    found = search(Setting("MAN", 4, 3, "any"), most_bytes=20_000_000)
    assert not found.whole
    assert 20_000 < found.states < 200_000


def computed_s(pid):
    """How long a process has computed."""
    used = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return sum(map(int, used)) / os.sysconf("SC_CLK_TCK")


def test_ctrl_c_tells_what_was_searched_so_far(start):
    process = start("explore GOSSIP --states 100000000", cwd=ROOT)
    while computed_s(process.pid) < 5:  # some thousand states
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert err.startswith("error: interrupted")
    assert "NOT all states seen, but all of up to" in out
