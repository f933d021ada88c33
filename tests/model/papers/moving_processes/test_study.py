"""Our study of moving memory or processes: what was run, and numbers of its page by other code."""

import numpy as np

from model.papers.knowing_memory.paper import WINDOWS as KNOWING
from model.papers.moving_processes.paper import (
    BORROWING,
    BOTH,
    LARGER,
    LESS_SCARCE,
    MOVING,
    NEITHER,
    PAPER,
    WINDOWS,
    moving_pct,
)
from tests.model.papers.made_up import measured


def test_the_page_tells_what_is_run():
    assert (NEITHER, BORROWING) == ("DP", "MAN")
    assert (f"MIGRATE({NEITHER})", f"MIGRATE({BORROWING})") == (MOVING, BOTH)
    assert [case.parameters for case in (*WINDOWS, LESS_SCARCE)] == [
        *({"first": first, "jobs": 20, "ram": 50} for first in (1621, 3801, 4001, 4621)),
        {"first": 4621, "jobs": 19, "ram": 65},
    ]
    assert [case.parameters for case in LARGER] == [case.parameters for case in KNOWING]


def test_time_on_the_way_is_a_part_of_the_response_time():
    found = measured(
        "moving-processes",
        *((LESS_SCARCE, MOVING, seed, 200.0) for seed in (1, 2)),
        **{"breakdown.moving_s": 3.0},
    )
    assert moving_pct(found, LESS_SCARCE, MOVING).mean == 1.5
    assert moving_pct(found, LESS_SCARCE, BOTH) is None


def test_a_mean_over_windows_is_what_other_code_makes_of_the_stored_runs(bundled):
    """The response time with both, over the slow network, in multiples of disk paging's."""
    runs = bundled("moving-processes").runs
    assert len(runs) == ((len(WINDOWS) + 1) * 2 + len(LARGER)) * 5 * 4
    some = runs[(runs.bandwidth_mbps == 10) & (runs.ram == 50)]
    seconds = some.pivot(index=["first", "seed"], columns="design", values="mean_response_s")
    mean = np.exp(np.log(seconds[BOTH] / seconds[NEITHER]).groupby("first").mean().mean())
    page = (PAPER.folder / "findings.md").read_text(encoding="utf-8")
    (row,) = (
        line
        for line in page.splitlines()
        if line.startswith(f"| 20 jobs, 50 % RAM, 10 Mbps | {BOTH} |")
    )
    assert row.split("|")[3].split()[0] == f"{mean:.2f}"
