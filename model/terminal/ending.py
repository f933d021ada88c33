"""How a signal ends a command: Ctrl-C, TERM or HUP."""

import signal
from time import monotonic
from types import FrameType

INTERRUPTED = 130  # the conventional exit status after Ctrl-C
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_PATIENCE_S = 3  # for so long another signal does not disturb how a command ends


class Ending:
    """A context in which these signals are KeyboardInterrupt, so that all that has begun is ended.

    A signal that was ignored from the beginning, as by nohup, still is.
    """

    def __init__(self) -> None:
        self.heard: int | None = None  # the signal that came
        self._heard_s = 0.0

    def __enter__(self) -> "Ending":
        self._before = {
            number: signal.signal(number, self._hear)
            for number in SIGNALS
            if signal.getsignal(number) is not signal.SIG_IGN
        }
        return self

    def __exit__(self, *exception: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def status(self, status: int) -> int:
        """The exit status of the process for that of a command: it names the signal that came."""
        return 128 + self.heard if self.heard and status == INTERRUPTED else status

    def _hear(self, number: int, _: FrameType | None) -> None:
        now_s = monotonic()
        if self.heard is None or now_s > self._heard_s + _PATIENCE_S:
            self.heard, self._heard_s = self.heard or number, now_s
            raise KeyboardInterrupt
