"""Faults of messages, links and servents: what happens to the nanosecond, and what comes of it."""

from pathlib import Path

import pytest

import model.pnr
from agents.pnr.process import GRANT
from model.ground.errors import InputError
from model.ground.units import NS_PER_MS, NS_PER_S
from model.pnr.fault_tables import KINDS
from model.pnr.faults import Fault
from model.pnr.metrics import measure
from model.pnr.scenario import make_scenario
from model.systems import comparison_of, run
from tests.journaled import journaled
from tests.model.pnr.compiled.test_equality import SCARCE, SMALL

#: Node 0 lacks 8 MB of its 32; nodes 1, 2 and 3 are idle. Job 2 comes when job 1 has ended.
JOBS = [
    {"processes": 1, "memory_mb": 40, "demand_s": 0.5},
    {"processes": 1, "memory_mb": 40, "demand_s": 0.5, "submit_s": 20},
]
#: What the README says of several kinds at once.
COMMON = {"messages", "nodes", "mtbf_s", "mttr_s"}
LINK_NS, SWITCH_NS = 10_240 + 50, 80_000  # 128 bytes at 100 Mbps, and the latency


def emulate(*faults, design="MAN", plane="actors", jobs=JOBS, **parameters):
    """A run with these faults on four nodes: the cluster, its journal, and its measures."""
    parameters = {"nodes": 4, "page_bytes": 2**20, "minimum_demand_s": 0.001} | parameters
    scenario = make_scenario(job=jobs, designs=(design,), fault=faults or None, **parameters)
    comparison_of(scenario).validate()
    options = {"journal_level": "protocol", "plane": plane, "check": True}
    cluster, records = journaled(scenario, design, **options)
    return cluster, records, measure(cluster).summary


def times(records, kind, what):
    return [record.time_ns for record in records if (record.kind, record.what) == (kind, what)]


def jobs_that(kind, records):
    return [record.job for record in records if record.kind == kind]


# CLI asks its own servent at no cost: the first message over the network is its ServerRequest.


def test_a_lost_message_takes_all_its_stations_and_is_dropped_at_the_door():
    lost = {"kind": "loss", "messages": ["ServerRequest"], "until_s": 10}
    cluster, records, summary = emulate(lost, design="CLI")
    assert times(records, "lost", "ServerRequest") == [2 * LINK_NS + SWITCH_NS]
    assert jobs_that("ended", records) == [2]  # job 1 waits for ever
    assert cluster.stuck
    assert summary["faults"]["messages_lost_by"] == {"loss": 1}
    assert summary["faults"]["jobs_stuck"] == 1
    response_s = (records[-1].time_ns - 20 * NS_PER_S) / NS_PER_S
    assert summary["mean_response_s"] == pytest.approx(response_s, abs=0.01)  # of job 2 alone


def test_if_no_job_ends_there_is_no_mean():
    _, _, summary = emulate({"kind": "loss", "messages": ["ServerRequest"]}, jobs=JOBS[:1])
    assert (summary["jobs"], summary["mean_response_s"]) == (0, None)


def test_what_a_lost_release_leaves_lent_is_the_leak():
    lost = {"kind": "loss", "messages": ["ServerRelease"], "until_s": 10}
    cluster, _, summary = emulate(lost, design="CLI")
    assert summary["jobs"] == 2
    assert summary["faults"]["leaked_mb"] == 8
    assert sum(node.memory.lent for node in cluster.nodes) == 8 * 2**20
    assert sum(node.memory.borrowed for node in cluster.nodes) == 0


def test_a_phase_names_all_messages_of_it_and_a_window_is_judged_at_sending():
    _, records, summary = emulate({"kind": "loss", "messages": ["end"], "from_s": 15}, design="CLI")
    assert (
        summary["faults"]["messages_lost"] == 1
    )  # the second job's release; the first's was before
    assert len(times(records, "sent", "ServerRelease")) == 2
    assert len(times(records, "delivered", "ServerRelease")) == 1


