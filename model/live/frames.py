"""Frames over TCP: how the processes of a run talk, all on this machine.

Nobody listens, so no stranger can connect: the head makes both ends of each connection, and hands
them to the nodes.
"""

import asyncio
import socket
from collections.abc import Callable
from typing import cast

_HOST = "127.0.0.1"


def tcp_pair() -> tuple[socket.socket, socket.socket]:
    """Both ends of a connection; raises OSError."""
    with socket.create_server((_HOST, 0)) as server:
        one = socket.create_connection(server.getsockname())
        while True:
            other, address = server.accept()
            if address == one.getsockname():
                return one, other
            other.close()  # a stranger's, who was quicker


class Connection(asyncio.Protocol):
    """One end of a connection, on which frames are sent: four bytes of length and so many bytes.

    `hears` is called with each frame that comes, `ended` when the connection is over.
    """

    transport: asyncio.Transport

    def __init__(
        self,
        end: socket.socket,
        hears: "Callable[[Connection, bytes], None]",
        ended: "Callable[[Connection], None]",
    ) -> None:
        end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._hears, self._ended = hears, ended
        self._received = bytearray()
        self._unsent: bytearray | None = bytearray()  # until asyncio takes it
        loop = asyncio.get_running_loop()
        self._made = loop.create_task(loop.create_connection(lambda: self, sock=end))

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        if self._unsent:
            self.transport.write(self._unsent)
        self._unsent = None

    def send(self, frame: bytes) -> None:
        framed = len(frame).to_bytes(4, "big") + frame
        if self._unsent is None:
            self.transport.write(framed)
        else:
            self._unsent += framed

    def data_received(self, data: bytes) -> None:
        received = self._received
        received += data
        while len(received) >= 4:
            end = 4 + int.from_bytes(received[:4], "big")
            if len(received) < end:
                return
            frame = bytes(received[4:end])
            del received[:end]
            self._hears(self, frame)

    def connection_lost(self, error: Exception | None) -> None:
        self._ended(self)
