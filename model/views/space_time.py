"""Messages between nodes over time, with context switches and loans; this shows bursts.

It answers: who talks to whom, when and how much; and which messages changed nothing: refused,
outdated before anyone used them, unused?
"""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from model.core.journal.kinds import WAY_ENDS, Lent, Lost, Returned, Switch, Switched
from model.ground.units import BYTES_PER_MB
from model.pnr.waste import REFUSED
from model.views import style
from model.views.picture import Clock, Picture
from model.views.recording import Recording, Selection, over_network

_MANY = 5_000  # with more messages, lines are thin
_MOST_HEADS = 1_000
_MOST = 200_000  # the most lines that a picture can hold
_MANY_SWITCHES = 60
_BURSTS = 30  # so many times narrower than the picture, a burst is put into words
_BUNDLE = 10  # messages of a kind, from which on that is worth the room
_LARGEST_MARKER = 60  # points^2
#: What changes a loan -> the shape and the fill of its triangle.
_LOANS = {Lent.name: ("^", "black"), Returned.name: ("v", "white")}
_HOLLOW: dict[str, Any] = {
    "ls": "",
    "marker": "o",
    "ms": 3.2,
    "mfc": "white",
    "mew": 0.6,
    "zorder": 3,
}


def messages(recording: Recording, selection: Selection) -> pd.DataFrame:
    """One row per message over the network whose sending or end is selected.

    Columns: id, what, node (its sender), peer (its receiver), size_bytes, sent_ns, delivered_ns
    (when it reached its receiver's door; missing if it did not), lost (whether it was lost there),
    use (what it was good for; missing for pages and barriers).
    """
    records = selection.ways(recording)
    sent = over_network(records).rename(columns={"time_ns": "sent_ns"})
    ends = records[records["kind"].isin(WAY_ENDS)].set_index("id")
    lost = (ends["kind"] == Lost.name).rename("lost")
    table = sent[["id", "what", "node", "peer", "size_bytes", "sent_ns"]]
    table = table.join(ends["time_ns"].rename("delivered_ns"), on="id").join(lost, on="id")
    return table.assign(use=[recording.use_of.get(number) for number in table["id"]])


def draw(recording: Recording, selection: Selection) -> Picture:
    """Nodes over time with a line per message, a band per context switch, a triangle per loan."""
    table = messages(recording, selection)
    under_way = int(table["delivered_ns"].isna().sum())
    table = table.dropna(subset="delivered_ns")
    first_ns, last_ns = selection.window_ns(recording)
    margin = (last_ns - first_ns) // 50 if selection.times_s(recording) == (None, None) else 0
    clock = Clock(max(0, first_ns - margin), last_ns + margin)
    picture = Picture(recording, selection)
    axes = picture.panel(3.8)
    handles: list[Artist] = draw_switches(axes, recording, clock)
    for outage in recording.outages:
        if clock.shows(outage.start_ns, outage.end_ns):
            span = clock.span(outage.start_ns, outage.end_ns)
            picture.shade(axes, outage, (*span, outage.node - 0.4, outage.node + 0.4))
    handles += _lines(axes, table, clock)
    handles += _crosses(axes, table, clock)
    loans = selection.of(recording)
    loans = loans[loans["kind"].isin(_LOANS)]
    handles += _loans(axes, loans, clock)
    _bundles(axes, table, loans, clock)
    clock.label_axis(axes)
    seen = [*selection.nodes, *table["node"], *table["peer"]] if selection.nodes else []
    low, high = (min(seen), max(seen)) if seen else (0, recording.scenario.nodes - 1)
    room = max(0.7, (high - low) / 45)  # half of the largest triangle
    axes.set_ylim(high + room, low - room)
    ticks = MaxNLocator(integer=True, min_n_ticks=1).tick_values(low, high)
    axes.set_yticks([node for node in ticks if low <= node <= high])
    axes.set_ylabel("Node")
    count = f"{len(table):,} messages" if len(table) else "no messages here"
    title = f"{recording.design}: {count}"
    if len(table) > _MOST:
        title += f", of which one in {-(-len(table) // _MOST)} is drawn"
    if under_way:
        title += f"; {under_way:,} still under way are not drawn"
    return picture.framed(title, handles)


