"""Claims hold or fail by the numbers, and are open where these do not decide."""

from math import exp, inf, nan
from statistics import stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.papers.cases import Case, over
from model.papers.family import by_holm
from model.papers.findings import (
    CONSISTENT,
    INSIDE,
    MANY_SEEDS,
    OPEN,
    PARTLY,
    REPRODUCED,
    Finding,
    Judgement,
    claim,
    inside,
    ranges,
    ratios,
    seeds_to_tell,
)
from model.papers.measurements import geometric_mean, shows
from model.sweeps.statistics import Estimate, estimate
from tests.model.papers.made_up import measured


def test_claims_hold_by_the_numbers():
    case = Case(trace="0", mean_mb=1, fault_pct=50)
    one_seed = ((case, "A", 1, 2.0), (case, "B", 1, 3.0))
    (claim,) = ratios(case, "B", ["A"], 1.4, 1.6)(measured("memory", *one_seed))
    assert claim.answers == [None]  # no interval
    found = measured("memory", *one_seed, (case, "A", 2, 2.0), (case, "B", 2, 3.0))
    (claim,) = ratios(case, "B", ["A"], 1.4, 1.6)(found)
    assert claim.answers == [True]
    assert claim.words == f"{case}: B in multiples of others, 1.4 to 1.6"
    (claim,) = ranges(case, "slowdown, {}", ["A", "C"], 3, 4, shows())(found)
    assert claim.answers == [False, None]


def test_a_claim_about_several_cases_is_the_claim_about_each_with_its_own_designs():
    low, high = over(Case(trace="0", mean_mb=1), fault_pct=(50, 100))
    found = measured(
        "memory",
        *((case, one, seed, 2.0) for case in (low, high) for one in "ABC" for seed in (1, 2)),
    )
    designs = {str(low): ["B"], str(high): ["B", "C"]}
    both = [*ratios((low, high), "A", lambda case: designs[str(case)], 0, 2)(found)]
    each = [ratios(case, "A", designs[str(case)], 0, 2) for case in (low, high)]
    assert both == [claim for claims in each for claim in claims(found)]
    assert [[part.name for part in claim.parts] for claim in both] == [["B"], ["B", "C"]]


def test_a_reason_whose_numbers_were_not_run_is_left_out():
    case = Case(trace="0", mean_mb=1, fault_pct=50)
    finding = Finding("", "", "", why=lambda found: f"A takes {found.mean(case, 'A'):.1f}.")
    assert finding.judge(measured("memory", (case, "A", 1, 2.0))).why == "A takes 2.0."
    assert finding.judge(measured("memory", (case, "B", 1, 2.0))).why == ""


@given(st.floats(-100, 100), st.floats(0, 50), st.floats(-100, 100), st.floats(0, 50))
def test_a_claim_holds_or_fails_only_when_every_value_of_the_interval_agrees(
    mean, half, low, width
):
    verdict = inside(Estimate(mean, mean - half, mean + half, 3), low, low + width)
    ends = [low <= end <= low + width for end in (mean - half, mean + half)]
    overlap = mean - half <= low + width and low <= mean + half
    assert verdict is (True if all(ends) else None if overlap else False)


def test_a_value_without_an_interval_leaves_a_claim_open():
    assert inside(estimate([1.0]), 0, 2) is None
    assert inside(None, 0, 2) is None


@pytest.mark.parametrize(
    ("low", "high", "limit"),
    [(1, inf, 1), (-inf, 3, 3), (1, 4, 1), (2.5, 2.8, 2.5), (-inf, 1.5, 1.5)],
)
def test_an_open_claim_says_how_many_seeds_would_tell(low, high, limit):
    values = [0.0, 1.0, 3.0, 4.0]  # 2 ± 2.91, to be ± its distance from the limit
    needed = seeds_to_tell(estimate(values), low, high)
    # About (1.96 s / distance)^2; t(n - 1) is above 1.96, and at most 2.4 from n = 8 on.
    normal = (1.96 * stdev(values) / abs(limit - 2)) ** 2
    assert normal < needed < (2.4 / 1.96) ** 2 * normal + 1
    assert seeds_to_tell(estimate(values * 500), low, high) is None


