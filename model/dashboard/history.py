"""All that is known of a run: its records, its state after any of them, and its traffic over time.

Records of hops, pages and barriers are a hundred times as many as all others. Of them only the
latest are kept; their sums over time are kept of the whole run.
"""

from bisect import bisect_left, bisect_right

import numpy as np
from numpy.typing import NDArray

from model.core.journal.kinds import Delivered, Ended, Record, is_detail
from model.core.journal.past import Past
from model.ground.units import NS_PER_MS, NS_PER_S, seconds

_DETAILS_KEPT = 200_000  # at least, and up to twice as many
_BETWEEN_STATES = 4_000  # records
_BUCKETS = 1024
_POINTS = 256  # of a curve


class History:
    """The journal of one run, as far as it has been read.

    Records are numbered from 1 in the order of the journal; 0 stands for the beginning.
    """

    def __init__(self, nodes: int) -> None:
        """Of a cluster of so many nodes."""
        self.tip = Past(nodes)
        self.traffic = Traffic()
        self.read_count = 0
        self.known_ns = 0
        self.records: list[Record] = []
        self.numbers: list[int] = []
        self.complete_from_ns = 0  # from here on hops, pages and barriers are kept as well
        self.responses: list[tuple[float, float]] = []  # end and response time of each job, s
        self._details = 0
        self._states: list[tuple[int, Past]] = [(0, self.tip.copy())]

    def read(self, record: Record) -> None:
        """Take in the next record."""
        self.read_count += 1
        self.known_ns = max(self.known_ns, record.time_ns)
        self.records.append(record)
        self.numbers.append(self.read_count)
        self.tip.read(record)
        self.traffic.read(record)
        if record.kind == Ended.name and record.job is not None:
            response_ns = record.time_ns - self.tip.jobs[record.job].submit_ns
            self.responses.append((seconds(record.time_ns), seconds(response_ns)))
        if self.read_count - self._states[-1][0] >= _BETWEEN_STATES:
            self._states.append((self.read_count, self.tip.copy()))
        self._details += is_detail(record)
        if self._details > 2 * _DETAILS_KEPT:
            self._forget()

    def know(self, time_ns: int) -> None:
        """Note that nothing else happens up to a time."""
        self.known_ns = max(self.known_ns, time_ns)
        self.traffic.reach(self.known_ns)

    def place(self, number: int) -> int:
        """The place in `records` behind the record with this number."""
        return bisect_right(self.numbers, number)

    def between(self, after: int, upto: int) -> list[Record]:
        """The records that are kept, from behind one number up to another."""
        return self.records[self.place(after) : self.place(upto)]

    def at_time(self, time_ns: int) -> int:
        """The number of the last record up to a time; 0 before the first."""
        place = bisect_right(self.records, time_ns, key=lambda record: record.time_ns)
        return self.numbers[place - 1] if place else 0

    def state(self, number: int) -> Past:
        """The cluster after the record with this number; to be read only."""
        if number >= self.read_count:
            return self.tip
        before = bisect_right(self._states, number, key=lambda kept: kept[0]) - 1
        known, state = self._states[before]
        state = state.copy()
        for record in self.between(known, number):
            state.read(record)
        return state

    def _forget(self) -> None:
        """Drop hops, pages and barriers, except the latest."""
        surplus, places = self._details - _DETAILS_KEPT, []
        for place, record in enumerate(self.records):
            if surplus and is_detail(record):
                surplus -= 1
                self.complete_from_ns = record.time_ns
            else:
                places.append(place)
        first = next((p for q, p in enumerate(places) if q != p), None)
        self.records = [self.records[place] for place in places]
        self.numbers = [self.numbers[place] for place in places]
        self._details = _DETAILS_KEPT
        if first is not None:
            edge = bisect_left(self.records, self.complete_from_ns, key=lambda it: it.time_ns)
            upto = self.numbers[edge] if edge < len(self.numbers) else self.read_count
            self._states = [
                (number, state.copy(without_details=True) if number <= upto else state)
                for number, state in self._states
            ]


