"""How many nodes are busy and how many jobs wait, over time: two panels under a Gantt chart."""

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from model.ground.units import NS_PER_S
from model.views.style import FONT_SIZE, dress

HEIGHT_IN = 0.75  # of each panel
_BUSY, _QUEUE, _OTHER = "#0072B2", "#D55E00", "#000000"

Steps = tuple[NDArray[np.int64], NDArray[np.int64]]  # times in ns, and what holds from each on


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


def waiting_jobs(records: pd.DataFrame, queues_again: bool) -> Steps:
    """How many jobs have been submitted, and are not placed yet.

    `queues_again`: one that is killed waits again, as under PNR; under load sharing it is gone.
    """
    changes = []
    waiting: set[int] = set()
    for row in records[records["kind"].isin(("submitted", "killed", "placed"))].itertuples():
        waits = row.kind == "submitted" or (row.kind == "killed" and queues_again)
        if waits != (row.job in waiting):  # a job of load sharing is placed wherever it moves
            (waiting.add if waits else waiting.discard)(row.job)
            changes.append((int(row.time_ns), 1 if waits else -1))
    return _steps(changes)


def draw_usage(
    panels: Sequence[Axes], nodes: int, runs: Sequence[tuple[str, Steps, Steps]]
) -> None:
    """The share of nodes that are busy (%), below it jobs that wait; a second run is dashed."""
    above, below = panels
    for axes, which, color, label in (
        (above, 1, _BUSY, "Nodes with a\nrunning job (%)"),
        (below, 2, _QUEUE, "Jobs that\nwait"),
    ):
        dress(axes)
        for turn, run in enumerate(runs):
            times_ns, levels = run[which]
            shown = levels * (100 / nodes if which == 1 else 1)
            look = {"color": _OTHER, "ls": "--"} if turn else {"color": color}
            at = np.append(times_ns / NS_PER_S, 1e18)
            axes.step(at, np.append(shown, shown[-1]), where="post", lw=0.9, label=run[0], **look)
        axes.set_ylabel(label, size=FONT_SIZE)
        axes.set_ylim(0, 1.1 * max(1, *(int(run[which][1].max()) for run in runs)))
        axes.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=3))
    above.set_ylim(0, 105)
    if len(runs) > 1:
        above.legend(fontsize=FONT_SIZE - 1, frameon=False, ncols=2, loc="lower right")


def _steps(changes: list[tuple[int, int]]) -> Steps:
    """What holds after all changes of each time; 0 before the first."""
    table = pd.DataFrame([(0, 0), *changes], columns=["time_ns", "change"])
    sums = table.groupby("time_ns")["change"].sum().cumsum()
    return sums.index.to_numpy(np.int64), sums.to_numpy(np.int64)
