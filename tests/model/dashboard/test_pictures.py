"""What the page draws is where the emulation says it is."""

import pytest

from agents.pnr.messages import BarrierArrive, BarrierRelease
from model.dashboard.pictures import (
    FULL,
    LEGEND,
    Layout,
    fault_line,
    loss_marks,
    memory_bars,
    message_legend,
    message_marks,
    node_details,
    node_marks,
    response_chart,
    traffic_chart,
)
from model.dashboard.watched import KINDS, Pace, WatchedCluster
from model.pnr.scenario import make_scenario

MB = 2**20
JOB = {"processes": 1, "memory_mb": 1, "demand_s": 1, "submit_s": 0}


@pytest.fixture(autouse=True)
def steps_of_any_length(monkeypatch):
    """A step goes on to its goal, however busy the machine is."""
    monkeypatch.setattr("model.dashboard.watched._LONGEST_STEP_S", 600)


def cluster_of(topology="star", nodes=2, design="MAN"):
    scenario = make_scenario(nodes=nodes, job=[JOB], topology=topology)
    return WatchedCluster(scenario, Pace(), design)


def place(cluster):
    (mark,) = message_marks(cluster, Layout(cluster))
    return mark["x"], mark["y"]


def test_a_message_on_a_star_goes_up_the_link_through_the_switch_and_down():
    cluster = cluster_of(design="DP")
    cluster.clock.run(1)  # the job arrives, and computes for a second
    node, switch = Layout(cluster).where[0], Layout(cluster).where["switch"]
    cluster.nodes[0].send(1, BarrierRelease(1, 1))
    assert place(cluster) == node
    cluster.clock.now_ns = 2560  # of the 5,120 ns that 64 bytes hold a link of 100 Mbps
    middle = tuple(round((a + b) / 2) for a, b in zip(node, switch, strict=True))
    assert place(cluster) == middle
    cluster.clock.run(1)  # it reaches the switch
    assert place(cluster) == switch


def test_a_message_on_a_bus_passes_the_medium():
    cluster = cluster_of("bus")
    layout = Layout(cluster)
    (medium,) = layout.switches
    cluster.nodes[0].send(1, BarrierRelease(1, 1))
    cluster.clock.now_ns = 2560
    assert list(place(cluster)) == medium


def test_a_message_behind_another_waits_at_its_sender():
    cluster = cluster_of()
    cluster.nodes[0].send(1, BarrierRelease(1, 1))
    cluster.nodes[0].send(1, BarrierArrive(1, 1))
    cluster.clock.now_ns = 2560
    first, second = message_marks(cluster, Layout(cluster))
    assert first["says"] == "BarrierRelease 0 → 1, on 0->switch"
    assert second["says"] == "BarrierArrive 0 → 1, waits for 0->switch"
    assert (second["x"], second["y"]) == Layout(cluster).where[0]


def test_messages_at_one_place_are_told_apart():
    cluster = cluster_of()
    for _ in range(20):
        cluster.nodes[0].send(1, BarrierRelease(1, 1))
    places = [(mark["x"], mark["y"]) for mark in message_marks(cluster, Layout(cluster))]
    assert len({*places}) == 20


@pytest.mark.parametrize("topology", ["star", "bus", "connected", "two-level", "fat-tree", "ring"])
def test_every_message_stays_on_the_picture_all_its_way(topology):
    cluster = cluster_of(topology, nodes=16)
    layout = Layout(cluster)
    for target in range(1, 16):
        cluster.nodes[0].send(target, BarrierRelease(1, 1))
    while cluster.witness.flights and cluster.clock.next_key()[0] < 10**7:
        for mark in message_marks(cluster, layout):
            assert max(abs(mark["x"]), abs(mark["y"])) <= 1100
        key = cluster.clock.next_key()
        flight = [f for f in cluster.witness.flights.values() if f.sent.peer == key[2]]
        way = layout.way(cluster, 0, key[2])
        if flight and flight[0].hops == len(way):
            break  # its delivery: there is no process to take it
        cluster.clock.run(1)


def test_memory_bars_say_what_is_where():
    cluster = cluster_of(nodes=2)
    borrower, lender = (node.memory for node in cluster.nodes)
    borrower.allocate(1, 40 * MB)  # 8 MB more than its RAM
    borrower.borrow(1, 5 * MB)
    lender.allocate(2, 30 * MB)
    lender.lend(10 * MB)  # 8 MB more than its RAM, too
    bars = memory_bars(cluster)
    assert (
        "32.0 MB of its own in RAM, 0.0 lent, 5.0 on other nodes, 3.0 on disk"
        in (bars["bars"][0]["says"])
    )
    assert (
        "22.0 MB of its own in RAM, 10.0 lent, 0.0 on other nodes, 8.0 on disk"
        in (bars["bars"][1]["says"])
    )
    for bar in bars["bars"]:  # of 48 MB, what fits the picture's 385 units
        height = sum(part["height"] for part in bar["parts"])
        assert height == pytest.approx(40 / 48 * 385, abs=0.3)
        tops = [part["y"] for part in bar["parts"]]
        assert tops == sorted(tops, reverse=True)


def test_no_color_of_a_node_is_one_of_the_bars_beside_it():
    cluster = cluster_of()
    cluster.nodes[1].memory.allocate(1, 32 * MB)
    full = node_marks(cluster, Layout(cluster))[1]["color"]
    assert full.upper() == FULL.upper()
    assert full not in {row["color"] for row in LEGEND}


