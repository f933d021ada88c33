"""Who sends how much to whom, and how busy that keeps the network over time.

It answers: who talks to whom, when and how much; where messages wait; which changed nothing?
"""

import itertools
import math
from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from model.core.journal import words
from model.core.journal.kinds import Hop, Lost, Sent
from model.ground.units import NS_PER_S
from model.views.caption import captioned
from model.views.outages import CROSS, grey_of, legend
from model.views.recording import Recording, Selection
from model.views.style import (
    BOLD_USE,
    FONT_SIZE,
    PAGE_IN,
    PALE,
    PALE_USES,
    REFUSED,
    color_of,
    dress,
    in_order,
)

BINS = 100
_COLORS = ("#000000", "#0072B2", "#E69F00", "#009E73")  # of the busiest stations


def draw(recording: Recording, selection: Selection, count: bool = False) -> Figure:
    """A matrix of bytes, or (`count`) of messages, and next to it what happens over time.

    Over time it shows the stations if hops were journaled, else messages by kind.
    """
    records = selection.of(recording)
    figure = Figure(figsize=(PAGE_IN, 3.7), layout="constrained")
    figure.get_layout_engine().set(wspace=0.06)
    panels = figure.subplot_mosaic(
        "ab\nac" if recording.every_hop else "ab", width_ratios=[1.15, 1]
    )
    for axes in panels.values():
        dress(axes)
    sent = messages(records)
    lost = records[records["kind"] == Lost.name]
    _draw_matrix(panels["a"], matrix(sent, recording.scenario.nodes, count), count)
    _cross_out(panels["a"], lost)

    start_ns, end_ns = window(recording, selection)
    edges_ns = np.linspace(start_ns, end_ns, BINS + 1)
    clock = Clock(start_ns, end_ns)
    handles = _draw_faults(panels["b"], recording, lost, edges_ns, clock)
    if recording.every_hop:
        # What arrived before the window may be served in it.
        passing = selection.of_any_time().of(recording)
        hops = passing[passing["kind"] == Hop.name]
        shares = utilization(hops, edges_ns)
        order = shares.mean(axis=1).sort_values(ascending=False, kind="stable").index
        _draw_utilization(panels["b"], shares.loc[order[: len(_COLORS)]], clock.of(edges_ns))
        _draw_queue(panels["c"], hops, order, edges_ns, clock)
        panels["b"].tick_params(labelbottom=False)
        panels["c"].set_xlabel(clock.label)
    else:
        _draw_kinds(panels["b"], sent, recording.use_of, edges_ns, clock)
        panels["b"].set_xlabel(clock.label)
    over_time = list(panels.values())[1:]
    for axes in over_time:
        axes.xaxis.set_major_locator(MaxNLocator(nbins=5))  # times may have many digits
    _legend(figure, over_time, handles)
    return captioned(figure, recording, selection)


def messages(records: pd.DataFrame) -> pd.DataFrame:
    """The messages sent over the network, without those that nodes send to themselves."""
    return records[(records["kind"] == Sent.name) & (records["node"] != records["peer"])]


def matrix(sent: pd.DataFrame, nodes: int, count: bool = False) -> NDArray[np.int64]:
    """Bytes, or (`count`) messages, sent from each node (row) to each node (column)."""
    amounts = np.zeros((nodes, nodes), np.int64)
    pairs = (sent["node"].to_numpy(int), sent["peer"].to_numpy(int))
    np.add.at(amounts, pairs, 1 if count else sent["size_bytes"].to_numpy(np.int64))
    return amounts


def window(recording: Recording, selection: Selection) -> tuple[int, int]:
    """The time that a selection covers, in ns: as asked, or that of the selected records."""
    records = selection.of(recording)
    last_ns = int(records[["time_ns", "end_ns"]].max().max())
    from_s, to_s = selection.times_s(recording)
    start_ns = int(records["time_ns"].min()) if from_s is None else round(from_s * NS_PER_S)
    end_ns = last_ns if to_s is None else round(to_s * NS_PER_S)
    return start_ns, max(end_ns, start_ns + 1)


def utilization(hops: pd.DataFrame, edges_ns: NDArray) -> pd.DataFrame:
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


def queue_length(hops: pd.DataFrame) -> pd.Series:
    """How many messages wait at a station from each time (ns) on, without the one in service."""
    arrivals = pd.Series(1, index=hops["time_ns"].to_numpy(np.int64))
    departures = pd.Series(-1, index=hops["start_ns"].to_numpy(np.int64))
    return pd.concat([arrivals, departures]).groupby(level=0).sum().cumsum()


def longest(queue: pd.Series, edges_ns: NDArray) -> NDArray[np.int64]:
    """The most messages that wait at any time in each bin between edges."""
    times_ns, lengths = queue.index.to_numpy(), queue.to_numpy()
    first = np.searchsorted(times_ns, edges_ns, side="left")
    before = np.concatenate([[0], lengths])  # before[i]: when i of the times have passed
    return np.array([before[i : j + 1].max() for i, j in itertools.pairwise(first)], int)


def per_kind(sent: pd.DataFrame, edges_ns: NDArray) -> pd.DataFrame:
    """How many messages were sent in each bin between edges (the last closed); one row per kind."""
    counts = {
        kind: np.histogram(sent.loc[sent["what"] == kind, "time_ns"].to_numpy(float), edges_ns)[0]
        for kind in in_order(sent["what"])
    }
    return pd.DataFrame.from_dict(counts, orient="index", columns=range(len(edges_ns) - 1))


