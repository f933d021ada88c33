"""What became of each job: times, need unmet, messages, loans; read record by record.

It answers: why was this job slow, and what did it cost under another design? `diff` and the
interactive page show it. What belongs to an attempt of a job: `attempts.py`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import ceil
from types import MappingProxyType
from typing import NamedTuple

import pandas as pd

from agents.messages import DATA_PHASES
from model.core.journal import kinds, words
from model.core.journal.file import rows
from model.core.journal.kinds import Record
from model.core.journal.over_time import Span
from model.core.journal.past import GRANT, HELD, QUEUED
from model.ground.units import BYTES_PER_MB, NS_PER_MS, NS_PER_S
from model.pnr.waste import WASTED
from model.views.attempts import FAILED, Attempt
from model.views.recording import Recording, over_network
from model.views.style import in_order

MOVES, BY_DISK, BY_NETWORK = "moves", "faults by disk", "faults by network"
#: How a sentence names a part of a job's time, where it is not as in a table.
_AS_CLAUSE = {
    "pages from the disk": "for pages from the disk",
    "pages over the network": "for pages over the network",
    "barriers": "at barriers",
    "input and output": "for input and output",
}
FIRST, LAST = "first process starts", "last process starts"
_MOMENTS = (
    kinds.Submitted.name,
    kinds.Placed.name,
    FIRST,
    LAST,
    kinds.Killed.name,
    kinds.Ended.name,
)
_FAILURES = tuple(name for name, kind in kinds.KINDS.items() if issubclass(kind, kinds.Failure))
_UP = (kinds.Restarted.name, kinds.Continued.name, kinds.Joined.name)  # again
_COUNTED = {kinds.Moved.name: MOVES, kinds.Disk.name: BY_DISK}
_MOST = 0.9  # of the messages of a start: the last few may take much longer
_PER_UNIT = {"s": NS_PER_S, "ms": NS_PER_MS, "MB": BYTES_PER_MB}


class Row(NamedTuple):
    """What a measure of a job is, the unit to show it in, and of which attempt it is, if of one."""

    what: str
    unit: str = ""
    attempt: int = 0  # from 1 on; 0: of the job

    @property
    def name(self) -> str:
        """Its name in a table."""
        return f"attempt {self.attempt}: {self.what}" if self.attempt else self.what

    def number(self, raw: float) -> float:
        """A measure in its unit."""
        return raw / _PER_UNIT.get(self.unit, 1)

    def text(self, raw: float) -> str:
        """A measure for people, in a unit that suits it."""
        if self.what in _MOMENTS:
            return words.time(int(raw))
        if self.unit in ("s", "ms"):
            return words.span(raw)
        return words.amount(raw) if self.unit == "MB" else f"{raw:,.0f}"


Values = dict[Row, float]  # times in ns, sizes in bytes, counts; what is not known is missing


def spent(part: str, part_ns: float) -> str:
    """A part of a job's time, as words of a sentence: "583 s at barriers"."""
    return f"{words.span(part_ns)} {_AS_CLAUSE.get(part, part)}"


class Unended(NamedTuple):
    """What a job is that has not ended, and since when."""

    state: str
    since_ns: int
    attempt: Attempt | None  # its latest, if that goes on
    has_ended: bool  # whether the run has, so that what it waits for will not come

    @property
    def now(self) -> str:
        """Both in words."""
        return f"{self.state} since {words.time(self.since_ns)}"

    def __str__(self) -> str:
        """The same, with the processes that wait for a grant, and since which record in vain."""
        hangs = None if self.attempt is None else self.attempt.hangs(self.has_ended)
        return self.now if hangs is None else f"{self.now}; it {' '.join(hangs)}"


