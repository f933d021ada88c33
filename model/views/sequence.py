"""Who says what to whom, in order: a sequence diagram of the protocol's messages."""

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from model.flow import DATA_TRAFFIC
from model.scenario import InputError
from model.units import NS_PER_MS, megabytes, seconds
from model.views.recording import Recording, Selection
from model.views.style import FONT_SIZE, KIND_COLORS, PAGE_IN, page

MOST_ARROWS = 60  # more are not readable
_ROW_IN, _LIFELINE_IN, _LABEL_IN = 0.13, 0.6, 1.5
_SMALL = FONT_SIZE - 1.5
_OF_MANAGERS = ("ServerRequest", "RamGrant", "LoadBroadcast", "ServerRelease")
_TO_MANAGERS = ("RamRequest", "ReleaseNotice")


@dataclass(frozen=True)
class Arrow:
    """One message, or the messages of one broadcast; times in ns, amount in bytes."""

    kind: str
    source: int
    targets: tuple[int, ...]
    sent_ns: int
    delivered_ns: int | None  # the last of them; None while under way
    amount: int | None

    @property
    def broadcast(self) -> bool:
        """Whether it stands for a broadcast."""
        return self.kind == "LoadBroadcast"

    @property
    def to_itself(self) -> bool:
        """Whether a node tells itself."""
        return self.targets == (self.source,)

    def label(self) -> str:
        """Kind, amount in MB where there is one, latency in ms."""
        parts = [self.kind]
        if self.broadcast:
            parts.append(f"to {len(self.targets)} servents")
        if self.amount is not None:
            parts.append(f"{megabytes(self.amount):.2f} MB")
        if self.delivered_ns is None:
            parts.append("under way")
        elif not self.to_itself:
            parts.append(f"{(self.delivered_ns - self.sent_ns) / NS_PER_MS:.3f} ms")
        return " · ".join(parts)


def draw(recording: Recording, selection: Selection) -> Figure:
    """Lifelines of the servents, arrows from sending to delivery; a row an event, not to scale.

    Pages and barriers are shown only where nothing else is selected. Raises InputError if no
    message is.
    """
    found = arrows(recording, selection)
    shown, rest = found[:MOST_ARROWS], found[MOST_ARROWS:]
    places = {node: place for place, node in enumerate(_lifelines(shown))}
    rows, times = _rows(shown)

    width_in = min(max(PAGE_IN, _LIFELINE_IN * len(places) + 2 * _LABEL_IN), 4 * PAGE_IN)
    figure, axes = page(_ROW_IN * (len(times) + 4) + 0.5, width_in)
    margin = len(places) * _LABEL_IN / (width_in - 2 * _LABEL_IN)  # a label wide, on both sides
    axes.set_xlim(-margin, len(places) - 1 + margin)
    axes.set_ylim(len(times), -1)  # time goes down
    axes.spines[:].set_visible(False)
    axes.vlines(list(places.values()), -1, len(times), color="#999999", linewidth=0.6, zorder=1)
    _name_lifelines(axes, places, _managers(found))
    _name_rows(axes, times)
    for arrow, (start, end) in zip(shown, rows, strict=True):
        _draw_arrow(axes, arrow, places, start, end)
    if rest:
        left_out = Counter[str]()
        for arrow in rest:
            left_out[arrow.kind] += len(arrow.targets)
        listed = ", ".join(f"{count} {kind}" for kind, count in left_out.items())
        figure.supxlabel(
            f"The first {MOST_ARROWS} of {len(found)} arrows; messages left out: {listed}",
            fontsize=FONT_SIZE,
        )
    return figure


def arrows(recording: Recording, selection: Selection) -> list[Arrow]:
    """The messages sent or delivered in the selection, by sending; a broadcast's together."""
    chosen = selection.of(recording)
    chosen = chosen[chosen["kind"].isin(["sent", "delivered"])]
    protocol = chosen[~chosen["what"].isin(DATA_TRAFFIC)]
    ids = (chosen if protocol.empty else protocol)["id"]
    if ids.empty:
        raise InputError(
            f"no message is selected in the journal of {recording.design}: nothing to draw; "
            "choose another job, window or nodes"
        )
    records = recording.records[recording.records["id"].isin(ids)]
    arrived = records[records["kind"] == "delivered"]
    delivered = dict(zip(arrived["id"], arrived["time_ns"], strict=True))
    sent = records[records["kind"] == "sent"].itertuples()
    return [_arrow(list(group), delivered) for _, group in groupby(sent, key=_one_arrow)]


