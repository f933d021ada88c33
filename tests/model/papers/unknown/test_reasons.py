"""Why findings differ: the numbers that a reason tells, from results whose numbers are known."""

from model.papers.page import findings_page
from model.papers.unknown.figures import ALL_TRACES, MIGRATION, PAGING, QUEUEING
from model.papers.unknown.paper import HIGHEST, LOWEST, PAPER
from tests.model.papers.made_up import measured_of, rows


def made(case, policy, **others):
    nothing = {"jobs": 100, "killed": 0, "migrations": 0, "remote_submissions": 0, MIGRATION: 0.0}
    return rows("unknown", (case, policy, 501, 2.0), **{**nothing, **others})


def page(*runs):
    return findings_page(PAPER, measured_of("unknown", [row for run in runs for row in run]))


def test_what_a_threshold_costs_is_told_at_the_lowest_and_the_highest():
    runs = [
        made(LOWEST, "WORKSIZE", **{PAGING: 300.0, QUEUEING: 50.0}),
        made(HIGHEST, "WORKSIZE", **{PAGING: 900.0, QUEUEING: 70.0}),
    ]
    assert "from -15 to 15 %, paging from 300 to 900 s and queueing from 50 to 70 s" in page(*runs)
    assert "A node is oversized" not in page(runs[0])


def test_how_often_jobs_migrate_is_told_at_the_lowest_and_the_highest_threshold():
    runs = [
        made(case, policy, migrations=migrations)
        for policy, counts in (("AGE", (200, 150)), ("PF_RATE", (170, 100)))
        for case, migrations in zip((LOWEST, HIGHEST), counts, strict=True)
    ]
    told = "from 2.0 to 1.5 times a job under AGE and from 1.7 to 1.0 times a job under PF_RATE"
    assert told in page(*runs)
    assert "migrate less often, from" not in page(*runs[:3])


def test_all_that_a_faster_link_can_save_is_told_as_a_share_of_time():
    shares = (0.045, 0.041, 0.039)
    runs = [
        made(case, "WORKSIZE", **{"shares.migration_s": share})
        for case, share in zip(ALL_TRACES, shares, strict=True)
    ]
    assert "migrates for 4.5, 4.1, 3.9 % of its time" in page(*runs)
    assert "a faster link can save" not in page(*runs[:2])
