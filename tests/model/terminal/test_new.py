"""`run.py new protocol`: a file that runs, explores and has its first test."""

import importlib.util
from pathlib import Path

import pytest

from model.pnr.design import load_design
from model.pnr.explore.search import search
from model.pnr.explore.setting import Setting
from model.pnr.scenario import make_scenario


@pytest.fixture
def auction(command):
    status, out, _ = command("new protocol Auction")
    assert status == 0
    assert out.startswith("auction.py is written. uv run pytest auction.py\n")
    return Path("auction.py").resolve()


def test_its_test_passes(auction):
    spec = importlib.util.spec_from_file_location("auction", auction)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.test_a_hint_arrives()


def test_it_has_a_parameter_and_explores_with_its_own_property(auction):
    design = load_design(f"{auction}:auction(every_s=5)", make_scenario(nodes=3))
    assert (design.name, design.parameters["every_s"]) == ("AUCTION(every_s=5)", 5)
    found = search(Setting(f"{auction}:auction", jobs=1), most_states=500)
    assert found.finding is None


def test_no_file_is_overwritten_and_a_name_is_one_of_a_function(auction, refusal):
    taken = refusal("new protocol auction")
    assert "auction.py is there already; take another name" in taken
    assert "my-auction is no name of a function" in refusal("new protocol my-auction")


@pytest.mark.parametrize("name", ["class", "round", "Man", "message", "bb4", "token", "networkx"])
def test_a_name_that_something_else_has_is_refused(refusal, here, name):
    """A keyword, a function of Python, what the file imports, a bundled design, a module."""
    assert f"{name.lower()} is " in refusal(f"new protocol {name}")
    assert [*here.iterdir()] == []
