"""What records there are: one class for each kind, and nothing about kinds elsewhere.

A class declares which fields its records have (the schema by which a file is checked), whether they
are details, what they do to a cluster, and how they read. To add a kind, add a class.
"""

from functools import lru_cache
from types import NoneType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    NamedTuple,
    Self,
    cast,
    get_args,
    get_type_hints,
)

from msgspec import Meta, Struct
from msgspec.json import decode

from agents.messages import DATA_PHASES

MESSAGE, DISK_READ, PROCESS_STEP, SCHEDULING, LOAN, TIMER = range(1, 7)
NOTE, FAILURE = 7, 0  # three bits hold a category


def identity(category: int, agent: int, number: int) -> int:
    """An id: the category, the agent that counts, and its count; fits into 64 bits with a sign."""
    return category << 60 | agent << 36 | number


def agent_of(number: int) -> int:
    """The agent that counts in an id: of a message, its sender."""
    return number >> 36 & (1 << 24) - 1


Word = Annotated[str, "dictionary"]  # one of few: a column of the journal's file


class Record(NamedTuple):
    """One record. Fields that do not apply to its kind are None; see the kinds below."""

    time_ns: int
    kind: Word
    what: Word | None = None
    phase: Word | None = None  # what a message is for
    hears: Word | None = None  # who receives a message
    id: int = 0
    cause: int = 0  # an id, or 0
    job: int | None = None  # its number in the trace
    rank: int | None = None
    node: int | None = None  # where it happened; for "sent" and "hop", the sender
    peer: int | None = None  # receiver ("sent", "hop"), sender ("delivered") or server
    station: Word | None = None
    slot: int | None = None
    size_bytes: int | None = None
    amount_bytes: int | None = None
    start_ns: int | None = None
    end_ns: int | None = None
    payload: str | None = None  # JSON

    @property
    def contents(self) -> Any:
        """What the payload has, as its kind `says`; of a message, its fields by name."""
        return {} if self.payload is None else KINDS[self.kind].contents(self.payload)


#: Whatever its kind, a record has these.
ALWAYS = ("time_ns", "kind", "id", "cause")


# What payloads have, as types by which they are read.
Whole = Annotated[int, Meta(ge=0)]
if TYPE_CHECKING:
    Load = int
else:
    Load = int | float  # a user's may have fractions


class Placement(Struct, frozen=True):
    """What the payload of a scheduler's record names."""

    nodes: tuple[Whole, ...]  # by rank; of a job that moves: from where and where to
    estimate: Whole | None = None  # bytes that each process is believed to need
    limit: Whole | None = None  # bytes that each process may hold in RAM
    cores: tuple[Whole, ...] = ()  # by rank, of its node; none where each node has one


class Belief(NamedTuple):
    """What a role believed of a candidate when it decided, and what was true; in bytes.

    What it compared is that, or, if the `ram` of the candidate stands there, the share of that.
    """

    believed: Load | None  # None: it had heard nothing, and believed it idle
    stated_ns: Load | None  # when that was stated
    true: Load
    ram: Annotated[int, Meta(gt=0)] | None = None


class Choice(Struct, frozen=True):
    """The payload of a decision: in the later decisions of a search, only what has changed."""

    search: tuple[str | int | None, ...] | str | int  # the id of the search
    missing: Load  # bytes that are wanted still
    candidates: dict[int, Belief]  # by node; or by leader, each for its group of nodes
    groups: bool = False  # whether each candidate stands for a group, such as a rack
    #: The ids of the messages without any one of which the role would have chosen otherwise.
    changed_by: tuple[int, ...] = ()


class Heard(NamedTuple):
    """A word about the load of a node, or of the group for which a node stands."""

    about: int
    group: bool
    load: int  # RAM - demand, bytes
    stated_ns: int


class Union(Struct, frozen=True):
    """What the payload of a unification names: of each job, its number, old and new slot."""

    moved: Annotated[tuple[tuple[Whole, Whole, Whole], ...], Meta(min_length=1)]


#: A part of a job's time that is no cause but an echo: a longer one is switched out for longer.
ECHO = "switched_out"


