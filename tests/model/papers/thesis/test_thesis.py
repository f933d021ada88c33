"""The thesis's figures and findings: all there, showing what is stored, and nothing made up."""

import re
from collections import Counter
from math import inf, log, sqrt
from statistics import fmean

import pandas as pd
import pytest

from model.core.scenario import read_toml
from model.papers.cases import Case
from model.papers.figures import draw
from model.papers.findings import (
    CONSISTENT,
    INSIDE,
    NOT_REPRODUCED,
    OPEN,
    PARTLY,
    REPRODUCED,
    UNTESTABLE,
)
from model.papers.measurements import Measurements
from model.papers.page import FINDINGS_FILE, findings_page
from model.papers.paper import PAPERS
from model.papers.text import known, text_file
from model.papers.thesis.cases import PNR as PNR_OF
from model.papers.thesis.cases import base, base_case_readings, clusters, windows
from model.papers.thesis.claims import (
    alike,
    best_better,
    change,
    factor_rises,
    gain,
    shortened_more,
    slowed_less,
    slowest,
)
from model.papers.thesis.cliff import curve, disk_ms, free_pct, implications, implied_ms
from model.papers.thesis.design_map import (
    DESIGNS,
    MAP_NUMBERS,
    PLACES,
    WHICH_DESIGN,
    choices,
    designs_by_place,
)
from model.papers.thesis.directions import directions
from model.papers.thesis.figures import FIGURES
from model.papers.thesis.findings import FINDINGS
from model.papers.thesis.in_brief import IN_BRIEF, IN_NUMBERS
from model.papers.thesis.paper import PAPER
from model.papers.thesis.readings import GAINS, single_shaken_runs
from model.papers.thesis.sensitivities import most_moving, sensitivities
from model.papers.thesis.single_runs import optimization_ratio
from tests.model.papers.made_up import measured_of, rows

# The captions, or the list of figures' words; 4.34 is lost, and "optimization rate" a slip of 4.15
# and 4.30.
CAPTIONS = {
    1: "Base experiment - 64 PE - several workloads - response time",
    2: "Base experiment - 64 PE - 4,000 jobs - response time",
    3: "Base experiment - 64 PE - 4,000 jobs - optimization ratio",
    4: "Base experiment - 64 PE - 5,000 jobs - response time",
    5: "Base experiment - 64 PE - 5,000 jobs - optimization ratio",
    6: "RAM experiments - 64 PE - 4,000 jobs - response time",
    7: "RAM experiments - 64 PE - 4,000 jobs - optimization ratio",
    8: "RAM experiments - 64 PE - 5,000 jobs - response time",
    9: "RAM experiments - 64 PE - 5,000 jobs - optimization ratio",
    10: "Network experiments - 64 PE - 4,000 jobs - response time",
    11: "Network experiments - 64 PE - 4,000 jobs - optimization ratio",
    12: "Network experiments - 64 PE - 5,000 jobs - response time",
    13: "Network experiments - 64 PE - 5,000 jobs - optimization ratio",
    14: "Topology experiments - 64 PE - 4,000 jobs - response time",
    15: "Topology experiments - 64 PE - 4,000 jobs - optimization rate",
    16: "Topology experiments - 64 PE - 5,000 jobs - response time",
    17: "Topology experiments - 64 PE - 5,000 jobs - optimization ratio",
    18: "Space sharing experiments - 64 PE - 4,000 jobs - response time",
    19: "Space sharing experiments - 64 PE - 4,000 jobs - optimization ratio",
    20: "Space sharing experiments - 64 PE - 5,000 jobs - response time",
    21: "Space sharing experiments - 64 PE - 5,000 jobs - optimization ratio",
    22: "Base experiment - 128 PE - several workloads - response time",
    23: "Base experiment - 128 PE - 4,000 jobs - response time",
    24: "Base experiment - 128 PE - 4,000 jobs - optimization ratio",
    25: "Base experiment - 128 PE - 5,000 jobs - response time",
    26: "Base experiment - 128 PE - 5,000 jobs - optimization ratio",
    27: "RAM experiments - 128 PE - 4,000 jobs - response time",
    28: "RAM experiments - 128 PE - 4,000 jobs - optimization ratio",
    29: "RAM experiments - 128 PE - 5,000 jobs - response time",
    30: "RAM experiments - 128 PE - 5,000 jobs - optimization rate",
    31: "Network experiments - 128 PE - 4,000 jobs - response time",
    32: "Network experiments - 128 PE - 4,000 jobs - optimization ratio",
    33: "Network experiments - 128 PE - 5,000 jobs - response time",
    35: "Topology experiments - 128 PE - 4,000 jobs - response time",
    36: "Topology experiments - 128 PE - 4,000 jobs - optimization ratio",
    37: "Topology experiments - 128 PE - 5,000 jobs - response time",
    38: "Topology experiments - 128 PE - 5,000 jobs - optimization ratio",
    39: "Space sharing experiments - 128 PE - 4,000 jobs - response time",
    40: "Space sharing experiments - 128 PE - 4,000 jobs - optimization ratio",
    41: "Space sharing experiments - 128 PE - 5,000 jobs - response time",
    42: "Space sharing experiments - 128 PE - 5,000 jobs - optimization ratio",
}

# How many bars or points a figure has, by experiment and measure: cases along the axis times 7
# paging methods, or the 6 that are compared with DP. Table 3.1 has 9 sizes of RAM, 5 networks,
# 3 topologies, 3 sizes with space sharing; 4.1 and 4.22 have 6 workloads.
SIZES = {
    ("Base experiment", "response time"): 7,
    ("Base experiment", "optimization ratio"): 6,
    ("RAM experiments", "response time"): 63,
    ("RAM experiments", "optimization ratio"): 54,
    ("Network experiments", "response time"): 35,
    ("Network experiments", "optimization ratio"): 30,
    ("Topology experiments", "response time"): 21,
    ("Topology experiments", "optimization ratio"): 18,
    ("Space sharing experiments", "response time"): 21,
    ("Space sharing experiments", "optimization ratio"): 18,
}

BASE = base(64, "light")
MEASURES = ("faults", "allocated_mb_mean", "allocated_mb_sd", "disk_mb_mean", "sim_end_s")
DESIGNS_READ = ("DP", "CLI", "CEN", "MAN")  # of alternatives.toml
T_1 = 12.706  # Student's t for 95 % and one degree of freedom


def table(*runs: tuple[Case, str, int, float]) -> list[dict]:
    """Results of (case, design, seed, mean response time); other measures are 1.

    Jobs wait for 0.9 of their time under the deep load and with 50 % RAM, and else for none of it.
    """
    made = rows("thesis", *runs, **dict.fromkeys(MEASURES, 1.0))
    for row in made:
        queue = row["load_factor"] == 1.5 or row["ram"] == 50
        row["mean_wait_s"] = 0.9 * row["mean_response_s"] if queue else 0.0
    return made


def measured(*tables: list[dict]) -> Measurements:
    return measured_of("thesis", [row for table in tables for row in table])


OURS, CHAPTER_4 = FIGURES[:3], FIGURES[3:]


def figure(number: int):
    return CHAPTER_4[number - 1]


def bars(picture) -> dict[tuple[str, float], float]:
    """Heights by design and place along the axis, rounded to that of its group."""
    (axes,) = picture.axes
    return {
        (container.get_label(), round(bar.get_x() + bar.get_width() / 2)): bar.get_height()
        for container in axes.containers
        if container.get_label() in clusters()[64] and hasattr(container, "patches")
        for bar in container.patches
    }


def test_all_42_figures_are_declared_once_under_their_captions():
    assert [one.number for one in OURS] == ["1", "2", "3"]
    assert [one.number for one in CHAPTER_4] == [f"4.{number}" for number in range(1, 43)]
    assert set(range(1, 43)) - CAPTIONS.keys() == {34}
    for number, caption in CAPTIONS.items():
        assert figure(number).caption == re.sub(r"\brate\b", "ratio", caption)
    assert len({one.caption for one in FIGURES}) == 3 + 42


def test_each_figure_has_as_many_bars_as_the_thesis_ran_cases_and_methods():
    for one in CHAPTER_4:
        experiment, _, jobs, measure = one.caption.split(" - ")
        wanted = 42 if jobs == "several workloads" else SIZES[experiment, measure]
        assert len(one.cases) * len(one.styles) == wanted, one.caption


def test_the_declared_cases_are_the_runs_of_the_sweep():
    """Table 3.1 on two clusters under two loads: 560 runs (section 3.2), 504 of them distinct."""
    varied = {"ram": 100, "bandwidth_mbps": 100, "topology": "star", "scheduler": "gang"}
    distinct = {
        (frozenset({**varied, **case.parameters}.items()), design)
        for one in CHAPTER_4
        if "several workloads" not in one.caption and "response time" in one.caption
        for case in one.cases
        for design in one.styles
    }
    assert len(distinct) == 504


