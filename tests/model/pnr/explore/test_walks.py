"""Random walks: which orders they draw, that a seed repeats them, and that they find mistakes."""

from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import mean

import pytest

from model.pnr.explore.narrator import retrace
from model.pnr.explore.partial_order import PartialOrder
from model.pnr.explore.parts import Channel, Message, Shape
from model.pnr.explore.setting import Setting
from model.pnr.explore.steps import DELIVER, LOSE, Step
from model.pnr.explore.storing import read_finding
from model.pnr.explore.walks import Walker, walk
from model.pnr.explore.world import World
from tests.model.pnr.explore.races import RACES
from tests.model.pnr.explore.test_mutants import FOUND


def message(ends, text):
    return Message(*ends, Shape(text.encode()), (), 0)


def channel(ends, *messages):
    made = [message(ends, it) if isinstance(it, str) else it for it in messages]
    return Channel(*ends, tuple(made), (), (), 0, ())


def share_that_wait(others, draws):
    """How often a message waits for others, delivered one by one elsewhere, and a rival they cause.

    There are always two steps to draw from: that message to node 3, and what comes next elsewhere.
    """
    beginning = World(Setting("MAN", 4, 1)).beginning().state
    waiting, kept = Step(DELIVER, 2, 3), channel((2, 3), "waiting")
    waited = 0
    for _ in range(4_000):
        choose = draws()
        for number in range(others + 1):
            link = (0, 1) if number < others else (1, 3)
            channels = channel(link, str(number)), kept
            steps = [Step(DELIVER, *link), waiting]
            if choose(beginning._replace(channels=channels), steps) == waiting:
                break
        else:
            waited += 1
    return waited / 4_000


@pytest.mark.parametrize("others", [0, 1, 2, 6])
def test_an_order_becomes_rarer_in_proportion_to_its_steps_and_not_exponentially(others):
    random, world = Random(1), World(Setting("MAN", 4, 1))
    sampled = share_that_wait(others, lambda: PartialOrder(world, random, 0))
    assert sampled == pytest.approx(1 / (others + 2), abs=0.03)
    alike = share_that_wait(others, lambda: lambda state, steps: random.choice(steps))
    assert alike == pytest.approx(1 / 2 ** (others + 1), abs=0.03)


def test_a_fault_comes_at_any_moment_of_a_walk():
    world, random = World(Setting("CLI", 3, 2, losses=1)), Random(1)
    lengths, moments = [0], []
    for _ in range(300):
        draws, state, path = PartialOrder(world, random, lengths[-1]), world.beginning().state, []
        while steps := world.steps(state):
            path.append(draws(state, steps))
            state = world.take(state, path[-1]).state
        lengths.append(len(path))
        moments += [place / len(path) for place, step in enumerate(path) if step.kind == LOSE]
    assert len(moments) > 200
    assert 0.35 < mean(moments) < 0.65
    for quarter in range(4):
        inside = sum(quarter / 4 <= moment < (quarter + 1) / 4 for moment in moments)
        assert inside > len(moments) / 8


def test_a_seed_repeats_its_walks():
    setting = Setting("CEN", 2, 2)
    assert walk(setting, 20) == walk(setting, 20)
    steps = {walk(replace(setting, seed=seed), 20).steps for seed in range(1, 6)}
    assert len(steps) > 1


IN_THESIS = [mutant.setting for mutant in FOUND[1::3] if "mutants.py:" in mutant.setting.declared]


@pytest.mark.parametrize("setting", IN_THESIS, ids=lambda setting: setting.declared.split(":")[-1])
def test_walks_find_the_mistakes_that_a_search_finds(setting):
    finding = walk(setting, 5_000).finding
    assert retrace(setting, finding.path) == finding


@pytest.mark.parametrize(
    ("race", "original"), RACES, ids=lambda it: getattr(it, "declared", it).split(":")[-1]
)
def test_walks_find_a_rare_race_and_nothing_without_its_mistake(race, original):
    finding = walk(race, 1_000).finding
    assert retrace(race, finding.path) == finding
    assert walk(replace(race, declared=original), 20).finding is None


def test_ctrl_c_while_a_path_is_made_shorter_keeps_what_was_found(command, monkeypatch):
    """The walk that finds something is the last whole one: Ctrl-C comes in the next."""
    take, found = Walker._walk, []

    def take_until_found(self, *how):
        if found:
            raise KeyboardInterrupt
        finding = take(self, *how)
        found.extend(filter(None, [finding]))
        return finding

    monkeypatch.setattr(Walker, "_walk", take_until_found)
    status, out, err = command("explore MAN --jobs 1 --loss 1 --random 50 --out long.parquet")
    assert (status, err) == (130, "error: interrupted before the search was complete\n")
    assert f"Found after {len(found[0].path)} steps: {found[0].complaint}" in out
    assert read_finding(Path("long.parquet"))[1] == found[0]