class Behind(Struct, frozen=True):
    """The node for whose process the others waited longest, at barriers and at the end.

    And how long they did, summed over them, without the time that messages about barriers take.
    """

    node: Whole | None = None
    waited_ns: Whole = 0


class Loss(Struct, frozen=True):
    """By what a message was lost."""

    by: str


class Spent(Struct, frozen=True):
    """Where a job's time went from its submission to its end.

    Parts (named as columns of jobs.csv) are in ns, summed over its processes, so that they add up
    to its response time times its processes; those that took no time are left out.
    """

    processes: Annotated[int, Meta(gt=0)]
    spent_ns: dict[str, Whole]
    behind: Behind = Behind()

    def mean_ns(self) -> dict[str, float]:
        """Its parts in the mean over its processes."""
        return {part: part_ns / self.processes for part, part_ns in self.spent_ns.items()}


class Served(NamedTuple):
    """What a station has served of a class of messages that reached it in a window of time."""

    what: str
    window: Whole  # its number, from 0
    services: Whole
    delay_ns: Whole  # in its queue, summed over all
    peak_ns: Whole  # the longest queue, as the time that who came last waited


class Queues(Struct, frozen=True):
    """What a station has served in all windows, each `window_ns` long."""

    window_ns: Annotated[int, Meta(gt=0)]
    served: tuple[Served, ...]


#: All kinds of records by name, in the order of their classes.
KINDS: dict[str, type["Kind"]] = {}

#: What records can change of a cluster.
MESSAGES = "messages"
MEMORY = "memory"
JOBS = "jobs"
PROCESSES = "processes"
OUTAGES = "outages"
BELIEFS = "beliefs"
SLOTS = "slots"
#: Under which headings records are listed, in this order; messages have their own places.
OF_JOBS, OF_SLOTS, OF_PROCESSES, OF_LOANS, OF_DECISIONS, OF_FAILURES, OF_ROLES = TOPICS = (
    "jobs",
    "time slots",
    "processes",
    "loans",
    "decisions",
    "failures",
    "timers, notes",
)
# What a process waits for.
FAULT = "page fault"
DISK = "waiting for the disk"
PAGE = "waiting for a page from the network"
BARRIER = "waiting at a barrier"
IO = "waiting for I/O"


class Effect:
    """What records do to a cluster: a method of `Past`, which takes a record and these keywords."""

    def __init__(self, method: str, **keywords: str | int) -> None:
        self.method = method
        self.keywords = keywords


@lru_cache(maxsize=4096)  # of a broadcast, or a job that is switched, which come again and again
def _contents(says: Any, payload: str) -> Any:
    return decode(payload, type=says)


class Kind:
    """A kind of record. It is never made: every record is a `Record`.

    `sentence` is a template for `words.py` and the page: {field} stands for a field in words, and a
    [part in brackets] is left out where a record lacks a field of it.
    """

    time_ns: int
    kind: Word
    id: int
    cause: int

    name: ClassVar[str]
    #: Of the fields that are annotated here, those that no record lacks.
    required: ClassVar[tuple[str, ...]] = ALWAYS
    #: Whether it is about hops, pages or barriers, which are a hundred times as many as all others.
    detail: ClassVar[bool] = False
    #: What it can change of a cluster.
    changes: ClassVar[tuple[str, ...]] = ()
    effect: ClassVar[Effect | None] = None
    sentence: ClassVar[str]
    #: Under which of TOPICS it is listed.
    topic: ClassVar[str] = OF_ROLES
    #: What one waits for who watches a run until there is a record of this kind.
    goal: ClassVar[str | None] = None
    #: The type of what its payload has.
    says: ClassVar[Any] = Any

    def __init_subclass__(cls, name: str | None = None) -> None:
        super().__init_subclass__()
        hints = get_type_hints(cls, include_extras=True)
        declared = (it for it in Record._fields if it in hints and it not in ALWAYS)
        cls.required = ALWAYS + tuple(it for it in declared if NoneType not in get_args(hints[it]))
        if name is not None:
            cls.name = name
            KINDS[name] = cls

    @classmethod
    def of(cls, record: Record) -> Self:
        """The same record of this kind, for the type checker: it has what no such record lacks."""
        return cast(Self, record)

    @classmethod
    def contents(cls, payload: str) -> Any:
        """What a payload has, as `says`; raises MsgspecError if it has something else."""
        return _contents(cls.says, payload)

    @classmethod
    def words(cls, record: Record) -> dict[str, object]:
        """What the sentence needs of the payload, by the names in its template."""
        return {}