def _lines(axes: Axes, table: pd.DataFrame, clock: Clock) -> list[Line2D]:
    """Draw lines between nodes, with heads unless they are many."""
    step = max(1, -(-len(table) // _MOST))
    width, alpha = (0.25, 0.5) if len(table) > _MANY else (0.7, 0.9)
    handles = []
    for kind in style.in_order(table["what"]):
        part = table[table["what"] == kind]
        dashes, label = style.line_style(kind), f"{kind} ({len(part):,})"
        handles.append(Line2D([], [], color=style.color_of(kind), lw=1.5, ls=dashes, label=label))
        part = part.iloc[::step]
        for use, its in part.groupby(part["use"].fillna("")):
            color = style.color_of(kind, use)
            senders, receivers = its["node"].to_numpy(float), its["peer"].to_numpy(float)
            starts, ends = clock.of(its["sent_ns"]), clock.of(its["delivered_ns"])
            lines = LineCollection(
                [*np.stack([starts, senders, ends, receivers], axis=1).reshape(-1, 2, 2)],
                colors=color,
                linewidths=width * style.width_of(use),
                linestyles=[dashes],
                alpha=alpha,
                zorder=1.9 if use in style.PALE_USES else 2,
            )
            axes.add_collection(lines, autolim=False)
            if use == REFUSED:
                axes.plot(ends, receivers, **_HOLLOW | {"mec": color})
            elif len(table) <= _MOST_HEADS:
                for head, goes in (("v", receivers > senders), ("^", receivers < senders)):
                    axes.plot(ends[goes], receivers[goes], head, color=color, ms=2.5, mew=0)
    return handles + _uses(table["use"])


def _uses(uses: pd.Series) -> list[Line2D]:
    """What hollow, pale and bold messages are, if there are any."""
    pale = style.on_papers("#000000")[2]
    looks = (
        ("refused", uses == REFUSED, _HOLLOW | {"mec": "black"}),
        ("unused or outdated", uses.isin(style.PALE_USES), {"color": pale, "lw": 1.5}),
        (style.BOLD_USE, uses == style.BOLD_USE, {"color": "black", "lw": 1.5 * style.BOLD}),
    )
    return [
        Line2D([], [], **look, label=f"{name} ({its.sum():,})")
        for name, its, look in looks
        if its.any()
    ]


def _bundles(axes: Axes, table: pd.DataFrame, loans: pd.DataFrame, clock: Clock) -> None:
    """Say what bursts consist of that are too narrow to be looked into, such as at a job's start.

    By the kind that is sent most often, and by what is lent or returned.
    """
    if table.empty:
        return
    span_ns = clock.window_ns[1] - clock.window_ns[0]
    times_ns = table["sent_ns"].to_numpy(np.int64)
    burst = np.cumsum(np.diff(times_ns, prepend=times_ns[:1]) > span_ns / _BURSTS)
    starts_ns = pd.Series(times_ns).groupby(burst).min()
    ends_ns = table["delivered_ns"].groupby(burst).max()
    for number, kinds in table.groupby(burst)["what"]:
        counts = kinds.value_counts()
        most = counts.max()
        narrow = ends_ns[number] - starts_ns[number] <= span_ns / _BURSTS
        if most < _BUNDLE or not narrow:
            continue
        name = style.in_order(counts[counts == most].index)[0]
        text = f"{most:,} {name}s"
        until_ns = starts_ns.get(number + 1, clock.window_ns[1] + 1)
        own = loans[(loans["time_ns"] >= starts_ns[number]) & (loans["time_ns"] < until_ns)]
        for kind, its in own.groupby("kind", observed=True):
            text += f", {len(its):,} {kind}"
        axes.annotate(
            text,
            (clock.of(starts_ns[number]), 0.99),
            xycoords=axes.get_xaxis_transform(),
            xytext=(3, 0),
            textcoords="offset points",
            rotation=90,
            va="top",
            size=style.FONT_SIZE - 1,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.3, "alpha": 0.75},
            zorder=5,
        )


def draw_switches(
    axes: Axes, recording: Recording, clock: Clock, zorder: float = 0
) -> list[Artist]:
    """Draw bands from the beginning of each context switch to its end, or to the next one.

    So many that they would hide all else are ticks above the picture. Returns what explains them.
    """
    marks = recording.of_kinds(Switch, Switched)
    times_ns = marks["time_ns"].to_numpy(dtype=np.int64)
    ends_ns = np.append(times_ns[1:], times_ns[-1:])
    first_ns, last_ns = clock.window_ns
    begins = (marks["kind"] == Switch.name).to_numpy()
    shown = begins & (ends_ns >= first_ns) & (times_ns <= last_ns)
    if not shown.any():
        return []
    starts, ends = clock.of(times_ns[shown]), clock.of(ends_ns[shown])
    crowded = shown.sum() > _MANY_SWITCHES
    look: dict[str, Any] = {
        "facecolor": "#DDDDDD",
        "edgecolor": "#555555",
        "lw": 0.4,
    }  # seen even if thin
    axes.broken_barh(
        list(zip(starts, ends - starts, strict=True)),
        (1.005, 0.015) if crowded else (0, 1),
        clip_on=not crowded,
        transform=axes.get_xaxis_transform(),
        zorder=zorder,
        **look,
    )
    return [Patch(**look, label=f"context switch ({shown.sum():,}{', above' if crowded else ''})")]


def _crosses(axes: Axes, table: pd.DataFrame, clock: Clock) -> list[Line2D]:
    lost = table[table["lost"].astype(bool)]
    if lost.empty:
        return []
    axes.plot(clock.of(lost["delivered_ns"]), lost["peer"].to_numpy(float), zorder=4, **style.CROSS)
    return [Line2D([], [], **style.CROSS, label=f"lost ({len(lost):,})")]


def _loans(axes: Axes, loans: pd.DataFrame, clock: Clock) -> list[Line2D]:
    largest_mb = float(loans["amount_bytes"].max()) / BYTES_PER_MB if len(loans) else 0.0
    handles = []
    for kind, (marker, face) in _LOANS.items():
        part = loans[loans["kind"] == kind]
        if part.empty:
            continue
        at = clock.of(part["time_ns"]), part["node"].to_numpy(float)
        sizes = part["amount_bytes"].to_numpy(float) / BYTES_PER_MB / largest_mb
        look: dict[str, Any] = {"marker": marker, "lw": 0.6, "zorder": 3}
        axes.scatter(*at, s=_LARGEST_MARKER * sizes, fc=face, ec="black", **look)
        look |= {"lw": 0, "ms": _LARGEST_MARKER**0.5, "mfc": face, "mec": "black", "mew": 0.6}
        label = f"{kind} ({len(part):,}); this size: {largest_mb:.1f} MB"
        handles.append(Line2D([], [], **look, label=label))
    return handles
