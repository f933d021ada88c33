"""Jobs over nodes and time: how the Ousterhout matrix was filled, emptied and run through.

It answers: why was this job slow: waiting, switched out, beside whom; and where two designs part.
"""

import itertools
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from model.ground.units import NS_PER_S, seconds
from model.views import residence
from model.views.caption import captioned
from model.views.outages import legend, outages, shade
from model.views.recording import Recording, Selection
from model.views.style import FONT_SIZE, JOB_COLORS, PAGE_IN, Room, dress
from model.views.titles import titled
from model.views.usage import HEIGHT_IN, Steps, busy_nodes, draw_usage, waiting_jobs

_TURNS_ACROSS = 600  # with more turns across the picture, they would be a pattern of pixels
_SAID = {
    False: "suspended",
    True: "running",
    None: "short turns (the darker, the more of the time it runs)",
}
_MANY_SWITCHES = 60  # more than these would hide the jobs if drawn as full lines
_EVENTS = ("placed", "resumed", "suspended", "departed", "ended", "killed", "unified")


@dataclass(eq=False)
class Stint:
    """A job on its nodes in one time slot, running or suspended throughout.

    If it is several that were merged, `running` may be None, and `ran_ns` says for how long it ran.
    """

    job: int
    slot: int
    nodes: list[int]
    running: bool | None
    start_ns: int
    end_ns: int
    ran_ns: int = 0

    @property
    def share(self) -> float:
        """For how much of this time it runs."""
        whole_ns = self.end_ns - self.start_ns
        return self.ran_ns / whole_ns if self.running is None else float(self.running)


def stints(records: pd.DataFrame) -> list[Stint]:
    """The jobs' stints in order, cut whenever a job is resumed, suspended or moved to another slot.

    A process that moves to another node is on that from its departure on.
    """
    current: dict[int, Stint] = {}  # by job
    done: list[Stint] = []

    def cut(
        now_ns: int,
        job: int,
        slot: int | None = None,
        running: bool | None = None,
        nodes: list[int] | None = None,
    ) -> None:
        old = current[job]
        old.end_ns = now_ns
        if old.end_ns > old.start_ns:
            done.append(old)
        slot = old.slot if slot is None else slot
        running = old.running if running is None else running
        nodes = old.nodes if nodes is None else nodes
        current[job] = Stint(job, slot, nodes, running, now_ns, now_ns)

    events = records[records["kind"].isin(_EVENTS) & records["what"].isna()]
    for row in events.itertuples():
        now_ns, kind = int(row.time_ns), row.kind
        if kind == "unified":
            for job, _, slot in json.loads(row.payload)["moved"]:
                if job in current:  # a part of a journal may lack it
                    cut(now_ns, job, slot=slot)
            continue
        job = int(row.job)
        if kind == "placed":
            slot, its = int(row.slot), json.loads(row.payload)["nodes"]
            current[job] = Stint(job, slot, its, False, now_ns, now_ns)
        elif kind == "departed":
            its = [row.peer if node == row.node else node for node in current[job].nodes]
            cut(now_ns, job, nodes=its)
        elif kind in ("ended", "killed"):
            cut(now_ns, job)
            del current[job]
        else:
            cut(now_ns, job, running=kind == "resumed")
    for job in list(current):
        cut(int(records["time_ns"].max()), job)
    return sorted(done, key=lambda stint: (stint.start_ns, stint.job))


def merged(everything: list[Stint], least_ns: float) -> list[Stint]:
    """The stints, with consecutive ones of a job merged that are shorter than this."""
    seen: list[Stint] = []
    latest: dict[int, Stint] = {}  # by job, if it was short
    for stint in everything:
        before = latest.pop(stint.job, None)
        if stint.end_ns - stint.start_ns >= least_ns:
            seen.append(stint)
            continue
        if before is not None and (before.end_ns, before.slot, before.nodes) == (
            stint.start_ns,
            stint.slot,
            stint.nodes,
        ):
            before.end_ns = stint.end_ns
            before.running = stint.running if before.running == stint.running else None
        else:
            before = replace(stint)
            seen.append(before)
        before.ran_ns += stint.running * (stint.end_ns - stint.start_ns)
        latest[stint.job] = before
    return seen


def shade_rows(
    axes: Axes, recording: Recording, nodes: list[int], window: tuple[float, float]
) -> list[Patch]:
    """Shade the rows of nodes while they or their servents are down; returns a legend."""
    first_s, last_s = window
    shown = []
    for outage in outages(recording.records):
        left, right = seconds(outage.start_ns), seconds(outage.end_ns)
        if outage.node in nodes and right >= first_s and left <= last_s:
            row = nodes.index(outage.node)
            # jobs go on while a servent is down: they are seen on both sides of its strip
            half = 0.5 if outage.what == "node" else 0.2
            shade(axes, outage, (left, right), (row - half, row + half), above=True)
            shown.append(outage)
    return legend(shown)


