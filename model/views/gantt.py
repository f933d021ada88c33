"""Jobs over nodes and time: how the Ousterhout matrix was filled, emptied and run through.

It answers: why was this job slow: waiting, switched out, beside whom; where two designs part; and
which jobs a crash killed or never end. Load sharing has no time slots: jobs that were on a node
together share its row.
"""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby
from typing import Any

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from model.core.journal import words
from model.core.journal.kinds import Failed, Killed
from model.core.journal.over_time import Span
from model.core.journal.past import GRANT, RUNNING, SWITCHED_OUT
from model.views.outcomes import never_end
from model.views.picture import Box, Clock, Picture, Rows, draw_boxes, write_if_it_fits
from model.views.recording import Recording, Selection
from model.views.space_time import draw_switches
from model.views.style import JOB_COLORS, colors_of_jobs
from model.views.usage import HEIGHT_IN, Usage, draw_usage

_TURNS_ACROSS = 600  # with more turns across the picture, they would be a pattern of pixels
_LABELS = {
    SWITCHED_OUT: "switched out",
    RUNNING: "running",
    None: "short turns (darker: runs more of the time)",
    GRANT: "waiting for a grant",
}
_HATCH = "/////"  # of a job that waits for a grant
_STUCK: dict[str, Any] = {"ls": "", "marker": "X", "ms": 7, "mfc": "black", "mec": "white"}
_STUCK |= {"mew": 0.8, "zorder": 5}
_KILLED: dict[str, Any] = {"color": "#D00000", "lw": 2, "zorder": 4.5, "solid_capstyle": "butt"}
_FILLED = 0.9  # of a node's row, share that jobs on it together fill


@dataclass(eq=False)
class Stint:
    """A job on its nodes in one time slot (of load sharing in none), in one state throughout.

    If it is several that were merged, the state may be None; `ran_ns` is for how long it ran.
    """

    job: int
    slot: int | None
    nodes: tuple[int, ...]
    state: str | None  # RUNNING, SWITCHED_OUT or GRANT (`past.py`)
    start_ns: int
    end_ns: int
    stuck: bool = False  # whether it still waits for a grant when the run has ended
    killed: bool = False  # at its end
    ran_ns: int = 0
    place: int = 0  # of load sharing: the lowest on its node that was free
    cores: tuple[int, ...] = ()  # by rank, as nodes; none where each node has one

    @property
    def share(self) -> float:
        """For how much of this time it runs."""
        return self.ran_ns / max(1, self.end_ns - self.start_ns)


def stints(spans: Iterable[Span], kills: Container[tuple[int, int]] = ()) -> list[Stint]:
    """The jobs' stints on nodes, in order of their starts; `kills` are jobs and times.

    A process that moves to another node is on that from its departure on; a job of load sharing on
    its way is on no node.
    """
    found: list[Stint] = []
    here: dict[tuple[int, ...], list[Stint]] = {}  # of load sharing: who may still be on a node
    for span in sorted(spans, key=lambda span: (span.start_ns, span.job)):
        if not span.nodes or span.state not in _LABELS:
            continue
        ran_ns = span.end_ns - span.start_ns if span.state == RUNNING else 0
        times_ns = span.start_ns, span.end_ns
        stint = Stint(span.job, span.slot, span.nodes, span.state, *times_ns, ran_ns=ran_ns)
        stint.cores = span.cores
        stint.stuck = span.lasts and span.state == GRANT
        stint.killed = (span.job, span.end_ns) in kills
        if span.slot is None:
            staying = [it for it in here.get(span.nodes, ()) if it.end_ns > span.start_ns]
            taken = {it.place for it in staying}
            stint.place = min({*range(len(taken) + 1)} - taken)
            here[span.nodes] = [*staying, stint]
        found.append(stint)
    return found