def test_bars_are_as_high_as_what_is_stored():
    runs = [
        (BASE.but(ram=ram), design, seed, 10 * ram + 100 * seed + (0 if design == "DP" else -k))
        for ram in (150, 50)
        for k, design in enumerate(clusters()[64])
        for seed in (1, 2)
    ]
    found = measured(table(*runs))
    responses = bars(draw(figure(6), found))
    assert len(responses) == 2 * 7  # the other sizes of RAM are not stored
    assert responses["DP", 0] == pytest.approx(1500 + 150)  # 150 % stands first, 50 % last
    assert responses["MAN", 8] == pytest.approx(500 + 150 - 6)
    ratios = bars(draw(figure(7), found))
    assert len(ratios) == 2 * 6
    assert ratios["CLI", 0] == pytest.approx(100 * 1 / 1650)
    assert ratios["MAN", 8] == pytest.approx(100 * 6 / 650)


def test_error_bars_are_the_interval_over_seeds():
    case = base(64, "heavy")
    found = measured(table((case, "DP", 1, 1000.0), (case, "DP", 2, 1200.0)))
    (axes,) = draw(figure(4), found).axes
    (bars_of_dp,) = [
        own for own in axes.containers if own.get_label() == "DP" and hasattr(own, "patches")
    ]
    ((_, low), (_, high)) = bars_of_dp.errorbar.lines[2][0].get_segments()[0]
    half = T_1 * (200 / sqrt(2)) / sqrt(2)
    assert (low, high) == pytest.approx((1100 - half, 1100 + half), rel=1e-3)


def test_a_missing_run_is_no_bar_and_the_figure_says_so():
    designs = [name for name in clusters()[64] if name != "BB8"]
    picture = draw(figure(2), measured(table(*((BASE, d, 1, 100.0) for d in designs))))
    assert len(bars(picture)) == 6
    assert "6 of 7 values stored; one seed" in picture.get_suptitle()


def test_without_dp_there_are_no_ratios():
    picture = draw(figure(3), measured(table((BASE, "CLI", 1, 100.0))))
    assert bars(picture) == {}
    assert "0 of 6 values stored; nothing to show" in picture.get_suptitle()


def test_a_ratio_of_minus_2500_percent_is_shown_with_the_others_legible():
    bus = base(128, "light").but(topology="bus")
    runs = [(bus, "DP", 1, 100.0), (bus, "CEN", 1, 2600.0), (bus, "CLI", 1, 88.0)]
    (axes,) = draw(figure(36), measured(table(*runs))).axes
    low, high = axes.get_ylim()
    to_screen = axes.transData.transform
    height = to_screen((0, high))[1] - to_screen((0, low))[1]
    assert low < -2500
    assert (to_screen((0, 12))[1] - to_screen((0, 0))[1]) / height > 0.02
    assert "log scale" in axes.get_ylabel()


def test_response_times_that_differ_by_orders_of_magnitude_stand_on_a_logarithmic_axis():
    slow = [(base(64, "heavy").but(bandwidth_mbps=10), d, 1, 10_000.0) for d in clusters()[64]]
    fast = [(base(64, "heavy").but(bandwidth_mbps=1000), d, 1, 100.0) for d in clusters()[64]]
    (axes,) = draw(figure(12), measured(table(*slow, *fast))).axes
    assert (axes.get_yscale(), "log" in axes.get_ylabel()) == ("log", True)
    (axes,) = draw(figure(12), measured(table(*fast))).axes
    assert (axes.get_yscale(), "log" in axes.get_ylabel()) == ("linear", False)


def test_every_finding_of_the_spec_and_of_chapter_4_has_its_entry():
    """Counted by hand: pnr.md, "What the thesis found", and (after +) more of chapters 4 and 5.

    64 nodes: light, better; CLI best; backlogged: CLI, the order, BB16 over MAN, faults; MB twice,
    + deviation, context switches. RAM, light: 85 and 75 %, 65 %, 50 %, CLI, disk, MAN, + the dip;
    backlogged: boost, equal, disk at 115 %, at 125 %; + no boost light, MB, scarce, MAN. Network:
    10 Mbps, above 100 Mbps; + no disk, CLI last, CLI above DP, CLI's MB, 100 Mbps as the least.
    Topology: bus, connected, BB16; + light, MAN. Space sharing: 100 %, 75 %, 50 % (CLI behind, 45
    %); + alike, the best gains, who gains from 75 to 50 %, the best under light load. Scheduler:
    backlogged, light. 128 nodes: faults, light, backlogged for better and for worse, bus light and
    backlogged, 1,000 Mbps, 125 % RAM; + MB light and backlogged (less on disk, more allocated), RAM
    light, 1/8, RAM backlogged (gains, less than with 64 nodes, where the most, from 115 to 125 %),
    connected, 1,000 Mbps light and backlogged, more bandwidth, bus times. Advice: four cells, +
    scarce RAM. More, missed at first: jobs and response time, coordination at 100 Mbps, CEN and
    speed, leads at 100,000 Mbps, too scarce RAM, space sharing and networks.
    """
    assert Counter(finding.topic for finding in FINDINGS) == {
        "64 nodes, base case": 10,
        "64 nodes, RAM, light": 7,
        "64 nodes, RAM, backlogged": 8,
        "Network": 7,
        "Topology": 5,
        "Space sharing": 8,
        "Space sharing against gang scheduling": 2,
        "128 nodes": 22,
        "Advice (table 5.1)": 5,
        "More statements": 6,
    }


def verdict(beginning: str, found: Measurements, topic: str = "64 nodes, base case") -> str:
    (finding,) = [f for f in FINDINGS if f.topic == topic and f.statement.startswith(beginning)]
    return finding.judge(found).verdict


def why(beginning: str, found: Measurements) -> str:
    """What explains the difference of a finding."""
    (finding,) = [one for one in FINDINGS if one.statement.startswith(beginning)]
    return finding.judge(found).why


PNR = ("CLI", "CEN", "MAN", "BB4", "BB8", "BB16")


def light(case: Case = BASE, **responses_s: tuple[float, ...]) -> list[dict]:
    """The base case of 64 nodes, one response time per seed; DP's is 1,000 s."""
    return table(
        *(
            (case, design, seed, response_s)
            for design, own in responses_s.items()
            for seed, response_s in enumerate(own)
        ),
        *((case, "DP", seed, 1000.0) for seed in range(2)),
    )


def deep(**responses_s: tuple[float, ...]) -> list[dict]:
    """The same under the load with which jobs queue."""
    return light(base(64, "deep"), **responses_s)


def magnitude(beginning: str, found: Measurements) -> str:
    (finding,) = [
        f for f in FINDINGS if f.topic.startswith("64 nodes") and f.statement.startswith(beginning)
    ]
    return finding.judge(found).magnitude.verdict


@pytest.mark.parametrize(
    ("responses_s", "direction", "of_magnitude"),
    [
        ((887.0, 887.0), REPRODUCED, REPRODUCED),  # 11.3 % better than DP: in 10 to 12.08
        # The two seeds say that a single run is off by T_1 · 1 s · √2 = 17.97 s, 0.02026 of 887 s;
        # so the thesis's 10 to 12.08 % may be 8.18 to 13.86 %. Ours: 11.3 ± 1.27 %.
        ((886.0, 888.0), REPRODUCED, REPRODUCED),
        # Off by 35.94 s, 0.0423 of 850 s; so 6.19 to 15.80 %. Ours: 15 ± 2.54 %.
        ((848.0, 852.0), REPRODUCED, OPEN),
        ((800.0, 800.0), REPRODUCED, NOT_REPRODUCED),  # better than DP, but by 20 %
        ((1100.0, 1100.0), NOT_REPRODUCED, NOT_REPRODUCED),
        ((990.0, 1000.0), OPEN, OPEN),  # 0.5 ± 6.35 %; 1.87 to 20 %
    ],
)
def test_direction_and_magnitude_follow_from_the_numbers(responses_s, direction, of_magnitude):
    found = measured(light(**dict.fromkeys(PNR, responses_s)))
    assert verdict("Light: every design", found) == direction
    assert magnitude("Light: every design", found) == of_magnitude


@pytest.mark.parametrize(
    ("cen_s", "expected"),
    [
        ((900.0, 900.0), REPRODUCED),
        ((700.0, 700.0), PARTLY),  # CLI is ahead of all but CEN
        ((800.0, 900.0), OPEN),
    ],
)
def test_a_finding_is_partly_reproduced_if_some_of_its_numbers_fail(cen_s, expected):
    others = dict.fromkeys(PNR, (900.0, 900.0))
    found = measured(light(**others | {"CLI": (800.0, 800.0), "CEN": cen_s}))
    assert verdict("Light: CLI is the best", found) == expected


