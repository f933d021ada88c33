"""The cluster as it was after any record of its journal: the one fold of what records mean.

Needs records and the number of nodes alone, no emulation: of a run that goes on and of a file.
A test holds it to the live cluster after every event (`tests/model/core/journal/test_past.py`).
"""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from typing import Any, NamedTuple, Self

import numpy as np

from agents.messages import DATA_PHASES
from model.core.journal.kinds import (
    BARRIER,
    DISK,
    FAULT,
    IO,
    KINDS,
    PAGE,
    Belief,
    Choice,
    Heard,
    Record,
    Union,
    is_detail,
)
from model.ground.errors import InputError

# States of jobs, and of processes; those of processes that wait are in `kinds.py`.
QUEUED, HELD, GRANT, SWITCHED_OUT, RUNNING, MOVING, ENDED, KILLED, FAILED = (
    "queued",
    "held back",
    "waiting for a grant",
    "switched out",
    "running",
    "moving",
    "ended",
    "killed",
    "failed",
)
#: States of a process, in the order in which they go before each other.
OF_PROCESSES = (GRANT, MOVING, SWITCHED_OUT, FAULT, DISK, PAGE, BARRIER, IO, RUNNING)
OVER = (ENDED, KILLED, FAILED)

Amount = Any  # bytes: an int, or an array of them


class Parts(NamedTuple):
    """Where a node's memory is, in bytes (ints, or arrays): first all of its RAM, then the rest.

    What it has allocated beyond its RAM is borrowed, or asked for while the process that needs it
    has not started, or else on its disk.
    """

    own: Amount  # of its own processes, in RAM
    lent: Amount
    idle: Amount
    crashed: Amount  # the RAM of a crashed node, which is not idle
    borrowed: Amount
    asked: Amount
    on_disk: Amount


def parts(
    ram: Amount,
    own: Amount,
    lent: Amount,
    borrowed: Amount,
    asked: Amount,
    crashed: Amount,
) -> Parts:
    """Split what nodes hold, lend, borrow and have asked for (bytes; crashed: whether)."""
    over = np.maximum(0, own + lent - ram)
    of_others = np.minimum(over, borrowed)
    wanted = np.minimum(over - of_others, asked)
    rest = ram - (own - over) - lent
    return Parts(
        own - over,
        lent,
        np.where(crashed, 0, rest),
        np.where(crashed, rest, 0),
        of_others,
        wanted,
        over - of_others - wanted,
    )


class UnderWay(NamedTuple):
    """A message under way: its sending and its latest hop."""

    sent: Record
    hop: Record | None = None


class PastProcess:
    """A process of a job that is placed; a sequential job is its own only process."""

    __slots__ = (
        "ended",
        "job",
        "node",
        "rank",
        "requests",
        "running",
        "since_ns",
        "size",
        "source",
        "started",
        "switched_ns",
        "until_ns",
        "waits_for",
        "waits_ns",
    )

    def __init__(self, job: int, rank: int, node: int, size: int, now_ns: int) -> None:
        self.job = job
        self.rank = rank
        self.node = node
        self.size = size  # bytes
        self.since_ns = now_ns  # when its state began
        self.switched_ns = now_ns  # the same, whatever it has waited for since it was switched in
        self.started = False
        self.running = False  # whether its job is switched in
        self.source: int | None = None  # the node that it leaves, while it moves
        self.ended = False
        self.waits_for: str | None = None  # FAULT, DISK, PAGE, BARRIER or IO
        self.waits_ns = now_ns  # since when, switched in or not
        self.until_ns: int | None = None  # when the disk will have served it
        self.requests: tuple[int, ...] = ()  # ids of the messages that ask for its page

    def copy(self) -> "PastProcess":
        """A copy that goes its own way."""
        other = PastProcess.__new__(PastProcess)
        for name in PastProcess.__slots__:
            setattr(other, name, getattr(self, name))
        return other

    def forget_waits(self) -> None:
        """Know nothing of pages and barriers."""
        self.waits_for, self.until_ns, self.requests = None, None, ()
        self.since_ns = self.switched_ns

    @property
    def state(self) -> str:
        """One of OF_PROCESSES, or ENDED."""
        if self.ended:
            return ENDED
        if not self.started:
            return GRANT
        if not self.running:
            return SWITCHED_OUT
        if self.source is not None:
            return MOVING
        return self.waits_for or RUNNING


