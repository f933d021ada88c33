"""Where compiled code is kept."""

import importlib
import sys
from pathlib import Path

import pytest

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


def test_compiled_functions_do_what_python_does(folder):
    """Also from the disk, also those that are parts of others, and with errors."""
    (folder / "halves.py").write_text(
        "from model.core.jit import compiled, inner, seldom\n"
        "@inner\n"
        "def half(number):\n"
        "    if number % 2:\n"
        "        raise ValueError('odd')\n"
        "    return number // 2\n"
        "@seldom\n"
        "def quarter(number):\n"
        "    return half(half(number))\n"
        "@compiled\n"
        "def eighth(number):\n"
        "    return half(quarter(number))\n"
    )
    for _ in range(2):
        jit._folder.cache_clear()
        sys.modules.pop("halves", None)
        halves = importlib.import_module("halves")
        assert (halves.quarter(48), halves.eighth(48)) == (12, 6)
        with pytest.raises(ValueError, match="odd"):
            halves.eighth(12)
