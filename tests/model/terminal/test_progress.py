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


class Run:
    """A run that is done to some part."""

    def __init__(self, name):
        self.name, self.part = name, 0

    def progress(self):
        return self.part


def test_runs_are_told_now_and_then(clock, capsys):
    paging, man = Run("DP"), Run("MAN")
    with Bar(2) as bar:
        for at, run, part in (
            *((0.5, paging, 0.2), (1, paging, 0.5)),
            *((1.5, man, 0.1), (2.2, man, 0.6)),
        ):
            clock[0], run.part = NOTE_EVERY_S * at, part
            bar.update(run)
    # a line at least once since the last: at 1 and 2.2; of two runs, 0.5 and 1.6 were done
    assert capsys.readouterr() == ("", "DP (1 of 2): 25%\nMAN (2 of 2): 80%\n")


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
