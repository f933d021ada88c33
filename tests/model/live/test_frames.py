"""Frames between the processes of a run."""

import asyncio
import socket

from model.live import frames
from model.live.frames import Connection, tcp_pair


async def until(condition):
    for _ in range(500):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it does not come")


def test_frames_come_whole_in_order_and_both_ways(in_its_own_loop):
    async def talk():
        heard, ended = [], []
        ends = [
            Connection(end, lambda of, frame: heard.append((of, frame)), ended.append)
            for end in tcp_pair()
        ]
        ends[0].send(b"a")
        ends[0].send(b"b" * 100_000)
        await until(lambda: len(heard) == 2)
        ends[1].send(b"")
        await until(lambda: len(heard) == 3)
        assert heard == [(ends[1], b"a"), (ends[1], b"b" * 100_000), (ends[0], b"")]
        ends[0].transport.close()
        await until(lambda: len(ended) == 2)

    in_its_own_loop(talk())


def test_a_stranger_who_connects_first_gets_neither_end(monkeypatch):
    strangers, create = [], socket.create_server

    def crowded(address):
        server = create(address)
        strangers.append(socket.create_connection(server.getsockname()))
        return server

    monkeypatch.setattr(frames.socket, "create_server", crowded)
    one, other = tcp_pair()
    one.sendall(b"secret")
    assert other.recv(100) == b"secret"
    assert strangers[0].recv(100) == b""
    for end in (one, other, *strangers):
        end.close()
