"""Every message that a shipped design sends comes out as it went in."""

import pytest

from agents.messages import Message, message
from agents.pnr.protocol import Protocol
from agents.pnr.testing import Bench
from model.core.names import split_names
from model.ground.errors import ProtocolMistake
from model.live import wire
from model.pnr.design import load_design
from model.pnr.scenario import Scenario

DESIGNS = split_names(
    "CLI,CEN,MAN,BB2,PROBE2,GOSSIP,TREE2,RACK2,ADAPT,LEASE,MASTER,SURVIVOR,INFINISWAP,"
    "RELIABLE(MAN),RECLAIM(MAN),RELIABLE(RECLAIM(MAN))"
)
MB = 2**20


def codec_of(design):
    return wire.MessageCodec(wire.kinds_of(design), design.protocol)


def plainly(content):
    """The fields of a content; a sequence comes back as a list, which is as good."""
    of_each = {name: getattr(content, name) for name in type(content).__dataclass_fields__}
    words = of_each.get("words")
    return type(content), of_each if words is None else of_each | {"words": [*words]}


@pytest.mark.parametrize("name", DESIGNS)
def test_contents_and_headers_come_back_as_they_were(name):
    scenario = Scenario(nodes=4, ram_mb=10)
    design = load_design(name, scenario)
    bench = Bench(design.graph, ram=10 * MB)
    codec, kinds = codec_of(design), {}
    bench.place(1, {0: 14 * MB, 1: 12 * MB})
    bench.place(2, {2: 3 * MB})
    for _ in range(60):
        for node in range(4):
            if any(key[0] == node for key in bench.timers):
                bench.fire(node)
        while bench.messages:
            sender, target, content, header = bench.messages[0]
            sent = Message(sender, target, 5, content, 64, 9)
            sent.header, sent.cause = header, 3
            frame = wire.encode(codec.encode(sent))
            came = codec.decode(wire.decode(frame), sender, target)
            assert plainly(came.content) == plainly(content)
            assert (came.header, type(came.header)) == (header, type(header))
            assert (came.number, came.cause, came.sent_ns, came.size_bytes) == (5, 3, 9, 64)
            kinds[type(content).__name__] = None
            bench.deliver()
        if len(bench.started) == 3 and 1 in bench._placed:
            bench.end(1)
    assert kinds or name == "INFINISWAP"


@pytest.mark.parametrize(
    ("annotated", "given", "why"), [(object, object(), ""), (int, "text", "Expected `int`")]
)
def test_a_content_that_cannot_travel_is_a_mistake_of_its_protocol(annotated, given, why):
    @message("wire", hears="client", size_bytes=64)
    class Odd:
        thing: annotated

    codec = wire.MessageCodec([Odd], Protocol())
    with pytest.raises(ProtocolMistake, match=f"sends Odd, which cannot travel: {why}"):
        codec.encode(Message(0, 1, 1, Odd(given), 64, 0))
