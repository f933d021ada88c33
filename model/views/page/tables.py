"""The tables of a run that the page draws, made from its journal as it is read.

Records become *items*: a message with its sending, hops and arrival is one, and so is each other
record. -1 stands for what an item does not have; times are ns, sizes bytes. A run that goes on has
new rows all the time; of older ones only a message's end and its use may change.
"""

from array import array
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from agents.messages import DATA_PHASES
from model.core.journal import kinds, past
from model.core.journal.file import rows
from model.core.journal.kinds import Record
from model.core.journal.over_time import Outages, Span, of_jobs
from model.core.journal.words import LETTERS, sentence, span, time
from model.core.scenario import BaseScenario
from model.ground.errors import InputError
from model.ground.text import escaped
from model.pnr import waste
from model.views import style
from model.views.caption import caption
from model.views.differences import Run, items_of
from model.views.flow import Fans
from model.views.outcomes import Outcome, Outcomes, never_end
from model.views.page.contents import contents
from model.views.page.layout import Layout
from model.views.page.packing import Columns
from model.views.recording import Recording, Selection

#: Columns that mostly rise from row to row.
RISING = ("time", "item", "node_of_memory", "id_low")
_WORDS = ("kind", "what", "phase", "hears")
_NUMBERS = ("job", "rank", "node", "peer", "slot", "size_bytes", "amount_bytes")
_ITEMS = (
    *("time", *_WORDS, "sentence", "content"),
    *(name.removesuffix("_bytes") for name in _NUMBERS),
    *("id_high", "id_low", "back", "caused", "alike"),
    *("out", "into"),  # of a message, by number: its fans
    *("lasts", "lost", "use"),  # these may change
)
_CHANGE = ("lasts", "lost", "use")
#: What many items have in common, and what each has of its own; its `turn` among its like.
_LOOKS = (*_WORDS, "sentence", *(name.removesuffix("_bytes") for name in _NUMBERS), "alike")
_OWN = (*("time", "look", "content", "id_high", "id_low", "back", "caused", "turn"), *_ITEMS[-5:])
_LASTS, _LOST, _USE = map(_OWN.index, _CHANGE)
#: Of a record's fields those that make its look, beside its contents.
_WHAT = slice(Record._fields.index("kind"), Record._fields.index("id"))
_ABOUT = slice(Record._fields.index("job"), Record._fields.index("start_ns"))
_HOPS = ("item", "station", "at", "waits", "lasts", "way")
_WINDOWS = ("station", "at", "lasts", "services", "delay", "peak")  # of `core/journal/queues.py`
#: Of a choice (an item): who could have been chosen, of so many; whether anything was known, what
#: was believed, when that was stated, what was true; whether its search has chosen it before; of
#: which RAM a share was compared, or 0.
_CANDIDATES = (
    *("choice", "group", "all", "candidate"),
    *("known", "believed", "stated", "true", "before", "ram"),
)
_MOST_CANDIDATES = 20  # those with the most in truth
_MEMORY = ("node_of_memory", "at", *past.Parts._fields)
_JOBS = ("job", "slot", "first", "last", "state", "start", "end", kinds.Killed.name)
#: States of a job on its nodes, as the page knows them.
_OUT, _RUNS, _WAITS, _STUCK = range(4)
_STATES = {past.SWITCHED_OUT: _OUT, past.RUNNING: _RUNS, past.GRANT: _WAITS}
#: What it means that messages were of a use, and how they are drawn.
USES_IN_WORDS = {
    waste.REFUSED: "an answer that grants no memory; its arrow head is hollow",
    waste.UNUSED: "carries neither memory nor load reports; pale",
    waste.OUTDATED: "load reports that no decision used; pale",
    waste.USED: "all other messages that arrived",
    waste.DECISIVE: "without it a role would have chosen another node, or none; bold",
}
_LOW = 36  # bits of an id that count; above them are its category and its agent
_TURN = 1 << 24  # more than there are groups of what is alike