@dataclass
class Outcome:
    """What became of a job."""

    job: int
    first_ns: dict[str, int] = field(default_factory=dict)  # by kind: when its first record was
    attempts: list[Attempt] = field(default_factory=list)
    spent: kinds.Spent | None = None
    counts: Counter[str] = field(default_factory=Counter)  # of moves, and of faults by medium
    #: Of messages over the network, by kind: how many, and bytes.
    sizes: dict[str, tuple[int, int]] = field(default_factory=dict)
    #: Of those of the protocol, by id: when they were sent, and when they arrived or were lost.
    ways: dict[int, tuple[int, int | None]] = field(default_factory=dict)
    unended: Unended | None = None  # what it is when it has not ended

    def read(self, record: Record) -> None:
        """Take in the next record of the job."""
        if record.kind in kinds.OF_MESSAGES:
            self._read_message(record)
            return
        self.first_ns.setdefault(record.kind, record.time_ns)
        if record.kind in _COUNTED:
            self.counts[_COUNTED[record.kind]] += 1
        elif record.kind == kinds.Ended.name and record.payload is not None:
            self.spent = kinds.Ended.contents(record.payload)

    def _read_message(self, record: Record) -> None:
        if record.kind in kinds.WAY_ENDS:
            if record.id in self.ways:
                self.ways[record.id] = self.ways[record.id][0], record.time_ns
        elif record.kind == kinds.Sent.name:
            if record.phase == "page" and record.hears == "node":
                self.counts[BY_NETWORK] += 1
            if record.node == record.peer:
                return
            if record.phase not in DATA_PHASES:
                self.ways[record.id] = record.time_ns, None
            count, size = self.sizes.get(record.what or "", (0, 0))
            self.sizes[record.what or ""] = count + 1, size + (record.size_bytes or 0)

    @property
    def attempt(self) -> Attempt:
        """The one that goes on, or the latest; an empty one of a job that was never placed."""
        return self.attempts[-1] if self.attempts else Attempt()

    @property
    def end_ns(self) -> int | None:
        """When it ended."""
        return self.first_ns.get(kinds.Ended.name)

    @property
    def is_given_up(self) -> bool:
        """Whether it was killed too often, or fits nowhere any more."""
        return kinds.Failed.name in self.first_ns

    @property
    def response_ns(self) -> int | None:
        """From its submission to its end, if both are known."""
        submit_ns, end_ns = self.first_ns.get(kinds.Submitted.name), self.end_ns
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

    def start_ns(self) -> tuple[int, int] | None:
        """When its start begins and ends; None if it has no start that takes time.

        It is that of the attempt in which something broke, or of its first: from the placement
        until all processes that start compute, and until most of the messages that were sent about
        it meanwhile have arrived.
        """
        broken = (it for it in self.attempts if it.lost or it.doomed_by)
        attempt = next(broken, self.attempts[0] if self.attempts else None)
        if attempt is None or attempt.placed is None:
            return None
        placed_ns = attempt.placed.time_ns
        until_ns = max((it.time_ns for it in attempt.started.values()), default=None)
        if until_ns is None:
            until_ns = max((sent_ns for sent_ns, _ in self.ways.values()), default=placed_ns)
        ends = sorted(
            arrived_ns
            for sent_ns, arrived_ns in self.ways.values()
            if placed_ns <= sent_ns <= until_ns and arrived_ns is not None
        )
        if ends:
            until_ns = ends[ceil(_MOST * len(ends)) - 1]
        return None if until_ns <= placed_ns else (placed_ns, until_ns)

    def values(
        self, use_of: Mapping[int, str] = MappingProxyType({}), numbered: bool | None = None
    ) -> Values:
        """All that is known, in the order of a table; `use_of` is by the ids of messages.

        Attempts are numbered if they are several, or if the other job's are.
        """
        if numbered is None:
            numbered = len(self.attempts) > 1
        found = self._times()
        for number, attempt in enumerate(self.attempts, 1):
            for row, value in _of_attempt(attempt):
                found[row._replace(attempt=number * numbered)] = value
        found |= self._messages(use_of)
        return found | {Row(name): count for name, count in self.counts.items()}

    def _times(self) -> Values:
        first = self.first_ns
        found: Values = {
            Row(name, "s"): first[name]
            for name in (kinds.Submitted.name, kinds.Ended.name)
            if name in first
        }
        for name, until in (("until first placed", kinds.Placed), ("response", kinds.Ended)):
            if kinds.Submitted.name in first and until.name in first:
                found[Row(name, "s")] = first[until.name] - first[kinds.Submitted.name]
        return found | {Row(name, "s"): part_ns for name, part_ns in self.spent_ns.items()}

    def _messages(self, use_of: Mapping[int, str]) -> Values:
        uses = Counter(use_of[it] for it in self.ways if it in use_of)
        found: Values = {Row(use, "messages"): uses[use] for use in WASTED if uses}
        for kind in in_order(self.sizes):
            found[Row(kind, "messages")], found[Row(kind, "bytes")] = self.sizes[kind]
        return found


