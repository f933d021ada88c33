"""A run is given up as soon as its mean response time is certain to be beyond a limit."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from model import compare
from model.dashboard.sources import Running
from model.papers.pages import with_interval
from model.pnr.scenario import make_scenario
from model.sweeps.execution import execute
from model.sweeps.results import load_results
from model.sweeps.statistics import estimate, estimates, ranked, reduction_pct
from model.sweeps.store import Store
from model.systems import comparison_of, run
from model.terminal.tables import verdict, with_half_width
from tests.model.pnr.compiled.equality import totals

S = 10**9
# Two jobs on one node, one after the other: they take 10 and 20 s, 15 s on average.
JOB = {"processes": 1, "memory_mb": 1, "demand_s": 10}
TWO = {"nodes": 1, "scheduler": "space", "job": [JOB, JOB], "designs": ("DP",)}


def two(limit_s, plane="actors", **others):
    return run(make_scenario(**{**TWO, "give_up_response_s": limit_s, **others}), "DP", plane=plane)


@pytest.mark.parametrize("plane", ["actors", "compiled"])
@pytest.mark.parametrize(
    ("limit_s", "ends_ns"),
    [
        (4, 8 * S // 2 + 1),  # ages are 2 · t up to 10 s, and pass 2 · 4 s after 4 s
        (9.9, 9_900_000_001),
        (10, 10 * S + 1),  # the first has ended, the second is as old
        (14, 18 * S + 1),  # 10 s + t pass 28 s after 18 s
        (14.999999999, 20 * S - 1),  # 29.999999998 s
        (15, None),
        (100, None),
    ],
)
def test_it_ends_in_the_first_nanosecond_in_which_that_is_certain(plane, limit_s, ends_ns):
    cluster = two(limit_s, plane)
    assert cluster.beyond is cluster.stuck is (ends_ns is not None)
    assert cluster.clock.now_ns == (ends_ns or 20 * S)


@pytest.mark.parametrize("plane", ["actors", "compiled"])
def test_even_if_that_is_the_nanosecond_in_which_the_last_job_ends(plane):
    assert two(9.999999999, plane, job=[JOB]).beyond
    assert not two(10, plane, job=[JOB]).beyond


@pytest.mark.parametrize("plane", ["actors", "compiled"])
def test_jobs_to_come_count_as_if_they_would_take_no_time(plane):
    # ages 0 + t pass 2 · 8 s only after the second has come, at 12 s: 10 + (t - 12)
    later = [JOB, {**JOB, "submit_s": 12}]
    assert two(8, plane, job=later).clock.now_ns == 18 * S + 1
    assert not two(10, plane, job=later).beyond


@pytest.mark.parametrize("plane", ["actors", "compiled"])
def test_a_limit_changes_nothing_in_a_run_that_ends_before(plane):
    few = {"first": 4621, "jobs": 19, "ram": 65, "page_bytes": 2**22, "barrier_s": 30}
    plain = run(make_scenario(**few), "MAN", plane=plane)
    patient = run(make_scenario(**few, give_up_response_s=10**5), "MAN", plane=plane)
    looks = {"events": None}  # each look at the ages is one
    assert totals(patient) | looks == totals(plain) | looks


#: Node 1 crashes for ever, so that a job of two processes fails.
CRASH = {"kind": "node", "nodes": [1]}


@pytest.mark.parametrize("plane", ["actors", "compiled"])
@pytest.mark.parametrize(
    ("limit_s", "ends_ns"),
    [
        # From 1 s on the second job counts alone, which comes at 2 s and takes 100 s
        (60, 62 * S + 1),
        (99.999999999, 102 * S),
        (100, None),
    ],
)
def test_a_job_that_has_failed_is_in_neither_the_sum_nor_the_number(plane, limit_s, ends_ns):
    jobs = [
        {"processes": 2, "memory_mb": 1, "demand_s": 100},
        {"processes": 1, "memory_mb": 1, "demand_s": 100, "submit_s": 2},
    ]
    cluster = two(limit_s, plane, nodes=2, job=jobs, fault=[{**CRASH, "from_s": 1}])
    assert cluster.beyond is (ends_ns is not None)
    assert cluster.clock.now_ns == (ends_ns or 102 * S)


@pytest.mark.parametrize("plane", ["actors", "compiled"])
def test_a_run_may_be_beyond_when_a_job_fails(plane):
    # At 16 s the first has taken 15 s, and the second, 2 s old, fails: 15 + 2 s are less than
    # 2 · 10 s, and 15 s are more than 10 s.
    jobs = [{**JOB, "demand_s": 15}, {**JOB, "processes": 2, "submit_s": 14}]
    cluster = two(10, plane, nodes=2, job=jobs, fault=[{**CRASH, "from_s": 16}])
    assert cluster.beyond
    assert cluster.clock.now_ns == 16 * S


def test_a_run_that_is_watched_is_given_up_as_well():
    source = Running(make_scenario(**{**TWO, "give_up_response_s": 14}), "DP", lambda record: None)
    while source.next_ns() is not None:
        source.go_on()
    assert source.complaint == "the mean response time is beyond 14 s"
    assert source.emulation.clock.now_ns == 18 * S + 1


def test_a_run_that_was_given_up_has_no_numbers():
    scenario = make_scenario(**{**TWO, "give_up_response_s": 14})
    comparison = comparison_of(scenario)
    result = comparison.measure(comparison.run("DP", check=True))
    summary = dict(result.summary)
    assert summary.pop("beyond") == {"response_s": 14, "jobs": 2}
    of_run = [summary.pop(name) for name in ("design", "seed", "jobs", "sim_end_s")]
    assert of_run == ["DP", 1, 0, 18.000000001]
    del summary["events"], summary["wall_s"]
    assert summary
    assert set(pd.json_normalize(summary).iloc[0]) == {None}
    assert len(result.jobs) == len(result.stations) == len(result.samples) == 0


@pytest.mark.filterwarnings("ignore:memory is short")
def test_tables_say_so_and_compare_no_design_with_it():
    results = compare(**{**TWO, "designs": ("DP", "CLI"), "give_up_response_s": 14})
    assert "beyond" in repr(results)
    assert "10.0" not in repr(results)


def test_in_tables_of_results_it_is_infinite_and_so_is_what_follows(tmp_path):
    store = Store(tmp_path)
    for seed, limit_s in ((1, 14), (2, None)):
        scenario = make_scenario(**{**TWO, "give_up_response_s": limit_s, "seed": seed})
        result = execute(scenario)
        result["scenario"]["give_up_response_s"] = 14  # as of one sweep
        with store.writing():
            store.put(result)
    table = load_results(tmp_path)
    assert table.mean_response_s.tolist() == [float("inf"), 15]
    assert table.faults_disk.tolist() == [float("inf"), 0]
    (row,) = estimates(table, ["mean_response_s"]).to_dict("records")
    assert (row["mean_response_s"], row["n"]) == (float("inf"), 2)
    assert with_half_width(row["mean_response_s"], float("nan")) == "beyond"
    assert with_interval(estimate(table.mean_response_s.tolist())) == "beyond"
    json.dumps(store.get(table.key[0]), allow_nan=False)  # stored without infinity


def test_a_design_of_a_users_is_beyond_and_makes_no_mistake():
    noting = f"{Path(__file__).parent / 'compiled' / 'noting.py'}:noting"
    for plane in ("actors", "compiled"):
        scenario = make_scenario(**{**TWO, "designs": noting, "give_up_response_s": 14})
        assert run(scenario, noting, plane=plane).beyond


def test_a_design_that_is_beyond_comes_last():
    values = {"DP": np.array([float("inf"), 4]), "MAN": np.array([3.0, 2.0])}
    assert verdict(ranked(values)) == "MAN is lowest, DP is beyond"


def test_estimates_with_runs_that_were_given_up():
    inf = float("inf")
    assert estimate([3, inf, 5])[:3] == (inf, inf, inf)
    assert reduction_pct([3, 4], [2, inf])[:3] == (-inf, -inf, -inf)
    assert reduction_pct([3, inf], [2, 4])[:3] == (inf, inf, inf)
    assert reduction_pct([inf, 1], [inf, 2]).mean != reduction_pct([inf, 1], [inf, 2]).mean  # nan