class Codes(dict[Any, int]):
    """A number for each thing that is asked for, in turn; -1 for None."""

    def __init__(self) -> None:
        super().__init__({None: -1})

    def __missing__(self, thing: Hashable) -> int:
        code = self[thing] = len(self) - 1
        return code

    def after(self, first: int) -> list[Any]:
        """The things from a number on."""
        return [*self][first + 1 :]


class Seen(NamedTuple):
    """How many rows and texts of each sort one has."""

    items: int = 0
    hops: int = 0
    windows: int = 0
    memory: int = 0
    jobs: int = 0
    candidates: int = 0
    changes: int = 0
    outcomes: int = 0
    texts: int = 0
    ways: int = 0


class Part(NamedTuple):
    """Of the tables of a run what has come since one has looked last."""

    tables: Mapping[str, Columns]
    about: dict[str, Any]
    texts: list[str]
    seen: Seen


class Tables:
    """A reader of a run's journal that makes its tables, as far as it has read."""

    def __init__(
        self,
        scenario: BaseScenario,
        constants: Any,
        likeness: Codes,
        layout: Layout | None,
        whole: bool = True,
    ) -> None:
        """`whole`: whether the journal is; of a part, no message has a use.

        Items of several runs of one `likeness` are alike if they are the n-th of the same kind,
        job, rank, nodes and slot.
        """
        self.rams: Sequence[int] = constants.rams
        self.cores = max(getattr(constants, "cores", (1,)))  # the most of a node
        self.last_ns = 0
        self.outcomes = Outcomes()
        self._lends = scenario.lends_memory
        self._likeness, self._layout = likeness, layout
        self._turns = Counter[int]()
        self._fans = Fans()
        self._waste = (
            waste.Waste(constants.rams, constants.threshold, self._changed)
            if whole and scenario.lends_memory
            else None
        )
        self._past = self._waste.past if self._waste else past.Past(scenario.nodes, self._changed)
        self._spans, self._outages = of_jobs(), Outages()
        self._items, self._hops, self._windows = _Rows(_OWN), _Rows(_HOPS), _Rows(_WINDOWS)
        self._looks = _Rows(_LOOKS)
        self._look_of: dict[tuple[object, ...], int] = {}
        self._likes = array("q")  # by look
        self._memory, self._jobs = _Rows(_MEMORY), _Rows(_JOBS)
        self._candidates = _Rows(_CANDIDATES)
        #: By node and role: its search, and whom it has chosen in it.
        self._searches: dict[tuple[int, str], tuple[object, list[int | None]]] = {}
        self._spans_read = 0
        self._kills: set[tuple[int, int]] = set()  # jobs, and when
        self._jobs_read = array("q")  # whose outcomes have changed, in turn
        self._knows_memory = True
        self._kinds: dict[str, None] = {}  # of messages
        self._changes = array("q")  # items that have changed since they were begun
        self._item_of: dict[int, int] = {}  # the first by id
        self._words = {name: Codes() for name in (*_WORDS, "station")}
        self._texts = Codes()
        self._carried: tuple[object, int] = (None, -1)  # by the message sent last
        self._ways = Codes()
        #: By a station and the ends of a message: the codes of the station and of its way.
        self._served: dict[tuple[str, int | None, int | None], tuple[int, int]] = {}
        self._touched: dict[int, past.PastNode] = {node.number: node for node in self._past.nodes}
        self._parts: dict[int, past.Parts] = {}  # what nodes had last

    def read(self, record: Record) -> None:
        """Take in the next record."""
        self.reach(record.time_ns)
        if record.kind == kinds.Queued.name:
            self._count(record)
            return
        if not (of_detail := kinds.is_detail(record)):
            (self._waste or self._past).read(record)
        is_message = record.kind in kinds.OF_MESSAGES
        item = self._item_of.get(record.id) if is_message else None
        if item is None:
            item = self._begin(record, is_message)
        if record.station is not None:
            self._serve(record)
        if record.kind in kinds.WAY_ENDS:
            lasts_ns = record.time_ns - self._items.of(item, 0)
            self._change(item, _LASTS, lasts_ns)
            if record.kind == kinds.Lost.name:
                self._change(item, _LOST, 1)
                self._change(item, _USE, len(waste.USES))
        elif record.kind == kinds.Killed.name and record.job is not None:
            self._kills.add((record.job, record.time_ns))
        elif record.kind == kinds.Submitted.name:
            self._knows_memory &= self._lends or record.amount_bytes is not None
        self.outcomes.read(record)
        if record.job is not None and not of_detail and record.job not in self._jobs_read[-1:]:
            self._jobs_read.append(record.job)

    def _begin(self, record: Record, is_message: bool) -> int:
        """The number of a new item."""
        number, way_ends = len(self._items), record.kind in kinds.WAY_ENDS
        is_sent = record.kind == kinds.Sent.name
        if is_message and not is_sent:  # a cut-out may begin while a message is on its way
            node, peer = (record.peer, record.node) if way_ends else (record.node, record.peer)
            record = record._replace(kind=kinds.Sent.name, node=node, peer=peer)
            record = record._replace(start_ns=None, end_ns=None, payload=None)
        cause = self._item_of.get(record.cause)
        look = self._look(record, is_message, is_sent)
        like = self._likes[look]
        turn = self._turns[like]
        self._turns[like] = turn + 1
        self._items.append(
            record.time_ns,
            look,
            self._contents(record) if is_sent else self._texts[self._noted(record)],
            record.id >> _LOW,
            record.id & ((1 << _LOW) - 1),
            0 if cause is None else number - cause,
            int(record.cause != 0),
            turn,
            *(self._fans.of(record) if is_sent else (-1, -1)),
            -1 if record.end_ns is None else record.end_ns - record.time_ns,
            0,
            -1,
        )
        self._item_of.setdefault(record.id, number)
        if record.kind == kinds.Decided.name:
            self._choose(record, number)
        return number

    def _look(self, record: Record, is_message: bool, is_sent: bool) -> int:
        """The number of what many items have in common: all but times, ids and contents."""
        fields: tuple[object, ...] = record
        key = fields[_WHAT] + fields[_ABOUT]
        if record.kind == kinds.Decided.name:
            key += (self._sentence(record),)
        elif not is_sent:
            key += record.payload, record.end_ns if record.start_ns is None else None
        look = self._look_of.get(key)
        if look is None:
            look = self._look_of[key] = len(self._looks)
            if is_message and record.what is not None and record.phase is not None:
                self._kinds.setdefault(record.what)
            like = self._likeness[
                record.kind,
                *(record.what, record.job, record.rank, record.node, record.peer, record.slot),
            ]
            self._likes.append(like)
            self._looks.append(
                *[self._words[name][getattr(record, name)] for name in _WORDS],
                self._texts[self._sentence(record)],
                *[-1 if (value := getattr(record, name)) is None else value for name in _NUMBERS],
                like,
            )
        return look

    def _sentence(self, record: Record) -> str:
        """Its sentence without times: the page shows them beside it."""
        if record.kind == kinds.Decided.name:
            return sentence(record, self._decision(record).belief)
        if record.start_ns is None:
            return sentence(record)
        return sentence(record._replace(start_ns=0, end_ns=0, time_ns=0)).partition(" until ")[0]

    @staticmethod
    def _noted(record: Record) -> str | None:
        """What a role has noted, in JSON."""
        return record.payload if record.kind == kinds.Note.name else None

    def _contents(self, sent: Record) -> int:
        """The code of what it carries."""
        same = sent.payload, sent.node, sent.amount_bytes
        if self._carried[0] != same:  # a broadcast's messages come one after the other
            self._carried = same, self._texts[contents(sent) or None]
        return self._carried[1]

    def _decision(self, record: Record) -> past.Decision:
        decided = kinds.Decided.of(record)
        return self._past.decisions[decided.node, decided.hears]

    def _choose(self, record: Record, item: int) -> None:
        """Note among whom a role has chosen."""
        decided, decision = kinds.Decided.of(record), self._decision(record)
        search, before = self._searches.get((decided.node, decided.hears), (None, []))
        if search != decision.search:
            before = []
        order = sorted([(it in before, -of.true, it) for it, of in decision.candidates.items()])
        of_all = item, int(decision.groups), len(order)
        row: list[int] = []
        for is_before, _, candidate in order[:_MOST_CANDIDATES]:
            believed, stated_ns, true, ram = decision.candidates[candidate]
            known = believed is not None
            row += *of_all, candidate, known, believed or 0, stated_ns or 0, true, is_before
            row.append(ram or 0)
        self._candidates.append(*row)
        self._searches[decided.node, decided.hears] = decision.search, [*before, record.peer]

    def _count(self, record: Record) -> None:
        """Take what a station has served in windows of time, of all classes of messages."""
        found = kinds.Queued.contents(kinds.Queued.of(record).payload)
        station = self._words["station"][record.station]
        sums: dict[int, tuple[int, int, int]] = {}
        for it in found.served:
            services, delay_ns, peak_ns = sums.get(it.window, (0, 0, 0))
            total = services + it.services, delay_ns + it.delay_ns, max(peak_ns, it.peak_ns)
            sums[it.window] = total
        for window, total in sorted(sums.items()):
            self._windows.append(station, window * found.window_ns, found.window_ns, *total)

    def _serve(self, record: Record) -> None:
        """A station serves a message or a process."""
        served = kinds.Hop.of(record)
        key = served.station, record.node, record.peer
        if key not in self._served:
            way = -1
            if self._layout is not None and record.node is not None and record.peer is not None:
                way = self._ways[self._layout.line(record.node, record.peer, served.station)]
            self._served[key] = self._words["station"][served.station], way
        station, way = self._served[key]
        self._hops.append(
            self._item_of[record.id],
            station,
            record.time_ns,
            served.start_ns - record.time_ns,
            served.end_ns - served.start_ns,
            way,
        )

    def _changed(self, changed: past.PastNode | past.PastJob | past.PastProcess) -> None:
        self._spans.note(self._past, changed)
        self._outages.note(self._past, changed)
        if type(changed) is past.PastNode:
            self._touched[changed.number] = changed

    def _remember(self) -> None:
        """Note what the memory of nodes has become by the last record."""
        for number, node in self._touched.items():
            parts = node.parts(self.rams[number])
            if self._parts.get(number) != parts:
                self._parts[number] = parts
                self._memory.append(number, self.last_ns, *parts)
        self._touched.clear()

    def _change(self, item: int, column: int, value: int) -> None:
        if self._items.of(item, column) != value:
            self._items.put(item, column, value)
            self._changes.append(item)

    @property
    def items(self) -> int:
        """How many there are."""
        return len(self._items)

    def reach(self, time_ns: int) -> None:
        """Know that no record comes up to a time."""
        if time_ns > self.last_ns:
            self._remember()
            self.last_ns = time_ns

    def after(self, seen: Seen, has_ended: bool) -> Part:
        """What has come since: new rows, words, new texts, and how much one has then.

        `jobs` are spans that are over; those that last are in `lasting`, up to the last record.
        `changed` has what has become of items that one had.
        """
        self._remember()
        if self._waste is not None:
            for message, use in self._waste.use_of.items():
                self._change(self._item_of[message], _USE, waste.USES.index(use))
        for over in self._spans.over[self._spans_read :]:
            is_killed = (over.job, over.end_ns) in self._kills
            self._jobs.extend(_blocks(over, self.cores, is_killed=is_killed))
        self._spans_read = len(self._spans.over)
        lasting, last = _Rows(_JOBS), self._spans.lasting(self.last_ns)
        for it in last:
            is_stuck = has_ended and it.state == past.GRANT
            lasting.extend(_blocks(it, self.cores, is_stuck))
        changed = np.unique(np.array(self._changes[seen.changes :], np.int64))
        changed = changed[changed < seen.items]
        items = self._items_after(seen.items)
        tables: dict[str, Columns] = {
            "items": items,
            "hops": self._hops.after(seen.hops),
            "windows": self._windows.after(seen.windows),
            "jobs": self._jobs.after(seen.jobs),
            "lasting": lasting.after(0),
            "memory": self._memory.after(seen.memory),
            "candidates": self._candidates.after(seen.candidates),
            "outages": self._down(),
            "changed": {"which": changed}
            | {name: self._items.column(name)[changed] for name in _CHANGE},
        }
        self.outcomes.note_unended(last, has_ended)
        jobs = dict.fromkeys(self._jobs_read[seen.outcomes :])
        if has_ended:  # what it waits for will not come
            jobs |= dict.fromkeys(it.job for it in last)
        words = {name: codes.after(0) for name, codes in self._words.items()} | {
            "use": [*waste.USES, kinds.Lost.name]
        }
        about = {
            "words": words,
            "colors": self._colors(),
            "other_color": style.on_papers(
                style.color_of_record(kinds.Kind)
            ),  # of records of no kind of today's
            "jobs": {job: self._panel(self.outcomes[job], has_ended) for job in jobs},
            "knows_memory": self._knows_memory,
            "never_end": never_end(last, self._past.counts[kinds.Failed.name]) if has_ended else [],
            "ways": self._ways.after(seen.ways),
            "last": self.last_ns,
        }
        now = Seen(
            *map(len, (self._items, self._hops, self._windows)),
            *map(len, (self._memory, self._jobs, self._candidates)),
            *map(len, (self._changes, self._jobs_read)),
            *(len(codes) - 1 for codes in (self._texts, self._ways)),
        )
        return Part(tables, about, [*map(escaped, self._texts.after(seen.texts))], now)

    def _items_after(self, first: int) -> Columns:
        """The columns of the items from the first on, with what their looks have."""
        own, looks = self._items.after(first), self._looks.after(0)
        shared = {name: column[own["look"]] for name, column in looks.items()}
        shared["alike"] += _TURN * own["turn"]
        return {name: own[name] if name in own else shared[name] for name in _ITEMS}

    def _colors(self) -> dict[str, Sequence[str]]:
        """Of kinds of messages and of other records: on white and in the dark, and both pale."""
        of_records = {
            name: style.on_papers(style.color_of_record(kind)) for name, kind in kinds.KINDS.items()
        }
        return of_records | {kind: style.forms_of(kind) for kind in style.in_order(self._kinds)}

    @property
    def use_of(self) -> Mapping[int, str]:
        """What messages were good for, by their ids."""
        return {} if self._waste is None else self._waste.use_of

    def _panel(self, outcome: Outcome, has_ended: bool) -> dict[str, Sequence[object]]:
        """A job's panel: rows of names and texts, the parts of its time with their colors, and when
        its start, if it takes time, and its life begin and end.

        Of each attempt it has rows of its own; what of the only one can be compared with another
        run's only one is among the job's rows, with its number.
        """
        rows: list[tuple[object, ...]] = []
        if (now := outcome.unended) is not None:
            never = "has not ended" if kinds.Started.name in outcome.first_ns else "has not started"
            rows.append((never, now.now))
        if (failed_ns := outcome.first_ns.get(kinds.Failed.name)) is not None:
            rows.append(("given up", time(failed_ns)))
        attempts = outcome.attempts if self._lends else []
        parts = outcome.spent_ns
        for row, raw in outcome.values(self.use_of, numbered=True).items():
            is_alone = not row.attempt or len(outcome.attempts) == 1
            if row.unit != "bytes" and row.what not in parts and is_alone:
                rows.append((row.what, row.text(raw), row.attempt))
        if outcome.spent is not None and outcome.spent.behind.node is not None:
            waited = span(outcome.spent.behind.waited_ns / outcome.spent.processes)
            behind = f"node {outcome.spent.behind.node} ({waited} a process)"
            rows.append(("at barriers, most behind", behind))
        first_ns = min(outcome.first_ns.values(), default=0)
        given_up_ns = outcome.first_ns.get(kinds.Failed.name, self.last_ns)
        life = first_ns, given_up_ns if outcome.end_ns is None else outcome.end_ns
        bars = [
            (name, span(it), it, style.on_papers(style.PART_COLORS[name]))
            for name, it in parts.items()
        ]
        told = [attempt.told(self.last_ns, has_ended) for attempt in attempts]
        return {
            "rows": rows,
            "attempts": told,
            "parts": bars,
            "times": [*(outcome.start_ns() or life), *life],
        }

    def _down(self) -> Columns:
        """When nodes and servents were down."""
        down = _Rows(("node", "whole", "paused", "start", "end"))
        for it in self._outages.until(self.last_ns):
            down.append(it.node, it.what == "node", it.how == "paused", it.start_ns, it.end_ns)
        return down.after(0)


