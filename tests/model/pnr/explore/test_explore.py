"""`run.py explore` at the command line: what it says, writes, repeats and refuses."""

import os
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import networkx as nx
import pytest

from model.ground.errors import InputError
from model.pnr.explore.narrator import retrace
from model.pnr.explore.search import search
from model.pnr.explore.setting import Setting
from model.pnr.explore.steps import DELIVER, LOSE
from model.pnr.explore.storing import read_finding
from model.pnr.explore.walks import walk
from model.views.recording import read_recordings
from topologies.managers.bb import bb

HERE = Path(__file__).parent
ROOT = HERE.parents[3]


def test_nothing_found_is_told_with_what_was_seen(command):
    status, out, _ = command("explore CEN --nodes 2")
    assert status == 0
    assert "270 states, 498 steps" in out
    assert "all states seen, 19 steps deep" in out
    assert "Rules that held: a server lends only what is free; a process starts once" in out
    assert "Seen: a request is denied" in out
    assert "Seen: a grant is partial" in out


def test_what_was_never_seen_was_not_proved(command):
    _, out, _ = command("explore CEN --nodes 2 --jobs 1 --depth 9 --out none.parquet")
    assert "none.parquet is not written: nothing was found" in out
    assert not Path("none.parquet").exists()
    assert "NOT all states seen, only all within 9 steps" in out
    assert "Never seen: a grant is partial; nothing is proved about that" in out


def test_a_finding_is_a_story_a_journal_and_can_be_repeated(command):
    status, out, _ = command("explore MAN --loss 1 --jobs 1 --out lost.parquet")
    assert status == 1
    story = """\
    1  scheduler  job 1 is placed in slot 0 on nodes 0, 1, 10.00 MB per process
       node 0     asks for 2.00 MB
       node 0     sends RamRequest to node 0 about 2.00 MB
       node 1     asks for 2.00 MB
       node 1     sends RamRequest to node 0 about 2.00 MB
    2  node 0     receives RamRequest from node 0
    3  node 0     RamRequest from node 1 is lost (loss)"""
    told = (
        "Found after 3 steps: somebody waits for ever: node 0 (job 1 to start, the client for an "
        "answer, the manager to end an allocation); node 1 (job 1 to start, the client for an "
        "answer)"
    )
    assert f"{told}\n\n{story}\n" in out
    (recording,) = read_recordings(Path("lost.parquet"))
    assert recording.design == "MAN"
    found, _, lost = recording.finding.partition("; ")
    assert f"after 3 steps: {told.split(': ', 1)[1]}" in out
    assert lost.endswith("doomed from step 3")
    assert found.startswith("somebody waits for ever")
    again = command("explore --replay lost.parquet --out again.parquet")
    assert again[0] == 1
    assert f"{told}\n\n{story}\n" in again[1]
    assert read_finding(Path("again.parquet")) == read_finding(Path("lost.parquet"))


def test_quietly_it_says_in_one_line_whether_something_was_found(command):
    assert command("explore CEN --nodes 2 --quiet") == (0, "CEN: holds (270 states)\n", "")
    words = "explore MAN --loss 1 --jobs 1 --quiet --out lost.parquet"
    assert command(words) == (1, "MAN: waits for ever, 3 steps (7 states)\n", "")
    assert read_finding(Path("lost.parquet"))[1].path


def test_views_draw_a_finding(command):
    command("explore MAN --loss 1 --jobs 1 --out lost.parquet")
    command("view lost.parquet --out sequence.svg")
    written = Path("sequence.svg").read_text("utf-8")
    assert "step 3" in written  # and no times
    assert "In the end somebody waits for ever: node 0" in written
    status, out, _ = command("view lost.parquet --kind story --job 1")
    assert (status, "is lost" in out) == (0, True)


