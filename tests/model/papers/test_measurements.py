"""Means over seeds, and comparisons of designs and cases in pairs, by hand's numbers."""

from math import exp, inf, isnan, log, sqrt
from random import Random

import pandas as pd
import pytest

from model.ground.errors import InputError
from model.papers.cases import Case, base_case, declared_values, over
from model.papers.measurements import Measurements, over_arrivals
from model.papers.study import study_of
from model.papers.verdicts import Part
from model.sweeps.statistics import estimate
from tests.model.papers.made_up import measured, measured_of, rows

T2 = 4.302652729911275  # Student's t of 2 degrees of freedom, 97.5 %
LOW, HIGH = (Case(trace="0", mean_mb=1, fault_pct=percent) for percent in (50, 100))


def inside(value, low, high):
    return Part("", value, low, high).holds


def test_a_mean_is_over_the_seeds_of_its_case():
    runs = [(LOW, "A", seed, slowdown) for seed, slowdown in enumerate((2.0, 3.0, 4.0))]
    found = measured("memory", *runs, (HIGH, "A", 1, 9.0))
    assert (found.of(LOW, "A").mean, found.of(LOW, "A").n) == (3, 3)
    assert found.of(LOW, "A").half_width == pytest.approx(T2 * 1 / sqrt(3))
    assert found.of(LOW.but(fault_pct=0), "A") is None
    assert found.of(LOW.but(mean_mb=4), "A") is None
    assert found.of(LOW, "B") is None
    assert found.of(LOW, "A", "no_such_measure") is None


def test_seeds_that_share_a_workload_are_one_replication():
    runs = [(LOW, "A", seed, slowdown) for seed, slowdown in ((1, 1.0), (2, 2.0), (3, 4.5))]
    table, paper = pd.DataFrame(rows("memory", *runs)), study_of("memory")
    found = Measurements(paper.name, table, paper.states.measure, {1: 1, 2: 1, 3: 2})
    assert (found.of(LOW, "A").mean, found.of(LOW, "A").n) == (3, 2)  # of 1.5 and 4.5
    assert found.ratio((LOW, "A"), (LOW, "A")).n == 2


def test_what_a_case_does_not_say_is_the_base_case_s():
    found = measured("memory", (Case(), "A", 1, 2.0), (LOW, "A", 1, 5.0))
    assert found.of(Case(), "A").mean == 2
    found = measured("wal-fc", (Case(), "A", 1, 2.0), (Case(load_factor=3), "A", 2, 5.0))
    assert found.of(Case(jobs=600), "A").mean == 2  # as the top of its sweep says


def test_a_case_that_says_what_no_run_declares_has_no_runs():
    found = measured("memory", (LOW, "A", 1, 2.0))
    assert found.of(LOW.but(fault_pct=33), "A") is None
    assert found.of(LOW.but(jobs=33), "A") is None
    assert found.of(LOW.but(no_such_parameter=1), "A") is None


def test_a_parameter_of_several_numbers_is_one_value():
    (other,) = declared_values("unknown")["mix"] - {base_case("unknown")["mix"]}
    case = Case(trace="1", mix=list(other))
    found = measured("unknown", (case, "A", 1, 5.0), (Case(trace="1"), "A", 1, 2.0))
    assert found.of(case, "A").mean == 5
    assert found.of(Case(trace="1"), "A").mean == 2


def test_cases_vary_with_all_combinations_the_last_parameter_the_fastest():
    named = Case("small", {"mean_mb": 1})
    varied = over((named, LOW), trace="1", ct=(2, 4))
    assert [str(case) for case in varied] == [
        *("small, trace 1, ct 2", "small, trace 1, ct 4"),
        *(f"trace 1, mean_mb 1, fault_pct 50, ct {ct}" for ct in (2, 4)),
    ]
    assert str(varied[0].unvaried) == "small"


def test_a_ratio_is_the_geometric_mean_of_pairs():
    found = measured(
        "memory",
        *((LOW, "A", seed, slow) for seed, slow in enumerate((2.0, 8.0, 50.0))),
        *((LOW, "B", seed, 2.0) for seed in (0, 1)),
    )
    ratio = found.ratio((LOW, "A"), (LOW, "B"))
    assert (ratio.mean, ratio.n) == (pytest.approx(2), 2)  # of 1 and 4, not of seed 2
    assert log(ratio.high) == pytest.approx(log(2) + 12.706204736 * log(4) / 2, rel=1e-6)
    assert ratio.low == pytest.approx(exp(2 * log(2) - log(ratio.high)))