def kinds_that_change(*what: str) -> tuple[str, ...]:
    """The kinds of records that can change any of this: memory, jobs, processes, …"""
    return tuple(kind.name for kind in KINDS.values() if not {*what}.isdisjoint(kind.changes))


def is_detail(record: Record) -> bool:
    """Whether a record is about hops, pages or barriers: what the protocol level leaves out."""
    return record.phase in DATA_PHASES or (record.kind in KINDS and KINDS[record.kind].detail)


# Messages


class OfMessage(Kind):
    """Of a message; the node is where it is, and the peer the other one."""

    what: Word
    phase: Word
    hears: Word
    node: int
    peer: int
    size_bytes: int
    job: int | None
    rank: int | None
    changes: ClassVar[tuple[str, ...]] = (MESSAGES, PROCESSES)


class Sent(OfMessage, name="sent"):
    """A node sends a message to its peer; `amount_bytes` is what it is about.

    The payload has the fields that its class does not hide, and `words` and `refused`
    (`agents/messages.py`); a message about a page or a barrier has none.
    """

    amount_bytes: int | None
    payload: str | None
    sentence = "node {node} sends {what} to node {peer}[ about {amount}]"
    effect = Effect("sends")

    says = dict[str, Any]


class Hop(OfMessage, name="hop"):
    """A message reaches a station, which serves it from start to end."""

    station: Word
    start_ns: int
    end_ns: int
    detail = True
    changes = (MESSAGES,)
    sentence = (
        "node {node}: {what} to node {peer} is at {station}[ after waiting {waited},] until {end}"
    )
    effect = Effect("passes")


class Queued(Kind, name="queued"):
    """What a link, switch or disk has served, by window of time; told when the run is over."""

    station: Word
    payload: str
    sentence = "{station} has served {services}, after {delay} in its queue in all"

    says = Queues

    @classmethod
    def words(cls, record: Record) -> dict[str, object]:
        served = cls.contents(cls.of(record).payload).served
        services = sum(it.services for it in served)
        delay_ns = sum(it.delay_ns for it in served)
        return {"services": f"{services:,}", "delay": f"{delay_ns / 10**6:,.3f} ms"}


class Delivered(OfMessage, name="delivered"):
    """A message has reached its node, from its peer."""

    sentence = "node {node} receives {what} from node {peer}"
    effect = Effect("delivers")


class Lost(OfMessage, name="lost"):
    """A message, from its peer, does not reach its receiver; the payload is the reason."""

    payload: str | None
    changes = (MESSAGES,)
    topic = OF_FAILURES
    goal = "a message is lost"
    sentence = "node {node}: {what} from node {peer} is lost[ ({by})]"
    effect = Effect("loses")

    says = Loss

    @classmethod
    def words(cls, record: Record) -> dict[str, object]:
        return {} if record.payload is None else {"by": cls.contents(record.payload).by}


# Failures


class Failure(Kind):
    """Of what fails, or is up again."""

    what: Word  # "servent" or "node"
    node: int
    changes: ClassVar[tuple[str, ...]] = (OUTAGES, MEMORY, BELIEFS)
    topic = OF_FAILURES


class Crashed(Failure, name="crashed"):
    """A servent has lost its roles and timers; or a node all that it held."""

    goal = "a servent or node fails"
    sentence = "node {node}: the {what} crashes"
    effect = Effect("fails", how="crashed")


class Restarted(Failure, name="restarted"):
    """A servent begins anew, or a node is back, empty."""

    sentence = "node {node}: the {what} restarts"
    effect = Effect("recovers", how="crashed")


