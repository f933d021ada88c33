"""The emulation's event list, run by the clock on the wall."""

import asyncio
from collections.abc import Callable
from time import monotonic_ns

from model.ground.clock import Clock

_AT_ONCE = 500  # events, before sockets have their turn


class WallClock(Clock):
    """Time since the run began, on this machine's monotonic clock.

    An event happens when its time has come, or as soon afterwards as the process gets to it; the
    time is then what it really is. Before `begin`, it is 0 and nothing happens.
    """

    def __init__(self) -> None:
        super().__init__()
        self.wake: Callable[[], None] = self.go_on  # called when something is due; calls `go_on`
        self._epoch_ns: int | None = None
        self._alarm: asyncio.Handle | None = None

    def begin(self, epoch_ns: int) -> None:
        """Count from this time of the machine's clock on."""
        self._epoch_ns = epoch_ns
        self.look()

    def look(self) -> int:
        """Take the time, which is `now_ns` from now on."""
        if self._epoch_ns is not None:
            self.now_ns = max(self.now_ns, monotonic_ns() - self._epoch_ns)
        return self.now_ns

    def go_on(self) -> None:
        """Execute what is due; come back for the next event at its time."""
        if self._epoch_ns is None:
            return
        if self._alarm is not None:
            self._alarm.cancel()
        for _ in range(_AT_ONCE):
            key = self.next_key()
            if key is None:
                return
            if key[0] > self.look():
                break
            self.executed += 1
            self.execute_next()
        key = self.next_key()
        if key is None:
            return
        loop = asyncio.get_running_loop()
        later_s = max(0, key[0] - self.now_ns) / 1e9
        self._alarm = loop.call_later(later_s, self.wake)

    def stop(self) -> None:
        """Let nothing happen any more."""
        if self._alarm is not None:
            self._alarm.cancel()
        self._epoch_ns = None
