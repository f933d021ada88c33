"""Jobs over nodes and time: how the Ousterhout matrix was filled, emptied and run through.

It answers: why was this job slow: waiting, switched out, beside whom; where two designs part; and
which jobs a crash killed or never end.
"""

from collections.abc import Container, Iterable
from dataclasses import dataclass, replace
from itertools import chain, groupby
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from numpy.typing import NDArray

from model.core.journal.kinds import Failed, Killed, Switch
from model.core.journal.over_time import Span
from model.core.journal.past import GRANT, RUNNING, SWITCHED_OUT
from model.views.outcomes import never_end
from model.views.picture import Clock, Picture, Rows, draw_boxes, write_if_it_fits
from model.views.recording import Recording, Selection
from model.views.residence import Residence, draw_residences, residences
from model.views.style import JOB_COLORS, colors_of_jobs
from model.views.usage import HEIGHT_IN, Usage, draw_usage

_TURNS_ACROSS = 600  # with more turns across the picture, they would be a pattern of pixels
_LABELS = {
    SWITCHED_OUT: "switched out",
    RUNNING: "running",
    None: "short turns (the darker, the more of the time it runs)",
    GRANT: "waiting for a grant",
}
_HATCH = "/////"  # of a job that waits for a grant
_STUCK: dict[str, Any] = {"ls": "", "marker": "X", "ms": 7, "mfc": "black", "mec": "white"}
_STUCK |= {"mew": 0.8, "zorder": 5}
_KILLED: dict[str, Any] = {"color": "#D00000", "lw": 2, "zorder": 4.5, "solid_capstyle": "butt"}
_MANY_SWITCHES = 60  # more than these would hide the jobs if drawn as full lines


@dataclass(eq=False)
class Stint:
    """A job on its nodes in one time slot, in one state throughout.

    If it is several that were merged, the state may be None; `ran_ns` is for how long it ran.
    """

    job: int
    slot: int
    nodes: tuple[int, ...]
    state: str | None  # RUNNING, SWITCHED_OUT or GRANT (`past.py`)
    start_ns: int
    end_ns: int
    stuck: bool = False  # whether it still waits for a grant when the run has ended
    killed: bool = False  # at its end
    ran_ns: int = 0

    @property
    def share(self) -> float:
        """For how much of this time it runs."""
        whole_ns = self.end_ns - self.start_ns
        return self.ran_ns / whole_ns if self.state is None else float(self.state == RUNNING)


def stints(spans: Iterable[Span], kills: Container[tuple[int, int]] = ()) -> list[Stint]:
    """The jobs' stints on nodes, in order of their starts; `kills` are jobs and times.

    A process that moves to another node is on that from its departure on.
    """
    found = [
        Stint(
            span.job,
            span.slot,
            span.nodes,
            span.state,
            span.start_ns,
            span.end_ns,
            stuck=span.lasts and span.state == GRANT,
            killed=(span.job, span.end_ns) in kills,
        )
        for span in spans
        if span.slot is not None and span.state in _LABELS
    ]
    return sorted(found, key=lambda stint: (stint.start_ns, stint.job))


def merged(everything: list[Stint], least_ns: float) -> list[Stint]:
    """The stints, with consecutive ones of a job merged that are shorter than this."""
    seen: list[Stint] = []
    latest: dict[int, Stint] = {}  # by job, if it was short
    for stint in everything:
        before = latest.pop(stint.job, None)
        length_ns = stint.end_ns - stint.start_ns
        if length_ns >= least_ns or stint.stuck or stint.killed:
            seen.append(stint)
            continue
        if before is not None and (before.end_ns, before.slot, before.nodes) == (
            stint.start_ns,
            stint.slot,
            stint.nodes,
        ):
            before.end_ns = stint.end_ns
            before.state = stint.state if before.state == stint.state else None
        else:
            before = replace(stint)
            seen.append(before)
        before.ran_ns += length_ns if stint.state == RUNNING else 0
        latest[stint.job] = before
    return seen