# 80 ± 12.7 · s / √2 % of DP's in two seeds that differ by 20 s: one of them ± 12.7 · 1.41 = 17.97,
# a part of 0.225. If they differ by 2 s, 0.0225. The thesis's 25 to 50 % then are 23.3 to 51.1, or
# with 0.225, 8.2 to 61.2.
FAR_APART, CLOSE = (790.0, 810.0), (799.0, 801.0)


@pytest.mark.parametrize(
    ("base_s", "response_s", "expected"),
    [
        (CLOSE, 625.0, REPRODUCED),  # 62.5 % of DP's, 61.1 to 63.9: 36.1 to 38.9 % better
        (CLOSE, 755.0, OPEN),  # 73.8 to 77.2: 22.8 to 26.2
        (CLOSE, 790.0, NOT_REPRODUCED),  # 77.2 to 80.8: 19.2 to 22.8
        (FAR_APART, 450.0, OPEN),  # 34.9 to 55.1: 44.9 to 65.1
        (FAR_APART, 1300.0, NOT_REPRODUCED),  # 100.8 to 159.2: at most -0.8
    ],
)
def test_one_seed_is_as_unsure_as_each_of_a_case_with_several(base_s, response_s, expected):
    case = BASE.but(ram=50)
    runs = [(case, design, 1, response_s) for design in PNR]
    single = table((case, "DP", 1, 1000.0), *runs)
    found = measured(deep(**dict.fromkeys(PNR, base_s)), single)
    assert magnitude("Most designs are 25 to 50 %", found) == expected


def test_one_seed_is_as_unsure_as_cases_in_which_jobs_queue_if_they_do():
    sure, unsure = (deep(**dict.fromkeys(PNR, s)) for s in (CLOSE, FAR_APART))
    calm = light(**dict.fromkeys(PNR, FAR_APART))
    case = BASE.but(ram=50)
    single = table((case, "DP", 1, 1000.0), *((case, d, 1, 450.0) for d in PNR))

    def judged(*known: list[dict]) -> str:
        return magnitude("Most designs are 25 to 50 %", measured(*known, single))

    assert judged(sure) == NOT_REPRODUCED  # 54 to 56 %
    assert judged(sure, calm) == OPEN  # where jobs wait for longer, nothing is surer
    assert judged(unsure) == OPEN
    assert judged() == OPEN  # no seeds were repeated anywhere
    assert judged(calm) == OPEN  # nor where jobs queue
    page = findings_page(PAPER, measured(unsure, single))
    assert "better than DP at 50 % RAM. | reproduced | | | cannot be told: single runs |" in page


def test_one_seed_is_as_unsure_as_the_least_sure_of_the_cases_like_it():
    """70 % of DP's: ± 0.0225 · 70 is clearly better than DP's, ± 0.225 · 2 · 70 is not."""
    case = BASE.but(topology="bus")
    single = table(*((case, d, 1, 1000.0 if d == "DP" else 700.0) for d in ("DP", *PNR)))
    near = light(**dict.fromkeys(PNR, CLOSE))
    far = light(BASE.but(topology="connected"), **dict.fromkeys(PNR, (760.0, 840.0)))
    (finding,) = [f for f in FINDINGS if f.statement.endswith("better than DP on every topology.")]

    def on_the_bus(*tables: list[dict]) -> set[bool | None]:
        claims = finding.judge(measured(*tables, single)).direction.claims
        (claim,) = [one for one in claims if "bus" in one.words]
        return {part.holds for part in claim.parts}

    assert on_the_bus(near) == {True}
    assert on_the_bus(near, far) == {None}


@pytest.mark.parametrize(
    ("waiting", "half"),
    [
        (0.0, 0.0225 * 70),  # as under the light load, where seeds are close
        (0.45, (0.0225 + 0.225) / 2 * 70),  # halfway to the deep one, where jobs wait for 0.9
        (0.95, 0.225 * 70),  # as in the deep case, which is the last that has seeds
    ],
)
def test_one_seed_is_as_unsure_as_where_jobs_wait_for_as_long(waiting, half):
    case = BASE.but(topology="bus")
    single = table(*((case, d, 1, 1000.0 if d == "DP" else 700.0) for d in ("DP", *PNR)))
    for row in single:
        row["mean_wait_s"] = waiting * row["mean_response_s"]
    calm, queueing = (of(**dict.fromkeys(PNR, s)) for of, s in ((light, CLOSE), (deep, FAR_APART)))
    (finding,) = [f for f in FINDINGS if f.statement.endswith("better than DP on every topology.")]
    claims = finding.judge(measured(calm, queueing, single)).direction.claims
    (claim,) = [one for one in claims if "bus" in one.words]
    assert [part.value.half_width for part in claim.parts] == pytest.approx([half] * 6, rel=0.01)


def test_one_seed_is_no_surer_than_where_jobs_wait_for_less():
    """Where jobs wait for 0.5 of their time seeds are far apart; so where they wait for 0.7."""
    case = BASE.but(topology="bus")
    single = table(*((case, d, 1, 1000.0 if d == "DP" else 700.0) for d in ("DP", *PNR)))
    between = light(BASE.but(topology="connected"), **dict.fromkeys(PNR, FAR_APART))
    for rows_, waiting in ((single, 0.7), (between, 0.5)):
        for row in rows_:
            row["mean_wait_s"] = waiting * row["mean_response_s"]
    (finding,) = [f for f in FINDINGS if f.statement.endswith("better than DP on every topology.")]
    found = measured(deep(**dict.fromkeys(PNR, CLOSE)), between, single)
    (claim,) = [one for one in finding.judge(found).direction.claims if "bus" in one.words]
    halves = [part.value.half_width for part in claim.parts]
    assert halves == pytest.approx([0.225 * 70] * 6, rel=0.01)  # not the deep case's 0.0225


@pytest.mark.parametrize(("deep_s", "expected"), [(CLOSE, NOT_REPRODUCED), (FAR_APART, OPEN)])
def test_a_stated_gain_that_may_be_none_by_chance_tells_nothing(deep_s, expected):
    """5 % ± 0.0225 · 95 is 2.9 to 7.1 %, which 20 % is not; ± 0.225 · 95 may be none at all."""
    statement = "Backlogged: CLI and BB8 are about 5 % better than DP."
    (finding,) = [one for one in FINDINGS if one.statement == statement]
    of_deep, of_heavy = (
        light(base(128, load), CLI=response_s, BB8=response_s)
        for load, response_s in (("deep", deep_s), ("heavy", (800.0, 800.0)))
    )
    assert finding.judge(measured(of_deep, of_heavy)).magnitude.verdict == expected


def test_what_one_seed_says_of_two_cases_of_a_design_varies_as_if_they_were_unrelated():
    """Base case: 800 s, one run ± 12.7 · 1.41 = 18 s, 2.2 %; so ± √2 · 2.2 % of the quotient."""
    (connected,) = [f for f in FINDINGS if f.statement.startswith("The connected network")]
    fast = [(BASE.but(bandwidth_mbps=1000), design, 1, 500.0) for design in ("DP", *PNR)]
    runs = [(BASE.but(topology="connected"), design, 1, 510.0) for design in ("DP", *PNR)]
    known = light(**dict.fromkeys(PNR, CLOSE))
    claim, *_ = connected.judge(measured(known, table(*fast, *runs))).direction.claims
    half = T_1 * sqrt(2) / 800 * sqrt(2) * 510 / 500
    for part in claim.parts:
        assert part.value[:3] == pytest.approx((1.02, 1.02 - half, 1.02 + half))
        assert part.holds is None  # in 0.95 to 1.05, but not surely


def test_seeds_that_agree_tell_smaller_differences_apart_and_seeds_that_differ_do_not():
    def judged(*differences_s: float) -> str:
        runs = [
            (BASE, design, seed, 1000.0 + 100 * seed - (difference_s if design == "CLI" else 0))
            for seed, difference_s in enumerate(differences_s)
            for design in PNR
        ]
        return verdict("Light: CLI is the best", measured(table(*runs)))

    # Pairs differ by 14.5 ± t(2) · 0.5 / √3 = 14.5 ± 1.24 s, whatever the seeds do to both.
    assert judged(14.0, 15.0, 14.5) == REPRODUCED
    assert judged(-10.0, 40.0, 15.0) == OPEN
    # Of 1,100 s, 4.5 ± 1.24 are less than 0.5 %: sure, but no lead.
    assert judged(4.0, 5.0, 4.5) == OPEN
    assert judged(2.4, 2.6, 2.5) == NOT_REPRODUCED


