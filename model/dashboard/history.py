"""All that is known of a run: its records, and its state after any of them.

Records of hops, pages and barriers are a hundred times as many as all others. Of them only the
latest are kept.
"""

from bisect import bisect_left, bisect_right

from model.core.journal.kinds import Record, Sent, is_detail
from model.core.journal.past import Past

_DETAILS_KEPT = 200_000  # at least, and up to twice as many
_BETWEEN_STATES = 4_000  # records


class History:
    """The journal of one run, as far as it has been read.

    Records are numbered from 1 in the order of the journal; 0 stands for the beginning.
    """

    def __init__(self, nodes: int) -> None:
        """Of a cluster of so many nodes."""
        self.tip = Past(nodes)
        self.read_count = 0
        self.known_ns = 0
        self.records: list[Record] = []
        self.numbers: list[int] = []
        self.complete_from_ns = 0  # from here on hops, pages and barriers are kept as well
        self.kinds: dict[str, None] = {}  # of messages that have been sent
        self._details = 0
        self._states: list[tuple[int, Past]] = [(0, self.tip.copy())]

    def read(self, record: Record) -> None:
        self.read_count += 1
        self.known_ns = max(self.known_ns, record.time_ns)
        self.records.append(record)
        self.numbers.append(self.read_count)
        self.tip.read(record)
        if record.kind == Sent.name and record.what is not None:
            self.kinds.setdefault(record.what)
        if self.read_count - self._states[-1][0] >= _BETWEEN_STATES:
            self._states.append((self.read_count, self.tip.copy()))
        self._details += is_detail(record)
        if self._details > 2 * _DETAILS_KEPT:
            self._forget()

    def know(self, time_ns: int) -> None:
        """Note that nothing else happens up to a time."""
        self.known_ns = max(self.known_ns, time_ns)

    def place(self, number: int) -> int:
        """The place in `records` behind the record with this number."""
        return bisect_right(self.numbers, number)

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
        for record in self.records[self.place(known) : self.place(number)]:
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
