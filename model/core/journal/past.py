"""The cluster as it was after any record of its journal: the one fold of what records mean.

Needs records and the number of nodes alone, no emulation: of a run that goes on and of a file.
A test holds it to the live cluster after every event (`tests/model/core/journal/test_past.py`).
"""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from heapq import heappop, heappush
from itertools import count
from typing import Any, NamedTuple, Self

import numpy as np

from agents.messages import DATA_PHASES
from model.core.journal.kinds import (
    BARRIER,
    DISK,
    IO,
    KINDS,
    PAGE,
    Belief,
    Borrowed,
    Decided,
    Delivered,
    Departed,
    Disk,
    Failure,
    GivenBack,
    Heard,
    Loan,
    Note,
    OfJob,
    OfMessage,
    OfProcess,
    OfSlots,
    Placed,
    Record,
    Resizing,
    Sent,
    Submitted,
    Unified,
    is_detail,
)
from model.ground.errors import InputError

# States of jobs, and of processes; those of processes that wait are in `kinds.py`.
QUEUED = "queued"
HELD = "held back"
GRANT = "waiting for a grant"
SWITCHED_OUT = "switched out"
RUNNING = "running"
MOVING = "moving"
ENDED = "ended"
KILLED = "killed"
FAILED = "failed"
OVER = (ENDED, KILLED, FAILED)

#: The message that lets a process of this rank go on; others about barriers name their senders.
RELEASE = "BarrierRelease"
Amount = Any  # bytes: an int, or an array of them


class Parts(NamedTuple):
    """Where a node's memory is, in bytes (ints, or arrays): first all of its RAM, then the rest.

    What it has allocated beyond its RAM is borrowed, asked for by processes that have not started,
    or on its disk, where only what processes that have started hold can be.
    """

    own: Amount  # of its own processes, in RAM
    lent: Amount
    idle: Amount
    crashed: Amount  # the RAM of a node that has crashed or is not there, which is not idle
    borrowed: Amount
    asked: Amount
    on_disk: Amount


def parts(
    ram: Amount,
    own: Amount,
    lent: Amount,
    borrowed: Amount,
    asked: Amount,
    unstarted: Amount,
    crashed: Amount,
    beyond: Amount = 0,
) -> Parts:
    """Split what nodes hold, lend, borrow and have asked for (bytes; crashed: whether).

    Of their own, `unstarted` is of processes that have not started, and `beyond` what processes may
    not hold in RAM.
    """
    over = beyond + np.maximum(0, own - beyond + lent - ram)
    of_others = np.minimum(over, borrowed)
    rest = over - of_others
    on_disk = np.minimum(rest - np.minimum(rest, np.minimum(asked, unstarted)), own - unstarted)
    idle = ram - (own - over) - lent
    return Parts(
        own - over,
        lent,
        np.where(crashed, 0, idle),
        np.where(crashed, idle, 0),
        of_others,
        rest - on_disk,
        on_disk,
    )


class UnderWay(NamedTuple):
    """A message under way: its sending and its latest hop."""

    sent: Record
    hop: Record | None = None


@dataclass(slots=True, eq=False)
class PastProcess:
    """A process of a job that is placed; a sequential job is its own only process."""

    job: int
    rank: int
    node: int
    size: int  # bytes
    since_ns: int  # when its state began
    started: bool
    running: bool  # whether its job is switched in
    limit: int | None = None  # bytes that it may hold in RAM
    asked: int = 0  # bytes that its client has asked for and has no answer, whatever crashed since
    switched_ns: int = 0  # as since_ns, whatever it has waited for since it was switched in
    source: int | None = None  # the node that it leaves, while it moves
    ended: bool = False
    waits_for: str | None = None  # FAULT, DISK, PAGE, BARRIER or IO
    waits_ns: int = 0  # since when, switched in or not
    until_ns: int | None = None  # when the disk will have served it
    requests: tuple[int, ...] = ()  # ids of the messages that ask for its page

    def __post_init__(self) -> None:
        self.switched_ns = self.waits_ns = self.since_ns

    def forget_waits(self) -> None:
        """Know nothing of pages and barriers."""
        self.waits_for, self.until_ns, self.requests = None, None, ()
        self.since_ns = self.switched_ns

    @property
    def beyond(self) -> int:
        """What of its memory it may not hold in RAM, bytes."""
        return 0 if self.limit is None else max(0, self.size - self.limit)

    @property
    def state(self) -> str:
        """ENDED, or the first that applies of those that `waits_for` and this have."""
        if self.ended:
            return ENDED
        if not self.started:
            return GRANT
        if not self.running:
            return SWITCHED_OUT
        if self.source is not None:
            return MOVING
        return self.waits_for or RUNNING


