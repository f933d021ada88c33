"""The journals of all nodes and of the head as one."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from typing import Any

from agents.pnr.role import Decided
from model.core.journal import kinds
from model.core.journal.kinds import LOAN, Record, identity
from model.core.journal.past import Past, PastNode
from model.core.journal.writer import Journal
from model.ground.clock import Clock

#: What a node's process counts begins so far above what earlier processes of the node have counted.
COUNTED_BY_ONE_PROCESS = 2**24

_MEMBERS = "members"


class NodeJournal(Journal):
    """The journal of one node, which does not know what is true of others."""

    def __init__(self, clock: Clock, records: list[Record], level: str, first: int) -> None:
        super().__init__(clock, [records.append], level, first)
        self._records = records

    def decided(self, node: int, role: str, choice: Decided, true: Mapping[int, int]) -> None:
        """Name all candidates, of which others may have changed; and for whom they stand.

        `Merger` must know both.
        """
        self._candidates.pop((node, role), None)
        super().decided(node, role, choice, true)
        if choice.groups:
            payload = _payload(self._records[-1]) | {_MEMBERS: choice.groups}
            self._records[-1] = _with(self._records[-1], payload)


class Merger:
    """Puts all records in the order of time, with what was true at each decision.

    A node that is lost cannot say that it neither lends nor borrows any more, nor which messages it
    did not take; that is said for it.
    """

    def __init__(self, rams: Sequence[int]) -> None:
        self._rams = rams
        self._past = Past(len(rams))
        self._deaths = [0] * len(rams)
        self._waiting: list[tuple[int, int, Record]] = []  # a heap, by time and arrival
        self._count = 0
        self._sent: dict[int, Record] = {}  # messages that have not ended, by id
        self._ended: set[int] = set()  # messages that ended, of whose sending nobody has told yet

    def add(self, records: Iterable[Record]) -> None:
        """Take in what a node, or the head, has told."""
        for record in records:
            self._count += 1
            heappush(self._waiting, (record.time_ns, self._count, record))
            if record.kind == kinds.Sent.name and record.id in self._ended:
                self._ended.remove(record.id)
            elif record.kind == kinds.Sent.name:
                self._sent[record.id] = record
            elif record.kind in kinds.WAY_ENDS and self._sent.pop(record.id, None) is None:
                self._ended.add(record.id)

    def until(self, time_ns: float) -> Iterator[Record]:
        """The next records, if all that happened before this time has been told."""
        while self._waiting and self._waiting[0][0] < time_ns:
            *_, record = heappop(self._waiting)
            if record.kind == kinds.Decided.name:
                record = _with_truth(record, self._load)
            node = None if record.node is None else self._past.nodes[record.node]
            if record.id >> 60 == LOAN and node is not None and node.is_down:
                continue  # written between the decision to kill it and its death
            self._past.read(record)
            yield record
            if node is not None and _is_crash(record):
                self._deaths[node.number] += 1
                for ended in _given_up(record, node, self._deaths[node.number]):
                    self._past.read(ended)
                    yield ended
                self.add([*self._lost_in(record)])

    def _load(self, node: int) -> int:
        return self._past.nodes[node].load(self._rams[node])

    def _lost_in(self, crash: Record) -> Iterator[Record]:
        """Messages that had been sent to a node and not handled when its process was killed."""
        for sent in self._sent.values():
            if sent.peer == crash.node and sent.time_ns <= crash.time_ns:
                yield sent._replace(
                    time_ns=crash.time_ns,
                    kind=kinds.Lost.name,
                    node=sent.peer,
                    peer=sent.node,
                    amount_bytes=None,
                    payload='{"by":"crash"}',
                )


def _is_crash(record: Record) -> bool:
    return record.kind == kinds.Crashed.name and record.what == "node"


def _given_up(crash: Record, node: PastNode, deaths: int) -> list[Record]:
    """The ends of all that a node borrows and lends when it crashes for the `deaths`-th time."""
    ends: list[tuple[str, int | None, int]] = [
        (kinds.GivenBack.name, server, amount) for server, amount in node.loans.items()
    ]
    if node.lent:
        ends.append((kinds.Returned.name, None, node.lent))
    last = identity(LOAN, node.number, deaths * COUNTED_BY_ONE_PROCESS - 1)  # it never reached it
    return [
        crash._replace(
            kind=kind, what=None, id=last - place, cause=crash.id, peer=server, amount_bytes=amount
        )
        for place, (kind, server, amount) in enumerate(ends)
    ]


def _with_truth(record: Record, load: Callable[[int], int]) -> Record:
    payload = _payload(record)
    groups = payload.pop(_MEMBERS, {})
    for node, belief in payload["candidates"].items():
        members = groups.get(node)
        belief[2] = load(int(node)) if members is None else sum(max(0, load(it)) for it in members)
    return _with(record, payload)


def _payload(record: Record) -> dict[str, Any]:
    assert record.payload is not None
    payload: dict[str, Any] = json.loads(record.payload)
    return payload


def _with(record: Record, payload: dict[str, Any]) -> Record:
    return record._replace(payload=json.dumps(payload, separators=(",", ":")))
