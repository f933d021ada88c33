"""How many nodes are busy and how many jobs wait, over time: two panels under a Gantt chart."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from model.core.journal.over_time import Span
from model.core.journal.past import GRANT, HELD, QUEUED
from model.views.picture import Clock
from model.views.style import FONT_SIZE

HEIGHT_IN = 0.65  # of each panel
_BUSY, _QUEUE, _GRANT, _OTHER = "#0072B2", "#D55E00", "#CC79A7", "#000000"

Steps = tuple[NDArray[np.int64], NDArray[np.int64]]  # times in ns, and what holds from each on


class Usage(NamedTuple):
    """How many nodes of a run are busy, how many jobs are in the queue, and wait for a grant."""

    design: str
    busy: Steps
    queued: Steps
    granting: Steps

    @classmethod
    def of(cls, design: str, busy: Iterable[tuple[int, int, int]], spans: list[Span]) -> "Usage":
        """Those of a run, by when its nodes are busy and by the spans of its jobs."""
        return cls(design, busy_nodes(busy), jobs_in(spans, QUEUED, HELD), jobs_in(spans, GRANT))


def busy_nodes(spans: Iterable[tuple[int, int, int]]) -> Steps:
    """How many nodes are busy, from spans of a node: its number, start and end in ns.

    A node is busy as long as anything is on it.
    """
    table = np.array([*spans], np.int64).reshape(-1, 3)
    changes = np.repeat([1, -1], len(table))
    nodes, times_ns = np.tile(table[:, 0], 2), np.concatenate([table[:, 1], table[:, 2]])
    order = np.lexsort((-changes, times_ns, nodes))
    held = np.cumsum(changes[order])  # each node's are 0 at its end
    is_busy = (held > 0).astype(np.int64)
    return _steps(times_ns[order], is_busy - np.append(0, is_busy[:-1]))


def jobs_in(spans: Iterable[Span], *states: str) -> Steps:
    """How many jobs are in one of these states."""
    changes = [
        change
        for span in spans
        if span.state in states
        for change in ((span.start_ns, 1), *(() if span.lasts else ((span.end_ns, -1),)))
    ]
    return _steps(*np.array(changes, np.int64).reshape(-1, 2).T)


def draw_usage(
    panels: Sequence[Axes], clock: Clock, nodes: int, runs: Sequence[Usage], label: str
) -> None:
    """The share of nodes that are busy (%), below it jobs that wait; a second run is dashed."""
    above, below = panels
    busy = [(run.busy[0], run.busy[1] * 100 / nodes) for run in runs]
    _draw_steps(above, clock, _BUSY, label, runs, busy)
    _draw_steps(below, clock, _QUEUE, "Jobs that\nwait", runs, [run.queued for run in runs])
    if any(run.granting[1].any() for run in runs):
        _draw_steps(below, clock, _GRANT, "Jobs that\nwait", runs, [run.granting for run in runs])
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
    clock.label_axis(below)


def _draw_steps(
    axes: Axes,
    clock: Clock,
    color: str,
    label: str,
    runs: Sequence[Usage],
    steps: Sequence[tuple[NDArray[np.int64], NDArray[np.float64] | NDArray[np.int64]]],
) -> None:
    for turn, (run, (times_ns, levels)) in enumerate(zip(runs, steps, strict=True)):
        own = _OTHER if turn and color != _GRANT else color
        at = clock.of(np.append(times_ns, 1e27))  # what holds last, holds on
        look = {"color": own, "ls": "--" if turn else "-", "lw": 0.9, "label": run.design}
        axes.step(at, np.append(levels, levels[-1]), where="post", **look)
    axes.set_ylabel(label, size=FONT_SIZE)
    axes.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=3))


def _steps(times_ns: NDArray[np.int64], changes: NDArray[np.int64]) -> Steps:
    """What holds after all changes of each time; 0 before the first."""
    instants, places = np.unique(np.append(0, times_ns), return_inverse=True)
    sums = np.zeros(len(instants), np.int64)
    np.add.at(sums, places, np.append(0, changes))
    return instants, np.cumsum(sums)
