"""What agents call to report what happens; the ids and order of records come from content."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from math import isfinite
from typing import Any

from agents.interfaces import Computing, Drive, Moving, Place
from agents.messages import DATA_PHASES, ROLES, Content, Message
from model.core.journal.hearing import Hearing
from model.core.journal.kinds import (
    DISK_READ,
    FAILURE,
    LOAN,
    MESSAGE,
    NOTE,
    PROCESS_STEP,
    SCHEDULING,
    TIMER,
    Crashed,
    Gone,
    Queued,
    Record,
    identity,
)
from model.core.journal.queues import CLASSES, DISK, Queues
from model.core.users_code import plain
from model.ground.clock import Clock


class Journal:
    """Makes records of what agents report, and hands them to its readers."""

    def __init__(
        self,
        clock: Clock,
        readers: Iterable[Callable[[Record], None]],
        level: str = "all",
        first: int = 0,
    ) -> None:
        """Ids are counted from above `first`, which somebody else has used up."""
        self.clock = clock
        self.readers = tuple(readers)
        self.everything = level == "all"
        self.cause = 0  # the id of what is happening now
        self.job: int | None = None  # the job that it is about
        self.queues = Queues()
        self._latest_ns = 0  # when the last record was made
        self._counts: defaultdict[tuple[int, int], int] = defaultdict(lambda: first)
        #: By node and role: the search of its last choice, and what stands of each candidate.
        self._candidates: dict[tuple[int, str], tuple[Any, dict[int, Any]]] = {}
        #: By node and role.
        self._heard: defaultdict[tuple[int, str], Hearing] = defaultdict(Hearing)
        #: The content sent last, its amount, and its payload.
        self._last_content: tuple[Any, int | None, str | None] = (None, None, None)

    def because(self, cause: int, job: int | None) -> None:
        self.cause = cause
        self.job = job

    def sent(self, message: Message) -> None:
        message.cause = self.cause
        if self.everything or message.content.phase not in DATA_PHASES:
            content = message.content
            if content is not self._last_content[0]:  # a broadcast is one content for all
                self._last_content = content, *_payload_of(content)
            _, amount, payload = self._last_content
            self._message("sent", message, amount_bytes=amount, payload=payload)

    def hop(self, message: Message, station: str, start_ns: int, end_ns: int) -> None:
        now_ns, phase = self.clock.now_ns, message.content.phase
        what = phase if phase in DATA_PHASES else CLASSES[-1]
        self.queues.count(station, what, now_ns, start_ns - now_ns)
        if self.everything:
            self._message("hop", message, station=station, start_ns=start_ns, end_ns=end_ns)

    def delivered(self, message: Message) -> None:
        content, is_data = message.content, message.content.phase in DATA_PHASES
        if self.everything or not is_data:
            self._message("delivered", message)
        if not is_data:
            self._heard[message.target, content.hears].hears(message)
        self.because(identity(MESSAGE, message.source, message.number), content.job)

    def lost(self, message: Message, why: str) -> None:
        if self.everything or message.content.phase not in DATA_PHASES:
            self._message("lost", message, payload=as_json({"by": why}))

    def failed(self, kind: str, node: int, what: str, end_ns: int | None = None) -> None:
        if kind in (Crashed.name, Gone.name):
            for role in ROLES:
                self._heard.pop((node, role), None)
                self._candidates.pop((node, role), None)
        number = self._next(FAILURE, node)
        self._write(kind, number, cause=0, what=what, node=node, end_ns=end_ns)
        self.because(number, None)

    def disk(
        self, process: Computing, disk: Drive, size_bytes: int, start_ns: int, end_ns: int
    ) -> int:
        number = identity(DISK_READ, disk.node, disk.served)
        now_ns = self.clock.now_ns
        self.queues.count(disk.name, DISK, now_ns, start_ns - now_ns)
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

    def process(self, kind: str, process: Computing) -> None:
        if kind not in ("started", "passed"):
            self.cause = process.cause
        process.steps += 1
        number = identity(PROCESS_STEP, process.job.first_process + process.rank, process.steps)
        job, rank = process.job.number, process.rank
        if self.everything or kind in ("started", "finished"):
            assert process.node is not None
            self._write(kind, number, job=job, rank=rank, node=process.node.index)
        self.because(number, job)

    def scheduled(
        self,
        kind: str,
        job: int | None = None,
        slot: int | None = None,
        nodes: list[int] | None = None,
        memory: int | None = None,
        **contents: object,
    ) -> None:
        """The scheduler did something with a job or with its time slots; memory is in bytes.

        The payload has the nodes and the further contents, as far as they are not None.
        """
        number = self._next(SCHEDULING, 0)
        known = {name: of for name, of in {"nodes": nodes, **contents}.items() if of is not None}
        payload = as_json(known) if known else None
        self._write(kind, number, job=job, slot=slot, amount_bytes=memory, payload=payload)
        self.because(number, job)

    def timer(self, node: int, role: str, name: str, count: int, cause: int) -> None:
        number = identity(TIMER, node, count)
        self._write("timer", number, cause=cause, what=name, hears=role, node=node)
        self.because(number, None)

    def noted(self, node: int, role: str, name: str, value: object) -> None:
        """A role has something to say about itself, in words of its own."""
        number = self._next(NOTE, node)
        payload = as_json(plain(value))
        self._write("note", number, job=self.job, what=name, hears=role, node=node, payload=payload)

    def decided(self, node: int, role: str, choice: Any, true: Mapping[int, int]) -> None:
        """A role chose a node, or none (`Decided` in `agents/pnr/role.py`); loads are in bytes.

        The payload has of each candidate what was believed, since when that was stated, what was
        true, and its RAM, if shares of that were compared. In a search the first record names all
        candidates, later ones what has changed. It names the messages that changed the choice, too.
        """
        of_each = {n: (*(word or (None, None)), true[n]) for n, word in choice.believed}
        if choice.rams is not None:
            of_each = {n: (*belief, choice.rams[n]) for n, belief in of_each.items()}
        search, known = self._candidates.get((node, role), (None, {}))
        if search != choice.search:
            known = {}
        self._candidates[node, role] = choice.search, known | of_each
        changed = {n: belief for n, belief in of_each.items() if known.get(n) != belief}
        payload = {"search": choice.search, "missing": choice.missing, "candidates": changed}
        if choice.groups:
            payload["groups"] = True
        if changed_by := self._heard[node, role].changed(node, choice):
            payload["changed_by"] = changed_by
        self._write(
            "decided",
            self._next(NOTE, node),
            job=self.job,
            hears=role,
            node=node,
            peer=choice.chosen,
            payload=as_json(payload),
        )

    def loan(self, node: int, kind: str, amount: int, server: int | None) -> None:
        number = self._next(LOAN, node)
        self._write(kind, number, job=self.job, node=node, peer=server, amount_bytes=amount)

    def resized(self, process: Computing, size: int) -> int:
        assert process.node is not None
        node = process.node.index
        number = self._next(LOAN, node)
        job, rank = process.job.number, process.rank
        self._write("resized", number, job=job, rank=rank, node=node, amount_bytes=size)
        return number

    def moved(self, kind: str, process: Moving, node: Place, peer: Place) -> None:
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

    def queued(self, most_windows: int) -> None:
        """The run is over: tell where messages waited, when the last record was made."""
        self.queues.most = most_windows
        self.queues.reach(self.clock.now_ns)
        for station, served in self.queues.by_station():
            payload = as_json({"window_ns": self.queues.window_ns, "served": served})
            number = self._next(SCHEDULING, 0)
            self.note(
                Record(self._latest_ns, Queued.name, id=number, station=station, payload=payload)
            )

    def _message(
        self,
        kind: str,
        message: Message,
        station: str | None = None,
        start_ns: int | None = None,
        end_ns: int | None = None,
        amount_bytes: int | None = None,
        payload: str | None = None,
    ) -> None:
        here, there = message.source, message.target
        if kind in ("delivered", "lost"):
            here, there = there, here
        content = message.content
        record = Record(  # by place, since most records are about messages: twice as fast
            self.clock.now_ns,
            kind,
            type(content).__name__,
            content.phase,
            content.hears,
            identity(MESSAGE, message.source, message.number),
            message.cause,
            content.job,
            content.rank,
            here,
            there,
            station,
            None,
            message.size_bytes,
            amount_bytes,
            start_ns,
            end_ns,
            payload,
        )
        self.note(record)

    def _next(self, category: int, agent: int) -> int:
        self._counts[category, agent] += 1
        return identity(category, agent, self._counts[category, agent])

    def _write(self, kind: str, number: int, **fields: int | str | None) -> None:
        """Note a record of what happens now; if no `cause` is given, because of what happens."""
        fields.setdefault("cause", self.cause)
        self.note(Record(self.clock.now_ns, kind, id=number, **fields))  # type: ignore[arg-type]

    def note(self, record: Record) -> None:
        """Hand a record to the readers."""
        self._latest_ns = record.time_ns
        for read in self.readers:
            read(record)


def _payload_of(content: Content) -> tuple[int | None, str | None]:
    """A message's amount, and as JSON the fields that it shows."""
    fields = shown_fields(content)
    return content.amount, as_json(fields) if fields else None


