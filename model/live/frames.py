"""Frames over TCP: how the processes of a run talk, and how they know each other.

A frame is four bytes of length and so many bytes. Who has accepted a connection first sends a
challenge; both sides then show that they know the run's secret, without telling it (an HMAC, RFC
2104, of the other's random bytes). Until then a frame has a few bytes only, time is limited, and so
is the number of such connections: beyond it, the oldest ends. Nothing is encrypted.
"""

import asyncio
import hmac
import os
import secrets
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import cast

GREETING = b"parallel-network-ram 1 "
LARGEST = 2**26  # bytes of a frame
_NONCE = 16
_LARGEST_BEFORE = len(GREETING) + 64
MOST_STRANGERS = 32  # connections that have not shown the secret, at a time
BACKLOG = 64  # connections that wait to be accepted, and are accepted at a time


class Connection(asyncio.Protocol):
    """One end of a connection.

    The greeting takes at most `within_s`. Who accepts connections keeps in `strangers` those that
    have not shown the secret; None: this end has connected. `known` is called when the other has
    shown the secret, `hears` with each frame from then on, `ended` when the connection is over,
    with what was wrong, or None if it was only closed.
    """

    def __init__(
        self,
        secret: bytes,
        within_s: float,
        *,
        strangers: "dict[Connection, None] | None" = None,
        known: "Callable[[Connection], None]",
        hears: "Callable[[Connection, bytes], None]",
        ended: "Callable[[Connection, str | None], None]",
    ) -> None:
        self._secret = secret
        self._within_s = within_s
        self._strangers = strangers
        self._known, self._hears, self._ended = known, hears, ended
        self._nonce = secrets.token_bytes(_NONCE)
        self._received = bytearray()
        self._deadline: asyncio.Handle | None = None
        self._wrong: str | None = None
        self._next = self._answers_challenge if strangers is None else self._shows_secret
        self.is_known = False
        self.peer = "?"  # its host

    # What asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin the greeting."""
        self.transport = cast(asyncio.Transport, transport)
        address = transport.get_extra_info("peername")
        if address:
            self.peer = str(address[0])
        our_end = transport.get_extra_info("socket")
        our_end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._descriptor = our_end.fileno()
        late = f"{self.peer} has not shown the run's secret in {self._within_s:g} s"
        loop = asyncio.get_running_loop()
        self._deadline = loop.call_later(self._within_s, self.refuse, late)
        if self._strangers is not None:
            self._strangers[self] = None
            if len(self._strangers) > MOST_STRANGERS:
                oldest = next(iter(self._strangers))
                del self._strangers[oldest]
                oldest.refuse(f"{oldest.peer} connects often and does not show the run's secret")
            self.send(GREETING + self._nonce)

    def data_received(self, data: bytes) -> None:
        """Take whole frames out of what has come so far."""
        self._received += data
        while not self.transport.is_closing() and (frame := self._whole_frame()) is not None:
            if self.is_known:
                self._hears(self, frame)
            else:
                self._next(frame)

    def _whole_frame(self) -> bytes | None:
        """Take the next frame out of what has come; None if it is not whole, or too large."""
        received = self._received
        length = int.from_bytes(received[:4], "big")
        most = LARGEST if self.is_known else _LARGEST_BEFORE
        if len(received) >= 4 and length > most:
            self.refuse(f"{self.peer} sends a frame of {length} bytes, not at most {most}")
            return None
        if len(received) < 4 + length:
            return None
        frame = bytes(received[4 : 4 + length])
        del received[: 4 + length]
        return frame

    def connection_lost(self, error: Exception | None) -> None:
        """Tell whoever owns this connection."""
        self._end_greeting()
        self._ended(self, self._wrong)

    # The greeting

    def _answers_challenge(self, frame: bytes) -> None:
        """Take the other's challenge, show the secret, and challenge it."""
        if not frame.startswith(GREETING) or len(frame) != len(GREETING) + _NONCE:
            self.refuse(f"{self.peer} is no process of such a run")
            return
        self.send(self._shown(b"connects", frame[-_NONCE:]) + self._nonce)
        self._next = self._is_shown

    def _shows_secret(self, frame: bytes) -> None:
        """Check that whoever has connected knows the secret, and show it."""
        if not hmac.compare_digest(frame[:-_NONCE], self._shown(b"connects", self._nonce)):
            self.refuse(f"{self.peer} does not know the run's secret")
            return
        self.send(self._shown(b"accepts", frame[-_NONCE:]))
        self._is_known()

    def _is_shown(self, frame: bytes) -> None:
        if not hmac.compare_digest(frame, self._shown(b"accepts", self._nonce)):
            self.refuse(f"{self.peer} does not know the run's secret")
            return
        self._is_known()

    def _shown(self, side: bytes, nonce: bytes) -> bytes:
        return hmac.digest(self._secret, side + nonce, "sha256")

    def _is_known(self) -> None:
        self._end_greeting()
        self.is_known = True
        self._known(self)

    def _end_greeting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        if self._strangers is not None:
            self._strangers.pop(self, None)

    # What we do

    def send(self, frame: bytes) -> None:
        """Put a frame on its way."""
        self.transport.write(len(frame).to_bytes(4, "big") + frame)

    def rest(self) -> list[bytes]:
        """The whole frames that a process sent before its death and that nobody has read yet."""
        with suppress(OSError), socket.socket(fileno=os.dup(self._descriptor)) as dead:
            dead.setblocking(False)
            while data := dead.recv(2**16):
                self._received += data
        return [*iter(self._whole_frame, None)] if self.is_known else []

    def refuse(self, why: str) -> None:
        """End the connection, for this reason."""
        self._wrong = why
        self.transport.abort()

    def close(self) -> None:
        """End the connection when what was sent is on its way."""
        self.transport.close()
