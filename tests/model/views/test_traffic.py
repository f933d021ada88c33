"""Traffic: who sends how much to whom, and how busy stations are, by hand and by their counters."""

import numpy as np
import pandas as pd
import pytest

from model.core.journal.kinds import Record
from model.ground.errors import InputError
from model.pnr.scenario import make_scenario
from model.views.recording import Selection, over_network, record
from model.views.traffic import (
    draw,
    matrix,
    per_bin,
    queue_length,
    utilization,
)
from tests.journaled import journaled

BARRIER = {"processes": 3, "memory_mb": 8, "demand_s": 2}  # meets once, at 1 s
BORROWER = {"processes": 1, "memory_mb": 40, "demand_s": 0.02, "number": 7}


def scenario(*jobs, **parameters):
    return make_scenario(job=list(jobs), minimum_demand_s=0.001, **parameters)


def hops(*services, station="switch"):
    """Hops of (arrival, start, end) at a station."""
    frame = pd.DataFrame(services, columns=["time_ns", "start_ns", "end_ns"], dtype="Int64")
    return frame.assign(station=station, kind="hop")


def test_the_matrix_holds_the_bytes_of_a_barrier():
    # Both workers tell the master, which tells both: 64 B each. What a node tells itself counts not
    made = record(scenario(BARRIER, nodes=3), "DP")
    sizes = matrix(over_network(made.records), 3)
    assert sizes.tolist() == [[0, 64, 64], [64, 0, 0], [64, 0, 0]]


@pytest.mark.parametrize("level", ["protocol", "all"])
def test_the_matrix_needs_no_hops(level):
    # CEN: the manager, node 0, asks a lender and releases: 128 B four times, two each way
    made = record(scenario(BORROWER, nodes=3, page_bytes=2**20), "CEN", level)
    protocol = made.records[~made.records["what"].isin(["PageRequest", "PageReply"])]
    lender = made.records.loc[made.records["kind"] == "lent", "node"].item()
    expected = np.zeros((3, 3), int)
    expected[0, lender] = expected[lender, 0] = 256
    assert matrix(over_network(protocol), 3).tolist() == expected.tolist()


def test_messages_are_counted_and_chosen_by_kind():
    # the same barrier: each of 2 workers arrives once, the master releases both
    made = record(scenario(BARRIER, nodes=3), "DP")
    assert matrix(over_network(made.records), 3, count=True).tolist() == [
        [0, 1, 1],
        [1, 0, 0],
        [1, 0, 0],
    ]
    arrivals = over_network(Selection(messages=("BarrierArrive",)).of(made))
    assert matrix(arrivals, 3).tolist() == [[0, 0, 0], [64, 0, 0], [64, 0, 0]]
    figure = draw(made, Selection(messages=("BarrierArrive",)), count=True)
    assert "Messages sent (blank: none)" in [a.get_ylabel() for a in figure.axes]


def test_a_kind_that_there_is_not_is_refused():
    made = record(scenario(BARRIER, nodes=3), "DP")
    with pytest.raises(InputError, match=r"is a 'Barrier'; take BarrierArrive, BarrierRelease$"):
        Selection(messages=("BarrierArrive", "Barrier")).of(made)


def test_utilization_is_the_share_of_each_bin_in_which_a_station_serves():
    services = hops((0, 0, 5), (3, 5, 15), (30, 30, 40))
    shares = utilization(services, np.array([0, 10, 20, 30, 35]))
    assert shares.loc["switch"].tolist() == [1, 0.5, 0, 1]


def test_a_queue_holds_who_waits_and_not_who_is_served():
    # at 0 one comes and is served; at 3 two come; they start at 5 and 15
    queue = queue_length(hops((0, 0, 5), (3, 5, 15), (3, 15, 20)))
    assert [*zip(*queue, strict=True)] == [(0, 0), (3, 2), (5, 1), (15, 0)]
    # [0, 4), [4, 10), [10, 20), [20, 30): what waits at a bin's start counts in it
    assert queue.most(np.array([0, 4, 10, 20, 30])).tolist() == [2, 2, 1, 0]


def test_nobody_waits_for_a_service_of_no_length():
    queue = queue_length(hops((4, 4, 4), (4, 4, 4)))
    assert queue.values.tolist() == [0, 0]
    shares = utilization(hops((4, 4, 4)), np.array([0, 4, 8]))
    assert shares.loc["switch"].tolist() == [0, 0]


@pytest.mark.parametrize("topology", ["star", "bus", "connected"])
def test_the_journal_says_what_the_stations_counted(topology):
    one = scenario(BARRIER, BORROWER, nodes=4, topology=topology)
    cluster, rows = journaled(one, "MAN")
    frame = pd.DataFrame(rows, columns=Record._fields)
    passed = frame[frame["kind"] == "hop"]
    edges = np.linspace(0, cluster.clock.now_ns, 38)
    shares = utilization(passed, edges)
    used = [station for station in cluster.network.stations() if station.served]
    assert set(shares.index) == {station.name for station in used}
    assert 0 <= shares.to_numpy().min() <= shares.to_numpy().max() <= 1 + 1e-9
    for station in used:
        here = passed[passed["station"] == station.name]
        assert len(here) == station.served
        busy_ns = (shares.loc[station.name] * np.diff(edges)).sum()
        assert busy_ns == pytest.approx(station.busy_ns)
        queue = queue_length(here)
        # Little: the queue's length over time is the time that all waited
        assert (queue.values[:-1] * np.diff(queue.times_ns)).sum() == station.wait_ns
        assert queue.values.min() >= 0
        assert queue.values[-1] == 0


def test_messages_are_counted_by_bin():
    made = record(scenario(BARRIER, nodes=3), "DP")
    counts = per_bin(over_network(made.records), np.array([0, 10**9, 2 * 10**9]))
    assert counts.tolist() == [0, 4]  # two processes come to the barrier, and are let go on


def test_a_window_is_as_asked_within_the_run():
    made = record(scenario(BARRIER, nodes=3), "DP")
    assert Selection().window_ns(made) == (0, 2_000_340_680)
    assert Selection(from_s=0.5, to_s=1.5).window_ns(made) == (500_000_000, 1_500_000_000)
    assert Selection(from_s=0.5, to_s=9).window_ns(made) == (500_000_000, 2_000_340_680)


def panels(made, selection):
    figure = draw(made, selection)
    return [axes.get_ylabel() for axes in figure.axes]


def test_a_service_in_the_window_counts_though_it_was_asked_for_before():
    # the switch serves from 1 s + 5,170 ns for 160,000 ns; the window is within
    made = record(scenario(BARRIER, nodes=3), "DP")
    figure = draw(made, Selection(from_s=1.000_0, to_s=1.000_1))
    lines = {patch.get_label(): patch for patch in figure.axes[1].patches}
    values = lines["switch"].get_data().values
    assert values[10:].tolist() == pytest.approx([100] * 90)  # percent, bins of 1,000 ns
    assert figure.axes[2].get_xlabel() == "Time after 1 s (µs)"


@pytest.mark.parametrize(
    ("nodes", "level", "selection"),
    [
        (1, "all", Selection()),  # no network at all
        (4, "protocol", Selection(job=7)),
        (4, "all", Selection(job=7, nodes=(0,))),
        (4, "all", Selection(from_s=0, to_s=1e-9)),
    ],
)
def test_odd_selections_are_drawn(nodes, level, selection):
    assert panels(record(scenario(BORROWER, nodes=nodes), "DP", level), selection)
