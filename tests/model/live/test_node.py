"""A live node, without its process: what its servent's roles want is looked at."""

from time import monotonic_ns

from msgspec.structs import replace

from agents.messages import Message
from agents.pnr.messages import LoadReport, ReleaseNotice
from model.live.node import LiveNode
from model.live.wire import Begin, MessageCodec, Setup, kinds_of
from model.pnr.scenario import make_scenario


def a_setup():
    scenario = make_scenario(designs=["MAN"], nodes=2).model_dump_json()
    return Setup(0, scenario, "MAN", [1], 1.0, None, checks=False, incarnation=0, stored=None)


def test_a_message_that_comes_before_a_node_has_begun_is_taken_when_it_has():
    """Another node has begun earlier; else the message would arrive at 0 s, before it was sent."""
    reports = []
    setup = replace(a_setup(), journal_level="all")
    node = LiveNode(setup, reports.append, lambda *_: True, lambda: None)
    notice = Message(1, 0, 1, ReleaseNotice(1, 0, 1, (), LoadReport(0, 0)), 64, 5)
    codec = MessageCodec(kinds_of(node.design), node.design.protocol)
    node.arrives(codec.encode(notice), 1)
    assert node.records == []
    node.hear(Begin(monotonic_ns() - 1000))
    assert [(r.kind, r.time_ns > 5) for r in node.records] == [("delivered", True)]
