"""Messages as arrows, and arrows as a Mermaid sequence diagram."""

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeVar

from agents.messages import DATA_PHASES
from model.core.journal import words
from model.core.journal.kinds import WAY_ENDS, Lost, Record, Sent
from model.ground.errors import InputError
from model.ground.text import in_lines
from model.ground.units import NS_PER_MS, NS_PER_S
from model.pnr.waste import USED, USES

MOST_ARROWS = 60  # more make a diagram unreadable
_TELLING = "telling"  # the phase of what may be a broadcast
FEWEST = 8  # messages that are alike are one arrow
_CLOSE_NS = NS_PER_S // 10
_USES = (None, *USES)

T = TypeVar("T")
Vertex = int | str  # a node by its number, a switch by its name


@dataclass(frozen=True)
class Arrow:
    """A message, those of one broadcast or other fan, or a message's way to or from a switch."""

    id: int  # of the (first) message
    job: int | None
    kind: str
    phase: str
    hears: str  # the receiver's role
    source: Vertex
    targets: tuple[Vertex, ...]
    sent_ns: int
    delivered_ns: int | None  # when the last of them arrived or was lost; None while on the way
    amount: int | None = None  # bytes that it is about
    lost: int = 0  # how many of the messages did not reach their servent
    use: str | None = None  # what it was good for; of a broadcast, the best use of any
    count: int = 1  # how many messages it stands for
    is_into: bool = False  # whether the targets send to the source instead

    @property
    def broadcast(self) -> bool:
        """Whether it stands for several messages, mostly to as many nodes."""
        return self.count > 1

    @property
    def to_itself(self) -> bool:
        """Whether a node sends it to itself."""
        return self.targets == (self.source,)

    def text(self, timed: bool = True) -> str:
        """Kind, to or from how many, amount, what it was good for, and how long it took."""
        parts = [self.kind]
        if self.broadcast:
            number = f"{self.count} " if self.count > len(self.targets) else ""
            several = len(self.targets) > 1
            whom = f"{len(self.targets)} servents" if several else f"node {self.targets[0]}"
            parts.append(f"{number}{'from' if self.is_into else 'to'} {whom}")
            if self.lost:
                parts.append(f"{self.lost} lost")
        if self.amount is not None and not (self.broadcast and self.amount == 0):
            parts.append(words.amount(self.amount))
        if self.use is not None and self.use != USED:
            parts.append(self.use)
        if self.delivered_ns is None:
            parts.append("on its way")
            return " · ".join(parts)
        took = f"{(self.delivered_ns - self.sent_ns) / NS_PER_MS:.3f} ms"
        if self.lost and not self.broadcast:
            parts.append(f"{Lost.name} after {took}" if timed else Lost.name)
        elif timed and not self.to_itself:
            parts.append(took)
        return " · ".join(parts)


def arrows_of(
    records: Iterable[Record],
    use_of: Mapping[int, str] = MappingProxyType({}),
    folded: bool = False,
) -> list[Arrow]:
    """The messages among records, in the order of sending; those of a broadcast are one arrow.

    If they are `folded`, so are those of any other fan of many.
    """
    records = list(records)
    ended = [record for record in records if record.kind in WAY_ENDS]
    delivered = {record.id: record.time_ns for record in ended}
    lost = {record.id for record in ended if record.kind == Lost.name}
    sent = [record for record in records if record.kind == Sent.name]
    arrows = []
    fan_of = fans_among(sent) if folded else {}
    groups: dict[object, list[Sent]] = {}
    for message in sent:
        key = fan_of.get(message.id) or _broadcast_or_itself(message)
        groups.setdefault(key, []).append(Sent.of(message))
    for messages in groups.values():
        first = messages[0]
        into = fan_of.get(first.id, ("", 0))[0] == "to"
        hub = first.peer if into else first.node
        others = [message.node if into else message.peer for message in messages]
        amounts = {message.amount_bytes for message in messages}
        ends = [delivered[message.id] for message in messages if message.id in delivered]
        arrows.append(
            Arrow(
                first.id,
                first.job,
                first.what,
                first.phase,
                first.hears,
                hub,
                tuple(dict.fromkeys(others)),
                first.time_ns,
                max(ends) if len(ends) == len(messages) else None,
                first.amount_bytes if len(amounts) == 1 else None,
                sum(message.id in lost for message in messages),
                max((use_of.get(it.id) for it in messages), key=_USES.index),
                len(messages),
                into,
            )
        )
    return arrows


def lifelines(shown: list[Arrow], room: int = 0) -> list[Vertex]:
    """The members of a diagram, switches last.

    Those that only hear broadcasts are members if all of them together are at most `room`.
    """
    members = {arrow.source for arrow in shown}
    members.update(arrow.targets[0] for arrow in shown if len(arrow.targets) == 1)
    everybody = members.union(*(arrow.targets for arrow in shown))
    chosen = everybody if len(everybody) <= room else members
    return sorted(chosen, key=lambda vertex: (isinstance(vertex, str), vertex))


def managers_among(arrows: list[Arrow]) -> set[Vertex]:
    """The nodes that manage, according to the arrows."""
    heard = [arrow for arrow in arrows if arrow.hears == "manager"]
    # news among managers also reaches managers that have nothing to do with this job
    nodes = {a.source if a.phase == _TELLING or a.is_into else a.targets[0] for a in heard}
    return {node for node in nodes if isinstance(node, int)}


