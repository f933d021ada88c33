"""Parameters searched and then judged, on a small log: a best value that is known is found."""

from pathlib import Path

import pytest

import model
from tests.model.judge.conftest import MANY, OPTIONS, SMALL

LENDS = """
from dataclasses import replace
from typing import Annotated

from agents.pnr.messages import ServerRequest
from agents.pnr.protocol import Protocol, Server
from model import Range
from topologies.managers.man import man


class Partly(Server):
    def receive(self, sender, content, now_ns):
        if isinstance(content, ServerRequest):
            amount = content.amount * self.parameters["eighths"] // 8
            content = replace(content, amount=amount)
        return super().receive(sender, content, now_ns)


def lends(nodes, eighths: Annotated[int, Range(0, 8)] = 0, other: int = 1):
    graph = man(nodes)
    graph.graph |= {"name": "LENDS", "protocol": Protocol(server=Partly)}
    return graph
"""


@pytest.fixture
def log(write_log, in_this_process):
    write_log(MANY * 2)
    Path("lends.py").write_text(LENDS)


def test_the_value_that_is_best_by_construction_is_found_and_judged_on_other_windows(log):
    """A page from another node is cheaper than from the disk, so whoever lends most is fastest."""
    judged = model.judge(
        "lends.py:lends",
        against=("MAN",),
        length=4,
        faults=False,
        tune=True,
        objective="response",
        trace="log.swf",
        first=1,
        **SMALL,
    )
    tuned = judged.tuned.set_index("found_by")
    assert tuned.declared["halving"] == "lends.py:lends(eighths=8)"
    assert tuned.response["default"] == 1
    assert tuned.response["halving"] < 1
    verdicts = judged.verdicts.set_index(["design", "against"]).says
    assert verdicts["LENDS(eighths=8)", "LENDS"] == "faster"
    assert verdicts["LENDS(eighths=8)", "MAN"] == "equal"
    (told, *_) = repr(judged).splitlines()
    assert told.startswith("LENDS(eighths=8) is surely faster than the default, LENDS")


def test_where_nothing_is_better_the_default_is_judged(command, log):
    words = f"judge lends.py:lends(eighths=8) --against MAN --length 4 --no-faults {OPTIONS} --tune"
    status, out, _ = command(f"{words} --objective response other=1|2|3")
    assert status == 0
    assert "No setting that was tried is better than the default.\n" in out
    assert "LENDS(eighths=8) is equal to MAN" in out


def test_ranges_are_given_at_the_command_line_and_runs_are_kept(command, log):
    judged = f"judge lends.py:lends --against MAN --length 4 --no-faults {OPTIONS}"
    words = f"{judged} --tune eighths=4..6 other=1|2"
    status, out, _ = command(words)
    assert status == 0
    lines = [line for line in out.splitlines() if line.startswith("lends.py:lends(")]
    assert any("eighths=6" in line and "halving" in line for line in lines)
    assert not any("eighths=8" in line for line in lines)
    assert command(words)[1] == out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("lends.py:lends MAN --tune", "--tune takes one design"),
        ("lends.py:lends --holds loss", "--holds: needs --tune"),
        ("lends.py:lends --tune --holds fire", "take some of none, loss, duplicate, crash"),
        ("lends.py:lends --tune eighths=few|many", "no setting that was drawn can be: lends.py"),
        ("lends.py:lends(eighths=1) --tune", "has no parameters with ranges"),
    ],
)
def test_what_cannot_be_searched_is_told(command, log, words, told):
    status, _, err = command(f"judge {words} --length 4 {OPTIONS}")
    assert (status, told in err) == (2, True), err
