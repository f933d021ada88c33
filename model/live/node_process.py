"""The process of a node: its connections to the head and to the other nodes."""

import asyncio
import ctypes
import os
import signal
import sys
import traceback
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from multiprocessing import forkserver
from pathlib import Path
from selectors import SelectSelector
from time import monotonic_ns

from agents.pnr.process import COMPUTING
from model.ground.errors import CheckFailed, InputError, cut
from model.live import telling
from model.live.frames import BACKLOG, Connection
from model.live.node import LiveNode

_STANDS_EVERY_S = 0.1
WITHIN_S = 60.0  # it connects with others, and the head reads what it has counted at the end
_TRIES_EVERY_S = 0.2
_SPINS_NS = 500_000
_PR_SET_PDEATHSIG = 1


def main(
    head: tuple[str, int],
    secret: bytes,
    index: int,
    host: str,
    within_s: float = WITHIN_S,
    by_hand: bool = True,
) -> None:
    """Be the node `index` of the run whose head is at this address; listen at `host`.

    Raises InputError if it cannot listen there, or the head cannot be reached.
    """
    in_a_loop(_NodeProcess(head, secret, index, host, within_s, by_hand).run())


def main_of_head(
    head: tuple[str, int], secret: bytes, index: int, host: str, within_s: float
) -> None:
    """Do as `main`, in a process that the head has started, and live no longer than the head."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # the head hears it, too, and ends the run
    _die_with_parent()
    main(head, secret, index, host, within_s, by_hand=False)


def in_a_loop(run: Coroutine[object, object, None]) -> None:
    """Run to the end: here, or in a thread if this one has a loop that runs, as in a notebook."""

    cancels: list[Callable[[], object]] = []

    async def cancellable() -> None:
        task, loop = asyncio.current_task(), asyncio.get_running_loop()
        assert task is not None
        cancels.append(partial(loop.call_soon_threadsafe, task.cancel))
        await run

    def run_it() -> None:
        with asyncio.Runner(loop_factory=_exact_loop) as runner:
            runner.run(cancellable())

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        run_it()
        return
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(run_it)
        try:
            running.result()
        except KeyboardInterrupt:  # it comes here, and not to the thread that has to end the run
            for cancel in cancels:
                with suppress(RuntimeError):  # its loop has ended
                    cancel()
            raise


def _exact_loop() -> asyncio.AbstractEventLoop:
    """A loop whose timers are not rounded to milliseconds, as those of epoll are."""
    return asyncio.SelectorEventLoop(SelectSelector())


def _die_with_parent() -> None:
    """Have Linux kill this process, even if it is stopped, when whoever started it is gone."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    # The fork server lives as long as any of its processes has this, even one that is stopped.
    with suppress(OSError, AttributeError, TypeError):
        os.close(forkserver._forkserver._forkserver_alive_fd)  # type: ignore[attr-defined]


def boot() -> str:
    """Names the machine and what its monotonic clock counts from."""
    with suppress(OSError):
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    return ""


