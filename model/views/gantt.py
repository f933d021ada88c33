"""Jobs over nodes and time: how the Ousterhout matrix was filled, emptied and run through.

It answers: why was this job slow: waiting, switched out, beside whom; and where two designs part.
"""

import itertools
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from model.core.journal.kinds import Switch
from model.core.journal.over_time import Span
from model.core.journal.past import GRANT, RUNNING, SWITCHED_OUT
from model.ground.units import NS_PER_S, seconds
from model.views import residence
from model.views.caption import captioned
from model.views.outages import legend, shade
from model.views.recording import Recording, Selection
from model.views.style import FONT_SIZE, JOB_COLORS, PAGE_IN, Room, dress
from model.views.titles import titled
from model.views.usage import HEIGHT_IN, Steps, Usage, busy_nodes, draw_usage

_TURNS_ACROSS = 600  # with more turns across the picture, they would be a pattern of pixels
_LABELS = {
    SWITCHED_OUT: "switched out",
    RUNNING: "running",
    None: "short turns (the darker, the more of the time it runs)",
    GRANT: "waiting for a grant",
}
_HATCH = "/////"  # of a job that waits for a grant
_STUCK = {"ls": "", "marker": "X", "ms": 7, "mfc": "black", "mec": "white", "mew": 0.8, "zorder": 5}
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
    ran_ns: int = 0

    @property
    def share(self) -> float:
        """For how much of this time it runs."""
        whole_ns = self.end_ns - self.start_ns
        return self.ran_ns / whole_ns if self.state is None else float(self.state == RUNNING)


