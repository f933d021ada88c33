"""The timers that roles set, and how they come to an end after the last job."""

from collections.abc import Callable

from agents.interfaces import Surroundings
from agents.messages import ROLES
from model.ground.clock import TIMER

Fire = Callable[[str, str], None]  # of a role's name and a timer's


class Timers:
    """All timers of one emulation: one for each servent, role and name.

    A firing is the event (time, TIMER, node, role, the servent's count of timers set): what fires
    first at one instant depends on who set it and when, never on the order of insertion.
    """

    def __init__(self, model: Surroundings, first: int = 0) -> None:
        """They are counted from above `first`."""
        self._first = first
        self._clock = model.clock
        self._journal = model.journal
        self._pending: dict[tuple[int, str, str], tuple[int, ...]] = {}  # -> the event's key
        self._counts: dict[int, int] = {}  # timers set by the servent of each node
        self._stopped = False

    def __len__(self) -> int:
        return len(self._pending)

    def set(self, node: int, role: str, name: str, after_ns: int, fire: Fire) -> None:
        """Call `fire(role, name)` after a time; a timer of this name that is set is moved."""
        if self._stopped:
            return
        self.cancel(node, role, name)
        self._counts[node] = count = self._counts.get(node, self._first) + 1
        key = (self._clock.now_ns + after_ns, TIMER, node, ROLES.index(role), count)
        self._pending[node, role, name] = key
        cause = self._journal.cause if self._journal is not None else 0
        self._clock.schedule((*key, self._fires, (node, role, name, count, cause, fire)))

    def cancel(self, node: int, role: str, name: str) -> None:
        key = self._pending.pop((node, role, name), None)
        if key is not None:
            self._clock.cancel(*key)

    def forget(self, node: int) -> None:
        for whose in [whose for whose in self._pending if whose[0] == node]:
            self.cancel(*whose)

    def stop(self) -> None:
        """Forget all timers, and set none any more."""
        self._stopped = True
        for key in self._pending.values():
            self._clock.cancel(*key)
        self._pending.clear()

    def _fires(self, timer: tuple[int, str, str, int, int, Fire]) -> None:
        node, role, name, count, cause, fire = timer
        del self._pending[node, role, name]
        if self._journal is not None:
            self._journal.timer(node, role, name, count, cause)
        fire(role, name)
