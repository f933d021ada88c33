"""The rates do what they are for: NO_LS is near a slowdown of 20."""

import pytest

from model.sharing.memory import calibration
from model.sharing.memory.calibration import (
    MOST,
    NEAR,
    TARGET,
    calibrate,
    calibrated_rate,
    kept,
)
from model.sharing.memory.constants import MemoryConstants
from model.sharing.memory.scenario import MemoryScenario


@pytest.mark.parametrize("wanted", [0.5, 2, 9, 30])
def test_the_rate_is_found_by_bisection(wanted):
    rate = calibrate(lambda rate: TARGET * rate / wanted)
    assert abs(TARGET * rate / wanted - TARGET) <= NEAR


def test_where_the_slowdown_jumps_it_is_the_nearest_that_was_tried():
    tried = {}

    def slowdown(rate):
        tried[rate] = 5 if rate < 3.3 else 90
        return tried[rate]

    assert tried[calibrate(slowdown)] == 5  # 15 below, not 70 above
    assert 3 <= max(rate for rate, found in tried.items() if found == 5) < 3.3


def test_a_trace_without_enough_memory_demand_gets_the_highest_rate():
    assert calibrate(lambda rate: rate / 10) == MOST


def test_the_rates_that_are_kept_are_right():
    workload = list(kept())[1]
    found = calibration._slowdown(workload, kept()[workload])
    assert found == pytest.approx(TARGET, abs=NEAR)
    scenario = MemoryScenario(**workload._asdict())
    assert calibrated_rate(scenario) == kept()[workload]


def test_other_traces_have_rates_of_their_own(monkeypatch):
    asked = []
    monkeypatch.setattr(
        calibration, "calibrate", lambda slowdown, first: asked.append((slowdown, first)) or 7.0
    )
    assert calibrated_rate(MemoryScenario(seed=987, memory_cap_mb=300)) == 7
    assert len(asked) == 1
    assert calibrated_rate(MemoryScenario(seed=987, fault_rate_of="node")) == 7
    assert asked[1][1] < asked[0][1]  # a node's rate counts for each of its jobs
    jobs = [{"memory_mb": 1, "demand_s": 1}]
    assert calibrated_rate(MemoryScenario(job=jobs)) == 1


def test_a_share_of_the_rate_can_be_asked_for():
    scenario = MemoryScenario(fault_rate=2, fault_pct=50)  # of 100 million instructions a second
    assert MemoryConstants.of(scenario).fault_every_ns == 10_000_000
