"""The journals of all nodes and of the head as one."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from agents.pnr.role import Decided
from model.core.journal import kinds
from model.core.journal.kinds import LOAN, Record, identity
from model.core.journal.past import Past, PastNode
from model.core.journal.writer import Journal
from model.ground.clock import Clock
from model.ground.errors import CheckFailed
from model.ground.units import memory_in_words

#: What a node's process counts begins so far above what earlier processes of the node have counted.
COUNTED_BY_ONE_PROCESS = 2**24

_LOST = (kinds.Crashed.name, kinds.Gone.name)
_MEMBERS = "members"
Payload = dict[str, Any]


class NodeJournal(Journal):
    """The journal of one node, which does not know what is true of others."""

    def __init__(self, clock: Clock, records: list[Record], level: str, first: int) -> None:
        super().__init__(clock, [records.append], level, first)
        self._records = records

    def decided(self, node: int, role: str, choice: Decided, true: Mapping[int, int]) -> None:
        """Name all candidates, of which others may have changed; and for whom they stand.

        `merged` must know both.
        """
        self._candidates.pop((node, role), None)
        super().decided(node, role, choice, true)
        if choice.groups:
            last = self._records[-1]
            payload = _payload(last) | {_MEMBERS: choice.groups}
            self._records[-1] = last._replace(payload=json.dumps(payload, separators=(",", ":")))


def merged(records: Sequence[Record], rams: Sequence[int]) -> Iterator[Record]:
    """All records in the order of time, and of each decision what was true then.

    Where clocks differ a little, nothing arrives before it was sent. A node that is lost cannot say
    that it neither lends nor borrows any more; that is said for it.
    """
    sent_ns = {record.id: record.time_ns for record in records if record.kind == kinds.Sent.name}
    after = [
        record._replace(time_ns=max(record.time_ns, sent_ns.get(record.id, 0)))
        if record.kind in (kinds.Delivered.name, kinds.Lost.name)
        else record
        for record in records
    ]
    after += _lost_in_crashes(records)
    past = Past(len(rams))
    deaths = [0] * len(rams)

    def load(node: int) -> int:
        return past.nodes[node].load(rams[node])

    for record in sorted(after, key=lambda record: record.time_ns):
        if record.kind == kinds.Decided.name:
            record = _with_truth(record, load)
        if _is_of_a_lost_node(record, past):
            continue  # written between the decision to kill it and its death
        past.read(record)
        yield record
        if record.kind in _LOST and record.what == "node" and record.node is not None:
            deaths[record.node] += 1
            for ended in _given_up(record, past.nodes[record.node], deaths[record.node]):
                past.read(ended)
                yield ended


class Accounts:
    """Reads a run's journal, and checks that what is borrowed is lent, and is back at the end.

    With faults, loans may be lost, which is no mistake; and if clocks are not `exact`, as those of
    several machines are not, nobody knows what came first. Raises CheckFailed.
    """

    def __init__(self, name: str, nodes: int, faulty: bool, exact: bool = True) -> None:
        self._name = name
        self._exact = exact
        self._faulty = faulty  # then a loan may be lost with a message or a node
        self._past = Past(nodes)

    def read(self, record: Record) -> None:
        """Take in the next record."""
        self._past.read(record)
        if record.kind != kinds.Borrowed.name or self._faulty or not self._exact:
            return
        server = kinds.Borrowed.of(record).peer
        borrowed = sum(node.loans.get(server, 0) for node in self._past.nodes)
        lent = self._past.nodes[server].lent
        if borrowed > lent:
            what = f"{memory_in_words(borrowed)} of node {server} are borrowed"
            raise CheckFailed(f"{self._name}: {what}, but it lends {memory_in_words(lent)}")

    def finish(self) -> None:
        """The run has ended: all memory is back."""
        for node in () if self._faulty else self._past.nodes:
            left = {"lends": node.lent, "borrows": node.borrowed, "holds": node.own}
            for what, amount in left.items():
                if amount:
                    words = f"node {node.number} {what} {memory_in_words(amount)}"
                    raise CheckFailed(f"{self._name}: at the end {words}")


def _is_of_a_lost_node(record: Record, past: Past) -> bool:
    if record.id >> 60 != LOAN or record.node is None:
        return False
    return any(("node", how) in past.nodes[record.node].down for how in _LOST)


def _given_up(lost: Record, node: PastNode, deaths: int) -> Sequence[Record]:
    """The ends of all that a node borrows and lends when it is lost for the `deaths`-th time."""
    ends: list[tuple[str, int | None, int]] = [
        (kinds.GivenBack.name, server, amount) for server, amount in node.loans.items()
    ]
    if node.lent:
        ends.append((kinds.Returned.name, None, node.lent))
    assert lost.node is not None
    last = identity(LOAN, lost.node, deaths * COUNTED_BY_ONE_PROCESS - 1)  # which it never reached
    return [
        lost._replace(
            kind=kind, what=None, id=last - place, cause=lost.id, peer=server, amount_bytes=amount
        )
        for place, (kind, server, amount) in enumerate(ends)
    ]


def _lost_in_crashes(records: Sequence[Record]) -> Iterator[Record]:
    """Messages that had been sent to a node and not handled when its process was killed."""
    arrived = {
        record.id: None
        for record in records
        if record.kind in (kinds.Delivered.name, kinds.Lost.name)
    }
    under_way = [
        record for record in records if record.kind == kinds.Sent.name and record.id not in arrived
    ]
    for crash in records:
        if crash.kind != kinds.Crashed.name or crash.what != "node":
            continue
        for sent in under_way:
            if sent.peer == crash.node and sent.time_ns <= crash.time_ns and sent.id not in arrived:
                arrived[sent.id] = None
                here, there = sent.peer, sent.node
                yield sent._replace(
                    time_ns=crash.time_ns,
                    kind=kinds.Lost.name,
                    node=here,
                    peer=there,
                    amount_bytes=None,
                    payload='{"by":"crash"}',
                )


def _with_truth(record: Record, load: Callable[[int], int]) -> Record:
    payload = _payload(record)
    groups = payload.pop(_MEMBERS, {})
    for node, belief in payload["candidates"].items():
        members = groups.get(node)
        belief[2] = (
            load(int(node)) if members is None else sum(max(0, load(one)) for one in members)
        )
    return record._replace(payload=json.dumps(payload, separators=(",", ":")))


def _payload(record: Record) -> Payload:
    assert record.payload is not None
    payload: Payload = json.loads(record.payload)
    return payload
