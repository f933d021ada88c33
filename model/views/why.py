"""Why a job took as long as it did: the critical path from its submission to its end.

It answers: why was this job slow: computing, disk, network, a barrier behind which node, switched
out, waiting for a grant? What became of each of its attempts: what was lost, who waited for it, and
since when? With a second design: where do the two part, and what did it cost?

Where the journal has all of a job's pages and barriers, the waterfall is that of the critical path;
else, and for load sharing, it is where the time of the job's processes went in the mean, as its end
says. Of a job that never ended, that is where their time has gone up to the journal's end.

The path is walked from the end: a process computes since whatever last let it go on; a page and a
barrier's message lead to those who sent them, so at a barrier the path goes to the one who was
last; what let it start leads back to the job's placement. So the parts of a path add up to the
response time, and a process that others do not wait for is not on it. A job of load sharing is one
process: its path is where it was.
"""

import itertools
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass

from matplotlib.axes import Axes

from model.core.journal import kinds, past, words
from model.core.journal.file import rows
from model.core.journal.kinds import Record
from model.core.journal.over_time import spans_of_processes
from model.ground.errors import InputError
from model.ground.units import NS_PER_S, seconds
from model.views.attempts import rank_of
from model.views.caption import selected
from model.views.differences import parting
from model.views.outcomes import attempts_of, outcome_of
from model.views.picture import WHITE, Picture, draw_boxes
from model.views.recording import Recording, Selection
from model.views.style import FONT_SIZE, PART_COLORS

#: What a part of the path is, as pictures name it, in the order of the waterfall.
PARTS = (
    QUEUE := words.SPENT["waiting"],
    GRANT := words.SPENT["grant"],
    COMPUTING := words.SPENT["computing"],
    RUNNING := "running (the journal lacks pages and barriers)",
    STAYS := "on a node: its CPU and queue, pages, I/O",
    DISK := words.SPENT["disk_faults"],
    PAGES := words.SPENT["network_faults"],
    BARRIERS := words.SPENT["barriers"],
    MOVING := words.SPENT["moving"],
    words.SPENT["queueing"],
    words.SPENT["io"],
    OUT := words.SPENT[kinds.ECHO],
    LOST := words.SPENT["lost"],
)
_COLORS = {RUNNING: "#56B4E9", STAYS: "#56B4E9"} | PART_COLORS
_OF_STATE = {  # of a job or a process, as parts of a path
    past.QUEUED: QUEUE,
    past.HELD: QUEUE,
    past.GRANT: GRANT,
    past.SWITCHED_OUT: OUT,
    past.RUNNING: RUNNING,
    past.MOVING: MOVING,
    kinds.FAULT: DISK,
    kinds.DISK: DISK,
    kinds.PAGE: PAGES,
    kinds.BARRIER: BARRIERS,
}
#: What a process computes up to.
_STEPS = tuple(kind.name for kind in (kinds.Fault, kinds.Barrier, kinds.Departed, kinds.Finished))
_ON_THE_WAY = tuple(kind.name for kind in (kinds.Sent, kinds.Delivered, kinds.Hop))
_MESSAGES = {"page": PAGES, "barrier": BARRIERS}  # by phase
_SHORT = 0.005  # of a path: nodes on which it is no longer have no row
_MOST_ATTEMPTS = 4  # that a title tells of: the first and the latest
_LETTERS = 120  # of a note, on a line of a page
_ROW_IN, _HALF = 0.17, 0.4  # the height of a row, and half of that of a bar, in rows


@dataclass(frozen=True)
class Part:
    """A part of a path: what took that time, and where; the scheduler is no node."""

    start_ns: int
    end_ns: int
    what: str
    node: int | None = None

    @property
    def lasts_ns(self) -> int:
        """How long it takes."""
        return self.end_ns - self.start_ns


def path(recording: Recording, job: int) -> list[Part]:
    """The critical path of a job's last attempt, and the time before it, in order without gaps.

    That of a job that has not ended is what it did until the journal's end. Raises InputError if
    the journal does not hold the job.
    """
    of_job = list(rows(recording.records[recording.records["job"] == job]))
    if not of_job:
        raise InputError(f"--job: job {job} is not in the journal of {recording.design}")
    if recording.scenario.lends_memory and any(it.kind == kinds.Ended.name for it in of_job):
        detailed = _walks(recording, job)
        if not detailed:  # some of its pages would mislead
            of_job = [it for it in of_job if not kinds.is_detail(it)]
        walk = _Walk(of_job)
        return _states(recording, job, walk.attempt[0].time_ns) + walk.parts(detailed)
    return _states(recording, job, int(recording.records["time_ns"].max()))


