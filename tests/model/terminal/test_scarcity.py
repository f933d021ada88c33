"""What the command line says of memory before anything runs."""

import shlex
import sys
from pathlib import Path

import pytest

import model
import run
from model.core.comparison import Comparison

# Jobs of 11.3 and 4 MB, which share a node in two time slots: 15.3 MB.
JOBS = """
nodes = 2
ram_mb = 32
designs = "DP,CLI,MAN"
job = [
    { processes = 1, memory_mb = 11.3, demand_s = 5 },
    { processes = 2, memory_mb = 4, demand_s = 5 },
]
"""


@pytest.fixture
def here(here):
    """A folder of its own to work in, with a scenario file."""
    (here / "jobs.toml").write_text(JOBS)
    return here


def test_a_scenario_that_asks_no_question_says_so_and_its_rows_are_one(command, here):
    status, out, err = command("compare --scenario jobs.toml --ram 50 --plane actors")
    assert status == 0
    # At 45 % a node has 14.4 MB, and both jobs are short.
    assert err == (
        "note: memory is short for 0 of 2 jobs: processes that share a node, one in each of 2 time "
        "slots, need at most 15.3 of 16.0 MB, so no node needs to borrow; try --ram 45\n"
    )
    table = out.partition("messages over the network, by kind")[0]
    (row,) = [line for line in table.splitlines() if line.startswith("DP")]
    assert row.startswith("DP, CLI, MAN ")
    assert "nothing was paged" in table
    assert command("compare --scenario jobs.toml --ram 50 --plane actors --quiet") == (0, "", "")


@pytest.mark.parametrize(
    "words",
    [
        "view --scenario jobs.toml --ram 50 --kind story --job 1 --design DP",
        "export --scenario jobs.toml --ram 50 --out records.csv",
        "sweep sweep.toml --workers 1",
        "watch --scenario jobs.toml --ram 50",
    ],
)
def test_whatever_runs_a_scenario_that_asks_no_question_says_so_first(
    command, here, in_this_process, monkeypatch, words
):
    monkeypatch.setattr("model.dashboard.server.serve", lambda *_, before: before())
    jobs = JOBS.replace('designs = "DP,CLI,MAN"', "")
    runs = '[runs.all]\nram = [45, 50, 60]\nseed = [1, 2]\ndesigns = "DP"\n'
    (here / "sweep.toml").write_text(jobs + runs)
    status, _, err = command(words)
    assert status == 0, err
    first, *others = err.splitlines()
    assert first.startswith("note: memory is short for 0 of 2 jobs: ")
    # of the sweep's three scenarios, two; seeds have the same jobs
    assert first.endswith(
        "the same in 1 more of 3 scenarios" if "sweep" in words else "try --ram 45"
    )
    assert not [line for line in others if "short" in line]


def test_python_warns_of_a_scenario_that_asks_no_question(here):
    for call in (model.compare, model.record):
        with pytest.warns(UserWarning, match="memory is short for 0 of 2 jobs") as seen:
            call(scenario_file="jobs.toml", ram=50)
        assert [Path(it.filename).name for it in seen] == ["test_scarcity.py"]


def test_where_memory_is_short_nothing_is_said_and_each_design_has_its_row(command, here):
    status, out, err = command("compare --scenario jobs.toml --ram 30 --plane actors")
    assert (status, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines()[3:6]] == ["DP", "CLI", "MAN"]


def test_a_dry_run_says_what_would_run_and_runs_and_writes_nothing(command, here, monkeypatch):
    monkeypatch.setattr(Comparison, "run", lambda *a, **k: pytest.fail("it runs"))
    words = "compare --scenario jobs.toml --ram 30 --dry-run --out out --journal journal.parquet"
    status, out, err = command(words)
    assert (status, err) == (0, "")
    assert {file.name for file in here.iterdir()} == {"jobs.toml"}
    lines = dict(line.split(maxsplit=1) for line in out.splitlines()[:-1])
    assert lines["designs"] == "3, side by side on the cores: DP, CLI, MAN"
    # One process for 5 s, and two.
    assert lines["jobs"] == "2: 3 processes, 15 s of CPU time, submitted within 0 s, seed 1"
    assert lines["load"] == "all jobs are submitted at once"
    # Job 1 is larger than 9.6 MB; job 2 has a node of its own, and shares the other with it.
    assert lines["memory"].startswith(
        "short for 2 of 2 jobs, as if paging took no time; 1 has processes larger than a node's "
        "9.6 MB of RAM (the largest: 11.3 MB); processes that share a node, one in each of 2 time "
        "slots, need at most 15.3 MB"
    )
    assert lines["plane"].startswith("actors: ")  # every hop is journaled
    assert lines["writes"] == "out, journal.parquet"
    assert out.splitlines()[-1] == "Nothing was run or written"


