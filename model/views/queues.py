"""Where messages wait: how many, and how long, at each station over time.

It answers: where do messages wait: link, switch, disk; how long, how many?
"""

from textwrap import fill
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from model.core.journal import words
from model.core.journal.kinds import Disk, Hop
from model.ground.errors import InputError
from model.views.flow import page_of
from model.views.picture import Clock, Picture, draw_table
from model.views.recording import Recording, Selection
from model.views.style import FONT_SIZE, PAGE_IN, light_to_dark
from model.views.traffic import BINS, queue_length

STATIONS_A_PAGE = 24
_ROW_IN = 0.17
_READS = "page read from a disk"  # what is no message
_HEADS = ("queued", "of", "mean delay", "longest")


def services(recording: Recording, selection: Selection) -> pd.DataFrame:
    """What stations serve: station, what, time_ns of arrival, start_ns and end_ns of service.

    Those that wait or are served in the window; raises InputError if the journal has none.
    """
    if not recording.in_detail:
        raise InputError(
            f"--kind queues: the journal of {recording.design} has no hops, so no queues; "
            "write it with --journal-level all"
        )
    records = selection.of_any_time().of(recording)
    served = records[records["kind"].isin((Hop.name, Disk.name))]
    first_ns, last_ns = selection.window_ns(recording)
    served = served[(served["end_ns"] > first_ns) & (served["time_ns"] < last_ns)]
    if served.empty:
        raise InputError(
            f"--kind queues: nothing passes a link, switch or disk in this part of the journal of "
            f"{recording.design}; choose another job, window, nodes or kinds"
        )
    texts, times = ["station", "what"], ["time_ns", "start_ns", "end_ns"]
    table = served[texts + times].astype(dict.fromkeys(times, np.int64) | {"station": str})
    return table.assign(what=table["what"].astype(object).fillna(_READS))


def waits_by(what: str, served: pd.DataFrame) -> pd.DataFrame:
    """Of each station (or `what`): served, how many had to wait; mean, longest and whole wait.

    In ns, those that waited longest in all first.
    """
    waits = (served["start_ns"] - served["time_ns"]).rename("wait_ns")
    table = waits.groupby(served[what]).agg(
        served="size",
        waited=lambda of_one: int((of_one > 0).sum()),
        mean_ns="mean",
        longest_ns="max",
        all_ns="sum",
    )
    return table.sort_values("all_ns", ascending=False, kind="stable")


def draw(recording: Recording, selection: Selection, page: int = 1) -> Picture:
    """A row a station, over time: the most that waited, and the longest that anyone did.

    Those at which most time was waited come first; stations at which nobody waited are counted.
    Below, the same by kind of message. Raises InputError if the journal has no hops.
    """
    served = services(recording, selection)
    table, kinds = waits_by("station", served), waits_by("what", served)
    waited = table[table["waited"] > 0]
    here, which = page_of(list(waited.index), page, STATIONS_A_PAGE, "stations")
    clock = Clock(*selection.window_ns(recording))
    edges_ns = np.linspace(*clock.window_ns, BINS + 1)
    picture = Picture(recording, selection, least_in=PAGE_IN)
    heights_in = [_ROW_IN * max(len(here), 2), _ROW_IN * (len(kinds) + 1)]
    grid = picture.grid(heights_in, 3, around_in=1.3, width_ratios=[1, 1, 1.7])
    left = picture.add_subplot(grid[0, 0])
    right, beside = (picture.add_subplot(grid[0, column], sharey=left) for column in (1, 2))
    own = {station: its for station, its in served.groupby("station") if station in set(here)}
    queues = [queue_length(own[station]) for station in here]
    waits_ns = np.array([longest_wait_ns(own[station], edges_ns) for station in here])
    unit_ns, unit = words.unit_of(waits_ns.max(initial=1))
    for axes, rows, label in (
        (left, [queue.most(edges_ns) for queue in queues], "Peak queue (messages)"),
        (right, waits_ns / unit_ns, f"Longest queueing delay ({unit})"),
    ):
        _map(axes, np.array(rows, float).reshape(len(here), BINS), clock, label)
    left.set_yticks(range(len(here)), here, fontsize=FONT_SIZE - 1)
    right.tick_params(left=False, labelleft=False)
    cells = [
        [*_cells(it), f"{queue.values.max():,}"]
        for it, queue in zip(table.loc[here].itertuples(), queues, strict=True)
    ]
    draw_table(beside, [*_HEADS, "peak queue"], cells, left=0)
    below = picture.add_subplot(grid[1, :])
    by_kind = [[it.Index, *_cells(it), words.span(it.all_ns, 3)] for it in kinds.itertuples()]
    draw_table(below, ["Kind of message", *_HEADS, "in total"], by_kind, left=1)
    below.set_ylim(len(kinds) - 0.5, -1.5)
    if not here:
        left.text(0.5, 0.5, "no queues", size=FONT_SIZE, ha="center", transform=left.transAxes)
    idle = len(table) - len(waited)
    return picture.framed(
        f"{recording.design}: messages queued at {int(table['waited'].sum()):,} of "
        f"{len(served):,} visits to stations, {words.span(table['all_ns'].sum())} in total; "
        f"{idle} of {len(table)} stations never had a queue{which}"
    )


def _cells(of_one: Any) -> list[str]:
    """What a table has of a station or kind: in the order of its heads."""
    waits = (words.span(wait_ns, 3) for wait_ns in (of_one.mean_ns, of_one.longest_ns))
    return [f"{of_one.waited:,}", f"{of_one.served:,}", *waits]


def longest_wait_ns(its: pd.DataFrame, edges_ns: NDArray[np.float64]) -> NDArray[np.int64]:
    """The longest wait that ends, as a service begins, in each bin between edges, in ns."""
    most = np.zeros(len(edges_ns) - 1, np.int64)
    starts = its["start_ns"].to_numpy()
    bins = np.clip(np.searchsorted(edges_ns, starts, side="right") - 1, 0, len(most) - 1)
    within = (starts >= edges_ns[0]) & (starts <= edges_ns[-1])
    np.maximum.at(most, bins[within], (starts - its["time_ns"].to_numpy())[within])
    return most


def _map(axes: Axes, rows: NDArray[np.float64], clock: Clock, label: str) -> None:
    image = axes.imshow(
        np.where(rows > 0, rows, np.nan),
        cmap=light_to_dark(),
        vmin=0,
        vmax=rows.max(initial=0) or 1,
        aspect="auto",
        interpolation="nearest",
        extent=(*clock.span(*clock.window_ns), max(len(rows), 1) - 0.5, -0.5),
    )
    clock.label_axis(axes)
    axes.xaxis.label.set_fontsize(FONT_SIZE)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=3))
    bar = axes.figure.colorbar(image, ax=axes, location="top", pad=0.02, aspect=30)
    bar.set_label(fill(label, 24))
    whole = bool((rows == rows.round()).all())  # messages are counted, waits are not
    bar.ax.xaxis.set_major_locator(MaxNLocator(nbins=4, integer=whole))
