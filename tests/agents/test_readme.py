"""The protocol that README shows whole runs, on both planes alike, and the test of it holds."""

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from model.pnr.scenario import make_scenario
from tests.journaled import journaled
from tests.model.pnr.compiled.equality import assert_equal
from tests.model.pnr.compiled.test_equality import SCARCE, SMALL

README = Path(__file__).parents[2] / "agents" / "README.md"


@pytest.fixture
def shown():
    """The pieces of Python in README: a protocol, its test, and rules to explore it with."""
    return re.findall(r"^```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL | re.MULTILINE)


def test_the_protocol_runs_on_both_planes_alike(shown, tmp_path):
    protocol, *_ = shown
    assert len(protocol.splitlines()) <= 60
    (tmp_path / "rumor.py").write_text(protocol)
    scenario = make_scenario(job=SCARCE, **SMALL)
    for level in ("all", "protocol"):
        assert_equal(scenario, f"{tmp_path}/rumor.py:rumor", level)


def test_the_protocol_does_what_it_says(shown, tmp_path):
    protocol, *_ = shown
    (tmp_path / "rumor.py").write_text(protocol)
    scenario = make_scenario(job=SCARCE, **SMALL)
    cluster, records = journaled(scenario, f"{tmp_path}/rumor.py:rumor", plane="actors", check=True)
    assert cluster.name == "RUMOR"
    rumors = [record for record in records if (record.kind, record.what) == ("sent", "Rumor")]
    assert rumors
    assert all(record.peer == (record.node + 1) % 8 for record in rumors)
    assert {record.phase for record in rumors} == {"telling"}
    assert not any(record.what == "LoadBroadcast" for record in records)


def test_the_test_of_a_role_holds(shown, monkeypatch):
    protocol, test, *_ = shown
    rumor = ModuleType("rumor")
    monkeypatch.setitem(sys.modules, "rumor", rumor)
    exec(protocol, vars(rumor))
    exec(test, {})


def test_rules_of_ones_own_are_searched(shown, tmp_path, command):
    protocol, _, rules, _ = shown
    (tmp_path / "rumor.py").write_text(f"{protocol}\n{rules}")
    status, out, _ = command(f"explore {tmp_path}/rumor.py:rumor --nodes 2")
    assert status == 1
    assert "lends 7340032 bytes" in out  # 7 of 8 MB


def test_a_monitor_is_checked_in_searches_runs_and_journals(shown, tmp_path, command):
    *_, monitors = shown
    (tmp_path / "mine.py").write_text(monitors)
    check = f"--check {tmp_path}/mine.py"
    assert command(f"explore MAN --nodes 2 --jobs 1 {check}")[0] == 0
    assert "RepliesOnce: node" in command(f"explore MAN --nodes 2 --duplicates 1 {check}")[1]
    assert "answered: what must" in command(f"explore MAN --jobs 1 --loss 1 {check}")[1]
    journal = tmp_path / "run.parquet"
    scenario = "--nodes 16 --first 4621 --jobs 19 --ram 65 --journal-level protocol"
    words = f"compare --designs MAN,CLI {scenario} {check} --journal {journal} --workers 2"
    told = "MAN: rules that held: answered; RepliesOnce"
    for line in (words, f"check {journal} --rules {tmp_path}/mine.py"):
        status, out, _ = command(line)
        assert (status, told in out) == (0, True), out