def merged(everything: list[Stint], least_ns: float) -> list[Stint]:
    """The stints, with consecutive ones of a job merged that are shorter than this."""
    seen: list[Stint] = []
    latest: dict[int, Stint] = {}  # by job, if it was short
    for stint in everything:
        before = latest.pop(stint.job, None)
        is_long = stint.end_ns - stint.start_ns >= least_ns
        if is_long or stint.stuck or stint.killed or stint.slot is None:
            seen.append(stint)
            continue
        where = stint.start_ns, stint.slot, stint.nodes
        if before is not None and (before.end_ns, before.slot, before.nodes) == where:
            before.end_ns = stint.end_ns
            before.ran_ns += stint.ran_ns
            before.state = stint.state if before.state == stint.state else None
        else:
            before = replace(stint)
            seen.append(before)
        latest[stint.job] = before
    return seen


def draw(recording: Recording, selection: Selection, against: Recording | None = None) -> Picture:
    """One panel per time slot: nodes over time, running jobs in color, switched-out ones pale.

    Only nodes with a job or an outage in that time have a row, unless some are selected; the cores
    of a node share it. A job that waits for a grant, since one of its processes has not started, is
    hatched; a cross marks where it began to wait if it never started. Where turns are too short to
    be seen one by one, the strength of a job's color shows for how much of the time it runs. Load
    sharing has one panel.

    Below, on the same axis, how many nodes have a running job, and how many jobs wait. A second run
    is laid over it: its jobs are outlines (of load sharing it has none), and its numbers dashed.
    """
    return _Chart(recording, selection, against).drawn()


