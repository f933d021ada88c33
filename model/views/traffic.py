"""Who sends how much to whom, and how busy that keeps the network over time.

It answers: who talks to whom, when and how much; where messages wait; which changed nothing?
"""

import math
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from model.core.journal import words
from model.core.journal.kinds import Hop, Lost
from model.pnr.waste import REFUSED
from model.views.levels import Levels
from model.views.picture import Clock, Picture
from model.views.recording import Recording, Selection, over_network
from model.views.style import (
    BOLD_USE,
    CROSS,
    FONT_SIZE,
    PALE_USES,
    color_of,
    dress,
    grey_of,
    in_order,
)

BINS = 100
_COLORS = ("#000000", "#0072B2", "#E69F00", "#009E73")  # of the busiest stations


def draw(recording: Recording, selection: Selection, count: bool = False) -> Picture:
    """A matrix of bytes, or (`count`) of messages, and next to it what happens over time.

    Over time it shows the stations if hops were journaled, else messages by kind.
    """
    records = selection.of(recording)
    picture = Picture(recording, selection)
    picture.set_layout_engine("constrained", wspace=0.06)
    stations = recording.every_hop
    grid = picture.grid([1.5, 1.5] if stations else [3], 2, width_ratios=[1.15, 1])
    pairs = picture.add_subplot(grid[:, 0])
    panels = [picture.add_subplot(grid[row, 1]) for row in range(grid.nrows)]
    for axes in (pairs, *panels):
        dress(axes)
    sent = over_network(records)
    lost = records[records["kind"] == Lost.name]
    _draw_matrix(pairs, matrix(sent, recording.scenario.nodes, count), count)
    _cross_out(pairs, lost)

    clock = Clock(*selection.window_ns(recording))
    edges_ns = np.linspace(*clock.window_ns, BINS + 1)
    _draw_faults(picture, panels[0], recording, lost, clock)
    title = recording.design
    if stations:
        # What arrived before the window may be served in it.
        passing = selection.of_any_time().of(recording)
        hops = passing[passing["kind"] == Hop.name]
        shares = utilization(hops, edges_ns)
        order = shares.mean(axis=1).sort_values(ascending=False, kind="stable").index
        _draw_utilization(panels[0], shares.loc[order[: len(_COLORS)]], clock.of(edges_ns))
        _draw_queue(panels[1], hops, order, edges_ns, clock)
        title += f": {len(sent):,} messages"
    else:
        title += (
            f": {len(sent):,} {_draw_kinds(panels[0], sent, recording.use_of, edges_ns, clock)}"
        )
    for axes in panels:
        clock.label_axis(axes)
    for axes in panels[:-1]:
        axes.set_xlabel("")
        axes.tick_params(labelbottom=False)
    return picture.framed(
        title, [it for axes in panels for it in axes.get_legend_handles_labels()[0]]
    )


def matrix(sent: pd.DataFrame, nodes: int, count: bool = False) -> NDArray[np.int64]:
    """Bytes, or (`count`) messages, sent from each node (row) to each node (column)."""
    amounts = np.zeros((nodes, nodes), np.int64)
    pairs = (sent["node"].to_numpy(int), sent["peer"].to_numpy(int))
    np.add.at(amounts, pairs, 1 if count else sent["size_bytes"].to_numpy(np.int64))
    return amounts


def utilization(hops: pd.DataFrame, edges_ns: NDArray[np.float64]) -> pd.DataFrame:
    """The share of each bin between edges in which a station serves; one row per station."""
    shares = {}
    for station, services in hops.groupby("station", observed=True):
        # In a FIFO, services do not overlap: the time served grows from each start to its end.
        turns_ns = services[["start_ns", "end_ns"]].to_numpy(np.int64)
        served_ns = np.cumsum(turns_ns[:, 1] - turns_ns[:, 0])
        grown_ns = np.column_stack([served_ns - (turns_ns[:, 1] - turns_ns[:, 0]), served_ns])
        busy_ns = np.interp(edges_ns, turns_ns.ravel(), grown_ns.ravel())
        shares[station] = np.diff(busy_ns) / np.diff(edges_ns)
    return pd.DataFrame.from_dict(shares, orient="index", columns=range(len(edges_ns) - 1))


def queue_length(hops: pd.DataFrame) -> Levels:
    """How many messages wait at a station, without the one in service."""
    return Levels.of(hops["time_ns"], hops["start_ns"])


def per_bin(sent: pd.DataFrame, edges_ns: NDArray[np.float64]) -> NDArray[np.int64]:
    """How many messages were sent in each bin between edges (the last closed)."""
    return np.histogram(sent["time_ns"].to_numpy(float), edges_ns)[0]


