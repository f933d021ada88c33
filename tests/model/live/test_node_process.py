"""The process of a node."""

import asyncio
import socket

from model.live.frames import Connection, tcp_pair
from model.live.node_process import NodeProcess
from model.live.wire import Failed, Stop, decode, encode


class Telling(NodeProcess):
    """A node that has a lot to tell when it stops."""

    def _stop(self):
        for _ in range(30):
            self._tell(Failed("x" * 10**6, mistake=False))
        super()._stop()


def test_all_that_a_node_has_to_tell_at_the_end_is_told_before_it_ends(in_its_own_loop):
    """The head takes half a second to read on, and 30 MB fit in no buffer."""
    heard = []

    async def talk():
        over = asyncio.Event()
        ours, its = tcp_pair()
        head = Connection(ours, lambda _, frame: heard.append(decode(frame)), lambda _: over.set())
        head.send(encode(Stop()))
        await asyncio.sleep(0.05)
        head.transport.pause_reading()
        asyncio.get_running_loop().call_later(0.5, head.transport.resume_reading)
        await Telling(its, socket.socketpair()[0]).run()
        await over.wait()

    in_its_own_loop(asyncio.wait_for(talk(), 30))
    assert len(heard) == 30