def test_only_messages_of_the_nodes_named_are_lost():
    lost = {"kind": "loss", "messages": ["ServerRequest"], "nodes": [3]}
    assert emulate(lost, design="CLI")[2]["faults"]["messages_lost"] == 0


def test_a_duplicate_is_sent_at_once_behind_the_first_and_changes_nothing():
    """The protocol ignores what it hears twice; the copy queues behind the first one."""
    twice = {"kind": "duplicate", "messages": ["ServerRequest"]}
    _, records, summary = emulate(twice, design="CLI")
    assert times(records, "sent", "ServerRequest")[:2] == [0, 0]
    first, second = times(records, "delivered", "ServerRequest")[:2]
    assert first == 2 * LINK_NS + SWITCH_NS
    assert second == first + SWITCH_NS  # the switch is the slowest station
    assert summary["jobs"] == 2
    assert summary["faults"]["leaked_mb"] == 0
    assert summary["faults"]["messages_ignored"] == 2  # the second ServerReply to each


def test_a_delay_is_waiting_at_the_door():
    late = {"kind": "delay", "messages": ["ServerRequest"], "delay_ms": 5}
    _, records, _ = emulate(late, design="CLI")
    arrives_ns = 2 * LINK_NS + SWITCH_NS
    assert times(records, "delivered", "ServerRequest")[0] == arrives_ns + 5 * NS_PER_MS


@pytest.mark.parametrize(
    ("distribution", "least", "most"), [("uniform", 0, 10), ("exponential", 0, 90)]
)
def test_drawn_delays_have_the_mean_that_was_asked_for(distribution, least, most):
    late = {"kind": "delay", "delay_ms": 5, "distribution": distribution}
    jobs = [{**JOBS[0], "submit_s": 20 * n, "demand_s": 0.01} for n in range(40)]
    _, records, _ = emulate(late, jobs=jobs, design="CEN")
    sent = {record.id: record.time_ns for record in records if record.kind == "sent"}
    waits_ms = [
        (record.time_ns - sent[record.id] - 2 * LINK_NS - SWITCH_NS) / NS_PER_MS
        for record in records
        if record.kind == "delivered" and record.node != record.peer
        if record.what in ("ServerRequest", "ServerReply", "ServerRelease", "ReleaseAck")
    ]
    assert len(waits_ms) >= 160
    assert least <= min(waits_ms) <= max(waits_ms) <= most
    mean_ms = sum(waits_ms) / len(waits_ms)
    assert 5 * 0.7 < mean_ms < 5 * 1.3  # the standard error is 5 / sqrt(160) = 0.4 at most


def test_nothing_crosses_a_partition_and_what_arrives_after_it_does():
    cut = {"kind": "partition", "groups": [[0]], "until_s": 10}
    summary = emulate(cut, design="CLI")[2]
    assert summary["faults"]["messages_lost_by"] == {"partition": 1}
    assert summary["faults"]["jobs_stuck"] == 1
    cut = {"kind": "partition", "groups": [[0]], "from_s": 10, "until_s": 19}
    assert emulate(cut, design="CLI")[2]["jobs"] == 2


def test_a_partition_of_one_way_lets_the_other_way_pass():
    one_way = {"kind": "partition", "oneway": True}
    for groups, lost in (([[0], [1, 2, 3]], "ServerRequest"), ([[1, 2, 3], [0]], "ServerReply")):
        _, records, _ = emulate({**one_way, "groups": groups}, design="CLI", jobs=JOBS[:1])
        assert [record.what for record in records if record.kind == "lost"] == [lost]


@pytest.mark.parametrize("plane", ["actors", "compiled"])
def test_a_slow_link_takes_longer_for_each_byte(plane):
    slow = {"kind": "slow", "nodes": [0], "factor": 0.5}
    _, records, _ = emulate(slow, design="CLI", plane=plane)
    assert times(records, "delivered", "ServerRequest")[0] == 2 * LINK_NS + SWITCH_NS + 10_240