def _states(recording: Recording, job: int, until_ns: int) -> list[Part]:
    """A path of what a job was up to a time; what a crash has ended is lost.

    Of load sharing it waits, is on a node or on its way to another.
    """
    parts: list[Part] = []
    sharing = not recording.scenario.lends_memory
    overs = [] if sharing else [it.over for it in outcome_of(recording, job).attempts]
    killed_ns = [it.time_ns for it in overs if it is not None and it.kind == kinds.Killed.name]
    spans = [it for it in recording.job_spans if it.job == job and it.start_ns < until_ns]
    spans.sort(key=lambda span: span.start_ns)
    for span, following in itertools.zip_longest(spans, spans[1:]):
        what, node = _OF_STATE[span.state], None
        if sharing and what == RUNNING:
            what, (node,) = STAYS, span.nodes
        elif sharing and what == MOVING and following is not None:
            (node,) = following.nodes  # where it goes
        elif span.nodes and any(span.end_ns <= it for it in killed_ns):
            what = LOST
        parts.append(Part(span.start_ns, span.end_ns, what, node))
    return parts


class _Walk:
    """Goes from a job's end to its last placement; records are known by their places."""

    def __init__(self, records: list[Record]) -> None:
        placed = max(place for place, it in enumerate(records) if it.kind == kinds.Placed.name)
        self.attempt = records[placed:]
        self.stops = _stops(self.attempt)
        self.rank_of = rank_of(self.attempt[0])  # by node, now
        self.sent: dict[int, int] = {}  # by the records' ids, as those below
        self.delivered: dict[int, int] = {}
        self.others: dict[int, int] = {}
        self.lanes: dict[int, list[int]] = {}  # by node: what lets its process go on
        for place, it in enumerate(self.attempt):
            if it.kind == kinds.Sent.name:
                self.sent[it.id] = place
            elif it.kind == kinds.Delivered.name:
                self.delivered[it.id] = place
            elif it.kind not in _ON_THE_WAY:
                self.others[it.id] = place
            if it.kind == kinds.Departed.name and it.node is not None and it.peer is not None:
                self.rank_of[it.peer] = self.rank_of.pop(it.node)
            if it.node is not None and self._lets_go_on(it):
                self.lanes.setdefault(it.node, []).append(place)
        self.found: list[Part] = []

    def parts(self, detailed: bool) -> list[Part]:
        """The path; without details, a process runs from its start to its finish."""
        ends = [at for at, it in enumerate(self.attempt) if it.kind == kinds.Ended.name]
        place: int | None = ends[-1]
        computing, now_ns = COMPUTING if detailed else RUNNING, self.attempt[ends[-1]].time_ns
        while place:
            before, what = self._before(place, computing)
            then_ns = min(_time(self.attempt[before or 0]), now_ns)
            self._add(then_ns, now_ns, what, self.attempt[place].node)
            place, now_ns = before, then_ns
        self._add(self.attempt[0].time_ns, now_ns, GRANT, None)
        return self.found[::-1]

    def _before(self, place: int, computing: str) -> tuple[int | None, str]:
        """What came before a record on the path, and what the time between them was."""
        it = self.attempt[place]
        if it.kind in _STEPS and it.node is not None:
            lane = self.lanes.get(it.node, [])
            turn = bisect_left(lane, place) - 1
            return (lane[turn] if turn >= 0 else None), computing
        if it.kind == kinds.Delivered.name:
            what = MOVING if it.hears == "process" else GRANT
            return self.sent.get(it.id), _MESSAGES.get(it.phase or "", what)
        what = DISK if it.kind == kinds.Disk.name else GRANT
        if it.kind == kinds.Ended.name and it.cause not in self.others:
            what = computing
        return self.delivered.get(it.cause, self.others.get(it.cause)), what

    def _lets_go_on(self, it: Record) -> bool:
        """Whether a process may compute because of it: a page, a barrier passed, its start."""
        if it.kind in (kinds.Started.name, kinds.Disk.name, kinds.Arrived.name, kinds.Passed.name):
            return True
        if it.kind == kinds.Barrier.name:
            return len(self.rank_of) == 1
        if it.kind not in (kinds.Sent.name, kinds.Delivered.name) or it.phase not in _MESSAGES:
            return False
        own = self.rank_of.get(it.node or 0) == it.rank
        if it.kind == kinds.Delivered.name:  # a page, or a worker's release
            return own and it.hears == "process"
        return not own and it.phase == "barrier"  # the master releases others

    def _add(self, start_ns: int, end_ns: int, what: str, node: int | None) -> None:
        """Put a part before those found; a job that is switched out neither computes nor moves."""
        if what in (COMPUTING, RUNNING, MOVING):
            for first_ns, last_ns in reversed(self.stops):
                if first_ns < end_ns and last_ns > start_ns:
                    self._keep(max(start_ns, last_ns), end_ns, what, node)
                    end_ns = min(end_ns, last_ns)
                    self._keep(max(start_ns, first_ns), end_ns, OUT, node)
                    end_ns = first_ns
        self._keep(start_ns, end_ns, what, node)

    def _keep(self, start_ns: int, end_ns: int, what: str, node: int | None) -> None:
        if start_ns < end_ns:
            self.found.append(Part(start_ns, end_ns, what, node))


