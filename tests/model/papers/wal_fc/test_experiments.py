"""The experiments' page: ratios by hand, and what it says of made up results."""

from math import sqrt

import pytest

from model.papers.page import findings_page
from model.papers.wal_fc.figures import along, cases
from model.papers.wal_fc.findings import best_of
from model.papers.wal_fc.gain_tables import tables
from model.papers.wal_fc.paper import PAPER
from tests.model.papers.made_up import measured_of


@pytest.fixture(scope="module")
def measured(declared_runs):
    """Made up results: a row for each declared run, with the slowdown that a function gives."""
    distinct = {}
    for run in declared_runs("wal-fc"):
        parameters = run.scenario.model_dump(mode="json", exclude={"seed", "policies", "job"})
        distinct[run.design, *map(str, parameters.items())] = (run.design, parameters)

    def measured(slowdown, seeds=(1, 2)):
        rows = [
            {
                **parameters,
                **{"design": policy, "seed": seed, "hit_rate": 0.5, "final_buffer_mb": 163.0},
                **{"version": "v", "mean_slowdown": slowdown(policy, parameters, seed)},
            }
            for policy, parameters in distinct.values()
            for seed in seeds
        ]
        return measured_of("wal-fc", rows)

    return measured


def by_policy(policy, _parameters, seed):
    return {"NLB": 100, "CM": 80, "IO": 16, "WAL": 8, "WAL_FC": 4}[policy] * seed


def test_the_average_along_an_axis_is_the_geometric_mean_over_points_and_seeds(measured):
    first, *_ = along("5.2")

    def slowdown(policy, parameters, seed):
        if policy != "IO":
            return 1.0
        rising = parameters["faults_per_ms"] > first.parameters["faults_per_ms"]
        return (32.0 if rising else 2.0) * seed

    found = measured(slowdown)
    assert found.ratio((first, "IO"), (first, "WAL")).mean == pytest.approx(2 * sqrt(1 * 2))
    # Over five points 2 · 32⁴ = 2²¹, so 2^4.2 = 18.38, and √2 times that over the seeds.
    page = findings_page(PAPER, found)
    assert "IO in multiples of WAL, on average, 1.095 to 1.825: all points 25.99 ±" in page


def test_the_best_size_is_that_of_each_seed(measured):
    sizes = {size: case for (size,), case in cases("figure 4.2").items()}

    def slowdown(_policy, parameters, seed):
        return 1 + abs(parameters["buffer_mb"] - (210 if seed == 1 else 260))

    assert best_of(measured(slowdown), sizes, "WAL") == [210, 260]


def test_a_factor_of_the_paper_is_looked_for_at_most_along_the_axis(measured):
    page = findings_page(PAPER, measured(by_policy))
    assert "Figure 5.2: IO in multiples of WAL_FC, at most, 3 to 5: at 7.2 4.00 ± 0.00 yes" in page
    assert "Figure 5.3: WAL in multiples of WAL_FC, on average, 0.9375 to 1.562: all points" in page


def test_the_best_fixed_setting_is_compared_with_where_the_controller_starts(measured):
    def slowdown(policy, parameters, seed):
        if policy == "WAL" and parameters["io_weight"] == 1 and parameters["buffer_mb"] == 110:
            return 2.0 * seed
        return by_policy(policy, parameters, seed)

    text = tables(measured(slowdown))
    row = "| 2.00 (2.00 to 2.00) | 4.00 (4.00 to 4.00) | 110 MB, 1 | 4.00 (4.00 to 4.00) |"
    assert f"| 5.3 | 2.82 {row}" in text
    assert "| 5.3 | 1 | 50 | 2.00 (2.00 to 2.00) | 3.0 |" in text
    assert "not run" not in text