def draw(recording: Recording, selection: Selection, against: Recording | None = None) -> Picture:
    """One panel per time slot: nodes over time, running jobs in color, switched-out ones pale.

    Only nodes with a job or an outage in that time have a row, unless some are selected. A job that
    waits for a grant, since one of its processes has not started, is hatched; a cross marks where
    it began to wait if it never started. Where turns are too short to be seen one by one, the
    strength of a job's color shows for how much of the time it runs. Load sharing has no time
    slots: on its one panel, jobs that were on a node together share its row.

    Below, on the same axis, how many nodes have a running job, and how many jobs wait. A second run
    is laid over it: its jobs are outlines (of load sharing it has none), and its numbers dashed.
    """
    runs = [recording] if against is None else [recording, against]
    chart = _Chart(runs, selection)
    if recording.scenario.lends_memory:
        title, key = chart.draw_slots()
    else:
        title, key = chart.draw_residences(), []
    return chart.picture.framed(title, key)


class _Chart:
    """A chart of one run, or of two."""

    def __init__(self, runs: list[Recording], selection: Selection) -> None:
        self.runs, self.selection = runs, selection
        self.clock = Clock(*selection.window_ns(*runs))
        self.nodes = selection.nodes_of(runs[0])
        self.picture = Picture(runs[0], selection, runs[1] if len(runs) > 1 else None)

    def draw_slots(self) -> tuple[str, list[Patch | Line2D]]:
        """Draw a panel for each time slot; returns the title and what the key explains."""
        killed = self.runs[0].of_kinds(Killed)
        kills = {*zip(killed["job"], killed["time_ns"], strict=True)}
        everything = [stints(run.job_spans, kills) for run in self.runs]
        first_ns, last_ns = self.clock.window_ns
        short = merged(everything[0], (last_ns - first_ns) / _TURNS_ACROSS)
        shown = [stint for stint in short if self._shows(stint, stint.nodes)]
        outlined = [it for of_run in everything[1:] for it in of_run if self._shows(it, it.nodes)]
        slots = sorted({stint.slot for stint in [*shown, *outlined]}) or [0]
        all_rows = [
            self._rows(it.nodes for it in [*shown, *outlined] if it.slot == slot) for slot in slots
        ]
        most_in = min(3.2, 8.0 / len(slots))
        heights_in = [max(0.8, min(most_in, 0.3 + 0.09 * len(it.nodes))) for it in all_rows]
        busy = [
            [
                (node, stint.start_ns, stint.end_ns)
                for stint in of_run
                if stint.state == RUNNING
                for node in {*stint.nodes}.intersection(self.nodes)
            ]
            for of_run in everything
        ]
        names = [f"Slot {slot}: node" for slot in slots]
        panels = self._panels(names, heights_in, all_rows, busy, "Nodes that\nrun jobs (%)")
        switches = self._switches()
        colors = colors_of_jobs(it.job for it in everything[0])  # whatever is shown of them
        for slot, rows, axes in zip(slots, all_rows, panels, strict=True):
            of_slot = [stint for stint in shown if stint.slot == slot]
            _draw_stints(axes, of_slot, rows, self.clock, colors)
            _mark(axes, of_slot, rows, self.clock)
            _draw_switches(axes, switches)
            _number(axes, of_slot, rows, self.clock)
            _outline(axes, [it for it in outlined if it.slot == slot], rows, self.clock)
        return self._title(shown, len(switches)), _key(shown)

    def draw_residences(self) -> str:
        """Draw the one panel of load sharing; returns the title."""
        everything = [residences(run.job_spans) for run in self.runs]
        shown = [it for it in everything[0] if self._shows(it, (it.node,))]
        rows = self._rows((it.node,) for it in shown)
        places = 1 + max((it.place for it in shown), default=0)
        height_in = max(1.2, min(7.0, 0.4 + 0.13 * places * len(rows.nodes)))
        busy = [
            [(it.node, it.start_ns, it.end_ns) for it in of_run if it.node in self.nodes]
            for of_run in everything
        ]
        (axes,) = self._panels(["Node"], [height_in], [rows], busy, "Nodes with\njobs (%)")
        colors = colors_of_jobs(it.job for it in everything[0])
        draw_residences(axes, shown, rows, self.clock, colors)
        jobs = len({it.job for it in shown})
        return (
            f"{self.runs[0].design}: {jobs} job{'s' * (jobs != 1)}, by number; "
            f"at most {places} on a node at once"
        )

    def _shows(self, stay: Stint | Residence, nodes: Iterable[int]) -> bool:
        within = self.clock.shows(stay.start_ns, stay.end_ns)
        job = self.selection.job in (None, stay.job)
        return within and job and not {*self.nodes}.isdisjoint(nodes)

    def _shows_state(self, span: Span) -> bool:
        """Whether a job is shown, or waits in the queue meanwhile for any nodes."""
        within = self.clock.shows(span.start_ns, span.end_ns)
        job = self.selection.job in (None, span.job)
        here = not {*self.nodes}.isdisjoint(span.nodes) if span.nodes else not self.selection.nodes
        return within and job and here

    def _rows(self, taking_part: Iterable[Iterable[int]]) -> Rows:
        """The rows of nodes that take part, or of those selected; raises InputError if none is."""
        if self.selection.nodes:
            return Rows(self.nodes)
        down = [it.node for it in self.runs[0].outages if self.clock.shows(it.start_ns, it.end_ns)]
        rows = Rows(chain(down, *taking_part))
        if not rows.nodes:
            self.selection.of(self.runs[0])
        return rows if rows.nodes else Rows(self.nodes)

    def _panels(
        self,
        names: list[str],
        heights_in: list[float],
        all_rows: list[Rows],
        busy: list[list[tuple[int, int, int]]],
        usage: str,
    ) -> list[Axes]:
        """The panels of nodes, whose outages are drawn; below them those of usage."""
        all_in = [*heights_in, *[HEIGHT_IN] * 2]
        around_in = 0.3 + 0.1 * len(all_in)
        *panels, above, below = self.picture.panels(all_in, around_in, sharex=True)
        of_runs = [
            Usage.of(run.design, spans, run.job_spans)
            for run, spans in zip(self.runs, busy, strict=True)
        ]
        draw_usage((above, below), self.clock, len(self.nodes), of_runs, usage)
        for axes, name, rows, height_in in zip(panels, names, all_rows, heights_in, strict=True):
            rows.label_axis(axes, height_in - 0.1, len(self.nodes), name)
            for outage in self.runs[0].outages:
                if outage.node in rows.of and self.clock.shows(outage.start_ns, outage.end_ns):
                    row = rows.of[outage.node]
                    # jobs go on while a servent is down: they are seen on both sides of its strip
                    half = 0.5 if outage.what == "node" else 0.2
                    span = self.clock.span(outage.start_ns, outage.end_ns)
                    self.picture.shade(axes, outage, (*span, row - half, row + half), above=True)
        return panels

    def _switches(self) -> NDArray[np.float64]:
        """When context switches begin in the window."""
        times_ns = self.runs[0].of_kinds(Switch)["time_ns"].to_numpy(np.int64)
        first_ns, last_ns = self.clock.window_ns
        return self.clock.of(times_ns[(times_ns >= first_ns) & (times_ns <= last_ns)])

    def _title(self, shown: list[Stint], switches: int) -> str:
        jobs = len({it.job for it in shown})
        look = "ticks above" if switches > _MANY_SWITCHES else "vertical lines"
        title = f"{self.runs[0].design}: {jobs} job{'s' * (jobs != 1)}, by number; "
        title += f"{switches} context switch{'es' * (switches != 1)} ({look})"
        title += "" if shown else "; no job here"
        lasting = [it for it in self.runs[0].job_spans if it.lasts and self._shows_state(it)]
        failed = len(self.runs[0].of_kinds(Failed))
        title += "".join(f"; {text}" for text in never_end(lasting, failed))
        return title + "".join(f"; dashed: {run.design}" for run in self.runs[1:])