class _NodeProcess:
    def __init__(
        self,
        head: tuple[str, int],
        secret: bytes,
        index: int,
        host: str,
        within_s: float,
        by_hand: bool,
    ) -> None:
        self._head_address, self._secret, self._by_hand = head, secret, by_hand
        self._index, self._host, self._within_s = index, host, within_s
        self._strangers: dict[Connection, None] = {}
        self._complaints: dict[str, None] = {}
        self._to_head: Connection | None = None  # before there is one
        self._node: LiveNode | None = None  # before the head has said what the run is
        self._sources: dict[Connection, int] = {}  # who has connected to us
        self._targets: dict[int, Connection] = {}  # to whom we have connected
        self._addresses: list[tuple[str, int] | None] = []
        self._over = asyncio.Event()
        self._all_is_told = asyncio.Event()

    async def run(self) -> None:
        """Live until the head says that the run has ended, or is gone. Raises InputError."""
        loop = asyncio.get_running_loop()
        try:
            self._server = await loop.create_server(self._greets, self._host, 0, backlog=BACKLOG)
        except (OSError, UnicodeError) as error:
            reason = f"node {self._index} cannot listen at {self._host}: {error}"
            raise InputError(reason) from None
        try:
            await asyncio.wait_for(self._reach_head(), self._within_s)
        except (OSError, UnicodeError, TimeoutError) as error:
            address = "{}:{}".format(*self._head_address)
            reason = str(error) or f"nobody answers in {self._within_s:g} s"
            raise InputError(f"the head at {address} cannot be reached: {reason}") from None
        await self._over.wait()
        self._server.close()
        assert self._to_head is not None
        self._to_head.close()
        with suppress(TimeoutError):  # the head may take its time to read all that was counted
            await asyncio.wait_for(self._all_is_told.wait(), self._within_s)

    def _greets(self) -> Connection:
        return Connection(
            self._secret,
            self._within_s,
            strangers=self._strangers,
            known=lambda _: None,
            hears=self._peer_says,
            ended=self._source_ends,
        )

    async def _reach_head(self) -> None:
        """Connect to the head, which need not be there yet if somebody has started this node."""
        while True:
            try:
                await self._reach(self._head_address, self._head)
            except ConnectionRefusedError:
                if not self._by_hand:
                    raise
                await asyncio.sleep(_TRIES_EVERY_S)
            else:
                return

    async def _reach(self, address: tuple[str, int], made: Callable[[], Connection]) -> Connection:
        _, connection = await asyncio.get_running_loop().create_connection(made, *address)
        return connection

    # The head

    def _head(self) -> Connection:
        self._to_head = Connection(
            self._secret,
            self._within_s,
            known=lambda _: self._tell(telling.Hello(self._index, boot())),
            hears=self._head_says,
            ended=self._head_ends,
        )
        return self._to_head

    def _head_ends(self, connection: Connection, wrong: str | None) -> None:
        """End at once: there is nothing to clean up, since the file of pages has no name."""
        if self._over.is_set():
            self._all_is_told.set()
            return
        if wrong is None and self._by_hand:
            why = "the run was not over"
            if not connection.is_known:
                why = "is its secret another?"
            elif self._node is None:
                why = f"is node {self._index} there already?"
            wrong = f"the head has ended the connection: {why}"
        if wrong is not None:
            print(f"error: {wrong}", file=sys.stderr)
        os._exit(0 if wrong is None else 2)

    def _tell(self, what: telling.Told) -> None:
        if not self._over.is_set():
            assert self._to_head is not None
            self._to_head.send(telling.frame_of(what))

    def _head_says(self, _: Connection, frame: bytes) -> None:
        said, node = telling.told(frame), self._node
        match said:
            case telling.Setup():
                self._guarded(lambda: self._set_up(said))
            case telling.Peers(addresses):
                self._meeting = asyncio.ensure_future(self._meet(addresses))
            case telling.ReadClock():
                self._tell(telling.ClockShows(monotonic_ns()))
            case telling.Stop():
                self._stop()
            case telling.Begin() if node is not None:
                self._guarded(lambda: node.begin(said))
                self._stand(node)
                if node.spins:
                    self._spin(node)
            case _ if node is not None:
                self._guarded(lambda: node.hear(said))

    def _set_up(self, setup: telling.Setup) -> None:
        self._node = LiveNode(
            self._index, setup, self._tell, self._send, lambda: self._guarded(lambda: None)
        )
        self._tell(telling.Listening(*self._server.sockets[0].getsockname()[:2]))

    def _stand(self, node: LiveNode) -> None:
        """Tell how the node stands, again and again: the head also knows then that it lives."""
        if self._over.is_set():
            return
        self._tell(node.ledger())
        asyncio.get_running_loop().call_later(_STANDS_EVERY_S, self._stand, node)

    def _spin(self, node: LiveNode) -> None:
        """Be busy while a process computes."""
        until_ns = monotonic_ns() + _SPINS_NS
        busy = any(process.state == COMPUTING for process in node.node.residents.values())
        while busy and monotonic_ns() < until_ns:
            pass
        later_s = 0 if busy else _SPINS_NS / 1e9
        asyncio.get_running_loop().call_later(later_s, self._spin, node)

    def _stop(self) -> None:
        if self._node is not None:
            self._node.clock.stop()
            self._tell_records(self._node)
            self._tell(self._node.totals())
        self._over.set()

    def _tell_records(self, node: LiveNode) -> None:
        if node.records:
            self._tell(telling.Records(node.records))
            node.records.clear()

    def _guarded(self, do: Callable[[], None]) -> None:
        """Do something of the node, and what is due; tell the head what went wrong."""
        try:
            if self._node is not None:
                self._node.clock.look()
            do()
            if self._node is not None:
                self._node.clock.go_on()
                self._node.tell_stored()
                self._tell_records(self._node)
            return
        except (InputError, CheckFailed) as error:
            failed = telling.Failed(str(error), mistake=True)
        except OSError as error:  # a full disk, above all
            failed = telling.Failed(f"node {self._index}: {error}", mistake=True)
        except Exception:
            failed = telling.Failed(traceback.format_exc(), mistake=False)
        if self._node is not None:
            self._node.clock.stop()
            self._tell_records(self._node)
        self._tell(failed)

    # Other nodes

    async def _meet(self, addresses: list[tuple[str, int] | None]) -> None:
        """Connect to all that are there and not connected yet."""
        before, self._addresses = self._addresses, addresses
        complaints = []
        for node, address in enumerate(addresses):
            known = node < len(before) and before[node] == address and node in self._targets
            if address is None or node == self._index or known:
                continue
            try:
                connection = await self._meet_one(node, address)
            except OSError as error:
                where = "{}:{}".format(*address)
                complaints.append(
                    f"node {self._index} cannot reach node {node} at {where}: {error}"
                )
                continue
            connection.send(telling.frame_of(telling.Introduction(self._index)))
            self._targets[node] = connection
        self._tell(telling.Connected(complaints))

    async def _meet_one(self, node: int, address: tuple[str, int]) -> Connection:
        is_known: asyncio.Future[Connection] = asyncio.get_running_loop().create_future()
        connection = Connection(
            self._secret,
            self._within_s,
            known=is_known.set_result,
            hears=lambda _, __: None,
            ended=partial(self._target_ends, node, is_known),
        )
        await self._reach(address, lambda: connection)
        return await is_known

    def _target_ends(
        self,
        target: int,
        is_known: asyncio.Future[Connection],
        connection: Connection,
        wrong: str | None,
    ) -> None:
        if not is_known.done():
            is_known.set_exception(ConnectionError(wrong or "it has closed the connection"))
            return
        if self._targets.get(target) is connection:
            del self._targets[target]
        node = self._node
        if node is not None:
            self._guarded(lambda: node.lender_gone(target))
        if wrong is not None:
            self._complain(f"node {self._index}: {wrong}")

    def _send(self, target: int, what: telling.Told) -> bool:
        """Send another node something; False if there is no way to it."""
        connection = self._targets.get(target)
        if connection is None:
            return False
        connection.send(telling.frame_of(what))
        return True

    def _peer_says(self, connection: Connection, frame: bytes) -> None:
        node, source = self._node, self._sources.get(connection)
        try:
            said = telling.told(frame)
            if isinstance(said, telling.Introduction):
                if node is None or not 0 <= said.node < len(node.nodes):
                    raise ValueError(f"there is no node {said.node}")
                self._sources[connection] = said.node
                return
            if source is None or node is None:
                raise ValueError("it has not said which node it is")
        except ValueError as error:
            connection.refuse(f"{connection.peer} sends what is no message: {cut(str(error))}")
            return
        match said:
            case telling.Carried():
                self._guarded(lambda: self._arrives(node, connection, source, said))
            case telling.PagesMoved() | telling.Luggage():
                self._guarded(lambda: node.process_comes(said))
            case _:
                connection.refuse(f"{connection.peer} sends what a node does not: {said!r:.40}")

    def _arrives(
        self, node: LiveNode, connection: Connection, source: int, carried: telling.Carried
    ) -> None:
        try:
            message = node.contents.message(carried, source, self._index)
        except ValueError as error:
            connection.refuse(f"{connection.peer} sends what is no message: {cut(str(error))}")
        else:
            node.arrives(message, carried)

    def _source_ends(self, connection: Connection, wrong: str | None) -> None:
        self._sources.pop(connection, None)
        if wrong is not None:
            self._complain(f"node {self._index}: {wrong}")

    def _complain(self, text: str) -> None:
        if text in self._complaints:
            return
        self._complaints[text] = None
        if self._to_head is None or not self._to_head.is_known:
            print(f"warning: {text}", file=sys.stderr)
        else:
            self._tell(telling.Complaint(text))
