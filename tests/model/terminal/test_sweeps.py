"""A sweep from the command line: it loses nothing and repeats nothing, whatever is done to it."""

import json
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pandas as pd
import pytest

from model.ground.errors import InputError
from model.papers.study import Study, study_of
from model.sweeps.durations import Durations
from model.sweeps.execution import TRIES, LocalProcesses
from model.sweeps.identity import model_version
from model.sweeps.results import load_jobs, load_results
from model.sweeps.store import Store
from model.sweeps.sweep import load_sweep
from tests.processes import all_end, descendants

SMALL = """
nodes = 4
page_bytes = 1048576
[[job]]
processes = 4
memory_mb = 40
demand_s = {demand_s}
[[job]]
processes = 2
memory_mb = 10
demand_s = {demand_s}
[runs.all]
designs = ["DP", "MAN"]
ram = [100, 50]
[runs.again]
designs = "MAN"
"""

# A design that lets its worker die, or fails there, as often as a file beside it says.
TRAPS = """
import multiprocessing, os, signal
from pathlib import Path
import networkx as nx

def _times(name):
    file = Path(__file__).with_name(name)
    left = int(file.read_text()) if multiprocessing.parent_process() else 0
    file.write_text(str(left - 1)) if left else None
    return left

def deadly(nodes):
    if _times("deaths"):
        os.kill(os.getpid(), signal.SIGKILL)
    return nx.empty_graph(nodes, create_using=nx.DiGraph)

def broken(nodes):
    if _times("bugs"):
        raise RuntimeError("a bug")
    return nx.empty_graph(nodes, create_using=nx.DiGraph)
"""


@pytest.fixture
def here(here):
    (here / "small.toml").write_text(SMALL.format(demand_s=2))
    return here


def stored(name: str) -> dict[str, float]:
    """How long each run took whose result is in the file: it tells one time from another."""
    results, _ = Store(Path("results") / name).results([model_version()])
    return {result["key"]: result["took_s"] for result in results}


def test_a_sweep_is_done_once_and_tabulated(command, here):
    status, out, err = command("sweep small.toml --dry-run")
    assert (status, err) == (0, "")
    assert "4 runs, 0 of them stored" in out
    assert out.endswith(" (estimated)\n")
    assert not Path("results").exists()

    assert command("sweep small.toml --workers 2 --quiet") == (0, "", "")
    first = stored("small")
    assert len(first) == 4
    status, out, err = command("sweep small.toml")
    assert (status, out, err) == (0, "", "4 of 4 runs are in results/small\n")
    assert stored("small") == first
    told = "4 runs, 4 of them stored. The others take about 0.00 h on one core, 0.00 h on 2\n"
    assert command("sweep small.toml --dry-run --workers 2")[1].endswith(told)

    # it says what a comparison says
    text = SMALL.format(demand_s=2).partition("[runs.all]")[0]
    Path("scenario.toml").write_text(text)
    assert command("compare --scenario scenario.toml --designs DP,MAN --out out --quiet")[0] == 0
    summaries = json.loads(Path("out/summary.json").read_text())["runs"]
    table = load_results("results/small")
    for summary in summaries:
        row = table[(table.design == summary["design"]) & (table.ram == 100)].iloc[0]
        for name in ("mean_response_s", "optimization_ratio_pct", "faults_disk", "events", "pcs"):
            assert row[name] == summary[name]
        assert row["messages.RamRequest"] == summary["messages"]["RamRequest"]
        assert row["breakdown.waiting_s"] == summary["breakdown"]["waiting_s"]
        jobs = load_jobs(Path("results/small"), row.key)
        assert jobs.response_ns.mean() / 10**9 == pytest.approx(row.mean_response_s)
    stations = pd.read_csv("out/stations.csv")
    disks = stations[(stations.design == "DP") & stations.station.str.startswith("disk")]
    row = table[(table.design == "DP") & (table.ram == 100)].iloc[0]
    assert row["stations.disks.utilization_max"] == pytest.approx(disks.utilization.max())
    mean_s = (disks.mean_wait_s * disks.messages).sum() / disks.messages.sum()
    assert row["stations.disks.wait_mean_s"] == pytest.approx(mean_s)
    assert table.groupby("conditions").ram.nunique().tolist() == [1, 1]

    status, out, err = command("results results/small --runs")
    assert (status, err) == (0, "")
    assert [line.split()[:2] for line in out.splitlines() if line[:3] in ("DP ", "MAN")] == [
        *(["DP", "50"], ["MAN", "50"], ["DP", "100"], ["MAN", "100"])
    ]
    assert command("results results/small --where design=man --csv all.csv --parquet all.parquet")
    for written in (pd.read_csv("all.csv"), pd.read_parquet("all.parquet")):
        assert written.design.tolist() == ["MAN", "MAN"]
        assert written.ram.tolist() == [50, 100]


