"""The proof itself works, and a few of its scenarios give what is stored; it runs all of them."""

import json

import pytest

from tests.proof import __main__ as proof


@pytest.fixture(autouse=True)
def without_figures(monkeypatch):
    for room in (proof.designs, proof.policies):
        monkeypatch.setattr(room, "draw", lambda results, folder: [])


def stored():
    return json.loads(proof.STORED.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ["own-protocol", "node-crash", "own-profile-and-limits", "cmgs"])
def test_scenarios_give_what_is_stored(name):
    found = {name: proof.digests_of(name, proof.scenarios()[name], None)}
    assert proof.differences(found, stored()) == []


def test_every_scenario_is_stored():
    assert {*proof.scenarios()} == {*stored()}


def test_what_differs_is_named():
    given = {"one": {"jobs": "1", "stations": "2"}, "other": {"jobs": "3"}}
    changed = {"one": {"jobs": "1", "stations": "0"}, "other": {"jobs": "3", "summary": "4"}}
    assert proof.differences(given, changed) == ["one: stations", "other: summary"]
    assert proof.differences({"other": {"jobs": "3"}}, given) == []
