"""What became of each job: times, need unmet, messages, loans; read record by record.

It answers: why was this job slow, and what did it cost under another design? `diff` and the
interactive page show it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from types import MappingProxyType
from typing import NamedTuple

import pandas as pd

from agents.messages import DATA_PHASES
from model.core.journal import words
from model.core.journal.file import rows
from model.core.journal.kinds import (
    OF_MESSAGES,
    WAY_ENDS,
    Answered,
    Asked,
    Borrowed,
    Disk,
    Ended,
    Killed,
    Lost,
    Moved,
    Placed,
    Record,
    Sent,
    Spent,
    Started,
    Submitted,
)
from model.core.journal.past import PastJob
from model.ground.units import BYTES_PER_MB, NS_PER_MS, NS_PER_S
from model.pnr.waste import UNUSED
from model.views.recording import Recording
from model.views.style import in_order

MOVES, BY_DISK, BY_NETWORK = "moves", "faults by disk", "faults by network"
#: How a sentence names a part of a job's time, where it is not as in a table.
_AS_CLAUSE = {
    "pages from the disk": "for pages from the disk",
    "pages over the network": "for pages over the network",
    "barriers": "at barriers",
    "input and output": "for input and output",
}
_MOMENTS = {  # what is called so: the first (0) or last (1) record of a kind
    Submitted.name: (Submitted.name, 0),
    Placed.name: (Placed.name, 0),
    "first process starts": (Started.name, 0),
    "last process starts": (Started.name, 1),
    Ended.name: (Ended.name, 0),
}
_COUNTED = {Killed.name: Killed.name, Moved.name: MOVES, Disk.name: BY_DISK}
_FEW = 4  # processes that wait, and lost messages, that are named
_MOST = 0.9  # of the messages of a start: the last few may take much longer
_PER_UNIT = {"s": NS_PER_S, "ms": NS_PER_MS, "MB": BYTES_PER_MB}


class Row(NamedTuple):
    """What a measure of a job is, and the unit to show it in."""

    name: str
    unit: str = ""

    def number(self, raw: float) -> float:
        """A measure in its unit."""
        return raw / _PER_UNIT.get(self.unit, 1)

    def text(self, raw: float) -> str:
        """A measure for people, in a unit that suits it."""
        if self.name in _MOMENTS:
            return words.time(int(raw))
        if self.unit in ("s", "ms"):
            return words.span(raw)
        return words.amount(raw) if self.unit == "MB" else f"{raw:,.0f}"


Values = dict[Row, float]  # times in ns, sizes in bytes, counts; what is not known is missing


def spent(part: str, part_ns: float) -> str:
    """A part of a job's time, as words of a sentence: "583 s at barriers"."""
    return f"{words.span(part_ns)} {_AS_CLAUSE.get(part, part)}"


class Unended(NamedTuple):
    """What a job is that has not ended, and what it may wait for in vain; as of now."""

    state: str
    since_ns: int
    waiting: Sequence[tuple[int, int]]  # rank and node of each process without a grant
    lost: Sequence[Record]  # its protocol's messages that were lost since it was placed

    @classmethod
    def of(cls, job: PastJob) -> "Unended":
        """A job as it was after some record."""
        waiting = [it for it in job.processes.values() if not it.started]
        since_ns = min([job.since_ns, *(it.since_ns for it in waiting)])
        return cls(job.state, since_ns, [(it.rank, it.node) for it in waiting], job.lost)

    def __str__(self) -> str:
        """What it is, since when, and the first few of the processes that wait for a grant."""
        text = f"{self.state} since {words.time(self.since_ns)}"
        few = [f"rank {rank} on node {node}" for rank, node in self.waiting[:_FEW]]
        who = ", ".join(few + _more(self.waiting, "of its processes"))
        return f"{text} ({who})" if who else text

    def losses(self) -> list[str]:
        """What was lost of its messages, and when: the first few, and how many more."""
        return [
            *map(words.sentence_with_time, self.lost[:_FEW]),
            *_more(self.lost, "of its messages"),
        ]


