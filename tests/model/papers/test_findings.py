"""Claims hold or fail by the numbers, and are open where these do not decide."""

from hypothesis import given
from hypothesis import strategies as st

from model.papers.cases import Case
from model.papers.findings import inside, ranges, ratios
from model.papers.measurements import shows
from model.sweeps.statistics import Estimate, estimate
from tests.model.papers.made_up import measured


def test_claims_hold_by_the_numbers():
    case = Case(trace="0", mean_mb=1, fault_pct=50)
    one_seed = ((case, "A", 1, 2.0), (case, "B", 1, 3.0))
    (claim,) = ratios(case, "B", 1.4, 1.6, ["A"])(measured("memory", *one_seed))
    assert claim.answers == [None]  # no interval
    found = measured("memory", *one_seed, (case, "A", 2, 2.0), (case, "B", 2, 3.0))
    (claim,) = ratios(case, "B", 1.4, 1.6, ["A"])(found)
    assert claim.answers == [True]
    assert claim.says == f"{case}: B in multiples of others, 1.4 to 1.6"
    (claim,) = ranges("slowdown, {}", case, ["A", "C"], 3, 4, shows())(found)
    assert claim.answers == [False, None]


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
