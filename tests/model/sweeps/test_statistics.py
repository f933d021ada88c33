"""Intervals by hand from a table of t, how often they are right, and what pairing is for."""

from math import isnan, sqrt

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.ground.errors import InputError
from model.pnr.scenario import Scenario
from model.sweeps.statistics import (
    Estimate,
    estimate,
    estimates,
    leaders,
    ranked,
    reduction_pct,
    replications_needed,
)


def runs_of(responses, **parameters):
    """What `load_results` gives for these mean response times: a row a replication, by design."""
    defaults = Scenario(first=1, jobs=100).model_dump(mode="json", exclude={"designs", "job"})
    varied = parameters.pop("replicated", "seed")
    rows = []
    for design, values in responses.items():
        for place, value in enumerate(values):
            if value is None:
                continue
            own = {**defaults, **parameters, varied: place * 100 + 1}
            conditions = str(sorted(own.items(), key=str))
            rows.append(
                {"design": design, "conditions": conditions, **own, "mean_response_s": value}
            )
    return pd.DataFrame(rows)


def test_intervals_of_two_and_three_values_by_hand():
    # s of 1, 3: √2. Of 1, 2, 6: mean 3, √((4 + 1 + 9) / 2) = √7.
    two, three = estimate([1, 3]), estimate([1, 2, 6])
    assert (two.mean, two.n, three.mean, three.n) == (2, 2, 3, 3)
    assert two.high - two.mean == two.mean - two.low == pytest.approx(12.706, rel=1e-4)
    assert three.half_width == pytest.approx(4.303 * sqrt(7) / sqrt(3), rel=1e-4)
    one, none = estimate([5]), estimate([])
    assert (one.mean, one.n, isnan(one.low), isnan(one.high)) == (5, 1, True, True)
    assert (none.n, isnan(none.mean)) == (0, True)


@pytest.mark.parametrize("n", [2, 3, 5, 20])
def test_of_intervals_95_in_100_cover_the_mean(n):
    samples = np.random.default_rng(1).normal(loc=7, scale=3, size=(2000, n))
    covered = sum(low <= 7 <= high for _, low, high, _ in map(estimate, samples))
    # binomial: s = √(2000 · 0.95 · 0.05) = 9.7
    assert abs(covered - 1900) < 4 * 9.7


def test_what_does_not_differ_seems_to_differ_in_5_of_100():
    draws = np.random.default_rng(2).normal(loc=100, size=(2000, 2, 5))
    told_apart = sum(reduction_pct(*pair).excludes_zero for pair in draws)
    assert abs(told_apart - 100) < 4 * 9.7


def test_pairs_tell_apart_what_samples_of_their_own_cannot():
    hard = np.array([100.0, 400, 150, 300, 800])  # what is hard for one is hard for the other
    paging, design = hard, 0.8 * hard - [1, -1, 0, 1, -1]
    assert estimate(paging).low < estimate(design).high
    found = reduction_pct(paging, design)
    # r = 0.2; residuals of 0.2 hard ± 1: 1, -1, 0, 1, -1, s = 1, over a mean of DP of 350
    assert found.mean == pytest.approx(20)
    assert found.half_width == pytest.approx(2.776 * 1 / sqrt(5) / 3.5, rel=3e-4)
    assert found.excludes_zero
    assert not reduction_pct(paging, np.roll(design, 1)).excludes_zero


def test_the_interval_of_a_reduction_by_hand():
    # Differences 10 and 20, means 15 of 150: r = 0.1; residuals 0 and 0: nothing is unsure.
    assert reduction_pct([100, 200], [90, 180])[:3] == pytest.approx((10, 10, 10))
    # Differences 10 and 10: r = 1 / 15; residuals ± 10 / 3, s = √2 · 10 / 3; t(1) = 12.706.
    found = reduction_pct([100, 200], [90, 190])
    assert found.mean == pytest.approx(100 / 15)
    assert found.half_width == pytest.approx(12.706 * 10 / 3 / 1.5, rel=1e-4)


@pytest.mark.parametrize(("n", "scatter", "ratio"), [(3, 0.2, 0.9), (5, 0.3, 0.5), (10, 0.1, 0.2)])
def test_of_intervals_95_in_100_cover_the_reduction_though_paging_varies_too(n, scatter, ratio):
    draws = np.random.default_rng(3).normal(1, scatter, size=(2000, 2, n))
    draws[:, 1] *= 1 - ratio
    found = [reduction_pct(*pair) for pair in draws]
    covered = sum(low <= 100 * ratio <= high for _, low, high, _ in found)
    assert abs(covered - 1900) < 4 * 9.7


def test_one_difference_is_never_sure():
    assert not reduction_pct([100], [1]).excludes_zero
    assert isnan(reduction_pct([0, 0], [1, 2]).mean)  # no percentage of nothing
    assert reduction_pct([], []).n == 0


