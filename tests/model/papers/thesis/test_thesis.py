"""The thesis's findings and figures: how chance is counted where there is a single run."""

from itertools import product
from math import exp, sqrt

import pandas as pd
import pytest

from model.papers.cases import Case
from model.papers.figures import draw
from model.papers.pages import Results
from model.papers.study import study_of
from model.papers.thesis.cliff import disk_ms, implied_ms
from model.papers.thesis.figures import FIGURES
from tests.model.papers.made_up import measured_of, rows

STUDY = study_of("thesis")
PNR = STUDY.states.designs_in("network RAM", Case(nodes=64))
LIGHT = Case(nodes=64, jobs=4000)
DEEP = Case(nodes=64, jobs=5000, load_factor=1.5)
MEASURES = ("faults", "allocated_mb_mean", "allocated_mb_sd", "disk_mb_mean", "sim_end_s")
T_1 = 12.706  # Student's t for 95 % and one degree of freedom
# 80 ± 12.7 · s / √2 % of DP's in two seeds that differ by 20 s: one of them ± 12.7 · 1.41 = 17.97,
# a part of 0.225. If they differ by 2 s, 0.0225.
FAR_APART, CLOSE = (790.0, 810.0), (799.0, 801.0)


def table(*runs):
    """Rows of (case, design, seed, response time), whose jobs wait if deep, or with 50 % RAM."""
    made = rows("thesis", *runs, **dict.fromkeys(MEASURES, 1.0))
    for row in made:
        queue = row["load_factor"] == 1.5 or row["ram"] == 50
        row["mean_wait_s"] = 0.9 * row["mean_response_s"] if queue else 0.0
    return made


def seeds(case, **times_s):
    """DP with 1,000 s in two seeds, and others with these times."""
    own = [(case, name, seed, s) for name, of in times_s.items() for seed, s in enumerate(of)]
    return table(*own, *((case, "DP", seed, 1000.0) for seed in range(2)))


def single(case, s, designs=PNR):
    """One seed of DP with 1,000 s, and of others with this time."""
    return table((case, "DP", 1, 1000.0), *((case, name, 1, s) for name in designs))


def judged(number, *tables):
    """A finding, judged by these rows, and its verdicts on the direction and on the magnitude."""
    results = Results(STUDY, measured_of("thesis", [row for rows in tables for row in rows]))
    one = results.judged_of(number)
    return one, results.verdict(one), results.verdict(one, "magnitude")


@pytest.mark.parametrize(
    ("times_s", "direction", "magnitude"),
    [
        ((887.0, 887.0), "reproduced", "reproduced"),  # 11.3 % better than DP: in 10 to 12.08
        # The two seeds say that a single run is off by T_1 · 1 s · √2 = 17.97 s, 0.02026 of 887 s;
        # so the thesis's 10 to 12.08 % may be 8.18 to 13.86 %. Ours: 11.3 ± 1.27 %.
        ((886.0, 888.0), "reproduced", "reproduced"),
        # Off by 35.94 s, 0.0423 of 850 s; so 6.19 to 15.80 %. Ours: 15 ± 2.54 %.
        ((848.0, 852.0), "reproduced", "cannot be told"),
        ((800.0, 800.0), "reproduced", "not reproduced"),  # better than DP, but by 20 %
        ((1100.0, 1100.0), "not reproduced", "not reproduced"),
        ((990.0, 1000.0), "cannot be told", "cannot be told"),  # 0.5 ± 6.35 %; 1.87 to 20 %
    ],
)
def test_direction_and_magnitude_follow_from_the_numbers(times_s, direction, magnitude):
    assert judged(1, seeds(LIGHT, **dict.fromkeys(PNR, times_s)))[1:] == (direction, magnitude)


# The thesis's 25 to 50 % are 23.3 to 51.1 if a single run is off by 0.0225, 8.2 to 61.2 by 0.225.
@pytest.mark.parametrize(
    ("deep_s", "time_s", "expected"),
    [
        (CLOSE, 625.0, "reproduced"),  # 62.5 % of DP's, 61.1 to 63.9: 36.1 to 38.9 % better
        (CLOSE, 755.0, "cannot be told"),  # 73.8 to 77.2: 22.8 to 26.2
        (CLOSE, 790.0, "not reproduced"),  # 77.2 to 80.8: 19.2 to 22.8
        (FAR_APART, 450.0, "cannot be told"),  # 34.9 to 55.1: 44.9 to 65.1
        (FAR_APART, 1300.0, "not reproduced"),  # 100.8 to 159.2: at most -0.8
        (None, 625.0, "inside"),  # no seeds anywhere
    ],
)
def test_a_single_run_is_as_unsure_as_seeds_where_jobs_queue_as_long(deep_s, time_s, expected):
    known = seeds(DEEP, **dict.fromkeys(PNR, deep_s)) if deep_s else []
    assert judged(14, known, single(LIGHT.but(ram=50), time_s))[2] == expected


