"""How a person, or the machine, ends a command before its time: Ctrl-C, TERM or HUP."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from types import FrameType

INTERRUPTED = 130  # the conventional exit status after Ctrl-C
LINE = "error: interrupted"
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_AGAIN_S = 0.02  # when to look again whether an import has ended
_PATIENCE_S = 3  # for so long another signal does not disturb how it ends, nor this one an import


class Ending:
    """A context in which these signals end the process with one line.

    At first at once, since nothing has begun; in `orderly`, as KeyboardInterrupt. A signal that was
    ignored from the beginning, as by nohup, still is.
    """

    def __init__(self) -> None:
        self.heard: int | None = None  # the signal that came
        self._heard_s = 0.0

    def __enter__(self) -> "Ending":
        self._before = {
            number: signal.signal(number, self._end_at_once)
            for number in _SIGNALS
            if signal.getsignal(number) is not signal.SIG_IGN
        }
        return self

    def __exit__(self, *exception: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    @contextmanager
    def orderly(self) -> Iterator[None]:
        """In this block a signal is a KeyboardInterrupt, so that all that has begun is ended.

        Whatever lets it pass is left with one line, and exit status 130.
        """
        for number in self._before:
            signal.signal(number, self._hear)
        alarm = signal.signal(signal.SIGALRM, lambda _, frame: self._interrupt(frame))
        try:
            yield
        except KeyboardInterrupt:
            print(LINE, file=sys.stderr)
            raise SystemExit(INTERRUPTED) from None
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, alarm)
            for number in self._before:
                signal.signal(number, self._end_at_once)

    def status(self, status: int) -> int:
        """The exit status of the process for that of a command: it names the signal that came."""
        return 128 + self.heard if self.heard and status == INTERRUPTED else status

    def _end_at_once(self, number: int, frame: FrameType | None) -> None:
        with suppress(OSError):
            os.write(2, f"{LINE}\n".encode())
        os._exit(128 + number)

    def _hear(self, number: int, frame: FrameType | None) -> None:
        now_s = monotonic()
        if self.heard is not None and now_s < self._heard_s + _PATIENCE_S:
            return
        self.heard, self._heard_s = self.heard or number, now_s
        self._interrupt(frame)

    def _interrupt(self, frame: FrameType | None) -> None:
        """Raise, but not within an import: some modules turn that into errors of their own."""
        is_soon = monotonic() < self._heard_s + _PATIENCE_S
        while frame is not None and is_soon:
            if frame.f_code.co_filename.startswith("<frozen importlib"):
                signal.setitimer(signal.ITIMER_REAL, _AGAIN_S)
                return
            frame = frame.f_back
        raise KeyboardInterrupt
