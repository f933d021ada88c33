"""The traces have the paper's programs, counts, seconds and sigma; the mix is what was asked."""

import numpy as np
import pytest

from agents.sharing.job import SequentialSpec
from model.ground.errors import InputError
from model.papers.unknown.fit import COMPLETED, completed, counts, fit
from model.sharing.scenarios import make_sharing_scenario
from model.sharing.unknown.programs import PROGRAMS
from model.sharing.unknown.scenario import FITTED
from model.sharing.unknown.workload import TRACES, submissions_s
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
    gaps_s = [np.diff(submissions_s(TRACES[trace], seed, trace), prepend=0) for seed in range(20)]
    sigmas = [np.log(gaps).std() for gaps in gaps_s]
    assert np.mean(sigmas) == pytest.approx(TRACES[trace].sigma, rel=0.03)


def test_programs_come_in_the_shares_of_the_mix():
    demands = [spec.demand_ns for seed in range(10) for spec in jobs_of(1, seed)]
    for program, share in zip(PROGRAMS, FITTED, strict=True):
        expected = len(demands) * share / sum(FITTED)
        found = demands.count(program.demand_ns)
        assert abs(found - expected) < 4 * np.sqrt(expected)
    only = jobs_of(1, mix=(0, 0, 0, 0, 0, 0, 5))
    assert {spec.demand_ns for spec in only} == {PROGRAMS[-1].demand_ns}


def test_the_mix_completes_under_no_ls_about_as_many_as_the_paper_says():
    """Of seeds that the fit has not seen, within 5 % of the trace's jobs."""
    for number, found in zip(TRACES, counts(FITTED, range(201, 241)), strict=True):
        assert abs(found - COMPLETED[number]) < 0.05 * TRACES[number].jobs


@pytest.mark.parametrize("trace", [1, 2, 3])
def test_the_fit_counts_the_jobs_of_the_scenarios_traces(trace):
    assert counts(FITTED, [3])[trace - 1] == completed(jobs_of(trace, seed=3))


def test_the_mix_is_what_the_fit_finds():
    assert [round(share, 3) for share in fit().tolist()] == list(FITTED)


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