@dataclass(slots=True, eq=False)
class PastJob:
    """A job that has been submitted."""

    number: int
    submit_ns: int
    sequential: bool  # of load sharing: it is its own only process
    size: int  # bytes that each of its processes holds, or will
    since_ns: int  # when its state began
    phase: str = QUEUED  # or HELD, RUNNING (placed), MOVING, ENDED, KILLED or FAILED
    nodes: tuple[int, ...] = ()  # by rank, while it is placed
    cores: tuple[int, ...] = ()  # by rank, of these nodes, where they have several
    slot: int | None = None
    running: bool = False  # whether it is switched in
    #: By rank, those that have not finished.
    processes: dict[int, PastProcess] = field(default_factory=dict)
    unstarted: int = 0  # of its processes, those that wait for a grant
    end_ns: int | None = None

    def copy(self) -> "PastJob":
        """A copy that goes its own way; the job itself once it has ended, as it stays so."""
        if self.end_ns is not None:
            return self
        processes = {rank: copy(process) for rank, process in self.processes.items()}
        return replace(self, processes=processes)

    @property
    def state(self) -> str:
        """QUEUED, HELD, GRANT, SWITCHED_OUT, RUNNING, MOVING, ENDED, KILLED or FAILED.

        A job waits for a grant as long as any of its processes does, whether it is its turn or not.
        """
        if self.phase != RUNNING:
            return self.phase
        if self.unstarted:
            return GRANT
        return RUNNING if self.running else SWITCHED_OUT


@dataclass(slots=True, eq=False)
class PastNode:
    """A node: what it holds, lends, borrows and has asked for (bytes), and what is down."""

    number: int
    #: By job and rank; while one moves, at the node that it leaves and at the one to which it goes.
    processes: dict[tuple[int, int], PastProcess] = field(default_factory=dict)
    own: int = 0  # what these hold
    beyond: int = 0  # what of this they may not hold in RAM
    lent: int = 0
    loans: dict[int, int] = field(default_factory=dict)  # by lender
    borrowed: int = 0  # the sum of these
    asked: int = 0  # in requests that are not answered
    down: dict[tuple[str, str], int] = field(default_factory=dict)  # what, and how -> since, ns
    #: What roles have noted last of themselves, in JSON, by role and name.
    noted: dict[tuple[str, str], str] = field(default_factory=dict)
    leaving: bool = False  # it lends nothing new

    def copy(self, jobs: Mapping[int, PastJob]) -> "PastNode":
        """A copy that goes its own way, with the processes of these jobs."""
        processes = {(job, rank): jobs[job].processes[rank] for job, rank in self.processes}
        loans, down, noted = dict(self.loans), dict(self.down), dict(self.noted)
        return replace(self, processes=processes, loans=loans, down=down, noted=noted)

    @property
    def is_down(self) -> bool:
        """Whether the node has crashed or is not there: its RAM is not idle, but of no use."""
        return any(what == "node" for what, _ in self.down)

    def load(self, ram: int) -> int:
        """RAM - demand, bytes; never above 0 if the node is down or leaving: it lends nothing."""
        load = ram - (self.own - self.beyond) - self.lent
        return min(0, load) if self.is_down or self.leaving else load

    @property
    def held(self) -> tuple[int, ...]:
        """What `parts` must know of it beside its RAM.

        A process for which nothing is asked waits for the answer to an earlier request, perhaps of
        a killed attempt; or it wants all its size, since no client can ask while its servent is
        down.
        """
        waiting = [process for process in self.processes.values() if not process.started]
        asked = sum(it.asked for it in waiting)
        silent = sum(it.size for it in waiting if not it.asked)
        asked += silent if self.down else min(silent, max(0, self.asked - asked))
        unstarted = sum(it.size for it in waiting)
        of_loans = self.lent, self.borrowed, asked
        return self.own, *of_loans, unstarted, int(self.is_down), self.beyond

    def parts(self, ram: int) -> Parts:
        """Where its memory is, bytes."""
        return Parts(*map(int, parts(ram, *self.held)))


