"""The command line from end to end: results, tables, figures, journals, flows, and bad input."""

import gzip
import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest
from matplotlib.image import imread

import model.terminal.comparison
from model.pnr.scenario import Scenario, make_scenario
from model.views.offered import PICTURES, TEXTS
from run import MOVED

ROOT = Path(__file__).parents[1]
# Records of a machine of 8: number, submit, wait, run, processors, cpu, memory in KB, …, status
TRACE = """; MaxProcs: 8
10 0 0 4 3 3 40960 -1 -1 -1 1
11 0 0 3 4 2 24576 -1 -1 -1 1
12 1 0 2 6 1 20480 -1 -1 -1 1
13 1 0 2 1 1 4096 -1 -1 -1 1
14 2 0 2 8 1 4096 -1 -1 -1 1
"""
FAST = "page_bytes = 1048576\nquantum_s = 1\n"  # few faults, several time slots
RUN_KEYS = {
    *("design", "seed", "jobs", "mean_response_s", "optimization_ratio_pct", "sim_end_s"),
    *("faults_disk", "faults_network", "messages", "bytes", "pcs", "allocated_mb_mean"),
    *("allocated_mb_sd", "disk_mb_mean", "events", "wall_s"),
}
JOB_COLUMNS = [
    *("design", "job", "submit_s", "start_s", "end_s", "response_s", "wait_s", "processes"),
    *("memory_mb", "demand_s"),
]
STATION_COLUMNS = [
    *("design", "station", "kind", "messages", "bytes", "utilization"),
    *("mean_wait_s", "max_wait_s"),
]
KINDS = {
    *("PageRequest", "PageReply", "BarrierArrive", "BarrierRelease", "RamRequest"),
    *("ServerRequest", "ServerReply", "RamGrant", "LoadBroadcast", "ReleaseNotice"),
    *("ServerRelease", "ReleaseAck"),
}


@pytest.fixture
def here(here):
    """A folder of its own to work in, with a trace and a scenario file."""
    (here / "log.swf").write_text(TRACE)
    (here / "fast.toml").write_text(FAST)
    return here


@pytest.fixture(scope="module")
def results(start, tmp_path_factory):
    """The folder of a comparison that uses every option of the contract."""
    folder = tmp_path_factory.mktemp("results")
    (folder / "log.swf.gz").write_bytes(gzip.compress(TRACE.encode()))
    (folder / "fast.toml").write_text(FAST + "nodes = 4\n")
    options = (
        "--designs CLI,DP,CEN,MAN,BB16 --trace log.swf.gz --jobs 3 --first 2 --nodes 64 --ram 90 "
        "--bandwidth-mbps 1000 --topology star --scheduler gang --demand runtime "
        "--load-factor 2 --seed 3 "
        "--plane actors --out deep/results --scenario fast.toml --check --quiet "
        "--journal journal.parquet"
    )
    process = start(f"compare {options}", cwd=folder)
    assert (*process.communicate(), process.returncode) == ("", "", 0)
    return folder / "deep" / "results"


def test_the_summary_keeps_its_contract(results):
    summary = json.loads((results / "summary.json").read_text())
    assert set(summary) >= {"scenario", "runs"}
    assert sorted(run["design"] for run in summary["runs"]) == ["BB16", "CEN", "CLI", "DP", "MAN"]
    for run_ in summary["runs"]:
        assert set(run_) >= RUN_KEYS
        assert set(run_["messages"]) == set(run_["bytes"]) == KINDS
        assert (run_["seed"], run_["jobs"]) == (3, 3)
        assert run_["faults_disk"] + run_["faults_network"] > 0
        assert (run_["optimization_ratio_pct"] == 0) == (run_["design"] == "DP")


def test_the_summary_states_the_scenario_so_that_it_can_be_run_again(results):
    stated = json.loads((results / "summary.json").read_text())["scenario"]
    again = Scenario(**stated)
    assert (again.nodes, again.ram, again.bandwidth_mbps, again.seed) == (64, 90, 1000, 3)
    assert (again.first, again.jobs, again.load_factor, again.demand) == (2, 3, 2, "runtime")
    assert again.page_bytes == 2**20  # from the file; its 4 nodes lost to the option