def test_most_designs_are_more_than_half_of_them():
    case = BASE.but(ram=50)

    def judged(faster: int) -> str:
        responses_s = {d: 500.0 if k < faster else 1500.0 for k, d in enumerate(PNR)}
        runs = [(case, d, seed, s) for d, s in responses_s.items() for seed in range(2)]
        paging = [(case, "DP", seed, 1000.0) for seed in range(2)]
        found = measured(table(*paging, *runs))
        return verdict("Most designs are 25 to 50 %", found, "64 nodes, RAM, light")

    assert [judged(faster) for faster in (6, 4, 3, 0)] == [
        REPRODUCED,
        REPRODUCED,
        NOT_REPRODUCED,
        NOT_REPRODUCED,
    ]


def on_disk(case: Case, by_design: dict[str, float], seed: int) -> list[dict]:
    """Runs in which so many MB of a node are on disk."""
    made = table(*((case, design, seed, 1000.0) for design in by_design))
    return [row | {"disk_mb_mean": by_design[row["design"]]} for row in made]


@pytest.mark.parametrize(
    ("paging_mb", "expected"), [(0.32, REPRODUCED), (0.004, NOT_REPRODUCED), (0.0, NOT_REPRODUCED)]
)
def test_nothing_on_disk_is_not_less_than_nothing(paging_mb, expected):
    case = base(64, "heavy").but(ram=115)
    mb = {"DP": paging_mb, **dict.fromkeys(PNR, 0.0)}
    found = measured(*(on_disk(case, mb, seed) for seed in (1, 2)))
    assert verdict("At 115 % RAM DP has", found, "64 nodes, RAM, backlogged") == expected


@pytest.mark.parametrize(
    ("deep_mb", "expected"), [((0.01, 0.01), REPRODUCED), ((0.0, 0.01), INSIDE)]
)
def test_a_stated_limit_that_chance_takes_beyond_paging_has_no_power(deep_mb, expected):
    """Two seeds of 0 and 0.01 MB let "less than 0.1" be 1.9 MB, though DP has 0.32."""
    case = base(64, "heavy").but(ram=125)
    theirs = [on_disk(case, {"DP": 0.32, **dict.fromkeys(PNR, 0.0)}, seed) for seed in (1, 2)]
    ours = [
        on_disk(base(64, "deep"), {"DP": 1.0, **dict.fromkeys(PNR, mb)}, seed)
        for seed, mb in enumerate(deep_mb)
    ]
    assert magnitude("At 125 % RAM DP has", measured(*theirs, *ours)) == expected


def test_the_best_gain_is_that_of_the_better_size_of_ram():
    (finding,) = [one for one in FINDINGS if one.statement.startswith("Depending on load and")]
    case = BASE.but(scheduler="space")
    times_s = {75: 900.0, 50: 600.0}  # of 1,000 s: gains of 10 and 40 %
    runs = [
        (case.but(ram=ram), name, 1, 1000.0 if name == "DP" else response_s)
        for ram, response_s in times_s.items()
        for name in ("DP", *PNR)
    ]
    claim, *_ = finding.judge(measured(table(*runs))).magnitude.claims
    assert {part.name: part.value.mean for part in claim.parts} == {
        name: pytest.approx(40) for name in PNR if name != "CLI"
    }
    assert finding.judge(measured(table(*runs[:7]))).magnitude.missing  # 75 % alone


def test_the_best_gain_is_as_unsure_as_where_ram_is_scarce():
    """Seeds that agree with ample RAM and differ where jobs queue: 15 to 60 % may be nothing."""
    (finding,) = [one for one in FINDINGS if one.statement.startswith("Depending on load and")]
    case = BASE.but(scheduler="space")
    single = [
        (case.but(ram=ram), name, 1, 1000.0 if name == "DP" else 100.0)
        for ram in (75, 50)
        for name in ("DP", *PNR)
    ]
    calm, queueing = (of(**dict.fromkeys(PNR, s)) for of, s in ((light, CLOSE), (deep, FAR_APART)))
    claim, *_ = finding.judge(measured(calm, queueing, table(*single))).magnitude.claims
    assert "15 to 60 (a single run may be at 0 by chance)" in claim.words


@pytest.mark.parametrize(
    ("seeds_s", "told", "holds"),
    [
        # A single run is off by T_1 * 62.23 s, 0.9883 of 800 s; theirs by as much of 45 %.
        ((756.0, 844.0), "a single run: below 99.47", True),  # ours: 50 ± 49
        ((750.0, 850.0), "a single run may be anything by chance", None),  # by 1.123 of 800 s
    ],
)
def test_a_range_of_all_that_is_possible_tells_nothing(seeds_s, told, holds):
    case = base(64, "heavy").but(ram=75)
    single = table((case, "DP", 1, 1000.0), (case, "MAN", 1, 500.0))
    found = measured(deep(MAN=seeds_s), single)
    (claim,) = gain(case, ["MAN"], (-inf, 55))(found)
    assert claim.words == f"{case}: optimization ratio, %, below 55 ({told})"
    assert [part.holds for part in claim.parts] == [holds]


def test_a_gain_of_which_a_single_run_may_be_nothing_tells_nothing_however_small_it_may_be():
    """Theirs is off by 0.9883 of 800 s: 0 to 55 % may be from -78 on (100 - 1.98 · 90 at 10 %)."""
    case = base(64, "heavy").but(ram=75)
    single = table((case, "DP", 1, 1000.0), (case, "MAN", 1, 500.0))
    found = measured(deep(MAN=(756.0, 844.0)), single)
    for least in (0, 10):
        (claim,) = gain(case, ["MAN"], (least, 55))(found)
        assert "(a single run may be at 0 by chance)" in claim.words
        assert [part.holds for part in claim.parts] == [None]
    (claim,) = gain(case, ["MAN"], (-10, 55))(found)  # which states no effect
    assert [part.holds for part in claim.parts] == [True]


def test_the_page_names_those_findings_that_say_that_designs_are_alike():
    stated = read_toml(text_file("thesis", "findings.toml"))["finding"]
    kinds = {
        number: {claim["kind"] for claim in one["claims"]}
        for number, one in enumerate(stated, start=1)
        if one["class"] == "designs" and "claims" in one
    }
    *others, last = [number for number, of in kinds.items() if of == {"alike"}]
    told = f"findings {', '.join(map(str, others))} and {last} say that designs are alike"
    assert told in (PAPERS / "thesis" / FINDINGS_FILE).read_text(encoding="utf-8")


def test_a_single_run_elsewhere_is_as_unsure_as_runs_whose_jobs_wait_as_long_as_there():
    """With 50 % RAM jobs wait as under the deep load: off by T_1 * 14.14 of 800 s, half of 22.46 %.

    At home they do not wait, and its seeds agree.
    """
    there = BASE.but(ram=50)
    single = table((there, "DP", 1, 1000.0), (there, "MAN", 1, 500.0))
    found = measured(light(MAN=(800.0, 800.0)), deep(MAN=FAR_APART), single)
    ratio = optimization_ratio(found.elsewhere(ram=50), BASE, "MAN")
    assert (ratio.mean, ratio.high) == pytest.approx((50, 50 + 11.23), abs=0.01)


def test_no_run_takes_less_than_no_time():
    """The seeds say that a single run may be off by 1.123 of itself: 10 % of DP's time, by 11."""
    case = base(64, "heavy").but(ram=75)
    single = table((case, "DP", 1, 1000.0), (case, "MAN", 1, 500.0))
    (claim,) = gain(case, ["MAN"], 90)(measured(deep(MAN=(750.0, 850.0)), single))
    assert claim.words == f"{case}: optimization ratio, %, 90 (a single run: 78.77 to 100)"


def test_a_reason_tells_the_numbers_from_which_it_follows():
    runs = table(*((base(64, "heavy").but(ram=ram), "DP", 1, 1.0) for ram in (100, 115, 125)))
    faults = dict(zip((100, 115, 125), (240_100_000, 38_000_000, 8_499_000), strict=True))
    found = measured([row | {"faults_disk": faults[row["ram"]]} for row in runs])
    (finding,) = [one for one in FINDINGS if one.statement.startswith("More RAM at first gives")]
    told = "240 million at 100 %, 38 million at 115 %, 8 million at 125 % RAM"
    assert told in finding.judge(found).why
    assert told in findings_page(PAPER, found)
    assert finding.judge(measured(runs[:2])).why == ""


