"""Designs run for real: processes, sockets, pages and faults as they are."""

import errno
import os
import signal
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import active_children
from multiprocessing.context import ForkServerProcess
from pathlib import Path

import pytest

from model.core.journal import kinds
from model.core.journal.past import Past
from model.ground.errors import InputError, ProtocolMistake
from model.live.comparison import LiveComparison
from model.live.head import LiveSettings
from model.live.scaling import ScaledComparison
from model.pnr.scenario import make_scenario
from model.terminal.commands.live import Live
from tests.processes import all_end, descendants, is_there

#: Three nodes of 64 pages; a job that lacks 26 pages on two nodes, and one that fits.
JOBS = (
    {"processes": 2, "memory_mb": 0.35, "demand_s": 0.5},
    {"processes": 1, "memory_mb": 0.1, "demand_s": 0.4, "submit_s": 0.1},
)
CLUSTER = {
    "nodes": 3,
    "ram_mb": 0.25,
    "cpu_mhz": 5,
    "seek_ms": 0.5,
    "rotation": False,
    "barrier_s": 0.1,
    "drain_s": 1,  # a crash leaves memory lent, for which nobody need wait longer
    "job": JOBS,
}


def live(designs, settings=None, check=True, **parameters):
    """Runs designs for real; gives their clusters and records by name."""
    scenario = make_scenario(**{**CLUSTER, "designs": designs, **parameters})
    comparison = LiveComparison(scenario, settings or LiveSettings(timeout_s=10))
    ran = {}
    for name in comparison.contestants:
        records = []
        ran[name] = aside(comparison.run, name, readers=[records.append], check=check), records
    return comparison, ran


def aside(run, *words, **options):
    """Runs it in a thread of its own: a browser's loop may run in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(run, *words, **options).result()


def disturbed(disturb, timeout_s):
    """Runs RELIABLE(CLI) for real; `disturb` gets node 1's process id again and again."""
    scenario = make_scenario(**{**CLUSTER, "designs": "RELIABLE(CLI)"})
    comparison = LiveComparison(scenario, LiveSettings(timeout_s=timeout_s))

    def progress(cluster):
        if cluster.clock.now_ns > 0.25e9:
            process = cluster._links[1].process
            if process is not None:
                disturb(process.pid)

    return aside(comparison.run, "RELIABLE(CLI)", progress=progress)


@pytest.fixture(scope="module")
def without_faults():
    return live("DP,CEN,RELIABLE(MAN)")


def test_disk_paging_meets_the_faults_that_the_emulation_predicts(without_faults):
    """The draws are the same, and nothing on the way changes how much memory is where."""
    comparison, ran = without_faults
    cluster, _ = ran["DP"]
    predicted = ScaledComparison(comparison.scenario, 1).run("DP")
    assert [n.faults_disk for n in cluster.nodes] == [n.faults_disk for n in predicted.nodes]
    assert cluster.pages_checked == sum(node.faults_disk for node in predicted.nodes) > 20
    for job in cluster.jobs:
        demand_s = job.demand_ns / 1e9
        assert (job.end_ns - job.start_ns) / 1e9 >= demand_s


@pytest.mark.parametrize("name", ["CEN", "RELIABLE(MAN)"])
def test_the_same_messages_are_sent_as_the_emulation_predicts(without_faults, name):
    """Under a manager that waits for all, they do not depend on who is first, as under CLI."""
    comparison, ran = without_faults
    cluster, records = ran[name]
    predicted = ScaledComparison(comparison.scenario, 1).run(name)
    for kind, tally in predicted.network.tallies.items():
        if kind.phase != "page":
            assert cluster.network.tallies[kind].sent == tally.sent, kind
    sent = Counter(r.what for r in records if r.kind == "sent" and r.node != r.peer)
    told = {kind.__name__: tally.sent for kind, tally in cluster.network.tallies.items()}
    assert sent == Counter({kind: count for kind, count in told.items() if count})
    assert cluster.pages_from_copy < cluster.pages_checked


@pytest.mark.parametrize("name", ["DP", "CEN", "RELIABLE(MAN)"])
def test_the_journal_says_what_is_so(without_faults, name):
    """Memory that is lent is borrowed, and all of it is back; nothing arrives before it is sent."""
    cluster, records = without_faults[1][name]
    past = Past(3)
    sent = {}
    for record in records:
        past.read(record)
        if record.kind == "sent":
            sent[record.id] = record.time_ns
        elif record.kind == "delivered":
            assert sent[record.id] <= record.time_ns
        borrowed = Counter()
        for node in past.nodes:
            borrowed.update(node.loans)
        for server, amount in borrowed.items():
            assert amount <= past.nodes[server].lent
    assert all((node.lent, node.borrowed, node.own) == (0, 0, 0) for node in past.nodes)
    ended = {r.job: kinds.Ended.contents(r.payload) for r in records if r.kind == "ended"}
    for job in cluster.jobs:
        whole = job.size * (job.end_ns - job.submit_ns)
        assert sum(ended[job.number].spent_ns.values()) == whole
    assert not active_children()


