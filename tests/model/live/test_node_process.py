"""The process of a node, and the loop in which it or the head runs."""

import asyncio
import sys
from contextlib import suppress
from subprocess import run
from types import SimpleNamespace

import pytest

from model.live.frames import Connection
from model.live.node_process import _NodeProcess, in_a_loop
from model.live.telling import Complaint, Hello, Introduction, Stop, frame_of, told

SECRET = b"x" * 32


NOTEBOOK = """
import asyncio
import os
import signal
import threading

from model.live.node_process import in_a_loop


async def run():
    try:
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        await asyncio.sleep(60)
    finally:
        print("ended")


async def cell():
    in_a_loop(run())


loop = asyncio.new_event_loop()  # asyncio.run would take the interrupt for itself
try:
    loop.run_until_complete(cell())
except KeyboardInterrupt:
    print("interrupted")
"""


def test_ctrl_c_ends_a_run_beside_a_loop_that_runs_as_in_a_notebook():
    ended = run([sys.executable, "-c", NOTEBOOK], capture_output=True, text=True, timeout=30)
    assert ended.stdout.split() == ["ended", "interrupted"]


class Counted(_NodeProcess):
    """A node that has a lot to tell when it stops."""

    def _stop(self):
        for _ in range(30):
            self._tell(Complaint("x" * 10**6))
        super()._stop()


def test_all_that_a_node_has_to_tell_at_the_end_is_told_before_it_ends():
    """The head takes half a second to read on, and 30 MB fit in no buffer."""
    heard = []

    async def talk():
        loop, over = asyncio.get_running_loop(), asyncio.Event()

        def hears(connection, frame):
            heard.append(told(frame))
            if isinstance(heard[-1], Hello):
                connection.send(frame_of(Stop()))
                connection.transport.pause_reading()
                loop.call_later(0.5, connection.transport.resume_reading)

        def greets():
            ways = {"known": lambda _: None, "hears": hears, "ended": lambda *_: over.set()}
            return Connection(SECRET, 5, strangers={}, **ways)

        server = await loop.create_server(greets, "127.0.0.1", 0)
        await Counted(server.sockets[0].getsockname(), SECRET, 0, "127.0.0.1", 5, True).run()
        await over.wait()
        server.close()

    in_a_loop(asyncio.wait_for(talk(), 30))
    assert len(heard) == 1 + 30


def test_a_stranger_who_comes_before_the_head_is_a_line(capsys):
    async def talk():
        node = _NodeProcess(("127.0.0.1", 9), SECRET, 3, "127.0.0.1", 5, by_hand=True)
        living = asyncio.ensure_future(node.run())
        await asyncio.sleep(0.1)
        where = node._server.sockets[0].getsockname()
        reader, writer = await asyncio.open_connection(*where)
        writer.write(b"GET / HTTP/1.0\r\n\r\n")
        with suppress(ConnectionError):
            await reader.read()
        writer.close()
        await asyncio.sleep(0.1)
        living.cancel()

    in_a_loop(talk())
    err = capsys.readouterr().err
    assert err.startswith("warning: node 3: 127.0.0.1 ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("number", [-1, 2])
def test_a_peer_that_says_it_is_a_node_that_does_not_exist_is_refused(number):
    node = _NodeProcess(("127.0.0.1", 9), SECRET, 0, "127.0.0.1", 5, by_hand=True)
    node._node = SimpleNamespace(nodes=[None, None])
    refused = []

    class Peer:
        peer, refuse = "a peer", refused.append

    node._peer_says(Peer(), frame_of(Introduction(number)))
    assert refused == [f"a peer sends what is no message: there is no node {number}"]
    assert not node._sources
