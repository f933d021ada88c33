"""Nodes that join and leave, at any moment of a search."""

from pathlib import Path

import pytest

from model.ground.errors import InputError
from model.pnr.explore.narrator import retrace
from model.pnr.explore.properties import Look
from model.pnr.explore.search import search
from model.pnr.explore.setting import Setting
from model.pnr.explore.steps import DELIVER, GO, JOIN, LEAVE, PLACE, Step
from model.pnr.explore.world import World

MUTANTS = Path(__file__).with_name("mutants.py")
WAITS = "somebody waits for ever"


@pytest.mark.parametrize("nodes", [{"joins": 1}, {"leaves": 1}], ids=str)
def test_survivor_keeps_all_rules_whenever_a_node_comes_or_goes(nodes):
    found = search(Setting("SURVIVOR", 3, 1, late_timers=True, **nodes))
    assert (found.whole, found.finding) == (True, None)


@pytest.mark.parametrize("design", ["CLI", "CEN", "MAN"])
def test_the_thesis_protocol_keeps_all_rules_whenever_a_node_joins(design):
    found = search(Setting(design, 3, 2, joins=1))
    assert (found.whole, found.finding) == (True, None)


def test_the_thesis_protocol_waits_for_ever_for_the_answer_of_a_node_that_has_left():
    found = search(Setting("MAN", 3, 1, leaves=1))
    assert f"{WAITS}: node 0 (job 1 to start" in found.finding.complaint
    # placed; both clients ask; the manager asks node 2, which is told to leave, leaves, and hears
    # nothing
    assert len(found.finding.path) == 6


@pytest.mark.parametrize(
    ("mutant", "nodes", "steps", "complaint"),
    [
        # node 0 is told to leave; a job is placed on the others, a client heard, and node 0 asked
        ("LendsOn", {"leaves": 1}, 4, "node 0 lends memory, and is leaving"),
        # a job is placed; node 1 refuses, so both clients ask node 2, which is told to leave,
        # leaves, and hears neither
        ("AsksTheSame", {"leaves": 1}, 7, WAITS),
        # a job is placed, both clients are heard, and nobody hears the question
        ("AsksTheAbsent", {"joins": 1}, 4, WAITS),
    ],
)
def test_a_mistake_is_found(mutant, nodes, steps, complaint):
    setting = Setting(f"{MUTANTS}:{mutant}", 3, 1, late_timers=True, **nodes)
    finding = search(setting).finding
    assert complaint in finding.complaint
    assert len(finding.path) == steps
    assert retrace(setting, finding.path) == finding


def after(world, *steps):
    """The state after these steps, all of which are possible, and none of which breaks a rule."""
    taken = world.beginning()
    for step in steps:
        assert step in world.steps(taken.state)
        taken = world.take(taken.state, step)
        assert taken.broken is None
    return taken.state


def test_what_a_node_still_lends_when_it_is_gone_is_on_its_borrowers_disks():
    world = World(Setting("MAN", 3, 1, leaves=1))
    asked = Step(DELIVER, 0, 0), Step(DELIVER, 1, 0), Step(DELIVER, 0, 2)
    granted = Step(DELIVER, 2, 0), Step(DELIVER, 0, 0)
    state = after(world, Step(PLACE), *asked, *granted, Step(LEAVE, 2))
    assert Look(world, state).nodes[0].memory.loans == {2: 2 * 2**20}
    state = world.take(state, Step(GO, 2)).state
    left, _, gone = Look(world, state).nodes
    assert (left.memory.loans, left.memory.unmet) == ({}, 2 * 2**20)
    assert (gone.memory.demand, gone.is_down) == (0, True)
    possible = [step for step in world.steps(state) if step.kind in (JOIN, LEAVE, GO)]
    assert possible == []  # of those to leave it was the only one, and nobody comes back


def test_a_node_takes_jobs_from_when_it_joins_until_it_is_told_to_leave():
    world = World(Setting("DP", 2, 1, joins=1, leaves=1))
    assert Step(PLACE) not in world.steps(after(world))  # the job has two processes
    joined = after(world, Step(JOIN, 1))
    assert Step(PLACE) in world.steps(joined)
    assert Step(PLACE) not in world.steps(after(world, Step(JOIN, 1), Step(LEAVE, 0)))
    running = after(world, Step(JOIN, 1), Step(PLACE), Step(LEAVE, 0))
    assert Step(GO, 0) not in world.steps(running)  # it has a job


def test_a_scenario_says_who_comes_and_goes(tmp_path):
    file = tmp_path / "changing.toml"
    file.write_text(
        "designs = ['MAN']\nram_mb = 8\nthreshold_mb = 1\n"
        "[[node]]\n[[node]]\nleaves_s = 9\n[[node]]\njoins_s = 5\n"
        "[[job]]\nprocesses = 1\nmemory_mb = 10\ndemand_s = 1\n"
    )
    setting = Setting("DP", scenario_file=str(file))
    assert (setting.absent, setting.leavers, setting.most_leaves) == ([2], [1], 1)
    world = World(setting)
    possible = [step for step in world.steps(after(world)) if step.kind != PLACE]
    assert possible == [Step(JOIN, 2), Step(LEAVE, 1)]


def test_one_node_is_there_at_first():
    with pytest.raises(InputError, match="of 2 nodes, 2 join later; let one be there at first"):
        search(Setting("DP", 2, 1, joins=2))


def test_it_is_told_in_words(command):
    mutant = f"{MUTANTS}:AsksTheSame"
    _, out, _ = command(f"explore {mutant} --jobs 1 --leaves 1 --timers late")
    assert "no faults" not in out
    assert "leaves up to 1" in out
    assert "node 2     is told to leave\n" in out
    assert "node 2     has left\n" in out
    assert "is lost (the node has left)" in out
