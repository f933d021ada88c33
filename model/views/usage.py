"""How many nodes are busy and how many jobs wait, over time: two panels under a Gantt chart."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from model.core.journal.over_time import Span
from model.core.journal.past import GRANT, HELD, QUEUED
from model.views.levels import Levels, busy_nodes
from model.views.picture import Clock
from model.views.style import FONT_SIZE

HEIGHT_IN = 0.65  # of each panel
_BUSY, _QUEUE, _GRANT, _OTHER = "#0072B2", "#D55E00", "#CC79A7", "#000000"


class Usage(NamedTuple):
    """How many nodes of a run are busy, how many jobs are in the queue, and wait for a grant."""

    design: str
    busy: Levels
    queued: Levels
    granting: Levels

    @classmethod
    def of(cls, design: str, busy: Iterable[tuple[int, int, int]], spans: list[Span]) -> "Usage":
        """Those of a run, by when its nodes are busy and by the spans of its jobs."""
        return cls(design, busy_nodes(busy), jobs_in(spans, QUEUED, HELD), jobs_in(spans, GRANT))


def jobs_in(spans: Iterable[Span], *states: str) -> Levels:
    """How many jobs are in one of these states."""
    its = [span for span in spans if span.state in states]
    return Levels.of([it.start_ns for it in its], [it.end_ns for it in its if not it.lasts])


def draw_usage(
    panels: Sequence[Axes], clock: Clock, nodes: int, runs: Sequence[Usage], label: str
) -> None:
    """The share of nodes that are busy (%), below it jobs that wait; a second run is dashed."""
    above, below = panels
    waits = any(run.granting.values.any() for run in runs)
    for turn, run in enumerate(runs):
        style = "--" if turn else "-"
        for axes, color, (times_ns, values), name in (
            (above, _BUSY, run.busy, run.design),
            (below, _QUEUE, run.queued, "in the queue"),
            *([(below, _GRANT, run.granting, "for a grant")] if waits else []),
        ):
            own = _OTHER if turn and color != _GRANT else color
            at = clock.of(np.append(times_ns, 1e27))  # what holds last, holds on
            shown = np.append(values, values[-1]) * (100 / nodes if axes is above else 1)
            axes.step(at, shown, style, where="post", color=own, lw=0.9, label=name)
    above.set_ylabel(label, size=FONT_SIZE)
    above.set_ylim(0, 105)
    below.set_ylabel("Jobs that\nwait", size=FONT_SIZE)
    below.set_ylim(bottom=0, top=max(1.1, below.dataLim.y1 * 1.1))
    look = {"fontsize": FONT_SIZE - 1, "frameon": False, "ncols": 2}
    if len(runs) > 1:
        above.legend(**look, loc="lower right")
    if waits:
        below.legend(handles=below.lines[:2], **look)
    for axes in panels:
        axes.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=3))
    clock.label_axis(below)
