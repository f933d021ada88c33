"""Where messages wait, counted by station and window of time, at every level of a journal.

A service belongs to the window in which the message reaches the station, whenever it begins. The
windows of a run are equally long: 1 s, doubled until the run's last event is in one of the first
600 (of fewer, where more than 1,000 stations need the memory).
"""

from collections.abc import Iterator

from agents.messages import DATA_PHASES
from model.core.journal.kinds import Served
from model.ground.units import NS_PER_S

CLASSES = (*DATA_PHASES, "protocol")  # of messages
DISK = "disk"  # the class of what disks serve
_MOST, _CELLS = 600, 600_000


def most_windows(stations: int) -> int:
    """How many windows a run has at most: an even number."""
    return max(2, min(_MOST, _CELLS // stations) // 2 * 2)


class Queues:
    """Services, their queueing delay and its peak in ns, by station, class and window."""

    shortest_ns = NS_PER_S

    def __init__(self) -> None:
        self.window_ns = self.shortest_ns
        self.most = _MOST
        self._cells: dict[tuple[str, str, int], list[int]] = {}

    def count(self, station: str, what: str, now_ns: int, delay_ns: int) -> None:
        """Count what reaches a station now, and is served after a delay."""
        if now_ns >= self.most * self.window_ns:
            self.reach(now_ns)
        self.add(station, what, now_ns // self.window_ns, 1, delay_ns, delay_ns)

    def add(self, station: str, what: str, window: int, *counted: int) -> None:
        """Add services, delay and peak of a window."""
        cell = self._cells.setdefault((station, what, window), [0, 0, 0])
        services, delay_ns, peak_ns = counted
        cell[0] += services
        cell[1] += delay_ns
        cell[2] = max(cell[2], peak_ns)

    def reach(self, time_ns: int) -> None:
        """Make the windows so long that this time is in one of them."""
        while time_ns >= self.most * self.window_ns:
            self.window_ns *= 2
            cells, self._cells = self._cells, {}
            for (station, what, window), counted in cells.items():
                self.add(station, what, window // 2, *counted)

    def by_station(self) -> Iterator[tuple[str, tuple[Served, ...]]]:
        """What each station has served, by its name; those that have served anything."""
        of_station: dict[str, list[Served]] = {}
        for (station, what, window), counted in sorted(self._cells.items()):
            of_station.setdefault(station, []).append(Served(what, window, *counted))
        for station, served in of_station.items():
            yield station, tuple(served)