class Outcomes(dict[int, Outcome]):
    """What became of each job, by its number, as far as records have been read."""

    def __init__(self) -> None:
        super().__init__()
        #: Of what attempt a record is, by its id: what it causes for the same job is of that, too.
        self._attempts: dict[int, Attempt] = {}
        self._crashes: dict[int, Record] = {}  # by the id of what they led to
        self._down: dict[int, Record] = {}  # by node

    def read(self, record: Record) -> None:
        """Take in the next record of the run."""
        if record.job is None:
            self._read_of_no_job(record)
            return
        outcome = self.get(record.job)
        if outcome is None:
            outcome = self[record.job] = Outcome(record.job)
        outcome.read(record)
        if not kinds.is_detail(record):
            attempt = self._of(record, outcome)
            attempt.read(record)
            if record.kind == kinds.Placed.name:
                for failed in self._down.values():
                    attempt.fails(failed)
            elif record.kind == kinds.Sent.name and record.peer in self._down:
                attempt.fails(self._down[record.peer])

    def count(self, details: pd.DataFrame) -> None:
        """Count faults, and messages about pages and barriers, that are not read one by one."""
        sent = details[details["kind"] == kinds.Sent.name]
        asked = sent[(sent["phase"] == "page") & (sent["hears"] == "node")]
        disk = details[details["kind"] == kinds.Disk.name]
        for name, faults in ((BY_NETWORK, asked), (BY_DISK, disk)):
            for job, number in faults["job"].value_counts().items():
                self[job].counts[name] += number
        groups = over_network(sent).groupby(["job", "what"], observed=True)["size_bytes"]
        for (job, kind), (number, size) in groups.agg(["size", "sum"]).iterrows():
            before = self[job].sizes.get(kind, (0, 0))
            self[job].sizes[kind] = before[0] + int(number), before[1] + int(size)

    def _of(self, record: Record, outcome: Outcome) -> Attempt:
        """Whose record it is, which may begin or end an attempt."""
        attempts, kind = outcome.attempts, record.kind
        begins = kind == kinds.Placed.name and (not attempts or attempts[-1].over is not None)
        lacks_placement = not attempts and (record.node is not None or kind == kinds.Ended.name)
        if begins or lacks_placement:  # as a part of a journal may
            attempts.append(Attempt())
        attempt = outcome.attempt
        if kind in (kinds.Killed.name, kinds.Ended.name, kinds.Failed.name):
            crash = self._crashes.get(record.cause)
            if crash is not None:
                self._crashes[record.id] = crash  # of the next job that it kills
            if attempt.over is None:
                attempt.over, attempt.crash = record, crash
        elif kind != kinds.Placed.name:
            before = self._attempts.get(record.id) or self._attempts.get(record.cause)
            attempt = before if before in attempts else attempt
        self._attempts[record.id] = attempt
        return attempt

    def _read_of_no_job(self, record: Record) -> None:
        if record.kind == kinds.Timer.name and record.cause in self._attempts:
            self._attempts[record.id] = self._attempts[record.cause]
        elif record.kind in _FAILURES and record.node is not None:
            if record.kind in (kinds.Crashed.name, kinds.Gone.name):
                self._crashes[record.id] = record
            if record.kind in _UP:
                self._down.pop(record.node, None)
            elif record.kind in FAILED:
                self._down.setdefault(record.node, record)
            for outcome in self.values():
                outcome.attempt.fails(record)

    def note_unended(self, lasting: Iterable[Span], has_ended: bool) -> None:
        """Keep what jobs are that have not ended, of a run that has, or has not."""
        for one in self.values():
            one.unended = None
        for it in lasting:
            if (outcome := self.get(it.job)) is not None:
                attempt = outcome.attempts[-1] if outcome.attempts else None
                goes_on = attempt if attempt is not None and attempt.over is None else None
                since_ns = it.start_ns
                if it.state == GRANT and goes_on is not None and goes_on.placed is not None:
                    since_ns = goes_on.placed.time_ns  # its slot may have changed meanwhile
                outcome.unended = Unended(it.state, since_ns, goes_on, has_ended)


