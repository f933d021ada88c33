"""Sequence diagrams of small scenarios; the arrows counted by hand."""

import sys
from pathlib import Path

import pytest

from model.ground.errors import InputError
from model.pnr.scenario import make_scenario
from model.views.recording import Selection, record
from model.views.sequence import arrows, draw, mermaid


def recorded(design, nodes, processes, level="protocol", memory_mb=40, **parameters):
    """A job of 5 ms, number 7; pages so large that it does not fault."""
    job = {"processes": processes, "memory_mb": memory_mb, "demand_s": 0.005, "number": 7}
    values = {"minimum_demand_s": 0.001, "page_bytes": 2**29, **parameters}
    return record(make_scenario(job=[job], nodes=nodes, **values), design, level)


def labels(figure):
    return [text.get_text() for text in figure.axes[0].texts if text.get_text()]


def heads(figure):
    return [text for text in figure.axes[0].texts if text.get_text() == ""]


def test_an_arrow_goes_from_its_sending_to_its_delivery_in_the_order_of_events():
    figure = draw(recorded("CEN", nodes=3, processes=2), Selection(job=7))
    # rows: 0, 1 the requests, 2 node 1's arrives, 3 the server's request, 4 it arrives
    ends = [(head.xyann, head.xy) for head in heads(figure)]
    assert ends[1:3] == [((1, 1), (0, 2)), ((0, 3), (2, 4))]
    times = [tick.get_text() for tick in figure.axes[0].get_yticklabels()]
    assert times[:3] == ["0.0000 s", "0.0001 s", "0.0002 s"]
    # ten sendings and seven deliveries that are not at once; each time is named once
    assert len(times) == len(set(times))


def test_a_broadcast_is_one_bracket():
    # nodes 1 to 3 hear both broadcasts, and have lifelines though only one of them lends
    recording = recorded("MAN", nodes=4, processes=1)
    broadcasts = [a for a in arrows(recording, Selection(job=7)) if a.kind == "LoadBroadcast"]
    assert [broadcast.targets for broadcast in broadcasts] == [(1, 2, 3), (1, 2, 3)]
    figure = draw(recording, Selection(job=7))
    assert sum("LoadBroadcast · to 3 servents" in label for label in labels(figure)) == 2
    # pale lines upon each other would be darker: of each only that to node 3
    tips = [head.xy[0] for head in heads(figure) if head.xyann[1] == head.xy[1]]
    assert tips == [3, 3]
    assert len(figure.axes[0].get_xticks()) == 4


def test_a_fan_of_many_that_are_alike_is_one_bracket():
    # 30 processes lack 8 MB each, 29 of them elsewhere than at the manager, which asks 8 of the 10
    # idle nodes for their 31.9 MB; at the end the same goes back
    recording = recorded("CEN", nodes=40, processes=30)
    found = arrows(recording, Selection(job=7))
    fans = [(arrow.kind, arrow.count, arrow.is_into) for arrow in found if arrow.broadcast]
    assert fans == [
        ("RamRequest", 29, True),
        ("ServerRequest", 8, False),
        ("ServerReply", 8, True),
        ("RamGrant", 29, False),
        ("ReleaseNotice", 29, True),
        ("ServerRelease", 8, False),
        ("ReleaseAck", 8, True),
    ]
    sent = recording.records[recording.records["kind"] == "sent"]
    protocol = sent[~sent["phase"].isin(("page", "barrier"))]
    assert sum(arrow.count for arrow in found) == len(protocol)
    assert any(
        "RamRequest · from 29 servents" in it for it in labels(draw(recording, Selection(7)))
    )


#: Jobs whose messages are too few of a kind to be one arrow: under CEN each is an arrow of its own.
FEW = [
    {"processes": 5, "memory_mb": 40, "demand_s": 0.005, "number": n, "submit_s": n}
    for n in range(1, 8)
]


def of_few():
    values = {"minimum_demand_s": 0.001, "page_bytes": 2**29}
    return record(make_scenario(job=FEW, nodes=40, **values), "CEN", "protocol")


def test_beyond_sixty_it_says_what_is_left_out():
    recording = of_few()
    figure = draw(recording, Selection())
    assert len(labels(figure)) == 60
    sent = recording.records[recording.records["kind"] == "sent"]
    later = sent.iloc[60:]
    left = later.loc[later["node"] != later["peer"], "what"].value_counts(sort=False)
    title = figure.get_suptitle().replace("\n", " ")
    told, of, _ = title.partition(" Messages of 7 jobs; --job shows one job")
    assert of
    assert told.startswith(f"Arrows 1 to 60 of {len(sent)} (page 1 of 3); messages left out: ")
    assert {*told.partition("left out: ")[2].split(", ")} == {
        f"{count} {kind}" for kind, count in left.items() if count
    }


