"""Our study of schedulers that know memory: comparisons by hand, and numbers by other code."""

import gzip
from statistics import median

import numpy as np
import pytest

from model.papers.knowing_memory.paper import (
    EXACT,
    KNOWLEDGE,
    NOTHING,
    PAPER,
    WINDOWS,
    fewer_pct,
    knowing,
    longer_wait_s,
    requests_of,
    unknown,
)
from model.pnr.scenario import BUNDLED_TRACE
from tests.model.papers.made_up import measured_of, rows

CASE = WINDOWS[0]


def test_a_scheduler_knows_nothing_or_one_of_three_estimates():
    assert {name: [*values.values()] for name, values in KNOWLEDGE.items()} == {
        "nothing": [],
        **{name: ["gang-memory", name] for name in ("exact", "requested", "user")},
    }
    assert [case.parameters for case in WINDOWS] == [
        {"first": first, "jobs": 120, "ram": 85} for first in (1201, 3481, 5161, 5521, 5761)
    ]
    assert unknown(knowing(EXACT, CASE)).parameters == knowing(NOTHING, CASE).parameters


def test_pages_and_waits_are_compared_with_the_same_design_knowing_nothing():
    def of(case, design, pages, wait_s):
        return rows(
            "knowing-memory",
            *((case, design, seed, 1.0) for seed in (1, 2)),
            faults_disk=pages,
            mean_wait_s=wait_s,
        )

    exact = knowing(EXACT, CASE)
    found = measured_of(
        "knowing-memory",
        [*of(CASE, "DP", 400, 50.0), *of(exact, "DP", 100, 80.0), *of(exact, "MAN", 0, 1.0)],
    )
    assert fewer_pct(found, exact, "DP").mean == 75
    assert longer_wait_s(found, exact, "DP").mean == 30
    assert longer_wait_s(found, exact, "MAN") is None


@pytest.mark.parametrize("window", WINDOWS[::2], ids=str)
def test_what_users_asked_for_is_what_the_log_says(window):
    """Fields 10 and 7 of the log, KB; the median of field 7 stands for what is not known."""
    first = window.parameters["first"]
    with gzip.open(BUNDLED_TRACE, "rt") as file:
        records = [line.split() for line in file if not line.startswith(";")]
    records = records[first - 1 : first + 119]
    known = [float(record[6]) for record in records if float(record[6]) > 0]
    ratios = []
    for record in records:
        used, asked = float(record[6]), float(record[9])
        if asked > 0:
            ratios.append(asked / (used if used > 0 else median(known)))
    shares = requests_of(window)
    more = sum(float(record[9]) > 0.85 * 32 * 1024 for record in records)
    assert shares["for more than a node has"] == pytest.approx(100 * more / 120)
    assert shares["asked for nothing"] == pytest.approx(100 * (1 - len(ratios) / 120))
    assert shares["median"] == pytest.approx(median(ratios), rel=1e-3)


def test_a_mean_over_windows_is_what_other_code_makes_of_the_stored_runs(bundled):
    """The response time with MAN under gang-memory with requests, in multiples of DP's, gang."""
    runs = bundled("knowing-memory").runs
    keys = ["scheduler", "memory_estimate", "design"]
    seconds = runs.pivot(index=["first", "seed"], columns=keys, values="mean_response_s")
    ratio = seconds["gang-memory", "requested", "MAN"] / seconds["gang", "exact", "DP"]
    mean = np.exp(np.log(ratio).groupby("first").mean().mean())
    page = (PAPER.folder / "findings.md").read_text(encoding="utf-8")
    (row,) = (line for line in page.splitlines() if line.startswith("| requested | MAN |"))
    assert row.split("|")[4].split()[0] == f"{mean:.2f}"
    assert len(runs) == len(WINDOWS) * 5 * 2 * len(KNOWLEDGE)