def draw(recording: Recording, selection: Selection, against: Recording | None = None) -> Figure:
    """One panel per time slot: nodes over time (s), running jobs in color, suspended ones pale.

    Where turns are too short to be seen one by one, a job's color tells for how much of the time it
    runs.

    Below, on the same axis, how many nodes have a running job, and how many jobs wait. A second run
    is laid over it: its jobs are outlines, and its numbers dashed lines. Load sharing has no time
    slots; `residence` draws where its jobs were.
    """
    if not recording.scenario.lends_memory:
        return residence.draw(recording, selection, against)
    first_s, last_s = selection.window_s(recording)
    if against is not None:
        last_s = max(last_s, selection.window_s(against)[1])
    nodes = selection.nodes_of(recording)
    everything = stints(recording.records)
    drawn = merged(everything, (last_s - first_s) * NS_PER_S / _TURNS_ACROSS)
    shown = [
        stint
        for stint in drawn
        if selection.shows(stint.job, stint.start_ns, stint.end_ns, (first_s, last_s))
        and not set(nodes).isdisjoint(stint.nodes)
    ]
    if not shown:
        selection.of(recording)
    colors = _colors(shown)
    other = []
    if against is not None:
        all_of_other = stints(against.records)
        other = [it for it in all_of_other if selection.job in (None, it.job)]
    slots = sorted({stint.slot for stint in [*shown, *other]}) or [0]
    records = recording.records
    switches_s = records.loc[records["kind"] == "switch", "time_ns"].astype(float) / 1e9
    switches_s = switches_s[switches_s.between(first_s, last_s)]
    crowded = len(switches_s) > _MANY_SWITCHES

    panel_in = max(0.9, min(3.2, 0.5 + 0.09 * len(nodes), 8.0 / len(slots)))
    heights = [panel_in] * len(slots) + [HEIGHT_IN] * 2
    figure = Figure(figsize=(PAGE_IN, 0.8 + sum(heights)), layout="constrained")
    panels = figure.subplots(len(heights), sharex=True, height_ratios=heights)
    for slot, axes in zip(slots, panels, strict=False):
        dress(axes)
        axes.set_xlim(first_s, last_s)
        axes.set_ylim(len(nodes) - 0.5, -0.5)
        axes.set_ylabel(f"Slot {slot}: node")
        if selection.nodes and len(nodes) <= 32:
            axes.set_yticks(range(len(nodes)), [str(node) for node in nodes])
        elif selection.nodes:
            axes.set_yticks([0, len(nodes) - 1], [str(nodes[0]), str(nodes[-1])])
        else:
            axes.yaxis.get_major_locator().set_params(integer=True, min_n_ticks=1)
        of_slot = [stint for stint in shown if stint.slot == slot]
        down = shade_rows(axes, recording, nodes, (first_s, last_s))
        _rectangles(axes, of_slot, nodes, colors)
        axes.vlines(
            switches_s,
            1.005 if crowded else 0,
            1.02 if crowded else 1,
            "black",
            lw=0.4,
            clip_on=False,
            transform=axes.get_xaxis_transform(),
        )
        _numbers(axes, of_slot, nodes, (first_s, last_s), panel_in)
        _outlines(axes, [stint for stint in other if stint.slot == slot], nodes)
    runs = [(recording.design, _busy(everything, nodes), waiting_jobs(records, queues_again=True))]
    if against is not None:
        busy = _busy(all_of_other, nodes)
        runs.append((against.design, busy, waiting_jobs(against.records, queues_again=True)))
    draw_usage(panels[-2:], len(nodes), runs)
    if not shown:
        panels[0].text(0.5, 0.5, "no job here", size=FONT_SIZE, transform=panels[0].transAxes)
    panels[-1].set_xlabel("Time (s)")
    jobs = len({stint.job for stint in shown})
    figure.suptitle(
        f"{recording.design}: {jobs} job{'s' * (jobs != 1)}, by number; "
        f"{len(switches_s)} context switches ({'ticks above' if crowded else 'vertical lines'})"
        + ("" if against is None else f"; dashed: {against.design}"),
        size=FONT_SIZE + 1,
    )
    short = ((None, 0.5),) if any(stint.running is None for stint in shown) else ()
    figure.legend(
        handles=[
            *(
                Patch(fc=_tint(JOB_COLORS[4], share), ec="black", lw=0.3, label=_SAID[running])
                for running, share in ((True, 1.0), (False, 0.0), *short)
            ),
            *down,
        ],
        loc="outside lower right",
        ncols=5,
        fontsize=FONT_SIZE,
        frameon=False,
    )
    return captioned(figure, recording, selection, against)


def _busy(all_of_them: list[Stint], nodes: list[int]) -> Steps:
    """How many of the nodes have a job that runs."""
    wanted = set(nodes)
    return busy_nodes(
        [
            (node, stint.start_ns, stint.end_ns)
            for stint in all_of_them
            if stint.running
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
    for running, said in _SAID.items():
        corners, faces, says = [], [], []
        for stint in shown:
            if stint.running != running:
                continue
            left, right = seconds(stint.start_ns), seconds(stint.end_ns)
            for low, high in _blocks(stint.nodes, nodes):
                bottom, top = low - 0.5, high + 0.5
                corners.append([(left, bottom), (right, bottom), (right, top), (left, top)])
                color = colors[stint.job]
                faces.append(_tint(color, stint.share))
                does = {
                    True: "runs",
                    False: "is suspended",
                    None: f"runs {stint.share:.0%} of the time",
                }
                says.append(f"job {stint.job} {does[running]} from {left:.6f} to {right:.6f} s")
        drawn = PolyCollection(
            corners,
            facecolors=faces,
            # edges would cover rectangles thinner than themselves
            edgecolors="black" if rectangles < 100 else "none",
            linewidths=0.15,
            label=said,
        )
        axes.add_collection(drawn, autolim=False)
        titled(drawn, says)


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
        spans: list[tuple[float, float, list[int]]] = []  # on the same nodes all the time
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


def _tint(color: str, share: float) -> tuple[Any, ...]:
    """The color of a job that runs for this share of the time: paler, the less that is."""
    strength = 0.25 + 0.75 * share
    return tuple(strength * part + 1 - strength for part in to_rgb(color))
