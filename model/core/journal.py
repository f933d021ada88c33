"""The journal: one stream of records, the truth about what happened.

Records are in the order of events (time, class, receiver, sender, number: see `clock.py`), and
within an event in the order of the code. Ids come from content, such as the sender and number of a
message, so that another data plane can write the same journal. The records of one message (its
sending, hops and delivery) share its id; `cause` is the id of what made it happen.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from errno import EISDIR
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from agents.interfaces import Resident
from agents.messages import DATA_PHASES, Message, stated_by
from model.core.files import writing
from model.core.users_code import plain
from model.ground.clock import Clock
from model.ground.errors import InputError

if TYPE_CHECKING:  # who only looks at a journal need not wait for Mesa
    from agents.disk import Disk

LEVELS = ("protocol", "all")  # protocol and scheduling only, or every hop, fault and barrier too
_CHUNK = 65_536  # records held before they are written

MESSAGE, DISK_READ, PROCESS_STEP, SCHEDULING, LOAN, TIMER = range(1, 7)
NOTE, FAILURE = 7, 0  # three bits hold a category


def identity(category: int, agent: int, number: int) -> int:
    """An id: the category, the agent that counts, and its count; fits into 64 bits with a sign."""
    return category << 60 | agent << 36 | number


class Record(NamedTuple):
    """One record. Fields that do not apply to its kind are None.

    Kinds: sent, hop, delivered (a message; `what` is its kind, which declares `phase` and `hears`;
    so a view need not know the kind) · disk (a page read) · fault, io, barrier, started, finished
    (a process) · submitted, held, placed, moved, resumed, suspended, killed, failed, ended (a job)
    · switch, switched, unified (time slots) · lent, returned, borrowed, given back (memory) ·
    resized (a process holds `amount_bytes` from now on) · departed, arrived (a process moves from
    or to `peer`, and holds `amount_bytes`, from its departure at both nodes, from its arrival at
    the new one) · timer (of a role, `hears`, fires; `what` is its name) · note (what a role says
    about itself) · decided (a role turns to `peer`, or to nobody) · lost (a message, its payload
    says why) · crashed, restarted, paused, continued (`what`: a servent or a node).
    """

    time_ns: int
    kind: str
    what: str | None
    phase: str | None  # what a message is for
    hears: str | None  # who receives a message
    id: int
    cause: int  # an id, or 0
    job: int | None  # its number in the trace
    rank: int | None
    node: int | None  # where it happened; for "sent" and "hop", the sender
    peer: int | None  # the other node: receiver ("sent", "hop"), sender ("delivered") or server
    station: str | None
    slot: int | None
    size_bytes: int | None
    amount_bytes: int | None
    start_ns: int | None
    end_ns: int | None
    payload: str | None  # JSON


class Journal:
    """Makes records of what agents report, and hands them to its readers."""

    def __init__(
        self, clock: Clock, readers: Iterable[Callable[[Record], None]], level: str = "all"
    ) -> None:
        self.clock = clock
        self.readers = tuple(readers)
        self.everything = level == "all"
        self.cause = 0  # the id of what is happening now
        self.job: int | None = None  # the job that it is about
        self._counts: defaultdict[tuple[int, int], int] = defaultdict(int)
        #: By node and role: the search of its last choice, and what was told of each candidate.
        self._candidates: dict[tuple[int, str], tuple[Any, dict[int, Any]]] = {}
        #: A content, its amount, and what else it says.
        self._last_said: tuple[Any, int | None, str | None] = (None, None, None)

    def because(self, cause: int, job: int | None) -> None:
        """Record `cause` and `job` as the reason for whatever is reported from now on."""
        self.cause = cause
        self.job = job

    def sent(self, message: Message) -> None:
        """A node sends a message, over the network or to itself."""
        message.cause = self.cause
        if self.everything or message.content.phase not in DATA_PHASES:
            content = message.content
            if content is not self._last_said[0]:  # a broadcast is one content for all
                self._last_said = content, *_said(content)
            _, amount, said = self._last_said
            self._message("sent", message, amount_bytes=amount, payload=said)

    def hop(self, message: Message, station: str, start_ns: int, end_ns: int) -> None:
        """A message reaches a station, which serves it from start to end."""
        if self.everything:
            self._message("hop", message, station=station, start_ns=start_ns, end_ns=end_ns)

    def delivered(self, message: Message) -> None:
        """A message reaches its node."""
        if self.everything or message.content.phase not in DATA_PHASES:
            self._message("delivered", message)
        self.because(identity(MESSAGE, message.source, message.number), message.content.job)

    def lost(self, message: Message, why: str) -> None:
        """A message does not reach the one that it is for."""
        if self.everything or message.content.phase not in DATA_PHASES:
            self._message("lost", message, payload=_json({"by": why}))

    def failed(self, kind: str, node: int, what: str) -> None:
        """A servent or a node crashed, restarted, paused or continued."""
        number = self._next(FAILURE, node)
        self._write(kind, number, cause=0, what=what, node=node)
        self.because(number, None)

    def disk(
        self, process: Resident, disk: "Disk", size_bytes: int, start_ns: int, end_ns: int
    ) -> int:
        """A disk will serve `size_bytes` from start to end; returns the record's id."""
        number = identity(DISK_READ, disk.node, disk.served)
        if self.everything:
            self._write(
                "disk",
                number,
                job=process.job.number,
                rank=process.rank,
                node=disk.node,
                station=disk.name,
                size_bytes=size_bytes,
                start_ns=start_ns,
                end_ns=end_ns,
            )
        return number

    def process(self, kind: str, process: Resident) -> None:
        """A process started, faults, reaches a barrier or finishes."""
        computed = kind != "started"
        if computed:
            self.cause = process.cause
        process.steps += 1
        number = identity(PROCESS_STEP, process.job.first_process + process.rank, process.steps)
        job, rank = process.job.number, process.rank
        if self.everything or kind in ("started", "finished"):
            self._write(kind, number, job=job, rank=rank, node=process.node.index)
        self.because(number, job)

    def scheduled(
        self,
        kind: str,
        job: int | None = None,
        slot: int | None = None,
        nodes: list[int] | None = None,
        memory: int | None = None,
        estimate: int | None = None,
    ) -> None:
        """The scheduler did something with a job or with its time slots; memory is in bytes."""
        number = self._next(SCHEDULING, 0)
        says = {"nodes": nodes} | ({} if estimate is None else {"estimate": estimate})
        payload = _json(says) if nodes is not None else None
        self._write(kind, number, job=job, slot=slot, amount_bytes=memory, payload=payload)
        self.because(number, job)

    def timer(self, node: int, role: str, name: str, count: int, cause: int) -> None:
        """A timer of this name fires, which the role of a node has set because of `cause`."""
        number = identity(TIMER, node, count)
        self._write("timer", number, cause=cause, what=name, hears=role, node=node)
        self.because(number, None)

    def noted(self, node: int, role: str, name: str, value: Any) -> None:
        """A role has something to say about itself, in words of its own."""
        number = self._next(NOTE, node)
        said = _json(plain(value))
        self._write("note", number, job=self.job, what=name, hears=role, node=node, payload=said)

    def decided(self, node: int, role: str, choice: Any, true: Mapping[int, int]) -> None:
        """A role chose a node, or none (`Decided` in `agents/pnr/role.py`); loads are in bytes.

        The payload has of each candidate what was believed, since when that was stated, and what
        was true. In a search the first record names all candidates, later ones what has changed.
        """
        of_each = {n: (*(word or (None, None)), true[n]) for n, word in choice.believed}
        search, known = self._candidates.get((node, role), (None, {}))
        if search != choice.search:
            known = {}
        self._candidates[node, role] = choice.search, known | of_each
        told = {n: said for n, said in of_each.items() if known.get(n) != said}
        says = {"search": choice.search, "missing": choice.missing, "candidates": told}
        if choice.groups:
            says["groups"] = True
        self._write(
            "decided",
            self._next(NOTE, node),
            job=self.job,
            hears=role,
            node=node,
            peer=choice.chosen,
            payload=_json(says),
        )

    def loan(self, node: int, kind: str, amount: int, server: int | None) -> None:
        """Memory is lent or returned at a server, borrowed or given back at a client."""
        number = self._next(LOAN, node)
        self._write(kind, number, job=self.job, node=node, peer=server, amount_bytes=amount)

    def resized(self, process: Resident, size: int) -> int:
        """A process holds `size` bytes from now on; returns the record's id."""
        node = process.node.index
        number = self._next(LOAN, node)
        job, rank = process.job.number, process.rank
        self._write("resized", number, job=job, rank=rank, node=node, amount_bytes=size)
        return number

    def moved(self, kind: str, process: Resident, node: Any, peer: Any) -> None:
        """A process has departed from a node to its peer, or arrived at a node from its peer."""
        number = self._next(LOAN, node.index)
        job, rank = process.job.number, process.rank
        self._write(
            kind,
            number,
            job=job,
            rank=rank,
            node=node.index,
            peer=peer.index,
            amount_bytes=process.size,
        )
        self.because(number, job)

    def _message(self, kind: str, message: Message, **fields: Any) -> None:
        here, there = message.source, message.target
        if kind in ("delivered", "lost"):
            here, there = there, here
        content = message.content
        self._write(
            kind,
            identity(MESSAGE, message.source, message.number),
            cause=message.cause,
            what=type(content).__name__,
            phase=content.phase,
            hears=content.hears,
            job=content.job,
            rank=content.rank,
            node=here,
            peer=there,
            size_bytes=message.size_bytes,
            **fields,
        )

    def _next(self, category: int, agent: int) -> int:
        self._counts[category, agent] += 1
        return identity(category, agent, self._counts[category, agent])

    def _write(
        self,
        kind: str,
        number: int,
        *,
        cause: int | None = None,
        what: str | None = None,
        phase: str | None = None,
        hears: str | None = None,
        job: int | None = None,
        rank: int | None = None,
        node: int | None = None,
        peer: int | None = None,
        station: str | None = None,
        slot: int | None = None,
        size_bytes: int | None = None,
        amount_bytes: int | None = None,
        start_ns: int | None = None,
        end_ns: int | None = None,
        payload: str | None = None,
    ) -> None:
        self.note(
            Record(
                self.clock.now_ns,
                kind,
                what,
                phase,
                hears,
                number,
                self.cause if cause is None else cause,
                job,
                rank,
                node,
                peer,
                station,
                slot,
                size_bytes,
                amount_bytes,
                start_ns,
                end_ns,
                payload,
            )
        )

    def note(self, record: Record) -> None:
        """Hand a record to the readers."""
        for read in self.readers:
            read(record)


