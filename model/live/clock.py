"""The emulation's event list, run by the clock on the wall."""

import asyncio
from collections.abc import Callable
from time import monotonic_ns

from model.ground.clock import Clock


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

    @property
    def has_begun(self) -> bool:
        return self._epoch_ns is not None

    def begin(self, epoch_ns: int) -> None:
        """Count from this time of the machine's clock on."""
        self._epoch_ns = epoch_ns
        self.look()

    def look(self) -> None:
        if self._epoch_ns is not None:
            self.now_ns = max(self.now_ns, monotonic_ns() - self._epoch_ns)

    def go_on(self) -> None:
        """Execute what is due; come back for the next event at its time."""
        if self._alarm is not None:
            self._alarm.cancel()
        while self.has_begun and (key := self.next_key()) is not None:
            self.look()
            if key[0] > self.now_ns:
                later_s = (key[0] - self.now_ns) / 1e9
                self._alarm = asyncio.get_running_loop().call_later(later_s, self.wake)
                return
            self.executed += 1
            self.execute_next()

    def stop(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self._epoch_ns = None
