"""Explorers in several processes, which share the states among them.

Shapes have other numbers in each process, so states do not travel. As long as there are few of
them, every process holds all; then each keeps its share, and later what is new among the states
that it finds itself. Only digests and steps are sent.
"""

from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from model.ground.errors import InputError
from model.pnr.explore.instants import OrderMatters
from model.pnr.explore.search import Explorer, Following
from model.pnr.explore.setting import Setting

_ENOUGH = 64  # states a process, to be shared


@contextmanager
def sharing(setting: Setting, processes: int) -> Iterator[Callable[[bool], "Shared"]]:
    """Start processes, which end with the block; yields what makes their explorers begin anew."""
    context = get_context("spawn")
    started = []
    try:
        for _ in range(processes):
            ours, theirs = context.Pipe()
            process = context.Process(target=_serve, args=(theirs, setting), daemon=True)
            process.start()
            theirs.close()
            started.append((process, ours))
        yield lambda apart: Shared([ours for _, ours in started], apart)
    finally:
        for process, ours in started:
            ours.close()
            process.terminate()
            process.join()


class Shared:
    """The explorers of several processes."""

    def __init__(self, connections: list[Connection], apart: bool) -> None:
        self.connections = connections
        self.apart = apart
        self.shared = False  # whether each holds its own states only

    def begin(self) -> bytes:
        """The digest of the first state."""
        digest: bytes = self._ask("begin", self.apart)[0]
        return digest

    def expand(self, first: int, end: int) -> list[Following]:
        """What follows these states, by explorer."""
        if not self.shared and end - first >= _ENOUGH * len(self.connections):
            self.shared = True
            self._ask_each([("hold_only", n, len(self.connections)) for n in self._numbers])
        found = self._ask("expand", first, end)
        return found if self.shared else found[:1]

    def keep(self, places: list["array[int]"], numbers: list["array[int]"]) -> None:
        """Have each explorer hold what is new among its last steps, under new numbers."""
        which = self._numbers if self.shared else [0] * len(self.connections)
        self._ask_each([("keep", places[n], numbers[n]) for n in which])

    @property
    def _numbers(self) -> range:
        return range(len(self.connections))

    def _ask(self, *order: object) -> list[Any]:
        return self._ask_each([order] * len(self.connections))

    def _ask_each(self, orders: Sequence[tuple[object, ...]]) -> list[Any]:
        for connection, order in zip(self.connections, orders, strict=True):
            connection.send(order)
        answers = [connection.recv() for connection in self.connections]
        for answer in answers:
            if isinstance(answer, Exception):
                raise answer
        return answers


def _serve(connection: Connection, setting: Setting) -> None:
    """Explore as ordered, until nobody orders any more."""
    explorer: Any = None
    while True:
        try:
            order, *arguments = connection.recv()
        except (EOFError, OSError, KeyboardInterrupt):
            return
        try:
            if order == "begin":
                explorer, arguments = Explorer(setting, *arguments), []
            answer = getattr(explorer, order)(*arguments)
        except OrderMatters as error:
            answer = error
        except InputError as error:
            answer = InputError(str(error))
        connection.send(answer)
