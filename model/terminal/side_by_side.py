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
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol, Self, cast

from model.core.emulation import Emulation, Readers
from model.core.journal.file import JournalFile
from model.core.journal.kinds import Record
from model.core.result import RunResult
from model.terminal.progress import Bar

_TOLD_S = 0.1  # how often a process says how far it is
_GROWS = 4  # times of what this process holds now, for a run at most


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
        fit = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // (_GROWS * held)
        workers = min(len(os.sched_getaffinity(0)), fit)
    return max(1, min(runs, workers))


class Crew:
    """Processes forked from this one, so each has all that is loaded here, and does run after run.

    A run that fails there, or whose process dies, is done again here, where its error is raised.
    With one process, all runs are done here.
    """

    def __init__(
        self, run: Run, names: Sequence[str], processes: int, journal: JournalFile | None
    ) -> None:
        """`names` are those of the runs, and the journal has the records of all in the end."""
        self._run = run
        self._names = names
        self._journal = journal
        self._folder: TemporaryDirectory[str] | None = None  # for the journal's parts
        self._processes = []
        self._idle: list[Connection] = []
        if processes == 1:
            return
        if journal is not None:
            beside = journal.path.absolute().parent
            self._folder = TemporaryDirectory(prefix=".unfinished-", dir=beside)
        context = multiprocessing.get_context("fork")
        for _ in range(processes):
            pipe, theirs = context.Pipe()
            process = context.Process(target=self._work, args=(theirs,), daemon=True)
            process.start()
            theirs.close()  # so that our end closes when the process dies
            self._idle.append(pipe)
            self._processes.append(process)

    def __enter__(self) -> Self:
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
        waiting = deque(range(len(self._names)))
        busy: dict[Connection, int] = {}
        done: dict[int, float] = {}  # to what part, by place
        ended: dict[int, RunResult | None] = {}
        try:
            for place, name in enumerate(self._names):
                while place not in ended and (busy or self._idle):
                    while waiting and self._idle:
                        pipe = self._idle.pop()
                        busy[pipe] = waiting.popleft()
                        with suppress(OSError):  # it has died, which `wait` reports
                            pipe.send(busy[pipe])
                    for ready in wait(list(busy)):
                        self._hear(cast(Connection, ready), busy, done, ended)
                    going_on = {self._names[one]: done[one] for one in sorted(done)}
                    bar.show_several(place + len(ended), going_on)
                result = ended.pop(place, None)
                if result is None:
                    readers = [listener.of(name) for listener in listeners]
                    yield self._run(name, readers=readers, progress=bar.update)
                else:
                    yield self._with_journal(place, result)
        except KeyboardInterrupt:
            for place, result in sorted(ended.items()):
                if result is not None:
                    yield self._with_journal(place, result)
            raise

    def _hear(
        self,
        pipe: Connection,
        busy: dict[Connection, int],
        done: dict[int, float],
        ended: dict[int, RunResult | None],
    ) -> None:
        """Take in what a process says: how far it is, or its result; None: its run has failed."""
        place = busy[pipe]
        said: float | RunResult | None = None
        with suppress(EOFError, OSError):  # it has died
            said = pipe.recv()
            if isinstance(said, float):
                done[place] = said
                return
            self._idle.append(pipe)
        del busy[pipe]
        done.pop(place, None)
        ended[place] = cast(RunResult | None, said)

    def _with_journal(self, place: int, result: RunResult) -> RunResult:
        if self._journal is not None:
            self._journal.append(self._part(place), self._names[place])
        return result

    def _part(self, place: int) -> Path:
        """Where the journal of a run is that is not done here."""
        assert self._folder is not None
        return Path(self._folder.name) / f"{place}.parquet"

    def _work(self, pipe: Connection) -> None:
        """Do what the other end asks for, until that is closed; Ctrl-C is for the parent alone."""
        from model.sweeps.execution import end_with_parent

        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
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
                    result = self._run_there(place, tell)
                except Exception:  # it is raised again where the run is done again
                    result = None
                pipe.send(result)

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
