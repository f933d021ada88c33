"""Rules of a user's own on the journals of runs: what is broken, open, vacuous, or has held."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model import Monitor, eventually, leads_to, until
from model.core.journal.kinds import MESSAGE, Record, identity
from model.core.journal.monitors import Rule, rules_of
from model.core.users_code import UsersCodeError
from model.core.watching import Watching
from model.ground.errors import InputError

HERE = Path(__file__)


def verdict(monitor, records, **whole):
    watching = Watching([Rule("rule", monitor, HERE)])
    for record in records:
        watching.read(record)
    (found,) = watching.verdicts(**whole)
    return found


def notes(text, finished=True):
    """A letter is a note of that name, whose node is its place in the alphabet; then jobs end."""
    last = [Record(99, "submitted", job=1), Record(99, "ended", job=1)]
    own = [Record(ns, "note", c.lower(), node=ord(c.lower()) - 97) for ns, c in enumerate(text)]
    return own + last * finished


def is_upto(letters):
    return lambda record: record.what in tuple(letters)


@given(st.text("abx", max_size=8))
def test_what_must_follow_does_if_the_last_of_both_is_what_follows(text):
    found = verdict(leads_to(is_upto("a"), is_upto("b")), notes(text))
    last = [letter for letter in text if letter in "ab"][-1:]
    assert found.times == (last == ["a"])
    assert found.is_vacuous == ("a" not in text)


@given(st.text("abcd", max_size=8))
def test_what_must_follow_has_the_same_key(text):
    """After each a or c comes a later b or d: of the same half of the alphabet."""
    rule = leads_to(is_upto("ac"), is_upto("bd"), key=lambda record: record.node // 2)
    halves = [[c for c in text if c in half][-1:] for half in ("ab", "cd")]
    assert verdict(rule, notes(text)).times == (halves[0] == ["a"]) + (halves[1] == ["c"])


@given(st.text("abx", max_size=6))
def test_until_wants_one_before_and_the_other_some_day(text):
    found = verdict(until(is_upto("a"), is_upto("b")), notes(text, finished=False))
    before, comes, _ = text.partition("b")
    is_wrong = not set(before) <= {"a"}
    assert found.times == is_wrong
    assert bool(found.open) == (not comes and not is_wrong)


def test_what_is_open_is_wrong_only_if_the_run_came_to_its_end():
    rule = eventually(is_upto("b"))
    assert verdict(rule, notes("a")).complaint == "0.000000 s, the end: what must happen never does"
    for found in (verdict(rule, notes("a", False)), verdict(rule, notes("a"), is_whole=False)):
        assert (found.times, found.open) == (0, ("what must happen never does",))
    assert verdict(rule, [*notes("a"), Record(99, "submitted", job=2)]).times == 0
    assert verdict(rule, notes("ab")).has_held


@dataclass
class Bounded(Monitor):
    """Each name is noted at most so often."""

    most: int
    seen: Counter = field(default_factory=Counter)

    def sees(self, record):
        if record.kind == "note":
            self.seen[record.what] += 1
            if self.seen[record.what] > self.most:
                return f"{record.what} once more"


def test_each_break_counts_and_the_first_is_told_with_time_record_and_rule():
    told = []
    watching = Watching([Rule("bounded", Bounded(1), HERE)], told.append)
    for record in notes("abab"):
        watching.read(record._replace(payload="1", hears="manager"))
    assert told == [
        "rule bounded is broken at 0.000000 s: a once more (node 0: the manager notes a: 1, #f0.0)"
    ]
    assert watching.verdicts()[0].times == 2


def test_each_run_begins_with_the_monitor_as_it_was_made():
    monitor = Bounded(2)
    assert [verdict(monitor, notes("aa")).has_held for _ in range(2)] == [True, True]
    assert monitor.seen == {}


def test_a_message_that_arrives_says_what_it_said_when_it_was_sent():
    seen = []

    class Reads(Monitor):
        def sees(self, record):
            seen.append((record.kind, record.contents, record.amount_bytes))

    number = identity(MESSAGE, 1, 1)
    verdict(
        Reads(),
        [
            Record(1, "sent", "X", id=number, amount_bytes=7, payload='{"loans":[[1,2]]}'),
            Record(2, "delivered", "X", id=number),
        ],
    )
    assert seen == [("sent", {"loans": [[1, 2]]}, 7), ("delivered", {"loans": [[1, 2]]}, 7)]


MINE = """
from model import Monitor, leads_to


class Base(Monitor):
    pass


class Own(Base):
    pass


class Limit(Monitor):
    def __init__(self, most):
        self.most = most


two_at_most = Limit(2)
answered = leads_to(lambda record: record.nonsense, lambda record: False)
"""


def test_a_file_has_its_monitors_and_one_of_each_class_of_which_none_is_made(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(MINE)
    rules = {rule.name: rule for rule in rules_of(file)}
    assert [*rules] == ["two at most", "answered", "Own"]
    answered = rules["answered"]
    with pytest.raises(UsersCodeError, match=r"mine.py, line 19, in <lambda>: AttributeError"):
        answered.sees(answered.begun(), Record(0, "note"))
    file.write_text("x = 1")
    with pytest.raises(InputError, match="it has no rules"):
        rules_of(file)