def stints(spans: Iterable[Span]) -> list[Stint]:
    """The jobs' stints on nodes, in order of their starts.

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
        if length_ns >= least_ns or stint.stuck:
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


def shade_rows(
    axes: Axes, recording: Recording, nodes: list[int], window: tuple[float, float]
) -> list[Patch]:
    """Shade the rows of nodes while they or their servents are down; returns a legend."""
    first_s, last_s = window
    shown = []
    for outage in recording.outages:
        left, right = seconds(outage.start_ns), seconds(outage.end_ns)
        if outage.node in nodes and right >= first_s and left <= last_s:
            row = nodes.index(outage.node)
            # jobs go on while a servent is down: they are seen on both sides of its strip
            half = 0.5 if outage.what == "node" else 0.2
            shade(axes, outage, (left, right), (row - half, row + half), above=True)
            shown.append(outage)
    return legend(shown)


def draw(recording: Recording, selection: Selection, against: Recording | None = None) -> Figure:
    """One panel per time slot: nodes over time (s), running jobs in color, switched-out ones pale.

    A job that waits for a grant, since one of its processes has not started, is hatched; a cross
    marks where it began to wait if it never started. Where turns are too short to be seen one by
    one, the strength of a job's color shows for how much of the time it runs.

    Below, on the same axis, how many nodes have a running job, and how many jobs wait. A second run
    is laid over it: its jobs are outlines, and its numbers dashed lines. Load sharing has no time
    slots; `residence` draws where its jobs were.
    """
    if not recording.scenario.lends_memory:
        return residence.draw(recording, selection, against)
    window = selection.window_s(recording)
    if against is not None:
        window = window[0], max(window[1], selection.window_s(against)[1])
    nodes = selection.nodes_of(recording)
    runs = [recording] if against is None else [recording, against]
    everything = [stints(run.job_spans) for run in runs]
    shown = [
        stint
        for stint in merged(everything[0], (window[1] - window[0]) * NS_PER_S / _TURNS_ACROSS)
        if selection.shows(stint.job, stint.start_ns, stint.end_ns, window)
        and not set(nodes).isdisjoint(stint.nodes)
    ]
    if not shown:
        selection.of(recording)
    others = [] if against is None else everything[1]
    outlined = [stint for stint in others if selection.job in (None, stint.job)]
    slots = sorted({stint.slot for stint in [*shown, *outlined]}) or [0]

    panel_in = max(0.9, min(3.2, 0.5 + 0.09 * len(nodes), 8.0 / len(slots)))
    heights = [panel_in] * len(slots) + [HEIGHT_IN] * 2
    figure = Figure(figsize=(PAGE_IN, 0.8 + sum(heights)), layout="constrained")
    panels = figure.subplots(len(heights), sharex=True, height_ratios=heights)
    switches_s, colors = _switches_s(recording, window), _colors(shown)
    for slot, axes in zip(slots, panels, strict=False):
        axes.set_ylabel(f"Slot {slot}: node")
        _dress_slot(axes, selection, nodes, window)
        of_slot = [stint for stint in shown if stint.slot == slot]
        down = shade_rows(axes, recording, nodes, window)
        _rectangles(axes, of_slot, nodes, colors)
        _mark_stuck(axes, of_slot, nodes, window[0])
        _lines(axes, switches_s)
        _numbers(axes, of_slot, nodes, window, panel_in)
        _outlines(axes, [stint for stint in outlined if stint.slot == slot], nodes)
    usage = [
        Usage.of(run.design, _busy(of_run, nodes), run.job_spans)
        for run, of_run in zip(runs, everything, strict=True)
    ]
    draw_usage(panels[-2:], len(nodes), usage)
    if not shown:
        panels[0].text(0.5, 0.5, "no job here", size=FONT_SIZE, transform=panels[0].transAxes)
    panels[-1].set_xlabel("Time (s)")
    title = _title(recording, shown, switches_s)
    title += "" if against is None else f"; dashed: {against.design}"
    figure.suptitle(title, size=FONT_SIZE + 1)
    figure.legend(
        handles=[*_legend(shown), *down],
        loc="outside lower right",
        ncols=3,
        fontsize=FONT_SIZE,
        frameon=False,
    )
    return captioned(figure, recording, selection, against)


def _switches_s(recording: Recording, window: tuple[float, float]) -> Sequence[float]:
    """When context switches begin in a window, in s."""
    times_s = recording.of_kinds(Switch)["time_ns"].to_numpy(float) / NS_PER_S
    return times_s[(times_s >= window[0]) & (times_s <= window[1])]


def _title(recording: Recording, shown: list[Stint], switches_s: Sequence[float]) -> str:
    jobs, stuck = (len({it.job for it in some}) for some in (shown, _stuck(shown)))
    look = "ticks above" if len(switches_s) > _MANY_SWITCHES else "vertical lines"
    title = f"{recording.design}: {jobs} job{'s' * (jobs != 1)}, by number; "
    title += f"{len(switches_s)} context switches ({look})"
    return title + (f"; {stuck} never start{'s' * (stuck == 1)}" if stuck else "")


def _stuck(shown: list[Stint]) -> list[Stint]:
    return [stint for stint in shown if stint.stuck]


def _dress_slot(
    axes: Axes, selection: Selection, nodes: list[int], window: tuple[float, float]
) -> None:
    """Axes with a row for each node."""
    dress(axes)
    axes.set_xlim(*window)
    axes.set_ylim(len(nodes) - 0.5, -0.5)
    if selection.nodes and len(nodes) <= 32:
        axes.set_yticks(range(len(nodes)), [str(node) for node in nodes])
    elif selection.nodes:
        axes.set_yticks([0, len(nodes) - 1], [str(nodes[0]), str(nodes[-1])])
    else:
        axes.yaxis.get_major_locator().set_params(integer=True, min_n_ticks=1)


def _lines(axes: Axes, switches_s: Sequence[float]) -> None:
    """A line for each context switch, or a tick above where they are many."""
    crowded = len(switches_s) > _MANY_SWITCHES
    axes.vlines(
        switches_s,
        1.005 if crowded else 0,
        1.02 if crowded else 1,
        "black",
        lw=0.4,
        clip_on=False,
        transform=axes.get_xaxis_transform(),
    )


def _legend(shown: list[Stint]) -> list[Patch | Line2D]:
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
    if _stuck(shown):
        handles.append(Line2D([], [], **_STUCK, label="begins to wait, and never starts"))
    return handles


def _mark_stuck(axes: Axes, shown: list[Stint], nodes: list[int], first_s: float) -> None:
    """Put a cross where a job began to wait for a grant that it never got."""
    for stint in _stuck(shown):
        for low, high in _blocks(stint.nodes, nodes):
            axes.plot(max(first_s, seconds(stint.start_ns)), (low + high) / 2, **_STUCK)


def _busy(all_of_them: list[Stint], nodes: list[int]) -> Steps:
    """How many of the nodes have a job that runs."""
    wanted = set(nodes)
    return busy_nodes(
        [
            (node, stint.start_ns, stint.end_ns)
            for stint in all_of_them
            if stint.state == RUNNING
            for node in stint.nodes
            if node in wanted
        ]
    )


def _outlines(axes: Axes, other: list[Stint], nodes: list[int]) -> None:
    """Outline the jobs of another run, each from its first stint on these nodes to its last."""
    corners = []
    for _, of_job in itertools.groupby(
        sorted(other, key=lambda stint: stint.job), key=lambda stint: (stint.job, stint.nodes)
    ):
        lives = list(of_job)
        left = seconds(min(stint.start_ns for stint in lives))
        right = seconds(max(stint.end_ns for stint in lives))
        for low, high in _blocks(lives[0].nodes, nodes):
            bottom, top = low - 0.5, high + 0.5
            corners.append([(left, bottom), (right, bottom), (right, top), (left, top)])
    outlines = PolyCollection(
        corners, facecolors="none", edgecolors="black", linewidths=0.9, linestyles="--", zorder=4
    )
    axes.add_collection(outlines, autolim=False)


def _rectangles(axes: Axes, shown: list[Stint], nodes: list[int], colors: dict[int, str]) -> None:
    rectangles = sum(len(_blocks(stint.nodes, nodes)) for stint in shown)
    edges = "black" if rectangles < 100 else "none"  # they would cover thin rectangles
    for state, label in _LABELS.items():
        corners, owners = [], []
        for stint in shown:
            if stint.state != state:
                continue
            left, right = seconds(stint.start_ns), seconds(stint.end_ns)
            for low, high in _blocks(stint.nodes, nodes):
                bottom, top = low - 0.5, high + 0.5
                corners.append([(left, bottom), (right, bottom), (right, top), (left, top)])
                owners.append(stint)
        waits = state == GRANT
        drawn = PolyCollection(
            corners,
            facecolors=[_tint(colors[stint.job], stint.share) for stint in owners],
            edgecolors=[colors[stint.job] for stint in owners] if waits else edges,
            hatch=_HATCH if waits else None,
            linewidths=0.15,
            label=label,
        )
        axes.add_collection(drawn, autolim=False)
        titled(drawn, [_sentence(stint) for stint in owners])


def _sentence(stint: Stint) -> str:
    """What a job does in a stint, for the title of its rectangle."""
    does = {
        RUNNING: "runs",
        SWITCHED_OUT: "is switched out",
        GRANT: "waits for a grant" + ", which never comes," * stint.stuck,
        None: f"runs {stint.share:.0%} of the time",
    }
    first_s, last_s = seconds(stint.start_ns), seconds(stint.end_ns)
    return f"job {stint.job} {does[stint.state]} from {first_s:.6f} to {last_s:.6f} s"


def _numbers(
    axes: Axes,
    shown: list[Stint],
    nodes: list[int],
    window: tuple[float, float],
    panel_in: float,
) -> None:
    """Write each job's number on its largest block of nodes, if it has room there."""
    first_s, last_s = window
    room = Room.of(window, len(nodes), panel_in - 0.15)
    for job, of_job in itertools.groupby(
        sorted(shown, key=lambda stint: stint.job), key=lambda stint: stint.job
    ):
        spans: list[tuple[float, float, tuple[int, ...]]] = []  # on the same nodes all the time
        for stint in of_job:
            left, right = max(first_s, seconds(stint.start_ns)), min(last_s, seconds(stint.end_ns))
            if spans and (spans[-1][1], spans[-1][2]) == (left, stint.nodes):
                left = spans.pop()[0]
            spans.append((left, right, stint.nodes))
        left, right, its = max(spans, key=lambda span: span[1] - span[0])
        low, high = max(_blocks(its, nodes), key=lambda block: block[1] - block[0])
        room.write(axes, str(job), (left, right), (low - 0.5, high + 0.5))


