"""Progress in a pipe: a line now and then."""

import time

import pytest

from model.terminal import progress
from model.terminal.progress import Bar, said_if_slow

NOTE_EVERY_S = 30


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still unless it is set."""
    now_s = [0.0]
    monkeypatch.setattr(progress, "NOTE_EVERY_S", NOTE_EVERY_S)  # which never comes in other tests
    monkeypatch.setattr(progress.time, "monotonic", lambda: now_s[0])
    return now_s


def test_steps_are_told_now_and_then(clock, capsys):
    with Bar(4) as bar:
        for figure in bar.over(range(4), "drawing"):
            clock[0] += NOTE_EVERY_S * 0.75 * (figure + 1)  # from 0 to 0.75, 2.25, 4.5, 7.5 times
    told = capsys.readouterr()
    # figures 3 and 4 begin 2.25 and 4.5 times after the beginning, at least once since the last
    assert (told.out, told.err) == ("", "drawing (3 of 4): 50%\ndrawing (4 of 4): 75%\n")


def test_a_short_command_and_a_quiet_one_say_nothing(clock, capsys):
    with Bar(1) as bar:
        bar.stage("reading a.parquet")
        clock[0] = NOTE_EVERY_S - 1
        bar.stage("drawing a.png")
    clock[0] = 0
    with Bar(1, quiet=True) as bar:
        clock[0] = 10 * NOTE_EVERY_S
        bar.stage("drawing a.png")
    assert capsys.readouterr() == ("", "")


def test_what_takes_long_is_said_and_what_does_not_is_not(monkeypatch, capsys):
    monkeypatch.setattr(progress, "SLOW_S", 0.05)
    with said_if_slow("reading results/thesis"):
        time.sleep(0.5)
    assert capsys.readouterr().err == "reading results/thesis ...\n"
    monkeypatch.setattr(progress, "SLOW_S", 60)
    with said_if_slow("reading results/thesis"):
        pass
    assert capsys.readouterr().err == ""