def test_a_ratio_of_ratios_is_of_the_seeds_that_all_have():
    found = measured(
        "memory",
        *((LOW, "A", seed, slow) for seed, slow in enumerate((2.0, 8.0, 50.0))),
        *((LOW, "B", seed, 2.0) for seed in range(3)),
        *((HIGH, "A", seed, 32.0) for seed in (0, 1)),
        *((HIGH, "B", seed, 4.0) for seed in range(3)),
    )
    four = (HIGH, "A"), (HIGH, "B"), (LOW, "B"), (LOW, "A")
    assert found.ratio(*four).mean == pytest.approx(4)  # 32/4 · 2/2 = 8 and 32/4 · 2/8 = 2
    assert found.ratio(*four).n == 2
    assert found.ratio(*four[:2], (LOW, "B"), (LOW, "C")) is None
    zero = measured("memory", (LOW, "A", 1, 0.0), (LOW, "B", 1, 1.0))
    assert zero.ratio((LOW, "A"), (LOW, "B")) is None


def test_a_reduction_is_that_of_the_means_of_common_seeds():
    found = measured(
        "memory",
        *((LOW, "A", seed, slow) for seed, slow in enumerate((2.0, 4.0, 50.0))),
        *((LOW, "B", seed, 4.0) for seed in (0, 1)),
    )
    reduction = found.reduction_pct((LOW, "A"), (LOW, "B"))
    assert (reduction.mean, reduction.n) == (25, 2)  # 3 is 25 % below 4
    assert found.reduction_pct((LOW, "A"), (HIGH, "B")) is None


def _given_up(*runs):
    """Of the thesis's light base case, where runs are given up beyond 5,000 s."""
    case = Case(nodes=64, jobs=4000, give_up_response_s=5000)
    return case, measured("thesis", *((case, *run) for run in runs))


def test_of_a_run_that_was_given_up_one_end_of_a_reduction_is_known():
    case, found = _given_up(("DP", 1, 2500.0), ("CLI", 1, inf), ("MAN", 1, 2000.0))
    reduction = found.reduction_pct((case, "CLI"), (case, "DP"))  # at least 5,000 s is no less
    assert (reduction.mean, reduction.low, reduction.high) == (-100, -inf, -100)  # than twice
    reduction = found.reduction_pct((case, "MAN"), (case, "CLI"))
    assert (reduction.mean, reduction.low, reduction.high) == (60, 60, 100)
    assert inside(found.reduction_pct((case, "CLI"), (case, "DP")), -inf, -50) is True
    assert inside(found.reduction_pct((case, "CLI"), (case, "DP")), 0, inf) is False
    assert inside(found.reduction_pct((case, "CLI"), (case, "DP")), -300, -200) is None


def test_a_run_that_ended_counts_instead_of_one_that_was_given_up_with_its_seed():
    """CLI took 8,000 s with seed 1 where it was waited for, and more than 5,000 with seed 2."""
    patient, hasty = (Case(nodes=64, jobs=4000, give_up_response_s=s) for s in (None, 5000))
    runs = ((patient, "CLI", 1, 8000.0), (hasty, "CLI", 1, inf), (hasty, "CLI", 2, inf))
    paging = [(patient, "DP", seed, 4000.0) for seed in (1, 2)]
    for of_cli in (runs, runs[::-1]):
        found = measured("thesis", *of_cli, *paging)
        assert [*found.values(hasty, "CLI").sort_index()] == [8000, inf]
        reduction = found.reduction_pct((patient, "CLI"), (hasty, "DP"))
        assert (reduction.mean, reduction.low) == (pytest.approx(-62.5), -inf)  # 13,000 of 8,000
        assert len(found.runs) == 5  # none is forgotten


def test_disk_paging_is_the_same_however_pages_are_sent_over_the_network():
    case = Case(nodes=64, jobs=4000)
    found = measured("thesis", (case, "DP", 1, 1400.0), (case, "MAN", 1, 1100.0))
    there = found.elsewhere(page_exchange="swap", frame_bytes=1500)
    assert [*there.values(case, "DP")] == [1400]
    assert there.of(case, "MAN") is None
    assert found.elsewhere(disk_writes=True).of(case, "DP") is None


def test_of_two_that_were_given_up_nothing_is_known():
    case, found = _given_up(("DP", 1, inf), ("CLI", 1, inf))
    reduction = found.reduction_pct((case, "CLI"), (case, "DP"))
    assert isnan(reduction.mean)
    assert inside(reduction, -inf, 50) is inside(reduction, 50, 100) is None


def test_what_is_known_of_several_seeds_is_as_unsure_as_they_are():
    # At least 100 and 108 % longer: ± t(1) times the deviation of the residuals over root 2.
    case, found = _given_up(
        *(("DP", 1, 2500.0), ("DP", 2, 2400.0), ("CLI", 1, inf), ("CLI", 2, inf)),
    )
    reduction = found.reduction_pct((case, "CLI"), (case, "DP"))
    ratio = -(5000 + 5000 - 2500 - 2400) / (2500 + 2400)
    residuals = [-2500 - ratio * 2500, -2600 - ratio * 2400]
    half = 12.706204736 * abs(residuals[0] - residuals[1]) / 2 / 2450
    assert reduction.mean == pytest.approx(100 * ratio)
    assert reduction.high == pytest.approx(100 * (ratio + half))
    assert (reduction.low, reduction.n) == (-inf, 2)
    # At least 100 and 300 % longer: such seeds tell only that none takes 0 s.
    case, found = _given_up(
        *(("DP", 1, 2500.0), ("DP", 2, 1250.0), ("CLI", 1, inf), ("CLI", 2, inf)),
    )
    assert found.reduction_pct((case, "CLI"), (case, "DP")).high == 100