def test_the_pages_together_show_every_arrow_once():
    recording = of_few()
    sent = int((recording.records["kind"] == "sent").sum())
    pages = [mermaid(recording, Selection(), page=page).count("->>") for page in (1, 2, 3)]
    assert pages == [60, 60, sent - 120]
    last = draw(recording, Selection(), page=3)
    assert len(labels(last)) == sent - 120
    assert "page 3 of 3" in last.get_suptitle()
    for page in (0, 4):
        with pytest.raises(InputError, match=rf"--page: there are pages 1 to 3 \(not {page}\)"):
            draw(recording, Selection(), page=page)


def test_with_hops_a_message_goes_by_way_of_the_switch():
    # 128 B hold a link for 10,240 ns, latency 50 ns; the switch takes 80,000 ns
    made = recorded("CEN", nodes=3, processes=2, level="all")
    legs = arrows(made, Selection(job=7), hops=True)
    assert [
        (leg.kind, leg.source, leg.targets, leg.sent_ns, leg.delivered_ns) for leg in legs[:3]
    ] == [
        ("RamRequest", 0, (0,), 0, 0),
        ("RamRequest", 1, ("switch",), 0, 10_290),
        ("RamRequest", "switch", (0,), 90_290, 100_580),
    ]
    # 10 messages, of which 3 to itself: the others have two legs
    assert len(legs) == 3 + 2 * 7
    names = [
        tick.get_text() for tick in draw(made, Selection(job=7), True).axes[0].get_xticklabels()
    ]
    assert names == ["node 0\nmanager", "node 1", "node 2", "switch"]
    assert "participant S3 as switch" in mermaid(made, Selection(job=7), hops=True)


def test_hops_need_a_journal_of_them_and_a_switch():
    with pytest.raises(InputError, match="write it with --journal-level all"):
        draw(recorded("CEN", 3, 2), Selection(job=7), hops=True)
    with pytest.raises(InputError, match="the network bus has no switch"):
        draw(recorded("CEN", 3, 2, "all", topology="bus"), Selection(job=7), hops=True)


def test_pages_and_barriers_only_where_nothing_else_is_selected():
    both = recorded("CEN", 3, 2, "all", page_bytes=2**18, barrier_s=0.002)
    kinds = {arrow.kind for arrow in arrows(both, Selection())}
    assert not kinds & {"PageRequest", "PageReply", "BarrierArrive", "BarrierRelease"}
    # 5 ms with a barrier every 2 ms: two; without lack of memory DP says nothing else
    barriers = recorded("DP", 2, 2, "all", memory_mb=4, barrier_s=0.002)
    shown = labels(draw(barriers, Selection()))
    assert [label.split(" · ")[0] for label in shown] == ["BarrierArrive", "BarrierRelease"] * 2


def test_a_window_that_a_message_is_delivered_in_shows_it():
    found = arrows(recorded("CEN", 3, 2), Selection(from_s=0.0001, to_s=0.0002))
    assert [arrow.kind for arrow in found] == ["RamRequest", "ServerRequest"]


def test_without_a_message_it_says_so():
    with pytest.raises(InputError, match="no message is selected in the journal of DP"):
        draw(recorded("DP", 2, 2), Selection(job=7))
    with pytest.raises(InputError, match="job 8 is not in the journal"):
        draw(recorded("DP", 2, 2), Selection(job=8))


@pytest.mark.parametrize(("design", "hops"), [("MAN", False), ("CEN", True)])
def test_mermaid_itself_draws_every_participant_and_message(browser, design, hops):
    """With the Mermaid that Solara brings along, in a real browser."""
    made = recorded(design, nodes=6, processes=3, level="all" if hops else "protocol")
    text = mermaid(made, Selection(job=7), hops=hops)
    library = Path(sys.prefix) / "share/solara/cdn/mermaid@10.8.0/dist/mermaid.min.js"
    page = browser.new_page()
    page.set_content("<p></p>")
    page.add_script_tag(path=library)
    page.set_content(page.evaluate("async text => (await mermaid.render('it', text)).svg", text))
    assert page.locator(".messageText").count() == text.count("->>") > 0
    assert page.locator("text.actor").count() == 2 * text.count("participant ")  # above and below
    page.close()
