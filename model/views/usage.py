"""How many nodes are busy and how many jobs wait, over time: two panels under a Gantt chart."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from model.core.journal.over_time import Span
from model.core.journal.past import GRANT, HELD, QUEUED
from model.ground.units import NS_PER_S
from model.views.style import FONT_SIZE, dress

HEIGHT_IN = 0.75  # of each panel
_BUSY, _QUEUE, _GRANT, _OTHER = "#0072B2", "#D55E00", "#CC79A7", "#000000"

Steps = tuple[NDArray[np.int64], NDArray[np.int64]]  # times in ns, and what holds from each on


class Usage(NamedTuple):
    """How many nodes of a run are busy, how many jobs are in the queue, and wait for a grant."""

    design: str
    busy: Steps
    queued: Steps
    granting: Steps

    @classmethod
    def of(cls, design: str, busy: Steps, spans: Iterable[Span]) -> "Usage":
        """Those of a run, by the spans of its jobs."""
        spans = list(spans)
        return cls(design, busy, jobs_in(spans, QUEUED, HELD), jobs_in(spans, GRANT))


def busy_nodes(spans: Iterable[tuple[int, int, int]]) -> Steps:
    """How many nodes are busy, from spans of a node: its number, start and end in ns.

    A node is busy as long as anything is on it.
    """
    changes = [(start_ns, node, 1) for node, start_ns, _ in spans]
    changes += [(end_ns, node, -1) for node, _, end_ns in spans]
    held: dict[int, int] = {}
    rows = []
    for time_ns, node, change in sorted(changes, key=lambda it: (it[0], it[1], -it[2])):
        before = held.get(node, 0) > 0
        held[node] = held.get(node, 0) + change
        rows.append((time_ns, int(held[node] > 0) - int(before)))
    return _steps(rows)


def jobs_in(spans: Iterable[Span], *states: str) -> Steps:
    """How many jobs are in one of these states."""
    return _steps(
        change
        for span in spans
        if span.state in states
        for change in ((span.start_ns, 1), *(() if span.lasts else ((span.end_ns, -1),)))
    )


def draw_usage(panels: Sequence[Axes], nodes: int, runs: Sequence[Usage]) -> None:
    """The share of nodes that are busy (%), below it jobs that wait; a second run is dashed."""
    above, below = panels
    waits_for_grants = any(run.granting[1].any() for run in runs)
    _draw_steps(
        above, _BUSY, "Nodes with a\nrunning job (%)", runs, [run.busy for run in runs], 100 / nodes
    )
    _draw_steps(below, _QUEUE, "Jobs that\nwait", runs, [run.queued for run in runs])
    if waits_for_grants:
        _draw_steps(below, _GRANT, "Jobs that\nwait", runs, [run.granting for run in runs])
        handles = [
            Line2D([], [], color=color, lw=0.9, label=label)
            for color, label in ((_QUEUE, "in the queue"), (_GRANT, "for a grant"))
        ]
        below.legend(handles=handles, fontsize=FONT_SIZE - 1, frameon=False, ncols=2)
    above.set_ylim(0, 105)
    most = max(int(steps[1].max()) for run in runs for steps in (run.queued, run.granting))
    below.set_ylim(0, 1.1 * max(1, most))
    if len(runs) > 1:
        above.legend(fontsize=FONT_SIZE - 1, frameon=False, ncols=2, loc="lower right")


def _draw_steps(
    axes: Axes,
    color: str,
    label: str,
    runs: Sequence[Usage],
    steps: Sequence[Steps],
    scale: float = 1,
) -> None:
    """A line for each run; that of a second run is dashed."""
    dress(axes)
    for turn, (run, (times_ns, levels)) in enumerate(zip(runs, steps, strict=True)):
        shown = levels * scale
        look = (
            {"color": _OTHER if color != _GRANT else color, "ls": "--"}
            if turn
            else {"color": color}
        )
        at = np.append(times_ns / NS_PER_S, 1e18)
        axes.step(at, np.append(shown, shown[-1]), where="post", lw=0.9, label=run.design, **look)
    axes.set_ylabel(label, size=FONT_SIZE)
    axes.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=3))


def _steps(changes: Iterable[tuple[int, int]]) -> Steps:
    """What holds after all changes of each time; 0 before the first."""
    table = pd.DataFrame([(0, 0), *changes], columns=["time_ns", "change"])
    sums = table.groupby("time_ns")["change"].sum().cumsum()
    return sums.index.to_numpy(np.int64), sums.to_numpy(np.int64)