def _draw_switches(axes: Axes, switches: NDArray[np.float64]) -> None:
    """A line for each context switch, or a tick above where they are many."""
    crowded = len(switches) > _MANY_SWITCHES
    low, high = (1.005, 1.02) if crowded else (0, 1)
    place = axes.get_xaxis_transform()
    axes.vlines(switches, low, high, "black", lw=0.4, clip_on=False, transform=place)


def _key(shown: list[Stint]) -> list[Patch | Line2D]:
    """What colors, hatches and crosses mean, as far as the picture has them."""
    present = {stint.state for stint in shown}
    handles: list[Patch | Line2D] = [
        Patch(
            fc=_tint(JOB_COLORS[4], share),
            ec=JOB_COLORS[4] if state == GRANT else "black",
            lw=0.3,
            hatch=_HATCH if state == GRANT else None,
            label=_LABELS[state],
        )
        for state, share in ((RUNNING, 1.0), (SWITCHED_OUT, 0.0), (None, 0.5), (GRANT, 0.0))
        if state in present or state in (RUNNING, SWITCHED_OUT)
    ]
    if any(stint.stuck for stint in shown):
        handles.append(Line2D([], [], **_STUCK, label="begins to wait, and never starts"))
    if any(stint.killed for stint in shown):
        handles.append(Line2D([], [], **_KILLED, label="killed, since a node of its crashed"))
    return handles


