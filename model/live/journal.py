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

        `merged` must know both.
        """
        self._candidates.pop((node, role), None)
        super().decided(node, role, choice, true)
        if choice.groups:
            payload = _payload(self._records[-1]) | {_MEMBERS: choice.groups}
            self._records[-1] = _with(self._records[-1], payload)


def merged(records: Sequence[Record], rams: Sequence[int]) -> Iterator[Record]:
    """All records in the order of time, and of each decision what was true then.

    A node that is lost cannot say that it neither lends nor borrows any more, nor which messages it
    did not take; that is said for it.
    """
    past = Past(len(rams))
    deaths = [0] * len(rams)

    def load(node: int) -> int:
        return past.nodes[node].load(rams[node])

    everything = [*records, *_lost_in_crashes(records)]
    for record in sorted(everything, key=lambda record: record.time_ns):
        if record.kind == kinds.Decided.name:
            record = _with_truth(record, load)
        node = None if record.node is None else past.nodes[record.node]
        if record.id >> 60 == LOAN and node is not None and node.is_down:
            continue  # written between the decision to kill it and its death
        past.read(record)
        yield record
        if node is not None and _is_crash(record):
            deaths[node.number] += 1
            for ended in _given_up(record, node, deaths[node.number]):
                past.read(ended)
                yield ended


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


def _lost_in_crashes(records: Sequence[Record]) -> Iterator[Record]:
    """Messages that had been sent to a node and not handled when its process was killed."""
    crashes = [record for record in records if _is_crash(record)]
    ends = (kinds.Delivered.name, kinds.Lost.name)
    ended = {record.id: None for record in records if record.kind in ends} if crashes else {}
    for sent in records if crashes else ():
        if sent.kind != kinds.Sent.name or sent.id in ended:
            continue
        later = (it for it in crashes if it.node == sent.peer and it.time_ns >= sent.time_ns)
        crash = min(later, key=lambda it: it.time_ns, default=None)
        if crash is not None:
            yield sent._replace(
                time_ns=crash.time_ns,
                kind=kinds.Lost.name,
                node=sent.peer,
                peer=sent.node,
                amount_bytes=None,
                payload='{"by":"crash"}',
            )


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
