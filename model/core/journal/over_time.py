"""What a cluster was from when to when: quantities as arrays, states as spans, as `Past` has them.

Records are a table of a file or a sequence; only those of kinds that can change what is asked for
are folded.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from model.core.journal.file import rows
from model.core.journal.kinds import (
    BELIEFS,
    JOBS,
    MEMORY,
    OUTAGES,
    PROCESSES,
    Decided,
    Record,
    kinds_that_change,
)
from model.core.journal.past import (
    OVER,
    Decision,
    Parts,
    Past,
    PastJob,
    PastNode,
    PastProcess,
    parts,
)

if TYPE_CHECKING:
    import pandas as pd

Records: TypeAlias = "pd.DataFrame | Sequence[Record]"  # of a file, or of a run
_Lasting = TypeVar("_Lasting", bound=PastJob | PastProcess)
_Whose = tuple[int, int | None]  # job, and rank if it is a process
_Seen = tuple[str, tuple[int, ...], int | None, tuple[int, ...]]  # state, nodes, slot, cores


@dataclass(frozen=True)
class Span:
    """A job (rank None), or a process of it, in a state for some time, on the same nodes."""

    job: int
    rank: int | None
    state: str  # see `past.py`
    nodes: tuple[int, ...]  # by rank; none where it is queued or moves
    slot: int | None  # of a job
    cores: tuple[int, ...]  # of a job, by rank; none where each node has one
    start_ns: int
    end_ns: int
    lasts: bool = False  # whether it was still so at the end of the journal


@dataclass(frozen=True)
class Outage:
    """A node, or its servent alone, is down, from a crash or pause to its end, or the journal's.

    Or a node is not there: until it joins, or once it has left.
    """

    node: int
    what: str  # "node" or "servent"
    how: str  # "crashed", "paused", "absent" or "gone"
    start_ns: int
    end_ns: int
    lasts: bool = False  # whether it was still so at the end of the journal

    def overlaps(self, first_ns: float, last_ns: float) -> bool:
        """Whether it is seen in a window."""
        return self.start_ns <= last_ns and self.end_ns >= first_ns

    def is_within(self, other: "Outage") -> bool:
        """Whether another outage of the node is as long or longer."""
        starts_later = self.start_ns >= other.start_ns
        return self.node == other.node and starts_later and self.end_ns <= other.end_ns


@dataclass(frozen=True)
class MemoryOverTime:
    """Memory in bytes by node (row) and time (column); each column holds until the next time."""

    times_ns: NDArray[np.int64]
    own: NDArray[np.int64]  # of its processes
    lent: NDArray[np.int64]
    borrowed: NDArray[np.int64]
    asked: NDArray[np.int64]  # for processes that have not started
    unstarted: NDArray[np.int64]  # what of their own is of these
    crashed: NDArray[np.int64]  # 1 where the whole node is down
    beyond: NDArray[np.int64]  # what of their own processes may not hold in RAM

    def parts(self, ram: int | NDArray[np.int64]) -> Parts:
        """Where it is, as arrays; `ram` is that of each node, or a column with a row a node."""
        of_loans = self.lent, self.borrowed, self.asked
        return parts(ram, self.own, *of_loans, self.unstarted, self.crashed, self.beyond)


class Spans(Generic[_Lasting]):
    """Spans of all jobs, or of all processes, as a `Past` that tells of its changes goes on."""

    def __init__(
        self,
        of_type: type[_Lasting],
        look: Callable[[_Lasting], tuple[_Whose, _Seen]],
    ) -> None:
        self.over: list[Span] = []  # in the order in which they ended
        self._of_type, self._look = of_type, look
        self._now: dict[_Whose, tuple[_Seen, int]] = {}  # what it is, and since when

    def note(self, past: Past, changed: PastNode | PastJob | PastProcess) -> None:
        """Look at what may have changed."""
        if not isinstance(changed, self._of_type):
            return
        whose, seen = self._look(changed)
        before = self._now.get(whose)
        if before is not None:
            if before[0] == seen:
                return
            if before[1] < past.now_ns:
                self.over.append(Span(*(whose + before[0]), before[1], past.now_ns))
        if seen[0] in OVER:
            self._now.pop(whose, None)
        else:
            self._now[whose] = seen, past.now_ns

    def lasting(self, last_ns: int) -> list[Span]:
        """Those that are not over at a time up to which all is known."""
        return [
            Span(*(whose + seen), since_ns, last_ns, lasts=True)
            for whose, (seen, since_ns) in self._now.items()
        ]


class Outages:
    """Outages of nodes and servents, as a `Past` that tells of its changes goes on."""

    def __init__(self) -> None:
        self._since: dict[tuple[int, str, str], int] = {}
        self._over: list[Outage] = []

    def note(self, past: Past, changed: PastNode | PastJob | PastProcess) -> None:
        if type(changed) is not PastNode:
            return
        node = changed.number
        for which in [which for which in self._since if which[0] == node]:
            if which[1:] not in changed.down:
                self._over.append(Outage(*which, self._since.pop(which), past.now_ns))
        for (what, how), since_ns in changed.down.items():
            self._since[node, what, how] = since_ns

    def until(self, last_ns: int) -> list[Outage]:
        """All of them up to a time, by node and in the order of time.

        A node that is down takes its servent with it, which is no outage of its own.
        """
        found = [
            *self._over,
            *(Outage(*it, at, last_ns, lasts=True) for it, at in self._since.items()),
        ]
        whole = [it for it in found if it.what == "node"]
        found = [it for it in found if it.what == "node" or not any(it.is_within(w) for w in whole)]
        return sorted(found, key=lambda outage: (outage.node, outage.start_ns))


def levels(
    records: Records,
    nodes: int,
    quantities: Callable[[PastNode], Sequence[int]],
    *changed_by: str,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Quantities of nodes after each time at which any changes: the times, and arrays of values.

    `changed_by` names what they depend on (MEMORY, JOBS, … in `kinds.py`). The first time is 0.
    The values have the shape (quantities, nodes, times); each column holds until the next time.
    """
    touched: dict[int, PastNode] = {}

    def note(changed: PastNode | PastJob | PastProcess) -> None:
        if type(changed) is PastNode:
            touched[changed.number] = changed

    past = Past(nodes, note)
    first = [quantities(node) for node in past.nodes]
    found: dict[tuple[int, int], Sequence[int]] = {}  # by time and node
    for record in _chosen(records, changed_by):
        past.read(record)
        if touched:
            found |= {(record.time_ns, number): quantities(it) for number, it in touched.items()}
            touched.clear()
    at_ns, row = np.array([*found], np.int64).reshape(-1, 2).T
    times_ns = np.unique(np.append(0, at_ns))
    column = np.searchsorted(times_ns, at_ns)
    values = np.zeros((len(first[0]), nodes, len(times_ns)), np.int64)
    values[:, :, 0] = np.array(first).T
    if found:
        values[:, row, column] = np.array([*found.values()]).T
    latest = np.zeros((nodes, len(times_ns)), np.int64)  # the column of what holds
    latest[row, column] = column
    np.maximum.accumulate(latest, axis=1, out=latest)
    return times_ns, np.take_along_axis(values, latest[None], axis=2)


