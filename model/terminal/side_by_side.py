"""Designs or policies side by side: processes that share the runs of a comparison."""

import multiprocessing
import os
import resource
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from functools import partial
from mmap import mmap
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol, Self

from model.core.emulation import Emulation, Readers
from model.core.files import uninterrupted, writing
from model.core.journal.file import JournalFile
from model.core.journal.kinds import Record
from model.core.result import RunResult
from model.terminal.progress import Bar

_LOOKS_S = 0.1  # how often it is seen how far processes are
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
        self._runs: list[Future[RunResult | None]] = []  # None: the run has failed

    def __enter__(self) -> Self:
        if not self._count:
            return self
        if self._journal is not None:
            path = self._journal.path
            with writing("--journal", path):
                beside = path.resolve().parent
                self._folder = TemporaryDirectory(prefix=".unfinished-", dir=beside)
        context = multiprocessing.get_context("fork")
        parts = memoryview(mmap(-1, 8 * len(self._names)))  # shared with the processes
        self._parts = parts.cast("d")  # to what part each run is done
        others = multiprocessing.active_children()
        with uninterrupted() as held:
            begin = partial(_begin, self._run_there, held)
            self._pool = ProcessPoolExecutor(self._count, context, begin)
            self._runs = [self._pool.submit(_run, place) for place in range(len(self._names))]
        self._processes = [it for it in multiprocessing.active_children() if it not in others]
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._runs:
            for process in self._processes if kind is not None else ():
                process.terminate()
            self._pool.shutdown()
        if self._folder is not None:
            self._folder.cleanup()

    def results(self, bar: Bar, listeners: Sequence[Listener]) -> Iterator[RunResult]:
        """The results in the order of the names; `listeners` hear of runs that are done here.

        If it is interrupted, those that have ended still come.
        """
        given = 0
        try:
            for place, name in enumerate(self._names):
                while self._runs and not self._runs[place].done():
                    wait([self._runs[place]], _LOOKS_S)
                    self._show(bar)
                result = self._ended(place)
                if result is None:
                    readers = [listener.of(name) for listener in listeners]
                    result = self._run(name, readers=readers, progress=bar.update)
                given = place + 1
                yield result
        except KeyboardInterrupt:
            for place in range(given, len(self._runs)):
                if (result := self._ended(place)) is not None:
                    yield result
            raise

    def _show(self, bar: Bar) -> None:
        left = [place for place, run in enumerate(self._runs) if not run.done()]
        going_on = {self._names[it]: self._parts[it] for it in left if self._parts[it]}
        bar.show_several(len(self._runs) - len(left), going_on)

    def _ended(self, place: int) -> RunResult | None:
        """A result from another process, whose journal is kept; None if there is none."""
        if not self._runs or not self._runs[place].done() or self._runs[place].exception():
            return None
        result = self._runs[place].result()
        if result is not None and self._journal is not None:
            self._journal.append(self._part(place), self._names[place])
        return result

    def _part(self, place: int) -> Path:
        """Where the journal of a run is that is not done here."""
        assert self._folder is not None
        return Path(self._folder.name) / f"{place}.parquet"

    def _run_there(self, place: int) -> RunResult | None:
        """Do a run in another process; None if it fails, as it is done again where it is told."""

        def tell(emulation: Emulation) -> None:
            self._parts[place] = emulation.progress()

        name = self._names[place]
        try:
            if self._journal is None:
                return self._run(name, readers=(), progress=tell)
            file = JournalFile(self._part(place), scenario="")
            result = self._run(name, readers=(file.of(name),), progress=tell)
            file.close()
            return result
        except Exception:
            return None


_there: Callable[[int], RunResult | None]  # of a process that does runs


def _begin(run_there: Callable[[int], RunResult | None], mask: Iterable[int]) -> None:
    """Be a process that does runs, and ends with its parent; Ctrl-C is for that alone."""
    global _there
    from model.sweeps.execution import end_with_parent

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    threading.Thread(target=end_with_parent, daemon=True).start()
    _there = run_there


def _run(place: int) -> RunResult | None:
    return _there(place)
