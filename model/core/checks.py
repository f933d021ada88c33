"""Checks of a run while it goes and at its end: conservation, order, completeness.

The checker reads the journal, like any view, and looks at the ledgers it speaks of.
"""

from collections import defaultdict
from typing import TYPE_CHECKING

from model.core.journal import Record

if TYPE_CHECKING:
    from model.pnr.cluster import Cluster


class CheckFailed(AssertionError):
    """The emulation broke one of its own rules: a bug, in it or in a design that it ran."""


class Checker:
    """A reader of the journal that raises CheckFailed at the first broken rule.

    - Time does not go back.
    - What is delivered was sent, and once; at the end all is delivered, messages and bytes.
    - A station serves one at a time, in the order of arrival.
    - A node's demand is its processes' memory and what it lends; nothing is negative.
    - For each server, lent = borrowed from it by all nodes + in a grant or release under way.
    - Each job ends once; its processes used the CPU for just their demand, and the parts of its
      response time add up.
    """

    def __init__(self) -> None:
        self.cluster: Cluster | None = None
        self._now_ns = 0
        self._in_flight: set[int] = set()
        self._busy_until: dict[str, int] = {}
        self._under_way: defaultdict[int, int] = defaultdict(int)  # by server
        self._borrowed_from: defaultdict[int, int] = defaultdict(int)  # by server
        self._ended: set[int] = set()

    def read(self, record: Record) -> None:
        """Check one record against those before it."""
        self._require(record.time_ns >= self._now_ns, "an event in the past", record)
        self._now_ns = record.time_ns
        match record.kind:
            case "sent":
                self._require(record.id not in self._in_flight, "sent twice", record)
                self._in_flight.add(record.id)
            case "delivered":
                self._require(record.id in self._in_flight, "delivered but not sent", record)
                self._in_flight.remove(record.id)
            case "hop" | "disk":
                free_ns = self._busy_until.get(record.station, 0)
                begins = max(free_ns, record.time_ns)
                self._require(record.start_ns == begins, "not first in, first out", record)
                self._require(record.end_ns >= record.start_ns, "ends before it starts", record)
                self._busy_until[record.station] = record.end_ns
            case "lent" | "returned" | "borrowed" | "given back":
                self._loan(record)
            case "ended":
                self._require(record.job not in self._ended, "ended twice", record)
                self._ended.add(record.job)

    def finish(self) -> None:
        """Check what must hold at the end of the run."""
        cluster = self.cluster
        self._require(not self._in_flight, f"messages never delivered: {self._in_flight}")
        for kind, tally in cluster.network.tallies.items():
            whole = (tally.sent, tally.sent_bytes) == (tally.delivered, tally.delivered_bytes)
            self._require(whole, f"{kind.__name__}: sent and delivered differ")
        for node in cluster.nodes:
            memory = node.memory
            left = (memory.demand, memory.lent, memory.borrowed, len(memory.asked))
            self._require(left == (0, 0, 0, 0), f"node {node.index} keeps memory: {left}")
        for job in cluster.jobs:
            self._require(job.number in self._ended, f"job {job.number} did not end")
            for process in job.processes:
                name = f"job {job.number}, rank {process.rank}"
                self._require(
                    process.cpu_ns == job.demand_ns, f"{name}: CPU time is not its demand"
                )
                spent_ns = sum(process.spent_ns)
                self._require(
                    spent_ns == job.end_ns - job.start_ns, f"{name}: its times do not add up"
                )

    def _loan(self, record: Record) -> None:
        amount = record.amount_bytes
        match record.kind:
            case "lent":
                server, under_way = record.node, amount
            case "returned":
                server, under_way = record.node, -amount
            case "borrowed":
                server, under_way = record.peer, -amount
                self._borrowed_from[server] += amount
            case "given back":
                server, under_way = record.peer, amount
                self._borrowed_from[server] -= amount
        self._under_way[server] += under_way
        self._require(self._under_way[server] >= 0, "more borrowed than lent", record)
        self._require(self._borrowed_from[server] >= 0, "more given back than borrowed", record)
        nodes = self.cluster.nodes
        lent = nodes[server].memory.lent
        known = self._borrowed_from[server] + self._under_way[server]
        self._require(lent == known, f"lent {lent}, known of {known}", record)
        memory = nodes[record.node].memory
        held = sum(memory.processes.values()) + memory.lent
        self._require(memory.demand == held, f"demand {memory.demand}, held {held}", record)
        loans = sum(memory.loans.values())
        self._require(
            memory.borrowed == loans, f"borrowed {memory.borrowed}, loans {loans}", record
        )
        self._require(min(memory.loans.values(), default=1) > 0, "a loan of nothing", record)

    def _require(self, holds: bool, rule: str, record: Record | None = None) -> None:
        if not holds:
            design = self.cluster.design.name if self.cluster else ""
            raise CheckFailed(f"{design}: {rule}" + (f": {record}" if record else ""))
