"""Every message that a shipped design sends comes out as it went in."""

import pytest

from agents.messages import Message, message
from agents.pnr.protocol import Protocol
from agents.pnr.testing import Bench
from model.core.names import split_names
from model.ground.errors import ProtocolMistake
from model.live import telling
from model.pnr.cluster import Cluster
from model.pnr.design import load_design
from model.pnr.scenario import Scenario

DESIGNS = split_names(
    "CLI,CEN,MAN,BB2,PROBE2,GOSSIP,TREE2,RACK2,ADAPT,LEASE,MASTER,SURVIVOR,INFINISWAP,"
    "RELIABLE(MAN),RECLAIM(MAN),RELIABLE(RECLAIM(MAN))"
)
MB = 2**20


def contents_of(design):
    return telling.Contents((*Cluster.message_kinds, *design.message_kinds()), design.protocol)


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
    contents, kinds = contents_of(design), {}
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
            frame = telling.frame_of(contents.carried(sent))
            came = contents.message(telling.told(frame), sender, target)
            assert plainly(came.content) == plainly(content)
            assert (came.header, type(came.header)) == (header, type(header))
            assert (came.number, came.cause, came.sent_ns, came.size_bytes) == (5, 3, 9, 64)
            kinds[type(content).__name__] = None
            bench.deliver()
        if len(bench.started) == 3 and 1 in bench._placed:
            bench.end(1)
    assert kinds or name == "INFINISWAP"


def test_what_is_no_message_is_said_in_a_line():
    contents = contents_of(load_design("MAN", Scenario(nodes=4)))
    wrong = telling.Carried("Nonsense", 1, 0, 0, 64, b"\x90", b"\xc0")
    with pytest.raises(ValueError, match="no message is called Nonsense"):
        contents.message(telling.told(telling.frame_of(wrong)), 0, 1)
    wrong = telling.Carried("RamRequest", 1, 0, 0, 64, b"\x93\x01\x02\x03", b"\xc0")
    with pytest.raises(ValueError, match="RamRequest: "):
        contents.message(telling.told(telling.frame_of(wrong)), 0, 1)
    for frame in (b"", b"\x00", b"\xff" * 40, b"\x91\xa5Hello", b"\x92" * 5000):
        with pytest.raises(ValueError, match=r"."):
            telling.told(frame)


def test_a_content_that_cannot_travel_is_a_mistake_of_its_protocol():
    @message("telling", hears="client", size_bytes=64)
    class Odd:
        thing: object

    contents = telling.Contents([Odd], Protocol())
    with pytest.raises(ProtocolMistake, match="sends Odd, which cannot travel: "):
        contents.carried(Message(0, 1, 1, Odd(object()), 64, 0))


def test_a_content_that_is_not_as_its_kind_is_annotated_is_a_mistake_of_who_sends_it():
    @message("telling", hears="client", size_bytes=64)
    class Wrong:
        number: int

    contents = telling.Contents([Wrong], Protocol())
    with pytest.raises(ProtocolMistake, match="sends Wrong, which cannot travel: Expected `int`"):
        contents.carried(Message(0, 1, 1, Wrong("text"), 64, 0))
