"""Checks hear of every hop on the actors plane; the compiled one has none, one by one."""

import pytest

from model.core.checks import Checker
from model.pnr.scenario import make_scenario
from tests.journaled import compared


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
    compared(scenario, plane=plane, check=True)
    assert {"sent", "delivered", "placed", "ended"} <= heard
    assert ("hop" in heard) == hops
