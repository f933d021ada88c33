"""Where messages wait, by station and window: counted again from the hops, and from the results."""

from unittest.mock import patch

import pandas as pd
import pytest

from model.core.journal.queues import Queues
from model.ground.errors import InputError
from model.pnr.scenario import make_scenario
from model.systems import measure
from model.views.queues import draw, in_words, over_time, totals, windows
from model.views.recording import Selection, record, recording_of
from model.views.show import figure_of
from tests.journaled import journaled

WINDOW_NS = 10**7


def scenario_of(**parameters):
    jobs = [{"processes": 4, "memory_mb": 40, "demand_s": 0.02}] * 2
    given = {"nodes": 8, "page_bytes": 2**18, "minimum_demand_s": 0.001, "barrier_s": 0.005}
    return make_scenario(job=jobs, **{**given, **parameters})


@pytest.fixture(scope="module")
def made():
    with patch.object(Queues, "shortest_ns", WINDOW_NS):
        return record(scenario_of(topology="bus"), "CLI")


def test_windows_have_what_reaches_each_station_in_them(made):
    of_classes = {"PageRequest": "page", "PageReply": "page"}
    of_classes |= {"BarrierArrive": "barrier", "BarrierRelease": "barrier"}
    hops = made.records[made.records["kind"].isin(["hop", "disk"])]
    what = hops["what"].astype(object).map(lambda it: of_classes.get(it, "protocol"))
    what = what.where(hops["kind"] == "hop", "disk")
    delays = (hops["start_ns"] - hops["time_ns"]).rename("delay_ns")
    by = [hops["station"].astype(str), what, hops["time_ns"] // WINDOW_NS * WINDOW_NS]
    again = delays.groupby(by).agg(["size", "sum", "max"])
    found = made.queues.set_index(["station", "what", "from_ns"]).sort_index()
    assert [*found.index] == [*again.sort_index().index]
    assert found[["services", "delay_ns", "peak_ns"]].to_numpy().tolist() == (
        again.sort_index().to_numpy().tolist()
    )
    assert (found["to_ns"] - found.index.get_level_values("from_ns") == WINDOW_NS).all()


@pytest.mark.parametrize("topology", ["star", "torus"])
def test_tables_sum_up_to_the_stations_of_the_results(topology):
    scenario = scenario_of(topology=topology)
    emulation, records = journaled(scenario, "MAN", journal_level="protocol")
    table = recording_of(scenario, "MAN", records, ()).queues.groupby("station")
    stations = measure(emulation).stations.set_index("station")
    stations = stations[stations["messages"] > 0].sort_index()
    assert table["services"].sum().to_dict() == stations["messages"].to_dict()
    waits_s = stations["mean_wait_s"] * stations["messages"]
    assert table["delay_ns"].sum().to_numpy() / 1e9 == pytest.approx(waits_s.to_numpy())
    assert (table["peak_ns"].max() / 1e9).to_numpy() == pytest.approx(
        stations["max_wait_s"].to_numpy()
    )


def test_as_many_wait_on_average_as_their_delays_fill_of_a_window():
    rows = [("up", 0, 10, 3, 20, 15), ("up", 20, 30, 1, 5, 5), ("down", 10, 20, 2, 0, 0)]
    names = ["station", "from_ns", "to_ns", "services", "delay_ns", "peak_ns"]
    means, peaks_ns = over_time(pd.DataFrame(rows, columns=names), ["up"])
    assert means.tolist() == [[2, 0, 0.5]]
    assert peaks_ns.tolist() == [[15, 0, 5]]


def test_the_picture_has_the_stations_that_have_a_queue_the_longest_first(made):
    table = totals("station", windows(made, Selection()))
    figure = draw(made, Selection())
    shown = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert shown == [*table.index[table["delay_ns"] > 0]]
    texts = [text.get_text() for text in figure.axes[-1].texts]
    assert texts[:5] == ["Class of messages", "served", "delay each", "peak queue", "delay in all"]
    assert texts[5::5] == [*totals("what", windows(made, Selection())).index]
    assert figure.get_suptitle().replace("\n", " ") == in_words(made, Selection())


def test_a_window_that_a_selection_meets_counts(made):
    before = windows(made, Selection(to_s=0.0105))
    assert sorted(before["from_ns"].unique()) == [0, WINDOW_NS]
    assert windows(made, Selection(from_s=0.0105))["from_ns"].min() == WINDOW_NS
    with pytest.raises(InputError, match="nothing passes a link, switch or disk then"):
        windows(made, Selection(from_s=1000))


def test_what_is_selected_of_messages_is_refused(made):
    with pytest.raises(InputError, match="--kind queues: shows what all messages wait"):
        figure_of("queues", made, Selection(job=1))


def test_a_journal_without_windows_is_refused_in_a_line(made):
    older = recording_of(
        made.scenario, "CLI", [it for it in made.each() if it.kind != "queued"], ()
    )
    with pytest.raises(InputError, match=r"does not say where messages waited.*--journal$"):
        draw(older, Selection())