def memory(records: Records, nodes: int) -> MemoryOverTime:
    """The memory of all nodes after each time at which any of it changes."""
    times_ns, values = levels(records, nodes, lambda node: node.held, MEMORY, OUTAGES)
    return MemoryOverTime(times_ns, *values)


def largest_loans(
    records: Records, nodes: int, first_ns: float, last_ns: float
) -> dict[tuple[int, int], int]:
    """The most bytes that each lender lent each borrower in a time, both ends included."""
    most: dict[int, dict[int, int]] = {}  # by borrower and lender

    def note(changed: PastNode | PastJob | PastProcess) -> None:
        if type(changed) is not PastNode:
            return
        if past.now_ns < first_ns:  # of what was lent before, what is lent still
            most[changed.number] = dict(changed.loans)
        elif past.now_ns <= last_ns:
            held = most.setdefault(changed.number, {})
            for lender, size in changed.loans.items():
                held[lender] = max(size, held.get(lender, 0))

    past = Past(nodes, note)
    for record in _chosen(records, (MEMORY,)):
        past.read(record)
    return {
        (lender, borrower): size for borrower, held in most.items() for lender, size in held.items()
    }


def of_jobs() -> Spans[PastJob]:
    """Spans of jobs, from their submission on."""
    return Spans(
        PastJob, lambda job: ((job.number, None), (job.state, job.nodes, job.slot, job.cores))
    )


def spans_of_jobs(records: Records, nodes: int) -> list[Span]:
    """The states of jobs from their submission on, in the order in which they end."""
    return _spans(records, nodes, of_jobs(), JOBS)


def spans_of_processes(records: Records, nodes: int) -> list[Span]:
    """The states of processes from their placement on, in the order in which they end.

    Without records of faults and barriers a process *runs* all the time between.
    """
    found = Spans(PastProcess, lambda it: ((it.job, it.rank), (it.state, (it.node,), None, ())))
    return _spans(records, nodes, found, PROCESSES)


def decisions(records: Records, nodes: int) -> Iterator[tuple[Record, Decision]]:
    """Each choice of a role, with all that its search has written of candidates up to then."""
    past = Past(nodes)
    for record in _chosen(records, (BELIEFS,)):
        past.read(record)
        if record.kind == Decided.name:
            decided = Decided.of(record)
            yield record, past.decisions[decided.node, decided.hears]


def outages(records: Records, nodes: int) -> list[Outage]:
    """All outages, by node and in the order of time; see `Outages`."""
    found = Outages()
    return found.until(_folded(records, nodes, OUTAGES, found.note))


def _spans(records: Records, nodes: int, spans: Spans[_Lasting], changed_by: str) -> list[Span]:
    """Spans of all jobs, or of all processes."""
    last_ns = _folded(records, nodes, changed_by, spans.note)
    return spans.over + spans.lasting(last_ns)


def _folded(
    records: Records,
    nodes: int,
    changed_by: str,
    note: Callable[[Past, PastNode | PastJob | PastProcess], None],
) -> int:
    """Tell of every change up to the end of the journal; gives when that is."""
    past = Past(nodes, lambda changed: note(past, changed))
    for record in _chosen(records, (changed_by,)):
        past.read(record)
    if isinstance(records, Sequence):
        past.reach(records[-1].time_ns if records else 0)
    elif len(records):
        past.reach(int(records["time_ns"].iloc[-1]))
    return past.now_ns


def _chosen(records: Records, changed_by: Sequence[str]) -> Iterable[Record]:
    """The records of kinds that can change any of this."""
    kinds = kinds_that_change(*changed_by)
    if isinstance(records, Sequence):
        wanted = {*kinds}
        return (record for record in records if record.kind in wanted)
    return rows(records[records["kind"].isin(kinds)])
