"""The study of what survives: what its table tells of made-up runs, by hand."""

from model.papers.surviving.paper import ALL, CASES, NONE, PAPER, longer
from tests.model.papers.made_up import measured_of, rows


def test_stuck_jobs_are_counted_by_runs_and_times_told_of_those_in_which_all_ended():
    sound, faulty = CASES[NONE][0], CASES[ALL][0]
    found = measured_of(
        "surviving",
        [
            *rows("surviving", *((sound, "MAN", seed, 100.0) for seed in (1, 2))),
            *of(faulty, 1, 50.0, stuck=3),
            *of(faulty, 2, 150.0, stuck=0),
        ],
    )
    assert longer(found, faulty, "MAN").mean == 1.5  # of seed 2; seed 1 hangs
    told = PAPER.named["surviving"](found)
    assert "| MAN | 1.5 (in 1 of 2 runs) | 0.0 (in 0 of 2 runs) |" in told


def of(case, seed, time_s, stuck):
    faults = {"jobs_stuck": stuck, "leaked_mb": 0, "jobs_restarted": 0}
    others = {f"faults.{name}": value for name, value in faults.items()}
    return rows("surviving", (case, "MAN", seed, time_s), **others)