@pytest.mark.parametrize(
    ("waiting", "half"),
    [
        (0.0, 0.0225 * 70),  # as under the light load, where seeds are close
        (0.45, (0.0225 + 0.225) / 2 * 70),  # halfway to the deep one, where jobs wait for 0.9
        (0.95, 0.225 * 70),  # as in the deep case, which is the last that has seeds
    ],
)
def test_how_far_a_single_run_may_be_off_is_interpolated_by_how_long_jobs_wait(waiting, half):
    bus = single(LIGHT.but(topology="bus"), 700.0)
    for row in bus:
        row["mean_wait_s"] = waiting * row["mean_response_s"]
    calm, queueing = (
        seeds(case, **dict.fromkeys(PNR, s)) for case, s in ((LIGHT, CLOSE), (DEEP, FAR_APART))
    )
    claim = judged(33, calm, queueing, bus)[0].direction[0]
    assert [part.value.half_width for part in claim.parts] == pytest.approx([half] * 6, rel=0.01)


def test_single_runs_of_two_cases_vary_as_if_they_were_unrelated():
    """Base case: 800 s, one run ± 12.7 · 1.41 = 18 s, 2.2 %; so ± √2 · 2.2 % of the quotient."""
    fast = single(LIGHT.but(bandwidth_mbps=1000), 500.0)
    connected = single(LIGHT.but(topology="connected"), 510.0)
    claim = judged(35, seeds(LIGHT, **dict.fromkeys(PNR, CLOSE)), fast, connected)[0].direction[0]
    half = T_1 * sqrt(2) / 800 * sqrt(2) * 510 / 500
    for part in claim.parts:
        assert part.value[:3] == pytest.approx((1.02, 1.02 - half, 1.02 + half))
        assert part.holds is None  # in 0.95 to 1.05, but not surely


@pytest.mark.parametrize(
    ("onset_s", "expected"), [(CLOSE, "not reproduced"), (FAR_APART, "cannot be told")]
)
def test_a_stated_gain_that_may_be_none_by_chance_tells_nothing(onset_s, expected):
    """5 % ± 0.0225 · 95 is 2.9 to 7.1 %, which 20 % is not; ± 0.225 · 95 may be none at all."""
    heavy = Case(nodes=128, jobs=5000)
    onset = seeds(heavy.but(load_factor=1.15), CLI=onset_s, BB8=onset_s)
    assert judged(50, onset, seeds(heavy, CLI=(800.0,) * 2, BB8=(800.0,) * 2))[2] == expected


def test_a_magnitude_that_more_windows_of_the_log_have_than_by_chance_is_consistent():
    """20 % here, and 11 % in five of six windows that span 0 to 100 %."""
    here = seeds(LIGHT, **dict.fromkeys(PNR, (800.0, 800.0)))
    first, *others = [Case(nodes=64, first=at, jobs=1000) for at in range(1, 6000, 1000)]
    windows = [single(case, 890.0) for case in others]
    assert judged(1, here, *windows, single(first, 1e-9))[2] == "consistent, jobs unknown"
    assert judged(1, here, *(single(case, 500.0) for case in others))[2] == "not reproduced"


def test_the_best_gain_is_that_of_the_better_size_of_ram():
    space = LIGHT.but(scheduler="space")
    gains = [(75, 900.0), (50, 600.0)]
    tables = [
        seeds(space.but(ram=ram), **dict.fromkeys(PNR, (time_s, time_s))) for ram, time_s in gains
    ]
    claim = judged(45, *tables)[0].direction[0]
    assert {part.value.mean for part in claim.parts} == {40}  # under the light load of 64 nodes
    claim = judged(45, *tables[:1])[0].direction[0]
    assert {part.value for part in claim.parts} == {None}


