"""Every hop is journaled for a file of them alone, or for checks of the actors plane."""

from pathlib import Path

import pytest

from model.core.checks import Checker
from model.pnr.scenario import make_scenario
from model.terminal.comparison import needed_level, run_comparison

FILE = Path("run.parquet")


@pytest.mark.parametrize(
    ("journal", "level", "plane", "check", "needed"),
    [
        (None, "all", "auto", False, "protocol"),
        (None, "all", "auto", True, "protocol"),  # the compiled plane makes no hops one by one
        (None, "all", "actors", True, "all"),
        (None, "all", "actors", False, "protocol"),
        (FILE, "all", "auto", False, "all"),
        (FILE, "protocol", "actors", True, "protocol"),
    ],
)
def test_hops_are_journaled_where_they_are_asked_for(journal, level, plane, check, needed):
    assert needed_level(journal, level, plane, check) == needed


@pytest.mark.parametrize(("plane", "hops"), [("auto", False), ("actors", True)])
def test_checks_hear_of_hops_on_the_actors_plane(plane, hops, monkeypatch):
    heard = set()
    read = Checker.read

    def reading(checker, record):
        heard.add(record.kind)
        read(checker, record)

    monkeypatch.setattr(Checker, "read", reading)
    job = {"processes": 2, "memory_mb": 10, "demand_s": 30}
    scenario = make_scenario(job=[job], nodes=2, designs=["CEN"])
    rest = {"out": None, "journal": None, "journal_level": "all", "quiet": True}
    run_comparison(scenario, plane=plane, check=True, **rest)
    assert {"sent", "delivered", "placed", "ended"} <= heard
    assert ("hop" in heard) == hops