def _blocks(of_job: Iterable[int], nodes: list[int]) -> list[tuple[int, int]]:
    """Runs of adjacent rows that belong to the job, as (first, last), counted within `nodes`."""
    wanted = set(of_job)
    rows = [row for row, node in enumerate(nodes) if node in wanted]
    blocks: list[tuple[int, int]] = []
    for row in rows:
        if blocks and blocks[-1][1] == row - 1:
            blocks[-1] = (blocks[-1][0], row)
        else:
            blocks.append((row, row))
    return blocks


def _colors(everything: list[Stint]) -> dict[int, str]:
    """For each job the color that is rarest next to it, and of these the one used least so far.

    So no two jobs have the same color while there are enough.
    """
    chosen: dict[int, str] = {}
    latest: dict[tuple[int, int], str] = {}  # (slot, node) -> color of its last job
    used = Counter[str]()
    for stint in everything:
        if stint.job not in chosen:
            near = {node + step for node in stint.nodes for step in (-1, 0, 1)}
            beside = Counter(latest.get((stint.slot, node)) for node in near)
            color = min(JOB_COLORS, key=lambda color: (beside[color], used[color]))
            chosen[stint.job] = color
            used[color] += 1
        latest.update({(stint.slot, node): chosen[stint.job] for node in stint.nodes})
    return chosen


def _tint(color: str, share: float) -> tuple[object, ...]:
    """The color of a job that runs for this share of the time: paler, the less that is."""
    strength = 0.25 + 0.75 * share
    return tuple(strength * part + 1 - strength for part in to_rgb(color))
