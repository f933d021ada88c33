"""The experiments' page: ratios by hand, and what it says of made up results."""

from math import sqrt

import pandas as pd
import pytest

from model.papers.experiments import Measurements
from model.papers.report import findings_page
from model.papers.wal_fc.experiments import EXPERIMENTS
from model.papers.wal_fc.figures import MEAN, along, cases
from model.papers.wal_fc.findings import best_of, times
from model.papers.wal_fc.gain_tables import tables
from model.sweeps.sweep import load_sweep

RUNS = [*load_sweep("wal-fc").runs.values()]


def measured(slowdown, seeds=(1, 2)):
    """A row for each declared run, with this slowdown of its policy and scenario, by seed."""
    distinct = {}
    for run in RUNS:
        parameters = run.scenario.model_dump(exclude={"seed", "policies", "job"})
        distinct[run.design, *map(str, parameters.items())] = (run.design, parameters)
    rows = [
        {
            **parameters,
            **{"design": policy, "seed": seed, "hit_rate": 0.5, "final_buffer_mb": 163.0},
            MEAN: slowdown(policy, parameters, seed),
        }
        for policy, parameters in distinct.values()
        for seed in seeds
    ]
    return Measurements("wal-fc", pd.DataFrame(rows).assign(version="v"))


def by_policy(policy, _parameters, seed):
    return {"NLB": 100, "CM": 80, "IO": 16, "WAL": 8, "WAL_FC": 4}[policy] * seed


def test_how_many_times_is_the_geometric_mean_over_pairs_and_seeds():
    first, second, *_ = along("5.2")

    def slowdown(policy, parameters, seed):
        if policy != "IO":
            return 1.0
        rising = parameters["faults_per_ms"] > first.parameters["faults_per_ms"]
        return (8.0 if rising else 2.0) * seed

    found = measured(slowdown)
    pairs = [((case, "IO"), (case, "WAL")) for case in (first, second)]
    assert times(found, pairs[0]).mean == pytest.approx(2 * sqrt(1 * 2))
    assert times(found, *pairs).mean == pytest.approx(4 * sqrt(1 * 2))
    assert times(found, *pairs).n == 2
    assert times(found, ((first, "NO_SUCH"), (first, "IO"))) is None


def test_the_best_size_is_that_of_each_seed():
    sizes = {size: case for (size,), case in cases("figure 4.2").items()}

    def slowdown(_policy, parameters, seed):
        return 1 + abs(parameters["buffer_mb"] - (210 if seed == 1 else 260))

    assert best_of(measured(slowdown), sizes, "WAL") == [210, 260]


def test_a_factor_of_the_paper_is_looked_for_at_most_along_the_axis():
    page = findings_page(EXPERIMENTS, measured(by_policy))
    assert "Figure 5.2: IO in multiples of WAL_FC, at most, 3 to 5: at 7.2 4.00 ± 0.00 yes" in page
    assert "Figure 5.3: WAL in multiples of WAL_FC, on average, 0.9375 to 1.562: all points" in page


def test_the_best_fixed_setting_is_compared_with_where_the_controller_starts():
    def slowdown(policy, parameters, seed):
        if policy == "WAL" and parameters["io_weight"] == 1 and parameters["buffer_mb"] == 110:
            return 2.0 * seed
        return by_policy(policy, parameters, seed)

    text = tables(measured(slowdown))
    row = "| 2.00 (2.00 to 2.00) | 4.00 (4.00 to 4.00) | 110 MB, 1 | 4.00 (4.00 to 4.00) |"
    assert f"| 5.3 | 2.82 {row}" in text
    assert "| 5.3 | 1 | 50 | 2.00 (2.00 to 2.00) | 3.0 |" in text
    assert "runs are missing" not in text