def _of_attempt(attempt: Attempt) -> Iterator[tuple[Row, float]]:
    """What is known of an attempt, in the order of a table."""
    starts_ns = [it.time_ns for it in attempt.started.values()]
    if attempt.placed is not None:
        yield Row(kinds.Placed.name, "s"), attempt.placed.time_ns
    if starts_ns:
        yield Row(FIRST, "s"), min(starts_ns)
    if starts_ns and not attempt.waiting:
        yield Row(LAST, "s"), max(starts_ns)
    if starts_ns or attempt.waiting:
        yield Row(kinds.Started.name, "processes"), len(starts_ns)
        yield Row("not started", "processes"), len(attempt.waiting)
    if attempt.over is not None and attempt.over.kind == kinds.Killed.name:
        yield Row(kinds.Killed.name, "s"), attempt.over.time_ns
    if attempt.asked_ns:
        waits_ns = attempt.waits_ns
        yield Row("asked for memory", "processes"), len(attempt.asked_ns)
        yield Row("got an answer", "processes"), len(waits_ns)
        if waits_ns:
            yield Row("request to grant, mean", "ms"), sum(waits_ns) / len(waits_ns)
            yield Row("request to grant, longest", "ms"), max(waits_ns)
    if unmet := attempt.unmet:
        yield Row("unmet", "MB"), sum(unmet.values())
        whose = {node: f"rank {rank}" for node, rank in attempt.rank_of.items()}
        whose |= {node: f"node {node}" for node in sorted(unmet) if node not in whose}
        for node, name in whose.items():
            if size := unmet.get(node):
                yield Row(f"unmet by {name}", "MB"), size
    borrowed, lenders = kinds.Borrowed.name, attempt.lenders
    if lenders:
        yield Row(borrowed, "MB"), sum(lenders.values())
    for lender in sorted(lenders):
        yield Row(f"{borrowed} from node {lender}", "MB"), lenders[lender]
    if attempt.lost:
        yield Row(kinds.Lost.name, "messages"), len(attempt.lost)


def outcomes(recording: Recording, records: pd.DataFrame) -> Outcomes:
    """The jobs of some records of a run, in their order; what there was none of is zero.

    A run without messages has no hops, but its faults or barriers show the journal's level.
    """
    found = Outcomes()
    everything = recording.records
    matters = everything["kind"].isin([*_FAILURES, kinds.Timer.name, kinds.Killed.name])
    for record in rows(everything[matters | everything.index.isin(records.index)]):
        found.read(record)
    none = [] if recording.scenario.lends_memory else [MOVES]
    if recording.in_detail:
        none += [BY_DISK, BY_NETWORK] if recording.scenario.lends_memory else [BY_DISK]
    for outcome in found.values():
        outcome.counts.update(dict.fromkeys(none, 0))
    found.note_unended([it for it in recording.job_spans if it.lasts], has_ended=True)
    return found


def in_a_line(told: Iterable[tuple[str, str]]) -> str:
    """What is told of an attempt."""
    return "; ".join(map(" ".join, told))


def never_end(lasting: Iterable[Span], failed: int) -> list[str]:
    """How many jobs never end, by the spans that last, and how many of them are in the queue."""
    states = [span.state for span in lasting]
    queued = sum(state in (QUEUED, HELD) for state in states)
    text = f"{len(states)} never end{'s' * (len(states) == 1)}"
    text += f" ({queued} in the queue, not drawn)" if queued else ""
    return [text] * bool(states) + [f"{failed} given up"] * bool(failed)


def outcome_of(recording: Recording, job: int) -> Outcome:
    """What became of a job in a whole run."""
    return outcomes(recording, recording.records[recording.records["job"] == job])[job]


def attempts_of(recording: Recording, outcome: Outcome) -> list[str]:
    """A line for each attempt of a job that may be killed, and for what it is now without one.

    The only attempt of a job that has ended needs none if nothing of it was lost.
    """
    has_ended = outcome.end_ns is not None
    is_plain = has_ended and len(outcome.attempts) == 1 and not outcome.attempt.lost
    if not recording.scenario.lends_memory or is_plain:
        return []
    last_ns = int(recording.records["time_ns"].max())
    lines = [
        f"attempt {number}: {in_a_line(it.told(last_ns, not recording.stopped))}"
        for number, it in enumerate(outcome.attempts, 1)
    ]
    now = outcome.unended
    return lines if now is None or now.attempt is not None else [*lines, f"it has been {now}"]


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