def test_a_path_may_break_nothing_with_another_design_or_be_impossible(command):
    mutant = f"{HERE}/mutants.py:SilentServer"
    assert command(f"explore {mutant} --nodes 2 --out found.parquet")[0] == 1
    status, _, err = command("explore --replay found.parquet CLI")  # messages go elsewhere
    assert (status, "of the path is not possible any more" in err) == (2, True)
    status, out, _ = command("explore --replay found.parquet MAN")
    assert (status, "break no rule any more" in out) == (0, True)


def test_no_step_of_what_a_walk_finds_can_be_left_out():
    setting = Setting("MAN", 2, losses=1)
    shortest = search(setting).finding
    for seed in (1, 2, 3):
        setting = replace(setting, seed=seed)
        finding = walk(setting, 200).finding
        assert retrace(setting, finding.path) == finding  # it is one
        assert len(shortest.path) <= len(finding.path) <= len(shortest.path) + 1
        for place in range(len(finding.path)):
            left = finding.path[:place] + finding.path[place + 1 :]
            with suppress(InputError):  # a later step is not possible without it
                assert retrace(setting, left) is None


def test_exploring_takes_nothing_that_is_slow_to_import_or_that_tests_alone_need():
    """Else it takes seconds before the first step."""
    code = (
        "import sys, run\n"
        "sys.argv = ['run.py', 'explore', 'MAN', '--depth', '1', '--quiet']\n"
        "run.main()\n"
        "import model.pnr.explore.walks\n"
        "slow = {'mesa', 'pandas', 'scipy', 'numba', 'matplotlib'}\n"
        "print((slow | {'hypothesis', 'pytest', '_pytest'}) & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "MAN: nothing in up to 1 steps (2 states)\nset()\n"


@pytest.mark.parametrize("how", ["", "--random 5"])
def test_what_is_broken_before_the_first_step_is_found(command, how):
    mutant = f"{HERE}/mutants.py:SendsToNobody"
    status, out, _ = command(f"explore {mutant} --nodes 2 --jobs 1 --out found.parquet {how}")
    assert status == 1
    assert "Found after 0 steps: the manager of node 1 sends ServerRequest to node 99" in out
    assert read_finding(Path("found.parquet"))[1].path == ()
    status, out, _ = command(f"explore {mutant} --replay found.parquet")
    assert (status, "Found after 0 steps: the manager of node 1" in out) == (1, True)
    assert command("explore --replay found.parquet MAN")[0] == 0


def test_a_design_in_a_graph_file_has_no_properties_of_its_own(command):
    nx.write_graphml(bb(2, 1), "own.graphml")
    status, out, _ = command("explore own.graphml --nodes 2 --jobs 1")
    assert (status, "Rules that held: a server lends only what is free" in out) == (0, True)


def test_faults_at_a_time_are_refused(command):
    Path("one.toml").write_text(
        "[[job]]\nprocesses = 1\nmemory_mb = 12\ndemand_s = 1\n"
        '[[fault]]\nkind = "loss"\nmessages = ["RamGrant"]\n'
    )
    status, out, err = command("explore MAN --scenario one.toml")
    assert (status, out) == (2, "")
    assert "one.toml: fault: explore tries faults at any time; give --loss" in err


def test_too_many_ways_to_place_a_job_are_refused(command):
    """17 nodes give C(17, 8) = 24,310 ways for a job of 8 processes."""
    cluster, job = "nodes = 17\nram_mb = 8\nthreshold_mb = 1\n", "memory_mb = 10, demand_s = 1"
    Path("wide.toml").write_text(f"{cluster}job = [{{processes = 8, {job}}}]\n")
    status, out, err = command("explore DP --placements any --scenario wide.toml")
    assert (status, out) == (2, "")
    assert "there are 24,310 ways to place 8 processes on 17 seats, and at most 10,000" in err
    assert command("explore DP --scenario wide.toml --depth 2")[0] == 0


def test_a_users_properties_are_functions_in_his_file(command):
    status, out, _ = command(f"explore {HERE}/own_property.py:own_property --nodes 2")
    assert status == 1
    assert "Found after 8 steps: node 1 lends 7 MB" in out
    assert "Seen: two messages are on their way" in out
    assert "a hundred" not in out  # what was found does not depend on it


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("", "name a design"),
        ("NOPE", "'NOPE' is no design known here"),
        ("MAN --crashes 256", "--crashes"),
        ("BB8 --nodes 3", "BB1 to BB3"),
        ("MAN --out there.png", "give a file that ends in .parquet"),
        ("--replay missing.parquet", "no such file"),
        ("--replay here.txt", "give a file that `run.py explore --out` has written"),
        ("MAN --scenario missing.toml", "missing.toml"),
    ],
)
def test_a_mistake_is_one_line(command, words, told):
    Path("here.txt").write_text("nothing")
    status, out, err = command(f"explore {words}")
    assert (status, out) == (2, "")
    assert told in err
    assert err.count("\n") == 1


