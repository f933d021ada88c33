"""The page gets what the emulation does."""

import math

import pytest

from agents.pnr.messages import BarrierRelease
from model.core.journal import words
from model.core.journal.kinds import KINDS, OUTAGES
from model.core.journal.past import PastNode
from model.dashboard.pictures import Stage, node_mark, picture, stage_picture
from model.dashboard.session import Session
from model.pnr.cluster import Cluster
from model.pnr.scenario import make_scenario
from model.systems import comparison_of
from model.views.page.layout import Layout

MB = 2**20
JOB = {"processes": 1, "memory_mb": 1, "demand_s": 1, "submit_s": 0}


def step(session, goal):
    session.begin_step()
    while not session.step(goal):
        pass


def watched(goal, *names, jobs=None, nodes=3, **parameters):
    """A session after one step, and its picture."""
    jobs = jobs or [{**JOB, "memory_mb": 40, "demand_s": 5}]
    scenario = make_scenario(nodes=nodes, job=jobs, **parameters)
    session = Session(scenario, *names)
    stage = Stage(session)
    step(session, goal)
    return session, stage, picture(session, stage)


@pytest.mark.parametrize(
    "topology", ["star", "bus", "connected", "two-level", "fat-tree", "ring", "torus"]
)
@pytest.mark.parametrize("duplex", ["full", "half"])
def test_a_message_goes_from_its_sender_to_its_receiver_without_a_gap(topology, duplex):
    scenario = make_scenario(nodes=16, job=[JOB], topology=topology, duplex=duplex)
    layout, hops = Layout(scenario, comparison_of(scenario).loaded.graph), []
    emulation = comparison_of(scenario).emulation(
        "DP", (lambda it: hops.append(it) if it.kind == "hop" else None,), "all", "actors"
    )
    for target in (1, 7, 15):
        emulation.nodes[0].send(target, BarrierRelease(1, 1))
        stations = emulation.network.stations_between(0, target)
        vertices = [0]
        for station in stations:
            line = layout.line(0, target, station.name)
            assert layout.vertices[line[0]] == layout.vertices[vertices[-1]]
            vertices += line[1:] if len(line) > 1 else []
        assert vertices[-1] == target
    drawn = layout.drawn()
    names = {name for _, _, stations in drawn["wires"] for name in stations}
    names |= {name for _, name in drawn["switches"]}
    real = {station.name for station in emulation.network.stations()}
    assert real <= names
    assert {stations[0] for _, _, stations in drawn["wires"]} <= real  # what an idle wire is called
    assert hops


@pytest.mark.parametrize("nodes", [1, 2, 4, 64, 128])
@pytest.mark.parametrize("topology", ["star", "bus", "fat-tree", "torus"])
def test_no_node_covers_another(nodes, topology):
    scenario = make_scenario(nodes=nodes, job=[JOB], topology=topology)
    drawn = Layout(scenario, comparison_of(scenario).loaded.graph).drawn()
    places = drawn["points"][:nodes]
    assert all(max(map(abs, place)) <= 1000 for place in places)
    for number, one in enumerate(places):
        for other in places[:number]:
            assert math.dist(one, other) >= 2 * drawn["radius"]


def test_a_nodes_memory_is_told_in_parts_that_are_nowhere_twice():
    node = PastNode(0)
    node.own, node.lent, node.loans, node.borrowed = 40 * MB, 2 * MB, {3: 4 * MB}, 4 * MB
    mark = node_mark(node, 32 * MB)
    # Over-allocated are 42 - 32 = 10 MB, 4 of them borrowed; in RAM, 2 are lent and 30 are own.
    assert mark["mb"] == [30, 2, 0, 0, 4, 0, 6]
    assert "30.0 MB of its own in RAM, 2.0 lent, 0.0 idle" in mark["label"]
    assert "4.0 borrowed, 0.0 asked for, 6.0 on disk; RAM 32.0 MB" in mark["label"]
    assert node_mark(PastNode(0), 32 * MB)["mb"] == [0, 0, 32, 0, 0, 0, 0]


def test_details_name_both_sides_of_a_loan_and_what_was_believed():
    session, stage, _ = watched("RamGrant arrives", "CEN", nodes=2)
    step(session, "a process starts")
    borrower = picture(session, stage)["runs"][0]["details"]
    session.picked = 1
    lender = picture(session, stage)["runs"][0]["details"]
    tables = {table["title"].partition(" (")[0]: table["rows"] for table in borrower["tables"]}
    assert tables["Loans"] == [["from 1", "8.00"]]
    believed = tables["What its manager believed at its last choice"]
    assert believed == [[1, "no word", "", "32.00"]]  # node 1 had said nothing, and was all idle
    assert ["to 0", "8.00"] in next(it["rows"] for it in lender["tables"] if it["title"] == "Loans")
    assert (borrower["title"], lender["title"]) == ("Node 0: manages", "Node 1: manages nothing")
    heard = lender["tables"][-1]["rows"]
    assert [row[1:] for row in heard] == [["ServerRequest", 0, 1]]


