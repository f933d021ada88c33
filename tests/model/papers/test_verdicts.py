"""Numbers hold or fail by their intervals, and are open where these do not decide."""

from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.papers.verdicts import (
    CONSISTENT,
    INSIDE,
    OPEN,
    PARTLY,
    REPRODUCED,
    Claim,
    Part,
    by_holm,
    claim,
    holm,
    p_value,
    verdict,
)
from model.sweeps.statistics import Estimate, estimate

LOW, MIDDLE, HIGH = Estimate(0, 0, 0, 2), Estimate(1, -9, 11, 2), Estimate(5, 5, 5, 2)
WIDE = Estimate(5, 1, 9, 2)


@given(st.floats(-100, 100), st.floats(0, 50), st.floats(-100, 100), st.floats(0, 50))
def test_a_number_is_in_a_range_or_not_only_if_every_value_of_its_interval_agrees(
    mean, half, low, width
):
    part = Part("a", Estimate(mean, mean - half, mean + half, 3), low, low + width)
    ends = [low <= end <= low + width for end in (mean - half, mean + half)]
    overlap = mean - half <= low + width and low <= mean + half
    assert part.holds is (True if all(ends) else None if overlap else False)


@pytest.mark.parametrize("value", [None, estimate([1.0]), Estimate(nan, nan, nan, 2)])
def test_what_was_not_run_has_no_interval_or_is_not_known_is_open(value):
    assert Part("a", value, 0, 2).holds is None


@pytest.mark.parametrize(
    ("values", "elsewhere", "answer"),
    [
        ([HIGH, HIGH, HIGH, LOW, LOW], {}, True),
        ([HIGH, HIGH, LOW, LOW], {}, False),  # half are not most
        ([HIGH, HIGH, MIDDLE], {}, True),
        ([HIGH, MIDDLE, MIDDLE, LOW], {}, None),
        ([LOW, LOW, LOW], {0: (1.0, 9.0)}, False),  # what only one might have elsewhere
        # Of 1, 9, 9 from 2 on are two thirds; half a span at random: (mean 6.33 - 1) / 8.
        ([LOW, LOW, LOW], {0: (1.0, 1.0, 9.0), 1: (1.0, 9.0, 8.0)}, False),
        ([LOW, LOW, LOW], {0: (1.9, 2.1, 9.0), 1: (1.9, 2.1, 9.0)}, CONSISTENT),
    ],
)
def test_most_are_more_than_half(values, elsewhere, answer):
    parts = [
        Part(str(at), value, 2, inf, elsewhere=elsewhere.get(at, ()))
        for at, value in enumerate(values)
    ]
    assert Claim("", tuple(parts), most=True).answers == [answer]


@pytest.mark.parametrize(
    ("low", "high", "often"),
    [
        (2, 4, False),  # none of four; at random 2 / (8 + 2): laid where it meets the 8 from 1 to 9
        (1, 2, True),  # two of four; 1 / (8 + 1)
        (-1, 100, True),  # all of them; 101 / (8 + 101)
        (2, inf, True),  # half; from anywhere in the span on (4 - 1) / 8, as the mean is 4
        (-inf, 2, False),  # half; (9 - 4) / 8
    ],
)
def test_other_jobs_are_beside_what_a_range_at_random_would_have(low, high, often):
    assert Part("a", HIGH, low, high, elsewhere=(1.0, 1.5, 4.5, 9.0)).is_often is often


def test_windows_that_are_all_alike_cannot_make_a_number_consistent():
    assert Part("a", LOW, 2, 4, elsewhere=(3.0, 3.0)).answer is False


def test_what_is_in_the_papers_own_range_is_inside_even_where_that_has_no_power():
    assert Part("a", WIDE, 4, 6, (4.5, 5.5)).answer == INSIDE
    assert Part("a", WIDE, nan, nan, (4.5, 5.5)).answer == INSIDE
    assert Part("a", WIDE, nan, nan, (7, 8)).answer is None
    assert Part("a", HIGH, 4, 6, (4.5, 5.5)).answer is True
    both = Claim("", (Part("a", HIGH, 4, 6, (4.5, 5.5)), Part("b", WIDE, 4, 6, (4.5, 5.5))))
    assert verdict([both]) == INSIDE
    assert verdict([both, claim("", [("a", LOW)], 4, 6)]) == PARTLY


def test_holms_correction_is_over_all_directions_of_a_page():
    # Three numbers of 4 seeds, t(3) = 3.182: their distances from 0 in halves of their intervals,
    # which are p = 0.0013, 0.0185 and 0.0395. Holm asks for 0.05 / 3, 0.05 / 2 and 0.05: all stand;
    # of four, with one at 0.0395 more, the second must be below 0.05 / 3, and does not stand.
    def finding(*times_half):
        values = [Estimate(times, times - 1, times + 1, 4) for times in times_half]
        return [claim("", [(str(at), value) for at, value in enumerate(values)], 0, inf)]

    def corrected(*findings):
        return [verdict(claims) for claims in by_holm(findings)]

    three = [finding(3.7), finding(1.47, 1.1)]
    assert corrected(*three) == [REPRODUCED, REPRODUCED]
    four = [*three, finding(1.1)]
    assert [verdict(claims) for claims in four] == [REPRODUCED] * 3
    assert corrected(*four) == [REPRODUCED, OPEN, OPEN]
    # One that tells nothing by itself, at 0.08, is of the family, too.
    assert corrected(*three, finding(0.8)) == [REPRODUCED, OPEN, OPEN]


def test_a_mean_at_the_end_of_its_interval_from_a_limit_is_at_five_percent():
    # From a table of t: with 4 degrees of freedom 2.776 is at 5 %, 4.604 at 1 %.
    value = estimate([1.0, 2.0, 3.0, 4.0, 5.0])
    assert p_value(value, value.low) == pytest.approx(0.05, abs=1e-6)
    limit = 3 - value.half_width * 4.604 / 2.776
    assert p_value(value, limit) == pytest.approx(0.01, abs=1e-4)
    assert p_value(value, 3.0) == 1
    assert p_value(Estimate(2, 2, 2, 3), 1) == 0
    # Of a single value, whose interval is of other runs, it is the normal distribution's: 2.576.
    assert p_value(Estimate(0, -1, 1, 1), 2.576 / 1.96) == pytest.approx(0.01, abs=1e-4)


def test_holms_steps_by_hand():
    # 0.01 and 0.0125 are at most 0.05 / 4 and 0.05 / 3; 0.03 is above 0.05 / 2, so 0.04 falls too.
    assert holm([0.03, 0.01, 0.04, 0.0125]) == [False, True, False, True]
    assert holm([0.02, 0.03]) == [True, True]
    assert holm([]) == []
