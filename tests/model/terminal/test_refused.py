"""Options that would do nothing beside others, or without them, and numbers that are none."""

import pytest


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("explore MAN --table --out t.parquet", "--table and --out: give one of them"),
        ("explore MAN --random 5 --all-rules", "--random and --all-rules: give one of them"),
        ("explore MAN --page p.html --memory-gb 2", "--page and --memory-gb: give one of them"),
        ("explore --replay a.parquet --loss 1", "--replay and --loss: give one of them"),
        ("explore --replay a.parquet --rules quiet", "--replay and --rules: give one of them"),
        ("explore MAN --for-ever", "--for-ever: needs --crashes"),
        ("watch --explore MAN --all-rules", "--explore and --all-rules: give one of them"),
        ("live --runs 2", "--runs: needs --against"),
        ("live --calibrate a.toml --against b.toml", "--calibrate and --against: give one of them"),
        ("results stored --runs --measure speed", "--runs and --measure: give one of them"),
        ("sweep thesis --most 5 --dry-run", "--most: needs --half-width"),
        ("sweep thesis --dask there:1 --workers 2", "--dask and --workers: give one of them"),
        ("papers check --seed 3", "--seed: needs --rerun"),
        ("explore MAN --memory-gb inf", "'--memory-gb'"),
        (f"explore MAN --states {10**20}", "'--states'"),
        ("sweep thesis --half-width nan --dry-run", "--half-width: give a number (not nan)"),
        ("live --timeout-s nan", "'--timeout-s'"),
    ],
)
def test_what_would_do_nothing_is_one_line(refusal, here, words, told):
    assert told in refusal(words)
    assert [*here.iterdir()] == []
