"""Numbers that change over time, such as how many messages wait: what holds from each time on."""

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Numbers = NDArray[np.int64]


class Levels(NamedTuple):
    """A level from each time on; the first time is 0."""

    times_ns: Numbers
    values: Numbers

    @classmethod
    def summed(cls, times_ns: ArrayLike, changes: ArrayLike) -> "Levels":
        """The sum of changes, from 0 on: after all changes of each time."""
        at_ns = np.append(0, np.asarray(times_ns, np.int64))
        instants, places = np.unique(at_ns, return_inverse=True)
        sums = np.zeros(len(instants), np.int64)
        np.add.at(sums, places, np.append(0, np.asarray(changes, np.int64)))
        return cls(instants, np.cumsum(sums))

    @classmethod
    def of(cls, starts_ns: ArrayLike, ends_ns: ArrayLike) -> "Levels":
        """How many have begun and not ended."""
        starts, ends = np.asarray(starts_ns, np.int64), np.asarray(ends_ns, np.int64)
        return cls.summed(np.append(starts, ends), np.repeat([1, -1], [len(starts), len(ends)]))

    def within(self, first_ns: int, last_ns: int) -> "Levels":
        """Those of a window; what held before it holds on into it."""
        here = window(self.times_ns, first_ns, last_ns)
        return Levels(np.maximum(self.times_ns[here], first_ns), self.values[here])

    def most(self, edges_ns: NDArray[np.float64]) -> Numbers:
        """The highest level at any time in each bin between edges."""
        first = np.searchsorted(self.times_ns, edges_ns, side="left")
        before = np.append(0, self.values)  # before[i]: when i of the times have passed
        return np.array([before[i : j + 1].max() for i, j in pairwise(first)], np.int64)


def window(times_ns: Numbers, first_ns: int, last_ns: int) -> slice:
    """Which of the times count in a window: those in it, and the last one before it."""
    first = max(0, int(np.searchsorted(times_ns, first_ns, side="right")) - 1)
    return slice(first, int(np.searchsorted(times_ns, last_ns, side="right")))


def busy_nodes(spans: Iterable[tuple[int, int, int]]) -> Levels:
    """How many nodes are busy, from spans of a node: its number, start and end in ns.

    A node is busy as long as anything is on it.
    """
    table = np.array([*spans], np.int64).reshape(-1, 3)
    changes = np.repeat([1, -1], len(table))
    nodes, times_ns = np.tile(table[:, 0], 2), np.concatenate([table[:, 1], table[:, 2]])
    order = np.lexsort((-changes, times_ns, nodes))
    held = np.cumsum(changes[order])  # each node's are 0 at its end
    is_busy = (held > 0).astype(np.int64)
    return Levels.summed(times_ns[order], is_busy - np.append(0, is_busy[:-1]))
