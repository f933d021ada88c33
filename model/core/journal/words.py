"""A record, a step, an id, an amount and a time in words: for terminal, story, page and dashboard.

The sentence of a record of each kind stands with its kind, as a template (`Kind.sentence`).
"""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import cast

from model.core.journal.kinds import (
    KINDS,
    OF_MESSAGES,
    WAY_ENDS,
    Belief,
    Queued,
    Record,
    Resumed,
    Suspended,
    identity,
    is_detail,
)
from model.ground.errors import InputError, cut
from model.ground.units import NS_PER_MS, megabytes, seconds

#: By the category of an id: failure, message, disk, process, scheduler, loan, timer, note.
LETTERS = "fmdpsltn"
#: What the parts of a job's time are called (`Spent` in kinds.py), in the order of a picture.
SPENT = {
    "waiting": "waiting to be placed",
    "grant": "waiting for a grant",
    "computing": "computing",
    "cpu": "computing",
    "disk_faults": "pages from the disk",
    "paging": "pages from the disk",
    "network_faults": "pages over the network",
    "barriers": "barriers",
    "moving": "moving to another node",
    "migration": "moving to another node",
    "queueing": "waiting for the CPU",
    "io": "input and output",
    "switched_out": "switched out",
    "lost": "lost in attempts that crashes ended",
}
_UNITS = ((10**9, "s"), (10**6, "ms"), (10**3, "µs"), (1, "ns"))
_PIECE = re.compile(r"(\[[^]]*\])")  # of a template: left out where a field of it is missing


# Numbers


def amount(size_bytes: float) -> str:
    """Bytes in MB, unless they are so few that these would be none."""
    text = f"{megabytes(size_bytes):,.2f} MB"
    return f"{size_bytes:,.0f} bytes" if size_bytes and text.strip("-") == "0.00 MB" else text


def time(time_ns: int) -> str:
    """A moment, to the microsecond."""
    return f"{seconds(time_ns):.6f} s"


def count(number: int, noun: str) -> str:
    """So many of something: "1 context switch", "3 nodes"."""
    plural = "es" if noun.endswith(("ch", "ss")) else "s"
    return f"{number:,} {noun}{plural * (number != 1)}"


def unit_of(span_ns: float, at_least: float = 1) -> tuple[int, str]:
    """The largest unit, in ns and by name, of which the span has `at_least` so many, or else ns."""
    return next((unit for unit in _UNITS if span_ns >= at_least * unit[0]), _UNITS[-1])


def span(span_ns: float, digits: int = 4) -> str:
    """A span with so many digits and its unit, never with a power of ten; 0 is so many seconds."""
    unit_ns, unit = unit_of(abs(span_ns)) if span_ns else _UNITS[0]
    count = span_ns / unit_ns
    rounded = f"{count:.0f}" if abs(count) >= 10**digits else f"{count:.{digits}g}"
    return f"{Decimal(rounded):,f} {unit}"


# Ids


def short(number: int) -> str:
    """An id for people: a letter for what counts it, its agent, and its count there."""
    category, rest = number >> 60 & 7, number & ((1 << 60) - 1)
    return f"{LETTERS[category]}{rest >> 36}.{rest & ((1 << 36) - 1)}"


def number_of(text: str) -> int:
    """The id that a text names, short or as a number; raises InputError if it is none."""
    if re.fullmatch(r"-?\d{1,19}", text):  # as many as 64 bits have
        return int(text)
    found = re.fullmatch(rf"#?([{LETTERS}])(\d{{1,19}})\.(\d{{1,19}})", text)
    if found is None:
        raise InputError(f"--record {cut(text)}: give an id as stories show them, such as m6.25")
    letter, agent, count = found.groups()
    return identity(LETTERS.index(letter), int(agent), int(count))


# Records


def place(record: Record) -> str:
    """Where it happened: a node, or the scheduler."""
    return "scheduler" if record.node is None else f"node {record.node}"


def sentence(record: Record, believed: Belief | None = None) -> str:
    """A record as a sentence of its own: "node 3 lends 4.00 MB, for job 7".

    A decision leaves out what its search has written before: `believed` is then what was believed
    of the node chosen (see `over_time.decisions`).
    """
    template = KINDS[record.kind].sentence if record.kind in KINDS else "{kind}"
    about = "" if record.job is None or "{job}" in template else f", for job {record.job}"
    return _filled(template, record, believed) + about


def sentence_with_time(record: Record | None) -> str:
    """What happened, and when; of no record, that nothing did."""
    if record is None:
        return "nothing more"
    return f"{time(record.time_ns)}, {sentence(record)}"


def clause(record: Record, believed: Belief | None = None) -> str:
    """The same without where it happened, and without its job: "lends 4.00 MB"."""
    here = f"node {record.node}"
    template = KINDS[record.kind].sentence if record.kind in KINDS else "{kind}"
    text = _filled(template, record, believed)
    return text.removeprefix(f"{here}: ").removeprefix(f"{here} ")


def cause(record: Record) -> str:
    """What led to something: a message by its way, whatever of it is recorded; else a sentence."""
    if record.kind not in OF_MESSAGES:
        return sentence(record)
    ends = record.node, record.peer
    source, target = ends[::-1] if record.kind in WAY_ENDS else ends
    return f"{record.what} from node {source} to node {target}"


def belief(of: Belief) -> str:
    """What was believed of the node chosen, and what was true."""
    if of.believed is None or of.stated_ns is None:
        return f"without a load report; {_in_truth(of)}"
    verb = "have" if of.believed >= 0 else "lack"
    return (
        f"believed to {verb} {_load(of.believed, of.ram)} since {time(of.stated_ns)}; "
        f"{_in_truth(of)}"
    )


def _in_truth(of: Belief) -> str:
    """What a node has left of its RAM, or lacks."""
    return f"it {'has' if of.true >= 0 else 'lacks'} {_load(of.true, of.ram)}"


def _load(load: int, ram: int | None) -> str:
    """So many bytes left or lacking; where shares of the RAM were compared, that share too."""
    share = "" if ram is None else f" ({abs(load) / ram:.1%} of its RAM)"
    return f"{amount(abs(load))}{share}"


def is_worth_a_line(record: Record) -> bool:
    """Whether a log has a line for a record: not for what pages, barriers or switched jobs do."""
    silent = Resumed.name, Suspended.name, Queued.name
    return not is_detail(record) and record.kind not in silent


def _filled(template: str, record: Record, believed: Belief | None) -> str:
    """The template with a record's fields, of which values may hold braces and brackets."""
    fields: dict[str, object] = record._asdict()
    if record.kind in KINDS:
        fields |= KINDS[record.kind].words(record)
    known = {name: value for name, value in fields.items() if value is not None}
    for name in [name for name in known if name.endswith("_bytes")]:
        known[name.removesuffix("_bytes")] = amount(cast(int, known[name]))
    if record.end_ns is not None:
        known["end"] = time(record.end_ns)
    if record.start_ns is not None and (waited_ns := record.start_ns - record.time_ns) > 0:
        known["waited"] = f"{waited_ns / NS_PER_MS:.3f} ms"
    if (of := believed or known.get("belief")) is not None:
        known["belief"] = belief(cast(Belief, of))
    return "".join(_piece(text, fields | known) for text in _PIECE.split(template))


def _piece(text: str, fields: Mapping[str, object]) -> str:
    """A part of a template; one in brackets is left out where the record lacks a field of it."""
    names = re.findall(r"{(\w+)}", text) if text.startswith("[") else ()
    if any(fields.get(name) is None for name in names):
        return ""
    return (text[1:-1] if names else text).format_map(fields)
