"""Queues at stations, counted again from the hops by other code."""

import pytest

from model.ground.errors import InputError
from model.pnr.scenario import make_scenario
from model.views.queues import by_station, draw, services
from model.views.recording import Selection, record


def scenario_of(**parameters):
    jobs = [{"processes": 4, "memory_mb": 40, "demand_s": 0.02}] * 2
    given = {"nodes": 8, "page_bytes": 2**18, "minimum_demand_s": 0.001, "barrier_s": 0.005}
    return make_scenario(job=jobs, **{**given, **parameters})


@pytest.mark.parametrize("topology", ["star", "bus", "torus"])
def test_waits_and_lengths_are_those_of_the_hops(topology):
    made = record(scenario_of(topology=topology), "CLI")
    table = by_station(services(made, Selection()))
    served = {}
    for row in made.records[made.records["kind"].isin(["hop", "disk"])].itertuples():
        served.setdefault(row.station, []).append((row.time_ns, row.start_ns))
    assert set(table.index) == set(served)
    for station, its in served.items():
        waits = [start - arrival for arrival, start in its]
        # at any arrival those wait that have arrived and do not start until later
        most = max(sum(a <= now < start for a, start in its) for now, _ in its)
        row = table.loc[station]
        assert row["served"] == len(its)
        assert row["waited"] == sum(wait > 0 for wait in waits)
        assert row["mean_ns"] == pytest.approx(sum(waits) / len(waits))
        assert row["longest_ns"] == max(waits)
        assert row["most"] == most


def test_the_picture_shows_the_longest_queue_and_wait():
    made = record(scenario_of(), "CLI")
    table = by_station(services(made, Selection()))
    left, right = draw(made, Selection()).axes[:2]
    for axes, column, unit in ((left, "most", 1), (right, "longest_ns", 10**6)):
        shown = axes.images[0].get_array()
        for row, label in enumerate(left.get_yticklabels()):
            assert shown[row].max() == pytest.approx(table.loc[label.get_text(), column] / unit)


def test_waiting_messages_are_whole_numbers():
    figure = draw(record(scenario_of(), "CLI"), Selection())
    figure.canvas.draw()
    bar = next(it for it in figure.axes if it.get_xlabel().startswith("Waiting messages"))
    assert all(tick == round(tick) for tick in bar.get_xticks())


def test_a_journal_without_hops_is_refused_in_a_line():
    made = record(scenario_of(), "CLI", "protocol")
    with pytest.raises(InputError, match=r"has no hops.*--journal-level all"):
        draw(made, Selection())
