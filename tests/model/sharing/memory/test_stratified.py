"""Stratified draws: seeds differ in which job has what, and when it comes, but not in the whole."""

import numpy as np
import pytest

from model.sharing.memory.stratified import range_means
from model.sharing.memory.workload import TRACES
from model.sharing.pareto import BoundedPareto
from model.sharing.scenarios import make_sharing_scenario
from model.sharing.workload import load_jobs

S = 10**9


def workload(**parameters):
    return load_jobs(make_sharing_scenario(**{"draws": "stratified", **parameters}))


def by_request(jobs):
    return sorted(jobs, key=lambda job: -job.memory)


@pytest.mark.parametrize("number", ["0", "5"])
def test_seeds_have_the_same_requests_and_the_same_lifetimes(number):
    one, other = (workload(trace=number, seed=seed) for seed in (1, 2))
    for quantity in ("memory", "demand_ns"):
        values, others = ([getattr(job, quantity) for job in jobs] for jobs in (one, other))
        assert values != others
        assert sorted(values) == sorted(others)
    assert [job.submit_ns for job in one] != [job.submit_ns for job in other]


def test_the_jobs_with_most_memory_compute_as_much_as_is_expected_of_as_many_jobs():
    law = TRACES[0].lifetimes
    expected = {group: range_means(law, size) for group, size in (((0, 4), 4), ((8, 16), 8))}
    for seed in (1, 2):
        jobs = by_request(workload(seed=seed, mean_mb=4))
        for (first, end), lifetimes_s in expected.items():
            found = sorted(job.demand_ns for job in jobs[first:end])
            assert found == pytest.approx(lifetimes_s * S)
            assert np.mean(found) == pytest.approx(law.mean * S, rel=0.01)


def test_range_means_by_the_integral_of_the_quantiles():
    # Exponent 1, 1 to 4: the quantile at a share p is 1 / (1 - 3p/4). From 0 to 1/2 its integral is
    # 4/3 ln(1 / (1 - 3/8)) = 0.6267, and from 1/2 to 1 it is 4/3 ln((5/8) / (1/4)) = 1.2217.
    found = range_means(BoundedPareto(1, 1, 4), 2)
    assert found == pytest.approx([2 * 0.6267, 2 * 1.2217], rel=1e-3)


def test_independent_draws_differ_in_the_whole():
    one, other = (workload(seed=seed, draws="independent") for seed in (1, 2))
    assert sum(job.demand_ns for job in one) != sum(job.demand_ns for job in other)


def test_a_log_has_its_own_lifetimes(tmp_path):
    (tmp_path / "log.swf").write_text("1 0 0 9 1 7.5 -1\n2 1 0 3 1 3 -1\n")
    jobs = workload(trace=str(tmp_path / "log.swf"))
    assert [job.demand_ns for job in jobs] == [7.5 * S, 3 * S]
