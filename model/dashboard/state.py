"""What a cluster is like at one moment, as far as its journal tells: records are folded into it.

A run that goes on and a journal from a file are read alike, so that nothing can be shown of the one
that is not true of the other.
"""

import json
from collections import Counter, deque
from dataclasses import dataclass, field, replace
from typing import Self

from agents.messages import DATA_PHASES
from model.core.journal.kinds import OUTAGE_ENDS, Record

#: What the records of pages and barriers are, besides their messages.
DETAILS = ("disk", "fault", "io", "barrier")
_LAST_MESSAGES = 12


def is_detail(record: Record) -> bool:
    """Whether a record is about pages or barriers, of which there are very many."""
    return record.phase in DATA_PHASES or record.kind in DETAILS


@dataclass(frozen=True)
class Flight:
    """A message on its way: its sending and its latest hop."""

    sent: Record
    hop: Record | None = None


@dataclass(frozen=True)
class JobNow:
    """A job that has been submitted."""

    submit_ns: int
    is_now: str = "queued"
    nodes: tuple[int, ...] = ()
    size_bytes: int = 0  # of a process
    slot: int | None = None
    end_ns: int | None = None


@dataclass
class NodeNow:
    """What a node holds, lends and borrows, in bytes; what its servent was told and believes."""

    processes: dict[int, int] = field(default_factory=dict)  # by job
    lent: int = 0
    loans: dict[int, int] = field(default_factory=dict)  # what it has borrowed, by lender
    down: dict[tuple[str, str], int] = field(default_factory=dict)  # what, how -> since, ns
    last: deque[Record] = field(default_factory=lambda: deque(maxlen=_LAST_MESSAGES))
    #: By candidate: what the node believed when it last chose one, when that was stated (ns; both
    #: None without any word), and what was true.
    believed: dict[int, tuple[int | None, int | None, int]] = field(default_factory=dict)
    decided_ns: int | None = None

    def copy(self) -> Self:
        """A copy that goes its own way."""
        return replace(
            self,
            processes=dict(self.processes),
            loans=dict(self.loans),
            down=dict(self.down),
            last=self.last.copy(),
            believed=dict(self.believed),
        )

    @property
    def demand(self) -> int:
        """What its processes and loans hold, bytes."""
        return sum(self.processes.values()) + self.lent

    def parts(self, ram: int) -> tuple[int, int, int, int, int]:
        """Own processes in RAM, lent, idle; then over-allocated: borrowed and on disk; bytes."""
        over = max(0, self.demand - ram)
        borrowed = min(over, sum(self.loans.values()))
        own = self.demand - self.lent - over
        return own, self.lent, max(0, ram - self.demand), borrowed, over - borrowed


