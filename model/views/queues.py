"""Where messages wait: how many, and how long, at each station over time.

It answers: where do messages wait: link, switch, disk; how long, how many?
"""

from textwrap import fill

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from model.core.journal import words
from model.ground.errors import InputError
from model.ground.units import NS_PER_S
from model.views.flow import page_of
from model.views.picture import Clock, Picture, draw_table
from model.views.recording import Recording, Selection
from model.views.style import FONT_SIZE, PAGE_IN, light_to_dark

STATIONS_A_PAGE = 24
_ROW_IN = 0.17
_HEADS = ("served", "delay each", "peak queue", "delay in all")


def windows(recording: Recording, selection: Selection) -> pd.DataFrame:
    """What `Recording.queues` has of the selected time; raises InputError if that is nothing."""
    queues = recording.queues
    if queues.empty:
        raise InputError(
            f"the journal of {recording.design} does not say where messages waited: its run did "
            "not end, or an older version wrote it; run it again with --journal"
        )
    from_s, to_s = selection.times_s(recording)
    if from_s is not None:
        queues = queues[queues["to_ns"] > from_s * NS_PER_S]
    if to_s is not None:
        queues = queues[queues["from_ns"] < to_s * NS_PER_S]
    if queues.empty:
        raise InputError(
            f"nothing passes a link, switch or disk then in the journal of {recording.design}; "
            "choose another --from-s and --to-s"
        )
    return queues


def totals(by: str, served: pd.DataFrame) -> pd.DataFrame:
    """Of each station or class of messages: services, their delay and its peak; in ns.

    The one with the longest delay in all comes first.
    """
    table = served.groupby(by).agg(
        services=("services", "sum"), delay_ns=("delay_ns", "sum"), peak_ns=("peak_ns", "max")
    )
    return table.sort_values("delay_ns", ascending=False, kind="stable")


def in_words(recording: Recording, selection: Selection) -> str:
    """Where messages wait, in a sentence; raises InputError as `windows` does."""
    served = windows(recording, selection)
    stations, classes = totals("station", served), totals("what", served)
    delay_ns = int(stations["delay_ns"].sum())
    text = f"{recording.design}: {int(stations['services'].sum()):,} services"
    if not delay_ns:
        return f"{text}; nothing waited at any of {words.count(len(stations), 'station')}"
    where, what = (
        f"{table.index[0]} ({100 * table['delay_ns'].iloc[0] / delay_ns:.0f} %)"
        for table in (stations, classes)
    )
    idle = int((stations["delay_ns"] == 0).sum())
    return (
        f"{text}, queueing delay {words.span(delay_ns)} in all, most at {where} and of class "
        f"{what}; {idle} of {len(stations)} stations never had a queue"
    )


def draw(recording: Recording, selection: Selection, page: int = 1) -> Picture:
    """A row a station, over time: how many messages waited on average, and the longest delay.

    Stations with the longest delay in all come first; below, the same by class of messages. Raises
    InputError as `windows` does.
    """
    served = windows(recording, selection)
    table, classes = totals("station", served), totals("what", served)
    waited = table[table["delay_ns"] > 0]
    here, which = page_of(list(waited.index), page, STATIONS_A_PAGE, "stations")
    picture = Picture(recording, selection, least_in=PAGE_IN)
    heights_in = [_ROW_IN * max(len(here), 2), _ROW_IN * (len(classes) + 1)]
    grid = picture.grid(heights_in, 3, around_in=1.3, width_ratios=[1, 1, 1.7])
    left = picture.add_subplot(grid[0, 0])
    right, beside = (picture.add_subplot(grid[0, column], sharey=left) for column in (1, 2))
    clock = Clock(int(served["from_ns"].min()), int(served["to_ns"].max()))
    means, peaks_ns = over_time(served, here)
    unit_ns, unit = words.unit_of(peaks_ns.max(initial=1))
    _map(left, means, clock, "Waiting messages, on average")
    _map(right, peaks_ns / unit_ns, clock, f"Peak queue: longest delay ({unit})")
    left.set_yticks(range(len(here)), here, fontsize=FONT_SIZE - 1)
    right.tick_params(left=False, labelleft=False)
    draw_table(beside, _HEADS, _cells(table.loc[here]), left=0)
    below = picture.add_subplot(grid[1, :])
    by_class = [[what, *cells] for what, cells in zip(classes.index, _cells(classes), strict=True)]
    draw_table(below, ["Class of messages", *_HEADS], by_class, left=1)
    below.set_ylim(len(classes) - 0.5, -1.5)
    if not here:
        left.text(0.5, 0.5, "nobody waits", size=FONT_SIZE, ha="center", transform=left.transAxes)
    return picture.framed(in_words(recording, selection) + which)


def over_time(
    served: pd.DataFrame, stations: list[str]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Of each station (row) and window: how many waited on average, and the peak in ns.

    By Little's law those that wait are the delay of all that come, divided by the time.
    """
    window_ns = int((served["to_ns"] - served["from_ns"]).iloc[0])
    first_ns, last_ns = served["from_ns"].min(), served["to_ns"].max()
    shape = len(stations), int(last_ns - first_ns) // window_ns
    delays_ns, peaks_ns = np.zeros(shape), np.zeros(shape)
    its = served[served["station"].isin(stations)]
    row = pd.Index(stations).get_indexer(its["station"])
    place = row, ((its["from_ns"] - first_ns) // window_ns).to_numpy(int)
    np.add.at(delays_ns, place, its["delay_ns"])
    np.maximum.at(peaks_ns, place, its["peak_ns"])
    return delays_ns / window_ns, peaks_ns


def _cells(table: pd.DataFrame) -> list[list[str]]:
    """What a table has of stations or classes: in the order of its heads."""
    return [
        [
            f"{it.services:,}",
            *(words.span(ns, 3) for ns in (it.delay_ns / it.services, it.peak_ns, it.delay_ns)),
        ]
        for it in table.itertuples()
    ]


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
    bar.ax.xaxis.set_major_locator(MaxNLocator(nbins=4))
