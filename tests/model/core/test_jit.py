"""Where compiled code is kept."""

import importlib
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from numba.core.codegen import JITCodeLibrary
from numba.core.typed_passes import BaseNativeLowering

import model.terminal.comparison
from model.core import jit
from model.ground import paging
from model.pnr.scenario import make_scenario


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of its own for modules that are imported and for what is compiled."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


@pytest.fixture
def refuse(monkeypatch):
    """Makes folders below some places impossible to create."""
    mkdir = Path.mkdir

    def refuse(*places):
        def guarded(self, *arguments, **options):
            if any(self.is_relative_to(place) for place in places):
                raise PermissionError(13, "Permission denied")
            return mkdir(self, *arguments, **options)

        monkeypatch.setattr(Path, "mkdir", guarded)

    return refuse


def test_compiled_code_lies_beside_its_source_or_else_in_the_users_cache(
    tmp_path, monkeypatch, refuse
):
    def place():
        jit._folder.cache_clear()
        folder = jit.cache_of(paging.fault_time_ns)  # of a file that imports little
        return folder and folder.parent

    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    beside = Path(jit.__file__).parent / "__pycache__"
    assert place() == beside
    refuse(beside)
    assert place() == tmp_path / "parallel-network-ram"
    refuse(beside, tmp_path)
    assert place() is None
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "numba"))
    refuse(beside)
    assert place() == tmp_path / "numba"


def test_a_user_without_a_home_caches_elsewhere_or_nowhere(tmp_path, monkeypatch, refuse):
    def homeless():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    for writable, found in ((True, tmp_path), (False, None)):
        monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
        refuse(*[] if writable else [tmp_path, Path(jit.__file__).parent])
        jit._folder.cache_clear()
        folder = jit.cache_of(paging.fault_time_ns)
        assert (folder and folder.parent) == found


def test_it_follows_a_constant_of_another_file(folder):
    """A cache that looks at the function's file only would go on with the old constant."""
    (folder / "plane.py").write_text(
        "from model.core.jit import compiled\n"
        "from states import READY\n"
        "@compiled\n"
        "def state():\n"
        "    return READY\n"
    )

    def load(states):
        (folder / "states.py").write_text(states)
        for name in ("states", "plane"):
            sys.modules.pop(name, None)
        importlib.invalidate_caches()
        jit._folder.cache_clear()
        return importlib.import_module("plane").state

    first = load("READY = 0\n")
    assert not jit.is_compiled(first)
    assert first() == 0
    assert jit.is_compiled(first)
    assert jit.is_compiled(load("# What a process does.\nREADY = 0\n"))
    second = load("READY = 1  # one\n")
    assert not jit.is_compiled(second)
    assert second() == 1
    assert jit.is_compiled(load("READY = 0\n"))


def test_what_another_clone_has_compiled_is_not_compiled_here(folder, monkeypatch):
    """The same code elsewhere has the same version, but Numba finds nothing of it there."""

    def load(clone):
        (folder / clone).mkdir()
        (folder / clone / "cloned.py").write_text(
            "from model.core.jit import compiled\n@compiled\ndef one():\n    return 1\n"
        )
        monkeypatch.syspath_prepend(folder / clone)
        sys.modules.pop("cloned", None)
        return importlib.import_module("cloned").one

    first = load("first")
    assert first() == 1
    second = load("second")
    assert jit.cache_of(second) == jit.cache_of(first)
    assert jit.is_compiled(first)
    assert not jit.is_compiled(second)


@pytest.mark.parametrize(
    ("plane", "compiled", "phases", "says"),
    [
        ("auto", False, ["start"], "Compiling"),
        ("auto", True, ["start"], ""),
        ("auto", False, ["paging"], ""),  # lost pages: a fault for which the actors are needed
        ("actors", False, ["start"], ""),
    ],
)
def test_the_first_compilation_is_announced(monkeypatch, capsys, plane, compiled, phases, says):
    monkeypatch.setattr(jit, "is_compiled", lambda function: compiled)
    scenario = make_scenario(fault=[{"kind": "loss", "messages": phases}])
    model.terminal.comparison.say_if_compiling(scenario, plane, every_hop=False)
    assert says in capsys.readouterr().err


def test_an_inner_function_is_only_a_part_of_those_that_call_it(folder, monkeypatch):
    """It is neither optimised nor loaded alone; also compiled code from the disk works without."""
    (folder / "halves.py").write_text(
        "from model.core.jit import compiled, inner\n"
        "@inner\n"
        "def half(number):\n"
        "    if number % 2:\n"
        "        raise ValueError('odd')\n"
        "    return number // 2\n"
        "@inner\n"
        "def quarter(number):\n"
        "    return half(half(number))\n"
        "@compiled\n"
        "def eighth(number):\n"
        "    return half(quarter(number))\n"
        "@compiled\n"
        "def sixteenth(number):\n"
        "    return quarter(quarter(number))\n"
    )
    optimised = []
    optimise = JITCodeLibrary._optimize_final_module

    def count(library):
        optimised.append(library.name)
        optimise(library)

    def results():
        jit._folder.cache_clear()
        sys.modules.pop("halves", None)
        halves = importlib.import_module("halves")
        assert halves.quarter(48) == 12  # in Python
        with pytest.raises(ValueError, match="odd"):
            halves.eighth(12)
        return halves.eighth(48), halves.sixteenth(48)

    monkeypatch.setattr(JITCodeLibrary, "_optimize_final_module", count)
    assert results() == (6, 3)
    assert [name for name in optimised if name in ("half", "quarter")] == []
    assert {"eighth", "sixteenth"} <= set(optimised)
    optimised.clear()
    assert results() == (6, 3)
    assert optimised == []


def test_an_inner_function_is_compiled_once_whoever_calls_it(folder, monkeypatch):
    """The entry, an inner function and one that is seldom used are compiled with other flags."""
    (folder / "callers.py").write_text(
        "from model.core.jit import compiled, inner, seldom\n"
        "@inner\n"
        "def half(number):\n"
        "    return number // 2\n"
        "@inner\n"
        "def quarter(number):\n"
        "    return half(half(number))\n"
        "@seldom\n"
        "def less(number):\n"
        "    return half(number) - 1\n"
        "@compiled\n"
        "def all_of_them(number):\n"
        "    return half(number) + quarter(number) + less(number)\n"
    )
    lowered = []
    lower = BaseNativeLowering.run_pass

    def count(self, state):
        lowered.append(state.func_id.func_name)
        return lower(self, state)

    monkeypatch.setattr(BaseNativeLowering, "run_pass", count)
    assert importlib.import_module("callers").all_of_them(8) == 4 + 2 + 3
    assert sorted(lowered) == ["all_of_them", "half", "less", "quarter"]


class Pair(NamedTuple):
    rows: np.ndarray
    table: np.ndarray


def test_an_entry_takes_what_numba_would_call_it_with(folder):
    """So there is no second function for the same arguments, whose types Numba finds itself."""
    (folder / "sums.py").write_text(
        "from model.core.jit import compiled\n"
        "@compiled\n"
        "def added(number, pair):\n"
        "    return number + pair.rows[0].size + pair.table[1, 1]\n"
    )
    rows = np.zeros(1, [("place", np.int64), ("size", np.int64)])
    rows["size"] = 20
    pair = Pair(rows, np.array([[1, 2], [3, 4]]))
    added = importlib.import_module("sums").added
    entry = jit.entry_of(added, pair)
    assert entry(100, pair) == added(100, pair) == 124
    assert len(added.signatures) == 1
    assert jit.entry_of(added, Pair(rows, np.zeros((9, 9)))) is entry  # whose types are not asked
