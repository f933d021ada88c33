"""Queues at stations, counted again from the hops by other code."""

import pytest

from model.ground.errors import InputError
from model.pnr.scenario import make_scenario
from model.views.queues import draw, services, waits_by
from model.views.recording import Selection, record
from model.views.traffic import queue_length


def scenario_of(**parameters):
    jobs = [{"processes": 4, "memory_mb": 40, "demand_s": 0.02}] * 2
    given = {"nodes": 8, "page_bytes": 2**18, "minimum_demand_s": 0.001, "barrier_s": 0.005}
    return make_scenario(job=jobs, **{**given, **parameters})


@pytest.mark.parametrize("topology", ["star", "bus", "torus"])
def test_waits_and_lengths_are_those_of_the_hops(topology):
    made = record(scenario_of(topology=topology), "CLI")
    table = waits_by("station", services(made, Selection()))
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
        own = services(made, Selection())
        assert queue_length(own[own["station"] == station]).values.max() == most


def test_the_picture_shows_the_longest_queue_and_wait():
    made = record(scenario_of(), "CLI")
    served = services(made, Selection())
    table = waits_by("station", served)
    figure = draw(made, Selection())
    left, right = figure.axes[:2]
    labels = [axes.get_xlabel().replace("\n", " ") for axes in figure.axes]
    most = {name: queue_length(its).values.max() for name, its in served.groupby("station")}
    longest_us = {name: wait_ns / 10**3 for name, wait_ns in table["longest_ns"].items()}
    assert "Longest queueing delay (µs)" in labels
    for axes, of_station in ((left, most), (right, longest_us)):
        shown = axes.images[0].get_array()
        for row, label in enumerate(left.get_yticklabels()):
            assert shown[row].max() == pytest.approx(of_station[label.get_text()])


def test_it_says_which_messages_waited():
    """Counted again from the hops; the kind whose messages waited longest in all comes first."""
    made = record(scenario_of(), "CLI")
    waits = {}
    for row in made.records[made.records["kind"].isin(["hop", "disk"])].itertuples():
        what = "page read from a disk" if row.kind == "disk" else row.what
        waits.setdefault(what, []).append(row.start_ns - row.time_ns)
    texts = [text.get_text() for text in draw(made, Selection()).axes[-1].texts]
    table = [texts[first : first + 6] for first in range(0, len(texts), 6)]
    assert table[0] == ["Kind of message", "queued", "of", "mean delay", "longest", "in total"]
    assert [row[0] for row in table[1:]] == sorted(waits, key=lambda it: -sum(waits[it]))
    for what, waited, served, *_ in table[1:]:
        assert waited == f"{sum(wait > 0 for wait in waits[what]):,}"
        assert served == f"{len(waits[what]):,}"


def test_a_journal_without_hops_is_refused_in_a_line():
    made = record(scenario_of(), "CLI", "protocol")
    with pytest.raises(InputError, match=r"has no hops.*--journal-level all"):
        draw(made, Selection())