class PastJob:
    """A job that has been submitted."""

    __slots__ = (
        "end_ns",
        "lost",
        "nodes",
        "number",
        "phase",
        "processes",
        "running",
        "sequential",
        "since_ns",
        "size",
        "slot",
        "submit_ns",
        "unstarted",
    )

    def __init__(self, number: int, submit_ns: int, sequential: bool, size: int) -> None:
        self.number = number
        self.submit_ns = submit_ns
        self.sequential = sequential  # of load sharing: it is its own only process
        self.size = size  # bytes that each of its processes holds, or will
        self.phase = QUEUED  # or HELD, RUNNING (placed), MOVING, ENDED, KILLED or FAILED
        self.since_ns = submit_ns  # when its state began
        self.nodes: tuple[int, ...] = ()  # by rank, while it is placed
        self.slot: int | None = None
        self.running = False  # whether it is switched in
        self.processes: dict[int, PastProcess] = {}  # by rank, those that have not finished
        self.unstarted = 0  # of its processes, those that wait for a grant
        self.end_ns: int | None = None
        self.lost: tuple[Record, ...] = ()  # its protocol messages lost since it was placed

    def copy(self) -> "PastJob":
        """A copy that goes its own way; the job itself if nothing can happen to it any more."""
        if self.end_ns is not None:
            return self
        other = PastJob.__new__(PastJob)
        for name in PastJob.__slots__:
            setattr(other, name, getattr(self, name))
        other.processes = {rank: one.copy() for rank, one in self.processes.items()}
        return other

    @property
    def is_placed(self) -> bool:
        """Whether it has nodes."""
        return self.phase == RUNNING

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


class PastNode:
    """A node: what it holds, lends, borrows and has asked for (bytes), and what is down."""

    __slots__ = ("asked", "borrowed", "down", "lent", "loans", "number", "own", "processes")

    def __init__(self, number: int) -> None:
        self.number = number
        #: By job; while one moves, at the node that it leaves and at the one to which it goes.
        self.processes: dict[int, PastProcess] = {}
        self.own = 0  # what these hold
        self.lent = 0
        self.loans: dict[int, int] = {}  # by lender
        self.borrowed = 0  # the sum of these
        self.asked = 0  # in requests that are not answered
        self.down: dict[tuple[str, str], int] = {}  # what, and how -> since, ns

    @property
    def has_crashed(self) -> bool:
        """Whether the whole node is down: its RAM is not idle, but of no use."""
        return ("node", "crashed") in self.down

    @property
    def awaited(self) -> int:
        """What it has asked for, as far as processes here wait for it."""
        if not self.asked:
            return 0
        waiting = sum(one.size for one in self.processes.values() if not one.started)
        return min(self.asked, waiting)

    def parts(self, ram: int) -> Parts:
        """Where its memory is, bytes."""
        split = parts(ram, self.own, self.lent, self.borrowed, self.awaited, self.has_crashed)
        return Parts(*map(int, split))