def _draw_matrix(axes: Axes, sizes: NDArray[np.int64], count: bool) -> None:
    some = sizes[sizes > 0]
    least, most = (some.min(), some.max()) if some.size else (1, 1)
    low = math.floor(math.log10(least))
    high = max(math.ceil(math.log10(most)), low + 1)
    shown = np.ma.masked_equal(sizes, 0)
    norm = LogNorm(10**low, 10**high)
    image = axes.imshow(shown, cmap="viridis_r", norm=norm, interpolation="nearest")
    axes.set_xlabel("Receiving node")
    axes.set_ylabel("Sending node")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    bar = axes.figure.colorbar(image, ax=axes, shrink=0.75, pad=0.02)
    bar.set_label(f"{'Messages' if count else 'Bytes'} sent (blank: none)", size=FONT_SIZE + 1)
    bar.ax.tick_params(labelsize=FONT_SIZE)


def _cross_out(axes: Axes, lost: pd.DataFrame) -> None:
    pairs = lost[["peer", "node"]].drop_duplicates().to_numpy(int)
    axes.plot(pairs[:, 1], pairs[:, 0], **{**CROSS, "ms": 4, "mew": 1})


def _draw_faults(
    picture: Picture, axes: Axes, recording: Recording, lost: pd.DataFrame, clock: Clock
) -> None:
    """Draw outages as shades over all of the height, and losses as crosses near the top."""
    for outage in recording.outages:
        if clock.shows(outage.start_ns, outage.end_ns):
            span = clock.within(outage.start_ns, outage.end_ns)
            grey = grey_of(outage.what, outage.how)
            axes.axvspan(*span, facecolor=grey, alpha=0.35, lw=0, zorder=0)
            picture.explain(outage)
    if len(lost):
        times = clock.of(lost["time_ns"].to_numpy(float))
        height = axes.get_xaxis_transform()
        label = f"lost ({len(lost):,})"
        axes.plot(times, [0.97] * len(times), **{**CROSS, "ms": 4}, transform=height, label=label)


def _draw_utilization(axes: Axes, shares: pd.DataFrame, edges: NDArray[np.float64]) -> None:
    for color, (station, row) in zip(_COLORS, shares.iterrows(), strict=False):
        axes.stairs(
            100 * row.to_numpy(), edges, baseline=None, color=color, linewidth=0.9, label=station
        )
    axes.set_ylabel("Utilization (%)")
    axes.set_ylim(bottom=0)


def _draw_queue(
    axes: Axes, hops: pd.DataFrame, order: pd.Index, edges_ns: NDArray[np.float64], clock: Clock
) -> None:
    edges = clock.of(edges_ns)
    if len(order):
        queue = queue_length(hops[hops["station"] == order[0]])
        label = f"{order[0]}: the most in each of {BINS} intervals"
        axes.stairs(
            queue.most(edges_ns),
            edges,
            baseline=None,
            color=_COLORS[0],
            linewidth=0.9,
            label=label,
        )
    axes.set_ylabel("Waiting messages")
    axes.set_ylim(0, max(1.0, axes.get_ylim()[1]))
    axes.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=6))


def _draw_kinds(
    axes: Axes,
    sent: pd.DataFrame,
    use_of: dict[int, str],
    edges_ns: NDArray[np.float64],
    clock: Clock,
) -> str:
    """Stack the messages of each kind: hatched what was decisive, then others of use, pale
    ones, and refusals hollow. Returns, for the title, what they look like.
    """
    edges = clock.of(edges_ns)
    below = np.zeros(len(edges) - 1)
    uses = np.array([use_of.get(number, "") for number in sent["id"]], object)
    pale, hollow, bold = np.isin(uses, PALE_USES), uses == REFUSED, uses == BOLD_USE
    for kind in in_order(sent["what"]):
        own, color = (sent["what"] == kind).to_numpy(), color_of(kind)
        label: str | None = kind
        parts: tuple[tuple[NDArray[np.bool_], dict[str, Any]], ...] = (
            (own & bold, {"facecolor": color, "edgecolor": "black", "hatch": "////"}),
            (own & ~pale & ~hollow & ~bold, {"color": color}),
            (own & pale, {"color": color_of(kind, PALE_USES[0])}),
            (own & hollow, {"facecolor": "white", "edgecolor": color}),
        )
        for part, look in parts:
            counts = per_bin(sent[part], edges_ns)
            if not counts.any():
                continue
            # With an edge, so that even a few messages in a long time are visible.
            axes.stairs(
                below + counts, edges, baseline=below, fill=True, linewidth=0.8, label=label, **look
            )
            below, label = below + counts, None
    axes.set_ylabel(f"Sent (messages in {words.span((edges[1] - edges[0]) * clock.unit_ns, 3)})")
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    looks = (
        ("hollow", REFUSED, hollow),
        ("pale", "unused or outdated", pale),
        ("hatched", BOLD_USE, bold),
    )
    found = [f"{look}: {what} ({its.sum():,})" for look, what, its in looks if its.any()]
    return "; ".join(["messages", *found])
