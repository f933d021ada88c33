"""The process of a node: its connections to the head and to the other nodes."""

import asyncio
import ctypes
import os
import signal
import socket
import traceback
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from multiprocessing import forkserver
from selectors import SelectSelector

from model.ground.errors import CheckFailed, InputError
from model.live import wire
from model.live.frames import Connection
from model.live.node import LiveNode

_STATE_EVERY_S = 0.1
_PR_SET_PDEATHSIG = 1


def main(head: socket.socket, channel: socket.socket) -> None:
    """Be a node of the run whose head is at the other ends, and live no longer than the head.

    The ends of connections to other nodes come through the channel.
    """
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # the head hears it, too, and ends the run
    _die_with_parent()
    in_a_loop(NodeProcess(head, channel).run())


def in_a_loop(run: Coroutine[object, object, None]) -> None:
    """Run to the end, in a loop whose timers are not rounded to milliseconds as those of epoll."""
    with asyncio.Runner(loop_factory=_exact_loop) as runner:
        runner.run(run)


def _exact_loop() -> asyncio.AbstractEventLoop:
    return asyncio.SelectorEventLoop(SelectSelector())


def _die_with_parent() -> None:
    """Have Linux kill this process, even if it is stopped, when whoever started it is gone."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    # The fork server lives as long as any of its processes has this, even one that is stopped.
    with suppress(OSError, AttributeError, TypeError):
        os.close(forkserver._forkserver._forkserver_alive_fd)  # type: ignore[attr-defined]


class NodeProcess:
    """Connects a `LiveNode` with the head and with the other nodes."""

    def __init__(self, head: socket.socket, channel: socket.socket) -> None:
        self._head_socket, self._channel = head, channel
        self._node: LiveNode | None = None  # before the head has said what the run is
        self._peers: dict[int, Connection] = {}
        self._over = asyncio.Event()
        self._all_is_sent = asyncio.Event()

    async def run(self) -> None:
        """Live until the head says that the run has ended, or is gone."""
        self._head = Connection(self._head_socket, self._head_says, self._head_ends)
        await self._over.wait()
        self._head.transport.close()  # when all that was told is on its way
        await self._all_is_sent.wait()

    def _guarded(self, act: Callable[[], None] = lambda: None) -> None:
        """Do something, and what is due at the node; tell the head what went wrong."""
        try:
            act()
            if self._node is not None:
                self._node.go_on()
            return
        except (InputError, CheckFailed) as error:
            failed = wire.Failed(str(error), mistake=True)
        except OSError as error:  # a full disk, above all
            failed = wire.Failed(f"a node cannot go on: {error}", mistake=True)
        except Exception:
            failed = wire.Failed(traceback.format_exc(), mistake=False)
        if self._node is not None:
            self._node.stop()
        self._tell(failed)

    # The head

    def _head_says(self, _: Connection, frame: bytes) -> None:
        packet = wire.decode(frame)
        node = self._node
        match packet:
            case wire.Setup():
                self._guarded(lambda: self._set_up(packet))
            case wire.Peer(index):
                self._meet(index)
            case wire.Stop():
                self._stop()
            case _ if node is not None:
                self._guarded(lambda: node.hear(packet))

    def _set_up(self, setup: wire.Setup) -> None:
        self._node = LiveNode(setup, self._tell, self._send, self._guarded)
        self._say_state(self._node)

    def _say_state(self, node: LiveNode) -> None:
        """Say how the node is, again and again: the head also knows then that it lives."""
        self._tell(node.state())
        asyncio.get_running_loop().call_later(_STATE_EVERY_S, self._say_state, node)

    def _stop(self) -> None:
        if self._node is not None:
            self._node.stop()
            self._tell(self._node.totals())
        self._over.set()

    def _tell(self, packet: wire.Packet) -> None:
        if not self._over.is_set():
            self._head.send(wire.encode(packet))

    def _head_ends(self, _: Connection) -> None:
        """End at once: there is nothing to clean up, since the file of pages has no name."""
        if not self._over.is_set():
            os._exit(1)
        self._all_is_sent.set()

    # Other nodes

    def _meet(self, peer: int) -> None:
        _, [end], *_ = socket.recv_fds(self._channel, 1, 1)
        self._peers[peer] = Connection(
            socket.socket(fileno=end),
            partial(self._peer_says, peer),
            partial(self._peer_ends, peer),
        )

    def _send(self, peer: int, packet: wire.Packet) -> bool:
        """Send another node something; False if there is no way to it."""
        if peer not in self._peers:
            return False
        self._peers[peer].send(wire.encode(packet))
        return True

    def _peer_says(self, peer: int, _: Connection, frame: bytes) -> None:
        packet, node = wire.decode(frame), self._node
        if node is not None and isinstance(packet, wire.MessagePacket):
            self._guarded(lambda: node.arrives(packet, peer))

    def _peer_ends(self, peer: int, connection: Connection) -> None:
        if self._peers.get(peer) is connection:
            del self._peers[peer]
        node = self._node
        if node is not None:
            self._guarded(lambda: node.lender_gone(peer))