class Decision(NamedTuple):
    """The latest choice of a role, and all that its search has said of candidates so far."""

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
    message: int  # the id of the first that said so


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
        """A copy that goes its own way; perhaps without all that details have told of."""
        other = type(self)(0)
        other.now_ns = self.now_ns
        other.jobs = {number: job.copy() for number, job in self.jobs.items()}
        other.nodes = [self._copy_of(node, other.jobs) for node in self.nodes]
        other.under_way = {
            number: message
            for number, message in self.under_way.items()
            if not (without_details and is_detail(message.sent))
        }
        other.decisions = dict(self.decisions)
        other.slot, other.switching = self.slot, self.switching
        other.counts = dict(self.counts)
        other._happening = self._happening
        other._to_self, other._reads = dict(self._to_self), list(self._reads)
        other._letters, other._heard = dict(self._letters), dict(self._heard)
        if without_details:
            other._reads = []
            for node in other.nodes:
                for process in node.processes.values():
                    process.forget_waits()
        return other

    def read(self, record: Record) -> None:
        """Take in the next record."""
        now_ns, kind = record[0], record[1]
        reads = self._reads
        if reads and reads[0][0] <= now_ns:
            self.reach(now_ns)
        self.now_ns = now_ns
        effect = _EFFECTS.get(kind)
        if effect is not None:
            self.counts[kind] += 1
            effect(record, self)

    def reach(self, time_ns: int) -> None:
        """Note that no record comes up to this time; disks go on meanwhile."""
        while self._reads and self._reads[0][0] <= time_ns:
            until_ns, number, rank = heappop(self._reads)
            process = self._process(number, rank)
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

    def waiting_for_a_grant(self) -> list[PastProcess]:
        """The processes that have not started; `since_ns` is since when."""
        return [
            process
            for job in self.jobs.values()
            if job.unstarted
            for process in job.processes.values()
            if not process.started
        ]

    # What records do, see `Cluster` in `kinds.py`

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
        job = self.jobs.get(record.job)
        if job is None:
            return
        if record.hears == "node":
            process = job.processes.get(record.rank)
            if process is not None and process.node == record.node:
                if process.waits_for != PAGE:
                    process.requests = ()
                    self._waits(process, PAGE)
                process.requests += (record.id,)
        elif record.phase == "barrier" and record.rank:
            master = job.processes.get(0)
            if record.cause != self._happening:
                return  # it is sent again, since it was lost
            if master is not None and master.waits_for == BARRIER and master.node == record.node:
                self._waits(master, None)

    def passes(self, record: Record) -> None:
        message = self.under_way.get(record.id)
        if message is not None:  # in a part of a journal it may have been sent before
            self.under_way[record.id] = UnderWay(message.sent, record)

    def delivers(self, record: Record) -> None:
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

    def _process_hears(self, record: Record, message: UnderWay | None) -> None:
        """A page, or a release from a barrier, reaches a process, which may wait for it."""
        process = self._process(record.job, record.rank)
        if process is None or process.node != record.node:
            return
        if record.phase == "page":
            if process.waits_for == PAGE and record.cause in process.requests:
                self._waits(process, None)
            return
        # one that was sent before it came to this barrier is a late copy, of an earlier barrier
        late = message is not None and message.sent.time_ns < process.waits_ns
        if process.waits_for == BARRIER and record.rank and not late:
            self._waits(process, None)

    def loses(self, record: Record) -> None:
        self._happening = 0
        self.under_way.pop(record.id, None)
        self._to_self.pop(record.id, None)
        job = self.jobs.get(record.job)
        if job is not None and record.phase not in DATA_PHASES:
            job.lost += (record,)

    def decides(self, record: Record, choice: Choice) -> None:
        role = record.node, record.hears
        before = self.decisions.get(role)
        candidates = choice.candidates
        if before is not None and before.search == choice.search:
            candidates = {**before.candidates, **candidates}
        self.decisions[role] = Decision(
            record.time_ns,
            record.job,
            record.peer,
            choice.search,
            choice.missing,
            choice.groups,
            candidates,
        )

    def fails(self, node: int, what: str, how: str) -> None:
        place = self.nodes[node]
        place.down[what, how] = self.now_ns
        if how == "crashed" and what in ("node", "servent"):
            place.asked = 0
            for role in [role for role in self.decisions if role[0] == node]:
                del self.decisions[role]
            for role in [role for role in self._letters if role[0] == node]:
                del self._letters[role]
        self._notify(place)

    def recovers(self, node: int, what: str, how: str) -> None:
        place = self.nodes[node]
        place.down.pop((what, how), None)
        self._notify(place)

    def lends(self, node: int, change: int) -> None:
        place = self.nodes[node]
        place.lent += change
        self._notify(place)

    def borrows(self, node: int, lender: int, change: int) -> None:
        place = self.nodes[node]
        place.borrowed += change
        place.loans[lender] = place.loans.get(lender, 0) + change
        if not place.loans[lender]:
            del place.loans[lender]
        self._notify(place)

    def asks(self, node: int, change: int) -> None:
        place = self.nodes[node]
        place.asked += change
        self._notify(place)

    def turns(self, slot: int, switching: bool) -> None:
        self.slot, self.switching = slot, switching

    def unites(self, slot: int, union: Union) -> None:
        for number in union.jobs:
            if number in self.jobs:
                self.jobs[number].slot = slot
                self._notify(self.jobs[number])
        if self.slot == union.source:
            self.slot = slot

    def queues(self, job: int, sequential: bool, size: int | None) -> None:
        self.jobs[job] = PastJob(job, self.now_ns, sequential, size or 0)
        self._notify(self.jobs[job])

    def holds_back(self, job: int) -> None:
        self._enter(self._job(job), HELD)

    def places(self, job: int, nodes: Sequence[int], slot: int | None, size: int | None) -> None:
        placed = self._job(job)
        if slot is not None and not any(one.slot is not None for one in self.jobs.values()):
            self.slot, self.switching = slot, False
        self._take_off(placed)
        placed.sequential |= slot is None
        placed.size = placed.size if size is None else size
        placed.nodes, placed.slot, placed.lost = tuple(nodes), slot, ()
        placed.running = placed.sequential
        placed.unstarted = 0 if placed.sequential else len(nodes)
        for rank, number in enumerate(nodes):
            process = PastProcess(job, rank, number, placed.size, self.now_ns)
            process.started = process.running = placed.sequential
            placed.processes[rank] = process
            self._hold(self.nodes[number], process)
            self._notify(process)
        self._enter(placed, RUNNING)

    def leaves(self, job: int) -> None:
        leaving = self._job(job)
        self._take_off(leaving)
        self._enter(leaving, MOVING)

    def runs(self, job: int, running: bool) -> None:
        switched = self._job(job)
        before, switched.running = switched.state, running
        for process in switched.processes.values():
            state, process.running = process.state, running
            if process.state != state:
                process.since_ns = process.switched_ns = self.now_ns
            self._notify(process)
        if switched.state != before:
            switched.since_ns = self.now_ns
        self._notify(switched)

    def ends(self, job: int, how: str) -> None:
        ended = self._job(job)
        self._take_off(ended)
        if how == KILLED and not ended.sequential:
            how = QUEUED  # to begin again
        else:
            ended.end_ns = self.now_ns
        self._enter(ended, how)

    def starts(self, job: int, rank: int) -> None:
        process = self._process(job, rank)
        if process is None or process.started:
            return
        starting = self.jobs[job]
        before = starting.state
        process.started = True
        process.since_ns = process.switched_ns = self.now_ns
        starting.unstarted -= 1
        if starting.state != before:
            starting.since_ns = self.now_ns
        self._notify(process)
        self._notify(starting)
        self._notify(self.nodes[process.node])

    def waits(self, job: int, rank: int, what: str, until_ns: int | None = None) -> None:
        process = self._process(job, rank)
        if process is None:
            return
        if what == DISK:
            heappush(self._reads, (until_ns, job, rank))
            what = IO if process.waits_for == IO else DISK
        process.until_ns = until_ns
        self._waits(process, what)

    def meets(self, record: Record) -> None:
        self._happening = record.id
        process = self._process(record.job, record.rank)
        if process is not None and len(self.jobs[process.job].nodes) > 1:
            self._waits(process, BARRIER)

    def holds(self, job: int, rank: int, size: int) -> None:
        process = self._process(job, rank)
        if process is None:
            return
        for number in (process.node, process.source):
            if number is not None:
                self.nodes[number].own += size - process.size
                self._notify(self.nodes[number])
        process.size = size
        self.jobs[job].size = size

    def departs(self, job: int, rank: int, target: int, size: int) -> None:
        process = self._process(job, rank)
        if process is None:
            return
        moving = self.jobs[job]
        process.source, process.node = process.node, target
        moving.nodes = (*moving.nodes[:rank], target, *moving.nodes[rank + 1 :])
        self._hold(self.nodes[target], process)
        self._notify(process)
        self._notify(moving)

    def arrives(self, job: int, rank: int, source: int) -> None:
        process = self._process(job, rank)
        if process is None or process.source is None:
            return
        self._free(self.nodes[process.source], process)
        process.source = None
        if process.running:
            process.since_ns = process.switched_ns = self.now_ns
        self._notify(process)

    def finishes(self, job: int, rank: int) -> None:
        process = self._process(job, rank)
        if process is None:
            return
        self._drop(self.jobs[job], process)

    # Helpers

    def _job(self, number: int) -> PastJob:
        """A job, even if a part of a journal does not say when it was submitted."""
        job = self.jobs.get(number)
        if job is None:
            job = self.jobs[number] = PastJob(number, self.now_ns, False, 0)
        return job

    def _process(self, job: int | None, rank: int | None) -> PastProcess | None:
        """A process; None if a part of a journal does not have the placement of its job."""
        known = self.jobs.get(job)
        return None if known is None else known.processes.get(rank)

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
        job.nodes, job.slot, job.running, job.unstarted = (), None, False, 0
        if self.switching and not any(one.slot is not None for one in self.jobs.values()):
            self.switching = False

    def _drop(self, job: PastJob, process: PastProcess) -> None:
        del job.processes[process.rank]
        process.ended = True
        self._free(self.nodes[process.node], process)
        if process.source is not None:
            self._free(self.nodes[process.source], process)
        self._notify(process)

    def _hold(self, node: PastNode, process: PastProcess) -> None:
        node.processes[process.job] = process
        node.own += process.size
        self._notify(node)

    def _free(self, node: PastNode, process: PastProcess) -> None:
        del node.processes[process.job]
        node.own -= process.size
        self._notify(node)

    def _notify(self, changed: PastNode | PastJob | PastProcess) -> None:
        if self._changed is not None:
            self._changed(changed)

    @staticmethod
    def _copy_of(node: PastNode, jobs: Mapping[int, PastJob]) -> PastNode:
        other = PastNode(node.number)
        other.processes = {
            number: jobs[number].processes[process.rank]
            for number, process in node.processes.items()
        }
        other.own, other.lent, other.loans = node.own, node.lent, dict(node.loans)
        other.borrowed, other.asked, other.down = node.borrowed, node.asked, dict(node.down)
        return other


_EFFECTS = {kind.name: kind.apply for kind in KINDS.values()}


def words_in(sent: Record) -> Sequence[Heard]:
    """What a message says of the loads of nodes, or of groups: `word` and `words` of its class.

    Raises InputError if its class gives something else.
    """
    if sent.payload is None or '"word' not in sent.payload:
        return ()
    try:
        return _words_in(sent.node, sent.payload)
    except (TypeError, ValueError):
        raise InputError(
            f"{sent.what}.words: give pairs of a node (None: the sender) and a Word"
        ) from None


@lru_cache(maxsize=64)  # of a broadcast, which comes again and again
def _words_in(sender: int | None, payload: str) -> Sequence[Heard]:
    written = json.loads(payload)
    found = []
    if word := written.get("word"):
        found.append(Heard(sender, False, *word))
    for about, (load, stated_ns) in written.get("words", ()):
        group = about == "group"
        of = sender if group or about is None else about
        found.append(Heard(of, group, load, stated_ns))
    return tuple(found)