def test_where_lenders_are_lacking_is_told_by_design_and_how_far_seeds_differ():
    """Of 200 MB that MAN needs 150 find no lender: 75 %; the others lack 100 of them: 50 %."""
    case = base(64, "light").but(ram=65)
    runs = table(*((case, name, seed, 1000.0 * seed) for name in PNR_OF[64] for seed in (1, 3)))
    unmet = dict.fromkeys(PNR_OF[64], 100.0) | {"MAN": 150.0}
    needs = [row | {"need_unmet_mb": unmet[row["design"]], "need_mb": 200.0} for row in runs]
    told = why("Where RAM is scarce, MAN is the steadiest", measured(needs))
    assert "50 % (CLI), 50 % (CEN)" in told
    assert "75 % (MAN) of what they need" in told
    assert "a job takes 1,000 to 3,000 s under MAN and 1,000 to 3,000 s under CEN" in told
    assert why("Where RAM is scarce, MAN is the steadiest", measured(runs)) == ""


def test_barriers_and_pages_of_a_job_are_told_over_the_star_and_where_all_are_connected():
    star = base(64, "heavy")
    runs = [
        row
        | {"breakdown.barriers_s": share * (1.5 if row["design"] == "CLI" else 2.0)}
        | {"breakdown.network_faults_s": share * 0.6}
        for case, share in ((star, 1.0), (star.but(topology="connected"), 0.5))
        for row in table(*((case, name, 1, 1000.0) for name in PNR_OF[64]))
    ]
    told = why("64 nodes, connected, backlogged: all designs", measured(runs))
    assert "2.6 s over the star (other designs: 2.1 to 2.6)" in told
    assert "1.3 s where connected (other designs: 1.1 to 1.3)" in told
    assert (
        why(
            "64 nodes, connected, backlogged: all designs",
            measured(table((star, "MAN", 1, 1000.0))),
        )
        == ""
    )


def test_a_slight_edge_is_told_in_percent_of_the_others():
    """999 s instead of 1,000 s are 0.10 % less, and instead of 999.5 s 0.05 %."""
    case = base(64, "light").but(scheduler="space", ram=75)
    times = dict.fromkeys(PNR_OF[64], 1000.0) | {"CLI": 999.0, "CEN": 999.5}
    runs = table(*((case, name, 1, mean) for name, mean in times.items()))
    assert "ahead by 0.05 to 0.10 %" in why(
        "At 75 % RAM all PNR designs are nearly alike", measured(runs)
    )
    assert (
        why(
            "At 75 % RAM all PNR designs are nearly alike", measured(table((case, "CLI", 1, 999.0)))
        )
        == ""
    )


def test_designs_are_as_far_apart_as_in_the_seeds_that_all_of_them_have():
    """All but CLI take 1,000 s, and CLI 1,002 by seed 1; that seed 2 took it longer is no lag."""
    case = base(64, "light")
    runs = [(case, name, 1, 1002.0 if name == "CLI" else 1000.0) for name in PNR_OF[64]]
    page = findings_page(PAPER, measured(table(*runs, (case, "CLI", 2, 3000.0))))
    assert "takes longer than the fastest by 0.20 % (64, light)" in page


def test_designs_are_as_far_apart_with_other_jobs_as_in_the_window_where_they_are_the_farthest():
    case = base(64, "light")
    runs = [(case, name, 1, 1000.0) for name in PNR_OF[64]]
    assert (
        "takes 0.0 % longer than the fastest, or less.\n" in IN_BRIEF(measured(table(*runs))) + "\n"
    )
    for (first, jobs), cli_s in zip(windows(), (1100.0, 1250.0, 800.0), strict=False):
        there = case.but(first=first, jobs=jobs)
        runs += [(there, name, 1, cli_s if name == "CLI" else 1000.0) for name in PNR_OF[64]]
    told = IN_BRIEF(measured(table(*runs)))  # by 10, 25 and again 25 %
    assert "or less; with other jobs, not all of which find lenders, up to 25 % (one seed)." in told


def test_a_magnitude_that_some_windows_of_the_log_have_is_consistent():
    others = [
        (BASE.but(first=first, jobs=1000), design, 1, response_s if design != "DP" else 1000.0)
        for first, response_s in ((1, 990.0), (1001, 890.0))  # 1 and 11 % better
        for design in ("DP", *PNR)
    ]
    alone = light(**dict.fromkeys(PNR, (800.0, 800.0)))  # 20 %
    assert magnitude("Light: every design", measured(alone)) == NOT_REPRODUCED
    assert magnitude("Light: every design", measured(alone, table(*others))) == CONSISTENT
    page = findings_page(PAPER, measured(alone, table(*others)))
    # A range as wide, 2.08 in a span of 10, would have 2.08 / 12.08 of the two.
    told = "[1.00 to 11.00, inside in 1 of 2 windows; at random in 0.3]"
    assert f"CLI 20.00 ± 0.00 consistent {told}" in page


def test_each_number_that_is_outside_was_asked_of_other_jobs(bundled):
    """Without, it could not be consistent; the rule is of what the first jobs say (`bare`)."""
    found = bundled("thesis")
    judged = [finding.judge(found).magnitude for finding in FINDINGS]
    parts = [part for one in judged for claim in one.claims for part in claim.parts]
    outside = [part for part in parts if part.holds is False]
    assert len(outside) > 50
    assert {part.elsewhere.windows if part.elsewhere else 0 for part in outside} == {len(windows())}


def test_how_many_numbers_other_jobs_explain_is_counted_from_the_page():
    page = (PAPER.folder / FINDINGS_FILE).read_text(encoding="utf-8")
    found = Counter(re.findall(r" (no|consistent) \[", page))
    told = f"Of {found.total()} numbers of magnitudes that are outside the thesis's ranges "
    assert f"{told}{found['consistent']} are inside for other jobs" in page


def test_a_direction_is_asked_on_other_networks_and_loads_and_of_other_jobs():
    def runs(case: Case, cli_s: float) -> list[tuple[Case, str, int, float]]:
        of_designs = {"DP": 1000.0, "CLI": cli_s}
        return [(case, d, seed, s) for d, s in of_designs.items() for seed in range(2)]

    found = measured(
        table(
            *runs(base(64, "heavy"), 900.0),
            *runs(base(64, "heavy").but(bandwidth_mbps=10), 1100.0),
            *runs(base(64, "onset"), 1100.0),
            *runs(BASE.but(first=1, jobs=1000), 1100.0),
            *runs(BASE.but(first=1001, jobs=1000), 900.0),
        )
    )
    assert verdict("Backlogged: CLI is worse than DP", found) == NOT_REPRODUCED
    lines = directions(found).splitlines()
    (heading,) = [line for line in lines if "10 Mbps" in line]
    names = [cell.strip() for cell in heading.split("|")]
    (row,) = [line for line in lines if line.startswith("| 3 |")]
    told = dict(zip(names, (cell.strip() for cell in row.split("|")), strict=True))
    assert (told["10 Mbps"], told["heavy"], told["onset"]) == ("yes", "no", "yes")
    assert (told["25 Mbps"], told["light"], told["windows"]) == ("", "", "1 of 2")


def test_a_cost_of_a_page_follows_from_a_response_time_by_the_curve():
    points = [(1.0, 100.0), (3.0, 400.0)]
    assert implied_ms(points, 200.0) == pytest.approx(2.0)  # half of the way in logarithms
    assert implied_ms(points, 100.0) == 0  # with the cheapest page jobs take no less
    assert implied_ms(points, 401.0) == inf
    assert disk_ms() == pytest.approx(13.244792)  # 9 + 4.167 + 0.078 ms
    assert disk_ms(5) == pytest.approx(5.078125)


def test_the_curve_is_of_disk_paging_from_disks_of_other_speeds(monkeypatch):
    monkeypatch.setattr("model.papers.thesis.cliff.disks", lambda: [5, 30])
    case = base(64, "light")
    runs = [
        (case, "DP", 1, 1300.0),
        (case, "DP", 2, 2000.0),  # a seed that the other disks have not
        (case.but(rotation=False, seek_ms=5), "DP", 1, 1200.0),
        (case.but(rotation=False, seek_ms=30), "DP", 1, 9000.0),
        (case, "MAN", 1, 1100.0),
    ]
    points = curve(measured(table(*runs)), base(64, "light"))
    assert points == [(disk_ms(5), 1200.0), (disk_ms(), 1300.0), (disk_ms(30), 9000.0)]
    assert curve(measured(table(*runs[:3])), base(64, "light")) == []  # without the dearest page