def test_what_else_a_run_measured_that_was_given_up_is_not_known():
    case, found = _given_up(("CLI", 1, inf), ("CLI", 2, 1000.0))
    assert found.of(case, "CLI").mean == inf
    row = {**rows("thesis", (case, "CLI", 1, inf))[0], "faults": inf}
    assert isnan(measured_of("thesis", [row]).of(case, "CLI", "faults").mean)


def test_counts_stay_exact_in_brief_beside_a_run_that_was_given_up():
    case = Case(nodes=64)
    (one,), (other,) = (rows("thesis", (case, name, 1, 2.5)) for name in ("DP", "MAN"))
    one |= {"faults_disk": 240291679.0, "faults_network": 1.0, "messages.A": 7.0}
    other |= {"faults_disk": inf, "faults_network": inf, "messages.A": inf}
    brief = study_of("thesis").condense(pd.DataFrame([one, other]), "v")
    assert brief.faults_disk.tolist() == [240291679, inf]  # 32 bits would make it 240291680
    assert brief.faults.tolist() == [240291680, inf]
    assert brief.messages.tolist() == [7, inf]


def test_runs_that_the_sweep_does_not_declare_do_not_count():
    own, other = rows("memory", (LOW, "A", 1, 2.0)), rows("memory", (LOW, "A", 2, 6.0), nodes=5)
    assert measured_of("memory", own + other).of(LOW, "A").mean == 2
    with pytest.raises(InputError, match=r"no run .* memory there; `run.py sweep memory`"):
        measured_of("memory", other)


@pytest.mark.parametrize("columns", [{"system": ["unknown"]}, {"ram": [100.0], "nodes": [64]}])
def test_results_of_another_paper_are_refused(columns):
    with pytest.raises(InputError, match="sweep memory"):
        study_of("memory").measured(pd.DataFrame({**columns, "design": ["DP"], "seed": [1]}))


def test_a_case_is_called_by_its_name_or_its_parameters():
    assert str(Case()) == "defaults"
    assert str(Case(trace="1", mt=5).but(mt=-5, bandwidth_mbps=100)) == "trace 1, mt -5, 100 Mbps"
    assert str(Case("64 nodes", {"nodes": 64}).but(ram=50)) == "64 nodes, 50 % RAM"


def two_levels(random, of_arrivals, of_seeds):
    """A number over five seeds for one draw of arrivals, and over five with arrivals of their own.

    What it should be is 0; arrivals and seeds have these deviations.
    """
    arrivals = random.gauss(0, of_arrivals)
    own = [arrivals + random.gauss(0, of_seeds) for _ in range(5)]
    others = [random.gauss(0, of_arrivals) + random.gauss(0, of_seeds) for _ in range(5)]
    return estimate(own), estimate(others)


@pytest.mark.parametrize("of_arrivals", [0, 1, 3, 10])
def test_an_interval_over_arrivals_has_what_is_so_for_any_in_95_of_100_cases(of_arrivals):
    random, count = Random(7), 1000
    found = [over_arrivals(*two_levels(random, of_arrivals, 1)) for _ in range(count)]
    inside = sum(one.low <= 0 <= one.high for one in found) / count
    assert inside > 0.935  # of 1,000 with 95 %, less only once in 50 times


def test_a_number_keeps_its_mean_and_has_the_chance_of_arrivals_where_it_was_run_with_others():
    base, shaken = Case(nodes=64, jobs=4000), Case(nodes=64, jobs=4000, arrival_jitter=0.1)
    runs = [(base, "DP", seed, s) for seed, s in ((1, 99.0), (2, 101.0))]
    runs += [(shaken, "DP", seed, s) for seed, s in ((1, 80.0), (2, 100.0), (3, 120.0))]
    runs += [(base, "MAN", seed, s) for seed, s in ((1, 49.0), (2, 51.0))]
    found = measured("thesis", *runs)
    assert found.of(base, "DP").mean == 100
    assert found.of(base, "DP").half_width == pytest.approx(T2 * 20)
    assert found.of(base, "MAN").half_width == found.home.of(base, "MAN").half_width
    assert found.ratio((base, "MAN"), (base, "DP")).n == 2  # MAN's arrivals are the log's alone
    alone = found.elsewhere(arrival_jitter=0.1).of(Case(nodes=64, jobs=4000), "DP")
    assert alone.half_width == pytest.approx(T2 * 20 / sqrt(3))
    assert found.ratio((base, "DP"), (base, "DP")).half_width == pytest.approx(0)