def test_a_link_may_be_slow_for_a_while():
    slow = {"kind": "slow", "nodes": [0], "factor": 0.5, "from_s": 10, "until_s": 30}
    _, records, _ = emulate(slow, design="CLI")
    first, second = times(records, "delivered", "ServerRequest")
    assert first == 2 * LINK_NS + SWITCH_NS
    assert second == 20 * NS_PER_S + 2 * LINK_NS + SWITCH_NS + 10_240


def test_a_servent_that_pauses_handles_all_in_the_nanosecond_in_which_the_pause_ends():
    paused = {"kind": "pause", "nodes": [1, 2, 3], "until_s": 2}
    _, records, _ = emulate(paused, design="CLI")
    assert times(records, "delivered", "ServerRequest")[0] == 2 * LINK_NS + SWITCH_NS
    assert times(records, "sent", "ServerReply")[0] == 2 * NS_PER_S


def test_local_calls_wait_for_the_end_of_a_pause_too():
    paused = {"kind": "pause", "nodes": [0, 1, 2, 3], "until_s": 23}
    small = {"processes": 1, "memory_mb": 1, "demand_s": 0.1}  # before the pause, and needs nothing
    _, records, _ = emulate(paused, design="CLI", jobs=[small, JOBS[1]])
    assert times(records, "sent", "RamRequest") == [23 * NS_PER_S]


def test_a_servent_that_restarts_asks_anew_for_processes_that_have_not_started():
    crash = {"kind": "servent", "nodes": [0], "from_s": 0.000_05, "restart_s": 2}
    cluster, records, summary = emulate(crash, design="CLI")
    restart_ns = 2 * NS_PER_S + 50_000
    assert times(records, "restarted", "servent") == [restart_ns]
    assert times(records, "sent", "RamRequest")[:2] == [0, restart_ns]
    assert summary["jobs"] == 2
    # The first grant met nobody at the door: its 8 MB are lent and nobody will release them.
    assert summary["faults"]["messages_lost_by"] == {"crash": 1}
    assert summary["faults"]["leaked_mb"] == 8
    assert cluster.servents[0].host.site.incarnation == 1
    [recovered] = cluster.faults.recoveries_ns
    started = next(r.time_ns for r in records if r.kind == "started")
    assert recovered == started - 50_000


def test_processes_of_a_servent_that_never_restarts_start_without_a_grant():
    crash = {"kind": "servent", "nodes": [0], "from_s": 0.000_05}
    _, records, summary = emulate(crash, design="CLI")
    assert next(r.time_ns for r in records if r.kind == "started") == 50_000
    assert summary["jobs"] == 2
    assert summary["faults_network"] == 0


@pytest.mark.parametrize("plane", ["actors", "compiled"])
def test_so_does_a_process_that_is_placed_there_in_a_pause(plane):
    pause = {"kind": "pause", "nodes": [0], "from_s": 10, "until_s": 200}
    crash = {"kind": "servent", "nodes": [0], "from_s": 15}
    _, records, summary = emulate(pause, crash, design="CLI", plane=plane)
    assert [r.time_ns for r in records if r.kind == "started"][1] == 20 * NS_PER_S
    assert summary["faults"]["jobs_stuck"] == 0


def test_a_servent_learns_after_its_restart_which_processes_ended_meanwhile():
    crash = {"kind": "servent", "nodes": [0], "from_s": 0.4, "restart_s": 15}
    cluster, records, summary = emulate(crash, design="CLI")
    assert times(records, "sent", "ReleaseNotice")[0] == int(15.4 * NS_PER_S)
    assert summary["faults"]["leaked_mb"] == 0
    assert all(node.memory.borrowed == 0 for node in cluster.nodes)


def test_a_process_need_not_wait_for_a_lost_grant():
    lost = {"kind": "loss", "messages": ["ServerRequest"]}
    _, records, summary = emulate(lost, design="CLI", grant_timeout_s=3, jobs=JOBS[:1])
    assert [r.time_ns for r in records if r.kind == "started"] == [3 * NS_PER_S]
    assert summary["faults"]["jobs_stuck"] == 0


