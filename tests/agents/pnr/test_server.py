"""The server role: lends its node's idle RAM down to a threshold, takes back what it is told."""

import pytest

from agents.pnr.messages import (
    LoadReport,
    ReleaseAck,
    Request,
    ServerRelease,
    ServerReply,
    ServerRequest,
)
from agents.pnr.role import Send, Site
from agents.pnr.server import Server
from tests.agents.pnr.memory import MB, RAM, memory_of

THRESHOLD = 2 * MB
MANAGER, JOB = 9, 7
REQUEST, OTHER = (Request(MANAGER, "manager", 0, count) for count in (1, 2))
RELEASE, LATER = (Request(MANAGER, "manager", 0, count) for count in (3, 4))


def server_on_node(process_mb):
    """A server that never lends its last 2 MB, on a node of 32 MB that uses so many."""
    return Server(Site(memory_of(process_mb), threshold=THRESHOLD))


def ask(server, size_mb, now_ns=0, request=REQUEST):
    return server.receive(MANAGER, ServerRequest(JOB, size_mb * MB, request), now_ns)


def release(server, size_mb, now_ns=0, of=RELEASE):
    parts = ((REQUEST, size_mb * MB),)
    return server.receive(MANAGER, ServerRelease(JOB, size_mb * MB, parts, of), now_ns)


def acknowledged(load_mb, stated_ns=0, of=RELEASE):
    """What the server sends after a release."""
    return Send(MANAGER, ReleaseAck(JOB, LoadReport(load_mb * MB, stated_ns), of))


@pytest.mark.parametrize(
    ("used_mb", "asked_mb", "granted_mb"),
    [
        (20, 6, 6),  # 12 free, 10 to lend: all that is asked for
        (20, 10, 10),  # to the last byte above the threshold
        (20, 11, 10),  # one MB more is a partial grant
        (29, 8, 1),
        (30, 8, 0),  # nothing above the threshold: denial
        (31, 8, 0),
        (40, 8, 0),  # over-allocated itself: never less than nothing
    ],
)
def test_a_server_grants_what_is_asked_but_keeps_its_threshold(used_mb, asked_mb, granted_mb):
    server = server_on_node(used_mb)
    left = RAM - (used_mb + granted_mb) * MB  # what the node states of itself counts the loan
    reply = ServerReply(JOB, granted_mb * MB, LoadReport(left, 500), REQUEST)
    assert ask(server, asked_mb, now_ns=500) == [Send(MANAGER, reply)]
    assert server.memory.lent == granted_mb * MB


def test_granted_memory_is_lent_at_once_so_nobody_is_granted_it_twice():
    server = server_on_node(20)
    ask(server, 6)
    [second] = ask(server, 6, request=OTHER)
    assert second.content.granted == 4 * MB  # 32 - 20 - 6 lent - 2 never lent


def test_released_memory_is_the_servers_again_and_acknowledged():
    server = server_on_node(20)
    ask(server, 6)
    # Of the node's 32 MB, 20 are used and 6 - 4 still lent.
    assert release(server, 4, now_ns=500) == [acknowledged(10, stated_ns=500)]
    assert server.memory.lent == 2 * MB


def test_nobody_takes_back_more_than_was_lent_for_a_request():
    server = server_on_node(20)
    ask(server, 6)
    ask(server, 3, request=OTHER)
    release(server, 5)
    # 1 MB is left of the first loan.
    assert release(server, 4, of=LATER) == [acknowledged(32 - 20 - 3, of=LATER)]
    assert server.memory.lent_for == {OTHER: 3 * MB}


def test_a_repeated_release_is_acknowledged_and_takes_nothing_more():
    server = server_on_node(20)
    ask(server, 6)
    first = release(server, 4)
    assert release(server, 4) == first == [acknowledged(32 - 20 - 2)]
    assert server.memory.lent == 2 * MB


def test_a_repeated_request_is_answered_as_before_and_lends_nothing_more():
    server = server_on_node(20)
    ask(server, 6)
    release(server, 4)
    [again] = ask(server, 6)
    assert again.content.granted == 6 * MB
    assert server.memory.lent == 2 * MB


def test_a_message_that_no_server_expects_is_ignored_and_counted():
    server = server_on_node(20)
    assert server.receive(MANAGER, acknowledged(1).content, 0) == []
    assert server.metrics.ignored == 1
