"""How a signal ends a command: Ctrl-C or TERM."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

INTERRUPTED = 130  # the conventional exit status after Ctrl-C


@contextmanager
def interrupts() -> Iterator[list[int]]:
    """Make these signals KeyboardInterrupt, so that all that has begun ends; yields what came."""
    came: list[int] = []

    def interrupt(number: int, _: FrameType | None) -> None:
        came.append(number)
        raise KeyboardInterrupt

    before = {it: signal.signal(it, interrupt) for it in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield came
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
