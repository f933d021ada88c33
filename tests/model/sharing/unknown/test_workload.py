"""The traces have the paper's programs, counts, seconds and sigma; the mix is what was asked."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.sharing.job import SequentialSpec
from model.ground.errors import InputError
from model.papers.load_sharing.unknown.fit import COMPLETED, completed, counts, fit, misfit
from model.sharing.scenarios import make_sharing_scenario
from model.sharing.unknown.programs import PROGRAMS
from model.sharing.unknown.scenario import FITTED
from model.sharing.unknown.workload import TRACES, Mix, submissions_s
from model.sharing.workload import load_jobs

MB, S = 2**20, 10**9


def jobs_of(trace, seed=1, **parameters):
    return load_jobs(
        make_sharing_scenario(system="unknown", trace=str(trace), seed=seed, **parameters)
    )


def test_programs_are_those_of_table_1():
    demands_s = [program.demand_ns / S for program in PROGRAMS]
    assert demands_s == [192.42, 82.54, 4902.24, 38.93, 120.91, 299.15, 30.29]
    assert sum(program.ios for program in PROGRAMS) == 9 + 18 + 4 + 225 + 292 + 1624 + 3541


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_working_sets_grow_through_their_range_before_the_end(program):
    sizes = [program.memory, *(event.memory for event in program.growth)]
    ages = [0, *(event.age_ns for event in program.growth), program.demand_ns]
    assert sizes[-1] == round(float(program.most_mb) * MB)
    assert sizes == sorted(sizes)
    assert ages == sorted(set(ages))


@pytest.mark.parametrize("seed", [1, 2, 77])
@pytest.mark.parametrize(
    ("trace", "jobs", "span_s"), [(1, 503, 1365), (2, 420, 2503), (3, 359, 3634)]
)
def test_traces_have_the_stated_jobs_and_seconds(trace, jobs, span_s, seed):
    specs = jobs_of(trace, seed)
    times = [spec.submit_ns for spec in specs]
    assert (len(specs), times[-1]) == (jobs, span_s * S)
    assert times == sorted(times)
    assert {spec.home for spec in specs} == set(range(32))


@pytest.mark.parametrize("trace", [1, 2, 3])
def test_gaps_are_lognormal_with_the_stated_sigma(trace):
    # Rescaling adds a constant to the logarithms. 20 traces: the error of sigma is below 1 %.
    gaps_s = [np.diff(submissions_s(trace, seed), prepend=0) for seed in range(20)]
    sigmas = [np.log(gaps).std() for gaps in gaps_s]
    assert np.mean(sigmas) == pytest.approx(TRACES[trace].sigma, rel=0.03)


def test_times_may_be_uniform():
    # 20 traces of 359 uniform times: their mean is half of the span, with an error of 0.3 %.
    times_s = [submissions_s(3, seed, "uniform") for seed in range(20)]
    assert np.mean(times_s) == pytest.approx(3634 / 2, rel=0.015)
    assert {times[-1] for times in times_s} == {3634}


@pytest.mark.parametrize("seed", [1, 2])
def test_each_program_occurs_as_often_as_the_mix_says_and_each_home_as_any_other(seed):
    # 359 jobs: shares of 1/2, 1/3 and 1/6 are 179.5, 119.67 and 59.83 jobs; two are left over.
    jobs = jobs_of(3, seed, mix=(3, 2, 1, 0, 0, 0, 0))
    demands = [job.demand_ns for job in jobs]
    assert [demands.count(program.demand_ns) for program in PROGRAMS[:3]] == [179, 120, 60]
    homes = [[job.home for job in jobs].count(node) for node in range(32)]
    assert sorted(homes) == [11] * 25 + [12] * 7  # 359 = 11 * 32 + 7
    assert demands != [job.demand_ns for job in jobs_of(3, seed + 1, mix=(3, 2, 1, 0, 0, 0, 0))]


def test_drawn_independently_programs_come_in_the_shares_of_the_mix_on_average():
    traces = [jobs_of(1, seed, draws="independent") for seed in range(10)]
    demands = [spec.demand_ns for jobs in traces for spec in jobs]
    for program, share in zip(PROGRAMS, FITTED, strict=True):
        expected = len(demands) * share / sum(FITTED)
        found = demands.count(program.demand_ns)
        assert abs(found - expected) < 4 * np.sqrt(expected)
    assert len({sum(spec.home == 0 for spec in jobs) for jobs in traces}) > 1


@given(st.lists(st.integers(0, 50), min_size=7, max_size=7).filter(any), st.integers(1, 600))
def test_shuffled_rows_are_within_one_of_their_exact_number(shares, count):
    rows = Mix(tuple(shares)).shuffled(np.random.default_rng(1), count)
    found = np.bincount(rows, minlength=7)
    assert len(rows) == count
    assert np.all(np.abs(found - np.array(shares) * count / sum(shares)) < 1)


def test_a_job_has_its_programs_fault_weight_where_weights_are_measured():
    of = {program.demand_ns: program.fault_weight for program in PROGRAMS}
    assert all(job.fault_weight == of[job.demand_ns] for job in jobs_of(1))
    assert {job.fault_weight for job in jobs_of(1, fault_weights="demand")} == {1}


def test_the_mix_completes_under_no_ls_about_as_many_as_the_paper_says():
    """Of seeds that the fit has not seen, within 5 % of the trace's jobs."""
    for number, found in zip(TRACES, counts(FITTED, range(201, 241)), strict=True):
        assert abs(found - COMPLETED[number]) < 0.05 * TRACES[number].jobs


