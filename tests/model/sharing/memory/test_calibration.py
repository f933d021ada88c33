"""The calibrated rates do what they are for."""

from statistics import fmean

import pytest

from model.sharing.memory import calibration
from model.sharing.memory.calibration import LEAST, MOST, calibrate, slowdown
from model.sharing.memory.scenario import MemoryScenario


@pytest.mark.parametrize(("trace", "mean_mb"), [("4", 1), ("4", 4)])
def test_no_ls_is_near_a_slowdown_of_20(trace, mean_mb):
    scenarios = (MemoryScenario(trace=trace, mean_mb=mean_mb, seed=s) for s in calibration.SEEDS)
    assert 15 <= fmean(map(slowdown, scenarios)) <= 30


@pytest.mark.parametrize("wanted", [0.5, 2, 9])
def test_the_rate_is_found_by_bisection(monkeypatch, wanted):
    monkeypatch.setattr(calibration, "slowdown", lambda one: 20 * one.fault_rate / wanted)
    step = (MOST / LEAST) ** (1 / 2 ** (calibration.HALVINGS + 1))
    assert wanted / step <= calibrate(0, 1) <= wanted * step
