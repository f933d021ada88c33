"""A search that is kept in a file and goes on is the same as one that was never interrupted."""

import json
import pickle
from contextlib import suppress
from dataclasses import astuple
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import model
import model.pnr.explore.search as searching
from model.pnr.explore.keeping import Keeper
from model.pnr.explore.search import search
from model.pnr.explore.setting import Setting
from model.pnr.explore.world import World

OWN = f"{Path(__file__).with_name('own_property.py')}:own_property"
SETTINGS = st.builds(
    Setting,
    st.sampled_from(["CLI", "MAN", "PROBE1", "LEASE", "ADAPT", OWN]),  # ADAPT compares times
    nodes=st.integers(2, 3),
    order=st.sampled_from(["fifo", "any"]),
    losses=st.integers(0, 1),
    crashes=st.integers(0, 1),
    late_timers=st.just(True),
)
MOST = 800  # states, so that examples are quick


class Killed(BaseException):
    """What ends a search without more ado."""


def seen_by(setting, all_rules, file=None, most_states=MOST):
    """All that a search has seen, and what it says of it."""
    keeper = None if file is None else Keeper(file, setting)
    found = search(setting, most_states=most_states, all_rules=all_rules, keeper=keeper)
    one = found.search
    numbers = one.parents, one.firsts, one.ends, one.broken, one.first_seen, one.world.alike
    return found, [*map(astuple, found.findings)], numbers


@settings(max_examples=8)
@given(
    SETTINGS,
    st.booleans(),
    st.lists(st.integers(2, MOST), max_size=2),
    st.integers(1, 2 * MOST),
    st.sampled_from([KeyboardInterrupt, Killed]),
)
def test_it_goes_on_as_if_nothing_had_been(
    tmp_path_factory, setting, all_rules, most_states, steps, end
):
    """It ends at some numbers of states, and by Ctrl-C or kill after some steps."""
    file = tmp_path_factory.mktemp("kept") / "search"
    for most in most_states:
        seen_by(setting, all_rules, file, most)
    left = steps

    def take(world, state, step, take=World.take):
        nonlocal left
        left -= 1
        if not left:
            raise end
        return take(world, state, step)

    with pytest.MonkeyPatch.context() as patch, suppress(Killed):
        patch.setattr(searching, "_CHUNK", 50)
        patch.setattr(searching, "KEPT_EVERY_S", 0)
        patch.setattr(World, "take", take)
        seen_by(setting, all_rules, file)
    assert seen_by(setting, all_rules, file) == seen_by(setting, all_rules)


def test_only_steps_to_new_states_are_taken_again(tmp_path, monkeypatch):
    setting, file = Setting("CLI", 2, 2), tmp_path / "search"
    found, *_ = seen_by(setting, False, file)
    taken, take = [], World.take
    monkeypatch.setattr(World, "take", lambda *step: taken.append(step) or take(*step))
    seen_by(setting, False, file)
    assert found.states - 1 <= len(taken) < found.states + 50 < found.steps


SEES = """
from topologies.managers.cli import cli as mine


def sometimes_node_0_asks_last(before, step, after):
    asking = [sender for sender, _, it in before.messages if type(it).__name__ == "RamRequest"]
    return asking == [0] and step[1:3] == (0, 0)
"""


def test_what_a_step_to_a_known_state_has_shown_is_kept(tmp_path):
    (tmp_path / "mine.py").write_text(SEES)
    setting, file = Setting(f"{tmp_path}/mine.py:mine", 2, 1), tmp_path / "search"
    seen_by(setting, False, file, most_states=20)
    assert seen_by(setting, False, file) == seen_by(setting, False)


def test_ctrl_c_keeps_the_search(command, ctrl_c_at):
    ctrl_c_at(150)
    words = "explore CEN --nodes 2 --keep search"
    status, out, err = command(words)
    assert (status, "search has this search" in out) == (130, True)
    assert err == "error: interrupted before the search was complete\n"
    again = command(words)
    assert (again[0], "270 states, 498 steps" in again[1]) == (0, True)
    assert model.explore("CEN", nodes=2, keep="search").found.states == 270


JOB = "[[job]]\nprocesses = 1\nmemory_mb = {}\ndemand_s = 1\n"
DESIGN = "from topologies.managers.cen import cen\n\n\ndef mine(nodes):\n    return cen(nodes)\n"
WORDS = "explore mine.py:mine --scenario one.toml --quiet --keep search"


@pytest.fixture
def kept(command):
    Path("one.toml").write_text(JOB.format(12))
    Path("mine.py").write_text(DESIGN)
    assert command(f"{WORDS} --states 3")[0] == 0
    return Path("search").read_bytes()


def changed(content, array, change):
    """The file with an array changed."""
    Path("search").write_bytes(content)
    with np.load("search") as file:
        arrays = {**file}
    with Path("search").open("wb") as file:
        np.savez(file, **(arrays | {array: change(arrays[array])}))
    return Path("search").read_bytes()


def of_other_code(seen):
    told = json.loads(seen.tobytes()) | {"about": "0123456789abcdef"}
    return np.frombuffer(json.dumps(told).encode(), np.uint8)


class Runs:
    def __reduce__(self):
        return Path.write_text, (Path("ran"), "a foreign file has run code")


@pytest.mark.parametrize(
    "change",
    [
        lambda kept: b"",
        lambda kept: b"a text\n",
        lambda kept: kept[:-200],
        lambda kept: kept.replace(b'"by_time"', b'"no_time"'),
        lambda kept: pickle.dumps(Runs()),
        lambda kept: changed(kept, "ends", lambda ends: np.array([Runs()])),
        lambda kept: changed(kept, "ends", lambda ends: ends[:-1]),
    ],
)
def test_a_foreign_or_broken_file_is_refused_in_one_line_and_stays(command, kept, change):
    content = change(kept)
    Path("search").write_bytes(content)
    told = "no search is kept there; give another file, or delete it to begin anew"
    assert command(WORDS) == (2, "", f"error: --keep search: {told}\n")
    assert Path("search").read_bytes() == content
    assert not Path("ran").exists()


def test_the_search_of_another_setting_or_version_is_refused(command, kept):
    told = "error: --keep search: it has the search of another setting, design or version"
    assert command(f"{WORDS} --loss 1")[2].startswith(told)
    Path("one.toml").write_text(JOB.format(13))
    assert command(WORDS)[2].startswith(told)
    Path("one.toml").write_text(JOB.format(12))
    Path("mine.py").write_text(f"{DESIGN}\n\n# another comment\n")
    assert command(WORDS)[2].startswith(told)
    Path("mine.py").write_text(DESIGN)
    assert Path("search").read_bytes() == kept
    assert command(f"{WORDS} --states 3") == (0, "CEN: nothing in up to 1 steps (3 states)\n", "")
    changed(kept, "seen", of_other_code)
    assert command(WORDS)[2].startswith(told)
    status, _, err = command(WORDS.replace("search", "no/such/folder"))
    assert (status, "No such file or directory" in err) == (2, True)
