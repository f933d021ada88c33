"""The version of code changes with all that it is made of, wherever that stands."""

import pytest

from model.core import version
from model.core.version import version_of_file, version_of_rooms
from model.ground.errors import InputError


@pytest.fixture
def ours(tmp_path, monkeypatch):
    """A folder in place of the one that holds our packages."""
    monkeypatch.setattr(version, "ROOT", tmp_path)
    version_of_rooms.cache_clear()
    yield tmp_path
    version_of_rooms.cache_clear()


def write(folder, files):
    for name, text in files.items():
        file = folder / f"{name}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


def test_of_rooms_all_their_files_count_and_no_others(ours):
    def of_agents():
        version_of_rooms.cache_clear()
        return version_of_rooms("agents", "model/ground")

    write(ours, {"agents/node": "X = 1\n", "agents/pnr/manager": "Y = 1\n", "model/core/jit": ""})
    seen = [of_agents()]
    write(ours, {"model/core/jit": "Z = 1\n"})
    (ours / "agents" / "README.md").write_text("What agents are.\n")
    assert of_agents() == seen[0]
    for change in (
        {"agents/pnr/manager": "Y = 2\n"},
        {"agents/other": ""},
        {"model/ground/units": "S = 10**9\n"},
    ):
        write(ours, change)
        seen.append(of_agents())
    (ours / "agents" / "rates.csv").write_text("1\n")
    seen.append(of_agents())
    assert len({*seen}) == len(seen)


@pytest.mark.parametrize(
    "code",
    [
        "import helper",
        "import os, helper as h",
        "from helper import TRIES",
        "from helper import (  # both\n    TRIES,\n    WAIT,\n)",
        "def f():\n    from helper import TRIES",
        "import around",
        "from around import helping",
        "from around.inner import TRIES",
        "import around.inner",
    ],
)
def test_a_users_file_counts_with_what_it_imports_from_beside_it(tmp_path, code):
    modules = {"helper": "TRIES = {}\n", "around/inner": "from helper import TRIES\n"}
    modules |= {"around/__init__": "from .helping import TRIES\n"}
    modules |= {"around/helping": "from helper import TRIES\n"}

    def version_with(tries, folder="here"):
        write(tmp_path / folder, {"own": code, **modules})
        write(tmp_path / folder, {"helper": modules["helper"].format(tries)})
        return version_of_file(tmp_path / folder / "own.py")

    assert version_with(1) == version_with(1, "elsewhere") != version_with(2)


def test_what_a_users_file_does_not_import_does_not_count(tmp_path, ours):
    write(tmp_path / "mine", {"own": "import numpy\nfrom agents.link import Link\n"})
    before = version_of_file(tmp_path / "mine/own.py")
    write(tmp_path / "mine", {"helper": "TRIES = 1\n"})
    write(ours, {"agents/link": "class Link: ...\n"})  # which the version of the run covers
    assert version_of_file(tmp_path / "mine/own.py") == before


def test_a_file_of_ours_counts_with_what_it_imports_of_ours(ours):
    write(ours, {"model/plane": "from agents.node import READY\n", "agents/node": "READY = 0\n"})
    before = version_of_file(ours / "model/plane.py")
    write(ours, {"agents/link": ""})
    assert version_of_file(ours / "model/plane.py") == before
    write(ours, {"agents/node": "READY = 1\n"})
    assert version_of_file(ours / "model/plane.py") != before


def test_a_file_that_cannot_be_read_is_one_line(tmp_path):
    with pytest.raises(InputError, match=r"nothing\.py: No such file or directory; give a"):
        version_of_file(tmp_path / "nothing.py")