class Clock:
    """Times for people, in the unit that suits a window; short windows count from their start."""

    def __init__(self, start_ns: int, end_ns: int) -> None:
        self.unit_ns, self.unit = words.unit_of(end_ns - start_ns, at_least=2)
        self.zero_ns = 0 if self.unit == "s" or start_ns == 0 else start_ns
        after = f" after {self.zero_ns / NS_PER_S:.9g} s" if self.zero_ns else ""
        self.label = f"Time{after} ({self.unit})"

    def of(self, times_ns: NDArray) -> NDArray:
        """Times in ns as numbers of this unit."""
        return (times_ns - self.zero_ns) / self.unit_ns


def _draw_matrix(axes: Axes, sizes: NDArray[np.int64], count: bool) -> None:
    some = sizes[sizes > 0]
    least, most = (some.min(), some.max()) if some.size else (1, 1)
    low = math.floor(math.log10(least))
    high = max(math.ceil(math.log10(most)), low + 1)
    shown = np.ma.masked_equal(sizes, 0)
    image = axes.imshow(shown, cmap="viridis_r", norm=LogNorm(10**low, 10**high))
    axes.set_xlabel("Receiving node")
    axes.set_ylabel("Sending node")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    bar = axes.figure.colorbar(image, ax=axes, shrink=0.75, pad=0.02)
    unit = "messages" if count else "bytes"
    bar.set_label(f"Sent over the network ({unit}; white: none)", size=FONT_SIZE + 1)
    bar.ax.tick_params(labelsize=FONT_SIZE)


def _cross_out(axes: Axes, lost: pd.DataFrame) -> None:
    """Draw a cross over each pair of nodes between which a message was lost."""
    pairs = lost[["peer", "node"]].drop_duplicates().to_numpy(int)
    axes.plot(pairs[:, 1], pairs[:, 0], **CROSS | {"ms": 4, "mew": 1})


def _draw_faults(
    axes: Axes, recording: Recording, lost: pd.DataFrame, edges_ns: NDArray, clock: "Clock"
) -> list[Patch]:
    """Draw outages as shades over all of the height, and losses as crosses near the top."""
    down = [it for it in recording.outages if it.overlaps(edges_ns[0], edges_ns[-1])]
    for outage in down:
        span = clock.of(np.clip([outage.start_ns, outage.end_ns], edges_ns[0], edges_ns[-1]))
        axes.axvspan(*span, facecolor=grey_of(outage.what, outage.how), alpha=0.35, lw=0, zorder=0)
    if len(lost):
        times = clock.of(lost["time_ns"].to_numpy(float))
        height = axes.get_xaxis_transform()
        label = f"lost ({len(lost):,})"
        axes.plot(times, [0.97] * len(times), **CROSS | {"ms": 4}, transform=height, label=label)
    return legend(down)


def _draw_utilization(axes: Axes, shares: pd.DataFrame, edges: NDArray) -> None:
    for color, (station, row) in zip(_COLORS, shares.iterrows(), strict=False):
        axes.stairs(
            100 * row.to_numpy(), edges, baseline=None, color=color, linewidth=0.9, label=station
        )
    axes.set_ylabel("Utilization (%)")
    axes.set_ylim(bottom=0)
    axes.set_xlim(edges[0], edges[-1])


def _draw_queue(
    axes: Axes, hops: pd.DataFrame, order: pd.Index, edges_ns: NDArray, clock: Clock
) -> None:
    edges = clock.of(edges_ns)
    if len(order):
        queue = queue_length(hops[hops["station"] == order[0]])
        label = f"{order[0]}: the most in each of {BINS} intervals"
        axes.stairs(
            longest(queue, edges_ns),
            edges,
            baseline=None,
            color=_COLORS[0],
            linewidth=0.9,
            label=label,
        )
    axes.set_ylabel("Waiting messages")
    axes.set_ylim(0, max(1.0, axes.get_ylim()[1]))
    axes.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=6))
    axes.set_xlim(edges[0], edges[-1])


def _draw_kinds(
    axes: Axes, sent: pd.DataFrame, use_of: dict[int, str], edges_ns: NDArray, clock: Clock
) -> None:
    """Stack the messages of each color: hatched what changed a choice, then others of use, pale
    ones, and refusals hollow.
    """
    edges = clock.of(edges_ns)
    below = np.zeros(len(edges) - 1)
    uses = np.array([use_of.get(number, "") for number in sent["id"]], object)
    pale, hollow, bold = np.isin(uses, PALE_USES), uses == REFUSED, uses == BOLD_USE
    alike: dict[str, list[str]] = {}  # kinds by their color
    for kind in in_order(sent["what"]):
        alike.setdefault(color_of(kind), []).append(kind)
    for color, kinds in alike.items():
        own = sent["what"].isin(kinds).to_numpy()
        label: str | None = ", ".join(kinds)
        for part, look in (
            (own & bold, {"facecolor": color, "edgecolor": "black", "hatch": "////"}),
            (own & ~pale & ~hollow & ~bold, {"color": color}),
            (own & pale, {"color": color, "alpha": PALE}),
            (own & hollow, {"facecolor": "white", "edgecolor": color}),
        ):
            counts = per_kind(sent[part], edges_ns).sum().to_numpy()
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
    axes.set_xlim(edges[0], edges[-1])
    refused, unused = int(hollow.sum()), int(pale.sum())
    if refused or unused:
        looks = f"hollow: refused ({refused:,}); pale: of no use ({unused:,})"
        looks += f"; hatched: {BOLD_USE} ({int(bold.sum()):,})" if bold.any() else ""
        axes.set_title(looks, size=FONT_SIZE)


def _legend(figure: Figure, panels: Iterable[Axes], more: Sequence[Patch]) -> None:
    handles = [handle for axes in panels for handle in axes.get_legend_handles_labels()[0]]
    if handles or more:
        figure.legend(
            handles=[*handles, *more],
            loc="outside lower center",
            ncols=3,
            fontsize=FONT_SIZE,
            frameon=False,
        )
