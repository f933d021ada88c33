"""Messages between nodes over time."""

import re

import numpy as np
import pytest
from matplotlib.collections import LineCollection

from model.pnr.scenario import make_scenario
from model.views import space_time
from model.views.recording import Selection, record
from model.views.space_time import draw, messages

JOB = {"processes": 1, "memory_mb": 40, "demand_s": 0.02}


def recorded(design="CLI", level="protocol", jobs=(JOB,), **parameters):
    given = {"nodes": 2, "page_bytes": 2**20, "minimum_demand_s": 0.001, **parameters}
    return record(make_scenario(job=list(jobs), **given), design, level)


def segments(figure):
    lines = [it for it in figure.axes[0].collections if type(it) is LineCollection]
    return [segment for it in lines for segment in it.get_segments()]


def labels(figure):
    return [text.get_text() for legend in figure.legends for text in legend.get_texts()]


def test_a_line_goes_from_sender_to_receiver_in_the_time_it_takes():
    # CLI: node 0 is its own manager; request and reply of 128 B take 100,580 ns each
    made = recorded()
    table = messages(made, Selection())
    assert list(table["what"]) == ["ServerRequest", "ServerReply", "ServerRelease", "ReleaseAck"]
    assert list(table["delivered_ns"] - table["sent_ns"]) == [100_580] * 4
    figure = draw(made, Selection())
    (request, reply), *_ = np.array(segments(figure)).reshape(-1, 2, 2, 2)
    assert request[:, 1].tolist() == [0, 1]
    assert reply[:, 1].tolist() == [1, 0]
    assert np.diff(request[:, 0]) == pytest.approx(100_580e-6)  # ms
    assert {"ServerRequest (1)", "ServerReply (1)"} <= set(labels(figure))
    assert "lent (1); this size: 8.0 MB" in labels(figure)
    assert "returned (1); this size: 8.0 MB" in labels(figure)


def test_every_message_over_the_network_is_a_line():
    made = recorded("MAN", "all", nodes=6)
    sent = made.records[made.records["kind"] == "sent"]
    between = sent[sent["node"] != sent["peer"]]
    assert len(segments(draw(made, Selection()))) == len(between) < len(sent)


def test_what_is_thinned_out_is_said(monkeypatch):
    monkeypatch.setattr(space_time, "_MOST", 10)
    figure = draw(recorded("MAN", "all", nodes=6), Selection())
    assert re.search(r", of which one in\s\d+\sis drawn", figure.get_suptitle())


def test_a_message_that_is_under_way_at_the_edge_is_whole():
    made = recorded()
    table = messages(made, Selection(to_s=50_000e-9))
    assert table["delivered_ns"].tolist() == [100_580]


def test_without_messages_there_are_switches():
    jobs = [{**JOB, "memory_mb": 1, "demand_s": 2}] * 2
    figure = draw(recorded("DP", jobs=jobs, nodes=1, quantum_s=1), Selection())
    assert "no messages here" in figure.get_suptitle()
    assert labels(figure) == ["context switch (3)"]


def test_bursts_too_narrow_to_look_into_are_told_in_words():
    # 12 clients ask at 0 s, and again at 60 s; each search is over within some ms
    jobs = [
        {"processes": 12, "memory_mb": 34, "demand_s": 0.1, "submit_s": submit_s}
        for submit_s in (0, 60)
    ]
    made = recorded("CLI", jobs=jobs, nodes=30, quantum_s=100)
    sent = made.records[made.records["kind"] == "sent"]
    lent = made.records[made.records["kind"] == "lent"]
    told = [text.get_text() for text in draw(made, Selection()).axes[0].texts]
    assert len(told) == 2
    for since_s, text in zip((0, 60), told, strict=True):
        now = [it["time_ns"].between(since_s * 10**9, (since_s + 9) * 10**9) for it in (sent, lent)]
        counts = sent[now[0]]["what"].value_counts()
        assert text.startswith(f"{counts.max()} ")
        assert f"{now[1].sum()} lent" in text
    near = draw(made, Selection(to_s=0.001))  # wide enough to be seen
    assert not near.axes[0].texts
