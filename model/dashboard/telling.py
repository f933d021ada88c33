"""What happened, in words: one record as a line of the log, and all that a step has passed."""

from collections import Counter
from collections.abc import Iterable

from agents.messages import DATA_PHASES
from model.core.journal.kinds import Record
from model.dashboard.state import is_detail
from model.ground.units import megabytes

_JOB_WORDS = {
    "submitted": "is submitted",
    "placed": "is placed",
    "resumed": "runs",
    "suspended": "is switched out",
    "held": "is held back",
    "moved": "moves",
    "ended": "ends",
    "killed": "is killed",
    "failed": "has failed",
}
_FAILURES = {
    "crashed": "crashes",
    "restarted": "begins anew",
    "paused": "pauses",
    "continued": "goes on",
}
_MOST_JOBS_NAMED = 5


def is_logged(record: Record) -> bool:
    """Whether the log has a line for a record: not for hops, pages, barriers and switching jobs."""
    return not is_detail(record) and record.kind not in ("hop", "resumed", "suspended")


def told(record: Record) -> str:
    """One record in words."""
    kind, size = record.kind, _mb(record)
    about = "" if record.job is None else f", job {record.job}"
    if kind in ("sent", "delivered", "lost"):
        source, target = record.node, record.peer
        if kind != "sent":
            source, target = target, source
        verb = {"sent": "is sent", "delivered": "arrives", "lost": "is lost"}[kind]
        way = f"{source} → itself" if source == target else f"{source} → {target}"
        return f"{record.what} {way} {verb}{size}{about}"
    if kind == "hop":
        return f"{record.what} {record.node} → {record.peer} reaches {record.station}{about}"
    if kind in ("lent", "returned"):
        verb = "lends" if kind == "lent" else "gets back"
        return f"node {record.node} {verb}{size.replace(',', '')}{about}"
    if kind in ("borrowed", "given back"):
        verb, way = ("borrows", "from") if kind == "borrowed" else ("gives back", "to")
        return f"node {record.node} {verb}{size.replace(',', '')} {way} {record.peer}{about}"
    if kind == "decided":
        chosen = "nobody" if record.peer is None else f"node {record.peer}"
        return f"node {record.node} chooses {chosen}{about}"
    if kind == "switch":
        return f"context switch to slot {record.slot}"
    if kind == "switched":
        return f"slot {record.slot} runs"
    if kind == "unified":
        return f"slots are united in slot {record.slot}"
    if kind in _FAILURES:
        who = f"node {record.node}" if record.what == "node" else f"servent {record.node}"
        return f"{who} {_FAILURES[kind]}"
    if record.rank is not None:
        way = {"departed": f" to node {record.peer}", "arrived": f" from node {record.peer}"}
        told = f"{kind}{way.get(kind, '')}{size}"
        return f"process {record.rank} of job {record.job} on node {record.node}: {told}"
    if record.job is not None and kind in _JOB_WORDS:
        return f"job {record.job} {_JOB_WORDS[kind]}"
    where = "" if record.node is None else f" on node {record.node}"
    return f"{kind} {record.what or ''}{where}{about}".strip()


def told_step(records: Iterable[Record]) -> str:
    """What all these records come to, in a line; empty if nothing is worth a word."""
    arrived, lent, jobs, others = Counter[str](), Counter[str](), dict[str, list[int]](), Counter()
    for record in records:
        kind = record.kind
        if kind in ("sent", "hop"):
            continue
        if kind == "delivered":
            if record.phase in DATA_PHASES:
                others["messages about pages and barriers"] += 1
            else:
                arrived[record.what] += 1
        elif kind == "lost":
            others["lost messages"] += 1
        elif kind in ("lent", "returned"):
            lent[kind] += record.amount_bytes
        elif kind == "disk":
            others["disk reads"] += 1
        elif kind == "switch":
            others["context switches"] += 1
        elif record.rank is None and kind in _JOB_WORDS and is_logged(record):
            jobs.setdefault(kind, []).append(record.job)
    parts = []
    if arrived:
        counts = ", ".join(f"{count:,} {kind}" for kind, count in arrived.most_common())
        parts.append(f"arrived: {counts}")
    for kind, amount in lent.items():
        parts.append(f"{megabytes(amount):,.1f} MB {kind}")
    for kind, numbers in jobs.items():
        some = ", ".join(map(str, numbers[:_MOST_JOBS_NAMED]))
        more = len(numbers) - _MOST_JOBS_NAMED
        parts.append(f"{kind}: job {some}" + (f" and {more:,} more" if more > 0 else ""))
    parts += [f"{count:,} {what}" for what, count in others.items()]
    return "; ".join(parts)


def _mb(record: Record) -> str:
    return "" if record.amount_bytes is None else f", {megabytes(record.amount_bytes):,.2f} MB"
