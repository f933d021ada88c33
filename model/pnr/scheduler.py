"""What a scheduler of parallel jobs is, and the queue that all of them have.

A scheduler is central and no part of PNR: it sends no messages. `schedulers.py` lists the kinds.
"""

from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Protocol

from agents.pnr.surroundings import PnrSurroundings

if TYPE_CHECKING:  # a scenario knows the kinds of schedulers, and need not wait for Mesa
    from agents.pnr.processing_element import ProcessingElement
    from agents.pnr.servent import Servent
    from model.pnr.faults import Faults
    from model.pnr.job import Job
    from model.pnr.membership import Membership
    from model.pnr.migration import Migration
    from model.pnr.node_crashes import NodeCrashes

ONLY_SLOT = 0  # of a scheduler without time slots


class ScheduledCluster(PnrSurroundings, Protocol):
    """The part of a cluster that its scheduler uses."""

    nodes: "Sequence[ProcessingElement]"
    servents: "Sequence[Servent]"  # by node
    faults: "Faults | None"  # None if nothing may go wrong
    node_crashes: "NodeCrashes"
    membership: "Membership"
    unfinished: int  # jobs

    def job_ended(self) -> None: ...

    def job_failed(self) -> None: ...

    def stall_story(self) -> str: ...


class Scheduler:
    """Places jobs in the order of their submission; the head of the queue blocks the others.

    The cluster, faults and migration know a scheduler by its public methods alone. A kind of
    scheduler overrides `_fit`, `_hold`, `_release` and `_settle`; with time slots also what has to
    do with them.
    """

    about: ClassVar[str]  # what it does, in the help
    estimates_memory: ClassVar[bool] = False
    migration: "Migration | None" = None  # of the design, if it moves processes
    switches = 0  # parallel context switches so far

    def __init__(self, model: ScheduledCluster) -> None:
        self.model = model
        self.clock = model.clock
        self.journal = model.journal
        self.queue: deque[Job] = deque()
        self.running: list[Job] = []
        self._nodes = len(model.constants.rams)
        self._seats = model.constants.seats
        self.up = list(self._seats)  # in order; jobs are placed on these seats alone
        self._lasting = list(self._seats)  # without those of nodes that never come back

    @classmethod
    def slots(cls, mpl: int) -> int:
        """How many processes may be on a node, one in each time slot."""
        return 1

    # What happens to jobs

    def job_arrives(self, job: "Job") -> None:
        """Queue a job; it is placed at once if it is the first in the queue and fits."""
        if self.journal is not None:
            self.journal.because(0, job.number)
            self.journal.scheduled("submitted", job.number)
        self.queue.append(job)
        self._dispatch()
        self._settle()

    def job_ends(self, job: "Job") -> None:
        """Free the nodes of a job, whose last process has ended, for others."""
        if self.journal is not None:
            spent_ns, behind = job.spent_ns(), job.behind()
            self.journal.scheduled(
                "ended", job.number, processes=job.size, spent_ns=spent_ns, behind=behind
            )
        self.model.job_ended()
        self.evict(job)
        self._nodes_changed()

    def evict(self, job: "Job") -> None:
        if job in self.running:
            self.running.remove(job)
        self._release(job)
        self.model.membership.job_evicted()

    def put_back(self, jobs: "list[Job]", most_attempts: int) -> None:
        """Queue killed jobs, first come, first served; those tried too often are given up."""
        for job in jobs:
            if job.attempt >= most_attempts:
                self._give_up(job)
            else:
                self.queue.append(job)
        self.queue = deque(sorted(self.queue, key=lambda job: job.first_process))
        self._nodes_changed()

    def estimate_of(self, job: "Job") -> int | None:
        """What each process of a job is believed to need, in bytes; None: that does not count."""
        return None

    # What happens to nodes

    def node_lost(self, index: int, for_ever: bool) -> None:
        """Place no jobs on a node any more; those that are there are evicted and put back next."""
        lists = [self.up, self._lasting] if for_ever else [self.up]
        for seats in lists:
            seats[:] = [seat for seat in seats if self.node_of(seat) != index]

    def node_back(self, index: int) -> None:
        up = [seat for seat in self._lasting if seat in self.up or self.node_of(seat) == index]
        if len(up) > len(self.up):
            self.up[:] = up
            self._nodes_changed()

    def node_of(self, seat: int) -> int:
        return seat % self._nodes

    # What happens to suspended processes

    def free_beside(self, job: "Job") -> list[int]:
        """The nodes to which a process of a suspended job may move."""
        return []

    def move(self, job: "Job", source: int, target: int) -> None:
        """Give a job another node instead of one that it has, among those that are free for it."""
        raise NotImplementedError

    # What kinds of schedulers differ in

    def _fit(self, job: "Job") -> tuple[int, list[int]] | None:
        """The slot and the seats for a job; None if it must wait."""
        raise NotImplementedError

    def _hold(self, job: "Job", slot: int, seats: list[int]) -> None:
        raise NotImplementedError

    def _release(self, job: "Job") -> None:
        raise NotImplementedError

    def _settle(self) -> None:
        """Let those jobs run that should, and no others; journal each as resumed or suspended."""
        raise NotImplementedError

    def _nodes_changed(self) -> None:
        """Place jobs, as nodes are free now or no longer there."""
        self._dispatch()
        self._settle()

    # The queue

    def _dispatch(self) -> None:
        """Place jobs from the head of the queue until one does not fit."""
        while self.queue:
            if self.queue[0].size > len(self._lasting):
                self._give_up(self.queue.popleft())
                continue
            fit = self._fit(self.queue[0])
            if fit is None:
                return
            job = self.queue.popleft()
            slot, seats = fit
            self._hold(job, slot, seats)
            nodes = [seat % self._nodes for seat in seats]
            if self.journal is not None:
                estimate = self.estimate_of(job)
                known: dict[str, object] = {"estimate": estimate, "limit": job.limit}
                if self.model.constants.most_cores > 1:
                    known["cores"] = [seat // self._nodes for seat in seats]
                self.journal.scheduled("placed", job.number, slot, nodes, job.held, **known)
            job.place(self.model, nodes, self.job_ends)
            if job.attempt > 1:
                self.model.node_crashes.settled(job)

    def _give_up(self, job: "Job") -> None:
        """Run a job no more, of which this is no error."""
        if self.journal is not None:
            self.journal.scheduled("failed", job.number)
        job.failed = True
        self.model.node_crashes.settled(job)
        self.model.job_failed()
