"""Spans of time in words: no power of ten, and not a digit more than asked for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.core.journal import words


@pytest.mark.parametrize(
    ("span_ns", "told"),
    [
        (0, "0 s"),
        (7, "7 ns"),
        (20_580, "20.58 µs"),
        (999_960, "1,000 µs"),
        (1_500_000, "1.5 ms"),
        (-2_345_678_900, "-2.346 s"),
        (129_552 * 10**9, "129,552 s"),
        (9_999_700_000_000, "10,000 s"),
        (0.000_012_345, "0.00001234 ns"),
    ],
)
def test_a_span_is_told_in_its_unit(span_ns, told):
    assert words.span(span_ns) == told


def test_an_axis_takes_a_unit_of_which_it_has_two():
    assert words.unit_of(1_999_999, at_least=2) == (1000, "µs")
    assert words.unit_of(2_000_000, at_least=2) == (10**6, "ms")


@given(st.integers(1, 10**18), st.integers(3, 8))
def test_it_is_right_to_half_of_its_last_digit(span_ns, digits):
    told, unit = words.span(span_ns, digits).split()
    unit_ns = {"s": 10**9, "ms": 10**6, "µs": 1000, "ns": 1}[unit]
    assert "e" not in told
    off_ns = abs(float(told.replace(",", "")) * unit_ns - span_ns)
    assert off_ns <= 0.5 * span_ns / 10 ** (digits - 1)
