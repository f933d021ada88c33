"""What a page costs: how long its process waits for it, from the fault to the page's arrival.

A run may count this (`count_pages`), and the disks of another run may draw their services from what
was counted (`page_costs`): a null model, whose pages cost as much as over a network, without any.
Both go by how much the process has loaded, and by how many processes wait for pages from the same
source, the disks or the network.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from agents.disk import Disk
from agents.interfaces import Resident, Surroundings
from model.ground.page_classes import (
    COST_CLASSES,
    LOADED_CLASSES,
    WAITING_CLASSES,
    cost_class,
    loaded_class,
    waiting_class,
)
from model.ground.randomness import PAGE_COST, draws

QUANTILES = 1024  # of the costs of a class
#: What draws of costs go by.
NOTHING, LOADED, WAITING = range(1, 4)
SOURCES = "disk", "network"


class PageCosts:
    """Counts pages by class, or draws their costs.

    `table` has QUANTILES costs in ns for each class of what `by` says, pages loaded or processes
    waiting; it is None where disks take their own time.
    """

    def __init__(self, seed: int, page: int, table: np.ndarray | None, by: int) -> None:
        self.seed, self.page, self.by = seed, page, by
        self.table = np.zeros((1, QUANTILES), np.int64) if table is None else table
        classes = len(SOURCES), LOADED_CLASSES, WAITING_CLASSES, COST_CLASSES
        #: How many pages of each class there were, by source, and what they cost together, in ns.
        self.counts, self.total_ns = np.zeros(classes, np.int64), np.zeros(classes, np.int64)
        self.waiting = [0, 0]  # processes that wait for a page now, by source
        #: By process: when it asked, for a page from which source, and both classes.
        self._asked: dict[Any, tuple[int, int, int, int]] = {}
        self._streams: dict[Any, Iterator[float]] = {}

    def ask(self, process: Any, source: int) -> None:
        """Note that a process waits from now on for a page from the disk (0) or the network (1)."""
        self.waiting[source] += 1
        classes = loaded_class(process.loaded, self.page), waiting_class(self.waiting[source])
        self._asked[process.key] = (process.clock.now_ns, source, *classes)

    def come(self, process: Any) -> None:
        """Count the page that has come for a process."""
        asked_ns, source, *classes = self._asked.pop(process.key)
        self.waiting[source] -= 1
        cost_ns = process.clock.now_ns - asked_ns
        place = (source, *classes, cost_class(cost_ns))
        self.counts[place] += 1
        self.total_ns[place] += cost_ns

    def drawn_ns(self, process: Any) -> int:
        """The service of the disk for the page that this process has asked for."""
        key = process.key
        if key not in self._streams:
            self._streams[key] = draws(self.seed, PAGE_COST, *key)
        _, _, loaded, waiting = self._asked[key]
        row = (0, 0, loaded, waiting)[self.by]
        return int(
            self.table[min(row, len(self.table) - 1), int(next(self._streams[key]) * QUANTILES)]
        )


class DrawnDisk(Disk):
    """A disk whose services are drawn."""

    def __init__(self, model: Surroundings, node: int, costs: PageCosts) -> None:
        super().__init__(model, node)
        self.costs = costs

    def read(self, process: Resident) -> None:
        self.serve(process, self.costs.drawn_ns(process), self.page_bytes)
