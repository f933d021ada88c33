"""When nodes and servents were down, and how every picture shows it: in grey."""

from collections.abc import Iterable
from itertools import groupby

from matplotlib.axes import Axes
from matplotlib.patches import Patch, Polygon

from model.core.journal.over_time import Outage

_GREYS = {"crashed": "#AAAAAA", "paused": "#DDDDDD"}  # of a part of a node
#: How a lost message ends: at its receiver's door.
CROSS = {"ls": "", "marker": "x", "color": "black", "ms": 6, "mew": 1.4}


def grey_of(what: str, how: str) -> str:
    """The grey of what is down: a whole node's is the darkest."""
    return "#777777" if what == "node" else _GREYS[how]


def shade(
    axes: Axes, outage: Outage, x: tuple[float, float], y: tuple[float, float], above: bool = False
) -> None:
    """Draw an outage over its lane, below (or above) what else is drawn there."""
    corners = [(x[0], y[0]), (x[1], y[0]), (x[1], y[1]), (x[0], y[1])]
    zorder = 2.5 if above else 0.5
    axes.add_patch(
        Polygon(corners, facecolor=grey_of(outage.what, outage.how), lw=0, zorder=zorder)
    )


def legend(shown: Iterable[Outage]) -> list[Patch]:
    """A mark for each sort of outage, with how many there are."""
    handles = []
    for (what, how), alike in groupby(sorted(shown, key=_sort), key=_sort):
        label = f"{what} {how} ({len(list(alike)):,})"
        handles.append(Patch(facecolor=grey_of(what, how), label=label))
    return handles


def _sort(outage: Outage) -> tuple[str, str]:
    return outage.what, outage.how
