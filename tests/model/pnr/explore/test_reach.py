"""How often a server is asked on one path, which says what a setting cannot try."""

from math import inf
from pathlib import Path

import pytest

from model.pnr.explore.reach import most_asked
from model.pnr.explore.search import search
from model.pnr.explore.setting import Setting

LIVELOCK = f"{Path(__file__).parent / 'livelocks.py'}:asks_the_same"


@pytest.mark.parametrize(
    ("setting", "most"),
    [
        (Setting("DP"), 0),  # nobody asks
        (Setting("MAN", jobs=1), 1),  # one manager asks each server once for a job
        (Setting("MAN", jobs=2), 2),
        (Setting("CLI", jobs=1), 2),  # the servents of two processes may both ask the third node
        (Setting("CLI", jobs=2), 3),  # the second job has one process
        (Setting(LIVELOCK), inf),  # its manager asks for ever
    ],
)
def test_how_often_a_server_is_asked_follows_from_the_protocol(setting, most):
    assert most_asked(search(setting, all_rules=True).search) == most


def test_a_search_says_with_how_many_jobs_more_is_tried(command):
    _, out, _ = command("explore MAN --jobs 1")
    assert "every server is asked at most 1 time (--jobs 2 tries more)" in out