def page_of(items: list[T], page: int, room: int, what: str) -> tuple[list[T], str]:
    """The items of a page, and for people which of them these are; empty if they are all.

    Raises InputError if there is no such page.
    """
    pages = max(1, -(-len(items) // room))
    if not 1 <= page <= pages:
        raise InputError(f"--page: there are pages 1 to {pages} (not {page})")
    first = (page - 1) * room
    here = items[first : first + room]
    if pages == 1:
        return here, ""
    return here, (
        f"; {what} {first + 1:,} to {first + len(here):,} of {len(items):,} "
        f"(page {page} of {pages:,})"
    )


def left_out(arrows: list[Arrow], page: int = 1) -> str:
    """What a page of a diagram leaves out, for people; empty if nothing is."""
    _, shown = page_of(arrows, page, MOST_ARROWS, "Arrows")
    if not shown:
        return ""
    first = (page - 1) * MOST_ARROWS
    counts = Counter[str]()
    for arrow in arrows[:first] + arrows[first + MOST_ARROWS :]:
        if not arrow.to_itself:
            counts[arrow.kind] += arrow.count
    listed = ", ".join(f"{count:,} {kind}" for kind, count in counts.items())
    return f"{shown.removeprefix('; ')}; messages left out: {listed}"


def mermaid(arrows: list[Arrow], page: int = 1) -> str:
    """A Mermaid sequence diagram of a page of arrows, as Markdown viewers draw it.

    Answers are dashed, as in pictures. A note names what is left out.
    """
    from model.views.style import ANSWERS  # matplotlib is slow to import

    shown, _ = page_of(arrows, page, MOST_ARROWS, "Arrows")
    managers = managers_among(arrows)
    members = lifelines(shown)
    names = {
        member: f"S{place}" if isinstance(member, str) else f"N{member}"
        for place, member in enumerate(members)
    }
    lines = ["sequenceDiagram"]
    for member in sorted(members, key=lambda member: member not in managers):
        role = " (manager)" if member in managers else ""
        title = member if isinstance(member, str) else f"node {member}"
        lines.append(f"    participant {names[member]} as {title}{role}")
    phases: dict[int, str] = {}  # by job
    for arrow in shown:
        here = names[arrow.source]
        job, passing = arrow.job, arrow.phase in (_TELLING, *DATA_PHASES)
        if job is not None and not passing and phases.get(job) != arrow.phase:
            phases[job] = arrow.phase
            when = words.time(arrow.sent_ns)
            lines.append(f"    Note over {here}: {arrow.phase} of job {job}, {when}")
        if arrow.broadcast:
            lines.append(f"    Note over {here}: {arrow.text()}")
        else:
            way = "-" * (arrow.kind in ANSWERS) + ("-x" if arrow.lost else "->>")
            lines.append(f"    {here}{way}{names[arrow.targets[0]]}: {arrow.text()}")
    if rest := left_out(arrows, page):
        lines.append(f"    Note over {names[members[0]]}: {rest}")
    return in_lines(lines).replace(";", ",")  # a semicolon would end the line in Mermaid


class Fans:
    """Which messages are alike and close in time, of one sender or to one receiver.

    Alike are those of a kind and phase about a job, if all are about some memory or all about none.
    """

    def __init__(self) -> None:
        self._numbers = itertools.count()
        self._latest: dict[tuple[object, ...], tuple[int, int]] = {}  # a fan, and when it last grew

    def of(self, sent: Record) -> tuple[int, int]:
        """The numbers of its sender's fan and of its receiver's; (-1, -1) if it is in none."""
        if sent.node == sent.peer or sent.phase in DATA_PHASES:
            return -1, -1
        like = sent.what, sent.phase, sent.job, sent.amount_bytes == 0
        out, into = ("from", sent.node, *like), ("to", sent.peer, *like)
        return self._number(out, sent.time_ns), self._number(into, sent.time_ns)

    def _number(self, alike: tuple[object, ...], time_ns: int) -> int:
        fan, last_ns = self._latest.get(alike, (-1, 0))
        if fan < 0 or time_ns - last_ns > _CLOSE_NS:
            fan = next(self._numbers)
        self._latest[alike] = fan, time_ns
        return fan


def fans_among(sent: Sequence[Record]) -> dict[int, tuple[str, int]]:
    """By id, the larger fan of each message that is in one of many: its way, and its number."""
    fans = Fans()
    both = {message.id: fans.of(message) for message in sent}
    sizes = Counter(fan for pair in both.values() for fan in pair if fan >= 0)
    found = {
        number: ("from", out) if sizes[out] >= sizes[into] else ("to", into)
        for number, (out, into) in both.items()
    }
    sizes = Counter(fan for _, fan in found.values())
    return {number: it for number, it in found.items() if it[1] >= 0 and sizes[it[1]] >= FEWEST}


def _broadcast_or_itself(record: Record) -> tuple[int | str, ...]:
    if record.phase == _TELLING:
        sent = Sent.of(record)
        return sent.time_ns, sent.node, sent.cause, sent.what
    return (record.id,)


def intervals(numbers: Sequence[int]) -> list[str]:
    """Numbers in order as intervals: 0-3 and 7."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return [str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs]