def test_damage_is_reported_and_run_again(command, here, in_this_process):
    command("sweep small.toml --quiet")
    first = stored("small")
    whole = load_results(Path("results/small"))
    victim, file = next(iter(first)), Path("results/small/results.sqlite")
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("UPDATE runs SET result = '{}' WHERE key = ?", (victim,))
    status, out, err = command("results results/small --runs")
    assert status == 0
    assert err.count("\n") == 1
    told = f"warning: {file}: the result of run {victim} is damaged; "
    assert err == f"{told}run the sweep again\n"
    status, out, err = command("sweep small.toml --quiet")
    assert (status, out) == (0, "")
    assert err == f"{told}it runs again\n"
    second = stored("small")
    assert {key for key in first if first[key] != second[key]} == {victim}
    clocks = ["took_s", "wall_s"]
    pd.testing.assert_frame_equal(
        load_results(Path("results/small")).drop(columns=clocks), whole.drop(columns=clocks)
    )


def test_progress_for_a_program(command, here, in_this_process):
    status, out, _ = command("sweep small.toml --json-lines")
    assert status == 0
    events = [json.loads(line) for line in out.splitlines()]
    assert [event["event"] for event in events] == ["start", *["done"] * 4, "end"]
    assert [event["done"] for event in events] == [0, 1, 2, 3, 4, 4]
    assert [event["left"] for event in events[:-1]] == [4, 3, 2, 1, 0]
    assert all(event["running"] <= event["left"] for event in events[:-1])
    out = command("sweep small.toml --dry-run --json-lines")[1]
    plan = [json.loads(line) for line in out.splitlines()]
    assert [line["parts"] for line in plan] == [["all"], ["all", "again"], ["all"], ["all"]]
    assert {line["key"] for line in plan} == {event["key"] for event in events[1:-1]}
    assert all(line["stored"] for line in plan)


def test_what_a_log_does_not_say_is_said_once_for_all_runs(command, here, in_this_process):
    (here / "log.swf").write_text("; MaxProcs: 4\n0 0 0 2 4 2 -1 4\n1 1 0 2 2 2 20480 2\n")
    (here / "log.toml").write_text(
        'trace = "log.swf"\nnodes = 4\npage_bytes = 1048576\n'
        '[runs.all]\ndesigns = ["DP", "MAN"]\nseed = [1, 2]\n'
    )
    status, _, err = command("sweep log.toml --quiet")
    assert status == 0
    told = "lacks, of 2 jobs: memory of 1 (50%; 20 MB is taken)"
    assert err == f"note: {here}/log.swf {told}\n"


