"""`run.py explore`: where findings are written, and which options do not go together."""

from pathlib import Path

import pytest

from model.terminal import exploring


@pytest.fixture
def no_search(monkeypatch):
    """Whoever refuses something does so before a search, which may take long."""

    def search(*_, **__):
        raise AssertionError("it searches")

    monkeypatch.setattr(exploring, "search", search)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("MAN --out no/lost.parquet", "--out no/lost.parquet: No such file"),
        ("MAN --all-rules --out lost.parquet", "--all-rules: lost-3.parquet exists"),
        ("--replay lost-3.parquet --out ./lost-3.parquet", "replaces lost-3.parquet, which is"),
    ],
)
def test_where_nothing_can_be_written_nothing_is_searched(refusal, here, no_search, words, told):
    Path("lost-3.parquet").write_text("somebody's")
    assert told in refusal(f"explore {words}")
    assert {path.name: path.read_text() for path in here.iterdir()} == {
        "lost-3.parquet": "somebody's"
    }