def _time(record: Record) -> int:
    """When a record lets something go on: a disk, when it has read."""
    return kinds.Disk.of(record).end_ns if record.kind == kinds.Disk.name else record.time_ns


def _stops(attempt: list[Record]) -> list[tuple[int, int]]:
    """From when to when the job was placed, but did not run, in ns."""
    stops, since_ns = [], None
    for it in attempt:
        if it.kind in (kinds.Placed.name, kinds.Suspended.name):
            since_ns = it.time_ns
        elif it.kind == kinds.Resumed.name and since_ns is not None:
            stops.append((since_ns, it.time_ns))
            since_ns = None
    return stops


def totals_s(parts: list[Part]) -> dict[str, float]:
    """How long the path was what, in s; what took no time is not there."""
    sums_ns = Counter[str]()
    for part in parts:
        sums_ns[part.what] += part.lasts_ns
    return {what: sum_ns / NS_PER_S for what, sum_ns in sums_ns.items() if sum_ns}


class _Shown:
    """What the picture shows of a job in a run."""

    def __init__(self, run: Recording, job: int) -> None:
        self.run, self.job = run, job
        self.parts = path(run, job)
        self.outcome = outcome_of(run, job)
        self.lasts_ns = self.parts[-1].end_ns - self.parts[0].start_ns
        self.is_path = _walks(run, job) and self.outcome.spent is not None
        self.by_node = Counter[int | None]()  # the scheduler's is None
        for part in self.parts:
            self.by_node[part.node] += part.lasts_ns
        lanes = [it for it, sum_ns in self.by_node.items() if sum_ns >= _SHORT * self.lasts_ns]
        lanes.sort(key=lambda node: -1 if node is None else node)
        self.row_of = {node: row for row, node in enumerate(lanes)}
        self.notes = [*self._head(), *attempts_of(run, self.outcome)]
        if (left_out := len(self.notes) - 1 - _MOST_ATTEMPTS) > 0:
            told = f"{words.count(left_out, 'attempt')} not shown here"
            self.notes[2 : 2 + left_out] = [told]

    def _head(self) -> list[str]:
        """Where its path is longest, and behind whom it waited at barriers."""
        notes = []
        on_nodes = Counter[int]()
        for part in self.parts:
            if part.node is not None and part.what != OUT:
                on_nodes[part.node] += part.lasts_ns
        if on_nodes:
            most = max(on_nodes, key=lambda node: (on_nodes[node], -node))
            notes.append(f"critical path longest on node {most} ({words.span(on_nodes[most])})")
        spent = self.outcome.spent
        if spent is not None and spent.behind.node is not None:
            waited = words.span(spent.behind.waited_ns / spent.processes)
            notes.append(f"at barriers mostly for node {spent.behind.node} ({waited} a process)")
        return [": ".join(filter(None, (self.run.design, "; ".join(notes))))]

    @property
    def took(self) -> str:
        """How long it took, for a title."""
        text = f"{words.span(self.lasts_ns, 6)} under {self.run.design}"
        if self.outcome.is_given_up:
            return f"{text} until it was given up"
        return text if self.outcome.spent is not None else f"{text} so far (it never ended)"

    def fall_s(self, walks: bool) -> dict[str, float]:
        """What the critical path consisted of; or else where the time went, as its end says."""
        if self.outcome.spent is None:
            return self._so_far_s()
        if walks:
            return totals_s(self.parts)
        return {what: part_ns / NS_PER_S for what, part_ns in self.outcome.spent_ns.items()}

    def _so_far_s(self) -> dict[str, float]:
        """Where the time of an unended job's processes has gone on average, in s.

        One that has finished waits for the others, as at a barrier.
        """
        attempt, lends = self.outcome.attempt, self.run.scenario.lends_memory
        if not lends or attempt.placed is None or attempt.over is not None:
            return totals_s(self.parts)
        placed_ns, records = attempt.placed.time_ns, self.run.records
        until_end = records[(records["job"] == self.job) | (records.index == records.index[-1])]
        runs = COMPUTING if _walks(self.run, self.job) else RUNNING
        lasted_ns = Counter[str]()
        for span in spans_of_processes(until_end, self.run.scenario.nodes):
            if span.start_ns >= placed_ns:
                what = runs if span.state == past.RUNNING else _OF_STATE[span.state]
                lasted_ns[what] += span.end_ns - span.start_ns
        processes = len({*attempt.rank_of.values()})
        whole_ns = processes * (self.parts[-1].end_ns - placed_ns)
        lasted_ns[BARRIERS] += whole_ns - lasted_ns.total()
        found = totals_s([part for part in self.parts if part.start_ns < placed_ns])
        for what, sum_ns in lasted_ns.items():
            if sum_ns:
                found[what] = found.get(what, 0.0) + sum_ns / processes / NS_PER_S
        return found