def test_charts_are_dark_on_white_whatever_the_page_is():
    for chart in (traffic_chart(cluster_of()), response_chart(cluster_of())):
        assert chart["backgroundColor"] == "white"


def test_nodes_are_darker_the_fuller_they_are_and_managers_are_marked():
    cluster = cluster_of(nodes=4, design="BB2")
    cluster.nodes[1].memory.allocate(1, 32 * MB)
    marks = node_marks(cluster, Layout(cluster))
    assert [mark["manager"] for mark in marks] == [True, False, True, False]
    assert marks[0]["color"] == "#FFFFFF"
    assert marks[1]["dark"]


def test_details_name_both_sides_of_a_loan_and_what_a_manager_heard():
    jobs = [{"processes": 1, "memory_mb": 40, "demand_s": 5}]
    scenario = make_scenario(nodes=2, job=jobs)
    cluster = WatchedCluster(scenario, Pace("RamGrant arrives"), "CEN")
    cluster.step()
    lender = node_details(cluster, 1)
    borrower = node_details(cluster, 0)
    assert "to 0" in lender
    assert "from 1" in borrower
    assert "8.00" in lender
    assert "8.00" in borrower
    assert "manages nothing" in lender
    assert "24.0" in borrower  # node 1's load when it replied: 32 MB less the 8 lent
    assert "ServerRequest" in lender


def test_the_legend_tells_each_kind_from_the_others():
    legend = message_legend(cluster_of())
    named = [row["kind"] for row in legend]
    looks = {(row["edge"], row["fill"]) for row in legend}
    assert named == list(KINDS)
    assert len(looks) == len(KINDS)


def test_charts_say_so_while_there_is_nothing_to_draw():
    cluster = cluster_of()
    assert traffic_chart(cluster)["title"]["text"] == "no message has arrived yet"
    assert response_chart(cluster)["title"]["text"] == "no job has ended yet"


def test_the_traffic_chart_has_a_line_for_each_kind_that_arrived():
    scenario = make_scenario(nodes=2, job=[{**JOB, "processes": 2, "demand_s": 2}])
    cluster = WatchedCluster(scenario, Pace("BarrierArrive arrives"), "DP")
    cluster.step()  # the worker is at the barrier after a second of work
    chart = traffic_chart(cluster)
    assert [line["name"] for line in chart["series"]] == ["BarrierArrive"]
    (_, nothing), (arrived_s, one) = chart["dataset"]["source"]
    assert (nothing, one) == (None, 1)
    # 64 bytes at 100 Mbps on two links of 50 ns, 80 us in the switch between them
    assert arrived_s == pytest.approx(1 + 2 * (5.12e-6 + 50e-9) + 80e-6, abs=1e-9)


def test_the_response_chart_has_each_job_and_the_mean_up_to_it():
    jobs = [{**JOB, "demand_s": demand_s} for demand_s in (1, 3)]  # at once, on two nodes
    cluster = WatchedCluster(make_scenario(nodes=2, job=jobs), Pace("a job ends"), "DP")
    while cluster.running:
        cluster.step()
    first, second = response_chart(cluster)["dataset"]["source"]
    assert first == [pytest.approx(1, abs=1e-3)] * 3
    assert second == pytest.approx([3, 3, 2], abs=1e-3)


def faulty(goal, *faults, design="CLI", **job):
    jobs = [{**JOB, "memory_mb": 40, "demand_s": 5, **job}]
    scenario = make_scenario(nodes=3, job=jobs, fault=list(faults))
    return WatchedCluster(scenario, Pace(goal), design)


def test_what_is_lost_ends_in_a_cross_beside_its_receiver_and_is_not_in_flight():
    cluster = faulty("a message is lost", {"kind": "loss", "messages": ["ServerRequest"]})
    cluster.step()
    layout = Layout(cluster)
    (cross,) = loss_marks(cluster, layout)
    receiver = cross["node"]
    assert cross["says"] == f"ServerRequest 0 → {receiver}, lost (loss)"
    x, y = layout.where[receiver]
    assert abs(cross["x"] - x) + abs(cross["y"] - y) < 2 * layout.radius
    assert message_marks(cluster, layout) == []
    assert fault_line(cluster) == "lost messages: 1; servents down: 0; restarts: 0"
    while cluster.running:
        cluster.step()
    assert loss_marks(cluster, layout) == []  # of an earlier step
    assert fault_line(cluster).endswith("; stuck jobs: 1; leaked MB: 0.0")


def test_a_node_whose_servent_is_down_is_grey_and_says_since_when():
    crash = {"kind": "servent", "nodes": [2], "from_s": 1, "restart_s": 2}
    cluster = faulty("a servent fails", crash, design="MAN")
    cluster.step()
    marks = node_marks(cluster, Layout(cluster))
    assert [mark["down"] for mark in marks] == [False, False, True]
    assert marks[2]["color"] == "#AAAAAA"
    assert "its servent has crashed at 1.000000 s" in marks[2]["says"]
    assert "its servent has crashed at 1.000000 s" in node_details(cluster, 2)
    cluster.pace.goal = "a job ends"
    cluster.step()
    assert not any(mark["down"] for mark in node_marks(cluster, Layout(cluster)))
    assert "servents down: 0; restarts: 1" in fault_line(cluster)


def test_without_faults_nothing_is_said_of_them():
    assert fault_line(cluster_of()) == ""