class _Chart:
    """A chart of one run, or of two."""

    def __init__(self, run: Recording, selection: Selection, against: Recording | None) -> None:
        self.run, self.selection = run, selection
        self.runs = [run] if against is None else [run, against]
        self.clock = Clock(*selection.window_ns(*self.runs))
        self.nodes = selection.nodes_of(run)
        self.cores: Sequence[int] = getattr(run.constants, "cores", ())
        self.picture = Picture(run, selection, against)
        killed = run.of_kinds(Killed)
        kills = {*zip(killed["job"], killed["time_ns"], strict=True)}
        self.everything = [stints(it.job_spans, kills) for it in self.runs]
        self.colors = colors_of_jobs(it.job for it in self.everything[0])

    def drawn(self) -> Picture:
        """The picture."""
        first_ns, last_ns = self.clock.window_ns
        short = merged(self.everything[0], (last_ns - first_ns) / _TURNS_ACROSS)
        shown = [it for it in short if self._shows(it, it.nodes)]
        lends = self.run.scenario.lends_memory
        others = [it for of_run in self.everything[1:] if lends for it in of_run]
        outlined = [it for it in others if self._shows(it, it.nodes)]
        in_slots = {it.slot for it in [*shown, *outlined] if it.slot is not None}
        slots: list[int | None] = [*sorted(in_slots or {0})] if lends else [None]
        taking_part = [[it.nodes for it in [*shown, *outlined] if it.slot == at] for at in slots]
        all_rows = [self._rows(nodes) for nodes in taking_part]
        places = 1 + max((it.place for it in shown), default=0)
        if lends:
            most_in = min(3.2, 8.0 / len(slots))
            heights_in = [max(0.8, min(most_in, 0.3 + 0.09 * len(it.nodes))) for it in all_rows]
        else:
            heights_in = [max(1.2, min(7.0, 0.4 + 0.13 * places * len(all_rows[0].nodes)))]
        names = ["Node" if slot is None else f"Slot {slot}: node" for slot in slots]
        panels = self._panels(names, heights_in, all_rows)
        marks: list[Artist] = []
        for slot, rows, axes in zip(slots, all_rows, panels, strict=True):
            own = [it for it in shown if it.slot == slot]
            if slot is None:
                self._draw_residences(axes, own, rows, places)
                continue
            self._draw_stints(axes, own, rows)
            _mark(axes, own, rows, self.clock)
            marks = draw_switches(axes, self.run, self.clock, zorder=2.2)
            _number(axes, own, rows, self.clock)
            _outline(axes, [it for it in outlined if it.slot == slot], rows, self.clock)
        key = [*_key(shown), *marks] if lends else []
        return self.picture.framed(self._title(shown, places), key)

    def _shows(self, it: Stint | Span, nodes: Iterable[int]) -> bool:
        within = self.clock.shows(it.start_ns, it.end_ns)
        return (
            within and self.selection.job in (None, it.job) and not {*self.nodes}.isdisjoint(nodes)
        )

    def _rows(self, taking_part: Iterable[Iterable[int]]) -> Rows:
        """The rows of nodes that take part, or of those selected; raises InputError if none is."""
        if self.selection.nodes:
            return Rows(self.nodes, self.cores)
        down = [it.node for it in self.run.outages if self.clock.shows(it.start_ns, it.end_ns)]
        rows = Rows(chain(down, *taking_part), self.cores)
        if not rows.nodes:
            self.selection.of(self.run)
        return rows if rows.nodes else Rows(self.nodes, self.cores)

    def _panels(
        self, names: list[str], heights_in: list[float], all_rows: list[Rows]
    ) -> list[Axes]:
        """The panels of nodes, whose outages are drawn; below them those of usage."""
        all_in = [*heights_in, *[HEIGHT_IN] * 2]
        *panels, above, below = self.picture.panels(all_in, 0.3 + 0.1 * len(all_in), sharex=True)
        usages = []
        for run, of_run in zip(self.runs, self.everything, strict=True):
            busy = [
                (node, it.start_ns, it.end_ns)
                for it in of_run
                if it.state == RUNNING
                for node in {*it.nodes}.intersection(self.nodes)
            ]
            usages.append(Usage.of(run.design, busy, run.job_spans))
        run_jobs = (
            "Nodes that\nrun jobs (%)" if self.run.scenario.lends_memory else "Nodes with\njobs (%)"
        )
        draw_usage((above, below), self.clock, len(self.nodes), usages, run_jobs)
        for axes, name, rows, height_in in zip(panels, names, all_rows, heights_in, strict=True):
            rows.label_axis(axes, height_in - 0.1, len(self.nodes), name)
            for outage in self.run.outages:
                if outage.node in rows.of and self.clock.shows(outage.start_ns, outage.end_ns):
                    row = rows.of[outage.node]
                    # jobs go on while a servent is down: they are seen on both sides of its strip
                    half = 0.5 if outage.what == "node" else 0.2
                    span = self.clock.span(outage.start_ns, outage.end_ns)
                    self.picture.shade(axes, outage, (*span, row - half, row + half), above=True)
        return panels

    def _title(self, shown: list[Stint], places: int) -> str:
        """How many jobs are shown, and how many never end or wait in the queue meanwhile."""
        title = f"{self.run.design}: {words.count(len({it.job for it in shown}), 'numbered job')}"
        if not self.run.scenario.lends_memory:
            return f"{title}; at most {places} on a node at once"
        title += "" if shown else "; no job here"
        somewhere = [] if self.selection.nodes else self.nodes
        spans = self.run.job_spans
        lasting = [it for it in spans if it.lasts and self._shows(it, it.nodes or somewhere)]
        failed = len(self.run.of_kinds(Failed))
        title += "".join(f"; {text}" for text in never_end(lasting, failed))
        return title + "".join(f"; dashed: {run.design}" for run in self.runs[1:])

    def _draw_stints(self, axes: Axes, shown: list[Stint], rows: Rows) -> None:
        pieces = [(it, block) for it in shown for block in rows.blocks(it.nodes, it.cores)]
        edges = "black" if len(pieces) < 100 else "none"  # they would cover thin rectangles
        for state in _LABELS:
            here = [(it, block) for it, block in pieces if it.state == state]
            waits = state == GRANT
            draw_boxes(
                axes,
                [(*self.clock.span(it.start_ns, it.end_ns), *block) for it, block in here],
                facecolors=[_tint(self.colors[it.job], it.share) for it, _ in here],
                edgecolors=[self.colors[it.job] for it, _ in here] if waits else edges,
                hatch=_HATCH if waits else None,
                linewidths=0.15,
            )

    def _draw_residences(self, axes: Axes, shown: list[Stint], rows: Rows, places: int) -> None:
        """A bar for each stay; those on a node together share its row."""
        height = _FILLED / places
        boxes: list[Box] = []
        for it in shown:
            low = rows.of[it.nodes[0]] - _FILLED / 2 + it.place * height
            boxes.append((*self.clock.span(it.start_ns, it.end_ns), low, low + height))
            within = (*self.clock.within(it.start_ns, it.end_ns), low, low + height)
            write_if_it_fits(axes, str(it.job), within)
        faces = [self.colors[it.job] for it in shown]
        draw_boxes(axes, boxes, facecolors=faces, edgecolors="black", linewidths=0.15)
        lines = [row + 0.5 for row in range(len(rows.nodes) - 1)]
        axes.hlines(lines, 0, 1, "#999999", lw=0.4, transform=axes.get_yaxis_transform())