def draw(recording: Recording, selection: Selection, against: Recording | None = None) -> Picture:
    """Where the path was, over time since the submission, and a waterfall of where the time went.

    Two designs stand under each other on the same axis. Raises InputError without a job.
    """
    if selection.job is None:
        raise InputError("--job: a critical path is one job's; give the job's number")
    job, runs = selection.job, [recording] if against is None else [recording, against]
    both = [_Shown(run, job) for run in runs]
    walks = all(it.is_path for it in both)
    falls = [it.fall_s(walks) for it in both]
    shown = [what for what in PARTS if any(what in totals for totals in falls)]
    if against is not None:
        apart = parting(recording, against, job) or ("nothing differs", "nothing differs")
        for it, row in zip(both, apart, strict=True):
            first = row if isinstance(row, str) else f"diverges at {words.sentence_with_time(row)}"
            it.notes.append(f"{it.run.design}: {first}")
    rows_of = [*(max(1, len(it.row_of)) for it in both), len(shown) * len(runs)]
    heights = [sum(1 + len(line) // _LETTERS for line in it.notes) for it in both]
    around_in = 0.9 + sum(0.5 + 0.15 * lines for lines in heights)
    picture = Picture(recording, Selection(job=job), against)
    *lanes, below = picture.panels([_ROW_IN * rows for rows in rows_of], around_in, sharex=True)
    for it, axes in zip(both, lanes, strict=True):
        _draw_path(axes, it)
    _draw_waterfall(below, [run.design for run in runs], falls, shown)
    whose = "on the critical path" if walks else "on average over its processes"
    below.set_title(f"Where the time went {whose}", size=FONT_SIZE, loc="left")
    below.set_xlim(0, 1.12 * seconds(max(it.lasts_ns for it in both)))
    below.set_xlabel("Time since submission (s)")
    return picture.framed(f"Job {job}: {', '.join(it.took for it in both)}")


def _draw_path(axes: Axes, it: _Shown) -> None:
    """A line for each node that the path passes for long, and for the scheduler."""
    shown = [part for part in it.parts if part.node in it.row_of]
    boxes = []
    for part in shown:
        left, right = (seconds(at - it.parts[0].start_ns) for at in (part.start_ns, part.end_ns))
        row = it.row_of[part.node]
        boxes.append((left, right, row - _HALF, row + _HALF))
    draw_boxes(axes, boxes, facecolors=[_COLORS[part.what] for part in shown], lw=0)
    axes.set_ylim(max(1, len(it.row_of)) - 0.5, -0.5)
    names = ["scheduler" if node is None else f"node {node}" for node in it.row_of]
    axes.set_yticks(range(len(names)), names, fontsize=FONT_SIZE)
    if left_out := len(it.by_node.keys() - it.row_of.keys()):
        text = f"{left_out} more nodes with less than {100 * _SHORT} % of the path each"
        axes.set_xlabel(text, size=FONT_SIZE)
    axes.set_title("\n".join(it.notes), size=FONT_SIZE, loc="left", wrap=True)


def _draw_waterfall(
    axes: Axes, designs: list[str], falls: list[dict[str, float]], shown: list[str]
) -> None:
    """For each kind of time a bar a design, each beginning where the one before has ended."""
    runs = len(designs)
    names = [""] * len(shown) * runs
    for which, (design, totals) in enumerate(zip(designs, falls, strict=True)):
        left = 0.0
        for place, what in enumerate(shown):
            row, width = place * runs + which, totals.get(what, 0.0)
            bar = axes.barh(
                row, width, left=left, height=2 * _HALF, color=_COLORS[what], ec="black", lw=0.3
            )
            left += width
            axes.vlines(left, row - _HALF, row + runs + _HALF, color="#999999", lw=0.4)
            text = words.span(width * NS_PER_S)
            axes.bar_label(bar, [text], padding=2, size=FONT_SIZE - 0.5, path_effects=WHITE)
            names[row] = f"{what}, {design}" if runs > 1 else what
    axes.set_yticks(range(len(names)), names, fontsize=FONT_SIZE)
    axes.set_ylim(len(names) - 0.5, -0.5)


def _walks(recording: Recording, job: int) -> bool:
    """Whether the critical path is known in detail: the journal has all its pages and barriers."""
    is_whole = [*recording.part] in ([], selected(recording, Selection(job)))
    return is_whole and recording.in_detail and recording.scenario.lends_memory
