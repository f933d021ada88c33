"""Strangers at a live run's sockets: each is one line, and nobody hangs."""

import asyncio
import struct

import pytest

from model.live.frames import GREETING, LARGEST, MOST_STRANGERS, Connection

SECRET = b"s" * 32


class Side:
    """What one end of a connection has seen."""

    def __init__(self, strangers=None, secret=SECRET, within_s=5):
        self.known, self.heard, self.ends = [], [], []
        self.connection = Connection(
            secret,
            within_s,
            strangers=strangers,
            known=self.known.append,
            hears=lambda _, frame: self.heard.append(frame),
            ended=lambda _, wrong: self.ends.append(wrong),
        )


async def listening(within_s=5):
    """A server whose ends are in a list."""
    sides, strangers = [], {}

    def made():
        sides.append(Side(strangers, within_s=within_s))
        return sides[-1].connection

    server = await asyncio.get_running_loop().create_server(made, "127.0.0.1", 0)
    return server, server.sockets[0].getsockname()[1], sides


async def connecting(port, secret=SECRET):
    """The end of a connection to such a server."""
    us = Side(secret=secret)
    await asyncio.get_running_loop().create_connection(lambda: us.connection, "127.0.0.1", port)
    return us


async def until(condition):
    for _ in range(500):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it does not come")


def test_two_who_know_the_secret_hear_each_other(in_its_own_loop):
    async def meet():
        server, port, sides = await listening()
        us = await connecting(port)
        await until(lambda: us.known and sides and sides[0].known)
        us.connection.send(b"a")
        us.connection.send(b"b" * 100_000)
        sides[0].connection.send(b"")
        await until(lambda: len(sides[0].heard) == 2 and us.heard)
        assert sides[0].heard == [b"a", b"b" * 100_000]
        assert us.heard == [b""]
        us.connection.close()
        await until(lambda: us.ends and sides[0].ends)
        assert (us.ends, sides[0].ends) == ([None], [None])
        server.close()

    in_its_own_loop(meet())


def test_a_wrong_secret_is_refused_and_not_told(in_its_own_loop):
    async def meet():
        server, port, sides = await listening()
        await connecting(port, secret=b"x" * 32)
        await until(lambda: sides and sides[0].ends)
        assert "does not know the run's secret" in sides[0].ends[0]
        assert not sides[0].known
        server.close()

    in_its_own_loop(meet())


def test_what_a_dead_process_had_said_can_still_be_read(in_its_own_loop):
    """Its socket has a frame that is whole, which nobody has read, and the half of another."""

    async def meet():
        server, port, sides = await listening()
        us = await connecting(port)
        await until(lambda: us.known and sides and sides[0].known)
        sides[0].connection.transport.pause_reading()
        us.connection.send(b"last words")
        us.connection.transport.write(struct.pack(">I", 9) + b"half")
        await asyncio.sleep(0.05)
        us.connection.transport.abort()
        assert sides[0].connection.rest() == [b"last words"]
        server.close()

    in_its_own_loop(meet())


FOREIGN = {
    "HTTP": (b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "sends a frame of 1195725856 bytes"),
    "1 GB": (struct.pack(">I", 2**30), f"sends a frame of {2**30} bytes"),
    "short": (struct.pack(">I", 3) + b"abc", "does not know the run's secret"),
    "the greeting back": (
        struct.pack(">I", len(GREETING) + 16) + GREETING + b"n" * 16,
        "does not know the run's secret",
    ),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_a_foreign_frame_ends_the_connection_with_a_line(name, in_its_own_loop):
    said, complaint = FOREIGN[name]

    async def meet():
        server, port, sides = await listening()
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(said)
        await until(lambda: sides and sides[0].ends)
        assert complaint in sides[0].ends[0]
        assert "\n" not in sides[0].ends[0]
        assert not sides[0].heard
        server.close()

    in_its_own_loop(meet())


def test_who_says_nothing_is_not_waited_for(in_its_own_loop):
    async def meet():
        server, port, sides = await listening(within_s=0.05)
        _reader, _writer = await asyncio.open_connection("127.0.0.1", port)
        await until(lambda: sides and sides[0].ends)
        assert "has not shown the run's secret in 0.05 s" in sides[0].ends[0]
        server.close()

    in_its_own_loop(meet())


def test_of_many_who_say_nothing_the_first_go_and_a_node_gets_through(in_its_own_loop):
    async def meet():
        server, port, sides = await listening()
        silent = [
            await asyncio.open_connection("127.0.0.1", port) for _ in range(MOST_STRANGERS + 5)
        ]
        us = await connecting(port)
        await until(lambda: us.known)
        ended = [side.ends for side in sides[: len(silent)]]
        assert ended[:5] == [["127.0.0.1 connects often and does not show the run's secret"]] * 5
        assert len([one for one in ended if not one]) in (MOST_STRANGERS - 1, MOST_STRANGERS)
        server.close()

    in_its_own_loop(meet())


def test_who_is_known_cannot_send_a_frame_without_end(in_its_own_loop):
    async def meet():
        server, port, sides = await listening()
        us = await connecting(port)
        await until(lambda: us.known)
        us.connection.transport.write(struct.pack(">I", LARGEST + 1))
        await until(lambda: sides[0].ends)
        assert f"sends a frame of {LARGEST + 1} bytes, not at most {LARGEST}" in sides[0].ends[0]
        server.close()

    in_its_own_loop(meet())