def test_the_same_states_whatever_the_hash_seed(start, command):
    words = "explore MAN --loss 1 --nodes 2 --jobs 2"
    # Where ours hashes at random, any seed of another process is another one.
    seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    other = start(words, env={**os.environ, "PYTHONHASHSEED": seed}, cwd=ROOT)
    ours = command(words)
    theirs = other.communicate(timeout=120)
    told = []
    for status, out, err in (ours, (other.returncode, *theirs)):
        assert (status, err) == (1, "")
        told.append([line.split("(")[0] for line in out.splitlines()])
    assert told[0] == told[1]


def test_the_table_has_its_own_faults_and_takes_no_others(command):
    status, _, err = command("explore DP --table --crashes 1")
    told = "error: --table takes one fault of each kind; leave out --loss and the like\n"
    assert (status, err) == (2, told)


GAUGING = """
from agents.pnr.protocol import Manager
from tests.model.pnr.explore.mistakes import mistake
from topologies.managers.man import man


@mistake(man)
class Gauging(Manager):
    def receive(self, sender, content, now_ns):
        effects = super().receive(sender, content, now_ns)
        self.gauge("jobs that ask", len(self.allocations))
        return effects
"""


def test_a_path_is_journaled_with_what_roles_gauge(tmp_path):
    (tmp_path / "gauging.py").write_text(GAUGING)
    setting = Setting(f"{tmp_path / 'gauging.py'}:Gauging", 2, 1, losses=1)
    finding, records = search(setting).finding, []
    retrace(setting, finding.path, records.append)
    # of two requests one arrives, and the other, for which the manager waits, is lost
    arrives, lost = (step.kind for step in finding.path[1:])
    assert (arrives, lost) == (DELIVER, LOSE)
    notes = [it for it in records if it.kind == "note" and it.hears == "manager"]
    noted = [(it.node, it.hears, it.what, it.payload) for it in notes]
    assert noted == [(finding.path[1].b, "manager", "jobs that ask", "1")]


def test_a_story_says_which_message_is_a_duplicate(command):
    _, out, _ = command("explore CEN --nodes 2 --jobs 1 --duplicates 1")
    repeats = "sends ReleaseNotice to node 0 about 0.00 MB again (a duplicate)"
    assert [line for line in out.splitlines() if "duplicate)" in line] == [
        f"    9  node 1     {repeats}"
    ]
    assert "Still under way at the end" not in out


RACING = """
from topologies.managers.cen import cen


def node_0_starts_first(before, step, after):
    starts = [next((it[1] for it in node.residents.values()), False) for node in after.nodes]
    return "node 1 starts first" if starts == [False, True] else None


def racing(nodes):
    return cen(nodes)
"""


def test_a_story_ends_with_the_messages_that_were_overtaken(command):
    Path("racing.py").write_text(RACING)
    _, out, _ = command("explore racing.py:racing --nodes 2 --jobs 1 --states 1900")
    _, _, told = out.partition("Still under way at the end:\n")
    assert told.splitlines()[0] == "  RamGrant from node 0 to node 0, sent in step 3"