class Decision(NamedTuple):
    """The latest choice of a role, and all that its search has stated about candidates so far."""

    time_ns: int
    job: int | None
    chosen: int | None
    search: tuple[Any, ...]
    missing: int
    groups: bool  # whether a candidate stands for a group, such as a rack, with the sum of it
    candidates: Mapping[int, Belief]  # by node, or by leader

    @property
    def belief(self) -> Belief | None:
        """What was believed of the one chosen; None if there is none, or it is not written."""
        return None if self.chosen is None else self.candidates.get(self.chosen)


class Word(NamedTuple):
    """The newest word about a node or group that has reached a role, and what brought it."""

    load: int
    stated_ns: int
    message: int  # the id of the first that stated it


Role = tuple[int, str]  # a node, and which of its roles
Changed = Callable[[PastNode | PastJob | PastProcess], None]


class Past:
    """The cluster after all records that it has read; see `kinds.py` for what each of them does."""

    def __init__(self, nodes: int, changed: Changed | None = None) -> None:
        """Of so many nodes; `changed` hears of each node, job and process that may have changed."""
        self.now_ns = 0
        self.nodes = [PastNode(number) for number in range(nodes)]
        self.jobs: dict[int, PastJob] = {}
        self.under_way: dict[int, UnderWay] = {}  # by id; messages to oneself are none of them
        self.decisions: dict[Role, Decision] = {}
        self.slot = 0  # whose turn it is
        self.switching = False  # whether a context switch goes on
        self.counts = dict.fromkeys(KINDS, 0)  # records read, by kind
        self._changed = changed
        self._happening = 0  # the id of what has last reached a node or barrier
        self._to_self: dict[int, Record] = {}  # messages to oneself that are under way, by id
        self._reads: list[tuple[int, int, int]] = []  # a heap: when a disk ends, job, rank
        self._letters: dict[Role, Any] = {}  # a chain: (sent, what came before) or None
        #: What `heard_by` has found last, and in which letters.
        self._heard: dict[Role, tuple[Any, dict[tuple[int, bool], Word]]] = {}

    def copy(self, without_details: bool = False) -> Self:
        """A copy that goes its own way; perhaps without all that only details show."""
        other = copy(self)
        other._changed = None
        other.jobs = {number: job.copy() for number, job in self.jobs.items()}
        other.nodes = [node.copy(other.jobs) for node in self.nodes]
        other.under_way = {
            number: message
            for number, message in self.under_way.items()
            if not (without_details and is_detail(message.sent))
        }
        other.decisions, other.counts = dict(self.decisions), dict(self.counts)
        other._to_self, other._reads = dict(self._to_self), list(self._reads)
        other._letters, other._heard = dict(self._letters), dict(self._heard)
        if without_details:
            other._reads = []
            for node in other.nodes:
                for process in node.processes.values():
                    process.forget_waits()
        return other

    def read(self, record: Record) -> None:
        now_ns, kind = record[0], record[1]
        reads = self._reads
        if reads and reads[0][0] <= now_ns:
            self.reach(now_ns)
        self.now_ns = now_ns
        if kind in KINDS:
            self.counts[kind] += 1
        effect = _EFFECTS.get(kind)
        if effect is not None:
            effect(self, record)

    def reach(self, time_ns: int) -> None:
        """Note that no record comes up to this time; disks go on meanwhile."""
        while self._reads and self._reads[0][0] <= time_ns:
            until_ns, number, rank = heappop(self._reads)
            job = self.jobs.get(number)
            process = None if job is None else job.processes.get(rank)
            if process is not None and process.until_ns == until_ns:
                self.now_ns = until_ns
                process.until_ns = None
                self._waits(process, None)
        self.now_ns = max(self.now_ns, time_ns)

    def heard_by(self, node: int, role: str) -> dict[tuple[int, bool], Word]:
        """The newest words that a role has been sent since its servent started.

        By node, or by leader, and whether it is of the group for which that stands.
        """
        newest = chain = self._letters.get((node, role))
        until, found = self._heard.get((node, role), (None, {}))
        letters = []
        while chain is not None and chain is not until:
            letter, chain = chain
            letters.append(letter)
        found = {} if chain is None else dict(found)
        for sent in reversed(letters):
            for about, group, load, stated_ns in words_in(sent):
                known = found.get((about, group))
                if known is None or known.stated_ns < stated_ns:
                    found[about, group] = Word(load, stated_ns, sent.id)
                elif known.stated_ns == stated_ns and known.load != load:
                    found[about, group] = known._replace(load=load)
        self._heard[node, role] = newest, found
        return found

    # What records do; `effect` of a kind names one of these

    def sends(self, record: Record) -> None:
        if record.node == record.peer:
            if record.phase not in DATA_PHASES:
                self._to_self[record.id] = record
        else:
            self.under_way[record.id] = UnderWay(record)
        if record.phase in DATA_PHASES:
            self._process_sends(record)

    def _process_sends(self, record: Record) -> None:
        """A process asks for a page; or the master releases a worker from a barrier."""
        if record.hears == "node":
            process = self._process(record)
            if process is not None and process.node == record.node:
                if process.waits_for != PAGE:
                    process.requests = ()
                    self._waits(process, PAGE)
                process.requests += (record.id,)
        elif record.what == RELEASE and record.rank and record.job in self.jobs:
            master = self.jobs[record.job].processes.get(0)
            if record.cause != self._happening:
                return  # it is sent again, since it was lost
            if master is not None and master.waits_for == BARRIER and master.node == record.node:
                self._waits(master, None)

    def passes(self, record: Record) -> None:
        message = self.under_way.get(record.id)
        if message is not None:  # in a part of a journal it may have been sent before
            self.under_way[record.id] = UnderWay(message.sent, record)

    def delivers(self, record: Delivered) -> None:
        message = self.under_way.pop(record.id, None)
        self._happening = record.id
        if record.phase in DATA_PHASES:
            if record.hears == "process":
                self._process_hears(record, message)
            return
        sent = self._to_self.pop(record.id, None) if message is None else message.sent
        if sent is not None and sent.payload is not None and '"word' in sent.payload:
            role = record.node, record.hears
            self._letters[role] = sent, self._letters.get(role)

    def _process_hears(self, record: Delivered, message: UnderWay | None) -> None:
        """A page, or a release from a barrier, reaches a process, which may wait for it."""
        process = self._process(record)
        if process is None or process.node != record.node:
            return
        if record.phase == "page":
            if process.waits_for == PAGE and record.cause in process.requests:
                self._waits(process, None)
        elif record.what == RELEASE and process.waits_for == BARRIER and record.rank:
            # one that was sent before it came to this barrier is a late copy, of an earlier one
            late = message is not None and message.sent.time_ns < process.waits_ns
            if not late:
                self._waits(process, None)

    def loses(self, record: Record) -> None:
        self._happening = 0
        self.under_way.pop(record.id, None)
        self._to_self.pop(record.id, None)

    def notes(self, record: Note) -> None:
        """A role notes something of itself, in place of what it has noted before by that name."""
        node = self.nodes[record.node]
        node.noted[record.hears, record.what] = record.payload
        self._notify(node)

    def decides(self, record: Decided) -> None:
        choice = Decided.contents(record.payload)
        role = record.node, record.hears
        before = self.decisions.get(role)
        candidates = choice.candidates
        if before is not None and before.search == choice.search:
            candidates = {**before.candidates, **candidates}
        self.decisions[role] = Decision(
            self.now_ns,
            record.job,
            record.peer,
            choice.search,
            choice.missing,
            choice.groups,
            candidates,
        )

    def fails(self, record: Failure, how: str) -> None:
        number, what = record.node, record.what
        node = self.nodes[number]
        if how == "gone":
            node.down.clear()
        node.down[what, how] = self.now_ns
        if how in ("crashed", "gone") and what in ("node", "servent"):
            node.asked = 0
            node.noted.clear()
            for forgotten in (self.decisions, self._letters):
                for role in [role for role in forgotten if role[0] == number]:
                    del forgotten[role]
        self._notify(node)

    def withdraws(self, record: Failure) -> None:
        node = self.nodes[record.node]
        node.leaving = True
        self._notify(node)

    def recovers(self, record: Failure, how: str) -> None:
        node = self.nodes[record.node]
        node.down.pop((record.what, how), None)
        self._notify(node)

    def lends(self, record: Loan, sign: int = 1) -> None:
        node = self.nodes[record.node]
        node.lent += sign * record.amount_bytes
        self._notify(node)

    def borrows(self, record: Borrowed | GivenBack, sign: int = 1) -> None:
        node, lender, change = self.nodes[record.node], record.peer, sign * record.amount_bytes
        node.borrowed += change
        node.loans[lender] = node.loans.get(lender, 0) + change
        if not node.loans[lender]:
            del node.loans[lender]
        self._notify(node)

    def asks(self, record: Loan, sign: int = 1) -> None:
        node = self.nodes[record.node]
        change = sign * record.amount_bytes
        node.asked += change
        of_job = [process for process in node.processes.values() if process.job == record.job]
        if of_job:  # the first that may have asked: what it lacks, others on its node do not
            waiting = (it for it in of_job if not it.started and (sign > 0 or it.asked))
            process = next(waiting, of_job[0])
            # What a new client asks for again after a crash is no more than what was asked before.
            process.asked = max(0, process.asked + change) if sign < 0 else process.asked or change
        self._notify(node)

    def turns(self, record: OfSlots, switching: bool) -> None:
        self.slot, self.switching = record.slot, switching

    def unites(self, record: Unified) -> None:
        moved = Unified.contents(record.payload).moved
        for number, *_ in moved:
            if number in self.jobs:
                self.jobs[number].slot = record.slot
                self._notify(self.jobs[number])
        if self.slot == moved[0][1]:
            self.slot = record.slot

    def queues(self, record: Submitted) -> None:
        sequential, size = record.payload is not None, record.amount_bytes or 0
        job = self.jobs[record.job] = PastJob(
            record.job, self.now_ns, sequential, size, self.now_ns
        )
        self._notify(job)

    def holds_back(self, record: OfJob) -> None:
        self._enter(self._job(record.job), HELD)

    def places(self, record: Placed) -> None:
        job, slot = self._job(record.job), record.slot
        placed = Placed.contents(record.payload)
        nodes, limit = placed.nodes, placed.limit
        if slot is not None and not any(job.slot is not None for job in self.jobs.values()):
            self.slot, self.switching = slot, False
        self._take_off(job)
        job.sequential |= slot is None
        job.size = job.size if record.amount_bytes is None else record.amount_bytes
        job.nodes, job.slot, job.cores = nodes, slot, placed.cores
        runs = job.running = job.sequential
        job.unstarted = 0 if runs else len(nodes)
        for rank, node in enumerate(nodes):
            process = PastProcess(job.number, rank, node, job.size, self.now_ns, runs, runs, limit)
            job.processes[rank] = process
            self._hold(self.nodes[node], process)
            self._notify(process)
        self._enter(job, RUNNING)

    def leaves(self, record: OfJob) -> None:
        job = self._job(record.job)
        self._take_off(job)
        self._enter(job, MOVING)

    def runs(self, record: OfJob, running: bool) -> None:
        job = self._job(record.job)
        before, job.running = job.state, running
        for process in job.processes.values():
            state, process.running = process.state, running
            if process.state != state:
                process.since_ns = process.switched_ns = self.now_ns
            self._notify(process)
        if job.state != before:
            job.since_ns = self.now_ns
        self._notify(job)

    def ends(self, record: OfJob, how: str) -> None:
        job = self._job(record.job)
        self._take_off(job)
        if how == KILLED and not job.sequential:
            how = QUEUED  # to begin again
        else:
            job.end_ns = self.now_ns
        self._enter(job, how)

    def starts(self, record: OfProcess) -> None:
        process = self._process(record)
        if process is None or process.started:
            return
        job = self.jobs[record.job]
        before = job.state
        process.started = True
        process.since_ns = process.switched_ns = self.now_ns
        job.unstarted -= 1
        if job.state != before:
            job.since_ns = self.now_ns
        self._notify(process)
        self._notify(job)
        self._notify(self.nodes[process.node])

    def waits(self, record: OfProcess, what: str) -> None:
        process = self._process(record)
        if process is None:
            return
        process.until_ns = None
        self._waits(process, what)

    def reads(self, record: Disk) -> None:
        process = self._process(record)
        if process is None:
            return
        process.until_ns = record.end_ns
        heappush(self._reads, (record.end_ns, record.job, record.rank))
        self._waits(process, IO if process.waits_for == IO else DISK)

    def meets(self, record: OfProcess) -> None:
        self._happening = record.id
        process = self._process(record)
        if process is not None and len(self.jobs[process.job].nodes) > 1:
            self._waits(process, BARRIER)

    def goes_on(self, record: OfProcess) -> None:
        process = self._process(record)
        if process is not None:
            self._waits(process, None)

    def holds(self, record: Resizing) -> None:
        process, size = self._process(record), record.amount_bytes
        if process is None:
            return
        before, beyond = process.size, process.beyond
        process.size = size
        for number in (process.node, process.source):
            if number is not None:
                self.nodes[number].own += size - before
                self.nodes[number].beyond += process.beyond - beyond
                self._notify(self.nodes[number])
        self.jobs[record.job].size = size

    def departs(self, record: Departed) -> None:
        process, rank, target = self._process(record), record.rank, record.peer
        if process is None:
            return
        job = self.jobs[record.job]
        process.source, process.node = process.node, target
        if job.cores:
            job.cores = (*job.cores[:rank], self._free_core(job, target), *job.cores[rank + 1 :])
        job.nodes = (*job.nodes[:rank], target, *job.nodes[rank + 1 :])
        self._hold(self.nodes[target], process)
        self._notify(process)
        self._notify(job)

    def arrives(self, record: OfProcess) -> None:
        process = self._process(record)
        if process is None or process.source is None:
            return
        self._free(self.nodes[process.source], process)
        process.source = None
        if process.running:
            process.since_ns = process.switched_ns = self.now_ns
        self._notify(process)

    def finishes(self, record: OfProcess) -> None:
        process = self._process(record)
        if process is not None:
            self._drop(self.jobs[record.job], process)

    # Helpers

    def _free_core(self, job: PastJob, node: int) -> int:
        """The first core of a node that nobody has in a job's time slot."""
        beside = [other for other in self.jobs.values() if other.slot == job.slot]
        of_nodes = [zip(other.nodes, other.cores, strict=True) for other in beside]
        taken = {core for pairs in of_nodes for place, core in pairs if place == node}
        return next(core for core in count() if core not in taken)

    def _job(self, number: int) -> PastJob:
        """A job, even if a part of a journal does not say when it was submitted."""
        job = self.jobs.get(number)
        if job is None:
            job = self.jobs[number] = PastJob(number, self.now_ns, False, 0, self.now_ns)
        return job

    def _process(self, record: Record | OfMessage | OfProcess) -> PastProcess | None:
        """Whose record it is; None if a part of a journal lacks the placement of its job."""
        if record.job is None or record.rank is None:
            return None
        job = self.jobs.get(record.job)
        return None if job is None else job.processes.get(record.rank)

    def _enter(self, job: PastJob, phase: str) -> None:
        job.phase, job.since_ns = phase, self.now_ns
        self._notify(job)

    def _waits(self, process: PastProcess, what: str | None) -> None:
        process.waits_for, process.waits_ns = what, self.now_ns
        if process.running and process.started and process.source is None:
            process.since_ns = self.now_ns
        if self._changed is not None:
            self._changed(process)

    def _take_off(self, job: PastJob) -> None:
        """Free what a job holds on all its nodes."""
        for process in list(job.processes.values()):
            self._drop(job, process)
        job.nodes, job.slot, job.running, job.unstarted, job.cores = (), None, False, 0, ()
        if self.switching and not any(job.slot is not None for job in self.jobs.values()):
            self.switching = False

    def _drop(self, job: PastJob, process: PastProcess) -> None:
        del job.processes[process.rank]
        process.ended = True
        self._free(self.nodes[process.node], process)
        if process.source is not None:
            self._free(self.nodes[process.source], process)
        self._notify(process)

    def _hold(self, node: PastNode, process: PastProcess) -> None:
        node.processes[process.job, process.rank] = process
        node.own += process.size
        node.beyond += process.beyond
        self._notify(node)

    def _free(self, node: PastNode, process: PastProcess) -> None:
        del node.processes[process.job, process.rank]
        node.own -= process.size
        node.beyond -= process.beyond
        self._notify(node)

    def _notify(self, changed: PastNode | PastJob | PastProcess) -> None:
        if self._changed is not None:
            self._changed(changed)


_EFFECTS = {
    kind.name: partial(getattr(Past, kind.effect.method), **kind.effect.keywords)
    for kind in KINDS.values()
    if kind.effect is not None
}


def words_in(sent: Record) -> Sequence[Heard]:
    """The loads of nodes, or of groups, that a message states: `word` and `words` of its class.

    Raises InputError if its class gives something else.
    """
    if sent.node is None or sent.payload is None or '"word' not in sent.payload:
        return ()
    try:
        return _words_in(sent.node, sent.payload)
    except (TypeError, ValueError):
        raise not_words(sent.what) from None


def not_words(kind: str | None) -> InputError:
    """The error of a kind of messages whose words are no words."""
    return InputError(f"{kind}.words: give pairs of a node (None: the sender) and a LoadReport")


@lru_cache(maxsize=1024)  # of a broadcast, which comes again and again
def _words_in(sender: int, payload: str) -> Sequence[Heard]:
    contents = Sent.contents(payload)
    own = [(None, word)] if (word := contents.get("word")) else []
    return tuple(
        Heard(sender if about in (None, "group") else about, about == "group", load, stated_ns)
        for about, (load, stated_ns) in (*own, *(contents.get("words") or ()))
    )