def test_workers_that_die_and_runs_that_fail_stop_nothing_else(command, here, monkeypatch):
    (here / "traps.py").write_text(TRAPS)
    designs = "designs = ['DP', 'traps.py:deadly', 'traps.py:broken', 'CLI', 'MAN']"
    text = SMALL.format(demand_s=2).partition("[runs.all]")[0]
    (here / "traps.toml").write_text(f"{text}[runs.all]\n{designs}\n")
    (here / "deaths").write_text(str(TRIES - 1))  # the last try will do
    (here / "bugs").write_text("1")
    status, out, _ = command("sweep traps.toml --workers 2 --json-lines")
    events = [json.loads(line) for line in out.splitlines()]
    assert status == 1
    failed = [event for event in events if event["event"] == "failed"]
    assert [Path(event["run"]["design"]).name for event in failed] == ["BROKEN"]
    assert events[-1] == {"event": "end", "done": 4, "failed": 1}
    assert "1 runs have failed (--failures says why)" in command("results results/traps")[2]
    out = command("results results/traps --failures")[1]
    assert out.startswith("design=BROKEN, ")
    assert ": traps.py, line 19, in broken: RuntimeError: a bug\n" in out
    assert 'raise RuntimeError("a bug")' in out
    with monkeypatch.context() as newer:  # of the code before it was mended they are no news
        newer.setattr("model.sweeps.results.model_version", lambda *system: "newer")
        told = command(f"results results/traps --model-version {model_version()}")[2]
        assert "1 runs have failed" in told
        assert "have failed" not in command("results results/traps")[2]

    # it is tried again, and what was done is not; a worker may not die for ever
    first = stored("traps")
    assert command("sweep traps.toml --quiet") == (0, "", "")
    assert first.items() < stored("traps").items()
    assert command("results results/traps --failures")[1] == ""
    (here / "deaths").write_text(str(TRIES))
    runs = [run for run in load_sweep("traps.toml").runs.values() if "deadly" in run.design.lower()]
    ((_, failure),) = LocalProcesses(1).outcomes(runs)
    assert failure.error == f"its process was killed (SIGKILL), the last of {TRIES} that tried"


def test_what_is_not_to_be_run_is_not_checked(command, refusal, here):
    """One of two parts asks for records that the log does not have; the plan has the other."""
    parts = "[runs.good]\njobs = [1, 2]\n[runs.bad]\nfirst = 6001\njobs = 1000\n"
    (here / "two.toml").write_text(f'designs = ["DP"]\n{parts}')
    (here / "lost.toml").write_text('designs = ["DP"]\n[runs.one]\ntrace = "lost.swf"\n')
    status, out, err = command("sweep two.toml --part good --dry-run")
    assert (status, err) == (0, "")
    assert "good" in out
    assert "bad" not in out
    for words, says in {
        "two.toml --dry-run": "reaches beyond",
        "lost.toml": "lost.swf: No such file or directory; give a readable file",
    }.items():
        assert says in refusal(f"sweep {words}")


def test_a_full_disk_stops_it_with_one_line_and_it_goes_on(
    command, here, in_this_process, monkeypatch
):
    put = Store.put

    def full(self, result):
        if len(stored("small")) == 2:
            raise InputError(f"{self.file}: database or disk is full")
        put(self, result)

    with monkeypatch.context() as patch:
        patch.setattr(Store, "put", full)
        status, out, err = command("sweep small.toml --quiet")
    assert (status, out) == (1, "")
    assert err == (
        "error: results/small/results.sqlite: database or disk is full; "
        "2 of 4 runs are in results/small; "
        "start it again to go on\n"
    )
    first = stored("small")
    assert command("sweep small.toml --quiet") == (0, "", "")
    assert first.items() < stored("small").items()


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_killed_or_interrupted_it_leaves_no_process_and_goes_on(
    command, start, here, in_this_process, how
):
    (here / "long.toml").write_text(SMALL.format(demand_s=120) + "seed = [1, 2, 3, 4]\n")
    process = start("sweep long.toml --workers 2 --json-lines")
    with process.stdout, process.stderr:
        while json.loads(process.stdout.readline())["event"] != "done":
            pass
        family = descendants(process.pid)
        assert len(family) >= 3  # two workers, and who forks them
        process.send_signal(how)
        said = process.stderr.read()
        process.wait(timeout=120)
    if how == signal.SIGINT:
        assert process.returncode == 130
        assert said.startswith("error: interrupted; ")
        assert said.count("\n") == 1
    assert all_end(family)
    first = stored("long")
    assert 0 < len(first) < 7
    assert command("sweep long.toml --quiet") == (0, "", "")
    second = stored("long")
    assert len(second) == 7
    assert first.items() < second.items()