def test_the_tables_keep_their_contract(results):
    jobs = pd.read_csv(results / "jobs.csv")
    assert list(jobs.columns)[: len(JOB_COLUMNS)] == JOB_COLUMNS
    assert list(jobs[jobs.design == "MAN"].job) == [11, 12, 13]
    first = jobs[(jobs.design == "DP") & (jobs.job == 12)].iloc[0]
    # record 12: 1 s after 11, halved by the load factor; 6 · 64/8 processes of 20 MB, 2 s of run
    # time
    assert (first.submit_s, first.processes, first.memory_mb, first.demand_s) == (0.5, 48, 20, 2)
    summary = json.loads((results / "summary.json").read_text())
    for run_ in summary["runs"]:
        mean_s = jobs[jobs.design == run_["design"]].response_s.mean()
        assert run_["mean_response_s"] == pytest.approx(mean_s)

    stations = pd.read_csv(results / "stations.csv")
    assert list(stations.columns) == STATION_COLUMNS
    paging = stations[stations.design == "DP"]
    assert len(paging) == 64 + 1 + 64  # links, the switch, disks
    assert paging.utilization.between(0, 1).all()


def test_the_figures_are_pictures(results):
    names = {file.name for file in results.iterdir()}
    assert names == {
        *("summary.json", "jobs.csv", "stations.csv"),
        *("response_time.png", "optimization_ratio.png"),
    }
    for name in ("response_time.png", "optimization_ratio.png"):
        picture = imread(results / name)
        assert picture.min() < picture.max()  # not a blank page


def test_the_journal_is_there(results):
    journal = pq.read_table(results.parents[1] / "journal.parquet")
    assert set(journal["design"].to_pylist()) == {"DP", "CLI", "CEN", "MAN", "BB16"}
    assert {"sent", "hop", "delivered", "disk"} <= set(journal["kind"].to_pylist())


def test_the_bare_command_compares_the_designs_on_the_bundled_trace(command, monkeypatch):
    asked = []
    monkeypatch.setattr(
        model.terminal.comparison, "run_comparison", lambda **options: asked.append(options)
    )
    assert command("") == (0, "", "")
    [options] = asked
    assert options["scenario"] == Scenario()
    assert not any(options[name] for name in ("out", "report", "journal", "check", "quiet"))


