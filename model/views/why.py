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
from dataclasses import dataclass, replace
from typing import Any

import matplotlib.patheffects as effects
import pandas as pd
from matplotlib.axes import Axes

from agents.messages import DATA_PHASES
from model.core.journal import kinds, past, words
from model.core.journal.kinds import (
    DETAILS,
    Arrived,
    Barrier,
    Delivered,
    Departed,
    Disk,
    Ended,
    Failed,
    Fault,
    Finished,
    Hop,
    Killed,
    Passed,
    Placed,
    Record,
    Resumed,
    Sent,
    Spent,
    Started,
    Suspended,
)
from model.core.journal.over_time import spans_of_processes
from model.ground.errors import InputError
from model.ground.units import NS_PER_S, seconds
from model.views.caption import selected
from model.views.differences import parting
from model.views.outcomes import attempts_of, outcome_of
from model.views.picture import Picture, draw_boxes
from model.views.recording import Recording, Selection
from model.views.style import FONT_SIZE, PART_COLORS

QUEUE, GRANT, COMPUTING, RUNNING = "queue", "grant", "computing", "running"
DISK, PAGES, BARRIERS, OUT = "disk", "pages", "barriers", "switched out"
MOVING, STAYS, LOST = "moving", "stays", "lost"
QUEUEING, IO = "queueing", "io"


def _named(part: str) -> tuple[str, str]:
    """The color and the name of a part of a job's time."""
    name = words.SPENT[part]
    return PART_COLORS[name], name


_LOOKS = {  # what a part of the path is -> color and legend, in the order of the waterfall
    QUEUE: _named("waiting"),
    GRANT: _named("grant"),
    COMPUTING: _named("computing"),
    RUNNING: ("#56B4E9", "running (pages and barriers are not in the journal)"),
    STAYS: ("#56B4E9", "on a node: its CPU and queue, pages, I/O"),
    DISK: _named("disk_faults"),
    PAGES: _named("network_faults"),
    BARRIERS: _named("barriers"),
    MOVING: _named("moving"),
    QUEUEING: _named("queueing"),
    IO: _named("io"),
    OUT: _named("switched_out"),
    LOST: _named("lost"),
}
#: What the end of a job says of its time (`Spent`), as parts of the waterfall.
_OF_SPENT = {
    part: next(what for what, (_, label) in _LOOKS.items() if label == name)
    for part, name in words.SPENT.items()
}
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
_STEPS = tuple(kind.name for kind in (Fault, Barrier, Departed, Finished))
_ON_THE_WAY = tuple(kind.name for kind in (Sent, Delivered, Hop))
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


def path(recording: Recording, job: int) -> list[Part]:
    """The critical path of a job's last attempt, and the time before it, in order without gaps.

    That of a job that has not ended is what it did until the journal's end. Raises InputError if
    the journal does not hold the job.
    """
    of_job = recording.records[recording.records["job"] == job]
    if of_job.empty:
        raise InputError(f"--job: job {job} is not in the journal of {recording.design}")
    if recording.scenario.lends_memory and (of_job["kind"] == Ended.name).any():
        if not (walks := _walks(recording, job)):  # some of its pages would mislead
            is_detail = of_job["kind"].isin(DETAILS) | of_job["phase"].isin(DATA_PHASES)
            of_job = of_job[~is_detail]
        walk = _Walk(of_job, job)
        return _states(recording, job, int(walk.placed.time_ns)) + walk.parts(walks)
    return _states(recording, job, int(recording.records["time_ns"].max()))


def _states(recording: Recording, job: int, until_ns: int) -> list[Part]:
    """A path of what a job was up to a time; what a crash has ended is lost.

    Of load sharing it waits, is on a node or on its way to another.
    """
    parts: list[Part] = []
    sharing = not recording.scenario.lends_memory
    overs = [] if sharing else [it.over for it in outcome_of(recording, job).attempts]
    killed_ns = [it.time_ns for it in overs if it is not None and it.kind == Killed.name]
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


def spent_by(recording: Recording, job: int) -> Spent | None:
    """Where the time of a job went, as its end says; None if it has not ended."""
    return outcome_of(recording, job).spent


def spent_s(spent: Spent) -> dict[str, float]:
    """The same as parts of a waterfall, in s: the mean over the job's processes."""
    sums_ns = dict.fromkeys(_LOOKS, 0.0)
    for name, part_ns in spent.mean_ns().items():
        sums_ns[_OF_SPENT[name]] += part_ns
    return {what: sum_ns / NS_PER_S for what, sum_ns in sums_ns.items() if sum_ns}