AGAIN = {"kind": "servent", "mtbf_s": 4, "mttr_s": 1}


@pytest.mark.parametrize("kind", ["servent", "node"])
def test_crashes_come_at_the_same_times_under_every_design(kind):
    crashes = []
    for design in ("DP", "CLI", "MAN"):
        _, records, _ = emulate({**AGAIN, "kind": kind}, design=design)
        crashes.append([(r.time_ns, r.node) for r in records if r.kind == "crashed"][:10])
    assert len(crashes[0]) == 10
    assert crashes[0] == crashes[1] == crashes[2]


def test_failures_come_and_go_after_the_mean_times_asked_for():
    jobs = [{**JOBS[0], "demand_s": 0.01, "submit_s": at} for at in (0, 2000)]
    _, records, _ = emulate(AGAIN, design="DP", jobs=jobs)
    ups, downs = [], []
    for node in range(4):
        last = 0
        for record in records:
            if record.node == node and record.kind in ("crashed", "restarted"):
                spans = ups if record.kind == "crashed" else downs
                spans.append((record.time_ns - last) / NS_PER_S)
                last = record.time_ns
    assert len(ups) > 1000  # four nodes, 2,000 s, 5 s from crash to crash
    assert sum(ups) / len(ups) == pytest.approx(4, rel=0.1)
    assert sum(downs) / len(downs) == pytest.approx(1, rel=0.1)


def test_faults_that_never_happen_change_nothing():
    never = [{"kind": "loss", "rate": 0}, {"kind": "delay", "delay_ms": 9, "from_s": 10**6}]
    _, with_faults, summary = emulate(*never)
    _, without, plain = emulate()
    assert with_faults == without
    ignored = ("wall_s", "events", "faults", "sim_end_s", "utilization", "throughput_jobs_per_h")
    assert {k: v for k, v in summary.items() if k not in ignored} == {
        k: v for k, v in plain.items() if k not in ignored
    }


def test_a_rule_of_ones_own_decides_for_each_message(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "from model.pnr.faults import Deliver, Drop, Pass\n"
        "def rule(message, now_ns):\n"
        "    kind = type(message.content).__name__\n"
        "    if kind == 'ServerRelease':\n"
        "        return Drop()\n"
        "    return Deliver(7) if kind == 'ServerRequest' else Pass()\n"
    )
    _, records, summary = emulate(design="CLI", faults=f"{file}:rule")
    assert summary["faults"]["messages_lost"] == 2
    assert times(records, "delivered", "ServerRequest")[0] == 2 * LINK_NS + SWITCH_NS + 7


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (
            {"kind": "servent", "nodes": [4], "from_s": 1},
            "fault 1 (servent) names node 4; nodes are 0",
        ),
        ({"kind": "partition", "groups": [[0], [0, 1]]}, "node 0 is named twice"),
        ({"kind": "loss", "messages": ["RamReqest"]}, "no message is called RamReqest; take page"),
        ({"kind": "loss", "from_s": 5, "until_s": 5}, "until_s 5 is not after from_s 5"),
        ({"kind": "lost"}, "'loss', 'duplicate', 'delay'"),
        ({"kind": "pause", "nodes": [0]}, "until_s: say when the pause ends"),
        ({"kind": "servent", "from_s": 1}, "nodes: say which"),
        ({"kind": "servent", "mtbf_s": 1}, "mtbf_s and mttr_s: give both or none"),
        ({"kind": "node", "mtbf_s": 1e-6, "mttr_s": 1}, "mtbf_s: input should be greater than or"),
    ],
)
def test_a_mistake_in_a_fault_is_one_line(fault, told):
    with pytest.raises(InputError) as error:
        emulate(fault)
    assert told in str(error.value)
    assert "\n" not in str(error.value)


def test_the_readme_says_what_each_kind_of_fault_is_and_does():
    rows = Path(*model.pnr.__path__, "README.md").read_text("utf-8").splitlines()
    for kind, table in KINDS.items():
        [row] = [row for row in rows if row.startswith(f"| `{kind}` |")]
        own = table.model_fields.keys() - Fault.model_fields.keys() - COMMON
        assert [name for name in own if f"`{name}`" not in row] == []