_STRING = pa.dictionary(pa.int32(), pa.string())
SCHEMA = pa.schema(
    [
        pa.field("design", _STRING),
        *(
            pa.field(
                name,
                _STRING
                if name in ("kind", "what", "phase", "hears", "station")
                else pa.string()
                if name == "payload"
                else pa.int64(),
            )
            for name in Record._fields
        ),
    ]
)


class JournalFile:
    """A Parquet file of the journals of one or several runs; `of` makes the reader of each.

    It is written in chunks to `<name>.part` in the same folder, and renamed when it is closed
    without an error. Its metadata hold the scenario and, by the name of each run's design, which
    nodes manage, so that a reader needs no design at hand. If it cannot be written, it is gone, and
    InputError says why.
    """

    def __init__(
        self, path: Path, scenario: str, managers: Mapping[str, Sequence[int]] | None = None
    ) -> None:
        self.path = path
        self.part = path.with_name(path.name + ".part")
        schema = SCHEMA.with_metadata({"scenario": scenario, "managers": _json(managers or {})})
        self._records: list[Record] = []
        self._design = ""
        with self._writing():
            if path.is_dir():
                raise IsADirectoryError(EISDIR, "it is a folder")
            self._writer = pq.ParquetWriter(self.part, schema, compression="zstd")

    def of(self, design: str) -> Callable[[Record], None]:
        """The reader that notes the records of a run of this design."""
        self._flush()
        self._design = design
        return self._note

    def close(self) -> None:
        """Put the file into its place: all runs are complete."""
        self._flush()
        with self._writing():
            self._writer.close()
            self.part.replace(self.path)

    def discard(self) -> None:
        """Leave nothing behind: a run did not end, or the file cannot be written."""
        with suppress(OSError):  # it ends what there is no room for
            self._writer.close()
        self.part.unlink(missing_ok=True)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Raise InputError, and leave nothing behind, for what cannot be written."""
        try:
            with writing("--journal", self.path):
                yield
        except InputError:
            with suppress(OSError):
                self.part.unlink(missing_ok=True)
            raise

    def _note(self, record: Record) -> None:
        self._records.append(record)
        if len(self._records) >= _CHUNK:
            self._flush()

    def _flush(self) -> None:
        if self._records:
            columns = [[self._design] * len(self._records), *zip(*self._records, strict=True)]
            arrays = [
                pa.array(column, type=field.type)
                for column, field in zip(columns, SCHEMA, strict=True)
            ]
            with self._writing():
                self._writer.write_table(pa.table(arrays, schema=self._writer.schema))
            self._records.clear()


#: Fields of messages that have columns of their own, or that only tell one request from another.
_UNSAID = ("job", "rank", "clients", "request", "attempt", "parts", "lent_for")


def _said(content: Any) -> tuple[int | None, str | None]:
    """A message's amount, and its fields, except those that have columns of their own, as JSON."""
    if content.phase in DATA_PHASES:
        return content.amount, None
    amount, says = stated_by(content)
    fields = {name: getattr(content, name) for name in content.__match_args__}
    says = {name: said for name, said in fields.items() if name not in _UNSAID} | says
    return amount, _json(says) if says else None


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), default=_told)


def _told(value: Any) -> Any:
    """A value that JSON does not know: one of numpy's numbers, or an object of a user's code."""
    if isinstance(value, Sequence):
        return list(value)
    told = plain(value)
    return told if told is not value else f"a {type(value).__name__}"
