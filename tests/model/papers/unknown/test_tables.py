"""What the page says beside its findings, from results whose numbers are known."""

from model.papers.cases import Case
from model.papers.unknown.figures import MIGRATION
from model.papers.unknown.paper import TABLES
from tests.model.papers.made_up import lines_of, measured_of, rows

TRACE_1, FIRST = Case(trace="1"), Case(trace="1", age="cpu")


def page(*runs, **others):
    every = {"jobs": 100, "killed": 0, "migrations": 50, "remote_submissions": 10, MIGRATION: 1.0}
    return lines_of(TABLES, measured_of("unknown", rows("unknown", *runs, **{**every, **others})))


def test_a_migration_takes_along_what_its_time_says():
    # 40 MB take 40 · 2^20 · 8 / 10^7 = 33.554 s and r; 50 of them, and 10 submissions of r.
    mean_s = (50 * (40 * 2**20 * 8 / 10**7 + 0.1) + 10 * 0.1) / 100
    runs = [(TRACE_1, "WORKSIZE", seed, 2.0) for seed in (501, 502)]
    text = page(*runs, **{MIGRATION: mean_s})
    assert "| 1 | MB a migration | not run | 40.00 (40.00 to 40.00) | not run | not run |" in text
    assert "| 1 | migrations a job | not run | 0.50 (0.50 to 0.50) | not run | not run |" in text


def test_migrations_are_compared_over_common_seeds():
    # Seed 502 has one policy alone, and does not count: 50 migrations for 100 jobs, not 75.
    runs = [(TRACE_1, "AGE", 501, 2.0), (TRACE_1, "AGE", 502, 2.0), (TRACE_1, "WORKSIZE", 501, 2.0)]
    made = rows("unknown", *runs, jobs=100, killed=0, remote_submissions=10, **{MIGRATION: 1.0})
    for row in made:
        row["migrations"] = 100 if row["seed"] == 502 else 50
    text = lines_of(TABLES, measured_of("unknown", made))
    assert "| 1 | migrations a job | not run | 0.50 | 0.50 | not run |" in text


def test_readings_are_compared_over_common_seeds():
    # Seed 501 has both: 6 is 3 times 2; 503 has only the page's reading, and does not count.
    runs = [(TRACE_1, "AGE", 501, 2.0), (TRACE_1, "AGE", 503, 9.0), (FIRST, "AGE", 501, 6.0)]
    row = next(line for line in page(*runs).splitlines() if "CPU time, and" in line)
    assert row.split(" | ")[1:] == ["1", "not run", "not run", "not run", "3.00", "not run |"]


def test_no_ls_completes_what_is_not_killed():
    text = page((TRACE_1, "NO_LS", 501, 2.0), (TRACE_1, "NO_LS", 502, 2.0), killed=30)
    assert "| 1 | 70.00 (70.00 to 70.00) | not run |" in text
