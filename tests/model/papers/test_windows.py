"""Means over windows of the trace, told over seeds and over windows, by hand."""

from math import inf, sqrt

import pytest

from model.papers.coordination.paper import WINDOWS
from model.papers.windows import counted, everywhere, in_the_mean, over_windows, side
from tests.model.papers.made_up import measured

MAN, PROBE2 = side("MAN"), side("PROBE2")


def test_a_mean_over_windows_is_told_over_seeds_and_over_windows():
    # PROBE2 takes 1, 2, 4 and 8 times MAN's time in the windows, 4 times as long with seed 2.
    runs = []
    for power, window in enumerate(WINDOWS):
        for seed in (1, 2):
            runs.append((window, "MAN", seed, 10.0))
            runs.append((window, "PROBE2", seed, 10.0 * 2**power * 4 ** (seed - 1)))
    found = over_windows(measured("coordination", *runs), WINDOWS, PROBE2, MAN)
    one = 64 ** (1 / 4)  # the geometric mean of 1, 2, 4 and 8
    assert found["by seeds"].mean == pytest.approx(2 * one)
    assert found["by seeds"].n == 2
    assert found["by windows"].mean == pytest.approx(2 * one)
    assert found["by windows"].n == 4
    # Logarithms (base 2) of 1 to 4 have s = sqrt(5/3); Student's t with 3 degrees is 3.1824.
    assert found["by windows"].high == pytest.approx(2 * one * 2 ** (3.182446 * sqrt(5 / 3) / 2))


@pytest.mark.parametrize(
    ("windows", "man_s", "cli_s"),
    [(WINDOWS[:1], 1.0, 2.0), (WINDOWS, 1.0, 0.0), (WINDOWS, 0.0, 1.0)],
)
def test_there_is_no_mean_over_windows_without_runs_in_each_or_of_nothing(windows, man_s, cli_s):
    each = [("MAN", man_s), ("CLI", cli_s)]
    runs = [(window, design, 1, s) for window in windows for design, s in each]
    found = over_windows(measured("coordination", *runs), WINDOWS, side("CLI"), MAN)
    assert found == {"by seeds": None, "by windows": None}


def test_there_is_no_mean_over_seeds_that_no_window_shares():
    runs = [
        (window, design, seed, 1.0)
        for seed, window in enumerate(WINDOWS)
        for design in ("MAN", "CLI")
    ]
    found = over_windows(measured("coordination", *runs), WINDOWS, side("CLI"), MAN)
    assert found == {"by seeds": None, "by windows": None}


def test_a_claim_is_made_of_the_mean_of_each_window_and_of_the_other_cases():
    # Under PROBE2 all takes twice as long in the windows, and as long in the other case.
    other = WINDOWS[0].but(ram=65)
    runs = [
        (case, design, seed, 20.0 if design == "PROBE2" and case is not other else 10.0)
        for case in (*WINDOWS, other)
        for design in ("MAN", "PROBE2")
        for seed in (1, 2)
    ]
    claims = everywhere(
        "PROBE2 in MAN's", WINDOWS, PROBE2, MAN, 1.5, inf, others={"at 65 %": other}
    )
    mean, each = claims(measured("coordination", *runs))
    assert mean.words == "mean of the windows: PROBE2 in MAN's, above 1.5"
    assert mean.answers == [True, True]
    assert each.answers == [True, True, True, True, False]
    assert [part.name for part in each.parts] == [*map(str, WINDOWS), "at 65 %"]


def test_one_design_is_compared_with_itself_under_other_parameters():
    wide, narrow = side("MAN", bandwidth_mbps=100), side("MAN", ram=65)
    assert narrow(WINDOWS[0])[0].parameters == {**WINDOWS[0].parameters, "ram": 65}
    runs = [(*one(window), 1, s) for window in WINDOWS for one, s in ((wide, 6.0), (narrow, 2.0))]
    found = over_windows(measured("coordination", *runs), WINDOWS, wide, narrow)
    assert found["by windows"].mean == pytest.approx(3)


def test_a_mean_over_windows_that_are_a_sample_is_told_over_windows_alone():
    # PROBE2 takes 1, 1, 1.21 and 1.21 times MAN's time, so 1.1 times in the geometric mean.
    runs = [
        (window, design, 1, 12.1 if design == "PROBE2" and place > 1 else 10.0)
        for place, window in enumerate(WINDOWS)
        for design in ("MAN", "PROBE2")
    ]
    found = measured("coordination", *runs)
    (one,) = in_the_mean("P in M", WINDOWS, PROBE2, MAN, 0.98, 1.02)(found)
    (part,) = one.parts
    assert (one.words, part.name, part.value.n) == ("P in M, 0.98 to 1.02", "by windows", 4)
    assert part.value.mean == pytest.approx(1.1)
    # Logarithms differ by ln 1.1 from their mean, so s = ln 1.1 · sqrt(4/3); t(3) = 3.1824.
    assert part.value.high == pytest.approx(1.1 ** (1 + 3.182446 / sqrt(3)))
    assert one.answers == [None]  # 0.92 to 1.31


def test_windows_are_counted_that_surpass_a_margin_to_either_side():
    times_s = [10.1, 10.3, 9.7, 12.0]  # 1 %, 3 %, -3 %, 20 %
    runs = [(window, "MAN", 1, 10.0) for window in WINDOWS]
    runs += [(window, "PROBE2", 1, s) for window, s in zip(WINDOWS, times_s, strict=True)]
    assert counted(1.02)(measured("coordination", *runs), WINDOWS, PROBE2, MAN) == "2 / 1 of 4"