def test_changes_of_changes_by_hand():
    """By jobs 2,000, 4,000 and 6,000: 100, 150, 300 s; a fast network saves CEN 40 %, MAN 10 %."""
    grown = [(LIGHT.but(jobs=jobs), "DP", 1, s) for jobs, s in ((2000, 100), (4000, 150))]
    grown.append((LIGHT.but(jobs=6000), "DP", 1, 300))
    claim = judged(75, table(*grown))[0].direction[0]
    assert claim.parts[0].value.mean == pytest.approx(300 / 150 - 150 / 100)
    heavy = Case(nodes=64, jobs=5000)
    times = {"CEN": (100.0, 60.0), "MAN": (100.0, 90.0)}
    cases = heavy, heavy.but(bandwidth_mbps=1000)
    runs = [
        (case, name, 1, s) for name in times for case, s in zip(cases, times[name], strict=True)
    ]
    named = {p.name: p.value for p in judged(77, table(*runs))[0].direction[0].parts}
    assert named["MAN"].mean == pytest.approx(40 - 10)
    networks = {10: (400.0, 300.0), 1000: (100.0, 150.0)}  # four times as long, and twice
    runs = [
        (LIGHT.but(bandwidth_mbps=mbps, scheduler=way), "MAN", 1, s)
        for mbps, of in networks.items()
        for way, s in zip(("gang", "space"), of, strict=True)
    ]
    named = {p.name: p.value for p in judged(80, table(*runs))[0].direction[0].parts}
    assert named["MAN"].mean == pytest.approx(300 / 150 - 400 / 100)


def test_numbers_of_the_page_by_run_and_behind_the_fastest():
    times = [("DP", 1, 100.0), ("DP", 2, 100.0), ("CLI", 1, 80.0), ("CLI", 2, 300.0)]
    runs = [(LIGHT, *of) for of in times] + [(LIGHT, "MAN", seed, 50.0) for seed in (1, 2)]
    evaluator = STUDY.evaluator(measured_of("thesis", table(*runs)))

    def numbers(**entry):
        claims = evaluator.claims(STUDY.states.entries([{"runs": "64 nodes, light", **entry}]))
        return [part.value.mean for claim in claims for part in claim.parts if part.value]

    assert numbers(kind="by run", design="CLI", to="DP") == pytest.approx([20, -200])
    assert numbers(kind="by run", design="CLI", to="DP", below=0) == pytest.approx([-200])
    assert numbers(kind="behind", design=["CLI", "MAN"]) == pytest.approx([280, 0])
    assert numbers(kind="between seeds", design="CLI") == pytest.approx([275])


def test_what_a_page_costs_follows_from_the_curve_of_disk_paging():
    """100 s up to the disk's cost, ten times as long at 30.08 ms, logarithms between."""
    seeks = (0, 2, 5, 8, 11, 15, 18, 22, 30)

    def s(cost):
        return 100 * exp(max(0, cost - disk_ms()) / 10)

    disks = [(LIGHT.but(seek_ms=seek, rotation=False), disk_ms(seek)) for seek in seeks]
    runs = [(case, "DP", 1, s(cost)) for case, cost in (*disks, (LIGHT, disk_ms()))]
    found = measured_of("thesis", table(*runs))
    dearer = 100 * (1 - s(disk_ms() + 5) / 100)
    (base,) = STUDY.states.cases("64 nodes, light")
    assert implied_ms(found, base, [dearer, 10]) == pytest.approx([disk_ms() + 5, 0], rel=1e-3)


# Figures.

OF_THE_THESIS = FIGURES[2:]


def test_the_42_figures_have_the_captions_of_the_thesis_in_its_order():
    captions = [one.caption for one in OF_THE_THESIS]
    assert len({*captions}) == len(captions) == 42
    assert captions[0] == "Base experiment - 64 PE - several workloads - response time"
    assert captions[14] == "Topology experiments - 64 PE - 4,000 jobs - optimization ratio"
    assert captions[21] == "Base experiment - 128 PE - several workloads - response time"
    assert captions[41] == "Space sharing experiments - 128 PE - 5,000 jobs - optimization ratio"
    assert [one.number for one in OF_THE_THESIS][::41] == ["4.1", "4.42"]


def test_the_cases_of_the_figures_are_table_3_1():
    """On two clusters under two loads: 560 runs (section 3.2), 504 of them distinct."""
    varied = {"ram": 100, "bandwidth_mbps": 100, "topology": "star", "scheduler": "gang"}
    runs = {
        (frozenset({**varied, **case.parameters}.items()), design)
        for one in OF_THE_THESIS
        if "several workloads" not in one.caption and "response time" in one.caption
        for case, design in product(one.cases, one.styles)
    }
    assert len(runs) == 504


def test_a_missing_run_is_no_bar_and_a_ratio_far_below_paging_leaves_the_others_legible():
    found = measured_of("thesis", table((LIGHT, "DP", 1, 100.0), (LIGHT, "CEN", 1, 2600.0)))
    picture = draw(OF_THE_THESIS[2], found)
    (axes,) = picture.axes
    assert "1 of 6 values stored" in picture.get_suptitle()
    assert axes.get_yscale() == "symlog"
    assert pd.Series(axes.get_ylim()).between(-10_000, 100).all()
