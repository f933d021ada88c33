"""The study of when coordination pays: its cells, and what is told of made-up runs, by hand."""

import pytest

from model.papers.coordination.paper import WINDOWS as WINDOWS_OF_COORDINATION
from model.papers.dividing.paper import WINDOWS as WINDOWS_OF_DIVIDING
from model.papers.page import findings_page
from model.papers.paper import paper_of
from model.papers.paying.paper import (
    CELLS,
    FIGURES,
    NULL_DISK,
    WINDOWS,
    by_not_found,
    page_ms,
    side,
    where_found,
    where_missing,
)
from model.pnr.scarcity import Room, placed
from model.pnr.scenario import make_scenario
from model.pnr.workload import load_workload
from tests.model.papers.made_up import measured, measured_of, rows

CELL = CELLS[0].parameters
COORDINATION = {window.parameters["first"] for window in WINDOWS_OF_COORDINATION}


def test_both_studies_are_of_the_same_jobs():
    assert [one.parameters for one in WINDOWS] == [one.parameters for one in WINDOWS_OF_DIVIDING]


def test_windows_are_chosen_by_the_rule_of_the_sweep():
    jobs = load_workload(make_scenario(jobs=6055))
    room = Room.of(make_scenario(ram=50))
    found = {}
    for start in range(0, 6055 - 19, 20):
        window = jobs[start : start + 20]
        if sum(job.processes * job.demand_ns for job in window) <= 200_000 * 10**9:
            found[start + 1] = placed(window, room)
    short = [first for first, one in found.items() if one.short and first not in COORDINATION]
    most = sorted(short, key=lambda first: -found[first].wanted)[:30]
    assert [window.parameters["first"] for window in WINDOWS] == sorted(most)


def test_a_page_costs_two_links_and_a_switch_each_way():
    # 4,224 B are 33,792 bits, on two links each: at 100 Mbps 0.676 ms, and twice 0.08 ms; at
    # 1,000 a tenth of all; at 10 Mbps 6.758 ms, and a switch that is no slower.
    assert [page_ms(mbps) for mbps in (10, 100, 1000)] == ["6.9 ms", "0.84 ms", "0.084 ms"]


def test_a_disk_is_the_same_whatever_the_network():
    null, design = side("NULL", ram=50, bandwidth_mbps=10)(WINDOWS[0])
    assert design == "DP"
    assert (
        null.parameters == {**WINDOWS[0].parameters, "ram": 50, "bandwidth_mbps": 100} | NULL_DISK
    )


def test_what_coordination_pays_is_how_much_shorter_jobs_are_than_without():
    # CLI takes 1.25 times MAN's time, which is so 20 % shorter, in each window.
    runs = [
        (window.but(**CELL), design, 2, s)
        for window in WINDOWS
        for design, s in (("CLI", 125.0), ("MAN", 100.0))
    ]
    _, paid = FIGURES
    assert paid.value(measured("paying", *runs), CELLS[0], "MAN").mean == pytest.approx(20)


def test_a_page_of_hypotheses_by_class_says_what_its_intervals_are_over_and_leaves_out_the_rest():
    # MAN takes as long as the null model, and half as long as the disk.
    at_100 = {**CELL, "bandwidth_mbps": 100}
    runs = [
        (window.but(**at_100, **disk), design, 2, s)
        for window in WINDOWS
        for design, disk, s in (("MAN", {}, 50.0), ("DP", NULL_DISK, 50.0), ("DP", {}, 100.0))
    ]
    page = findings_page(paper_of("paying"), measured("paying", *runs))
    assert "| **PNR against DP**, 4 in all: direction |" in page
    assert "95 % interval over windows" in page
    assert "| | Hypothesis | Direction | Holm | Null model |" in page
    assert "Magnitude" not in page
    assert "**other**" not in page
    assert "100 Mbps: MAN in multiples of DP, below 0.98: by windows 0.50 ± 0.00 yes" in page


def test_what_coordination_pays_is_told_by_what_was_not_found():
    # In the first window 30 of 40 MB were not found, and CLI takes 1.2 times MAN's time.
    cell = {"ram": 40, "load_factor": 1.0, "bandwidth_mbps": 100}
    runs = [
        row
        for place, window in enumerate(WINDOWS)
        for design, s in (("CLI", 100.0 if place else 120.0), ("MAN", 100.0))
        for row in rows(
            *("paying", (window.but(**cell), design, 3, s)),
            need_mb=40.0,
            need_unmet_mb=0.0 if place else 30.0,
        )
    ]
    runs[2]["mean_response_s"] = 80.0  # CLI's in the second window; MAN's are a quarter more
    found = measured_of("paying", runs)
    assert by_not_found(found)[:2] == [(75.0, pytest.approx(1.2)), (0.0, pytest.approx(0.8))]
    assert by_not_found(found)[2:] == [(0.0, 1.0)] * 28
    assert where_found(found) == {"cases": 29, "apart_pct": pytest.approx(25)}
    longest = pytest.approx(100 / 6)  # MAN's 100 s are a sixth less than 120
    assert where_missing(found) == {"cases": 1, "most_pct": longest, "mean_pct": longest}
