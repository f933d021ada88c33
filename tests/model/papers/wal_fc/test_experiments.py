"""The experiments' page: ratios by hand, and what it says of made up results."""

from math import sqrt

import pytest

from model.papers.page import findings_page
from model.papers.wal_fc import gain_tables, reading_tables, time_tables
from model.papers.wal_fc.figures import along, cases
from model.papers.wal_fc.paper import PAPER, best_of
from tests.model.papers.made_up import lines_of, measured_of

SPENT_S = {"cpu": 0.4, "queueing": 1.0, "paging": 2.0, "io": 0.3, "migration": 0.1}


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
                **{"design": policy, "seed": seed, "hit_rate": 0.5, "faults": 1234},
                **{"final_buffer_mb": 163.0, "buffer_path_mb": 59.9, "final_io_weight": 0.9},
                **{f"breakdown.{what}_s": spent * seed for what, spent in SPENT_S.items()},
                **{"remote_submissions": 34, "stations.disks.utilization_max": 0.9},
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
    # Over three points 2 · 32² = 2¹¹, so 2^(11/3) = 12.70, and √2 times that over the seeds; the
    # interval is from 17.96 / e^(t(1) · ln 2 / 2) = 17.96 / 81.7 to 17.96 · 81.7.
    page = findings_page(PAPER, found)
    assert (
        "IO in multiples of WAL, on average, 1.095 to 1.825: all points 17.96 (0.22 to 1,468.14)"
        in page
    )


def test_the_best_size_is_that_of_each_seed(measured):
    sizes = {size: case for (size,), case in cases("figure 4.2").items()}

    def slowdown(_policy, parameters, seed):
        return 1 + abs(parameters["buffer_mb"] - (210 if seed == 1 else 260))

    assert best_of(measured(slowdown), sizes, "IO").tolist() == [210, 260]


def test_where_the_controller_surely_loses_is_told(measured):
    # WAL_FC takes 1.2 times as long as WAL with each seed at the higher rate, and as long else.
    first, last = along("5.3")

    def slowdown(policy, parameters, seed):
        behind = policy == "WAL_FC" and parameters["faults_per_ms"] == 2.1
        return (1.2 if behind else 1.0) * seed

    page = findings_page(PAPER, measured(slowdown))
    assert (first.parameters["faults_per_ms"], last.parameters["faults_per_ms"]) == (1.6, 2.1)
    assert "It is surely slower at 2.1 (1.20 times WAL, 1.20 to 1.20)." in page
    assert "It is nowhere surely slower." in page  # figure 5.4


def test_a_factor_of_the_paper_is_looked_for_at_most_along_the_axis(measured):
    page = findings_page(PAPER, measured(by_policy))
    assert "Figure 5.2: IO in multiples of WAL_FC, at most, 3 to 5: at 7.2 4.00 ± 0.00 yes" in page
    assert "Figure 5.3: WAL in multiples of WAL_FC, on average, 0.9375 to 1.562: all points" in page


def test_the_best_fixed_setting_is_compared_with_where_the_controller_starts(measured):
    def slowdown(policy, parameters, seed):
        if policy == "WAL" and parameters["io_weight"] == 1 and parameters["buffer_mb"] == 110:
            return 2.0 * seed
        return by_policy(policy, parameters, seed)

    text = lines_of(gain_tables.NAMED, measured(slowdown))
    row = "| 2.00 (2.00 to 2.00) | 4.00 (4.00 to 4.00) | 110 MB, 1 | 4.00 (4.00 to 4.00) |"
    assert f"| 5.3 | 2.82; 1.25 {row}" in text
    row = "| the last 50, after each job | 50 | 2.00 (2.00 to 2.00) | 60 | 3.0 |"
    assert f"| 5.3 {row}" in text
    # 59.9 MB in 599 steps: 0.1 MB each, for changes of S by 0.2; on a way of 50 MB from 8 and 16
    # to 2 and 4, by 9 in the mean, one step is 0.018.
    assert "| 5.3 | 0.20 | 0.10 | 60 | 3.0 | 50 | 0.02 of 12 | 0.40 |" in text
    assert "not run" not in text


def test_readings_are_compared_alone_and_together(measured):
    def slowdown(policy, parameters, seed):
        first = parameters["disk_load"] == "requests" and not parameters["guard"]
        return by_policy(policy, parameters, seed) * (10 if first and policy == "IO" else 1)

    text = lines_of(reading_tables.TABLES, measured(slowdown))
    # Seeds with 8 and 16: √2 · 8, and e to the deviation ln 2 / √2 of their logarithms.
    row = "113.1 | {} | 11.3 | 1.63 times | {} | 10.00 (10.00 to 10.00) |"
    whole, alone = (
        row.format(io, of)
        for io, of in (("22.6", "2.00 (2.00 to 2.00)"), ("226.3", "20.00 (20.00 to 20.00)"))
    )
    assert f"| 5.2 | all of them | {whole}" in text
    assert f"| 5.2 | the guard of section 3 | {whole}" in text
    assert f"| 5.3 | the first reading | {alone}" in text
    assert "| 5.3 | 1.1 | 1,234 | 141.4 | 22.6 | 11.3 | 2.00 (2.00 to 2.00) |" in text
    assert "| 110 | 1.00 (1.00 to 1.00) | 1.00 (1.00 to 1.00) |" in text
    assert "not run" not in text


def test_times_are_means_over_seeds_and_slowdowns_geometric_ones(measured):
    text = lines_of(time_tables.TABLES, measured(by_policy))
    # Seeds 1 and 2 weigh 1.5 in the mean; slowdowns of 8 and 16 give 8 √2.
    spent = "0.60 | 1.50 | 3.00 | 0.45 | 0.15"
    assert f"| 5.2 | 8 faults/ms | WAL | 11.3 | {spent} | 1.2 | 34 | 90 |" in text
    assert "| 4.2 | 110 MB | IO | 22.6 |" in text
    assert "| 5.2 | 7.2 faults/ms |" not in text
    assert "not run" not in text


@pytest.mark.parametrize(
    ("best_mb", "verdict"), [(160, "3.00 ± 0.00 yes"), (60, "103.00 ± 0.00 no")]
)
def test_a_buffer_converges_if_it_ends_near_the_best_fixed_one(measured, best_mb, verdict):
    def slowdown(policy, parameters, seed):
        return by_policy(policy, parameters, seed) + abs(parameters["buffer_mb"] - best_mb)

    told = "Figure 5.4: final size, off the best fixed one of the seed, 0 to 25 MB: WAL_FC"
    assert f"{told} {verdict}" in findings_page(PAPER, measured(slowdown))