class _Walk:
    """Goes from a job's end to its last placement."""

    def __init__(self, of_job: pd.DataFrame, job: int) -> None:
        records = list(of_job.itertuples())
        self.job = job
        self.placed = [row for row in records if row.kind == Placed.name][-1]
        self.end = next(row for row in reversed(records) if row.kind == Ended.name)
        attempt = [row for row in records if row.Index >= self.placed.Index]
        self.stops = _stops(attempt)
        self.node_of = dict(enumerate(Placed.contents(self.placed.payload).nodes))  # by rank, now
        self.sent = {row.id: row for row in attempt if row.kind == Sent.name}
        self.delivered = {row.id: row for row in attempt if row.kind == Delivered.name}
        self.others = {row.id: row for row in attempt if row.kind not in _ON_THE_WAY}
        self.lanes: dict[int, list[Any]] = {}  # by node: what lets its process go on
        for row in attempt:
            if row.kind == Departed.name:
                self.node_of[int(row.rank)] = row.peer
            if self._lets_go_on(row):
                self.lanes.setdefault(int(row.node), []).append(row)
        self.found: list[Part] = []

    def parts(self, detailed: bool) -> list[Part]:
        """The path; without details, a process runs from its start to its finish."""
        row, computing = self.end, COMPUTING if detailed else RUNNING
        now_ns = int(row.time_ns)
        while row is not None and row.id != self.placed.id:
            before, what = self._before(row, computing)
            then_ns = int(self.placed.time_ns if before is None else _time(before))
            self._add(min(then_ns, now_ns), now_ns, what, row)
            row, now_ns = before, min(then_ns, now_ns)
        self._add(int(self.placed.time_ns), now_ns, GRANT, self.placed)
        return self.found[::-1]

    def _before(self, row: Record, computing: str) -> tuple[Record, str]:
        """What came before a record on the path, and what the time between them was."""
        if row.kind in _STEPS:
            lane = self.lanes.get(int(row.node), [])
            place = bisect_left(lane, row.Index, key=lambda it: it.Index) - 1
            return (lane[place] if place >= 0 else None), computing
        if row.kind == Delivered.name:
            what = MOVING if row.hears == "process" else GRANT
            return self.sent.get(row.id), _MESSAGES.get(row.phase, what)
        what = DISK if row.kind == Disk.name else GRANT
        if row.kind == Ended.name and row.cause not in self.others:
            what = computing
        return self.delivered.get(row.cause) or self.others.get(row.cause), what

    def _lets_go_on(self, row: Record) -> bool:
        """Whether a process may compute because of it: a page, a barrier passed, its start."""
        if row.kind in (Started.name, Disk.name, Arrived.name, Passed.name):
            return True
        if row.kind == Barrier.name:
            return len(self.node_of) == 1
        if row.kind not in (Sent.name, Delivered.name) or row.phase not in _MESSAGES:
            return False
        own = self.node_of.get(row.rank) == row.node
        if row.kind == Delivered.name:  # a page, or a worker's release
            return own and row.hears == "process"
        return not own and row.phase == "barrier"  # the master releases others

    def _add(self, start_ns: int, end_ns: int, what: str, row: Record) -> None:
        """Put a part before those found; a job that is switched out neither computes nor moves."""
        if end_ns <= start_ns:
            return
        node = None if pd.isna(row.node) else int(row.node)
        part = Part(start_ns, end_ns, what, node)
        if what not in (COMPUTING, RUNNING, MOVING):
            self.found.append(part)
            return
        for first_ns, last_ns in reversed(self.stops):
            if last_ns <= part.start_ns or first_ns >= part.end_ns:
                continue
            if last_ns < part.end_ns:
                self.found.append(replace(part, start_ns=last_ns))
            out_ns = max(first_ns, part.start_ns), min(last_ns, part.end_ns)
            self.found.append(Part(*out_ns, OUT, node))
            part = replace(part, end_ns=out_ns[0])
        if part.end_ns > part.start_ns:
            self.found.append(part)


def _time(row: Record) -> int:
    """When a record lets something go on: a disk, when it has read."""
    return row.end_ns if row.kind == Disk.name else row.time_ns


def _stops(attempt: list[Record]) -> list[tuple[int, int]]:
    """From when to when the job was placed, but did not run, in ns."""
    stops, since_ns = [], None
    for row in attempt:
        if row.kind in (Placed.name, Suspended.name):
            since_ns = int(row.time_ns)
        elif row.kind == Resumed.name and since_ns is not None:
            stops.append((since_ns, int(row.time_ns)))
            since_ns = None
    return stops