def _key(shown: list[Stint]) -> list[Artist]:
    """What colors, hatches and crosses mean, as far as the picture has them."""
    present = {stint.state for stint in shown}
    handles: list[Artist] = [
        Patch(
            fc=_tint(JOB_COLORS[4], share),
            ec=JOB_COLORS[4] if state == GRANT else "black",
            lw=0.3,
            hatch=_HATCH if state == GRANT else None,
            label=_LABELS[state],
        )
        for state, share in ((RUNNING, 1.0), (SWITCHED_OUT, 0.0), (None, 0.5), (GRANT, 0.0))
        if state in present
    ]
    if any(stint.stuck for stint in shown):
        handles.append(Line2D([], [], **_STUCK, label="starts to wait, never starts to run"))
    if any(stint.killed for stint in shown):
        handles.append(Line2D([], [], **_KILLED, label="killed by a crash of its node"))
    return handles


def _mark(axes: Axes, shown: list[Stint], rows: Rows, clock: Clock) -> None:
    """Put a cross where a job began to wait for a grant that it never got, or was killed."""
    for stint in shown:
        left, right = clock.within(stint.start_ns, stint.end_ns)
        marked = stint.stuck or stint.killed
        for low, high in rows.blocks(stint.nodes, stint.cores) if marked else ():
            if stint.stuck:
                axes.plot(left, (low + high) / 2, **_STUCK)
            if stint.killed:
                axes.plot([right, right], [low, high], **_KILLED)


def _outline(axes: Axes, other: list[Stint], rows: Rows, clock: Clock) -> None:
    """Outline the jobs of another run, each from its first stint on these nodes to its last."""
    boxes = []
    by_job = sorted(other, key=lambda stint: stint.job)
    for (_, *where), of_job in groupby(by_job, key=lambda it: (it.job, it.nodes, it.cores)):
        lives = list(of_job)
        span = clock.span(min(it.start_ns for it in lives), max(it.end_ns for it in lives))
        boxes += [(*span, *block) for block in rows.blocks(*where)]
    look = {"facecolors": "none", "edgecolors": "black", "linewidths": 0.9, "linestyles": "--"}
    draw_boxes(axes, boxes, **look, zorder=4)


def _number(axes: Axes, shown: list[Stint], rows: Rows, clock: Clock) -> None:
    """Write each job's number on its largest block of nodes, if it has room there."""
    by_job = sorted(shown, key=lambda stint: stint.job)
    for job, of_job in groupby(by_job, key=lambda stint: stint.job):
        #: On the same nodes all the time.
        spans: list[tuple[float, float, tuple[tuple[int, ...], tuple[int, ...]]]] = []
        for stint in of_job:
            left, right = clock.within(stint.start_ns, stint.end_ns)
            where = stint.nodes, stint.cores
            if spans and (spans[-1][1], spans[-1][2]) == (left, where):
                left = spans.pop()[0]
            spans.append((left, right, where))
        left, right, where = max(spans, key=lambda span: span[1] - span[0])
        largest = max(rows.blocks(*where), key=lambda block: block[1] - block[0], default=None)
        if largest is not None:
            write_if_it_fits(axes, str(job), (left, right, *largest))


def _tint(color: str, share: float) -> tuple[object, ...]:
    """The color of a job that runs for this share of the time: paler, the less that is."""
    strength = 0.25 + 0.75 * share
    return tuple(strength * part + 1 - strength for part in to_rgb(color))