@given(st.lists(st.floats(1, 1e6), min_size=2, max_size=8), st.floats(0.01, 100))
def test_the_needed_replications_are_the_fewest(values, share):
    pilot = estimate(values)
    if not pilot.half_width > 1e-6 * pilot.mean:  # the values are all the same
        return
    wanted = pilot.half_width * share
    needed = replications_needed(pilot, wanted)
    if share >= 1:
        assert needed <= pilot.n
    else:
        assert needed >= pilot.n
    deviation = np.std(values, ddof=1)
    again = estimate(_with_deviation(needed, deviation)).half_width
    assert again <= wanted * (1 + 1e-6)
    if needed > 2:
        assert estimate(_with_deviation(needed - 1, deviation)).half_width > wanted * (1 - 1e-6)


def _with_deviation(n, deviation):
    values = np.arange(n, dtype=float)
    return values / values.std(ddof=1) * deviation


def test_needed_replications_by_hand():
    # s = 10, ± 5: t(17) · 10 / √18 = 2.110 · 2.357 = 4.97, t(16) · 10 / √17 = 2.120 · 2.425 = 5.14
    pilot = estimate(_with_deviation(5, 10))
    assert replications_needed(pilot, 5) == 18
    assert replications_needed(Estimate(7, 7, 7, 3), 1) == 2  # no spread: the fewest there are
    with pytest.raises(InputError, match="at least two"):
        replications_needed(estimate([1]), 1)


def test_a_row_for_each_design_under_the_same_conditions():
    small = runs_of({"DP": [100, 104], "MAN": [90, 96], "CLI": [80, None]}, ram=50)
    large = runs_of({"MAN": [7, 9]}, ram=100)
    table = estimates(pd.concat([large, small]), ["mean_response_s"])
    assert table[["ram", "design", "n", "n_vs_dp"]].values.tolist() == [
        [50, "CLI", 1, 1],
        [50, "DP", 2, 2],
        [50, "MAN", 2, 2],
        [100, "MAN", 2, 0],
    ]
    assert "seed" not in table
    cli, dp, man, alone = (row._asdict() for row in table.itertuples(index=False))
    # differences 10 and 8: r = 18 / 204, residuals ± (10 - 100 r) = ± 20 / 17, over DP's 102
    assert man["mean_response_s_vs_dp_pct"] == pytest.approx(9 / 1.02)
    half = 12.706 * 20 / 17 / 1.02
    assert man["mean_response_s_vs_dp_pct_low"] == pytest.approx(9 / 1.02 - half, rel=1e-4)
    assert man["mean_response_s_vs_dp_pct_high"] == pytest.approx(9 / 1.02 + half, rel=1e-4)
    assert (man["mean_response_s"], dp["mean_response_s"]) == (93, 102)
    assert cli["mean_response_s_vs_dp_pct"] == pytest.approx(20)  # of the one seed in common
    assert isnan(cli["mean_response_s_low"])
    assert isnan(alone["mean_response_s_vs_dp_pct"])
    assert alone["mean_response_s_high"] == pytest.approx(8 + 12.706, rel=1e-4)


def test_windows_are_replications_if_they_do_not_overlap():
    windows = runs_of({"DP": [10, 20, 30], "MAN": [9, 18, 27]}, replicated="first")
    (_, man) = estimates(windows, ["mean_response_s"], ["first"]).to_dict("records")
    assert (man["n"], man["mean_response_s_vs_dp_pct"]) == (3, pytest.approx(10))
    with pytest.raises(InputError, match="from 1 and from 101 overlap"):
        estimates(windows.assign(jobs=101), ["mean_response_s"], ["first"])
    twice = pd.concat([windows[:1], windows[:1].assign(conditions="of other listed jobs")])
    with pytest.raises(InputError, match="DP ran more than once with seed 1"):
        estimates(twice, ["mean_response_s"])


def test_who_leads_and_who_may():
    noise = np.array([0, 1, -1, 2, -2])
    values = {
        "B": 100.0 + noise,
        "A": 100.0 - noise / 2,  # as good on average
        "C": 110.0 + noise,
        "absent": np.full(5, np.nan),
    }
    ranks = ranked(values)
    assert [rank.design for rank in ranks] == ["B", "A", "C"]
    assert leaders(ranks) == ["B", "A"]
    assert ranks[2].behind_pct.mean == pytest.approx(10 / 1.1)
    assert leaders(ranked({name: values[name] for name in "BC"})) == ["B"]
    once = ranked({"B": np.array([1.0]), "C": np.array([50.0])})
    assert leaders(once) == ["B", "C"]
    assert ranked({"B": np.array([1.0, np.nan]), "C": np.array([np.nan, 1.0])}) == []