def test_what_a_ratio_implies_is_told_with_chance_and_with_what_is_known_of_ours(monkeypatch):
    """On a made up curve: 800 s at 5.1 ms a page, 1,000 s at the disk's 13.2, 1,600 s at 30.1."""
    monkeypatch.setattr("model.papers.thesis.cliff.disks", lambda: [5, 30])
    heavy = base(64, "heavy")
    runs = [
        (heavy.but(rotation=False, seek_ms=5), "DP", 1, 800.0),
        (heavy, "DP", 1, 1000.0),
        (heavy.but(rotation=False, seek_ms=30), "DP", 1, 1600.0),
        (heavy, "BB16", 1, 900.0),
        (base(64, "deep"), "DP", 1, 1000.0),
        (base(64, "deep"), "DP", 2, 1000.0),
        (base(64, "deep"), "BB16", 1, 395.0),
        (base(64, "deep"), "BB16", 2, 405.0),
    ]
    made = [row | {"network_page_ms": 6.5} for row in table(*runs)]
    (row,) = [
        line for line in implications(measured(made)).splitlines() if "heavy: BB16 | 33.38" in line
    ]
    # One run is off by T_1 · √2 · 5 of 400 s, 22.5 %: 33.38 - 15 = 18.4 %, which is 816 s.
    by_chance = 5.078 + 8.167 * log(816.3 / 800) / log(1000 / 800)
    # Ours of 10 % implies halfway in logarithms and a bit: log(900 / 800) / log(1000 / 800).
    ours = 5.078 + 8.167 * log(900 / 800) / log(1000 / 800)
    expected = ["less than 5.1", f"less than 5.1 to {by_chance:.1f}", f"{ours:.1f}"]
    assert [cell.strip() for cell in row.split("|")[3:7]] == [*expected, "6.5"]
    assert free_pct(measured(made), heavy) == pytest.approx(20)


def map_of(**shares: float) -> Measurements:
    """A map with one place, where designs take these shares of disk paging's time, and the rest as
    long as it, in windows that differ by up to 0.3 %."""
    place = PLACES[0]
    runs = [
        (window, design, 1, 1000.0 * shares.get(design, 1.0) * (1 + 0.001 * k))
        for k, window in enumerate(place.windows())
        for design in DESIGNS
    ]
    return measured(table(*runs))


def test_the_map_tells_who_is_ahead_and_who_is_behind():
    found = map_of(MAN=0.8, CEN=0.81, CLI=0.9)
    (chosen,) = choices(found)
    assert chosen.best == "MAN"
    assert chosen.vs_paging.mean == pytest.approx(0.8)
    assert chosen.always is True
    assert chosen.loses_pct["CEN"] == pytest.approx(1.25)
    assert chosen.loses_pct["DP"] == pytest.approx(25)
    (row,) = [line for line in designs_by_place(found).splitlines() if "Mbps" in line]
    assert "| MAN 0.80 (0.80 to 0.80) | 12 | 1 |" in row  # CLI and CEN
    told = WHICH_DESIGN(found)
    assert "ahead of disk paging by 0.5 % or more at 1 places in all of them" in told
    assert "12 % (CLI), 1 % (CEN)" in told
    assert known(WHICH_DESIGN, measured(table((BASE, "DP", 1, 1.0)))) == ""


def test_to_be_ahead_on_the_map_is_more_than_a_trifle():
    trifle, more = map_of(MAN=0.996), map_of(MAN=0.994)  # the limit is half a percent
    assert [choices(found)[0].always for found in (trifle, more)] == [False, True]


def test_what_a_design_loses_is_told_of_the_window_in_which_it_loses_the_most():
    place = PLACES[0]
    times_paging = [0.5, 1.25, 0.5]  # MAN's time in each window, in multiples of DP's
    runs = [
        (window, design, 1, 1000.0 * (times if design == "MAN" else 1))
        for window, times in zip(place.windows(), times_paging, strict=True)
        for design in DESIGNS
    ]
    (chosen,) = choices(measured(table(*runs)))
    assert (chosen.best, chosen.always) == ("MAN", None)
    assert chosen.loses_pct["MAN"] == pytest.approx(25)
    assert chosen.loses_pct["CLI"] == pytest.approx(100)


def test_the_map_says_how_much_is_chance():
    window = PLACES[0].windows()[1]
    again = table((window, "CLI", 2, 1200.0), (window, "MAN", 2, 1000.0))
    first = table(*((w, name, 1, 1000.0) for w in PLACES[0].windows() for name in DESIGNS))
    assert "up to 20 % slower (10 % in the median)" in WHICH_DESIGN(measured(first, again))


def test_a_reading_is_told_beside_what_was_assumed():
    case = base(64, "light")
    runs = [
        *((case, design, 1, 1000.0 if design == "DP" else 900.0) for design in DESIGNS_READ),
        *(
            (case.but(page_exchange="swap"), design, 1, 1000.0 if design == "DP" else 950.0)
            for design in DESIGNS_READ
        ),
    ]
    found = measured(table(*runs))
    lines = sensitivities(found).splitlines()
    assert [line for line in lines if line.startswith("| as assumed | 10.0 / 10.0 / 10.0 |")]
    assert [line for line in lines if "(page_exchange = swap) | 5.0 / 5.0 / 5.0" in line]
    picture = draw(OURS[2], found)
    assert "\n1 of " in picture.get_suptitle()  # MAN in one case under one reading


def test_optimization_ratios_of_two_cases_are_compared_as_if_they_were_measured_apart():
    # DP at 1,000 s. CLI at 700 and 740 gains 28 %, at 800 and 900 15 %: 13 points. Each ratio is
    # as unsure as its halves are apart, 2 and 5 points: t(1) times that, by Pythagoras.
    scarce = BASE.but(ram=85)
    runs = [(case, "DP", seed, 1000.0) for case in (BASE, scarce) for seed in (1, 2)]
    runs += [(scarce, "CLI", seed, s) for seed, s in ((1, 700.0), (2, 740.0))]
    runs += [(BASE, "CLI", seed, s) for seed, s in ((1, 800.0), (2, 900.0))]
    found = measured(table(*runs))
    (claim,) = change(scarce, BASE, ["CLI"], 0, inf)(found)
    (part,) = claim.parts
    assert part.value.mean == pytest.approx(13)
    assert part.value.half_width == pytest.approx(T_1 * sqrt(2**2 + 5**2), rel=1e-4)
    # Elsewhere, where both cases are one, there is nothing to compare.
    (same,) = change(BASE, base(64, "heavy"), ["CLI"], 0, inf)(found.elsewhere(jobs=4000))
    assert same.parts[0].value is None


def test_who_is_the_last_and_who_are_alike_is_told_by_response_times():
    # MAN takes 990 s, CEN 1,030, CLI 1,000: CLI is not the last, and all but CEN are within 2 %.
    times = {"CLI": 1000.0, "MAN": 990.0, "CEN": 1030.0}
    found = measured(
        table(*((BASE, name, seed, s) for name, s in times.items() for seed in (1, 2)))
    )
    (last,) = slowest(BASE, "CLI", ["CLI", "MAN", "CEN"])(found)
    assert last.answers == [True, False]  # MAN is 1 % shorter, CEN 3 % longer
    (close,) = alike(BASE, ["CLI", "MAN", "CEN"], 2)(found)
    assert close.answers == [True, False]


def test_a_range_is_as_unsure_as_the_least_sure_design_in_any_order():
    # CEN has one seed, and no case like it has several: how far it may be off is not known.
    runs = [(BASE, name, seed, 1000.0 + seed) for name in ("DP", "MAN") for seed in (1, 2)]
    found = measured(table(*runs, (BASE, "CEN", 1, 500.0)))
    told = {
        claim.words
        for order in (["MAN", "CEN"], ["CEN", "MAN"])
        for claim in gain(BASE, order, 45)(found)
    }
    assert told == {f"{BASE}: optimization ratio, %, 45 (no seeds)"}


def test_designs_of_the_map_are_compared_over_the_seeds_that_all_have():
    # All take 1,000 s; that CLI alone took 3,000 s with another seed says nothing of it.
    runs = [(w, name, 1, 1000.0) for w in PLACES[0].windows() for name in DESIGNS]
    runs += [(w, "CLI", 2, 3000.0) for w in PLACES[0].windows()]
    (chosen,) = choices(measured(table(*runs)))
    assert set(chosen.loses_pct.values()) == {0.0}


def test_a_run_of_the_thesis_is_as_unsure_as_ours_where_its_jobs_wait_as_long():
    # Jobs do not wait here but under the deep load, for 0.9 of their time. BB16 takes 800 s with
    # either seed, and deep 700 and 900 s of DP's 1,000: there one run is off by T_1 · 141.4 s.
    # 85 % RAM is as the deep load, so a stated 20 % may be nothing; heavy is as onset, which has
    # DP's jobs wait for none of their time, so 20 % is 20 %.
    heavy, onset = base(64, "heavy"), base(64, "onset")
    cases = (heavy, heavy.but(ram=85), onset)
    found = measured(
        deep(BB16=(700.0, 900.0)), *(light(case, BB16=(800.0, 800.0)) for case in cases)
    )
    (calm,) = gain(heavy, ["BB16"], 20)(found)
    assert calm.words == f"{heavy}: optimization ratio, %, 20 (a single run: 20 to 20)"
    (scarce,) = gain(heavy.but(ram=85), ["BB16"], 20)(found)
    assert scarce.words.endswith("20 (a single run may be at 0 by chance)")


