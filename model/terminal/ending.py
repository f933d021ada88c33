"""How a signal ends a command: Ctrl-C or TERM."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from types import FrameType

INTERRUPTED = 130  # the conventional exit status after Ctrl-C
_UNDISTURBED_S = 3  # for so long another signal does not disturb how a command ends


@contextmanager
def interrupts() -> Iterator[list[int]]:
    """Make these signals KeyboardInterrupt, so that all that has begun ends; yields what came."""
    came: list[int] = []
    last_s = 0.0

    def interrupt(number: int, _: FrameType | None) -> None:
        nonlocal last_s
        if not came or monotonic() > last_s + _UNDISTURBED_S:
            came.append(number)
            last_s = monotonic()
            raise KeyboardInterrupt

    # A shell has what it runs in the background ignore Ctrl-C.
    ends = [it for it in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(it) != signal.SIG_IGN]
    before = {number: signal.signal(number, interrupt) for number in ends}
    try:
        yield came
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
