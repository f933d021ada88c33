"""Where messages wait: how many, and how long, at each station over time.

It answers: where do messages wait: link, switch, disk; how long, how many?
"""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from model.core.journal import words
from model.core.journal.kinds import Disk, Hop
from model.ground.errors import InputError
from model.ground.units import NS_PER_MS
from model.views.caption import captioned
from model.views.flow import page_of
from model.views.recording import Recording, Selection
from model.views.style import FONT_SIZE, PAGE_IN, dress, light_to_dark
from model.views.traffic import BINS, Clock, longest, queue_length, window

STATIONS_A_PAGE = 24


def services(recording: Recording, selection: Selection) -> pd.DataFrame:
    """What stations serve: station, time_ns of arrival, start_ns and end_ns of service.

    Those that wait or are served in the window; raises InputError if the journal has none.
    """
    if not recording.in_detail:
        raise InputError(
            f"--kind queues: the journal of {recording.design} has no hops, so nobody knows what "
            "waited; write it with --journal-level all"
        )
    records = selection.of_any_time().of(recording)
    served = records[records["kind"].isin((Hop.name, Disk.name))]
    first_ns, last_ns = window(recording, selection)
    served = served[(served["end_ns"] > first_ns) & (served["time_ns"] < last_ns)]
    if served.empty:
        raise InputError(
            f"--kind queues: nothing passes a link, switch or disk in this part of the journal of "
            f"{recording.design}; choose another job, window, nodes or kinds"
        )
    columns = ["station", "time_ns", "start_ns", "end_ns"]
    return served[columns].astype({"station": str} | dict.fromkeys(columns[1:], np.int64))


def by_station(served: pd.DataFrame) -> pd.DataFrame:
    """Of each station: served, how many had to wait, and the most at once; mean and longest wait.

    In ns, those that waited longest in all first.
    """
    waits = (served["start_ns"] - served["time_ns"]).rename("wait_ns")
    groups = waits.groupby(served["station"])
    table = pd.DataFrame(
        {
            "served": groups.size(),
            "waited": groups.agg(lambda of_one: int((of_one > 0).sum())),
            "mean_ns": groups.mean(),
            "longest_ns": groups.max(),
            "all_ns": groups.sum(),
        }
    )
    table["most"] = [int(queue_length(its).max()) for _, its in served.groupby("station")]
    return table.sort_values("all_ns", ascending=False, kind="stable")


def draw(recording: Recording, selection: Selection, page: int = 1) -> Figure:
    """A row a station, over time: the most that waited, and the longest that anyone did.

    Those at which most time was waited come first; stations at which nobody waited are counted.
    Raises InputError if the journal has no hops.
    """
    served = services(recording, selection)
    table = by_station(served)
    waited = table[table["waited"] > 0]
    here, which = page_of(list(waited.index), page, STATIONS_A_PAGE, "stations")
    start_ns, end_ns = window(recording, selection)
    edges_ns = np.linspace(start_ns, end_ns, BINS + 1)
    clock = Clock(start_ns, end_ns)
    height_in = 1.3 + 0.17 * max(len(here), 2)
    figure = Figure(figsize=(PAGE_IN, height_in), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True)
    own = {station: its for station, its in served.groupby("station") if station in set(here)}
    lengths = [longest(queue_length(own[station]), edges_ns) for station in here]
    waits_ms = [longest_wait_ns(own[station], edges_ns) / NS_PER_MS for station in here]
    for axes, rows, label in (
        (left, lengths, "Waiting messages, the most"),
        (right, waits_ms, "Waits that end then, the longest (ms)"),
    ):
        _map(axes, np.array(rows, float).reshape(len(here), BINS), clock.of(edges_ns), label)
        axes.set_xlabel(clock.label)
    left.set_yticks(range(len(here)), here, fontsize=FONT_SIZE - 1)
    right.tick_params(left=False)
    beside = right.secondary_yaxis("right")
    beside.set_yticks(
        range(len(here)),
        [
            f"{it.waited:,} of {it.served:,}; {it.mean_ns / NS_PER_MS:,.3g}, "
            f"{it.longest_ns / NS_PER_MS:,.3g} ms; {it.most:,}"
            for it in table.loc[here].itertuples()
        ],
        fontsize=FONT_SIZE - 1,
    )
    beside.tick_params(length=0)
    beside.spines[:].set_visible(False)
    if not here:
        left.text(0.5, 0.5, "nobody waits", size=FONT_SIZE, ha="center", transform=left.transAxes)
    idle = len(table) - len(waited)
    figure.suptitle(
        f"{recording.design}: {int(table['waited'].sum()):,} of {len(served):,} services were "
        f"waited for, {words.span(table['all_ns'].sum())} in all; at {idle} of "
        f"{len(table)} stations in use nobody waited{which}\n(right: how many waited, of how many; "
        "the mean wait, the longest; the most that waited at once)",
        size=FONT_SIZE + 1,
    )
    return captioned(figure, recording, selection)


def longest_wait_ns(its: pd.DataFrame, edges_ns: NDArray) -> NDArray[np.int64]:
    """The longest wait that ends, as a service begins, in each bin between edges, in ns."""
    most = np.zeros(len(edges_ns) - 1, np.int64)
    starts = its["start_ns"].to_numpy()
    bins = np.clip(np.searchsorted(edges_ns, starts, side="right") - 1, 0, len(most) - 1)
    within = (starts >= edges_ns[0]) & (starts <= edges_ns[-1])
    np.maximum.at(most, bins[within], (starts - its["time_ns"].to_numpy())[within])
    return most


def _map(axes: Axes, rows: NDArray, edges: NDArray, label: str) -> None:
    dress(axes)
    image = axes.imshow(
        np.where(rows > 0, rows, np.nan),
        cmap=light_to_dark(),
        vmin=0,
        vmax=rows.max(initial=0) or 1,
        aspect="auto",
        interpolation="nearest",
        extent=(edges[0], edges[-1], max(len(rows), 1) - 0.5, -0.5),
    )
    axes.xaxis.set_major_locator(MaxNLocator(nbins=5))
    bar = axes.figure.colorbar(image, ax=axes, location="top", pad=0.02, aspect=40)
    bar.set_label(label, size=FONT_SIZE)
    bar.ax.tick_params(labelsize=FONT_SIZE - 1)
    whole = bool((rows == rows.round()).all())  # messages are counted, waits are not
    bar.ax.xaxis.set_major_locator(MaxNLocator(nbins=5, integer=whole))
