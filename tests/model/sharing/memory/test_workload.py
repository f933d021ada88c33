"""Generated traces have the statistics that are stated of them; logs become sequential jobs."""

from dataclasses import replace
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.ground.errors import InputError
from model.sharing.memory.workload import TRACES, arrivals
from model.sharing.pareto import BoundedPareto
from model.sharing.scenarios import make_sharing_scenario
from model.sharing.workload import load_jobs

MB, S = 2**20, 10**9


def workload(**parameters):
    return load_jobs(make_sharing_scenario(**parameters))


@given(
    st.floats(0.01, 10), st.floats(0.5, 3).filter(lambda a: abs(a - 1) > 1e-3), st.floats(20, 1e4)
)
def test_the_mean_of_a_bounded_pareto_is_the_integral_of_its_tail(least, exponent, cap):
    x = np.geomspace(least, cap, 20_001)
    survival = ((x / least) ** -exponent - (cap / least) ** -exponent) / (
        1 - (cap / least) ** -exponent
    )
    integral = least + np.trapezoid(survival, x)
    assert BoundedPareto(least, exponent, cap).mean == pytest.approx(integral, rel=1e-3)
    assert BoundedPareto.with_mean(integral, exponent, cap).least == pytest.approx(least, rel=0.01)


def test_draws_follow_the_stated_tail():
    sizes = BoundedPareto(0.1, 1.2, 300).draw(np.random.default_rng(1), 200_000)
    assert sizes.min() >= 0.1
    assert sizes.max() <= 300
    for x in (1, 3, 10):  # P(X > x) = (x^-a - C^-a) / (m^-a - C^-a), +- 4 sd
        p = (x**-1.2 - 300**-1.2) / (0.1**-1.2 - 300**-1.2)
        assert abs(np.mean(sizes > x) - p) < 4 * (p / 200_000) ** 0.5


@pytest.mark.parametrize("number", [0, 5])
def test_each_trace_has_its_jobs_and_lifetimes(number):
    trace, jobs = TRACES[number], workload(trace=str(number))
    demands_s = np.array([job.demand_ns / S for job in jobs])
    assert len(jobs) == trace.jobs
    law = trace.lifetimes
    assert law.least <= demands_s.min() <= demands_s.max() <= law.cap
    for x in (1, 5):
        p = (x**-law.exponent - law.cap**-law.exponent) / (
            law.least**-law.exponent - law.cap**-law.exponent
        )
        assert abs(np.mean(demands_s > x) - p) < 4 * (p / trace.jobs) ** 0.5


@pytest.mark.parametrize("number", [0, 5])
def test_jobs_come_in_bursts_and_some_of_each_to_one_node(number):
    trace = TRACES[number]
    at_s, homes = arrivals(trace, 6, seed=1, number=number)
    assert at_s[0] == 0
    assert np.all(np.diff(at_s) >= 0)
    assert at_s[-1] < trace.span_s + 40 * trace.burst * trace.gap_s
    # Much more variable than a Poisson process of the same rate (variance / mean = 1):
    counts = np.bincount((at_s // (trace.burst * trace.gap_s)).astype(int))
    assert counts.var() / counts.mean() > trace.burst / 4
    shares = np.bincount(homes, minlength=6) / len(homes)
    assert shares.min() > 0.1


def test_the_local_share_of_a_burst_has_one_home():
    one = replace(TRACES[0], jobs=400, burst=10**6, local=0.5)  # all jobs in a single burst
    _, homes = arrivals(one, 6, seed=1, number=0)
    most = np.bincount(homes, minlength=6).max() / 400
    assert most == pytest.approx(0.5 + 0.5 / 6, abs=0.1)  # 4 standard deviations


def test_the_traces_differ_and_the_seed_makes_others():
    starts = [
        tuple(workload(trace=str(number), jobs=5, seed=seed))
        for number in range(8)
        for seed in (1, 2)
    ]
    assert len(set(starts)) == 16
    assert workload(jobs=50) == workload(jobs=50)


@pytest.mark.parametrize("mean_mb", [1, 2, 3, 4])
def test_memory_has_the_mean_and_nothing_to_do_with_the_lifetime(mean_mb):
    jobs = [job for n in range(8) for job in workload(trace=str(n), mean_mb=mean_mb)]
    sizes = np.array([job.memory / MB for job in jobs])
    law = BoundedPareto.with_mean(mean_mb, *defaults("memory_exponent", "memory_cap_mb"))
    assert law.mean == pytest.approx(mean_mb)
    assert sizes.max() <= law.cap
    # The mean of so heavy a tail has an error of some percent: cap * least / count, 4 sd.
    assert sizes.mean() == pytest.approx(mean_mb, abs=4 * (law.cap * law.least / len(jobs)) ** 0.5)
    ranks = np.corrcoef(np.argsort(np.argsort(sizes)), np.argsort(np.argsort(demands(jobs))))
    assert abs(ranks[0, 1]) < 4 / len(jobs) ** 0.5


def demands(jobs):
    return np.array([job.demand_ns for job in jobs])


def defaults(*names):
    scenario = make_sharing_scenario()
    return tuple(getattr(scenario, name) for name in names)


def test_a_larger_mean_leaves_times_as_they_are():
    small, large = workload(jobs=100), workload(jobs=100, mean_mb=4)
    assert [(j.submit_ns, j.demand_ns) for j in small] == [
        (j.submit_ns, j.demand_ns) for j in large
    ]
    assert all(one.memory < other.memory for one, other in zip(small, large, strict=True))


def test_a_log_becomes_sequential_jobs(tmp_path):
    log_file = tmp_path / "log.swf"
    log_file.write_text("1 100 0 9 4 7.5 -1\n2 101.5 0 3 1 -1 -1\n3 103 0 -1 1 -1 -1\n")
    jobs = workload(trace=str(log_file), load_factor=2)
    assert [(j.submit_ns, j.demand_ns) for j in jobs] == [(0, 75 * S // 10), (S * 3 // 4, 3 * S)]
    assert all(0 <= job.home < 6 and job.memory > 0 for job in jobs)


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ({"trace": "8"}, "--trace 8: give 0 to 7"),
        ({"trace": "nowhere.swf"}, "no such file"),
        ({"jobs": 10**6}, "has only"),
        ({"mean_mb": 480}, "must be below the largest"),
        ({"nodes": 2, "job": [{"home": 2, "memory_mb": 1, "demand_s": 1}]}, "nodes are 0 to 1"),
        ({"memory_mb": 3}, "--memory-mb"),
    ],
)
def test_what_is_no_workload_is_said_so(parameters, says):
    with pytest.raises(InputError, match=says):
        workload(**parameters)


def test_the_mean_at_exponent_one_is_the_limit():
    assert BoundedPareto(1, 1, 100).mean == pytest.approx(log(100) / 0.99)
    assert BoundedPareto(1, 1 + 1e-7, 100).mean == pytest.approx(log(100) / 0.99, rel=1e-5)
