"""Who sends how much to whom, and how busy that keeps the network over time.

It answers: who talks to whom, when and how much; where messages wait; which changed nothing?
"""

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
from model.views import style
from model.views.levels import Levels
from model.views.picture import Clock, Picture
from model.views.recording import Recording, Selection, over_network

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
    first = picture.add_subplot(grid[0, 1])
    panels = [first, *([picture.add_subplot(grid[1, 1], sharex=first)] if stations else [])]
    sent = over_network(records)
    lost = records[records["kind"] == Lost.name]
    _draw_matrix(pairs, matrix(sent, recording.scenario.nodes, count), count)
    between = lost[["peer", "node"]].drop_duplicates().to_numpy(int)
    pairs.plot(between[:, 1], between[:, 0], **{**style.CROSS, "ms": 4, "mew": 1})

    clock = Clock(*selection.window_ns(recording))
    edges_ns = np.linspace(*clock.window_ns, BINS + 1)
    _draw_faults(picture, first, recording, lost, clock)
    if stations:
        # What arrived before the window may be served in it.
        passing = selection.of_any_time().of(recording)
        _draw_stations(panels, passing[passing["kind"] == Hop.name], edges_ns, clock)
        what = "messages"
        first.tick_params(labelbottom=False)
    else:
        what = _draw_kinds(first, sent, recording.use_of, edges_ns, clock)
    clock.label_axis(panels[-1])
    key = [it for axes in panels for it in axes.get_legend_handles_labels()[0]]
    return picture.framed(f"{recording.design}: {len(sent):,} {what}", key)


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
    most = max(1, int(sizes.max()))
    low = np.floor(np.log10(sizes[sizes > 0].min(initial=most)))
    norm = LogNorm(10**low, 10 ** max(low + 1, np.ceil(np.log10(most))))
    shown = np.ma.masked_equal(sizes, 0)
    image = axes.imshow(shown, cmap="viridis_r", norm=norm, interpolation="nearest")
    axes.set_xlabel("Receiving node")
    axes.set_ylabel("Sending node")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    bar = axes.figure.colorbar(image, ax=axes, shrink=0.75, pad=0.02)
    bar.set_label(f"{'Messages' if count else 'Bytes'} sent (blank: none)")


def _draw_faults(
    picture: Picture, axes: Axes, recording: Recording, lost: pd.DataFrame, clock: Clock
) -> None:
    """Draw outages as shades over all of the height, and losses as crosses near the top."""
    for outage in recording.outages:
        if clock.shows(outage.start_ns, outage.end_ns):
            span = clock.within(outage.start_ns, outage.end_ns)
            grey = style.grey_of(outage.what, outage.how)
            axes.axvspan(*span, facecolor=grey, alpha=0.35, lw=0, zorder=0)
            picture.explain(outage)
    if len(lost):
        times = clock.of(lost["time_ns"].to_numpy(float))
        look = {**style.CROSS, "ms": 4, "label": f"lost ({len(lost):,})"}
        axes.plot(times, [0.97] * len(times), **look, transform=axes.get_xaxis_transform())


def _draw_stations(
    panels: list[Axes], hops: pd.DataFrame, edges_ns: NDArray[np.float64], clock: Clock
) -> None:
    """Above how busy the busiest stations are, below how many wait at the busiest."""
    above, below = panels
    edges = clock.of(edges_ns)
    shares = utilization(hops, edges_ns)
    order = shares.mean(axis=1).sort_values(ascending=False, kind="stable").index
    look: dict[str, Any] = {"baseline": None, "linewidth": 0.9}
    for color, station in zip(_COLORS, order, strict=False):
        busy = 100 * shares.loc[station].to_numpy()
        above.stairs(busy, edges, color=color, label=station, **look)
    above.set_ylabel("Utilization (%)")
    above.set_ylim(bottom=0)
    if len(order):
        most = queue_length(hops[hops["station"] == order[0]]).most(edges_ns)
        label = f"{order[0]}: peak in each of {BINS} intervals"
        below.stairs(most, edges, color=_COLORS[0], label=label, **look)
    below.set_ylabel("Peak queue (messages)")
    below.set_ylim(0, max(1.0, below.get_ylim()[1]))
    below.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=6))


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
    pale, hollow, bold = np.isin(uses, style.PALE_USES), uses == REFUSED, uses == style.BOLD_USE
    for kind in style.in_order(sent["what"]):
        own, color = (sent["what"] == kind).to_numpy(), style.color_of(kind)
        label: str | None = kind
        parts: tuple[tuple[NDArray[np.bool_], dict[str, Any]], ...] = (
            (own & bold, {"facecolor": color, "edgecolor": "black", "hatch": "////"}),
            (own & ~pale & ~hollow & ~bold, {"color": color}),
            (own & pale, {"color": style.color_of(kind, style.PALE_USES[0])}),
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
        ("hatched", style.BOLD_USE, bold),
    )
    found = [f"{look}: {what} ({its.sum():,})" for look, what, its in looks if its.any()]
    return "; ".join(["messages", *found])