class Paused(Failure, name="paused"):
    """A servent handles nothing from now on."""

    goal = "a servent or node fails"
    sentence = "node {node}: the {what} pauses"
    effect = Effect("fails", how="paused")


class Continued(Failure, name="continued"):
    """A servent handles what has waited."""

    sentence = "node {node}: the {what} resumes"
    effect = Effect("recovers", how="paused")


class Absent(Failure, name="absent"):
    """A node is not there yet, at the beginning of a run."""

    sentence = "node {node} has not joined yet"
    effect = Effect("fails", how="absent")


class Joined(Failure, name="joined"):
    """A node is there from now on, empty, and its servent starts."""

    goal = "a node joins or leaves"
    sentence = "node {node} joins"
    effect = Effect("recovers", how="absent")


class Leaving(Failure, name="leaving"):
    """A node lends nothing new and gets no jobs; at `end_ns`, or after its jobs, it is gone.

    A path of explore has no times, and so no `end_ns`.
    """

    end_ns: int | None
    goal = "a node joins or leaves"
    sentence = "node {node} is told to leave[, not before {end}]"
    effect = Effect("withdraws")


class Gone(Failure, name="gone"):
    """A node is gone for ever, with all that it has lent."""

    goal = "a node joins or leaves"
    sentence = "node {node} has left"
    effect = Effect("fails", how="gone")


# Roles


class Timer(Kind, name="timer"):
    """A timer of a role fires."""

    what: Word
    hears: Word
    node: int
    sentence = "node {node}: the {hears}'s timer '{what}' fires"


class Note(Kind, name="note"):
    """A role notes something about itself."""

    what: Word
    hears: Word
    node: int
    payload: str
    sentence = "node {node}: the {hears} notes {what}: {payload}"
    effect = Effect("notes")


class Decided(Kind, name="decided"):
    """A role turns to its peer, or to nobody."""

    hears: Word
    node: int
    payload: str
    job: int | None
    peer: int | None
    changes = (BELIEFS,)
    topic = OF_DECISIONS
    goal = "a choice among nodes"
    sentence = "node {node} chooses {chosen}[, {belief}]"
    effect = Effect("decides")

    says = Choice

    @classmethod
    def words(cls, record: Record) -> dict[str, object]:
        choice = cls.contents(cls.of(record).payload)
        if record.peer is None:
            return {"chosen": "nobody"}
        who = "the group of node" if choice.groups else "node"
        belief = choice.candidates.get(record.peer)
        return {"chosen": f"{who} {record.peer}"} | ({} if belief is None else {"belief": belief})


# Time slots and jobs


class OfSlots(Kind):
    """Of a time slot."""

    slot: int
    changes: ClassVar[tuple[str, ...]] = (SLOTS,)
    topic = OF_SLOTS


class Switch(OfSlots, name="switch"):
    """A parallel context switch to a time slot begins."""

    goal = "a context switch"
    sentence = "a context switch to slot {slot} begins"
    effect = Effect("turns", switching=True)


class Switched(OfSlots, name="switched"):
    """The context switch has ended: it is the turn of a time slot."""

    sentence = "slot {slot} runs"
    effect = Effect("turns", switching=False)


class Unified(OfSlots, name="unified"):
    """The jobs of another time slot are in this one from now on.

    The payload names them: (job, from, to) of each.
    """

    payload: str
    changes = (SLOTS, JOBS)
    sentence = "jobs {jobs} move from slot {source} to slot {slot}"
    effect = Effect("unites")

    says = Union

    @classmethod
    def words(cls, record: Record) -> dict[str, object]:
        moved = cls.contents(cls.of(record).payload).moved
        return {"source": moved[0][1], "jobs": ", ".join(str(job) for job, *_ in moved)}


class OfJob(Kind):
    """Of a job."""

    job: int
    changes: ClassVar[tuple[str, ...]] = (JOBS, PROCESSES, MEMORY, SLOTS)
    topic = OF_JOBS


class OfJobsNodes(OfJob):
    """Of a job; the payload names nodes."""

    says = Placement