def test_which_settings_move_the_gain_the_most_and_that_a_trifle_is_not_told():
    # MAN gains 10 % as assumed. Settings that move it by a tenth of that or more are told.
    gains = {"page_exchange": ("swap", 9.2), "rotation": (False, 30.0), "duplex": ("full", 5.0)}
    runs = [(BASE, "DP", 1, 1000.0), (BASE, "MAN", 1, 900.0)]
    for name, (value, gain_pct) in gains.items():
        case = BASE.but(**{name: value})
        runs += [(case, "DP", 1, 1000.0), (case, "MAN", 1, 1000.0 - 10 * gain_pct)]
    told = most_moving(measured(table(*runs)))
    assert [pct for _, pct in told] == pytest.approx([10, 30, 5])
    assert told[1][0] == "a disk that does not wait half a turn"


def test_clients_that_are_behind_the_disk_are_counted_over_the_base_cases():
    cases = {BASE: 1001.0, base(64, "heavy"): 999.0, base(128, "light"): 900.0}
    runs = [
        (case, name, 1, {"DP": 1000.0, "CLI": cli_s}.get(name, 950.0))
        for case, cli_s in cases.items()
        for name in clusters()[case.parameters["nodes"]]
    ]
    page = IN_BRIEF(measured(table(*runs)))
    assert "behind in 1 of 3 base cases" in page


def numbers_of(lines: str) -> list[str]:
    return [line.partition(".")[0] for line in lines.splitlines()]


def test_lines_to_remember_keep_their_numbers_where_others_were_not_run():
    none = measured(table((BASE.but(jobs=2000), "DP", 1, 1.0)))
    assert (IN_BRIEF(none), IN_NUMBERS(none)) == ("", "")
    # One base case of 64 nodes: what all gain, how far they are apart, and who is behind the disk.
    found = measured(light(**dict.fromkeys(PNR, (900.0, 900.0))))
    assert numbers_of(IN_BRIEF(found)) == ["5", "7"]
    heavy = light(base(64, "heavy"), **dict.fromkeys(PNR, (800.0, 800.0)))
    both = measured(light(**dict.fromkeys(PNR, (900.0, 900.0))), heavy)
    assert numbers_of(IN_BRIEF(both)) == ["3", "5", "7"]
    assert "by 10 % under light load and by 20 % under heavy" in IN_BRIEF(both)
    assert numbers_of(IN_NUMBERS(both)) == ["3", "5"]


def test_what_designs_gain_in_frames_is_told_by_seed_and_by_arrivals():
    # On 64 nodes CLI is behind the disk with one of two seeds, on 128 nodes with both; MAN gains
    # there with one alone.
    times = {64: (900.0, 1100.0), 128: (1100.0, 1200.0)}
    runs = []
    for nodes, own in times.items():
        case = base(nodes, "light")
        there = case.but(page_exchange="swap", frame_bytes=1500)
        for seed, cli_s in enumerate(own):
            runs.append((case, "DP", seed, 1000.0))
            own_s = {"CLI": cli_s, "MAN": 1040.0 if (nodes, seed) == (128, 1) else 950.0}
            runs += [(there, name, seed, own_s.get(name, 950.0)) for name in PNR_OF[nodes]]
    found = measured(table(*runs))
    told = IN_BRIEF(found)
    assert (
        "64 gain nearly as much as under `bare`, 5 %. On 128 designs that coordinate gain" in told
    )
    assert "own arrivals (not surely more than nothing: MAN (light))." in told
    assert "CLI gains -10.0 to 10.0 % (64 nodes, light), -20.0 to -10.0 % (128" in IN_NUMBERS(found)

    # With other arrivals MAN takes 2.5 times the disk's time once.
    shaken = base(128, "light").but(arrival_jitter=0.1)
    there = shaken.but(page_exchange="swap", frame_bytes=1500)
    for seed, man_s in enumerate((900.0, 2500.0)):
        runs += [(shaken, "DP", seed, 1000.0), (there, "MAN", seed, man_s)]
        runs.append((there, "BB16", seed, 1900.0))
    found = measured(table(*runs))
    told = "are behind the disk in 3 of 4 runs, and take more than twice its time in 1."
    assert told in IN_BRIEF(found)
    assert "are -90.0 % with BB16 (light), -150.0 to 10.0 % with MAN (light)" in IN_NUMBERS(found)


def test_of_the_greatest_losses_of_designs_the_least_is_told():
    # CLI loses 12.5 % of MAN's time at most, CEN 1.25 %, MAN nothing, and all others 25 %.
    numbers = MAP_NUMBERS["least_loss"](map_of(MAN=0.8, CEN=0.81, CLI=0.9))
    assert numbers == "0 % (MAN)"


def test_what_is_lacking_and_what_is_allocated_are_told_as_shares():
    # Of 1,000 MB that each node needs it finds no lender for 2; RAM allocated falls from 10 to 6
    # MB, its deviation from 4 to 3.
    cases = [base(nodes, load) for nodes in clusters() for load in ("light", "heavy")]
    made = table(*((c, d, 1, 1.0) for c in cases for d in clusters()[c.parameters["nodes"]]))
    for row in made:
        mean, deviation = (10.0, 4.0) if row["design"] == "DP" else (6.0, 3.0)
        row |= {"need_mb": 1000.0, "need_unmet_mb": 2.0}
        row |= {"allocated_mb_mean": mean, "allocated_mb_sd": deviation}
    assert "all that they need but 0.2 %" in why("Light: CLI is the best", measured(made))
    share = "0.60 of DP's with {} nodes, and its deviation to 0.75"
    assert f"{share.format(64)}; to {share.format(128)}:" in why(
        "Backlogged: some PNR designs have significantly", measured(made)
    )


def test_what_was_not_run_is_not_judged():
    found = measured(table((BASE.but(jobs=2000), "DP", 1, 1000.0)))
    judged = [f.judge(found) for f in FINDINGS]
    assert {one.verdict for one in judged} == {OPEN, UNTESTABLE}
    assert {one.magnitude.verdict for one in judged if one.magnitude.claims} == {OPEN}
    page = findings_page(PAPER, found)
    assert "ratio, %, 10 to 12.08 (no seeds): no runs of CLI, CEN, BB4, BB8, BB16, MAN" in page


def raw(runs: pd.DataFrame, nodes: int, load: str, measure: str) -> pd.DataFrame:
    """A second way to the base case, straight from the rows: one per seed, a column per design."""
    jobs = {"light": 4000, "heavy": 5000}[load]
    own = runs[
        (runs.nodes == nodes)
        & (runs.jobs == jobs)
        & (runs["first"] == 1)
        & (runs.load_factor == 1)
        & (runs.ram == 100)
        & (runs.bandwidth_mbps == 100)
        & (runs.topology == "star")
        & (runs.scheduler == "gang")
        & runs.rotation
        & runs.relocality
        & ~runs.skip_full
        & (runs.page_exchange == "read")
        & (runs.duplex == "half")
        & (runs.demand == "cpu")
        & (runs.quantum_s == 60)
        & (runs.mpl == 2)
        & (runs.arrival_jitter == 0)
    ]
    return own.pivot(index="seed", columns="design", values=measure)


@pytest.mark.parametrize("nodes", [64, 128])
@pytest.mark.parametrize("load", ["light", "heavy"])
def test_ratios_of_the_bundled_results_are_those_of_their_raw_rows(bundled, nodes, load):
    found = bundled("thesis")
    responses_s = raw(found.runs, nodes, load, "mean_response_s")
    case = base(nodes, load)
    for design in clusters()[nodes][1:]:
        both = responses_s.reindex(columns=["DP", design]).dropna()
        reduction = found.reduction_pct((case, design), (case, "DP"))
        if both.empty:  # not run yet
            assert reduction is None
        else:
            expected = 100 * (1 - fmean(both[design]) / fmean(both.DP))
            assert (reduction.mean, reduction.n) == (pytest.approx(expected), len(both))


def test_verdicts_on_the_bundled_results_by_hand(bundled):
    """Far from any limit, so that more seeds of the same model change none of them."""
    found = bundled("thesis")
    heavy_s = raw(found.runs, 64, "heavy", "mean_response_s")
    faults = raw(found.runs, 64, "heavy", "faults")
    light_s = raw(found.runs, 64, "light", "mean_response_s")

    assert (heavy_s.CLI < 0.8 * heavy_s.DP).all()
    assert verdict("Backlogged: CLI is worse than DP", found) == NOT_REPRODUCED

    assert all((faults[design] < 0.5 * faults.DP).all() for design in PNR)
    assert verdict("Backlogged: all but CLI have about 70 %", found) == REPRODUCED

    # Better than DP, but by more than the thesis says; other jobs of the log gain less.
    assert all((light_s[design] < 0.83 * light_s.DP).all() for design in PNR)
    assert verdict("Light: every design is 10 to 12 %", found) == REPRODUCED
    assert magnitude("Light: every design is 10 to 12 %", found) == NOT_REPRODUCED