CRASH = {"kind": "node", "nodes": [1], "from_s": 0.3, "restart_s": 0.5}


def test_a_node_that_is_killed_comes_back_and_its_jobs_begin_again():
    (cluster, records), *_ = live("RELIABLE(MAN)", fault=[CRASH])[1].values()
    assert [job.attempt for job in cluster.jobs] == [2, 1]
    assert all(job.end_ns is not None for job in cluster.jobs)
    failures = [(r.kind, r.node) for r in records if r.what == "node"]
    assert failures == [("crashed", 1), ("restarted", 1)]
    past = Past(3)
    for record in records:
        past.read(record)
        if record.kind == "restarted" and record.what == "node":
            assert (past.nodes[1].lent, past.nodes[1].borrowed) == (0, 0)
    for node, there in zip(past.nodes, cluster.nodes, strict=True):
        assert (node.lent, node.borrowed) == (there.memory.lent, there.memory.borrowed)
    assert len({r.id for r in records if r.kind == "sent"}) == sum(
        r.kind == "sent" for r in records
    )


def test_a_paused_process_goes_on_where_it_was():
    pause = {"kind": "pause", "nodes": [0], "from_s": 0.2, "until_s": 0.7}
    (cluster, records), *_ = live("CLI", fault=[pause])[1].values()
    first = cluster.jobs[0]
    assert first.attempt == 1
    assert (first.end_ns - first.start_ns) / 1e9 >= 0.5 + 0.4
    handled = [r.time_ns for r in records if r.node == 0 and r.kind in ("delivered", "fault")]
    assert not [when for when in handled if 0.25e9 < when < 0.7e9]


OWN = """
import networkx as nx
from agents.pnr.protocol import Protocol, Manager

class Own(Manager):
    shows = ("starts",)
{method}

def own(nodes):
    graph = nx.DiGraph(name="OWN", asks="member", protocol=Protocol(manager=Own))
    graph.add_nodes_from(range(nodes), manager=True)
    return graph
"""
SILENT = """
    def receive(self, sender, content, now_ns):
        return []
"""
MISTAKEN = """
    def receive(self, sender, content, now_ns):
        return 3
"""
STORING = """
    def start(self, now_ns):
        self.starts = self.stored.get("starts", 0) + 1
        self.store(starts=self.starts, seen=(1, 'x'))
        return []
"""


@pytest.fixture
def own(tmp_path):
    """Writes a design whose managers have a method of their own; gives how to name it."""

    def own(method):
        (tmp_path / "own.py").write_text(OWN.format(method=method))
        return f"{tmp_path / 'own.py'}:own"

    return own


def test_a_request_that_is_never_answered_ends_the_run_and_not_the_timeout(own):
    began = time.monotonic()
    (cluster, _), *_ = live(own(SILENT), LiveSettings(timeout_s=1))[1].values()
    assert cluster.stuck
    assert cluster.unfinished
    assert time.monotonic() - began < 30


def test_what_has_not_started_is_one_line_and_what_has_is_gone(monkeypatch):
    start, started = ForkServerProcess.start, []

    def run_out(process):
        if started:
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        start(process)
        started.append(process.pid)

    monkeypatch.setattr(ForkServerProcess, "start", run_out)
    told = r"no process can be started for node 1: .*many open files"
    with pytest.raises(InputError, match=told):
        live("DP")
    assert not is_there(started[0])


def test_a_process_that_somebody_kills_is_started_again_also_if_it_was_starting(capfd):
    killed = []

    def kill(pid):
        if len(killed) < 2 and pid not in killed:
            killed.append(pid)
            os.kill(pid, signal.SIGKILL)

    cluster = disturbed(kill, timeout_s=10)
    assert len(killed) == 2
    assert all(job.end_ns is not None for job in cluster.jobs)
    told = "the process of node 1 has ended with status -9; it is started again"
    assert capfd.readouterr().err.splitlines() == [told] * 2


def test_computing_for_longer_than_the_timeout_and_than_a_stall_is_no_stand_still():
    job = {"processes": 1, "memory_mb": 0.1, "demand_s": 1.5}
    pause = {"kind": "pause", "nodes": [2], "from_s": 0.1, "until_s": 0.2}
    several = {"barrier_s": 100, "job": (job,), "fault": [pause], "stall_s": 0.2}
    (cluster, _), *_ = live("DP", LiveSettings(timeout_s=0.5), **several)[1].values()
    assert not cluster.stuck
    assert cluster.jobs[0].end_ns >= 1.5e9


def test_a_process_that_somebody_stops_for_too_long_counts_as_dead(capfd):
    stopped = []

    def stop(pid):
        if not stopped:
            stopped.append(pid)
            os.kill(pid, signal.SIGSTOP)

    cluster = disturbed(stop, timeout_s=4)
    assert all(job.end_ns is not None for job in cluster.jobs)
    assert "node 1 has said nothing for 4 s; it is started again" in capfd.readouterr().err
    assert not is_there(stopped[0])