@pytest.mark.parametrize("trace", [1, 2, 3])
def test_the_fit_counts_the_jobs_of_the_scenarios_traces(trace):
    assert counts(FITTED, [3])[trace - 1] == completed(jobs_of(trace, seed=3))


def test_the_mix_fits_better_than_others_do():
    """Than random mixes, than equal shares, and than itself with one share twice or half as large.

    The walk of `fit` is too long for a test; a short one begins far away and gets closer.
    """
    seeds = range(1, 25)
    least = misfit(np.array(FITTED) / sum(FITTED), seeds)
    others = [*np.random.default_rng(2).dirichlet(np.ones(7), 30), np.ones(7) / 7]
    for row, times in product(range(7), (0.5, 2)):
        changed = np.array(FITTED)
        changed[row] *= times
        others.append(changed / changed.sum())
    assert all(misfit(mix, seeds) > least for mix in others)
    tried = [fit([1, 2], tries=5, steps=steps) for steps in (0, 40)]
    assert misfit(tried[1], [1, 2]) < misfit(tried[0], [1, 2])


def test_one_node_of_no_ls_as_a_fluid():
    # 100 MB and 156 MB fit RAM and swap; at 2 s the third does not, at 60 s it does.
    def spec(number, submit_s, memory_mb):
        return SequentialSpec(number, submit_s * S, 0, 5 * S, memory_mb * MB)

    assert completed([spec(1, 0, 100), spec(2, 1, 156), spec(3, 2, 1)]) == 2
    assert completed([spec(1, 0, 100), spec(2, 1, 156), spec(3, 60, 1)]) == 3


def test_a_log_gives_jobs_the_working_sets_of_programs(tmp_path):
    log = tmp_path / "log.swf"
    log.write_text(
        "".join(f"{n} {10 * n} 0 50 1 40 -1 1 -1 -1 1 1 1 1 1 1 -1 -1\n" for n in (1, 2))
    )
    sizes = {round(float(program.most_mb) * MB) for program in PROGRAMS}
    jobs = jobs_of(log)
    assert [(job.submit_ns, job.demand_ns) for job in jobs] == [(0, 40 * S), (10 * S, 40 * S)]
    assert all(job.memory in sizes for job in jobs)


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        ({"trace": "4"}, "give 1, 2 or 3"),
        ({"trace": "0"}, "give 1, 2 or 3"),
        ({"trace": "none.swf"}, "no such file"),
        ({"mix": (0,) * 7}, "all shares are 0"),
    ],
)
def test_what_no_workload_can_be_made_of(parameters, reason):
    with pytest.raises(InputError, match=reason):
        load_jobs(make_sharing_scenario(system="unknown", **parameters))