@pytest.mark.parametrize(("low", "high"), [(1, inf), (-inf, 3), (1, 4), (2.5, 2.8)])
def test_a_factor_needs_as_many_seeds_as_its_logarithm(low, high):
    values = [0.0, 1.0, 3.0, 4.0]
    factor = geometric_mean([exp(value) for value in values])
    needed = seeds_to_tell(estimate(values), low, high)
    assert seeds_to_tell(factor, exp(low), exp(high)) == needed
    assert seeds_to_tell(factor, -1, exp(3)) == seeds_to_tell(estimate(values), -inf, 3)


def test_what_is_told_or_has_no_interval_needs_no_number_of_seeds():
    assert seeds_to_tell(estimate([2.0, 2.1]), 0, 9) is None
    assert seeds_to_tell(estimate([2.0, 2.1]), 8, 9) is None
    assert seeds_to_tell(estimate([2.0]), 0, 9) is None
    assert seeds_to_tell(None, 0, 9) is None
    assert seeds_to_tell(estimate([1.0, 3.0]), 2, 9) == MANY_SEEDS  # it is at the limit


def test_a_number_of_nothing_is_open_whatever_the_seeds():
    nothing = Estimate(nan, nan, nan, 2)  # in multiples of nothing
    (part,) = claim("{}", [("a", nothing)], 0, 1).parts
    assert part.holds is part.needed is None


LOW, MIDDLE, HIGH = Estimate(0, 0, 0, 2), Estimate(1, -9, 11, 2), Estimate(5, 5, 5, 2)


@pytest.mark.parametrize(
    ("values", "elsewhere", "answer"),
    [
        ([HIGH, HIGH, HIGH, LOW, LOW], {}, True),
        ([HIGH, HIGH, LOW, LOW], {}, False),  # half are not most
        ([HIGH, HIGH, MIDDLE], {}, True),
        ([HIGH, MIDDLE, MIDDLE, LOW], {}, None),
        ([LOW, LOW, LOW], {"0": [1.0, 9.0]}, False),  # what only one might have elsewhere
        # Of 1, 9, 9 from 2 on are two thirds; half a span at random: (mean 6.33 - 1) / 8.
        ([LOW, LOW, LOW], {"0": [1.0, 1.0, 9.0], "1": [1.0, 9.0, 8.0]}, False),
        ([LOW, LOW, LOW], {"0": [1.9, 2.1, 9.0], "1": [1.9, 2.1, 9.0]}, CONSISTENT),
    ],
)
def test_most_are_more_than_half(values, elsewhere, answer):
    parts = [(str(at), value) for at, value in enumerate(values)]
    assert claim("{}", parts, 2, inf, most=True, elsewhere=elsewhere).answers == [answer]


@pytest.mark.parametrize(
    ("low", "high", "inside", "at_random", "often"),
    [
        (2, 4, 0, 2 / (8 + 2), False),  # 2 wide, laid anywhere where it meets the 8 from 1 to 9
        (1, 2, 2, 1 / (8 + 1), True),
        (-1, 100, 4, 101 / (8 + 101), True),
        (2, inf, 2, (4 - 1) / 8, True),  # from anywhere in the span on: the mean is 4
        (-inf, 2, 2, (9 - 4) / 8, False),
    ],
)
def test_other_jobs_are_beside_what_a_range_at_random_would_have(
    low, high, inside, at_random, often
):
    (part,) = claim("{}", [("a", HIGH)], low, high, elsewhere={"a": [1.0, 1.5, 4.5, 9.0]}).parts
    assert part.elsewhere == (1, 9, inside, 4, pytest.approx(at_random))
    assert part.elsewhere.often is often


def test_windows_that_are_all_alike_cannot_make_a_number_consistent():
    (part,) = claim("{}", [("a", LOW)], 2, 4, elsewhere={"a": [3.0, 3.0]}).parts
    assert (part.holds, part.elsewhere.at_random, part.answer) == (False, 1, False)


