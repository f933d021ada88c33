"""How far a command is, on stderr: a bar at a terminal, elsewhere a line now and then."""

import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Timer
from typing import TYPE_CHECKING, Any, Self

from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)

from model.ground.text import escaped
from model.terminal.console import plain_console
from model.terminal.plain import make_streams_plain

if TYPE_CHECKING:
    from model.core.emulation import Emulation

NOTE_EVERY_S = 30  # how often progress is printed if stderr is not a terminal
SLOW_S = 1  # how long something may take before a line names it


@contextmanager
def said_if_slow(what: str) -> Iterator[None]:
    """Print what is being done, such as "reading FILE", if it takes longer than a second."""
    timer = Timer(SLOW_S, lambda: print(f"{escaped(what)} ...", file=sys.stderr, flush=True))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()


def on_stderr(quiet: bool, *columns: ProgressColumn) -> Progress:
    """Progress with these columns, which is shown at a terminal alone and gone at the end."""
    console = plain_console(stderr=True)
    disable = quiet or not console.is_terminal
    return _Progress(*columns, console=console, transient=True, disable=disable)


class _Progress(Progress):
    """What others print meanwhile is shown above it, as plain as it is else."""

    def start(self) -> None:
        """Show it; Rich replaces the standard streams until it stops."""
        super().start()
        make_streams_plain()


class Shown:
    """How far a command is: by columns at a terminal, elsewhere by a line now and then."""

    def __init__(self, quiet: bool, *columns: ProgressColumn, **task: Any) -> None:
        self._progress = on_stderr(quiet, *columns)
        self._task = self._progress.add_task(**task)
        self._told = not (quiet or self._progress.console.is_terminal)
        self._last_s = time.monotonic()

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._progress.stop()

    def show(self, line: str, **state: Any) -> None:
        """Show the task in this state, or print the line if the last one was long ago."""
        self._progress.update(self._task, **state)
        now_s = time.monotonic()
        if self._told and now_s - self._last_s >= NOTE_EVERY_S:
            self._last_s = now_s
            print(line, file=sys.stderr)


class Bar(Shown):
    """Progress over several runs, each of which is done to some part."""

    def __init__(self, steps: int, quiet: bool = False) -> None:
        super().__init__(
            quiet,
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TextColumn("{task.percentage:3.0f} %"),
            TimeRemainingColumn(),
            TextColumn("left"),
            description="preparing",
            total=steps,
        )
        self._steps = steps
        self._ended = 0
        self._now: Emulation | None = None

    def update(self, emulation: "Emulation") -> None:
        if emulation is not self._now:
            self._ended += self._now is not None
            self._now = emulation
        which = f"{emulation.name} ({self._ended + 1} of {self._steps})"
        self._show(which, self._ended + emulation.progress())

    def show_several(self, ended: int, going_on: Mapping[str, float]) -> None:
        """Show how many runs have ended, and to what part those are done that go on."""
        self._ended = ended
        runs = ", ".join(f"{name} {part:.0%}" for name, part in going_on.items())
        self._show(f"{runs} ({ended} of {self._steps} ended)", ended + sum(going_on.values()))

    def stage(self, what: str) -> None:
        """Show what is being done between runs, or instead of any."""
        self._ended += self._now is not None
        self._now = None
        self._show(what, self._ended)

    def _show(self, what: str, done: float) -> None:
        what = escaped(what)
        self.show(f"{what}: {done / self._steps:.0%}", description=what, completed=done)
