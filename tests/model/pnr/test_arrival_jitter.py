"""Arrivals are shaken: each time between two jobs by a draw of its own."""

from fractions import Fraction
from itertools import pairwise
from math import sqrt
from statistics import fmean, pstdev

import pytest

from model.ground.errors import InputError
from model.ground.randomness import ARRIVAL, draws
from model.pnr.scenario import Scenario, make_scenario
from model.pnr.workload import load_workload

S = 10**9
TIMES_S = (5, 5, 9, 1000)  # of four jobs, listed in another order


def arrivals_ns(**parameters):
    jobs = [
        {"number": number, "processes": 1, "memory_mb": 1, "demand_s": 1, "submit_s": time_s}
        for number, time_s in zip((7, 3, 4, 8), (1000, *TIMES_S[:3]), strict=True)
    ]
    return [
        (job.number, job.submit_ns) for job in load_workload(make_scenario(job=jobs, **parameters))
    ]


def test_each_time_between_two_jobs_has_its_own_factor():
    # from the first job, 3, it takes 0, 4 and 991 s to the next ones; 8 comes with 9 s, 7 last
    assert arrivals_ns(arrival_jitter=0) == [(3, 0), (4, 0), (8, 4 * S), (7, 995 * S)]
    drawn = {number: next(draws(5, ARRIVAL, number)) for number in (3, 4, 8, 7)}
    factor = {n: 1 + sqrt(3) * 0.2 * (2 * uniform - 1) for n, uniform in drawn.items()}
    second = round(4 * S * Fraction(factor[8]))
    third = second + round(991 * S * Fraction(factor[7]))
    found = arrivals_ns(arrival_jitter=0.2, seed=5)
    assert found == [(3, 0), (4, 0), (8, second), (7, third)]
    assert arrivals_ns(arrival_jitter=0.2, seed=6) != found


def test_the_load_factor_counts_before():
    (*_, (_, last)), (*_, (_, half)) = (
        arrivals_ns(arrival_jitter=0.1, load_factor=factor) for factor in (1, 2)
    )
    assert last / 2 == pytest.approx(half, abs=2)


def test_factors_have_mean_1_and_the_deviation_and_are_positive():
    whole = load_workload(Scenario(first=1, jobs=5000))
    for jitter in (0.1, 0.5):
        shaken = load_workload(Scenario(first=1, jobs=5000, arrival_jitter=jitter))
        gaps = [
            [later.submit_ns - job.submit_ns for job, later in pairwise(jobs)]
            for jobs in (whole, shaken)
        ]
        factors = [new / old for old, new in zip(*gaps, strict=True) if old]
        assert len(factors) > 4000
        assert min(factors) > 0
        # the standard errors of both are some 1/70 and 1/110 of the deviation
        assert fmean(factors) == pytest.approx(1, abs=4 * jitter / 70)
        assert pstdev(factors) == pytest.approx(jitter, rel=0.04)
        assert [job.number for job in shaken] == [job.number for job in whole]


def test_a_factor_that_might_be_negative_is_refused():
    with pytest.raises(InputError, match=r"--arrival-jitter: .* 0.5 \(not 0.6\)"):
        make_scenario(arrival_jitter=0.6)
