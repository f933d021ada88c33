"""One mistake in a role, and explore finds it: on a shortest path, whose length is known."""

from pathlib import Path

import pytest

from model.pnr.explore.narrator import retrace
from model.pnr.explore.properties import Look, Properties
from model.pnr.explore.search import search
from model.pnr.explore.setting import Setting
from model.pnr.explore.world import DELIVER, World

MUTANTS = Path(__file__).with_name("mutants.py")
WAITS, LENT = "somebody waits for ever", "memory stays lent for ever"
ASTRAY = "are neither borrowed nor held by a role nor carried by a message"
#: The mutant, nodes, jobs, duplicates; the length of the shortest path, and what is found there.
FOUND = [
    ("forgotten_release", 2, 2, 0, 12, f"3.00 MB that node 1 lends {ASTRAY}"),
    ("grant_twice", 2, 2, 1, 20, LENT),
    ("reply_to_the_wrong_client", 2, 1, 0, 5, WAITS),
    ("reply_to_the_wrong_job", 3, 2, 0, 14, f"3.00 MB that node 2 lends {ASTRAY}"),
    ("lost_merge", 3, 1, 0, 11, f"2.00 MB that node 2 lends {ASTRAY}"),
    ("no_threshold", 2, 2, 0, 8, "node 1 lends memory that is not free"),
    ("starts_twice", 2, 1, 0, 4, "node 0 starts the process of job 1 twice"),
    ("counts_double", 2, 2, 0, 12, "14.00 MB of node 1 are borrowed, but it lends 7.00 MB"),
    ("gives_up_when_refused", 2, 2, 0, 13, WAITS),
    ("returns_too_little", 2, 2, 0, 16, f"1 bytes that node 1 lends {ASTRAY}"),
    ("takes_back_from_all", 2, 2, 0, 16, "4.00 MB of node 1 are borrowed, but it lends 0 bytes"),
    ("waits_for_one_more", 2, 1, 0, 9, WAITS),
    ("no_acknowledgment", 2, 2, 0, 18, WAITS),
    ("raises_when_refused", 2, 2, 0, 7, "KeyError"),
    ("one_job_at_a_time", 2, 2, 0, 7, "KeyError"),
    ("planted_race", 3, 2, 0, 15, f"7.00 MB that node 0 lends {ASTRAY}"),
]


@pytest.mark.parametrize(("mutant", "nodes", "jobs", "duplicates", "steps", "complaint"), FOUND)
def test_a_mistake_in_a_role_is_found(mutant, nodes, jobs, duplicates, steps, complaint):
    setting = Setting(f"{MUTANTS}:{mutant}", nodes, jobs, duplicates=duplicates)
    finding = search(setting).finding
    assert complaint in finding.complaint
    assert len(finding.path) == steps
    assert retrace(setting, finding.path) == finding


def test_without_its_mistake_the_design_of_each_mutant_keeps_the_rules():
    for design, nodes, jobs, duplicates in (("CLI", 2, 2, 1), ("MAN", 3, 2, 0), ("CEN", 3, 2, 0)):
        assert search(Setting(design, nodes, jobs, duplicates=duplicates)).finding is None


def test_a_planted_race_shows_in_few_orders_only():
    """Not where each message is delivered before anything else happens, nor where it comes last."""
    setting = Setting(f"{MUTANTS}:planted_race", 3, 2)
    for turn in (-1, 1):
        told = []
        world = World(setting)
        state = world.beginning().state
        properties = Properties(setting)
        while steps := world.steps(state):
            step = min(steps, key=lambda one, turn=turn: turn * (one.kind == DELIVER))
            before = Look(world, state)
            state, broken, _ = world.take(state, step)
            told.append(broken or properties.complaint(before, step, Look(world, state)))
        assert set(told) == {None}
    assert search(setting).finding is not None