def test_a_mistake_in_a_protocol_is_told_with_its_line_and_leaves_nothing(own):
    scenario = make_scenario(**{**CLUSTER, "designs": own(MISTAKEN)})
    comparison = LiveComparison(scenario, LiveSettings())
    records = []
    with pytest.raises(ProtocolMistake, match=r"answers 3; give a list of effects \(.*own.py"):
        aside(comparison.run, "OWN", readers=[records.append])
    assert [r for r in records if r.kind == "placed"]  # the journal is kept up to there


def test_what_a_role_has_stored_outlasts_the_death_of_its_process(own):
    """Also if it has told nobody."""
    crash = {**CRASH, "from_s": 0.25}
    (_, records), *_ = live(own(STORING), fault=[crash], grant_timeout_s=1)[1].values()
    notes = [(r.node, r.payload) for r in records if r.kind == "note" and r.what == "starts"]
    assert sorted(notes) == [(0, "1"), (1, "1"), (1, "2"), (2, "1")]


# The command

FILE = """
nodes = %d
ram_mb = 0.25
cpu_mhz = 5
seek_ms = 0.5
rotation = false
barrier_s = 0.1
minimum_demand_s = 0.1
job = [{processes = 2, memory_mb = 0.35, demand_s = %s}]
"""


@pytest.fixture
def begun(start, tmp_path):
    """Begins `run.py live` in a process of its own, with a scenario of one job."""

    def begun(options, nodes=3, demand_s=30):
        (tmp_path / "scenario.toml").write_text(FILE % (nodes, demand_s))
        return start(f"live --scenario scenario.toml {options}", cwd=tmp_path)

    return begun


def sockets(pid):
    """How many a process has."""
    try:
        return sum("socket" in os.readlink(fd) for fd in Path(f"/proc/{pid}/fd").iterdir())
    except OSError:
        return 0


def until_nodes_have_met(pid):
    """All processes of a run, and those of its three nodes, which are connected with each other."""
    deadline = time.monotonic() + 120
    while True:
        there = descendants(pid)
        # to the head, the channel, to two peers, and two of asyncio's own
        nodes = [one for one in there if sockets(one) >= 6]
        if len(nodes) == 3:
            return there, nodes
        assert time.monotonic() < deadline, there
        time.sleep(0.05)


@pytest.mark.parametrize(("how", "status"), [(signal.SIGINT, 130), (signal.SIGKILL, -9)])
def test_however_the_head_ends_no_process_is_left(begun, how, status):
    """Not even one that is stopped."""
    with begun("--designs CLI --out out") as run:
        there, nodes = until_nodes_have_met(run.pid)
        os.kill(nodes[-1], signal.SIGSTOP)
        run.send_signal(how)
        _, said = run.communicate(timeout=120)
        assert run.returncode == status
        assert all_end(there)
    if how == signal.SIGINT:
        assert said.count("\n") == 1
        assert "error: interrupted; 0 of 1 designs had ended" in said


@pytest.mark.parametrize(
    ("parameters", "what"),
    [
        ({"give_up_response_s": 100}, "--give-up-response-s"),
        ({"cores": 2}, "--cores"),
        ({"fault": [{"kind": "servent", "nodes": [1]}]}, "a fault of kind servent"),
        ({"fault": [{"kind": "loss"}]}, "a fault of kind loss"),
        ({"node": [{}, {"joins_s": 5}, {}]}, "--node-groups"),
        ({"designs": "MIGRATE(DP)"}, "--designs MIGRATE"),
    ],
)
def test_what_can_only_be_emulated_is_a_line(parameters, what):
    scenario = make_scenario(**{**CLUSTER, "designs": "DP", **parameters})
    with pytest.raises(InputError, match=f"{what}.*: .* an emulation"):
        Live(scenario=scenario).run()


def test_a_broken_rule_is_told_while_nodes_run_and_the_journal_is_in_order():
    """Readers hear of records in the order of time, long before the end, also over a crash."""
    heard, at = [], []
    scenario = make_scenario(
        **{**CLUSTER, "designs": "RELIABLE(CLI)"},
        fault=[{"kind": "node", "nodes": [1], "from_s": 0.2, "restart_s": 0.2}],
    )
    comparison = LiveComparison(scenario, LiveSettings(timeout_s=10))
    aside(
        comparison.run,
        "RELIABLE(CLI)",
        readers=[heard.append],
        progress=lambda cluster: at.append(len(heard)),
    )
    times = [record.time_ns for record in heard]
    assert times == sorted(times)
    assert at[-1] > len(heard) // 2
    assert any(record.kind == "crashed" for record in heard)


def test_a_rule_that_fails_ends_a_live_run_with_one_line():
    def fails(record):
        raise InputError("mine.py, line 3")

    scenario = make_scenario(**{**CLUSTER, "designs": "CLI"})
    comparison = LiveComparison(scenario, LiveSettings(timeout_s=10))
    with pytest.raises(InputError, match=r"mine.py, line 3"):
        aside(comparison.run, "CLI", readers=[fails])
    assert [it for it in active_children() if isinstance(it, ForkServerProcess)] == []