def totals_s(parts: list[Part]) -> dict[str, float]:
    """How long the path was what, in s, in the order of the waterfall; what took no time is not."""
    sums_ns = dict.fromkeys(_LOOKS, 0)
    for part in parts:
        sums_ns[part.what] += part.end_ns - part.start_ns
    return {what: sum_ns / NS_PER_S for what, sum_ns in sums_ns.items() if sum_ns}


def draw(recording: Recording, selection: Selection, against: Recording | None = None) -> Picture:
    """Where the path was, over time since the submission, and a waterfall of where the time went.

    Two designs stand under each other on the same axis. Raises InputError without a job.
    """
    if selection.job is None:
        raise InputError("--job: a critical path is one job's; give the job's number")
    job, runs = selection.job, [recording] if against is None else [recording, against]
    paths = [path(run, job) for run in runs]
    lanes = [_rows(parts) for parts in paths]
    walks = all(_walks(run, job) and spent_by(run, job) for run in runs)
    falls = [_waterfall_s(run, job, parts, walks) for run, parts in zip(runs, paths, strict=True)]
    shown = [what for what in _LOOKS if any(what in totals for totals in falls)]
    notes = [_notes(run, job, parts) for run, parts in zip(runs, paths, strict=True)]
    if against is not None:
        apart = parting(recording, against, job) or ("nothing differs", "nothing differs")
        for lines, run, row in zip(notes, runs, apart, strict=True):
            first = row if isinstance(row, str) else f"parts with {words.sentence_with_time(row)}"
            lines.append(f"{run.design}: {first}")
    rows_of = [*(max(1, len(names)) for names in lanes), len(shown) * len(runs)]
    heights = [sum(1 + len(line) // _LETTERS for line in lines) for lines in notes]
    around_in = 0.9 + sum(0.5 + 0.15 * lines for lines in heights)
    picture = Picture(recording, Selection(job=job), against)
    panels = picture.panels([_ROW_IN * rows for rows in rows_of], around_in, sharex=True)
    for parts, names, lines, axes in zip(paths, lanes, notes, panels, strict=False):
        _lanes(axes, parts, names)
        axes.set_title("\n".join(lines), size=FONT_SIZE, loc="left", wrap=True)
    _waterfall(panels[-1], [run.design for run in runs], falls, shown)
    longest_s = max(seconds(parts[-1].end_ns - parts[0].start_ns) for parts in paths)
    whose = "on the critical path" if walks else "in the mean of its processes"
    panels[-1].set_title(f"Where the time went {whose}", size=FONT_SIZE, loc="left")
    panels[-1].set_xlim(0, 1.12 * longest_s)
    panels[-1].set_xlabel("Time since its submission (s)")
    took = ", ".join(
        f"{words.span(parts[-1].end_ns - parts[0].start_ns, 6)} under {run.design}"
        f"{'' if spent_by(run, job) else _never(run, job)}"
        for run, parts in zip(runs, paths, strict=True)
    )
    return picture.framed(f"Job {job}: {took}")


def _never(recording: Recording, job: int) -> str:
    is_given_up = (recording.of_kinds(Failed)["job"] == job).any()
    return " until it was given up" if is_given_up else " so far, for it never ended"


def _rows(parts: list[Part]) -> dict[int | None, int]:
    """The rows of a path: the scheduler's (None), then the nodes that are on it for long."""
    sums_ns: dict[int | None, int] = {}
    for part in parts:
        sums_ns[part.node] = sums_ns.get(part.node, 0) + part.end_ns - part.start_ns
    least_ns = _SHORT * (parts[-1].end_ns - parts[0].start_ns)
    long = [node for node, sum_ns in sums_ns.items() if sum_ns >= least_ns]
    order = sorted(long, key=lambda node: -1 if node is None else node)
    return {node: row for row, node in enumerate(order)}


def _lanes(axes: Axes, parts: list[Part], row_of: dict[int | None, int]) -> None:
    """A line for each node that the path passes, and for the scheduler."""
    shown = [part for part in parts if part.node in row_of]
    boxes = []
    for part in shown:
        left, right = (seconds(at - parts[0].start_ns) for at in (part.start_ns, part.end_ns))
        boxes.append((left, right, row_of[part.node] - _HALF, row_of[part.node] + _HALF))
    colors = [_LOOKS[part.what][0] for part in shown]
    draw_boxes(axes, boxes, facecolors=colors, lw=0)
    axes.set_ylim(max(1, len(row_of)) - 0.5, -0.5)
    names = ["scheduler" if node is None else f"node {node}" for node in row_of]
    axes.set_yticks(range(len(names)), names, fontsize=FONT_SIZE)
    passed = {part.node for part in parts}
    if left_out := len(passed - row_of.keys()):
        axes.set_xlabel(f"{left_out} more on it for less than {_SHORT:.1%} each", size=FONT_SIZE)


def _waterfall(
    axes: Axes, designs: list[str], falls: list[dict[str, float]], shown: list[str]
) -> None:
    """For each kind of time a bar a design, each beginning where the one before has ended."""
    rows, names = len(designs), []
    for which, (design, totals) in enumerate(zip(designs, falls, strict=True)):
        left = 0.0
        for place, what in enumerate(shown):
            row, width = place * rows + which, totals.get(what, 0.0)
            color, name = _LOOKS[what]
            axes.barh(row, width, left=left, height=2 * _HALF, color=color, ec="black", lw=0.3)
            axes.vlines(left + width, row - _HALF, row + rows + _HALF, color="#999999", lw=0.4)
            number = axes.annotate(
                f" {words.span(width * NS_PER_S)}",
                (left + width, row),
                size=FONT_SIZE - 0.5,
                va="center",
            )
            number.set_path_effects([effects.withStroke(linewidth=1.5, foreground="white")])
            names.append((row, f"{name}, {design}" if rows > 1 else name))
            left += width
    axes.set_yticks(*zip(*names, strict=True), fontsize=FONT_SIZE)
    axes.set_ylim(len(shown) * rows - 0.5, -0.5)


def _waterfall_s(
    recording: Recording, job: int, parts: list[Part], walks: bool
) -> dict[str, float]:
    """What the critical path consisted of; or else where the time went, as the job's end says."""
    spent = spent_by(recording, job)
    if spent is None:
        return _so_far_s(recording, job, parts)
    return totals_s(parts) if walks else spent_s(spent)


def _so_far_s(recording: Recording, job: int, parts: list[Part]) -> dict[str, float]:
    """Where the time of an unended job's processes has gone in the mean, in s.

    One that has finished waits for the others, as at a barrier.
    """
    attempt = outcome_of(recording, job).attempt
    lends = recording.scenario.lends_memory
    if not lends or attempt.placed is None or attempt.over is not None:
        return totals_s(parts)
    placed_ns, records = attempt.placed.time_ns, recording.records
    until_end = records[(records["job"] == job) | (records.index == records.index[-1])]
    runs = COMPUTING if _walks(recording, job) else RUNNING
    lasted_ns = dict.fromkeys(_LOOKS, 0)
    for span in spans_of_processes(until_end, recording.scenario.nodes):
        if span.start_ns >= placed_ns:
            what = runs if span.state == past.RUNNING else _OF_STATE[span.state]
            lasted_ns[what] += span.end_ns - span.start_ns
    processes = len({*attempt.rank_of.values()})
    whole_ns = processes * (parts[-1].end_ns - placed_ns)
    lasted_ns[BARRIERS] += whole_ns - sum(lasted_ns.values())
    found = totals_s([part for part in parts if part.start_ns < placed_ns])
    for what, sum_ns in lasted_ns.items():
        if sum_ns:
            found[what] = found.get(what, 0.0) + sum_ns / processes / NS_PER_S
    return found


def _walks(recording: Recording, job: int) -> bool:
    """Whether the critical path is known in detail: the journal has all its pages and barriers."""
    is_whole = [*recording.part] in ([], selected(recording, Selection(job)))
    return is_whole and recording.in_detail and recording.scenario.lends_memory


def _notes(run: Recording, job: int, parts: list[Part]) -> list[str]:
    """Where its path is longest, behind whom it waited, or what it waits for if it never ended."""
    notes = []
    by_node: dict[int, int] = {}
    for part in parts:
        if part.node is not None and part.what != OUT:
            by_node[part.node] = by_node.get(part.node, 0) + part.end_ns - part.start_ns
    if by_node:
        most = max(by_node, key=lambda node: (by_node[node], -node))
        notes.append(f"longest on node {most} ({words.span(by_node[most])})")
    spent = spent_by(run, job)
    if spent is not None and spent.behind.node is not None:
        waited = words.span(spent.behind.waited_ns / spent.processes)
        notes.append(f"at barriers most behind node {spent.behind.node} ({waited} a process)")
    first = f"{run.design}: {'; '.join(notes)}" if notes else run.design
    attempts = attempts_of(run, job)
    if (left_out := len(attempts) - _MOST_ATTEMPTS) > 0:
        attempts[1 : 1 + left_out] = [f"{words.count(left_out, 'attempt')} not shown here"]
    return [first, *attempts]
