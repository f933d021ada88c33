"""Checks of a load sharing run: conservation of jobs and work, order, completeness."""

from collections import defaultdict
from typing import TYPE_CHECKING

from agents.sharing.job import ENDED, KILLED, READY, SUBMITTED
from model.core.checks import Checker, CheckFailed
from model.core.journal import Record

if TYPE_CHECKING:
    from model.sharing.cluster import SharingCluster


class SharingChecker(Checker):
    """A reader of the journal that raises CheckFailed at the first broken rule.

    Beside the rules of messages, stations and time of every run:

    - A job is submitted once, then is in one place at a time: held back at its home, on a node,
      under way, ended, or killed.
    - It does just its work, less if it is killed; the parts of its response time add up.
    - Disks serve as many requests as jobs fault and do I/O.
    - At the end no node holds jobs or memory, holds jobs back or expects any.
    """

    def __init__(self) -> None:
        super().__init__()
        self.cluster: SharingCluster | None = None
        self._where: defaultdict[int, str] = defaultdict(lambda: "nowhere")

    def read(self, record: Record) -> None:
        """Check one record against those before it."""
        super().read(record)
        allowed = {
            "submitted": ("nowhere",),
            "held": ("submitted",),
            "placed": ("submitted", "held", "moved"),
            "moved": ("submitted", "held", "placed"),
            "ended": ("placed",),
            "killed": ("submitted", "held", "placed"),
        }.get(record.kind)
        if allowed is not None:
            was = self._where[record.job]
            self._require(was in allowed, f"the job was {was} before", record)
            self._where[record.job] = record.kind

    def finish(self) -> None:
        """Check what must hold at the end of the run."""
        cluster = self.cluster
        self._require(not self._in_flight, f"messages never delivered: {self._in_flight}")
        for kind, tally in cluster.network.tallies.items():
            whole = (tally.sent, tally.sent_bytes) == (tally.delivered, tally.delivered_bytes)
            self._require(whole, f"{kind.__name__}: sent and delivered differ")
        for node in cluster.nodes:
            jobs = (node.residents, node.cpu.circle, node.held, node.coming)
            left = (*map(len, jobs), *node.memory.load)
            self._require(not any(left), f"node {node.index} keeps jobs: {left}")
        served = sum(disk.served for disk in cluster.disks)
        asked = sum(job.faults + job.requests for job in cluster.jobs)
        self._require(served == asked, f"jobs asked {asked} times for a disk that served {served}")
        for job in cluster.jobs:
            name = f"job {job.number}"
            self._require(job.state in (ENDED, KILLED), f"{name} did not end")
            done = job.age_ns == job.demand_ns or job.state == KILLED
            self._require(done, f"{name}: CPU time is not its demand")
            beyond = job.work_done - job.work
            least = -job.work if job.state == KILLED else 0
            self._require(least <= beyond < job.speed, f"{name}: did {beyond} more than its work")
            self._require(job.spent_ns[READY] >= job.cpu_ns, f"{name}: computed while away")
            spent_ns = sum(job.spent_ns) - job.spent_ns[SUBMITTED]
            self._require(
                spent_ns == job.end_ns - job.submit_ns, f"{name}: its times do not add up"
            )

    def _require(self, holds: bool, rule: str, record: Record | None = None) -> None:
        if not holds:
            policy = self.cluster.policy_name if self.cluster else ""
            raise CheckFailed(f"{policy}: {rule}" + (f": {record}" if record else ""))
