"""Load sharing's jobs over nodes and time: where each one was, and with which others."""

from collections.abc import Mapping
from dataclasses import dataclass

from matplotlib.axes import Axes

from model.core.journal.over_time import Span
from model.core.journal.past import RUNNING
from model.views.picture import Clock, Rows, draw_boxes, write_if_it_fits

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


def draw_residences(
    axes: Axes, shown: list[Residence], rows: Rows, clock: Clock, colors: Mapping[int, str]
) -> None:
    """A bar for each stay; those on a node together share its row."""
    places = 1 + max((it.place for it in shown), default=0)
    height = _FILLED / places
    boxes = []
    for it in shown:
        low = rows.of[it.node] - _FILLED / 2 + it.place * height
        boxes.append((*clock.span(it.start_ns, it.end_ns), low, low + height))
        within = (*clock.within(it.start_ns, it.end_ns), low, low + height)
        write_if_it_fits(axes, str(it.job), within)
    faces = [colors[it.job] for it in shown]
    draw_boxes(axes, boxes, facecolors=faces, edgecolors="black", linewidths=0.15)
    lines = [row + 0.5 for row in range(len(rows.nodes) - 1)]
    axes.hlines(lines, 0, 1, "#999999", lw=0.4, transform=axes.get_yaxis_transform())