class State:
    """The cluster after some records of its journal."""

    def __init__(self, nodes: int, queues_again: bool = True) -> None:
        """Of a cluster of so many nodes; whether it queues jobs again that were killed."""
        self.queues_again = queues_again
        self.flights: dict[int, Flight] = {}
        self.jobs: dict[int, JobNow] = {}
        self.nodes = [NodeNow() for _ in range(nodes)]
        self.steps: dict[tuple[int, int], Record] = {}  # the latest of each process, by job, rank
        self.counts = Counter[str]()  # of switches, messages lost, restarts

    def copy(self, without_details: bool = False) -> "State":
        """A copy that goes its own way; perhaps without messages about pages and barriers."""
        other = State(0, self.queues_again)
        other.flights = {
            number: flight
            for number, flight in self.flights.items()
            if not (without_details and is_detail(flight.sent))
        }
        other.jobs, other.steps = dict(self.jobs), dict(self.steps)
        other.nodes = [node.copy() for node in self.nodes]
        other.counts = Counter(self.counts)
        return other

    def read(self, record: Record) -> None:
        """Take in the next record."""
        kind = record.kind
        if kind == "sent":
            if record.node != record.peer:
                self.flights[record.id] = Flight(record)
        elif kind == "hop":
            if record.id in self.flights:  # not sent too long ago to be kept
                self.flights[record.id] = Flight(self.flights[record.id].sent, record)
        elif kind in ("delivered", "lost"):
            self.flights.pop(record.id, None)
            if kind == "lost":
                self.counts["messages lost"] += 1
            elif record.phase not in DATA_PHASES:
                self.nodes[record.node].last.append(record)
        elif kind in ("lent", "returned"):
            sign = 1 if kind == "lent" else -1
            self.nodes[record.node].lent += sign * record.amount_bytes
        elif kind in ("borrowed", "given back"):
            self._loan(record)
        elif kind == "decided":
            node = self.nodes[record.node]
            node.decided_ns = record.time_ns
            told = json.loads(record.payload)["candidates"]
            node.believed |= {int(other): tuple(said) for other, said in told.items()}
        elif kind == "switch":
            self.counts["context switches"] += 1
        elif record.rank is not None:
            self._process(record)
        elif record.job is not None and kind != "note":
            self._job(record)
        elif record.what is not None:
            self._outage(record)

    def _loan(self, record: Record) -> None:
        loans = self.nodes[record.node].loans
        sign = 1 if record.kind == "borrowed" else -1
        loans[record.peer] = loans.get(record.peer, 0) + sign * record.amount_bytes
        if loans[record.peer] == 0:
            del loans[record.peer]

    def _process(self, record: Record) -> None:
        self.steps[record.job, record.rank] = record
        if record.kind == "resized":
            self.nodes[record.node].processes[record.job] = record.amount_bytes
        elif record.kind == "departed":  # both nodes hold it until it has arrived
            self.nodes[record.peer].processes[record.job] = record.amount_bytes
            job = self.jobs[record.job]
            nodes = (record.peer if node == record.node else node for node in job.nodes)
            self.jobs[record.job] = replace(job, nodes=tuple(nodes))
        elif record.kind == "arrived":
            self.nodes[record.peer].processes.pop(record.job, None)
        elif record.kind == "finished":
            self.nodes[record.node].processes.pop(record.job, None)
            del self.steps[record.job, record.rank]

    def _job(self, record: Record) -> None:
        kind, number = record.kind, record.job
        said = json.loads(record.payload) if record.payload else {}
        nodes = tuple(said.get("nodes", ()))
        job = self.jobs.get(number) or JobNow(record.time_ns)
        size = record.amount_bytes
        if kind == "submitted":
            job = replace(job, size_bytes=size or 0)
        elif kind == "placed":
            size = size if size is not None else job.size_bytes
            job = replace(job, is_now="placed", nodes=nodes, size_bytes=size, slot=record.slot)
            for node in nodes:
                self.nodes[node].processes[number] = size
        elif kind in ("moved", "killed", "ended", "failed"):
            for node in job.nodes:
                self.nodes[node].processes.pop(number, None)
            is_now = "on its way" if kind == "moved" else kind
            if kind == "killed" and self.queues_again:
                is_now = "queued"
            end_ns = record.time_ns if is_now in ("ended", "failed", "killed") else None
            job = replace(job, is_now=is_now, nodes=(), end_ns=end_ns)
            self.steps = {of: step for of, step in self.steps.items() if of[0] != number}
        elif kind in ("resumed", "suspended", "held"):
            is_now = {"resumed": "runs", "suspended": "is switched out"}.get(kind, kind)
            job = replace(job, is_now=is_now)
        self.jobs[number] = job

    def _outage(self, record: Record) -> None:
        for how, end in OUTAGE_ENDS.items():
            if record.kind == how:
                self.nodes[record.node].down[record.what, how] = record.time_ns
            elif record.kind == end:
                self.nodes[record.node].down.pop((record.what, how), None)
                self.counts["restarts"] += how == "crashed"
