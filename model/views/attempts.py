"""A job's attempts, each from a placement to its end, with its own losses, waits and loans.

It answers: what broke, who waits for it, since when, in which attempt?
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import NamedTuple

from model.core.journal import kinds, words
from model.core.journal.kinds import Record
from model.views.flow import intervals

_FEW = 4  # processes that wait, and lost messages, that are named
FAILED = (kinds.Crashed.name, kinds.Paused.name, kinds.Gone.name)


class _Sending(NamedTuple):
    rank: int | None  # of the client whose question led to it
    time_ns: int
    alike: object  # what its repetitions and copies have, too


class Asking:
    """Who was asked for the processes of an attempt, and with what that broke off, if it did.

    A message that was lost counts until one like it has arrived: it was repeated, or had a copy.
    """

    def __init__(self) -> None:
        self._sent: dict[int, _Sending] = {}  # by message
        self._asked: dict[int, dict[int, None]] = {}  # rank -> who owes its client an answer
        self._receivers: dict[int, None] = {}  # of any message
        self._phases: set[str | None] = set()  # of what clients have asked
        self._arrived_ns: dict[object, int] = {}  # by likeness: when the latest has arrived
        self._lost: dict[object, Record] = {}  # by likeness: the latest that was lost
        self._down: dict[int, Record] = {}  # nodes that were asked, and what became of them
        self._clients: dict[int, Record] = {}  # nodes of processes that wait, and the same

    def sends(self, record: Record, is_client: bool) -> None:
        """A message is sent, perhaps by the client of the process that it is about."""
        before = self._sent.get(record.cause)
        rank = before.rank if before is not None and record.rank is None else record.rank
        alike = record.what, record.node, record.peer, record.rank, record.payload
        self._sent[record.id] = _Sending(rank, record.time_ns, alike)
        if record.node is None or record.peer is None:
            return
        self._receivers.setdefault(record.peer)
        if is_client and record.rank is not None:
            self._phases.add(record.phase)
            self._asked.setdefault(record.rank, {}).setdefault(record.peer)

    def ends(self, record: Record, own: int | None) -> None:
        """A message arrives or is lost, on the node of the process with that rank, if any."""
        sent = self._sent.get(record.id)
        if sent is None:  # before the attempt, or the part of a journal
            return
        if record.kind == kinds.Lost.name:
            if self._arrived_ns.get(sent.alike, -1) < sent.time_ns:
                self._lost[sent.alike] = record
            return
        self._arrived_ns[sent.alike] = record.time_ns
        self._lost.pop(sent.alike, None)
        if own is not None and own == sent.rank and record.peer is not None:
            self._asked.get(own, {}).pop(record.peer, None)

    def fails(self, record: Record, node: int, own: Sequence[int]) -> None:
        """A servent or node fails or is up again; `own` are the ranks that wait there."""
        if record.kind in FAILED:
            for of_nodes, concerns in ((self._clients, own), (self._down, node in self._receivers)):
                if concerns:
                    of_nodes.setdefault(node, record)
        elif record.kind == kinds.Continued.name:
            self._down.pop(node, None)
            self._clients.pop(node, None)
        elif record.kind == kinds.Restarted.name:
            self._clients.pop(node, None)
            for rank in own:  # its new client asks again
                self._asked.pop(rank, None)
                self._lost = {a: it for a, it in self._lost.items() if self._rank(it) != rank}

    def broke_off(self, rank: int, node: int, until_ns: float) -> Record | None:
        """The record since which a process waits in vain, if any tells: a loss, a crash, a pause.

        The first loss of what its client has asked and what that led to; or else what came first
        to those that it has asked, who may wait for other clients: a loss, a crash; or what befell
        the client itself, or others, who cannot ask. What comes only when it is over has no say.
        """
        lost = [it for it in self._lost.values() if it.phase in self._phases]
        own = [it for it in lost if self._rank(it) == rank]
        if own:
            return min(own, key=lambda it: it.time_ns)
        clients = {on: it for on, it in self._clients.items() if it.time_ns < until_ns}
        if node in clients:
            return clients[node]
        asked = self._asked.get(rank, {})
        others = [it for it in lost if it.node in asked or it.peer in asked]
        others += [
            it for on, it in self._down.items() if on in asked or it.kind == kinds.Paused.name
        ]
        others = [it for it in others if it.time_ns < until_ns] or [*clients.values()]
        others = others or [it for it in lost if self._rank(it) is None]
        return min(others, key=lambda it: it.time_ns, default=None)

    def _rank(self, lost: Record) -> int | None:
        return self._sent[lost.id].rank


@dataclass(eq=False)
class Attempt:
    """A job on its nodes: from its placement to its end, to a crash that kills it, or until now.

    By node where processes are meant, of which a node has one a job.
    """

    placements: list[Record] = field(default_factory=list)  # more if it moves: of load sharing
    rank_of: dict[int, int] = field(default_factory=dict)
    asked: dict[int, int] = field(default_factory=dict)  # bytes that it first asked for
    asked_ns: dict[int, int] = field(default_factory=dict)
    answered_ns: dict[int, int] = field(default_factory=dict)
    started: dict[int, Record] = field(default_factory=dict)
    got: Counter[int] = field(default_factory=Counter)  # bytes borrowed before it started
    loans: list[Record] = field(default_factory=list)
    late_loans: list[Record] = field(default_factory=list)  # which came after it was over
    lost: list[Record] = field(default_factory=list)  # messages of the protocol
    over: Record | None = None  # its end, or that it was killed
    crash: Record | None = None  # which killed it
    _open: Counter[int] = field(default_factory=Counter)  # bytes asked for, and not answered
    _asking: Asking = field(default_factory=Asking)

    def read(self, record: Record) -> None:
        """Take in a record of it, which is no detail."""
        kind, node = record.kind, record.node
        own = None if node is None else self.rank_of.get(node)
        if kind == kinds.Lost.name:
            self.lost.append(record)
        if record.phase is not None and self.over is not None:
            return
        if kind == kinds.Sent.name:
            self._asking.sends(record, is_client=own == record.rank)
        elif record.phase is not None:
            self._asking.ends(record, own)
        elif kind == kinds.Placed.name:
            self.placements.append(record)
            self.rank_of = rank_of(record)
        elif kind == kinds.Departed.name and record.peer is not None and record.rank is not None:
            self.rank_of[record.peer] = record.rank
        elif node is not None and kind == kinds.Started.name:
            self.started.setdefault(node, record)
        elif node is not None and record.amount_bytes is not None:
            self._read_loan(record, node, record.amount_bytes)

    def _read_loan(self, record: Record, node: int, size: int) -> None:
        if record.kind == kinds.Asked.name:
            self.asked.setdefault(node, size)
            self.asked_ns.setdefault(node, record.time_ns)
            self._open[node] += size
        elif record.kind == kinds.Answered.name:
            self._open[node] -= size
            if self._open[node] <= 0 and self.over is None:  # else it searches for the rest
                self.answered_ns.setdefault(node, record.time_ns)
        elif record.kind == kinds.Borrowed.name and self.over is not None:
            self.late_loans.append(record)
        elif record.kind == kinds.Borrowed.name:
            self.loans.append(record)
            if node not in self.started:
                self.got[node] += size

    def fails(self, record: Record) -> None:
        """Hear of a servent or node that fails, or is up again; what its client asked is void."""
        node = record.node
        if node is None or self.over is not None:
            return
        waits = node in self.rank_of and node not in self.started
        self._asking.fails(record, node, [self.rank_of[node]] if waits else [])
        if record.kind in (kinds.Crashed.name, kinds.Gone.name):
            self._open.pop(node, None)
        elif record.kind == kinds.Restarted.name and waits:
            self.asked.pop(node, None)  # it may lack something else now

    @property
    def placed(self) -> Record | None:
        """Its beginning; None if a part of a journal lacks it."""
        return self.placements[0] if self.placements else None

    @property
    def nodes(self) -> list[int]:
        """Where it has been."""
        return sorted({*self.rank_of, *(node for it in self.placements for node in rank_of(it))})

    @property
    def waiting(self) -> list[tuple[int, int]]:
        """Rank and node of each process that has not started."""
        if self.placed is None or self.placed.slot is None:  # load sharing has no grants
            return []
        ranks = {self.rank_of.get(node) for node in self.started}
        return [(rank, node) for node, rank in self.rank_of.items() if rank not in ranks]

    def broken_by(self, processes: Iterable[tuple[int, int]]) -> dict[Record | None, list[str]]:
        """The records since which processes wait in vain, the first one first, and who waits.

        One of whom no record tells waits behind the first; if none tells of any, for None.
        """
        until_ns = inf if self.over is None else self.over.time_ns
        broken = {it: self._asking.broke_off(*it, until_ns) for it in processes}
        known = sorted((it for it in broken.values() if it), key=lambda it: it.time_ns)
        found: dict[Record | None, list[str]] = {record: [] for record in known}
        found = found or {None: []}
        for (rank, node), record in broken.items():
            found[record or next(iter(found))].append(f"rank {rank} on node {node}")
        return found if broken else {}

    @property
    def doomed_by(self) -> Record | None:
        """The first record since which a process of it waits for its grant in vain, if any is."""
        return next(iter(self.broken_by(self.waiting)), None)

    @property
    def doomed_ns(self) -> int | None:
        """Since when it waits in vain, which may have been so before its placement."""
        record = self.doomed_by
        return None if record is None else self._felt_ns(record)

    def _felt_ns(self, record: Record) -> int:
        return record.time_ns if self.placed is None else max(record.time_ns, self.placed.time_ns)

    @property
    def waits_ns(self) -> list[int]:
        """How long each process waited that has asked for memory and got an answer."""
        return [until_ns - self.asked_ns[node] for node, until_ns in self.answered_ns.items()]

    @property
    def unmet(self) -> dict[int, int]:
        """Bytes that each process asked for and had not borrowed when it began.

        Later loans make good what lenders have called back.
        """
        return {node: max(0, size - self.got[node]) for node, size in self.asked.items()}

    @property
    def loans_of(self) -> dict[int, dict[int, int]]:
        """Bytes that each node has borrowed of each lender."""
        found: dict[int, dict[int, int]] = {}
        for loan in self.loans:
            of_node = found.setdefault(loan.node or 0, {})
            of_node[loan.peer or 0] = of_node.get(loan.peer or 0, 0) + (loan.amount_bytes or 0)
        return found

    @property
    def lenders(self) -> Counter[int]:
        """Bytes borrowed in all, by lender."""
        return sum((Counter(of_node) for of_node in self.loans_of.values()), Counter())

    def told(self, last_ns: int, has_ended: bool) -> list[tuple[str, str]]:
        """All of this, by headings, of a run that is known up to a time, and perhaps over."""
        parts = [*self._starts(), *self._waits(), *self._loans(), self.hangs(has_ended)]
        end = "not over", f"at {words.time(last_ns)}"
        if self.over is not None:
            crash = "" if self.crash is None else f", when {what_befell(self.crash)}"
            end = self.over.kind, f"at {words.time(self.over.time_ns)}{crash}"
        return [part for part in (*parts, end) if part]

    def _starts(self) -> Iterable[tuple[str, str]]:
        if self.placed is not None:
            nodes = f"node{'s' * (len(self.nodes) > 1)} {', '.join(intervals(self.nodes))}"
            slot = "" if self.placed.slot is None else f" in slot {self.placed.slot}"
            yield kinds.Placed.name, f"at {words.time(self.placed.time_ns)}{slot} on {nodes}"
        if self.waiting or self.started:
            last_ns = max((it.time_ns for it in self.started.values()), default=0)
            when = f", the last of them at {words.time(last_ns)}" if self.started else ""
            processes = words.count(len(self.rank_of), "process")
            yield kinds.Started.name, f"{len(self.started)} of {processes}{when}"

    def _waits(self) -> Iterable[tuple[str, str]]:
        if not self.asked_ns:
            return
        waits_ns, whole = self.waits_ns, sum(self.asked.values())
        got = f"{len(waits_ns) or 'none'} got an answer"
        if waits_ns:
            got += f", on average after {words.span(sum(waits_ns) / len(waits_ns))}"
        yield "asked for memory", f"{words.count(len(self.asked_ns), 'process')}, {got}"
        alone = [it for it in self.asked_ns if it in self.started and it not in self.answered_ns]
        unserved = [(self.started[it].rank or 0, it) for it in alone if not self.got[it]]
        if unserved:
            told = [self._since(*it, "since") for it in self.broken_by(unserved).items()]
            yield "started unserved", ", and ".join(told)
        if unmet := sum(self.unmet.values()):
            yield "unmet", f"{words.amount(unmet)} of {words.amount(whole)}"

    def _loans(self) -> Iterable[tuple[str, str]]:
        lenders = self.lenders
        whom = words.count(len(lenders), "node")
        text = f"{words.amount(sum(lenders.values()))} from {whom}" if lenders else "nothing"
        late = sum(loan.amount_bytes or 0 for loan in self.late_loans)
        more = f", {words.amount(late)} more when it was over" if late else ""
        yield kinds.Borrowed.name, text + more
        if self.lost:
            listed = _few([f"{words.cause(it)} at {words.time(it.time_ns)}" for it in self.lost])
            yield kinds.Lost.name, f"{words.count(len(self.lost), 'message')}: {listed}"

    def hangs(self, has_ended: bool) -> tuple[str, str] | None:
        """Which processes wait for a grant, and since which records in vain."""
        broken = self.broken_by(self.waiting)
        if not broken:
            return None
        since = "from" if self.over is not None else "since"
        told = ", and ".join(self._since(*it, since) for it in broken.items())
        if self.over is not None:
            return ("waited for a grant" if [*broken] == [None] else "waited in vain"), told
        if has_ended and [*broken] != [None]:
            return "hangs", told
        return "waits for a grant", told if [*broken] == [None] else f"still, {told}"

    def _since(self, record: Record | None, whose: list[str], since: str) -> str:
        who = _few(whose)
        if record is None:
            return f"until then: {who}" if self.over is not None else f"still: {who}"
        felt_ns, what = self._felt_ns(record), what_befell(record)
        on = " on" if since == "from" else ""
        why = f"when {what}"
        if record.time_ns < felt_ns:
            why = f"for {what} at {words.time(record.time_ns)}"
        return f"{since} {words.time(felt_ns)}{on}, {why}: {who}"


def rank_of(placed: Record) -> dict[int, int]:
    """Where a job is placed: its ranks by node."""
    nodes = kinds.Placed.contents(placed.payload or "").nodes
    return {node: rank for rank, node in enumerate(nodes)}


def what_befell(record: Record) -> str:
    """A loss, or what became of a node or servent, as a clause."""
    if record.kind == kinds.Lost.name:
        return f"{words.cause(record)} was lost"
    whose = f"node {record.node}" if record.what == "node" else f"the servent of node {record.node}"
    return f"{whose} {'left' if record.kind == kinds.Gone.name else record.kind}"


def _few(texts: Sequence[str]) -> str:
    more = len(texts) - _FEW
    return ", ".join(texts[:_FEW]) + (f", and {more} more" if more > 0 else "")