class Traffic:
    """Messages that arrived by kind, and how busy stations were, in equal spans of time.

    There are at most 1,024 spans: when a run outgrows them, two become one.
    """

    def __init__(self) -> None:
        self.span_ns = NS_PER_MS
        self.arrived: dict[str, NDArray[np.int64]] = {}  # by kind of message
        self.busy_ns: dict[str, NDArray[np.int64]] = {}  # by station
        self.last_ns = 0  # up to which anything is known, services to come included

    def read(self, record: Record) -> None:
        """Take in a record."""
        if record.kind == Delivered.name and record.node != record.peer:
            self.reach(record.time_ns)
            _of(self.arrived, record.what)[record.time_ns // self.span_ns] += 1
        elif record.start_ns is not None and record.end_ns is not None:
            self.reach(record.end_ns)
            self._serve(_of(self.busy_ns, record.station), record.start_ns, record.end_ns)
        else:
            self.reach(record.time_ns)

    def rates(self, known_ns: int) -> tuple[list[float], dict[str, list[float | None]]]:
        """The middles of at most 256 spans (s), and by kind the messages a second in each.

        None stands for no message.
        """
        count = known_ns // self.span_ns + 1
        together = -(-count // _POINTS)
        firsts = np.arange(0, count, together)
        edges_ns = np.minimum(np.append(firsts, count) * self.span_ns, max(known_ns, 1))
        if len(firsts) > 1 and 2 * (edges_ns[-1] - edges_ns[-2]) < together * self.span_ns:
            firsts, edges_ns = firsts[:-1], np.delete(edges_ns, -2)  # too short for a rate
        spans_s = np.maximum(np.diff(edges_ns), 1) / NS_PER_S
        rates = {
            kind: [
                float(f"{it:.4g}") if it else None
                for it in np.add.reduceat(arrived[:count], firsts) / spans_s
            ]
            for kind, arrived in self.arrived.items()
        }
        return ((edges_ns[:-1] + edges_ns[1:]) / 2 / NS_PER_S).tolist(), rates

    def around(self, time_ns: int) -> tuple[int, int]:
        """The span of a time and the one before it, as far as they are known, ns."""
        start = time_ns // self.span_ns * self.span_ns
        end = max(start + 1, min(start + self.span_ns, self.last_ns))
        return max(0, start - self.span_ns), end

    def utilization(self, time_ns: int) -> dict[str, float]:
        """The share of `around` a time in which each station was busy, of those that were."""
        start, end = self.around(time_ns)
        places = slice(start // self.span_ns, time_ns // self.span_ns + 1)
        busy = {name: int(times[places].sum()) for name, times in self.busy_ns.items()}
        return {name: took / (end - start) for name, took in busy.items() if took}

    def _serve(self, busy_ns: NDArray[np.int64], start_ns: int, end_ns: int) -> None:
        span = self.span_ns
        first, last = start_ns // span, end_ns // span
        if first == last:
            busy_ns[first] += end_ns - start_ns
            return
        busy_ns[first] += (first + 1) * span - start_ns
        busy_ns[first + 1 : last] += span
        busy_ns[last] += end_ns - last * span

    def reach(self, time_ns: int) -> None:
        """Make the spans so wide that there is one for this time."""
        self.last_ns = max(self.last_ns, time_ns)
        while time_ns // self.span_ns >= _BUCKETS:
            self.span_ns *= 2
            for counted in (*self.arrived.values(), *self.busy_ns.values()):
                counted[: _BUCKETS // 2] = counted.reshape(-1, 2).sum(axis=1)
                counted[_BUCKETS // 2 :] = 0


def _of(counted: dict[str, NDArray[np.int64]], name: str) -> NDArray[np.int64]:
    if name not in counted:
        counted[name] = np.zeros(_BUCKETS, np.int64)
    return counted[name]
