"""When nodes and servents were down, and how every picture shows it: in grey."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Patch, Polygon

ENDS = {"crashed": "restarted", "paused": "continued"}
_GREYS = {"crashed": "#AAAAAA", "paused": "#DDDDDD"}  # of a part of a node
#: How a lost message ends: at its receiver's door.
CROSS = {"ls": "", "marker": "x", "color": "black", "ms": 6, "mew": 1.4}


@dataclass(frozen=True)
class Outage:
    """A node, or its servent alone, is down: from a crash or pause to its end, or the run's."""

    node: int
    what: str  # "node", "servent", or what else a kind of fault lets fail
    how: str  # "crashed" or "paused"
    start_ns: int
    end_ns: int

    def overlaps(self, first_ns: int, last_ns: int) -> bool:
        """Whether it is seen in a window."""
        return self.start_ns <= last_ns and self.end_ns >= first_ns

    def is_within(self, other: "Outage") -> bool:
        """Whether another outage of the node is as long or longer."""
        starts_later = self.start_ns >= other.start_ns
        return self.node == other.node and starts_later and self.end_ns <= other.end_ns

    @property
    def color(self) -> str:
        """The grey of its lane."""
        return grey_of(self.what, self.how)


def grey_of(what: str, how: str) -> str:
    """The grey of what is down: a whole node's is the darkest."""
    return "#777777" if what == "node" else _GREYS[how]


def outages(records: pd.DataFrame) -> list[Outage]:
    """All outages of a run, by node and in the order of time.

    A node that is down takes its servent with it, which is not said once more.
    """
    failures = records[records["kind"].isin((*ENDS, *ENDS.values()))].dropna(subset="node")
    found = []
    since: dict[tuple[int, str, str], int] = {}
    for row in failures.itertuples():
        node, time_ns = int(row.node), int(row.time_ns)
        if row.kind in ENDS:
            since[node, row.what, row.kind] = time_ns
        for how, end in ENDS.items():
            which = node, row.what, how
            if row.kind == end and which in since:
                found.append(Outage(*which, since.pop(which), time_ns))
    last_ns = int(records["time_ns"].max())
    found += [Outage(*which, start_ns, last_ns) for which, start_ns in since.items()]
    whole = [it for it in found if it.what == "node"]
    found = [it for it in found if it.what == "node" or not any(it.is_within(w) for w in whole)]
    return sorted(found, key=lambda outage: (outage.node, outage.start_ns))


def shade(
    axes: Axes, outage: Outage, x: tuple[float, float], y: tuple[float, float], above: bool = False
) -> None:
    """Draw an outage over its lane, below (or above) what else is drawn there."""
    corners = [(x[0], y[0]), (x[1], y[0]), (x[1], y[1]), (x[0], y[1])]
    zorder = 2.5 if above else 0.5
    axes.add_patch(Polygon(corners, facecolor=outage.color, lw=0, zorder=zorder))


def legend(shown: Iterable[Outage]) -> list[Patch]:
    """A mark for each sort of outage, with how many there are."""
    handles = []
    for (what, how), alike in groupby(sorted(shown, key=_sort), key=_sort):
        label = f"{what} {how} ({len(list(alike)):,})"
        handles.append(Patch(facecolor=grey_of(what, how), label=label))
    return handles


def _sort(outage: Outage) -> tuple[str, str]:
    return outage.what, outage.how