def _mark(axes: Axes, shown: list[Stint], rows: Rows, clock: Clock) -> None:
    """Put a cross where a job began to wait for a grant that it never got, or was killed."""
    for stint in shown:
        left, right = clock.within(stint.start_ns, stint.end_ns)
        for low, high in rows.blocks(stint.nodes) if stint.stuck or stint.killed else ():
            if stint.stuck:
                axes.plot(left, (low + high) / 2, **_STUCK)
            if stint.killed:
                axes.plot([right, right], [low, high], **_KILLED)


def _outline(axes: Axes, other: list[Stint], rows: Rows, clock: Clock) -> None:
    """Outline the jobs of another run, each from its first stint on these nodes to its last."""
    boxes = []
    by_job = sorted(other, key=lambda stint: stint.job)
    for (_, nodes), of_job in groupby(by_job, key=lambda stint: (stint.job, stint.nodes)):
        lives = list(of_job)
        span = clock.span(min(it.start_ns for it in lives), max(it.end_ns for it in lives))
        boxes += [(*span, *block) for block in rows.blocks(nodes)]
    look: dict[str, Any] = {
        "facecolors": "none",
        "edgecolors": "black",
        "linewidths": 0.9,
        "linestyles": "--",
    }
    draw_boxes(axes, boxes, **look, zorder=4)


def _draw_stints(
    axes: Axes, shown: list[Stint], rows: Rows, clock: Clock, colors: dict[int, str]
) -> None:
    pieces = [(stint, block) for stint in shown for block in rows.blocks(stint.nodes)]
    edges = "black" if len(pieces) < 100 else "none"  # they would cover thin rectangles
    for state, label in _LABELS.items():
        here = [(stint, block) for stint, block in pieces if stint.state == state]
        waits = state == GRANT
        draw_boxes(
            axes,
            [(*clock.span(stint.start_ns, stint.end_ns), *block) for stint, block in here],
            facecolors=[_tint(colors[stint.job], stint.share) for stint, _ in here],
            edgecolors=[colors[stint.job] for stint, _ in here] if waits else edges,
            hatch=_HATCH if waits else None,
            linewidths=0.15,
            label=label,
        )


def _number(axes: Axes, shown: list[Stint], rows: Rows, clock: Clock) -> None:
    """Write each job's number on its largest block of nodes, if it has room there."""
    by_job = sorted(shown, key=lambda stint: stint.job)
    for job, of_job in groupby(by_job, key=lambda stint: stint.job):
        spans: list[tuple[float, float, tuple[int, ...]]] = []  # on the same nodes all the time
        for stint in of_job:
            left, right = clock.within(stint.start_ns, stint.end_ns)
            if spans and (spans[-1][1], spans[-1][2]) == (left, stint.nodes):
                left = spans.pop()[0]
            spans.append((left, right, stint.nodes))
        left, right, nodes = max(spans, key=lambda span: span[1] - span[0])
        largest = max(rows.blocks(nodes), key=lambda block: block[1] - block[0], default=None)
        if largest is not None:
            write_if_it_fits(axes, str(job), (left, right, *largest))


def _tint(color: str, share: float) -> tuple[object, ...]:
    """The color of a job that runs for this share of the time: paler, the less that is."""
    strength = 0.25 + 0.75 * share
    return tuple(strength * part + 1 - strength for part in to_rgb(color))
