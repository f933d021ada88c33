"""The message flow of one job's start and end: as text, and as a Mermaid sequence diagram."""

import json
from dataclasses import dataclass
from itertools import groupby

from agents.messages import BARRIER_TRAFFIC, PAGE_TRAFFIC
from model.journal import Record
from model.units import NS_PER_MS, megabytes, seconds


@dataclass(frozen=True)
class Arrow:
    """One protocol message, or a broadcast to several servents."""

    place: int  # in the journal
    sent_ns: int
    source: int
    targets: list[int]
    kind: str
    amount: int | None  # bytes it is about
    answers: list[tuple[int, int]]  # (server, amount) pairs it carries
    took_ns: int  # until it (the last of them) was delivered

    def says(self) -> str:
        """Its kind and amount, for people."""
        text = self.kind
        if self.kind == "LoadBroadcast":
            return f"{text} to {len(self.targets)} servents"
        if self.amount is not None:
            text += f" {megabytes(self.amount):.2f} MB"
        if self.answers:
            lenders = ", ".join(f"{server}: {megabytes(part):.2f}" for server, part in self.answers)
            text += f" ({lenders})"
        return text


class Flow:
    """A reader of the journal that keeps what one job's servents say to each other.

    `job` is its number in the trace; order is that of sending.
    """

    def __init__(self, job: int) -> None:
        self.job = job
        self._records: list[Record] = []

    def read(self, record: Record) -> None:
        """Keep a record if it is about the job, and no page or barrier."""
        if record.job == self.job and record.what not in DATA_TRAFFIC:
            self._records.append(record)

    def arrows(self) -> list[Arrow]:
        """The protocol messages; those of one broadcast together."""
        delivered = {r.id: r.time_ns for r in self._records if r.kind == "delivered"}
        places = {r.id: place for place, r in enumerate(self._records) if r.kind == "sent"}
        sent = [record for record in self._records if record.kind == "sent"]
        arrows = []
        for _, group in groupby(sent, key=_broadcast_or_itself):
            messages = list(group)
            first = messages[0]
            arrows.append(
                Arrow(
                    place=places[first.id],
                    sent_ns=first.time_ns,
                    source=first.node,
                    targets=[message.peer for message in messages],
                    kind=first.what,
                    amount=first.amount_bytes,
                    answers=_pairs(first),
                    took_ns=max(delivered[message.id] for message in messages) - first.time_ns,
                )
            )
        return arrows

    def text(self) -> str:
        """One line for each event of the job, in order: when, what, how long it took."""
        lines = [
            (place, record.time_ns, text)
            for place, record in enumerate(self._records)
            if (text := _event(record))
        ]
        for arrow in self.arrows():
            targets = (
                f"node {arrow.targets[0]}" if len(arrow.targets) == 1 else _range(arrow.targets)
            )
            took_ms = arrow.took_ns / NS_PER_MS
            way = f"node {arrow.source} -> {targets}"
            lines.append(
                (arrow.place, arrow.sent_ns, f"{way:24} {arrow.says()}  [{took_ms:.3f} ms]")
            )
        return "\n".join(
            f"{seconds(time_ns):16.6f} s  {text}" for _, time_ns, text in sorted(lines)
        )

    def mermaid(self) -> str:
        """A Mermaid sequence diagram, as Markdown viewers draw it."""
        arrows = self.arrows()
        placed = next(record for record in self._records if record.kind == "placed")
        managers = {a.targets[0] for a in arrows if a.kind in ("RamRequest", "ReleaseNotice")}
        single = [arrow for arrow in arrows if arrow.kind != "LoadBroadcast"]
        members = {node for arrow in single for node in (arrow.source, *arrow.targets)}
        members |= {arrow.source for arrow in arrows}
        lines = ["sequenceDiagram"]
        for node in sorted(members, key=lambda node: (node not in managers, node)):
            role = " (manager)" if node in managers else ""
            lines.append(f"    participant N{node} as node {node}{role}")
        if not members:
            node = json.loads(placed.payload)["nodes"][0]
            lines.append(f"    participant N{node} as node {node}")
            lines.append(f"    Note over N{node}: job {self.job} needs no messages")
        phase = ""
        for arrow in arrows:
            now = "end" if arrow.kind in ENDING else "start" if arrow.kind in STARTING else phase
            if now != phase:
                phase = now
                lines.append(
                    f"    Note over N{arrow.source}: {phase} of job {self.job}, "
                    f"{seconds(arrow.sent_ns):.6f} s"
                )
            if arrow.kind == "LoadBroadcast":
                lines.append(f"    Note over N{arrow.source}: {arrow.says()}")
            else:
                lines.append(f"    N{arrow.source}->>N{arrow.targets[0]}: {arrow.says()}")
        return "\n".join(lines)


DATA_TRAFFIC = tuple(content.__name__ for content in PAGE_TRAFFIC + BARRIER_TRAFFIC)
STARTING = ("RamRequest", "ServerRequest", "ServerReply", "RamGrant")
ENDING = ("ReleaseNotice", "ServerRelease", "ReleaseAck")


def _broadcast_or_itself(record: Record) -> tuple[int, int, int]:
    if record.what == "LoadBroadcast":
        return record.time_ns, record.node, record.cause
    return record.time_ns, record.node, -record.id


def _pairs(record: Record) -> list[tuple[int, int]]:
    says = json.loads(record.payload) if record.payload else {}
    return [(pair[0], pair[1]) for pair in says.get("loans") or says.get("returns") or []]


def _event(record: Record) -> str | None:
    match record.kind:
        case "submitted":
            return f"job {record.job} is submitted"
        case "placed":
            nodes = _range(json.loads(record.payload)["nodes"])
            size = megabytes(record.amount_bytes)
            return f"placed in slot {record.slot} on {nodes}, {size:.2f} MB each"
        case "started" | "finished":
            return f"node {record.node}: rank {record.rank} {record.kind}"
        case "ended":
            return f"job {record.job} has ended"
        case "lent" | "returned":
            return f"node {record.node}: {megabytes(record.amount_bytes):.2f} MB {record.kind}"
    return None


def _range(nodes: list[int]) -> str:
    """Node numbers for people: nodes 0-3, 7."""
    runs: list[list[int]] = []
    for node in nodes:
        if runs and node == runs[-1][-1] + 1:
            runs[-1].append(node)
        else:
            runs.append([node])
    text = ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)
    return f"node{'s' if len(nodes) > 1 else ''} {text}"
