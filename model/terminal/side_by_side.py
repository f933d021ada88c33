"""Designs or policies side by side: processes that share the runs of a comparison."""

import multiprocessing
import os
import resource
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol, Self, cast

from model.core.emulation import Emulation, Readers
from model.core.files import writing
from model.core.journal.file import JournalFile
from model.core.journal.kinds import Record
from model.core.result import RunResult
from model.terminal.progress import Bar

_TOLD_S = 0.1  # how often a process says how far it is
_MEMORY_FACTOR = 4  # what a run may come to hold, in multiples of what this process holds


class Listener(Protocol):
    """What hears of the records of all runs."""

    def of(self, name: str) -> Callable[[Record], None]:
        """The reader of one run's records."""


class Run(Protocol):
    """Does one run; raises what goes wrong there."""

    def __call__(
        self, name: str, *, readers: Readers, progress: Callable[[Emulation], None]
    ) -> RunResult: ...


def processes_for(runs: int, workers: int | None) -> int:
    """How many processes to use: as many as asked for, or as there are cores and as fit in memory.

    None are forked from a process that has threads, which would not be there.
    """
    if threading.active_count() > 1:
        return 1
    if workers is None:
        held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        workers = min(os.cpu_count() or 1, memory // (_MEMORY_FACTOR * held))
    return max(1, min(runs, workers))


class Crew:
    """Processes forked from this one, so each has all that is loaded here, and does run after run.

    A run that fails there, or whose process dies, is done again here, where its error is raised.
    With one process, all runs are done here. The processes end with this one, however that ends;
    only if it is killed, the folder of the journal's parts stays.
    """

    def __init__(
        self, run: Run, names: Sequence[str], processes: int, journal: JournalFile | None
    ) -> None:
        """`names` are those of the runs, and the journal has the records of all in the end."""
        self._run = run
        self._names = names
        self._journal = journal
        self._count = processes if processes > 1 else 0
        self._folder: TemporaryDirectory[str] | None = None  # for the journal's parts
        self._processes: list[ForkProcess] = []
        self._waiting = deque(range(len(names)))  # places of runs that nobody has begun
        self._idle: list[Connection] = []
        self._busy: dict[Connection, int] = {}
        self._done: dict[int, float] = {}  # to what part, by place
        self._ended: dict[int, RunResult | None] = {}  # None: the run has failed

    def __enter__(self) -> Self:
        if self._count and self._journal is not None:
            path = self._journal.path
            with writing("--journal", path):
                beside = path.resolve().parent
                self._folder = TemporaryDirectory(prefix=".unfinished-", dir=beside)
        context = multiprocessing.get_context("fork")
        held = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT, signal.SIGTERM])
        try:
            for _ in range(self._count):
                pipe, theirs = context.Pipe()
                process = context.Process(target=self._work, args=(theirs, held), daemon=True)
                process.start()
                theirs.close()  # so that our end closes when the process dies
                self._processes.append(process)
                self._idle.append(pipe)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, held)
        return self

    def __exit__(self, *exception: object) -> None:
        for process in self._processes:
            process.terminate()
            process.join()
        if self._folder is not None:
            self._folder.cleanup()

    def results(self, bar: Bar, listeners: Sequence[Listener]) -> Iterator[RunResult]:
        """The results in the order of the names; `listeners` hear of runs that are done here.

        If it is interrupted, those that have ended still come.
        """

        def here(emulation: Emulation) -> None:
            self._attend(0)  # else the others would wait to be heard
            bar.update(emulation)

        given = 0
        try:
            for place, name in enumerate(self._names):
                while place not in self._ended and self._processes:
                    self._attend(None)
                    going_on = {self._names[one]: part for one, part in sorted(self._done.items())}
                    bar.show_several(len(self._ended), going_on)
                result = self._ended.get(place)
                if result is None:
                    readers = [listener.of(name) for listener in listeners]
                    result = self._run(name, readers=readers, progress=here)
                else:
                    self._keep_journal(place)
                given = place + 1
                yield result
        except KeyboardInterrupt:
            for place in range(given, len(self._names)):
                if (result := self._ended.get(place)) is not None:
                    self._keep_journal(place)
                    yield result
            raise

    def _attend(self, timeout_s: float | None) -> None:
        """Give work to who is idle, and hear who has something to say; None: wait until one has."""
        while self._waiting and self._idle:
            pipe = self._idle.pop()
            self._busy[pipe] = self._waiting.popleft()
            with suppress(OSError):  # it has died, which `wait` reports
                pipe.send(self._busy[pipe])
        for ready in wait(list(self._busy), timeout_s):
            self._hear(cast(Connection, ready))

    def _hear(self, pipe: Connection) -> None:
        """Take in what a process says: how far it is, or its result; None: its run has failed."""
        place = self._busy[pipe]
        said: float | RunResult | None = None
        with suppress(EOFError, OSError):  # it has died
            said = pipe.recv()
            if isinstance(said, float):
                self._done[place] = said
                return
            self._idle.append(pipe)
        del self._busy[pipe]
        self._done.pop(place, None)
        self._ended[place] = cast(RunResult | None, said)
        if not (self._busy or self._idle):  # all have died
            self._ended |= dict.fromkeys(self._waiting)

    def _keep_journal(self, place: int) -> None:
        if self._journal is not None:
            self._journal.append(self._part(place), self._names[place])

    def _part(self, place: int) -> Path:
        """Where the journal of a run is that is not done here."""
        assert self._folder is not None
        return Path(self._folder.name) / f"{place}.parquet"

    def _work(self, pipe: Connection, mask: set[signal.Signals]) -> None:
        """Do what the other end asks for, until the parent ends; Ctrl-C is for that alone."""
        from model.sweeps.execution import end_with_parent

        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        threading.Thread(target=end_with_parent, daemon=True).start()
        told_s = 0.0

        def tell(emulation: Emulation) -> None:
            nonlocal told_s
            if time.monotonic() - told_s > _TOLD_S:
                told_s = time.monotonic()
                pipe.send(float(emulation.progress()))

        with suppress(EOFError, OSError):
            while True:
                place = pipe.recv()
                try:
                    pipe.send(self._run_there(place, tell))
                except Exception:  # it is raised again where the run is done again
                    pipe.send(None)

    def _run_there(self, place: int, tell: Callable[[Emulation], None]) -> RunResult:
        name = self._names[place]
        if self._journal is None:
            return self._run(name, readers=(), progress=tell)
        file = JournalFile(self._part(place), scenario="")
        try:
            result = self._run(name, readers=(file.of(name),), progress=tell)
            file.close()
        except BaseException:
            file.discard()
            raise
        return result
