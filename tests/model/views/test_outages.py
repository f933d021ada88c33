"""Faults in pictures: lanes of what is down are grey, lost messages end in crosses."""

import pytest
from matplotlib.colors import to_hex
from matplotlib.patches import Polygon

from model.core.journal.over_time import Outage
from model.pnr.scenario import make_scenario
from model.views import gantt, network, space_time, traffic, wiring
from model.views.recording import Selection, record
from model.views.style import grey_of

S = 10**9
SHORT = {"page_bytes": 2**20, "minimum_demand_s": 0.001, "barrier_s": 10}
FAILING = [
    {"kind": "servent", "nodes": [1], "from_s": 2, "restart_s": 3},
    {"kind": "servent", "nodes": [2], "from_s": 4},
    {"kind": "pause", "nodes": [3], "from_s": 1, "until_s": 6},
]
LOSSY = [{"kind": "loss", "messages": ["ServerRequest"]}]


def made(*faults, jobs=2, **job):
    jobs = [{"processes": 1, "memory_mb": 8, "demand_s": 10, **job} for _ in range(jobs)]
    return make_scenario(nodes=4, job=jobs, fault=list(faults), **SHORT)


@pytest.fixture(scope="module")
def failing():
    return record(made(*FAILING), "MAN", "protocol")


@pytest.fixture(scope="module")
def lossy():
    """CLI, all of whose requests are lost: the only job never starts."""
    return record(made(*LOSSY, jobs=1, memory_mb=40, demand_s=0.5), "CLI")


def greys(figure):
    """The rectangles (left, right, bottom, top) of outages by their color."""
    found = {}
    for axes in figure.axes:
        for patch in axes.patches:
            if isinstance(patch, Polygon):
                (left, bottom), _, (right, top), *_ = patch.get_xy()
                color = to_hex(patch.get_facecolor()).upper()
                found.setdefault(color, []).append((left, right, bottom, top))
    return found


def labels(figure):
    legends = [*figure.legends, *(axes.get_legend() for axes in figure.axes)]
    return [text.get_text() for legend in legends if legend for text in legend.get_texts()]


def test_an_outage_goes_from_its_begin_to_its_end_or_to_that_of_the_run(failing):
    last_ns = failing.records["time_ns"].max()
    assert failing.outages == [
        Outage(1, "servent", "crashed", 2 * S, 5 * S),
        Outage(2, "servent", "crashed", 4 * S, last_ns, lasts=True),
        Outage(3, "servent", "paused", 1 * S, 6 * S),
    ]


@pytest.mark.parametrize("draw", [space_time.draw, gantt.draw])
def test_the_lane_of_what_is_down_is_grey(failing, draw):
    figure = draw(failing, Selection())
    crashed, paused = (greys(figure)[grey_of("servent", how)] for how in ("crashed", "paused"))
    assert [(left, right) for left, right, *_ in crashed[:1]] == [(2, 5)]
    assert [(left, right) for left, right, *_ in paused] == [(1, 6)]
    for (_, _, bottom, top), node in zip([*crashed, *paused], (1, 2, 3), strict=True):
        assert (bottom + top) / 2 == node
    assert {"servent crashed (2)", "servent paused (1)"} <= set(labels(figure))


def test_what_is_down_outside_of_the_window_is_not_shown(failing):
    figure = gantt.draw(failing, Selection(from_s=7, to_s=9))
    assert list(greys(figure)) == [grey_of("servent", "crashed")]  # node 2 for ever
    assert labels(figure)[1:] == ["servent crashed (1)"]  # beside a job that runs


def test_the_network_marks_who_is_down_and_at_whose_door_messages_are_lost(failing, lossy):
    figure = network.draw(failing, Selection())
    grey = figure.axes[0].collections[-1]
    assert len(grey.get_offsets()) == 3
    figure = network.draw(lossy, Selection())
    (lost,) = lossy.records.loc[lossy.records["kind"] == "lost", "node"]
    (cross,) = [text for text in figure.axes[0].texts if text.get_text().startswith("\u00d7")]
    assert cross.get_text() == "\u00d71"
    assert tuple(cross.xy) == tuple(wiring.places(*_wires(lossy))[lost])
    assert "messages lost on arrival (1)" in labels(figure)


def _wires(recording):
    wires = wiring.wires_of(recording.network)
    return wires, [*range(recording.scenario.nodes)], [v for v in wires if isinstance(v, str)]


def test_traffic_crosses_out_what_is_lost(lossy, failing):
    (lost,) = lossy.records[lossy.records["kind"] == "lost"].itertuples()
    figure = traffic.draw(lossy, Selection())
    matrix, over_time = figure.axes[:2]
    assert matrix.lines[0].get_xydata().tolist() == [[lost.node, lost.peer]]  # receiver, sender
    assert len(over_time.lines[0].get_xdata()) == 1
    assert "lost (1)" in labels(figure)
    assert {"servent crashed (2)", "servent paused (1)"} <= set(
        labels(traffic.draw(failing, Selection()))
    )