class _Rows:
    """Rows of whole numbers, of which more may come."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self._flat = array("q")

    def __len__(self) -> int:
        return len(self._flat) // len(self.names)

    def append(self, *numbers: int) -> None:
        """One row or several, one behind the other."""
        self._flat.extend(numbers)

    def extend(self, some: Iterable[Sequence[int]]) -> None:
        for row in some:
            self._flat.extend(row)

    def of(self, row: int, column: int) -> int:
        return self._flat[row * len(self.names) + column]

    def put(self, row: int, column: int, value: int) -> None:
        self._flat[row * len(self.names) + column] = value

    def column(self, name: str) -> np.ndarray:
        return self.after(0)[name]

    def after(self, first: int) -> Columns:
        """The columns of the rows from the first on."""
        table = np.asarray(self._flat).reshape(-1, len(self.names))[first:]
        return dict(zip(self.names, table.T.copy(), strict=True))


def tables_of(
    recording: Recording, likeness: Codes, left_out: pd.DataFrame | None = None
) -> tuple[Run, Part]:
    """A run to compare with others of the same likeness, and all of its tables.

    Details that are `left_out` of it count for its jobs.
    """
    scenario = recording.scenario
    try:
        layout = Layout(scenario, recording.network)
    except InputError:  # the journal lacks it
        layout = None
    tables = Tables(scenario, recording.constants, likeness, layout, whole=not recording.part)
    for record in rows(recording.records):
        tables.read(record)
    if left_out is not None:
        tables.outcomes.count(left_out)
    part = tables.after(Seen(), has_ended=True)
    about = about_run(scenario, recording.design, recording.managers, tables, layout) | {
        "caption": caption(recording, Selection()),
        "finding": recording.finding,
        "every_hop": recording.every_hop,
    }
    items, alike = items_of(recording.records), part.tables["items"]["alike"]
    run = Run(recording, items, alike, tables.outcomes, tables.use_of)
    return run, part._replace(about=about | part.about)


def about_run(
    scenario: BaseScenario,
    name: str,
    managers: Sequence[int],
    tables: Tables,
    layout: Layout | None,
) -> dict[str, object]:
    """What there is to know of a run before it begins."""
    return {
        "design": name,
        "noun": scenario.noun,
        "nodes": scenario.nodes,
        "managers": [*managers],
        "rams": [*tables.rams],
        "cores": tables.cores,
        "slots": getattr(scenario, "slots", None) if scenario.lends_memory else None,
        "id_letters": LETTERS,
        "details": [*kinds.DETAILS],
        "data_phases": [*DATA_PHASES],
        "topics": [*kinds.TOPICS],
        "topic_of": {name: kind.topic for name, kind in kinds.KINDS.items()},
        "job_colors": [*style.JOB_COLORS],
        "uses": USES_IN_WORDS | {kinds.Lost.name: "did not reach its receiver; ends in a cross"},
        "pale_uses": [*style.PALE_USES],
        "network": None if layout is None else layout.drawn(),
    }


def _blocks(
    it: Span, cores: int, is_stuck: bool = False, is_killed: bool = False
) -> Iterator[Sequence[int]]:
    """A row for adjacent nodes in a slot, or for a job of load sharing on its node (slot -1).

    Where nodes have up to so many cores, node n has the numbers from n * cores on.
    """
    if it.slot is None:
        if it.state == past.RUNNING:
            (node,) = it.nodes
            yield it.job, -1, node, node, _RUNS, it.start_ns, it.end_ns, is_killed
        return
    if it.state not in _STATES:
        return
    state = _STUCK if is_stuck else _STATES[it.state]
    pairs = zip(it.nodes, it.cores or (0,) * len(it.nodes), strict=True)
    places = sorted(node * cores + core for node, core in pairs)
    for _, block in groupby(enumerate(places), lambda place: place[1] - place[0]):
        held = [place for _, place in block]
        yield it.job, it.slot, held[0], held[-1], state, it.start_ns, it.end_ns, is_killed