@dataclass
class Outcome:
    """What became of a job; by node where processes are meant, of which a node has one a job.

    What clients asked for and got is of the last attempt.
    """

    job: int
    first_ns: dict[str, int] = field(default_factory=dict)  # by kind: when its first record was
    last_ns: dict[str, int] = field(default_factory=dict)
    spent: Spent | None = None
    rank_of: dict[int, int] = field(default_factory=dict)
    asked: dict[int, int] = field(default_factory=dict)  # bytes that it first asked for
    asked_ns: dict[int, int] = field(default_factory=dict)
    answered_ns: dict[int, int] = field(default_factory=dict)
    started: set[int] = field(default_factory=set)
    got: Counter[int] = field(default_factory=Counter)  # bytes borrowed before it started
    loans: Counter[tuple[int, int]] = field(default_factory=Counter)  # by borrower and lender
    counts: Counter[str] = field(default_factory=Counter)  # of kills, moves, faults by medium
    #: Of messages over the network, by kind: how many, and bytes.
    sizes: dict[str, tuple[int, int]] = field(default_factory=dict)
    #: Of those of the protocol, by id: when they were sent, and when they arrived or were lost.
    ways: dict[int, tuple[int, int | None]] = field(default_factory=dict)
    lost: list[Record] = field(default_factory=list)  # messages of the protocol
    unended: Unended | None = None  # what it is when it has not ended
    _open: Counter[int] = field(default_factory=Counter)  # bytes asked for, and not answered

    def read(self, record: Record) -> None:
        """Take in the next record of the job."""
        kind, node, now_ns = record.kind, record.node, record.time_ns
        if kind in OF_MESSAGES:
            self._read_message(record)
            return
        self.first_ns.setdefault(kind, now_ns)
        self.last_ns[kind] = now_ns
        if kind in _COUNTED:
            self.counts[_COUNTED[kind]] += 1
        elif kind == Placed.name:
            self._begin(Placed.contents(record.payload or "").nodes)
        elif kind == Started.name and node is not None:
            self.started.add(node)
        elif kind == Ended.name and record.payload is not None:
            self.spent = Ended.contents(record.payload)
        elif node is not None and record.amount_bytes is not None:
            self._read_loan(record, node, record.amount_bytes)

    def _begin(self, nodes: Sequence[int]) -> None:
        """Begin an attempt: what an earlier one asked for is of no matter any more."""
        self.rank_of = {place: rank for rank, place in enumerate(nodes)}
        self.started = set()
        for of_clients in (self.asked, self.asked_ns, self.answered_ns, self.got, self._open):
            of_clients.clear()

    def _read_message(self, record: Record) -> None:
        if record.kind in WAY_ENDS:
            if record.kind == Lost.name and record.phase not in DATA_PHASES:
                self.lost.append(record)
            if record.id in self.ways:
                self.ways[record.id] = self.ways[record.id][0], record.time_ns
        elif record.kind == Sent.name:
            if record.phase == "page" and record.hears == "node":
                self.counts[BY_NETWORK] += 1
            if record.node == record.peer:
                return
            if record.phase not in DATA_PHASES:
                self.ways[record.id] = record.time_ns, None
            count, size = self.sizes.get(record.what or "", (0, 0))
            self.sizes[record.what or ""] = count + 1, size + (record.size_bytes or 0)

    def _read_loan(self, record: Record, node: int, size: int) -> None:
        if record.kind == Asked.name:
            self.asked.setdefault(node, size)
            self.asked_ns.setdefault(node, record.time_ns)
            self._open[node] += size
        elif record.kind == Answered.name:
            self._open[node] -= size
            if not self._open[node]:  # else it goes on to search for the rest
                self.answered_ns.setdefault(node, record.time_ns)
        elif record.kind == Borrowed.name and record.peer is not None:
            self.loans[node, record.peer] += size
            if node not in self.started:
                self.got[node] += size

    @property
    def end_ns(self) -> int | None:
        """When it ended."""
        return self.first_ns.get(Ended.name)

    @property
    def response_ns(self) -> int | None:
        """From its submission to its end, if both are known."""
        submit_ns, end_ns = self.first_ns.get(Submitted.name), self.end_ns
        return None if submit_ns is None or end_ns is None else end_ns - submit_ns

    @property
    def spent_ns(self) -> dict[str, float]:
        """Where its time went, in words: of its processes in the mean, so that it adds up."""
        parts = dict.fromkeys(words.SPENT.values(), 0.0)
        if self.spent is not None:
            for name, part_ns in self.spent.mean_ns().items():
                parts[words.SPENT[name]] += part_ns
        return {name: part_ns for name, part_ns in parts.items() if part_ns}

    def cost_ns(self, other: "Outcome") -> dict[str, float]:
        """By how much more of each kind another outcome has; empty unless the job ended in both."""
        if self.spent is None or other.spent is None:
            return {}
        before, after = self.spent_ns, other.spent_ns
        parts = (name for name in dict.fromkeys(words.SPENT.values()) if name in before | after)
        return {name: after.get(name, 0.0) - before.get(name, 0.0) for name in parts}

    @property
    def unmet(self) -> dict[int, int]:
        """Bytes that each process asked for and had not borrowed when it began.

        Later loans make good what lenders have called back.
        """
        return {node: size - self.got[node] for node, size in self.asked.items()}

    def start_ns(self) -> tuple[int, int] | None:
        """When its start begins and ends; None if it has no start that takes time.

        It lasts from its (last) placement until all its processes compute, and until most of the
        messages that were sent about it meanwhile have arrived.
        """
        placed_ns = self.last_ns.get(Placed.name)
        if placed_ns is None:
            return None
        until_ns = self.last_ns.get(Started.name)
        if until_ns is None or until_ns < placed_ns:
            until_ns = max((sent_ns for sent_ns, _ in self.ways.values()), default=placed_ns)
        ends = sorted(
            arrived_ns
            for sent_ns, arrived_ns in self.ways.values()
            if placed_ns <= sent_ns <= until_ns and arrived_ns is not None
        )
        if ends:
            until_ns = ends[ceil(_MOST * len(ends)) - 1]
        return None if until_ns <= placed_ns else (placed_ns, until_ns)

    def uses(self, use_of: Mapping[int, str]) -> Counter[str]:
        """What the protocol's messages over the network were good for."""
        return Counter(use_of[it] for it in self.ways if it in use_of)

    def values(self, use_of: Mapping[int, str] = MappingProxyType({})) -> Values:
        """All that is known, in the order of a table; `use_of` is by the ids of messages."""
        return self._times() | self._memory() | self._messages(use_of) | self._loans()

    def _times(self) -> Values:
        first, last = self.first_ns, self.last_ns
        found: Values = {
            Row(name, "s"): (first if which == 0 else last)[kind]
            for name, (kind, which) in _MOMENTS.items()
            if kind in first
        }
        for name, until in (("waiting", Placed), ("response", Ended)):
            if Submitted.name in first and until.name in first:
                found[Row(name, "s")] = first[until.name] - first[Submitted.name]
        waits = [
            until_ns - self.asked_ns[node]
            for node, until_ns in self.answered_ns.items()
            if node in self.asked_ns
        ]
        if waits:
            found[Row("request to grant, mean", "ms")] = sum(waits) / len(waits)
            found[Row("request to grant, longest", "ms")] = max(waits)
        return found | {Row(name, "s"): part_ns for name, part_ns in self.spent_ns.items()}

    def _memory(self) -> Values:
        unmet = self.unmet
        if not unmet:
            return {}
        whose = {node: f"rank {rank}" for node, rank in self.rank_of.items()}
        whose |= {node: f"node {node}" for node in sorted(unmet) if node not in whose}
        of_ranks = {
            Row(f"unmet by {name}", "MB"): unmet[node]
            for node, name in whose.items()
            if unmet.get(node)
        }
        return {Row("unmet", "MB"): sum(unmet.values()), **of_ranks}

    def _messages(self, use_of: Mapping[int, str]) -> Values:
        uses = self.uses(use_of)
        found: Values = {Row(use, "messages"): uses[use] for use in UNUSED if uses}
        for kind in in_order(self.sizes):
            found[Row(kind, "messages")], found[Row(kind, "bytes")] = self.sizes[kind]
        return found

    def _loans(self) -> Values:
        lenders = self.lenders
        found: Values = {Row(Borrowed.name, "MB"): sum(lenders.values())} if lenders else {}
        for lender in sorted(lenders):
            found[Row(f"{Borrowed.name} from node {lender}", "MB")] = lenders[lender]
        return found | {Row(name): count for name, count in self.counts.items()}

    @property
    def lenders(self) -> Counter[int]:
        """Bytes borrowed in all, by lender."""
        found: Counter[int] = Counter()
        for (_, lender), size in self.loans.items():
            found[lender] += size
        return found


def _more(found: Sequence[object], what: str) -> list[str]:
    return [f"and {len(found) - _FEW} more {what}"] if len(found) > _FEW else []


def outcomes(recording: Recording, records: pd.DataFrame) -> dict[int, Outcome]:
    """The jobs of some records of a run, in their order; what there was none of is zero.

    A run without messages has no hops, but its faults or barriers show the journal's level.
    """
    found: dict[int, Outcome] = {}
    for record in rows(records[records["job"].notna()]):
        if record.job not in found:
            found[record.job] = Outcome(record.job)
        found[record.job].read(record)
    none = [] if recording.scenario.lends_memory else [MOVES]
    if recording.in_detail:
        none += [BY_DISK, BY_NETWORK] if recording.scenario.lends_memory else [BY_DISK]
    for outcome in found.values():
        outcome.counts.update(dict.fromkeys(none, 0))
    return found


def in_common_order(tables: Iterable[Iterable[Row]]) -> list[Row]:
    """The rows of all tables, each where the first table that has it does."""
    found: list[Row] = []
    for table in tables:
        place = 0
        for row in table:
            if row not in found:
                found.insert(place, row)
            place = found.index(row) + 1
    return found
