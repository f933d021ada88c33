"""The study of even division: what its picture and its table tell of made-up runs, by hand."""

import pytest

from model.papers.cases import Case
from model.papers.dividing.paper import FIGURES, PAPER, RAMS, WINDOWS
from tests.model.papers.made_up import measured_of, rows


def test_a_design_is_told_in_percent_of_cli_and_what_it_does_in_sums_over_windows():
    # MAN takes 0.8 times CLI's time in each window: 20 % shorter.
    of = {"server_requests": 2, "broadcasts": 3, "need_mb": 4.0, "need_unmet_mb": 1.0}
    runs = [
        row
        for window in WINDOWS
        for design, s in (("CLI", 100.0), ("MAN", 80.0))
        for row in rows("dividing", (window.but(ram=RAMS[1]), design, 3, s), **of, faults_disk=5000)
    ]
    found = measured_of("dividing", runs)
    assert FIGURES[0].value(found, Case(ram=RAMS[1]), "MAN").mean == pytest.approx(20)
    told = PAPER.named["designs"](found)
    row = f"| {RAMS[1]} | MAN | 0.800 (0.800 to 0.800) | 0 / 30 of 30 | 60 | 90 | 120 | 30 | 150 |"
    assert row in told