def test_a_step_brings_the_messages_that_moved_with_all_their_hops():
    session, stage, one = watched("ServerReply arrives", "CEN", nodes=2)
    (message,) = [it for it in one["runs"][0]["messages"] if it[1] == "ServerReply"]
    _, _, source, target, sent_ns, gone_ns, lost, hops = message
    assert (source, target, gone_ns, lost) == (1, 0, session.at_ns, False)
    link_ns = round(128 * 8 / 100e6 * 1e9)  # 128 bytes at 100 Mbps; then 50 ns of latency
    (up, switch, down) = hops
    assert up[:3] == [sent_ns, sent_ns, sent_ns + link_ns]
    assert switch[:3] == [up[2] + 50, up[2] + 50, up[2] + 50 + 80_000]
    assert down[:3] == [switch[2], switch[2], switch[2] + link_ns]
    assert gone_ns == down[2] + 50
    places = stage.layout.vertices
    assert [[places[it] for it in hop[3]] for hop in hops] == [
        [1, "switch"],
        ["switch"],
        ["switch", 0],
    ]
    assert one["runs"][0]["sentence"].startswith(
        "node 0 receives ServerReply from node 1, for job 1 — "
    )


def test_a_long_step_leaves_out_messages_and_says_how_many():
    jobs = [{**JOB, "processes": 3, "demand_s": 400}]
    _, _, one = watched("10 min", "DP", jobs=jobs)
    run = one["runs"][0]
    total = run["left_out"] + len(run["messages"])
    assert run["left_out"] > 0
    # After each of 400 s, two arrive at the barrier and two are released (but for the last).
    assert abs(total - 4 * 400) <= 4
    assert f"{total:,} messages about pages and barriers" in run["sentence"]


def test_what_is_lost_is_a_cross_and_not_on_its_way():
    loss = {"kind": "loss", "messages": ["ServerRequest"]}
    session, stage, one = watched("a message is lost", "CLI", fault=[loss])
    ((node, text),) = one["runs"][0]["lost"]
    assert text == f"node {node}: ServerRequest from node 0 is lost (loss), for job 1"
    assert "0 messages on their way; 1 messages lost" in one["runs"][0]["line"]
    while not session.has_ended:
        step(session, "10 min")
    then = picture(session, stage)["runs"][0]
    assert then["lost"] == []  # of an earlier step
    assert "1 jobs are not done" in then["complaint"]


def test_a_node_that_is_down_says_since_when():
    crash = {"kind": "servent", "nodes": [2], "from_s": 1, "restart_s": 2}
    session, stage, one = watched("a servent or node fails", "MAN", fault=[crash])
    marks = one["runs"][0]["nodes"]
    assert [mark["down"] for mark in marks] == [None, None, "#AAAAAA"]
    assert marks[2]["label"].endswith("; its servent has crashed at 1.000000 s")
    assert "1 nodes down" in one["runs"][0]["line"]
    step(session, "a job ends")
    run = picture(session, stage)["runs"][0]
    assert not any(mark["down"] for mark in run["nodes"])
    assert "1 restarts; 0 nodes down" in run["line"]


def test_rates_are_messages_a_second():
    jobs = [{**JOB, "processes": 3, "demand_s": 10}]
    _, _, one = watched("10 s", "DP", jobs=jobs)
    rates = one["runs"][0]["rates"]
    times_s, of_kind = rates["times_s"], rates["kinds"]["BarrierArrive"]
    width_s = times_s[1] - times_s[0]
    assert len(times_s) <= 256
    assert sum(rate * width_s for rate in of_kind if rate) == pytest.approx(2 * 9, rel=0.01)


def test_a_job_has_its_response_time_once_it_has_ended():
    jobs = [{**JOB, "demand_s": demand_s} for demand_s in (1, 3)]  # at once, on two nodes
    _, _, one = watched("10 s", "DP", jobs=jobs)
    assert one["runs"][0]["responses"] == [[1, 1], [3, 3]]