class Submitted(OfJobsNodes, name="submitted"):
    """A job has come; one of load sharing to its home, with what it needs."""

    amount_bytes: int | None
    payload: str | None
    sentence = "job {job} is submitted[ at node {home}][, {amount} per process]"
    effect = Effect("queues")

    @classmethod
    def words(cls, record: Record) -> dict[str, object]:
        return {} if record.payload is None else {"home": cls.contents(record.payload).nodes[0]}


class Held(OfJobsNodes, name="held"):
    """A policy of load sharing holds a job back at its home."""

    payload: str | None
    sentence = "job {job} is held back"
    effect = Effect("holds_back")


class Placed(OfJobsNodes, name="placed"):
    """The processes of a job are on nodes, by rank, in a time slot if there are any."""

    payload: str
    slot: int | None
    amount_bytes: int | None  # of each process
    goal = "a job is placed"
    sentence = (
        "job {job} is placed[ in slot {slot}] on {nodes}[, {amount} per process]"
        "[ of which {limit} may be in RAM][, estimated at {estimate}]"
    )
    effect = Effect("places")

    @classmethod
    def words(cls, record: Record) -> dict[str, object]:
        placed = cls.contents(cls.of(record).payload)
        nodes, sizes = placed.nodes, (placed.estimate, placed.limit)
        few = ", ".join(map(str, nodes)) if len(nodes) <= 8 else f"{len(nodes)} nodes"
        where = few if len(nodes) > 8 else f"node{'s' * (len(nodes) > 1)} {few}"
        named = zip(("estimate_bytes", "limit_bytes"), sizes, strict=True)
        return {"nodes": where} | {name: size for name, size in named if size is not None}


class Moved(OfJobsNodes, name="moved"):
    """A job of load sharing is on its way to another node, with so many bytes."""

    payload: str
    amount_bytes: int | None
    goal = "a job moves"
    sentence = "job {job} moves from node {home} to node {target}[, {amount}]"
    effect = Effect("leaves")

    @classmethod
    def words(cls, record: Record) -> dict[str, object]:
        home, target = cls.contents(cls.of(record).payload).nodes
        return {"home": home, "target": target}


class Resumed(OfJobsNodes, name="resumed"):
    """A job may compute: it is its turn, or its nodes are idle."""

    changes = (JOBS, PROCESSES)
    topic = OF_SLOTS
    sentence = "job {job} is switched in"
    effect = Effect("runs", running=True)


class Suspended(OfJobsNodes, name="suspended"):
    """A job may not compute."""

    changes = (JOBS, PROCESSES)
    topic = OF_SLOTS
    sentence = "job {job} is switched out"
    effect = Effect("runs", running=False)


class OfJobsEnd(OfJob):
    """Of the end of an attempt; the payload is where the time of the job went."""

    payload: str | None

    says = Spent


class Killed(OfJobsEnd, name="killed"):
    """A job loses all that it has computed: one of its nodes has crashed, or a policy wants it.

    If a policy does, the payload is where its time went (`Spent`).
    """

    sentence = "job {job} is killed"
    effect = Effect("ends", how="killed")


class Failed(OfJobsNodes, name="failed"):
    """A job that was killed is given up."""

    sentence = "job {job} is given up"
    effect = Effect("ends", how="failed")


class Ended(OfJobsEnd, name="ended"):
    """The last process of a job has computed its demand; the payload is where its time went.

    A path that was explored has no times, and no payload here.
    """

    goal = "a job ends"
    sentence = "job {job} ends"
    effect = Effect("ends", how="ended")


# Processes


class OfProcess(Kind):
    """Of a process."""

    job: int
    rank: int
    node: int
    changes: ClassVar[tuple[str, ...]] = (PROCESSES,)
    topic = OF_PROCESSES


class Started(OfProcess, name="started"):
    """A client lets a process compute."""

    changes = (PROCESSES, JOBS, MEMORY)
    goal = "a process starts"
    sentence = "node {node}: rank {rank} of job {job} starts"
    effect = Effect("starts")


class Finished(OfProcess, name="finished"):
    """A process has computed its demand, and holds nothing any more."""

    changes = (PROCESSES, JOBS, MEMORY)
    sentence = "node {node}: rank {rank} of job {job} finishes"
    effect = Effect("finishes")


