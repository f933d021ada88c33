"""What a search makes of roles that calculate with times."""

import re
from pathlib import Path

from model.pnr.explore.search import search
from model.pnr.explore.setting import Setting
from model.pnr.explore.storing import read_finding
from model.views.story import recorded_path

CLOCKS = Path(__file__).with_name("clocks.py")


def test_what_is_left_until_a_time_is_asked_anew_at_each_step():
    """It fails if it wakes up at 30 s, as if 15 s were left at 20 s, too."""
    found = search(Setting(f"{CLOCKS}:stops_in_time", nodes=1, jobs=1))
    assert (found.whole, found.finding) == (True, None)
    assert (found.by_times, found.by_time) == (True, False)
    # without the job, with it, and after it; the timer has fired 0, 1, 2 and 3 times
    assert found.states == 12


def test_where_roles_calculate_with_times_it_is_said_what_was_not_tried(command):
    """How late it is, is no part of a state, so nobody sees that it fails after a minute."""
    _, out, _ = command(f"explore {CLOCKS}:fails_later --nodes 1 --jobs 1")
    assert "all states seen" in out
    assert "differ only in how long ago something was, or how late it is, count as one" in out
    assert "calculate with times" not in command("explore DP --nodes 1 --jobs 1")[1]


def test_what_was_found_with_all_times_in_one_order_is_told_and_taken_again_so(command):
    """Messages of one channel stand in another order if each node's times are taken apart, which
    they are not any more once a timer has looked at the time, elsewhere than on the path."""
    spells = f"explore {CLOCKS}:spells"
    words = "--nodes 2 --jobs 1 --order any --out spelled.parquet"
    found = re.findall(r"it reads [a-d]{4}", command(f"{spells} {words}")[1])
    assert len(found) == 1
    assert found[0] in command(f"{spells} --replay spelled.parquet")[1]
    setting, finding = read_finding(Path("spelled.parquet"))
    retold, _ = recorded_path(setting, finding)
    assert found[0] in str(retold[-1])
