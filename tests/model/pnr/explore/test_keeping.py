"""A search that is kept in a file and goes on is the same as one that was never interrupted."""

import json
import pickle
import signal
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
from model.pnr.explore.trail import Trail
from model.pnr.explore.world import World

HERE = Path(__file__).parent
SETTINGS = st.one_of(
    st.builds(
        Setting,
        st.sampled_from(["CLI", "CEN", "MAN", "PROBE2", f"{HERE}/own_property.py:own_property"]),
        nodes=st.just(2),
        jobs=st.integers(1, 2),
        order=st.sampled_from(["fifo", "any"]),
        losses=st.integers(0, 1),
        crashes=st.integers(0, 1),
    ),
    st.builds(
        Setting,
        st.sampled_from(["ADAPT", "GOSSIP", "LEASE", "MASTER"]),  # some compare times of nodes
        jobs=st.just(1),
        losses=st.integers(0, 1),
        late_timers=st.just(True),
    ),
)
MOST = 800  # states, so that examples are quick


def seen_by(setting, all_rules, file=None, most_states=MOST):
    """All that a search has seen, and what it says of it."""
    trail = Trail(setting.design.protocol)
    keeper = None if file is None else Keeper(file, setting, trail)
    limits = {"most_states": most_states, "all_rules": all_rules}
    found = search(setting, **limits, trail=trail, keeper=keeper)
    one = found.search
    numbers = one.parents, one.firsts, one.ends, one.broken, one.first_seen, one.world.apart
    return found, [*map(astuple, found.findings)], numbers, trail.never_run()


class Killed(BaseException):
    """What ends a search without more ado."""


@settings(max_examples=25)
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
    assert seen_by(setting, all_rules, file) == seen_by(setting, all_rules)  # once more


def test_what_is_kept_is_looked_up_and_not_searched(tmp_path, monkeypatch):
    """Only the steps to new states are taken again."""
    setting, file = Setting("CLI", 2, 2), tmp_path / "search"
    found, *_ = seen_by(setting, False, file)
    taken, take = [], World.take
    monkeypatch.setattr(World, "take", lambda *step: taken.append(step) or take(*step))
    seen_by(setting, False, file)
    assert found.states - 1 <= len(taken) < found.states + 10 < found.steps


def test_ctrl_c_keeps_the_search(command, monkeypatch):
    steps, looked_at = World.steps, []

    def steps_until_ctrl_c(self, state):
        looked_at.append(state)
        if len(looked_at) == 150:
            signal.raise_signal(signal.SIGINT)
        return steps(self, state)

    monkeypatch.setattr(World, "steps", steps_until_ctrl_c)
    words = "explore CEN --nodes 2 --keep search"
    status, out, err = command(words)
    assert (status, "search has this search" in out) == (130, True)
    assert err == "error: interrupted before the search was complete\n"
    again = command(words)
    assert (again[0], "271 states, 498 steps" in again[1]) == (0, True)
    assert model.explore("CEN", nodes=2, keep="search").found.states == 271


@pytest.fixture
def kept(command):
    command("explore CEN --nodes 2 --states 90 --keep search")
    return Path("search").read_bytes()


def damaged(content, array, change):
    """The file with an array changed."""
    Path("search").write_bytes(content)
    with np.load("search") as file:
        arrays = {**file}
    arrays[array] = change(arrays[array])
    with Path("search").open("wb") as file:
        np.savez(file, **arrays)
    return Path("search").read_bytes()


def other_code(seen):
    told = json.loads(seen.tobytes()) | {"code": "0123456789abcdef CEN"}
    return np.frombuffer(json.dumps(told).encode(), np.uint8)


class Runs:
    def __reduce__(self):
        return Path.write_text, (Path("ran"), "a foreign file has run code")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda kept: b"", "no search is kept there"),
        (lambda kept: b"a text\n", "no search is kept there"),
        (lambda kept: kept[:-200], "no search is kept there"),
        (lambda kept: kept.replace(b'"by_time"', b'"no_time"'), "no search is kept there"),
        (lambda kept: pickle.dumps(Runs()), "no search is kept there"),
        (lambda kept: damaged(kept, "ends", lambda ends: np.array([Runs()])), "no search is kept"),
        (lambda kept: damaged(kept, "ends", lambda ends: ends[:-1]), "no search is kept there"),
        (lambda kept: damaged(kept, "seen", other_code), "of another version of the code"),
    ],
)
def test_another_file_is_refused_in_one_line_and_stays(command, kept, change, told):
    content = change(kept)
    Path("search").write_bytes(content)
    status, out, err = command("explore CEN --nodes 2 --keep search")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert f"--keep search: {told}" in err.replace("its search is ", "")
    assert Path("search").read_bytes() == content
    assert not Path("ran").exists()


def test_a_file_of_another_search_is_refused(command, kept):
    for words, told in [
        ("CEN --nodes 3", "it has another search (nodes 2, not 3)"),
        ("MAN --nodes 2", "it has another search (declared CEN, not MAN)"),
        ("CEN --nodes 2 --random 5", "--random and --keep: give one of them"),
    ]:
        status, _, err = command(f"explore {words} --keep search")
        assert (status, told in err) == (2, True)
    status, _, err = command("explore CEN --nodes 2 --keep no/such/folder")
    assert (status, "No such file or directory" in err) == (2, True)
    assert Path("search").read_bytes() == kept


def test_a_changed_workload_or_design_is_another_search(command):
    job = "[[job]]\nprocesses = 1\nmemory_mb = {}\ndemand_s = 1\n"
    Path("one.toml").write_text(job.format(12))
    design = (
        "from topologies.managers.cen import cen\n\n\ndef mine(nodes):\n    return cen(nodes)\n"
    )
    Path("mine.py").write_text(design)
    words = "explore mine.py:mine --scenario one.toml --states 3 --quiet --keep search"
    assert command(words)[0] == 0
    assert command(words)[0] == 0
    Path("one.toml").write_text(job.format(13))
    assert "its search is of another workload" in command(words)[2]
    Path("one.toml").write_text(job.format(12))
    Path("mine.py").write_text(f"{design}\n\n# another comment\n")
    assert "its search is of another version of the code" in command(words)[2]