def _one_arrow(record: Any) -> Hashable:
    if record.what == "LoadBroadcast":
        return record.time_ns, record.node, record.cause
    return (record.id,)


def _arrow(messages: list[Any], delivered: dict[int, int]) -> Arrow:
    first = messages[0]
    ends = [delivered.get(message.id) for message in messages]
    return Arrow(
        first.what,
        first.node,
        tuple(message.peer for message in messages),
        first.time_ns,
        None if None in ends else max(ends),
        None if pd.isna(first.amount_bytes) else first.amount_bytes,
    )


def _lifelines(shown: list[Arrow]) -> list[int]:
    """Nodes that take part; who only hears a broadcast does not, or MAN would show them all."""
    nodes = {arrow.source for arrow in shown}
    nodes.update(node for arrow in shown if not arrow.broadcast for node in arrow.targets)
    return sorted(nodes)


def _managers(found: list[Arrow]) -> set[int]:
    managers = {arrow.source for arrow in found if arrow.kind in _OF_MANAGERS}
    return managers | {arrow.targets[0] for arrow in found if arrow.kind in _TO_MANAGERS}


def _rows(shown: list[Arrow]) -> tuple[list[tuple[int, int]], list[int | None]]:
    """The rows where each arrow starts and ends, and the time of each row, ns.

    A broadcast has one row, its sending; so has what a node tells itself.
    """
    never = max(max(a.sent_ns, a.delivered_ns or 0) for a in shown) + 1
    events = []
    for place, arrow in enumerate(shown):
        events.append((arrow.sent_ns, 1, place))
        if not arrow.broadcast and not arrow.to_itself:
            # at equal times a delivery comes first: it may be the cause of what is sent
            events.append((arrow.delivered_ns or never, 0, place))
    events.sort()
    starts: dict[int, int] = {}
    ends: dict[int, int] = {}
    for row, (_, sending, place) in enumerate(events):
        (starts if sending else ends)[place] = row
    times = [None if time_ns == never else time_ns for time_ns, _, _ in events]
    return [(starts[place], ends.get(place, starts[place])) for place in range(len(shown))], times


def _name_lifelines(axes: Axes, places: dict[int, int], managers: set[int]) -> None:
    names = [f"node {node}" + ("\nmanager" if node in managers else "") for node in places]
    axes.xaxis.tick_top()
    axes.set_xticks(list(places.values()), names, fontsize=FONT_SIZE)
    for tick, node in zip(axes.get_xticklabels(), places, strict=True):
        tick.set_fontweight("bold" if node in managers else "normal")
    axes.tick_params(axis="x", length=0)


def _name_rows(axes: Axes, times: list[int | None]) -> None:
    """The time of a row, s, where it is another than the row's before."""
    named = {row: t for row, t in enumerate(times) if t is not None and t not in times[:row][-1:]}
    texts = [f"{seconds(time_ns):.6f} s" for time_ns in named.values()]
    axes.set_yticks(list(named), texts, fontsize=_SMALL)
    axes.tick_params(axis="y", length=2)


def _draw_arrow(axes: Axes, arrow: Arrow, places: dict[int, int], start: int, end: int) -> None:
    color = KIND_COLORS[arrow.kind]
    here = places[arrow.source]
    heads = sorted({places[node] for node in arrow.targets if node in places})
    style = {"arrowstyle": "-|>", "color": color, "linewidth": 0.8, "shrinkA": 0, "shrinkB": 0}
    style["mutation_scale"] = 6
    if arrow.to_itself:
        style |= {"connectionstyle": "arc3,rad=-1.2", "arrowstyle": "->"}
        tips = [((here, start - 0.3), (here, start + 0.3))]
    elif arrow.broadcast:
        # a bracket: to the outermost listeners shown, marked at each; a stub if none is shown
        outer = {heads[0], heads[-1]} if heads else {here + 0.4}
        tips = [((here, start), (tip, start)) for tip in sorted(outer)]
        axes.plot(heads, [start] * len(heads), "|", color=color, markersize=4)
    else:
        tips = [((here, start), (heads[0], end))]
    for tail, tip in tips:
        axes.annotate("", xy=tip, xytext=tail, arrowprops=style, zorder=2)
    # the label stands where the arrow does not go
    left = not arrow.broadcast and not arrow.to_itself and heads[0] > here
    axes.annotate(
        arrow.label(),
        (here, start),
        xytext=(-4 if left else 7, 0),
        textcoords="offset points",
        ha="right" if left else "left",
        va="center",
        fontsize=_SMALL,
        color=color,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.4},
        zorder=3,
    )
