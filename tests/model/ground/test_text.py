"""Text from files and arguments as it may be shown."""

import pytest

from model.ground.errors import cut, shown
from model.ground.text import escaped, in_lines


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("MAN(d=4), 5 µs → 7\u00a0%", "MAN(d=4), 5 µs → 7\u00a0%"),
        ("\x1b[31mred\x07", r"\x1b[31mred\x07"),
        ("\x1b]0;title\x1b\\", r"\x1b]0;title\x1b" + "\\"),
        ("one\rtwo\nthree\x7f", r"one\rtwo\nthree\x7f"),
        ("\x9b2J\x85", r"\x9b2J\x85"),
        ("\u202egnp.exe\u2066\u200f", r"\u202egnp.exe\u2066\u200f"),
        ("\u2028\u2029\ud800", r"\u2028\u2029\ud800"),
    ],
)
def test_what_could_steer_a_terminal_is_an_escape(text, told):
    assert escaped(text) == told
    assert escaped(told) == told


def test_lines_stay_lines_and_do_not_end_within():
    assert escaped("one\n\ttwo\x1b", but="\n\t") == "one\n\ttwo\\x1b"
    assert in_lines(["one", "two\nerror: three"]) == "one\ntwo\\nerror: three"


def test_refused_values_are_on_one_line_and_short():
    assert cut("one\n  two\x1b") == r"one two\x1b"
    assert shown("\x1b" * 100) == "'" + r"\x1b" * 19 + r"\x…"