def test_a_comparison_prints_its_tables(command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    words = "compare --trace log.swf --nodes 8 --designs DP,MAN --scenario fast.toml --check"
    status, out, err = command(words)
    assert (status, err) == (0, "")
    for heading in (
        "response, s",
        "below DP, %",
        "disk faults",
        "network faults",
        "protocol messages",
    ):
        assert heading in out
    for design in ("DP", "MAN"):
        assert f"\n{design} " in out
    assert "ServerRequest" not in out
    assert "chance alone makes up to 10 %" in out


def test_a_comparison_shows_kinds_of_messages_when_asked(command):
    words = "compare --trace log.swf --nodes 8 --designs CLI,MAN --scenario fast.toml --messages"
    out = command(words)[1]
    assert "PCS" in out
    assert "ServerRequest" in out
    assert "below DP" not in out  # which is not there


RING = """
import networkx as nx

def ring(nodes):
    graph = nx.cycle_graph(nodes, create_using=nx.DiGraph)
    nx.set_node_attributes(graph, True, "manager")
    return graph

def wheel(nodes):
    return nx.cycle_graph(nodes)

"""
SMALL = "compare --trace log.swf --nodes 8 --scenario fast.toml --quiet --out out"


GOOD = "compare --trace log.swf --nodes 8 --designs DP --quiet"


@pytest.mark.parametrize(
    ("arguments", "culprit"),
    [
        # the trace
        ("compare --trace nowhere.swf", "nowhere.swf"),
        ("compare --trace binary.swf", "binary.swf"),
        (GOOD + " --trace large.swf", "job 1 has 16 processors"),
        # values
        (GOOD + " --nodes eight", "--nodes"),
        (GOOD + " --plane steam", "--plane"),
        # designs and topologies
        (GOOD + " --designs DP,FOO", "'FOO'"),
        (GOOD + " --designs mine.py:wheel", "mine.py:wheel"),
        (GOOD + " --designs broken.py:ring", "broken.py, line 1"),
        # files to write
        (GOOD + " --out log.swf/results", "--out log.swf/results"),
        (GOOD + " --journal nowhere/journal.parquet", "--journal nowhere/journal.parquet"),
        (GOOD + " --journal folder", "--journal folder"),
        (GOOD + " --report nowhere/page.html", "--report nowhere/page.html"),
        (GOOD + " --report one --journal one", "one cannot be both"),
        (GOOD + " --report bus.parquet", "--report bus.parquet: a page is written as .html"),
        # the scenario file
        (GOOD + " --scenario log.swf", "log.swf"),
        (GOOD + " --scenario unknown.toml", "unknown.toml: colour"),
        # commands and options
        ("compete", "compete"),
        ("compare --colour red", "--colour"),
        (GOOD + " --out results --ram", "--ram"),
        ("compare everything", "everything"),
        ("view --kind nonsense", "'nonsense' is not one of 'sequence'"),
        ("view --trace log.swf --nodes 8 --job ten", "--job"),
    ],
)
def test_bad_input_is_one_line_that_names_the_culprit(refusal, here, arguments, culprit):
    (here / "binary.swf").write_bytes(bytes(range(256)))
    (here / "large.swf").write_text("; MaxProcs: 8\n1 0 0 4 16 3 4096\n")
    (here / "mine.py").write_text(RING)
    (here / "broken.py").write_text("def ring(nodes:\n")
    (here / "unknown.toml").write_text("colour = 'red'\n")
    (here / "folder").mkdir()
    before = {path: path.stat().st_size for path in here.rglob("*")}
    if arguments.startswith("compare") and "--out" not in arguments:
        arguments += " --out results"
    assert culprit in refusal(arguments)
    results = here / "results"
    assert not results.exists() or not list(results.iterdir())
    left = [p for p in here.rglob("*") if p != results and "__pycache__" not in p.parts]
    assert {p: p.stat().st_size for p in left} == before


FAULTS = "[[fault]]\nkind = 'loss'\nrate = 0.01\n"


@pytest.mark.parametrize(
    ("words", "replaced"),
    [
        ("compare --trace log.swf --journal ./log.swf", "log.swf"),
        ("compare --trace log.swf --faults lost.toml --journal lost.toml", "lost.toml"),
        ("compare --trace log.swf --designs DP,mine.py:ring --journal mine.py", "mine.py"),
        ("compare --trace jobs.csv --out . --dry-run", "jobs.csv"),
        ("export --trace log.swf --job 10 --out link.swf", "log.swf"),
        ("live --trace log.swf --calibrate log.swf", "log.swf"),
    ],
)
def test_no_output_replaces_a_file_that_is_read(refusal, here, words, replaced):
    (here / "lost.toml").write_text(FAULTS)
    (here / "mine.py").write_text(RING)
    (here / "jobs.csv").write_text(TRACE)
    (here / "link.swf").symlink_to("log.swf")
    before = {path: path.read_text() for path in here.iterdir()}
    assert f"replaces {replaced}, which is read" in refusal(f"{words} --nodes 8")
    assert {path: path.read_text() for path in here.iterdir()} == before


def test_ctrl_c_leaves_nothing_that_looks_whole(start, here):
    # Several designs of a second or so each. The journal of the first is written when the second
    # begins: then one design has ended, and the others have not. Only its journal is kept.
    (here / "long.toml").write_text(
        "nodes = 8\ndesigns = 'DP,CEN,MAN,BB2,BB4,BB8'\n"
        "[[job]]\nprocesses = 8\nmemory_mb = 40\ndemand_s = 20\n"
    )
    words = "compare --scenario long.toml --out results --journal journal.parquet --quiet"
    process = start(f"{words} --journal-level protocol")
    while process.poll() is None and not any(
        part.stat().st_size > 1000 for part in here.glob(".unfinished-*/journal.parquet")
    ):
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "Traceback" not in err
    ended = re.fullmatch(
        r"error: interrupted; (\d) of 6 designs had ended; journal.parquet has their journals\n",
        err,
    )
    assert ended
    assert out == ""
    assert not [*here.glob(".unfinished-*")]
    journal = pq.read_table("journal.parquet")
    whole = [f"{design}" for design in ("DP", "CEN", "MAN", "BB2", "BB4")][: int(ended[1])]
    assert journal["design"].unique().to_pylist() == whole
    assert journal["kind"].to_pylist().count("ended") == len(whole)
    names = {file.name for file in (here / "results").iterdir()}
    assert names
    assert all(name.startswith("partial-") for name in names)
    partial = json.loads((here / "results" / "partial-summary.json").read_text())
    assert partial["runs"][0]["design"] == "DP"
    assert len(partial["runs"]) < 6


def test_waste_is_printed_if_wanted_and_in_the_summary_in_any_case(command):
    words = SMALL.replace("--quiet", "") + " --designs DP,CLI"
    _, out, _ = command(f"{words} --waste")
    for heading in ("refused", "outdated", "error, MB", "regret, MB", "unmet while idle, MB s"):
        assert heading in out
    assert "outdated" not in command(words)[1]
    paging, client_only = json.loads(Path("out/summary.json").read_text())["runs"]
    assert paging["messages_used"] == {}  # nobody lends anything
    # Clients only ask for themselves, so nobody says anything that nobody has asked for.
    assert client_only["messages_used"].keys() <= client_only["messages"].keys()
    assert client_only["messages_superseded"] == client_only["messages_about_nothing"] == {}


def test_it_works_from_python_as_from_the_command_line(command):
    from model.systems import compare

    assert command(f"{SMALL} --designs DP,CEN")[0] == 0
    told = json.loads(Path("out/summary.json").read_text())["runs"]
    scenario = make_scenario(Path("fast.toml"), trace="log.swf", nodes=8, designs="DP,CEN")
    for result, summary in zip(compare(scenario, observed=True), told, strict=True):
        assert result.summary | {"wall_s": 0} == summary | {"wall_s": 0}


def test_the_version_is_that_of_the_project_and_of_the_code(command):
    status, out, err = command("--version")
    assert (status, err) == (0, "")
    assert re.match(r"\d+\.\d+\.\d+", out)
    assert out.count("\n") == 1


COMMANDS = (
    *("compare", "share", "windows", "view", "export", "watch", "live", "explore"),
    *("check", "judge", "sweep", "results", "papers"),
)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_says_what_each_option_takes_and_gives_an_example(command, name):
    _, out, _ = command(f"{name} --help")
    assert not re.search(r"<str\b", out)  # but <stratified|...> may be
    assert "list[str]" not in out
    assert f"Example: run.py {name}" in out


def test_the_help_of_a_view_says_what_each_kind_answers(command):
    _, out, _ = command("view --help")
    for kind in (*PICTURES, *TEXTS):
        assert re.search(rf"^ +{kind} ", out, re.MULTILINE)


def test_the_help_of_compare_fits_on_a_screen_and_names_where_the_rest_is(command):
    _, own, _ = command("compare --help")
    _, rest, _ = command("view --help-scenario")
    assert own.count("\n") <= 50
    assert "--help-scenario" in own
    assert "--quantum-s" not in own
    assert "--quantum-s" in rest


def test_a_journals_commands_show_no_option_that_has_no_effect_on_it(command):
    assert "--nodes" not in command("view --help")[1]
    assert "--ram" not in command("export --help")[1]


def test_any_parameter_can_be_set_by_its_name(command):
    words = "compare --designs DP --jobs 3 --nodes 2 --dry-run"
    by_option = command(f"{words} --quantum-s 7 --network 10")
    by_set = command(f"{words} --set quantum-s=7 --set network=10")
    assert by_set == by_option
    assert by_set[0] == 0


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ("--set quantum=7", "--quantum: there is no such parameter; did you mean quantum_s?"),
        ("--set quantum_s", "--set 'quantum_s': give name=value, such as quantum_s=30"),
        ("--set ram=50 --ram 60", "--ram and --set ram=…: give one of them"),
        ("--set ram=50 --set ram=60", "--set ram=…: it is given twice"),
        ("--set ram=no", "--ram: "),
    ],
)
def test_what_cannot_be_set_is_one_line(refusal, words, what):
    assert what in refusal(f"compare --designs DP --jobs 3 --nodes 2 --dry-run {words}")