def test_a_bus_is_a_link_of_each_of_its_nodes():
    slow = {"kind": "slow", "nodes": [3], "factor": 0.5}
    whole, windowed = (
        emulate(fault, design="CLI", topology="bus")[1]
        for fault in (slow, slow | {"until_s": 10**6})
    )
    assert whole == windowed


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ({"kind": "slow", "nodes": [0], "factor": 0.5, "until_s": 3}, "links that are slow"),
        ({"kind": "loss", "rate": 0.1, "messages": ["PageReply"]}, "faults of pages and barr"),
    ],
)
def test_some_faults_need_the_actors(fault, told):
    with pytest.raises(InputError, match=f"--plane compiled: fault 1: {told}"):
        emulate(fault, plane="compiled")
    assert emulate(fault, plane="auto")[2]["jobs"] == 2


def test_a_file_of_faults_is_part_of_the_scenario(here):
    (here / "faults.toml").write_text('[[fault]]\nkind = "loss"\nrate = 0.5\n')
    scenario = make_scenario(faults="faults.toml")
    assert [table.kind for table in scenario.fault] == ["loss"]
    assert scenario.fault_file is None
    (here / "s.toml").write_text('faults = "faults.toml"\nnodes = 4\n')
    assert make_scenario(here / "s.toml").fault == scenario.fault


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("nodes = 3\n", r"^faults: bad\.toml holds nodes; give \[\[fault\]\] tables alone$"),
        (
            '[[fault]]\nkind = "loss"\nrat = 1\n',
            r"^bad\.toml: fault 1, loss\.rat: there is no such parameter \(not 1\)$",
        ),
    ],
)
def test_a_mistake_in_a_file_of_faults_is_told_with_what_would_be_right(here, text, told):
    (here / "bad.toml").write_text(text)
    with pytest.raises(InputError, match=told):
        make_scenario(faults="bad.toml")


def test_a_file_of_faults_that_is_not_there_is_told_as_such(here):
    with pytest.raises(InputError, match=r"^none\.toml: .*; give a readable file of faults$"):
        make_scenario(faults="none.toml")


@pytest.mark.parametrize("around", ["CLI", "CEN", "MAN", "BB2"])
@pytest.mark.parametrize("seed", [1, 2])
def test_reliable_ends_all_jobs_and_leaks_nothing(around, seed):
    bad = ({"kind": "loss", "rate": 0.2}, {"kind": "duplicate", "rate": 0.2})
    late = {"kind": "delay", "delay_ms": 900, "distribution": "exponential"}
    jobs = [{**job, "submit_s": 3 * n} for n, job in enumerate(4 * JOBS)]
    cluster, _, summary = emulate(*bad, late, design=f"RELIABLE({around})", seed=seed, jobs=jobs)
    assert summary["jobs"] == 8
    assert summary["faults"]["leaked_mb"] == 0
    assert summary["faults"]["messages_lost"] > 0
    assert not [
        process for job in cluster.jobs for process in job.processes if process.state == GRANT
    ]
    assert all(servent.host.metrics.given_up == 0 for servent in cluster.servents)


@pytest.mark.parametrize("line", ["message.source = 5", "return Deliver(1.5)", "return 5"])
@pytest.mark.parametrize("plane", ["actors", "compiled"])
def test_a_rule_cannot_change_a_message_and_gives_a_verdict(tmp_path, line, plane):
    file = tmp_path / "rules.py"
    body = f"def rule(message, now_ns):\n    {line}\n    return Pass()\n"
    file.write_text(f"from model.pnr.faults import Deliver, Drop, Pass\n{body}")
    scenario = make_scenario(fault_file=f"{file}:rule", job=SCARCE, **SMALL)
    with pytest.raises(InputError) as refused:
        run(scenario, "MAN", plane=plane)
    assert "\n" not in str(refused.value)