class Fault(OfProcess, name="fault"):
    """A process lacks a page."""

    detail = True
    goal = "a page fault"
    sentence = "node {node}: rank {rank} of job {job} has a page fault"
    effect = Effect("waits", what=FAULT)


class Io(OfProcess, name="io"):
    """A job of load sharing reads or writes on its disk."""

    detail = True
    sentence = "node {node}: job {job} waits for I/O"
    effect = Effect("waits", what=IO)


class Disk(OfProcess, name="disk"):
    """A disk will serve a process from start to end."""

    station: Word
    start_ns: int
    end_ns: int
    size_bytes: int
    detail = True
    sentence = (
        "node {node}: {station} serves rank {rank} of job {job}[ after waiting {waited},] "
        "until {end}"
    )
    effect = Effect("reads")


class Barrier(OfProcess, name="barrier"):
    """A process has reached a barrier."""

    detail = True
    sentence = "node {node}: rank {rank} of job {job} is at a barrier"
    effect = Effect("meets")


class Passed(OfProcess, name="passed"):
    """A process that nobody releases goes on from a barrier: those that it waits for are there."""

    detail = True
    sentence = "node {node}: rank {rank} of job {job} has heard from its neighbours and goes on"
    effect = Effect("goes_on")


class Resizing(OfProcess):
    """Of a process, with what it holds."""

    amount_bytes: int
    changes: ClassVar[tuple[str, ...]] = (PROCESSES, JOBS, MEMORY)


class Resized(Resizing, name="resized"):
    """A process holds `amount_bytes` from now on."""

    goal = "a process grows or shrinks"
    sentence = "node {node}: rank {rank} of job {job} holds {amount} from now on"
    effect = Effect("holds")


class Departed(Resizing, name="departed"):
    """A process moves from its node to its peer; both hold its memory until it has arrived."""

    peer: int
    goal = "a process moves"
    sentence = "node {node}: rank {rank} of job {job} departs to node {peer} with {amount}"
    effect = Effect("departs")


class Arrived(Resizing, name="arrived"):
    """A process is on its node, and its peer, from which it comes, has freed its memory."""

    peer: int
    sentence = "node {node}: rank {rank} of job {job} arrives from node {peer} with {amount}"
    effect = Effect("arrives")


# Memory


class Loan(Kind):
    """Of memory that nodes lend, borrow or ask for."""

    node: int
    amount_bytes: int
    job: int | None
    changes: ClassVar[tuple[str, ...]] = (MEMORY,)
    topic = OF_LOANS


class Lent(Loan, name="lent"):
    """A server lends memory of its node."""

    goal = "memory is lent"
    sentence = "node {node} lends {amount}"
    effect = Effect("lends")


class Returned(Loan, name="returned"):
    """A server has memory back."""

    sentence = "node {node} gets {amount} back"
    effect = Effect("lends", sign=-1)


class Borrowed(Loan, name="borrowed"):
    """A client borrows memory of its peer."""

    peer: int
    sentence = "node {node} borrows {amount} from node {peer}"
    effect = Effect("borrows")


class GivenBack(Loan, name="given back"):
    """A client uses memory of its peer no longer."""

    peer: int
    sentence = "node {node} gives {amount} back to node {peer}"
    effect = Effect("borrows", sign=-1)


class Asked(Loan, name="asked"):
    """A client has asked for memory, and waits for the answer."""

    sentence = "node {node} asks for {amount}"
    effect = Effect("asks")


class Answered(Loan, name="answered"):
    """What a client has asked for is answered, whatever was granted."""

    sentence = "node {node} no longer asks for {amount}"
    effect = Effect("asks", sign=-1)


#: The kinds of records that are details, whatever message they are about.
DETAILS = tuple(kind.name for kind in KINDS.values() if kind.detail)
#: The kinds of records that are about a message on its way.
OF_MESSAGES = tuple(kind.name for kind in KINDS.values() if issubclass(kind, OfMessage))
#: Of these, those that end its way; their node is the receiver, and their peer the sender.
WAY_ENDS = (Delivered.name, Lost.name)