def shown_fields(content: Content) -> dict[str, object]:
    """What a record that a message is sent shows of it."""
    if content.phase in DATA_PHASES:
        return {}
    fields = _fields_of(content)
    return fields | {name: of for name in ("refused", "words") if (of := getattr(content, name))}


def _fields_of(content: Content) -> dict[str, object]:
    return {name: getattr(content, name) for name in content.shown_fields}


def as_json(value: object) -> str:
    """A value as a payload has it."""
    try:
        return _ENCODER.encode(value)
    except (TypeError, ValueError):
        return _ENCODER.encode(_expressible(value))


def _expressible(value: object) -> object:
    """A value with texts for what JSON has not, such as other keys than texts, and infinity.

    To look for these takes longer than to write what has none.
    """
    if isinstance(value, Mapping):
        return {
            key if isinstance(key, str) else as_json(key): _expressible(of)
            for key, of in value.items()
        }
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Set):
        return sorted(map(_expressible, value), key=as_json)  # in no order of their hashes
    if isinstance(value, Sequence):
        return [*map(_expressible, value)]
    if isinstance(value, Content):
        return _expressible(_fields_of(value))
    made_plain = plain(value)
    return f"a {type(value).__name__}" if made_plain is value else _expressible(made_plain)


_ENCODER = json.JSONEncoder(separators=(",", ":"), default=_expressible, allow_nan=False)
