"""Verdicts on numbers of known laws: how often they are wrong, and what they say by hand."""

from math import exp, log

import numpy as np
import pytest

from model.judge.verdicts import Difference, verdict_of

REPETITIONS, WINDOWS = 500, 64
LAWS = {
    "normal": lambda draws: draws.normal(0, 0.05, WINDOWS),
    "heavy tails": lambda draws: 0.03 * draws.standard_t(2, WINDOWS),
    "no mean": lambda draws: 0.02 * draws.standard_cauchy(WINDOWS),
    "seldom different": lambda draws: draws.choice([-0.3, 0, 0, 0, 0, 0, 0, 0.3], WINDOWS),
}


def judged(logs, pairs=1, over=True):
    return verdict_of([Difference(float(one)) for one in logs], pairs, over)


@pytest.mark.parametrize("law", LAWS)
def test_a_design_as_fast_as_its_base_is_called_faster_or_slower_in_at_most_1_of_20(law):
    draws = np.random.default_rng(1)
    said = [judged(LAWS[law](draws)).says for _ in range(REPETITIONS)]
    assert said.count("faster") + said.count("slower") <= REPETITIONS / 20


def test_a_design_as_much_slower_as_the_margin_is_called_equal_in_at_most_1_of_20():
    draws = np.random.default_rng(2)
    said = [judged(draws.normal(log(1.02), 0.02, WINDOWS)).says for _ in range(REPETITIONS)]
    assert said.count("equal") <= REPETITIONS / 20


def test_of_many_pairs_at_most_1_of_20_judgements_has_one_that_is_wrong():
    draws = np.random.default_rng(3)
    wrong = 0
    for _ in range(100):
        said = {judged(draws.normal(0, 0.05, WINDOWS), pairs=6).says for _ in range(6)}
        wrong += bool(said & {"faster", "slower"})
    assert wrong <= 5


def test_a_design_that_is_5_percent_slower_is_found_out():
    draws = np.random.default_rng(4)
    said = [judged(draws.normal(log(1.05), 0.04, WINDOWS)).says for _ in range(100)]
    assert said.count("slower") >= 90


def test_a_design_that_hardly_differs_is_equal_after_8_windows():
    found = judged([0.001, -0.001] * 8)
    assert (found.says, found.windows) == ("equal", 8)
    assert found.low < 1 < found.high


def test_designs_that_do_the_very_same_are_equal_at_the_first_look():
    found = verdict_of([Difference(0.0, same=True)] * 20, pairs=9)
    assert (found.says, found.windows, found.low, found.high) == ("equal", 4, 1, 1)
    assert found.same


def test_equal_times_alone_do_not_show_within_4_windows_that_designs_are_equal():
    assert judged([0.0] * 4, over=False).says == "open"


def test_a_single_window_decides_nothing():
    assert judged([-3.0]).says == "open"
    assert verdict_of([Difference(0.0, same=True)], 1, is_over=True).says == "open"


def test_there_is_no_verdict_between_two_looks_before_all_is_over():
    logs = [-0.5, -0.51, -0.49, -0.5, -0.5]
    assert judged(logs[:3], over=False).says == "open"
    assert judged(logs, over=False).windows == 4  # the first look decides, and stays
    slow = [0.3, -0.3, 0.3, -0.3, *[0.3] * 3]
    assert judged(slow, over=False).says == "open"


def test_the_interval_is_students_at_a_level_for_all_pairs_and_looks():
    # Of 2 pairs, at the first of all looks: 0.05 / (2 * 1 * 2) = 0.0125, two-sided, 3 degrees of
    # freedom: t = 5.3919 (from tables: 0.99375 quantile).
    logs = np.array([-0.2, -0.1, 0.0, 0.1])
    found = judged(logs, pairs=2)
    half = 5.3919 * logs.std(ddof=1) / 2
    assert found.low == pytest.approx(exp(-0.05 - half), rel=1e-3)
    assert found.high == pytest.approx(exp(-0.05 + half), rel=1e-3)


def test_what_is_open_says_how_many_windows_would_decide_it():
    draws = np.random.default_rng(5)
    found = judged(draws.normal(0.02, 0.06, 16), over=False)
    assert found.says == "open"
    many = judged([*np.tile(draws.normal(0.02, 0.06, 16), found.needed // 16)])
    assert found.needed > 16
    assert found.needed & (found.needed - 1) == 0  # a look
    assert many.windows <= found.needed
