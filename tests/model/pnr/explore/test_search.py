"""The thesis's designs in all orders of messages, and what a search itself must keep."""

import tracemalloc
from pathlib import Path

import pytest

from model.pnr.explore.search import search
from model.pnr.explore.setting import Setting
from model.pnr.explore.steps import DELIVER, FIRE, PLACE
from model.pnr.explore.storing import read_finding

THESIS = ["DP", "CLI", "CEN", "MAN", "BB2"]


@pytest.mark.parametrize(("nodes", "order"), [(3, "fifo"), (2, "any")])
@pytest.mark.parametrize("design", THESIS)
def test_the_thesis_protocol_keeps_all_rules_in_every_order(design, nodes, order):
    found = search(Setting(design, nodes, 2, order))
    assert (found.whole, found.finding) == (True, None)
    if (design, nodes) == ("CLI", 3):  # as two earlier searches counted
        assert (found.states, found.steps, found.depth) == (15_635, 33_277, 34)
    if design != "DP":  # else it would have proved little
        assert found.sometimes == {"a request is denied": True, "a grant is partial": True}


@pytest.mark.parametrize("design", THESIS[1:])
def test_one_lost_message_leaves_a_job_waiting_for_ever(design):
    found = search(Setting(design, 2, 1, losses=1))
    assert "for ever" in found.finding.complaint


def test_timers_that_lead_nowhere_hide_nothing():
    hinting = f"{Path(__file__).with_name('mutants.py')}:Hinting"
    found = search(Setting(hinting, 3, 1, late_timers=True))
    assert (found.whole, found.finding) == (True, None)
    found = search(Setting(hinting, 3, 1, losses=1, late_timers=True))
    assert "somebody waits for ever: node 0" in found.finding.complaint
    assert len(found.finding.path) == 3  # as without timers


def test_what_a_timer_mends_later_is_not_lost_though_others_fire_again_and_again_before():
    beating = f"{Path(__file__).with_name('mutants.py')}:leases_under_a_heartbeat"
    found = search(Setting(beating, 3, 1, late_timers=True))
    assert (found.whole, found.finding) == (True, None)


def test_a_timer_that_is_due_later_fires_though_another_fires_again_and_again_before():
    theft = f"{Path(__file__).with_name('mutants.py')}:late_theft_under_a_heartbeat"
    finding = search(Setting(theft, 3, 1, late_timers=True)).finding
    assert "4.00 MB of node 2 are borrowed, but it lends 0 bytes" in finding.complaint
    # a job is placed; two requests, a question, an answer, two grants; at 1, 2 and 2.5 s
    assert [step.kind for step in finding.path] == [PLACE, *[DELIVER] * 6, *[FIRE] * 3]


def test_with_reliable_around_it_a_design_withstands_a_loss_and_a_duplicate():
    for faults in ({"losses": 1}, {"duplicates": 1}):
        found = search(Setting("RELIABLE(CEN)", 3, 1, late_timers=True, **faults))
        assert (found.whole, found.finding) == (True, None)


def test_a_search_ends_where_it_is_told_to():
    found = search(Setting("CLI", 2, 2), most_states=50)
    assert (found.whole, found.states) == (False, 50)


def test_a_search_takes_about_the_memory_that_it_is_given():
    setting = Setting("PROBE2")
    setting.design  # noqa: B018  # loads what is no part of the search
    tracemalloc.start()
    try:
        found = search(setting, most_bytes=2_000_000)
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert not found.whole
    assert 1_500_000 < peak_bytes < 3_500_000


def test_ctrl_c_ends_a_search_with_what_was_found(command, ctrl_c_at):
    ctrl_c_at(400)
    status, out, err = command("explore CEN")
    assert (status, err) == (130, "error: interrupted before the search was complete\n")
    assert "NOT all states seen, only all within" in out
    ctrl_c_at(400)
    words = "explore MAN --nodes 2 --loss 1 --all-rules --out found.parquet"
    status, out, err = command(words)
    assert (status, err) == (130, "error: interrupted before the search was complete\n")
    assert "somebody waits for ever" in out
    assert read_finding(Path("found.parquet"))[1].path


@pytest.mark.parametrize(
    ("design", "how", "states", "steps"),
    [
        # Of three letters 0 to 3 are there, on each of two ways.
        ("counts", {}, 4 * 4, 2 * 3 * 4),
        # If one is lost, too, it is the first, second or last to leave its way.
        ("counts", {"losses": 1}, 4 * 4 + 2 * 3 * 4, 2 * 3 * 4 * 2 + 2 * (2 * 4 + 3 * 3)),
        # Of three letters those of one of eight sets are there.
        ("collects", {"order": "any"}, 8 * 8, 2 * 12 * 8),
    ],
)
def test_states_and_steps_are_as_many_as_combinatorics_says(design, how, states, steps):
    """The job is elsewhere in all this: it has 5 states (it waits, two processes run, one of them,
    the other, none), and 5 steps between them."""
    letters = Path(__file__).with_name("letters.py")
    found = search(Setting(f"{letters}:{design}", nodes=2, jobs=1, **how))
    assert (found.whole, found.finding) == (True, None)
    assert found.states == 5 * states
    assert found.steps == 5 * steps + 5 * states


def test_a_servent_that_never_restarts_is_waited_for_for_ever_but_does_not_wait_itself():
    found = search(Setting("MAN", 2, 1, crashes=1, for_ever=True))
    assert found.finding.complaint.startswith("somebody waits for ever: node")
    # disk paging asks nobody
    assert search(Setting("DP", 2, 2, crashes=2, for_ever=True)).finding is None
    # nobody else is there who could wait, or lend
    assert search(Setting("MAN", 1, 2, crashes=1, for_ever=True)).finding is None
