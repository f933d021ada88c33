"""Jobs and their I/O have the stated statistics, and are the same whatever the policy does."""

import numpy as np
import pytest

from agents.sharing.requests import Requests
from model.ground.errors import InputError
from model.sharing.memory.workload import jobs_of
from model.sharing.scenarios import make_sharing_scenario
from model.sharing.wal_fc.workload import TRACES
from model.sharing.workload import load_jobs

KB, MB, S = 2**10, 2**20, 10**9


def workload(**parameters):
    return load_jobs(make_sharing_scenario(system="wal-fc", **parameters))


@pytest.mark.parametrize(("mean", "range_pct"), [(2.8, 100), (0.1, 50), (1.5, 0)])
def test_i_o_rates_are_uniform_around_the_mean(mean, range_pct):
    rates = np.array([job.io_per_ms for job in workload(io_per_ms=mean, io_range_pct=range_pct)])
    half = mean * range_pct / 100
    assert mean - half <= rates.min() <= rates.max() <= mean + half
    assert abs(rates.mean() - mean) <= 4 * half / (3 * len(rates)) ** 0.5
    assert rates.std() == pytest.approx(half / 3**0.5, rel=0.03)


def test_jobs_are_drawn_as_those_of_cpu_memory_load_sharing_but_for_the_longest():
    same = {"mean_mb": 4, "trace": "3", "memory_exponent": 1.1, "memory_cap_mb": 99}
    scenario = make_sharing_scenario(system="memory", **same)
    all_of_them = jobs_of(scenario, TRACES)
    short = [job for job in all_of_them if job.demand_ns <= 2 * S]
    mine = workload(**same, longest_s=2, offered_load=0, memory_draws="independent")
    assert 0 < len(short) < len(all_of_them)
    assert [(j.number, j.submit_ns, j.home, j.demand_ns, j.memory) for j in mine] == [
        (j.number, j.submit_ns, j.home, j.demand_ns, j.memory) for j in short
    ]


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize(("offered_load", "load_factor"), [(1.0, 1), (0.5, 2)])
def test_every_seed_has_the_same_load(seed, offered_load, load_factor):
    same = {"seed": seed, "jobs": 600, "load_factor": load_factor}
    jobs = workload(offered_load=offered_load, **same)
    demand_s = sum(job.demand_ns for job in jobs) / S
    span_s = max(job.submit_ns for job in jobs) / S
    assert demand_s / (6 * span_s) == pytest.approx(1.0, rel=1e-6)  # their product
    # Intervals keep their proportions.
    before = [job.submit_ns for job in workload(offered_load=0, **same)]
    ratios = [job.submit_ns / old for job, old in zip(jobs, before, strict=True) if old > S]
    assert max(ratios) == pytest.approx(min(ratios), rel=1e-6)


def test_stratified_requests_are_the_middle_of_each_range_in_no_order():
    sizes = np.array([job.memory for job in workload(jobs=600)]) / MB
    # P(X > x) = (sqrt(l / x) - sqrt(l / 640)) / (1 - sqrt(l / 640)), with mean sqrt(640 l) = 4.
    low = (4 / 640**0.5) ** 2
    least = np.sqrt(low / 640)
    below = 1 - (np.sqrt(low / sizes) - least) / (1 - least)
    # Requests are whole bytes, of 26 KB or more.
    assert np.sort(below) * 600 == pytest.approx(np.arange(600) + 0.5, abs=0.02)
    assert abs(np.corrcoef(below, np.arange(600))[0, 1]) < 4 / 600**0.5
    assert sizes.mean() == pytest.approx(4, rel=0.1)
    others = np.array([job.memory for job in workload(jobs=600, seed=2)]) / MB
    assert sorted(others) == sorted(sizes)
    assert [*others] != [*sizes]


def test_a_limit_that_leaves_no_job_is_said_so():
    with pytest.raises(InputError, match=r"--longest-s 0\.01: all jobs compute for longer"):
        workload(longest_s=0.01)


def test_requests_are_exponential_gaps_and_gamma_sizes():
    requests, count = Requests(1, 7, 250 * KB, 50 * KB), 50_000
    gaps = np.array([requests.gap() for _ in range(count)])
    sizes = np.array([requests.size() for _ in range(count)]) / KB
    assert abs(gaps.mean() - 1) < 4 / count**0.5
    assert np.mean(gaps > 2) == pytest.approx(np.exp(-2), rel=0.05)
    assert abs(sizes.mean() - 250) < 4 * 50 / count**0.5
    assert sizes.std() == pytest.approx(50, rel=0.03)
    skewness = np.mean(((sizes - sizes.mean()) / sizes.std()) ** 3)
    assert skewness == pytest.approx(2 * 50 / 250, abs=0.1)  # 2 / sqrt(shape); a normal's is 0


def test_each_job_has_requests_of_its_own_whatever_order_they_are_drawn_in():
    one, same, other = (Requests(1, job, 1000, 100) for job in (7, 7, 8))
    gaps = [one.gap() for _ in range(300)]
    assert [(same.size(), same.gap())[1] for _ in range(300)] == gaps
    assert [other.gap() for _ in range(300)] != gaps