def test_what_is_in_the_papers_own_range_is_inside_even_where_that_has_no_power():
    wide = Estimate(5, 1, 9, 2)
    (inside,) = claim("{}", [("a", wide)], 4, 6, stated=(4.5, 5.5)).parts
    assert (inside.holds, inside.answer, inside.powerless) == (None, INSIDE, False)
    (anywhere,) = claim("{}", [("a", wide)], nan, nan, stated=(4.5, 5.5)).parts
    assert (anywhere.answer, anywhere.powerless) == (INSIDE, True)
    (outside,) = claim("{}", [("a", wide)], nan, nan, stated=(7, 8)).parts
    assert outside.answer is None
    (surely,) = claim("{}", [("a", HIGH)], 4, 6, stated=(4.5, 5.5)).parts
    assert surely.answer is True
    both = [claim("{}", [("a", HIGH), ("b", wide)], 4, 6, stated=(4.5, 5.5))]
    assert Judgement(both).verdict == INSIDE
    assert Judgement([*both, claim("{}", [("a", LOW)], 4, 6)]).verdict == PARTLY


def test_a_magnitude_alone_is_the_verdict_of_a_finding():
    high = (lambda _: [claim("{}", [("a", HIGH)], 4, 6)],)
    assert Finding("", "", "", magnitude=high).judge(None).verdict == REPRODUCED


def test_holms_correction_is_over_all_directions_of_a_page():
    # Three numbers of 4 seeds, t(3) = 3.182: their distances from 0 in halves of their intervals,
    # which are p = 0.0013, 0.0185 and 0.0395. Holm asks for 0.05 / 3, 0.05 / 2 and 0.05: all stand;
    # of four, with one at 0.0395 more, the second must be below 0.05 / 3, and does not stand.
    def finding(*times_half):
        values = [Estimate(times, times - 1, times + 1, 4) for times in times_half]
        parts = [(str(at), value) for at, value in enumerate(values)]
        return Finding("", "", "", (lambda _: [claim("{}", parts, 0, inf)],)).judge(None)

    three = [finding(3.7), finding(1.47, 1.1)]
    assert [one.verdict for one in by_holm(three)] == [REPRODUCED, REPRODUCED]
    four = [finding(3.7), finding(1.47, 1.1), finding(1.1)]
    assert [one.direction.verdict for one in four] == [REPRODUCED] * 3
    assert [one.verdict for one in by_holm(four)] == [REPRODUCED, OPEN, OPEN]
    # One that tells nothing by itself, at 0.08, is of the family, too.
    assert [one.verdict for one in by_holm([*three, finding(0.8)])] == [REPRODUCED, OPEN, OPEN]


def test_what_cannot_change_a_verdict_is_not_waited_for():
    near, far = estimate([0.5, 2.0, 3.5]), estimate([1.0, 3.0, 5.0])  # 2 and 3: around 1 open
    most = claim("{}", [("a", HIGH), ("b", HIGH), ("c", None)], 1, inf, most=True)
    judged = Judgement([most, claim("{}", [("d", far)], 1, inf)])
    assert not judged.missing
    assert judged.decisive.name == "d"
    # What tends to fail becomes consistent if other jobs' values reach into the range, so that
    # what tends to hold has to be told, too.
    fails = claim("{}", [("a", near)], 3, inf, elsewhere={"a": [2.9, 3.1, 9.0]})
    holds = claim("{}", [("b", far)], 2.9, inf)
    assert holds.parts[0].needed > fails.parts[0].needed
    assert Judgement([fails, holds]).decisive.name == "b"


def test_a_finding_is_told_by_the_first_claim_that_fails_or_else_by_all():
    near, far = estimate([0.5, 2.0, 3.5]), estimate([1.0, 3.0, 5.0])  # 2 and 3: around 1 open

    def needed(*ranges):
        parts = [claim("{}", [("a", value)], low, inf) for value, low in ranges]
        judged = Finding("", "", "", (lambda _: parts,)).judge(None).direction
        decisive = judged.decisive and judged.decisive.needed
        return decisive, [part.needed for one in judged.claims for part in one.parts]

    last, each = needed((near, 1), (far, 1))
    assert last == max(each)
    first, each = needed((near, 1), (far, 3.5), (far, 4.5))  # the latter two tend to fail
    assert first == each[2] < each[1]
    assert needed((near, -9)) == (None, [None])


def test_a_page_asks_for_windows_where_an_interval_is_over_windows():
    value = estimate([0.5, 2.0, 3.5])
    parts = [("A by seeds", value), ("A by windows", value)]
    found = claim("{}", parts, 1, inf).parts
    assert [part.by_windows for part in found] == [False, True]
