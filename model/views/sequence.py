"""Who sends what to whom, in order: a sequence diagram of the protocol's messages.

It answers: who talks to whom, when and why; and which messages changed nothing? Refusals have
hollow heads; what was unused, or outdated before anyone used it, is pale; what was decisive is
bold: without it a role would have chosen another node.
"""

from dataclasses import replace
from typing import NamedTuple

from matplotlib.axes import Axes

from agents.messages import DATA_PHASES
from model.core.journal.file import rows
from model.core.journal.kinds import Hop
from model.ground.errors import InputError
from model.ground.text import escaped
from model.ground.units import seconds
from model.pnr.waste import REFUSED
from model.views import flow, style, wiring
from model.views.caption import caption
from model.views.picture import Picture, line_in, times_s
from model.views.recording import Recording, Selection

_ROW_IN, _LIFELINE_IN = 0.13, 0.6  # if there is room
_LIFELINES_IN, _ROWS_IN = 6.0, 11.0  # the most that all of them take
_TIMES_IN = 0.9  # what the times take, left of all
_BESIDE_IN = 0.1  # between a lifeline and its label
_OTHERS = "others"  # the lifeline of those that only hear fans, if there is no room for theirs
_SMALL = style.FONT_SIZE - 1.5
_NAMED_LIFELINES = 12  # with more, there is room for their numbers only
_LEVEL_LIFELINES = 30  # with more, the numbers are rotated


def draw(recording: Recording, selection: Selection, hops: bool = False, page: int = 1) -> Picture:
    """Lifelines of servents with arrows from sending to delivery; one row per event, not to scale.

    More arrows than fit are on further pages.
    Pages and barriers are shown only if nothing else is selected; `hops` shows switches. On a path
    that `explore` has found, times are numbers of steps. Raises InputError if no message is
    selected, or if `hops` are wanted and were not journaled.
    """
    in_steps = recording.finding is not None
    found = arrows(recording, selection, hops)
    shown, _ = flow.page_of(found, page, flow.MOST_ARROWS, "Arrows")
    members = flow.lifelines(shown, _NAMED_LIFELINES)
    if not all({*arrow.targets} <= {*members} for arrow in shown):
        members.append(_OTHERS)
    places = {vertex: place for place, vertex in enumerate(members)}
    rows, times = _rows(shown)

    labels = [_Label.of(arrow, places, timed=not in_steps) for arrow in shown]
    apart_in = min(_LIFELINE_IN, _LIFELINES_IN / len(places))
    left_in, right_in = _margins_in(labels, apart_in, len(places))
    least_in = _TIMES_IN + left_in + (len(places) - 1) * apart_in + right_in
    width_in = max(style.PAGE_IN, least_in)
    picture = Picture(recording, selection, width_in=width_in, least_in=least_in)
    axes = picture.panel(min(_ROW_IN * (len(times) + 4) + 0.5, _ROWS_IN))
    axes.set_xlim(-left_in / apart_in, len(places) - 1 + right_in / apart_in)
    axes.set_ylim(len(times), -1)  # time goes down
    axes.spines[:].set_visible(False)
    axes.vlines(list(places.values()), -1, len(times), color="#999999", linewidth=0.6, zorder=1)
    _shade(picture, axes, recording, places, times)
    _name_lifelines(axes, places, flow.managers_among(found))
    _name_rows(axes, times, in_steps)
    for arrow, label, (start, end) in zip(shown, labels, rows, strict=True):
        _draw_arrow(axes, arrow, label, places, start, end)
    jobs = {arrow.job for arrow in found} - {None}
    several = f"Messages of {len(jobs)} jobs; --job shows one job" if len(jobs) > 1 else ""
    return picture.framed("\n".join(filter(None, (flow.left_out(found, page), several))))


def mermaid(recording: Recording, selection: Selection, hops: bool = False, page: int = 1) -> str:
    """The sequence diagram as Mermaid text."""
    drawn = flow.mermaid(arrows(recording, selection, hops), page)
    # a semicolon would end the comment
    about = escaped(caption(recording, selection)).replace(";", ",")
    return f"%% {about}\n{drawn}"