def test_the_help_shows_what_looks_like_markup(command):
    assert "[[fault]] tables" in " ".join(command("compare --help")[1].split())


@pytest.mark.parametrize("words", ["--help", "explore --help", "results --help"])
def test_the_help_imports_next_to_nothing(words):
    code = "import sys, run; run.main(); print({*sys.modules})"
    done = subprocess.run(
        [sys.executable, "-c", code, *words.split()], cwd=ROOT, capture_output=True, text=True
    )
    heavy = {"model.core.scenario", "numpy", "networkx", "rich", "pandas", "mesa", "matplotlib"}
    assert "'typer'" in done.stdout
    assert [name for name in heavy if f"'{name}'" in done.stdout] == []


def test_a_short_comparison_starts_no_process_and_waits_for_no_scipy():
    code = (
        "import os, sys, run; os.fork = None; print(run.main(), 'scipy.spatial' in sys.modules)\n"
        "from mesa.experimental.continuous_space import ContinuousSpace; print(ContinuousSpace)"
    )
    words = ["compare", "--first", "4621", "--jobs", "1", "--designs", "DP,MAN", "--quiet"]
    done = subprocess.run(
        [sys.executable, "-c", code, *words], cwd=ROOT, capture_output=True, text=True
    )
    assert done.stdout.startswith("0 False\n<class 'mesa.experimental."), done.stderr


def test_an_option_that_has_another_name_now_is_still_read(command):
    assert command(f"{SMALL} --designs DP --engine compiled") == (0, "", "")
    assert command(f"{GOOD} --engine=steam")[2].startswith("error: Invalid value for '--plane'")


@pytest.mark.parametrize("name", MOVED)
def test_a_command_that_has_moved_names_the_new_one(command, name):
    assert command(f"{name} --out mine.toml") == (2, "", f"error: {name} is now: {MOVED[name]}\n")