def test_findings_are_counted_by_class_and_never_summed():
    page = findings_page(PAPER, measured(light(**dict.fromkeys(PNR, (887.0, 887.0)))))
    assert {finding.kind for finding in FINDINGS} == {"paging", "designs", "other"}
    for kind, words in (("paging", "PNR against DP"), ("designs", "designs against each other")):
        own = [finding for finding in FINDINGS if finding.kind == kind]
        assert f"| **{words}**, {len(own)} in all: direction |" in page
    assert f"{len(FINDINGS)} findings" not in page


def test_the_null_model_is_the_disk_in_place_of_every_design():
    # DP takes 1,000 s, from the fast disk 800 s; CLI 900 s, and the others 950. By the null model
    # each is 20 % better than DP, and nobody is ahead of anybody.
    case = base(64, "light")
    runs = [(case, name, seed, 950.0) for name in PNR for seed in (1, 2)]
    runs = [(*one[:3], 900.0) if one[1] == "CLI" else one for one in runs]
    runs += [(case, "DP", seed, 1000.0) for seed in (1, 2)]
    fast = case.but(seek_ms=2, rotation=False)
    found = measured(table(*runs, *((fast, "DP", seed, 800.0) for seed in (1, 2))))
    null = found.all_paging(seek_ms=2, rotation=False)
    assert null.reduction_pct((case, "CLI"), (case, "DP")).mean == pytest.approx(20)
    assert null.reduction_pct((case, "CLI"), (case, "MAN")).mean == 0
    assert null.of(case.but(ram=50), "CLI") is None  # it was not run there
    assert found.of(case, "CLI").mean == 900
    page = findings_page(PAPER, found)
    assert "every design is 10 to 12 % better than DP. | reproduced | | reproduced |" in page
    assert "CLI is the best (12.08 %; the others have 10 to 12 %). | reproduced | | not" in page


def test_findings_are_judged_under_another_reading_too_where_it_was_run():
    # With one frame a page CLI is ahead of the others; with several its runs were given up.
    case = base(64, "light")
    there = case.but(page_exchange="swap", frame_bytes=1500, give_up_response_s=5000)
    runs = [(case, "DP", 1000.0), (there, "DP", 1000.0)]
    runs += [(case, name, 900.0 if name == "CLI" else 950.0) for name in PNR]
    runs += [(there, name, inf if name == "CLI" else 880.0) for name in PNR]
    page = findings_page(
        PAPER, measured(table(*((*one[:2], n, one[2]) for one in runs for n in (1, 2))))
    )
    counts = iter(page.splitlines())
    heading = next(line for line in counts if line.startswith("| Findings |"))
    assert any(line.startswith("| **designs against each other**") for line in counts)
    row = next(line for line in counts if line.startswith("| under `ethernet` |"))
    there = dict(zip(heading.split(" | "), row.split(" | "), strict=True))
    assert there["reproduced"] == "0"
    assert there["not reproduced"] == "2"
    assert "`ethernet`, 7 of 504 runs" in page
    best = "CLI is the best (12.08 %; the others have 10 to 12 %)."
    (row,) = (line for line in page.splitlines() if f"base case. Light: {best} |" in line)
    assert row.split(" | ")[2] == "reproduced"
    assert row.endswith("| not reproduced |")
    assert "CLI below -400.00 no, CEN 12.00 ± 0.00 yes" in page
    assert page.count("not run yet |") > 20


def test_of_the_best_of_several_ratios_one_end_is_known_if_disk_paging_was_given_up():
    # At 85 % RAM MAN halves 2,000 s; at 75 % it is at least 20 % ahead of 5,000 s and more.
    case = BASE.but(give_up_response_s=5000)
    times = {(85, "DP"): 2000.0, (85, "MAN"): 1000.0, (75, "DP"): inf, (75, "MAN"): 4000.0}
    runs = [(case.but(ram=ram), name, n, s) for (ram, name), s in times.items() for n in (1, 2)]
    (claim,) = best_better(case, [85, 75], ["MAN"])(measured(table(*runs)))
    assert (claim.parts[0].value.low, claim.parts[0].value.high) == (50, 100)


def test_how_response_times_grow_with_the_jobs_and_whom_a_faster_network_helps():
    # From 2,000 to 4,000 jobs 200 to 300 s, to 6,000 jobs 300 to 600: factors of 1.5 and 2.
    jobs = {2000: 200.0, 4000: 300.0, 6000: 600.0}
    runs = [(BASE.but(jobs=n), "MAN", seed, s) for n, s in jobs.items() for seed in (1, 2)]
    (claim,) = factor_rises(BASE, ["MAN"], [2000, 4000, 6000])(measured(table(*runs)))
    assert (claim.parts[0].value.mean, claim.parts[0].holds) == (pytest.approx(0.5), True)
    # 1,000 Mbps make CEN's 1,000 s 700, 30 % shorter, and MAN's 900 s 810, 10 % shorter.
    fast = BASE.but(bandwidth_mbps=1000)
    times = {(BASE, "CEN"): 1000.0, (fast, "CEN"): 700.0, (BASE, "MAN"): 900.0}
    times |= {(fast, "MAN"): 810.0}
    runs = [(*of, seed, s) for of, s in times.items() for seed in (1, 2)]
    (claim,) = shortened_more(fast, "CEN", ["CEN", "MAN"])(measured(table(*runs)))
    assert [(part.name, part.value.mean) for part in claim.parts] == [("MAN", pytest.approx(20))]
    # 10 Mbps instead of 1,000 make 500 s 1,500 with gang scheduling, 600 s 900 with space sharing.
    networks = {"slow": {"bandwidth_mbps": 10}, "than": {"bandwidth_mbps": 1000}}
    space = {"scheduler": "space"}
    times = {(BASE.but(bandwidth_mbps=mbps), "MAN"): s for mbps, s in ((10, 1500.0), (1000, 500.0))}
    times |= {
        (BASE.but(**space, bandwidth_mbps=mbps), "MAN"): s
        for mbps, s in ((10, 900.0), (1000, 600.0))
    }
    runs = [(*of, seed, s) for of, s in times.items() for seed in (1, 2)]
    (claim,) = slowed_less(BASE, space, designs=["MAN"], **networks)(measured(table(*runs)))
    assert (claim.parts[0].value.mean, claim.parts[0].holds) == (pytest.approx(1.5 - 3), True)
    assert "from 1,000 Mbps to 10 Mbps, with space sharing minus without" in claim.words


def test_the_base_cases_under_each_reading_stand_beside_each_other():
    """Of 1,000 s under DP MAN takes 900, shaken 800, and more than 5,000 in frames."""
    there = base_case_readings()
    assert [*there] == ["bare", "ethernet", "ethernet-fair", "shaken", "ethernet, shaken"]
    times = {"bare": 900.0, "shaken": 800.0, "ethernet": inf}
    runs = [
        (BASE.but(**there[name], give_up_response_s=5000), design, seed, s)
        for name, man_s in times.items()
        for design, s in (("DP", 1000.0), ("MAN", man_s))
        for seed in (1, 2)
    ]
    (row,) = (line for line in GAINS(measured(table(*runs))).splitlines() if f"{BASE}: MAN" in line)
    cells = (
        "10.00 (10.00 to 10.00)",
        "below -400.00 (below -400.00)",
        "not run",
        "20.00 (20.00 to 20.00)",
        "not run",
    )
    assert row == f"| {BASE}: MAN | {' | '.join(cells)} |"


def test_single_shaken_runs_stand_beside_what_the_thesis_states():
    """DP takes 1,000 s: gains of 5 and 11 % (CLI), 9.9 and 12.08 % (MAN); two are 10 to 12.08."""
    shaken = BASE.but(**base_case_readings()["shaken"])
    times = {"DP": (1000.0, 1000.0), "CLI": (950.0, 890.0), "MAN": (901.0, 879.2)}
    runs = [
        (shaken, design, seed, times_s[seed])
        for design, times_s in times.items()
        for seed in (0, 1)
    ]
    assert single_shaken_runs(measured(table(*runs))) == [
        "10 to 12.08 % (star, 64 nodes, light): "
        "4 runs gain 5.0 to 12.1 %, 2 of them as much as is stated"
    ]
    assert single_shaken_runs(measured(table((BASE, "DP", 1, 1000.0)))) == []