def arrows(recording: Recording, selection: Selection, hops: bool = False) -> list[flow.Arrow]:
    """The selected messages in the order of sending; those of a broadcast or fan are one arrow.

    With `hops` a message has an arrow for each part of its way between switches; a broadcast does
    not.
    """
    ways = selection.ways(recording)
    protocol = ways[~ways["phase"].isin(DATA_PHASES)]
    ways = ways if protocol.empty else protocol
    if ways.empty:
        raise InputError(
            f"no message is selected in the journal of {recording.design}, so there is nothing to "
            "draw; choose another job, window or nodes"
        )
    found = flow.arrows_of(rows(ways), recording.use_of, folded=True)
    return _by_way_of_switches(found, recording) if hops else found


def switches_of(recording: Recording) -> list[str]:
    """The switches of the network; raises InputError if it has none."""
    if switches := wiring.switches_of(recording.network):
        return switches
    raise InputError(f"--hops: the network {recording.scenario.topology} has no switch")


def _by_way_of_switches(found: list[flow.Arrow], recording: Recording) -> list[flow.Arrow]:
    if not recording.every_hop:
        raise InputError(
            "--hops: this journal holds no hops of messages; write it with --journal-level all"
        )
    switches = switches_of(recording)
    passed: dict[int, list[Hop]] = {}
    for hop in recording.each(Hop):
        if hop.station in switches:
            passed.setdefault(hop.id, []).append(Hop.of(hop))
    legs = []
    for arrow in found:
        if arrow.broadcast:
            legs.append(arrow)
            continue
        source, sent_ns = arrow.source, arrow.sent_ns
        for service in passed.get(arrow.id, []):
            leg = replace(arrow, source=source, targets=(service.station,), sent_ns=sent_ns)
            legs.append(replace(leg, delivered_ns=service.time_ns))
            source, sent_ns = service.station, service.end_ns
        legs.append(replace(arrow, source=source, sent_ns=sent_ns))
    return sorted(legs, key=lambda leg: leg.sent_ns)


def _rows(shown: list[flow.Arrow]) -> tuple[list[tuple[int, int]], list[int | None]]:
    """The rows in which each arrow starts and ends, and the time of each row, in ns.

    A broadcast has only the row of its sending, and so has a message from a node to itself.
    """
    never = max(max(a.sent_ns, a.delivered_ns or 0) for a in shown) + 1
    events = []
    for place, arrow in enumerate(shown):
        events.append((arrow.sent_ns, 1, place))
        if not arrow.broadcast and not arrow.to_itself:
            # at equal times deliveries come first: they may cause what is sent
            events.append((arrow.delivered_ns or never, 0, place))
    events.sort()
    starts: dict[int, int] = {}
    ends: dict[int, int] = {}
    for row, (_, sending, place) in enumerate(events):
        (starts if sending else ends)[place] = row
    times = [None if time_ns == never else time_ns for time_ns, _, _ in events]
    return [(starts[place], ends.get(place, starts[place])) for place in range(len(shown))], times


def _name_lifelines(axes: Axes, places: dict[flow.Vertex, int], managers: set[flow.Vertex]) -> None:
    axes.xaxis.tick_top()
    if len(places) > _NAMED_LIFELINES:
        names = [str(vertex) for vertex in places]
        axes.xaxis.set_label_position("top")
        axes.set_xlabel("Node (bold: manager)")
    else:
        roles = {vertex: "\nmanager" * (vertex in managers) for vertex in places}
        names = [v if isinstance(v, str) else f"node {v}{roles[v]}" for v in places]
    axes.set_xticks(list(places.values()), names, fontsize=style.FONT_SIZE)
    for tick, node in zip(axes.get_xticklabels(), places, strict=True):
        tick.set_fontweight("bold" if node in managers else "normal")
    axes.tick_params(axis="x", length=0, rotation=90 if len(places) > _LEVEL_LIFELINES else 0)


