"""Where compiled code is kept."""

from pathlib import Path

import pytest

import model.terminal.comparison
from model.core import jit
from model.pnr.scenario import make_scenario


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
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    beside = Path(jit.__file__).parent / "__pycache__"
    assert jit._writable_cache().parent == beside
    refuse(beside)
    assert jit._writable_cache().parent == tmp_path / "parallel-network-ram"
    refuse(beside, tmp_path)
    assert jit._writable_cache() is None
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "numba"))
    refuse(beside)
    assert jit._writable_cache().parent == tmp_path / "numba"


def test_its_place_changes_with_any_file_that_it_is_made_of(tmp_path, monkeypatch):
    first = jit._writable_cache()
    assert jit._writable_cache() == first
    edited = tmp_path / "paging.py"
    edited.write_text("# edited")
    sources = [edited if source.name == "paging.py" else source for source in jit._SOURCES]
    monkeypatch.setattr(jit, "_SOURCES", sources)
    assert jit._writable_cache() != first


@pytest.mark.parametrize(
    ("engine", "compiled", "says"),
    [("auto", False, "Compiling"), ("auto", True, ""), ("actors", False, "")],
)
def test_the_first_compilation_is_announced(monkeypatch, capsys, engine, compiled, says):
    monkeypatch.setattr(jit, "is_compiled", lambda: compiled)
    model.terminal.comparison.say_if_compiling(make_scenario(), engine, every_hop=False)
    assert says in capsys.readouterr().err