def test_the_stage_says_what_is_watched():
    scenario = make_scenario(nodes=4, job=[JOB], ram=50, seed=7)
    session = Session(scenario, "BB2", "DP")
    told = stage_picture(session, Stage(session))
    assert told["caption"] == "4 nodes with 16 MB on star, 100 Mbps, seed 7"
    assert (told["names"], told["managers"]) == (["BB2", "DP"], [[0, 2], []])
    assert (told["replay"], told["every_hop"], told["rams"]) == (False, True, [16] * 4)


def test_a_choice_of_nobody_is_told_as_such():
    """Each log line of a choice names the node that the record has chosen, or nobody."""
    jobs = [{"processes": 2, "memory_mb": 64, "demand_s": 1}]  # more than all nodes have
    records = []
    Cluster(make_scenario(nodes=2, job=jobs), "CLI", (records.append,), "protocol").run()
    choices = [it for it in records if it.kind == "decided"]
    assert {None} <= {it.peer for it in choices}
    for it in choices:
        chosen = "nobody" if it.peer is None else f"node {it.peer}"
        text = words.sentence(it)
        assert text.startswith(f"node {it.node} chooses {chosen}")
        assert text.endswith(", for job 1")


def test_a_failure_is_told_by_what_fails():
    jobs = [{"processes": 1, "memory_mb": 1, "demand_s": 5}]
    faults = [
        {"kind": "node", "nodes": [0], "from_s": 1, "restart_s": 1},
        {"kind": "servent", "nodes": [1], "from_s": 1, "restart_s": 1},
        {"kind": "pause", "nodes": [1], "from_s": 3, "until_s": 4},
    ]
    records = []
    scenario = make_scenario(nodes=2, job=jobs, fault=faults)
    Cluster(scenario, "CLI", (records.append,), "protocol").run()
    lines = [words.sentence(it) for it in records if OUTAGES in KINDS[it.kind].changes]
    assert sorted(lines) == [
        "node 0: the node begins anew",
        "node 0: the node crashes",
        "node 0: the servent begins anew",  # with its node
        "node 0: the servent crashes",
        "node 1: the servent begins anew",
        "node 1: the servent crashes",
        "node 1: the servent goes on",
        "node 1: the servent pauses",
    ]


def test_the_ram_of_a_crashed_node_is_not_idle():
    crash = {"kind": "node", "nodes": [2], "from_s": 1, "restart_s": 2}
    session, stage, one = watched("a servent or node fails", "MAN", fault=[crash])
    session.picked = 2
    while not one["runs"][0]["nodes"][2]["label"].endswith(
        "s; its servent has crashed at 1.000000 s"
    ):
        step(session, "anything happens")
        one = picture(session, stage)
    # own, lent, idle, of a crashed node; borrowed, asked for, on disk
    assert one["runs"][0]["nodes"][2]["mb"] == [0, 0, 0, 32, 0, 0, 0]
    assert "0.0 idle, 32.0 of no use after its crash" in one["runs"][0]["nodes"][2]["label"]


def test_memory_is_asked_for_until_it_is_granted_and_on_no_disk():
    session, stage, one = watched("a protocol message arrives", "CEN", nodes=2)
    assert one["runs"][0]["nodes"][0]["mb"] == [32, 0, 0, 0, 0, 8, 0]  # 40 MB on 32
    assert "1 wait for a grant" in one["runs"][0]["line"]
    step(session, "a process starts")
    then = picture(session, stage)["runs"][0]
    assert then["nodes"][0]["mb"] == [32, 0, 0, 0, 8, 0, 0]
    assert "1 run or move" in then["line"]


def test_a_rack_is_no_node_and_only_candidates_of_the_search_are_listed():
    # Rack 0 is nodes 0 and 1: its leader, node 0, is also the root. Node 0 lacks more than node 1
    # has, so the root turns to the leader of nodes 2 and 3, which have 64 MB together.
    jobs = [{**JOB, "memory_mb": 90, "demand_s": 1}]
    session, stage, _ = watched("a choice among nodes", "RACK2", jobs=jobs, nodes=4)
    tables = []
    for _ in range(9):
        session.picked = 0
        found = picture(session, stage)["runs"][0]["details"]["tables"]
        tables += [it for it in found if it["title"].startswith("What its manager believed")]
        step(session, "a choice among nodes")
    of_nodes = [it["rows"] for it in tables if it["head"][0] == "node"]
    of_groups = [it["rows"] for it in tables if it["head"][0] == "group of node"]
    assert of_groups[0] == [[2, "no word", "", "64.00"]]
    assert all(row[0] in (0, 1) for rows in of_nodes for row in rows)
    assert all(float(row[3]) <= 32 for rows in of_nodes for row in rows)
