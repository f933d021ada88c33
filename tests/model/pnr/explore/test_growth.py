"""What keeps growing where a search does not end."""

from pathlib import Path

import model

COUNTS = """
from agents.pnr.protocol import Protocol, Server, SetTimer
from topologies.managers.man import man


class Counts(Server):
    def start(self, now_ns):
        self.beats, self.kept = 0, {"latest": []}
        return [SetTimer("beat", 10**9)]

    def timer(self, name, now_ns):
        self.beats = (self.beats + 1) % MODULUS
        if self.beats < 5:
            self.kept["latest"] = [0] * self.beats
        return [SetTimer("beat", 10**9)]


def counts(nodes):
    graph = man(nodes)
    graph.graph |= {"name": "COUNTS", "protocol": Protocol(server=Counts)}
    return graph
"""


def test_a_counter_that_no_state_bounds_is_told_with_three_values(command):
    """In a walk of 6,000 steps, most of which are beats of three nodes, a counter of beats is
    larger in each third; one that begins again at 7 is not, nor is a list of at most 4."""
    Path("mine.py").write_text(COUNTS.replace("MODULUS", "10**9"))
    _, out, _ = command("explore mine.py:counts --jobs 1 --states 300")
    (line,) = [line for line in out.splitlines() if line.startswith("Keeps growing")]
    assert "beats of the server (" in line
    assert "kept" not in line
    (growth,) = model.explore("mine.py:counts", jobs=1, states=300).growing
    assert 500 < growth.largest[0] < growth.largest[1] < growth.largest[2] < 2_500
    Path("others.py").write_text(COUNTS.replace("MODULUS", "7"))
    _, out, _ = command("explore others.py:counts --jobs 1 --states 300")
    assert "Keeps growing in a long random walk: nothing" in out


def test_a_role_may_look_at_the_time_in_the_walk_alone(tmp_path):
    seldom = COUNTS.replace("beats < 5", "beats < 5 or self.beats > 99 and now_ns < 5")
    (tmp_path / "mine.py").write_text(seldom.replace("MODULUS", "10**9"))
    found = model.explore(f"{tmp_path}/mine.py:counts", jobs=1, states=300)
    assert ([growth.field for growth in found.growing], found.found.by_time) == (["beats"], False)


def test_a_walk_that_ends_shows_nothing_that_grows():
    found = model.explore("MAN", states=100)
    assert (found.holds, found.growing) == (None, [])
    assert model.explore("MAN", jobs=1).growing == []
