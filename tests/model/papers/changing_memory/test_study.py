"""Our study of memory that changes: what was run, and a number of its page by other code."""

import numpy as np
import pytest

from model.core.topology import load_topology
from model.papers.changing_memory.paper import (
    AGAIN,
    CHANGING,
    LESS_SCARCE,
    OFTEN,
    PAPER,
    PROFILES,
    RESERVE_MB,
    SELDOM,
    WINDOWS,
)
from model.papers.page import findings_page
from model.pnr.scenario import PROFILES as ALL_PROFILES
from model.pnr.scenario import Scenario
from tests.model.papers.made_up import measured

PERIODS = PAPER.folder / "periods.py"


@pytest.mark.parametrize(
    ("design", "name", "period_s"),
    [
        (AGAIN, AGAIN, 60),
        (f"{PERIODS}:every_10_s", OFTEN, 10),
        (f"{PERIODS}:every_300_s", SELDOM, 300),
    ],
)
def test_designs_differ_in_how_often_they_ask_and_in_nothing_else(design, name, period_s):
    graph, base = (load_topology("managers", one, 8) for one in (design, AGAIN))
    assert (graph.name, graph.graph["ask_again_s"]) == (name, period_s)
    apart = {"name": None, "ask_again_s": None, "protocol": None}
    by_default = {"load": "bytes"}  # what a design by name states
    assert by_default | graph.graph | apart == base.graph | apart
    assert dict(graph.nodes(data=True)) == dict(base.nodes(data=True))
    assert [*graph.edges] == [*base.edges]


def test_the_page_tells_what_is_run():
    assert ALL_PROFILES == PROFILES
    assert {*CHANGING} == {*PROFILES} - {"static"}
    defaults = {name: field.default for name, field in Scenario.model_fields.items()}
    assert (defaults["memory_start"], defaults["memory_steps"]) == (1 / 4, 8)
    assert (defaults["threshold_mb"], RESERVE_MB) == (0.1, 4)
    assert [case.parameters for case in WINDOWS] == [
        {"first": first, "jobs": 20, "ram": 50} for first in (1621, 3801, 4001, 4621)
    ]
    assert LESS_SCARCE.parameters == {"first": 4621, "jobs": 19, "ram": 65}
    told = "four windows of 20 jobs at 50 % of the RAM, which"
    page = (PAPER.folder / "findings.md").read_text(encoding="utf-8")
    assert told in page
    assert "19 jobs from record 4,621 on at 65 %" in page


def test_every_declared_run_is_bundled_for_five_seeds(bundled, declared_runs):
    declared = declared_runs("changing-memory")
    runs = bundled("changing-memory").runs
    assert len(runs) == len(declared)
    assert {*runs.seed} == {11, 12, 13, 14, 15}
    assert {*runs.design} == {run.design for run in declared}


def test_a_mean_over_windows_is_what_other_code_makes_of_the_stored_runs(bundled):
    """RECLAIM(MAN)'s response time with phases in multiples of disk paging's, by windows."""
    runs = bundled("changing-memory").runs
    some = runs[(runs.memory_profile == "phases") & (runs.ram == 50) & (runs.threshold_mb == 0.1)]
    seconds = some.pivot(index=["first", "seed"], columns="design", values="mean_response_s")
    mean = np.exp(np.log(seconds[AGAIN] / seconds.DP).groupby("first").mean().mean())
    page = (PAPER.folder / "findings.md").read_text(encoding="utf-8")
    (row,) = (line for line in page.splitlines() if line.startswith(f"| phases | {AGAIN} |"))
    assert row.split("|")[3].split()[0] == f"{mean:.2f}"


def test_a_hypothesis_on_the_ramp_is_not_judged_by_phases():
    def of(profile, seconds):
        return [
            (case.but(memory_profile=profile), design, seed, s)
            for case in (*WINDOWS, LESS_SCARCE)
            for design, s in seconds.items()
            for seed in (1, 2)
        ]

    same = dict.fromkeys(("DP", "CLI", "MAN"), 10.0)
    found = measured("changing-memory", *of("ramp", same), *of("phases", {**same, "DP": 20.0}))
    ramp, phases = (finding.judge(found).verdict for finding in PAPER.findings[:2])
    assert (PAPER.in_words(ramp), PAPER.in_words(phases)) == ("confirmed", "confirmed")
    assert "With a ramp, designs" in findings_page(PAPER, found)
