"""Rules of a user's own on the command line: exit statuses, lines, and runs side by side."""

from pathlib import Path

import pytest

LIVELOCKS = Path(__file__).parents[1] / "pnr/explore/livelocks.py"
RULES = """
from model import Monitor, leads_to


class FewGrants(Monitor):
    count = 0

    def sees(self, record):
        self.count += record.kind == "started"
        if record.kind == "started" and self.count > 4:
            return "a process too many starts"


ends = leads_to(lambda r: r.kind == "submitted", lambda r: r.kind == "ended", key=lambda r: r.job)
never = leads_to(lambda r: r.what == "Nothing", lambda r: True)
"""
SCENARIO = """
nodes = 4
ram_mb = 8
job = [{processes = 2, memory_mb = 10, demand_s = 1}, {processes = 4, memory_mb = 3, demand_s = 1}]
"""


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(RULES)
    Path("small.toml").write_text(SCENARIO)


@pytest.mark.parametrize("more", ["--workers 1", "--workers 2", "--journal run.parquet"])
def test_a_broken_rule_is_told_of_each_run_and_by_the_exit_status(command, more):
    status, out, _ = command(
        f"compare --designs MAN,CLI --scenario small.toml --check mine.py {more}"
    )
    lines = [line for line in out.splitlines() if ": rule" in line]
    assert status == 1
    for name, three in zip(("MAN", "CLI"), (lines[:3], lines[3:]), strict=True):
        assert three[0] == f"{name}: rule never is vacuous: no record changed its monitor"
        assert three[1].startswith(f"{name}: rule FewGrants is broken at ")
        assert three[1].endswith("(2 times in all)")
        assert three[2] == f"{name}: rules that held: ends"
    if "--journal" in more:
        status, out, _ = command("check run.parquet --rules mine.py --design CLI --quiet")
        assert (status, out.splitlines()) == (1, [lines[4]])
        assert (
            "--design X: run.parquet has runs of MAN, CLI"
            in command("check run.parquet --rules mine.py --design X")[2]
        )


def test_what_a_run_that_fails_leaves_open_is_no_break(command):
    words = f"compare --designs {LIVELOCKS}:takes_up_one --scenario small.toml --check mine.py"
    status, out, err = command(words)
    assert (status, err.count("\n")) == (2, 1)
    assert ": rule ends is open at the end of an unfinished journal: what must follow" in out


@pytest.mark.parametrize(
    ("words", "text", "told"),
    [
        ("mine.py", RULES, "error: mine.py: what is to be done with it? Give --check mine.py\n"),
        ("--check no.py", RULES, "error: --check no.py: no such Python file\n"),
        ("--check mine.py", "", "error: --check mine.py: it has no rules; derive a class from"),
        ("--check mine.py", RULES.replace(":", ""), "error: mine.py, line 5: SyntaxError: expec"),
        ("--check mine.py", RULES.replace("return", "1 /"), "error: mine.py, line 11, in sees: T"),
    ],
)
def test_what_is_wrong_with_rules_is_one_line(command, words, text, told):
    Path("mine.py").write_text(text)
    status, _, err = command(f"compare --designs MAN,CLI --scenario small.toml {words}")
    assert (status, err.count("\n")) == (2, 1)
    assert err.startswith(told)