def test_a_dry_run_rejects_what_a_run_would(refusal, here):
    refused = refusal("compare --scenario jobs.toml --dry-run --designs NOPE")
    assert refused.startswith("error: 'NOPE' is no design")


def test_the_windows_of_the_bundled_trace_and_how_to_run_the_first(command, monkeypatch):
    status, out, err = command("windows --first 4501 --jobs 300 --length 20 --ram 65 --most 3")
    assert (status, err) == (0, "")
    title, _, _, *rows, begins, line = out.splitlines()
    assert begins.startswith("Memory becomes short (for a tenth of the jobs) at --ram ")
    assert "windows of 300 jobs" in title
    assert len(rows) == 3
    short = [int(row.split()[3]) for row in rows]
    assert short == sorted(short, reverse=True)
    first = rows[0].split()[0].replace(",", "")
    assert line == f"uv run run.py compare --first {first} --jobs 20 --ram 65"

    # That many of these jobs are short if they are compared.
    monkeypatch.setattr(sys, "argv", [*shlex.split(line)[2:], "--dry-run"])
    asked = []
    monkeypatch.setattr("builtins.print", lambda *words, **_: asked.append(" ".join(words)))
    assert run.main() == 0
    assert any(f"short for {short[0]} of 20 jobs" in line for line in asked)


def test_the_command_for_a_window_leaves_the_nodes_to_their_file(command, here):
    Path("nodes.toml").write_text("[[node]]\ncount = 64\nram_mb = 30\n")
    words = "windows --first 4501 --jobs 300 --length 20 --ram 65 --node-groups nodes.toml"
    status, out, _ = command(words)
    assert status == 0
    *_, line = out.splitlines()
    given, _, rest = line.partition("  # ")
    assert given.startswith("uv run run.py compare --first ")
    assert given.endswith(" --jobs 20 --ram 65")
    assert rest == "and, for its nodes, --node-groups or --scenario as here"


def test_a_log_without_such_windows_says_so(command):
    status, out, _ = command("windows --first 4501 --jobs 300 --ram 400")
    assert status == 0
    said, *_, line = out.splitlines()
    none, ram = said.split(" --ram ")
    assert none == "No window of 100 jobs is short of memory; try"
    assert line.startswith("uv run run.py compare --first ")  # a window at the RAM that was named
    assert line.endswith(f" --jobs 100 --ram {ram}")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("--scenario jobs.toml", "jobs.toml: lists its jobs; name a log that has windows"),
        ("--length 9000", "--length 9,000: there are 6,055 jobs; give at most that"),
        ("--length 1", "Invalid value for '--length'"),
        ("--trace no.swf", "no.swf: No such file or directory"),
        (
            "--scenario sharing.toml",
            "sharing.toml: system: it is of load sharing, which",
        ),
    ],
)
def test_what_has_no_windows_is_one_line(refusal, here, words, complaint):
    Path("sharing.toml").write_text("system = 'memory'")
    assert complaint in refusal(f"windows {words}")


def test_the_first_record_counts_in_the_log_even_if_it_is_not_in_order(command, here):
    # Records in another order than that of submission: jobs 2 and 3 are large, at 1 and 2 s.
    rows = [(4, 9, 4), (2, 1, 40), (3, 2, 40), (1, 0, 4), (5, 20, 4), (6, 30, 4)]
    lines = [f"{job} {at} 0 5 1 5 {mb * 1024} 1 5 -1 1 1 1 1 1 -1 -1 -1" for job, at, mb in rows]
    Path("mixed.swf").write_text("\n".join(["; MaxProcs: 4", *lines]))
    status, out, _ = command("windows --trace mixed.swf --nodes 4 --length 2")
    assert status == 0
    assert out.splitlines()[-1] == (
        "uv run run.py compare --trace mixed.swf --first 2 --jobs 2 --nodes 4"
    )
