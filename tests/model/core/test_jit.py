"""Compiled functions: they do what Python does, and are compiled again when their code changes."""

import importlib
import sys
from pathlib import Path

import pytest

from model.core import jit
from model.pnr.scenario import make_scenario
from model.terminal.comparison import takes_compiled

HALVES = """
from model.core.jit import compiled, inner, seldom
from step import STEP

@inner
def half(number):
    if number % 2:
        raise ValueError('odd')
    return number // 2

@seldom
def quarter(number):
    return half(half(number))

@compiled
def eighth(number):
    return half(quarter(number)) + STEP
"""


@pytest.fixture
def load(tmp_path, monkeypatch):
    """Loads code that is compiled, anew, with a constant of another file."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "halves.py").write_text(HALVES)

    def load(step):
        (tmp_path / "step.py").write_text(f"STEP = {step}\n")
        for name in ("step", "halves"):
            sys.modules.pop(name, None)
        importlib.invalidate_caches()
        jit._folder.cache_clear()
        return importlib.import_module("halves")

    return load


def test_compiled_functions_do_what_python_does_and_follow_their_code(load):
    """A cache that looks at the function's file only would go on with the old constant."""
    for step, known in ((0, False), (0, True), (100, False), (0, True)):
        halves = load(step)
        assert jit.is_compiled(halves.eighth) == known
        assert (halves.quarter(48), halves.eighth(48)) == (12, 6 + step)
        with pytest.raises(ValueError, match="odd"):
            halves.eighth(12)
        assert jit.is_compiled(halves.eighth)


def test_where_nothing_can_be_written_it_compiles_all_the_same(load, monkeypatch):
    def refuse(self, *arguments, **options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", refuse)
    halves = load(0)
    assert jit.cache_of(halves.quarter) is None
    assert halves.eighth(48) == 6


@pytest.mark.parametrize(
    ("compiled", "plane", "says"),
    [(False, "auto", True), (True, "auto", False), (False, "actors", False)],
)
def test_the_first_compilation_is_announced(monkeypatch, capsys, compiled, plane, says):
    monkeypatch.setattr(jit, "is_compiled", lambda function: compiled)
    takes_compiled(make_scenario(), plane, every_hop=False, quiet=False)
    assert ("Compiling" in capsys.readouterr().err) == says