@pytest.mark.parametrize(
    ("words", "culprit"),
    [
        ("sweep", "FILE"),
        ("sweep small.toml --workers 0", "--workers"),
        ("sweep small.toml --out small.toml", "--out small.toml"),
        ("results", "FOLDER"),
        ("results nowhere", "nowhere: no such folder"),
        ("sweep small.toml --half-width -1 --dry-run", "--half-width -1"),
        ("sweep small.toml --missing", "--missing: no results of small.toml"),
        ("sweep memory --missing --half-width 1", "--half-width"),
    ],
)
def test_bad_input_is_one_line_that_names_the_culprit(refusal, words, culprit):
    assert culprit in refusal(words)


def test_only_what_the_bundled_results_lack_is_done(command, monkeypatch):
    bundled = study_of("knowing-memory").in_brief()
    monkeypatch.setattr(Study, "in_brief", lambda study: bundled[1:])
    status, out, _ = command("sweep knowing-memory --missing --dry-run --json-lines")
    (lost,) = (json.loads(line)["run"] for line in out.splitlines())
    first = bundled.iloc[0]
    assert status == 0
    assert (lost["design"], lost["seed"], lost["first"]) == (
        first.design,
        first.seed,
        first["first"],
    )


def test_results_of_another_version_are_not_mixed_in(command, here, in_this_process, monkeypatch):
    command("sweep small.toml --quiet")
    version = load_results(Path("results/small"))
    monkeypatch.setattr("model.sweeps.results.model_version", lambda *system: "newer")
    status, out, err = command("results results/small --runs")
    assert (status, out) == (2, "")
    assert "4 results of model version" in err
    assert "no results of version newer" in err
    told = err.split("version ")[1].split()[0]
    pd.testing.assert_frame_equal(load_results(Path("results/small"), told), version)


SIMILAR = """
designs = ["DP", "MAN"]
seed = [1, 2, 3, 4]
ram = [200, 50]
nodes = 4
job = [{ processes = 2, memory_mb = 40, demand_s = 1000 }]
[runs.all]
"""


def test_estimates_follow_what_runs_of_the_design_took(here):
    (here / "similar.toml").write_text(SIMILAR)
    runs = [*load_sweep("similar.toml").runs.values()]
    assert len(runs) == 16
    alone = Durations(runs, {})

    def run(design, seed, ram):
        (found,) = (it for it in runs if (design, seed, ram) == (it.design, *of_run(it)))
        return found

    def of_run(run):
        return run.scenario.seed, run.scenario.ram

    def took(times, seed, **summary):
        stored = run("DP", seed, 200)
        return {stored.key: {"summary": summary, "took_s": times * alone.of(stored)}}

    assert alone.of(run("DP", 1, 200)) == alone.of(run("DP", 4, 200))  # seeds are alike
    assert alone.of(run("DP", 1, 50)) > 1.5 * alone.of(run("DP", 1, 200))  # much more is paged
    stored = took(9, 1) | took(10, 2) | took(90, 3)
    for like in (run("DP", 4, 50), run("MAN", 1, 50)):  # of another design, if nothing is stored
        assert Durations(runs, stored).of(like) == pytest.approx(10 * alone.of(like))
    given_up = took(9, 1, beyond={"response_s": 5000, "jobs": 0})
    assert Durations(runs, given_up).of(run("DP", 2, 200)) == alone.of(run("DP", 2, 200))
