"""Checks of a load sharing run: conservation of jobs and work, order, completeness."""

from collections import defaultdict
from typing import cast

from agents.sharing.job import ENDED, KILLED, READY, SUBMITTED
from model.core.checks import Checker
from model.core.journal.kinds import Ended, Held, Killed, Moved, Placed, Record, Submitted
from model.sharing.cluster import SharingCluster

_NOWHERE = "nowhere"


class SharingChecker(Checker):
    """Besides the rules of every run, this checks that:

    - a job is submitted once, and then is in one place at a time: held back at its home, on a node,
      on its way, ended or killed;
    - it does exactly its work, or less if it is killed, and the parts of its response time add up;
    - disks serve as many requests as the jobs have faults and I/O requests;
    - at the end no node has jobs or memory in use, holds jobs back or expects any.
    """

    emulation: SharingCluster

    def __init__(self) -> None:
        super().__init__()
        self._where: defaultdict[int, str] = defaultdict(lambda: _NOWHERE)

    def check(self, record: Record) -> None:
        """Check where a job goes."""
        allowed = {
            Submitted.name: (_NOWHERE,),
            Held.name: (Submitted.name,),
            Placed.name: (Submitted.name, Held.name, Moved.name),
            Moved.name: (Submitted.name, Held.name, Placed.name),
            Ended.name: (Placed.name,),
            Killed.name: (Submitted.name, Held.name, Placed.name),
        }.get(record.kind)
        if allowed is not None:
            assert record.job is not None
            was = self._where[record.job]
            self.require(was in allowed, f"the job was {was} before", record)
            self._where[record.job] = record.kind

    def check_end(self) -> None:
        """Check that no node has jobs or memory in use, and that every job has done its work."""
        cluster = self.emulation
        for node in cluster.nodes:
            jobs = (node.residents, node.cpu.circle, node.held, node.coming)
            left = (*map(len, jobs), *cast(tuple[int, ...], node.memory.load))
            self.require(not any(left), f"node {node.index} keeps jobs: {left}")
        served = sum(disk.served for disk in cluster.disks)
        asked = sum(job.faults + job.requests for job in cluster.jobs)
        self.require(served == asked, f"jobs asked {asked} times for a disk that served {served}")
        for job in cluster.jobs:
            name = f"job {job.number}"
            self.require(job.state in (ENDED, KILLED), f"{name} did not end")
            done = job.age_ns == job.demand_ns or job.state == KILLED
            self.require(done, f"{name}: CPU time is not its demand")
            beyond = job.work_done - job.work
            least = -job.work if job.state == KILLED else 0
            self.require(least <= beyond < job.speed, f"{name}: did {beyond} more than its work")
            self.require(job.spent_ns[READY] >= job.cpu_ns, f"{name}: computed while away")
            spent_ns = sum(job.spent_ns) - job.spent_ns[SUBMITTED]
            assert job.end_ns is not None
            self.require(spent_ns == job.end_ns - job.submit_ns, f"{name}: its times do not add up")
