"""The watched cluster steps as it is told, runs as any other, and loses no message from sight."""

import mesa
import pytest

from model.dashboard.watched import PACES, SPANS_S, Pace, WatchedCluster
from model.pnr.cluster import Cluster
from model.pnr.scenario import make_scenario

JOBS = [
    {"processes": 2, "memory_mb": 40, "demand_s": 0.03},
    {"processes": 1, "memory_mb": 20, "demand_s": 0.02, "submit_s": 0.01},
    {"processes": 3, "memory_mb": 30, "demand_s": 0.02, "submit_s": 0.015},
]
SCENARIO = make_scenario(nodes=4, job=JOBS, page_bytes=2**18, barrier_s=0.01)


def watched(goal, design="MAN", **parameters):
    return WatchedCluster(SCENARIO, Pace(goal), design, **parameters)


def run_out(cluster):
    while cluster.running:
        cluster.step()
        yield cluster


def test_a_scenario_of_mesas_own_is_not_the_emulation_s():
    made = mesa.Model()  # from Mesa 3.5 on, Reset hands on the scenario that a model has
    cluster = watched("one event", ram=50, scenario=getattr(made, "scenario", None))
    assert cluster.parameters == SCENARIO.model_copy(update={"ram": 50})


@pytest.mark.parametrize("goal", PACES)
def test_every_pace_leads_to_the_end_of_an_unwatched_run(goal):
    cluster = watched(goal)
    for _ in run_out(cluster):
        pass
    unwatched = Cluster(SCENARIO, "MAN").run()
    assert [job.end_ns for job in cluster.jobs] == [job.end_ns for job in unwatched.jobs]
    assert cluster.clock.executed == unwatched.clock.executed


def test_messages_in_flight_are_those_sent_and_not_delivered():
    seen = 0
    for cluster in run_out(watched("one event")):
        tallies = cluster.network.tallies.values()
        flying = sum(tally.sent - tally.delivered for tally in tallies)
        assert len(cluster.witness.flights) == flying
        seen = max(seen, flying)
    assert seen > 1
    assert not cluster.witness.flights


def test_one_event_is_one():
    cluster = watched("one event")
    cluster.step()
    assert cluster.clock.executed == 1


@pytest.mark.parametrize("span", SPANS_S)
def test_a_span_takes_as_long_though_nothing_happens(span, monkeypatch):
    monkeypatch.setattr(
        "model.dashboard.watched._LONGEST_STEP_S", 60
    )  # however slow the machine is
    later = {"processes": 1, "memory_mb": 1, "demand_s": 1, "submit_s": 10_000}
    scenario = make_scenario(nodes=4, job=[*JOBS, later])
    cluster = WatchedCluster(scenario, Pace(span), "DP")
    for steps in range(1, 4):
        cluster.step()
        assert cluster.clock.now_ns == steps * SPANS_S[span] * 10**9
        assert cluster.clock.next_key()[0] > cluster.clock.now_ns


def test_a_step_to_a_message_ends_where_it_arrives():
    cluster = watched("RamGrant arrives")
    cluster.step()
    found = cluster.witness.reached
    assert (found.kind, found.what, found.time_ns) == (
        "delivered",
        "RamGrant",
        cluster.clock.now_ns,
    )
    assert cluster.witness.arrived["RamGrant"] == (found.node != found.peer)


def test_steps_over_protocol_messages_meet_each_of_them():
    cluster = watched("a protocol message arrives")
    met = sum(cluster.witness.reached is not None for _ in run_out(cluster))
    journal = []
    Cluster(SCENARIO, "MAN", readers=(journal.append,)).run()
    data = {"PageRequest", "PageReply", "BarrierArrive", "BarrierRelease"}
    assert met == sum(r.kind == "delivered" and r.what not in data for r in journal)


def test_parameters_win_over_the_scenario():
    cluster = watched("one event", ram=50, topology="bus", seed=7)
    assert cluster.nodes[0].memory.ram == 16 * 2**20
    assert (cluster.parameters.topology, cluster.parameters.seed) == ("bus", 7)
    assert cluster.parameters.nodes == SCENARIO.nodes


def test_the_curve_keeps_its_ends_and_a_bounded_number_of_points():
    cluster = watched("one event")
    first = cluster.curve[0]
    for _ in run_out(cluster):
        assert len(cluster.curve) <= 400
    times = [time_s for time_s, _ in cluster.curve]
    assert cluster.curve[0] == first == (0.0, {})
    assert times == sorted(times)
    assert cluster.curve[-1][1] == cluster.witness.arrived


def test_nothing_happens_until_the_browser_shows_the_last_drawing(monkeypatch):
    monkeypatch.setattr("model.dashboard.watched._LONGEST_WAIT_S", 0.01)
    cluster = watched("one event")
    cluster.drawn.clear()  # as the page does when it sends one
    cluster.step()
    assert cluster.clock.executed == 0
    cluster.drawn.set()
    cluster.step()
    assert cluster.clock.executed == 1
