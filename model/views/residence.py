"""Load sharing's jobs over nodes and time: where each one was, and with which others."""

from dataclasses import dataclass

from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure

from model.core.journal.over_time import Span
from model.core.journal.past import RUNNING
from model.ground.units import seconds
from model.views.caption import captioned
from model.views.recording import Recording, Selection
from model.views.style import FONT_SIZE, JOB_COLORS, PAGE_IN, Room, dress
from model.views.titles import titled
from model.views.usage import HEIGHT_IN, Steps, Usage, busy_nodes, draw_usage

_FILLED = 0.9  # share of a node's row that is filled


@dataclass(frozen=True)
class Residence:
    """A job's stay on a node, in the lowest place there that was free."""

    job: int
    node: int
    place: int
    start_ns: int
    end_ns: int


def residences(spans: list[Span]) -> list[Residence]:
    """The jobs' stays on nodes in the order of arrival; a job on its way is on no node."""
    found: list[Residence] = []
    here: dict[int, list[Residence]] = {}  # by node: who may still be there
    for span in sorted(spans, key=lambda span: (span.start_ns, span.job)):
        if span.state != RUNNING:
            continue
        (node,) = span.nodes
        staying = [it for it in here.get(node, ()) if it.end_ns > span.start_ns]
        taken = {it.place for it in staying}
        place = next(place for place in range(len(taken) + 1) if place not in taken)
        found.append(Residence(span.job, node, place, span.start_ns, span.end_ns))
        here[node] = [*staying, found[-1]]
    return found


def draw(recording: Recording, selection: Selection, against: Recording | None = None) -> Figure:
    """One row per node, with its jobs over time (s) side by side.

    Below, how many nodes have jobs, and how many jobs are on none; a second run's are dashed.
    """
    first_s, last_s = selection.window_s(recording)
    if against is not None:
        last_s = max(last_s, selection.window_s(against)[1])
    nodes = selection.nodes_of(recording)
    runs = [recording] if against is None else [recording, against]
    shown = [
        residence
        for residence in residences(recording.job_spans)
        if selection.shows(residence.job, residence.start_ns, residence.end_ns, (first_s, last_s))
        and residence.node in nodes
    ]
    if not shown:
        selection.of(recording)
    places = 1 + max((residence.place for residence in shown), default=0)
    height_in = max(1.2, min(7.0, 0.4 + 0.13 * places * len(nodes)))
    heights = [height_in, HEIGHT_IN, HEIGHT_IN]
    figure = Figure(figsize=(PAGE_IN, 0.6 + sum(heights)), layout="constrained")
    axes, *below = figure.subplots(3, sharex=True, height_ratios=heights)
    dress(axes)
    height = _FILLED / places
    corners = []
    for residence in shown:
        low = nodes.index(residence.node) - _FILLED / 2 + residence.place * height
        left, right = seconds(residence.start_ns), seconds(residence.end_ns)
        corners.append([(left, low), (right, low), (right, low + height), (left, low + height)])
    turns = {job: turn for turn, job in enumerate(dict.fromkeys(it.job for it in shown))}
    colors = [JOB_COLORS[turns[residence.job] % len(JOB_COLORS)] for residence in shown]
    drawn = PolyCollection(corners, facecolors=colors, edgecolors="black", linewidths=0.15)
    axes.add_collection(drawn, autolim=False)
    titled(
        drawn,
        [
            f"job {one.job} is on node {one.node} from {seconds(one.start_ns):.6f} to "
            f"{seconds(one.end_ns):.6f} s"
            for one in shown
        ],
    )
    room = Room.of((first_s, last_s), len(nodes), height_in - 0.4)
    for one, ((left, low), _, (right, high), _) in zip(shown, corners, strict=True):
        room.write(axes, str(one.job), (max(first_s, left), min(last_s, right)), (low, high))
    axes.set_xlim(first_s, last_s)
    axes.set_ylim(len(nodes) - 0.5, -0.5)
    axes.set_yticks(range(len(nodes)), [str(node) for node in nodes])
    axes.hlines([row + 0.5 for row in range(len(nodes) - 1)], first_s, last_s, "#999999", lw=0.4)
    numbers = [Usage.of(run.design, _busy(run.job_spans, nodes), run.job_spans) for run in runs]
    draw_usage(below, len(nodes), numbers)
    below[-1].set_xlabel("Time (s)")
    below[0].set_ylabel("Nodes with\njobs (%)", size=FONT_SIZE)
    axes.set_ylabel("Node")
    jobs = len({residence.job for residence in shown})
    axes.set_title(
        f"{recording.design}: {jobs} job{'s' * (jobs != 1)}, by number; "
        f"at most {places} on a node at once",
        size=FONT_SIZE + 1,
    )
    return captioned(figure, recording, selection, against)


def _busy(spans: list[Span], nodes: list[int]) -> Steps:
    """How many of the nodes have a job."""
    stays = residences(spans)
    return busy_nodes([(it.node, it.start_ns, it.end_ns) for it in stays if it.node in nodes])