def _name_rows(axes: Axes, times: list[int | None], in_steps: bool) -> None:
    """Label a row with its time, in s or steps, if it differs from that of the row before."""
    named = {row: t for row, t in enumerate(times) if t is not None and t not in times[:row][-1:]}
    if in_steps:
        texts = [f"step {seconds(time_ns):.0f}" for time_ns in named.values()]
    else:
        texts = [f"{time_s} s" for time_s in times_s(named.values())]
    axes.set_yticks(list(named), texts, fontsize=_SMALL)
    axes.tick_params(axis="y", length=2)


def _shade(
    picture: Picture,
    axes: Axes,
    recording: Recording,
    places: dict[flow.Vertex, int],
    times: list[int | None],
) -> None:
    """Shade the lifelines of what is down from the first row of that time to the last."""
    for outage in recording.outages:
        rows = [
            row
            for row, time_ns in enumerate(times)
            if time_ns is not None and outage.start_ns <= time_ns <= outage.end_ns
        ]
        if rows and outage.node in places:
            here = places[outage.node]
            box = (here - 0.2, here + 0.2, rows[0] - 0.5, rows[-1] + 0.5)
            picture.shade(axes, outage, box)


class _Label(NamedTuple):
    """What is written beside an arrow's start, on the side to which it does not go."""

    text: str
    lifeline: int
    is_left: bool

    @classmethod
    def of(cls, arrow: flow.Arrow, places: dict[flow.Vertex, int], timed: bool) -> "_Label":
        here = places[arrow.source]
        is_single = not arrow.broadcast and not arrow.to_itself
        goes_right = places.get(arrow.targets[0], here) > here
        return cls(arrow.text(timed), here, is_single and goes_right)


def _margins_in(labels: list[_Label], apart_in: float, count: int) -> tuple[float, float]:
    """How much room labels need on the left of all lifelines, and on the right."""
    sides = [[_BESIDE_IN], [_BESIDE_IN]]
    for label in labels:
        beyond = label.lifeline if label.is_left else count - 1 - label.lifeline
        needed_in = line_in(label.text, _SMALL) + 2 * _BESIDE_IN - beyond * apart_in
        sides[not label.is_left].append(needed_in)
    return max(sides[0]), max(sides[1])


def _draw_arrow(
    axes: Axes,
    arrow: flow.Arrow,
    label: _Label,
    places: dict[flow.Vertex, int],
    start: int,
    end: int,
) -> None:
    color = style.color_of(arrow.kind, arrow.use)
    here = places[arrow.source]
    heads = sorted({places[node if node in places else _OTHERS] for node in arrow.targets})
    look = {"arrowstyle": "-|>", "mutation_scale": 6, "shrinkA": 0, "shrinkB": 0}
    look |= {"linewidth": 0.8 * style.width_of(arrow.use)}
    look |= {"linestyle": style.line_style(arrow.kind)}
    look |= {"edgecolor": color, "facecolor": "white" if arrow.use == REFUSED else color}
    if arrow.to_itself:
        look |= {"connectionstyle": "arc3,rad=-1.2", "arrowstyle": "->"}
        tips = [((here, start - 0.3), (here, start + 0.3))]
    elif arrow.broadcast:
        # a bracket to the outermost receivers on either side, with a mark at each
        outer = {min(heads[0], here), max(heads[-1], here)} - {here}
        tips = [((here, start), (tip, start)) for tip in sorted(outer)]
        if arrow.is_into:
            tips = [(tip, tail) for tail, tip in tips]
        axes.plot(heads, [start] * len(heads), "|", color=color, markersize=4)
    else:
        tips = [((here, start), (heads[0], end))]
    if arrow.lost and not arrow.broadcast:
        axes.plot(*tips[0][1], "x", color=color, markersize=7, markeredgewidth=1.5, zorder=4)
    for tail, tip in tips:
        drawn = axes.annotate("", xy=tip, xytext=tail, arrowprops=look, zorder=2)
        drawn.set_in_layout(False)  # the margins have room for it
    axes.annotate(
        label.text,
        (here, start),
        xytext=(-4 if label.is_left else 7, 0),
        textcoords="offset points",
        ha="right" if label.is_left else "left",
        va="center",
        fontsize=_SMALL,
        color=style.for_letters(style.color_of(arrow.kind)),
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.4},
        zorder=3,
    ).set_in_layout(False)
