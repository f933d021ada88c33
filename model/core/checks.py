"""Checks of what must hold in every system, during a run and at its end.

The checker reads the journal, like any view, and looks at the agents that records name.
"""

from model.core.emulation import Emulation
from model.core.journal.kinds import Kind, Record
from model.ground.errors import CheckFailed


class Checker:
    """A reader of the journal that raises CheckFailed at the first broken rule.

    - Time does not run backwards.
    - Each delivered message was sent, once; at the end all messages and bytes are delivered,
      except for those that a fault lost.
    - A station serves one thing at a time, in the order of arrival.

    A system adds its own in `check` and `check_end`.
    """

    emulation: Emulation  # that is watched

    def __init__(self) -> None:
        self._now_ns = 0
        self._in_flight: set[int] = set()
        self._busy_until: dict[str, int] = {}

    def watch(self, emulation: Emulation) -> None:
        """Check this one, which has not begun."""
        self.emulation = emulation

    def read(self, record: Record) -> None:
        """Check one record against those before it."""
        self.require(record.time_ns >= self._now_ns, "an event in the past", record)
        self._now_ns = record.time_ns
        match record.kind:
            case "sent":
                self.require(record.id not in self._in_flight, "sent twice", record)
                self._in_flight.add(record.id)
            case "delivered" | "lost":
                self.require(record.id in self._in_flight, f"{record.kind} but not sent", record)
                self._in_flight.remove(record.id)
            case "hop" | "disk":
                assert record.station is not None
                assert record.start_ns is not None
                assert record.end_ns is not None
                free_ns = self._busy_until.get(record.station, 0)
                begins = max(free_ns, record.time_ns)
                self.require(record.start_ns == begins, "not first in, first out", record)
                self.require(record.end_ns >= record.start_ns, "ends before it starts", record)
                self._busy_until[record.station] = record.end_ns
            case _:
                self.check(record)

    def finish(self) -> None:
        """Check what must hold at the end of the run."""
        if not self.emulation.stuck:  # then some are under way for ever
            in_flight = sorted(self._in_flight)
            self.require(not in_flight, f"messages never delivered: {in_flight}")
            for kind, tally in self.emulation.network.tallies.items():
                arrived = tally.delivered + tally.lost, tally.delivered_bytes + tally.lost_bytes
                whole = (tally.sent, tally.sent_bytes) == arrived
                self.require(whole, f"{kind.__name__}: sent and delivered differ")
        self.check_end()

    def check(self, record: Record) -> None:
        """Check a record about jobs, processes or memory, by the system's own rules."""

    def check_end(self) -> None:
        """Check what must hold for the system's own agents at the end of the run."""

    def require(self, holds: bool, rule: str, record: Record | Kind | None = None) -> None:
        """Raise CheckFailed with the rule and the record unless the rule holds."""
        if not holds:
            about = f": {record}" if record else ""
            raise CheckFailed(f"{self.emulation.name}: {rule}{about}")
