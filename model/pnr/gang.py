"""Gang scheduling in time slots; with one slot it is space sharing (thesis, section 3.1.4).

The scheduler is central and no part of PNR: it sends no messages. This one knows nothing about
memory; that of `gang_memory.py` does.
"""

from collections import deque
from collections.abc import Callable

from model.core.emulation import Emulation
from model.ground.clock import PCS, QUANTUM
from model.ground.errors import Stalled
from model.pnr.job import Job
from model.pnr.migration import Migration
from model.pnr.ousterhout import OusterhoutMatrix


class GangScheduler:
    """Places jobs, first come, first served, in time slots that run in turn for a quantum each.

    A parallel context switch (PCS) suspends the outgoing jobs when it begins, and resumes the
    incoming ones when it ends.
    """

    looks_after_quanta = False  # whether a job may be placed at the end of a quantum
    migration: Migration | None = None  # of the design, if it moves processes

    def __init__(self, model: Emulation) -> None:
        self.model = model
        self.clock = model.clock
        self.journal = model.journal
        self.quantum_ns = model.constants.quantum_ns
        self.pcs_ns = model.constants.pcs_ns
        self.matrix = OusterhoutMatrix(model.constants.slots, len(model.nodes))
        self.queue: deque[Job] = deque()
        self.running: list[Job] = []
        self.slot = 0  # the time slot whose turn it is
        self.switches = 0  # parallel context switches so far
        self._switching: tuple[int, ...] | None = None  # the event that ends the present PCS
        self._quantum: tuple[int, ...] | None = None  # the event that ends the quantum
        self._timers = 0
        self._fruitless_quanta = 0

    def job_arrives(self, job: Job) -> None:
        """Queue a job; it is placed at once if it is the first in the queue and fits."""
        if self.journal is not None:
            self.journal.because(0, job.number)
            self.journal.scheduled("submitted", job.number)
        self.queue.append(job)
        self._dispatch()
        self._settle()

    def job_ends(self, job: Job) -> None:
        """React to the end of a job's last process.

        - Free its nodes and look for slots to unify.
        - If the present slot is empty now, switch to the next one at once.
        - Place jobs from the queue.
        """
        if self.journal is not None:
            self.journal.scheduled("ended", job.number)
        self.model.job_ended()
        self.evict(job)
        self.nodes_changed()

    def evict(self, job: Job) -> None:
        """Take a job off its nodes."""
        if job in self.running:
            self.running.remove(job)
        self.matrix.remove(job)

    def put_back(self, jobs: list[Job], most_attempts: int) -> None:
        """Queue killed jobs, first come, first served; those tried too often are given up."""
        for job in jobs:
            if job.attempt > most_attempts:
                self._give_up(job)
            else:
                self.queue.append(job)
        self.queue = deque(sorted(self.queue, key=lambda job: job.first_process))
        self.nodes_changed()

    def nodes_changed(self) -> None:
        """Unify and switch slots, and place jobs, as nodes are free now or no longer there."""
        self._unify()
        filled = self.matrix.filled()
        if filled and self.slot not in filled:
            self._switch()
        self._dispatch()
        self._settle()

    def _give_up(self, job: Job) -> None:
        """Run a job no more, of which this is no error."""
        if self.journal is not None:
            self.journal.scheduled("failed", job.number)
        job.failed = True
        self.model.node_crashes.settled(job)
        self.model.job_ended()

    def _dispatch(self) -> None:
        """Place jobs from the head of the queue until one does not fit."""
        while self.queue:
            if self.queue[0].size > self.matrix.most:
                self._give_up(self.queue.popleft())
                continue
            fit = self._fit(self.queue[0])
            if fit is None:
                return
            job = self.queue.popleft()
            slot, nodes = fit
            if not self.matrix.filled():
                self.slot = slot
            self.matrix.place(job, slot, nodes)
            if self.journal is not None:
                self.journal.scheduled(
                    "placed", job.number, slot, nodes, job.held, self.estimate_of(job)
                )
            job.place(self.model, nodes, self.job_ends)
            if job.attempt > 1:
                self.model.node_crashes.settled(job)

    def estimate_of(self, job: Job) -> int | None:
        """What each process of a job is believed to need, in bytes; None: it asks nobody."""
        return None

    def holds(self, job: Job, index: int) -> bool:
        """Whether a node has room for one more process of a job, as far as the scheduler knows."""
        return True

    def _fit(self, job: Job) -> tuple[int, list[int]] | None:
        """The slot and the nodes for a job; None if it must wait."""
        return self.matrix.best_fit(job.size)

    def _unify(self) -> None:
        for low, high, jobs in self.matrix.unify():
            if self.slot == high:
                self.slot = low
            if self.journal is not None:
                self.journal.unified(low, [(job.number, high, low) for job in jobs])

    def _switch(self) -> None:
        """Begin a parallel context switch to the next slot that is not empty."""
        self.slot = self.matrix.next_filled(self.slot)
        self.switches += 1
        self._cancel_timers()
        self._switching = self._timer(PCS, self.pcs_ns, self._pcs_ends)
        if self.journal is not None:
            self.journal.scheduled("switch", slot=self.slot)

    def _settle(self) -> None:
        """Suspend and resume jobs as the present time slot requires, and set the timers."""
        if not self.matrix.filled():
            self._cancel_timers()
            return
        runnable = self.matrix.runnable(self.slot)
        while leaving := [job for job in self.running if job not in runnable]:
            if self._suspend(leaving):  # other jobs may be in each other's way now
                runnable = self.matrix.runnable(self.slot)
        if self._switching:
            return
        for job in runnable:
            if job not in self.running:
                self.running.append(job)
                self._journal_job("resumed", job)
                if self.migration is not None:
                    self.migration.resumed(job)
                job.resume()
        if len(self.matrix.filled()) < 2:
            self._cancel_timers()
        elif self._quantum is None:
            self._quantum = self._timer(QUANTUM, self.quantum_ns, self._quantum_ends)

    def _suspend(self, jobs: list[Job]) -> bool:
        """Suspend jobs; returns whether processes of them move to other nodes."""
        suspended = []
        for job in jobs:
            self.running.remove(job)
            self._journal_job("suspended", job)
            suspended.append((job, 0 if self.journal is None else self.journal.cause))
            job.suspend()
        return self.migration is not None and self.migration.suspended(suspended)

    def _quantum_ends(self, _: None) -> None:
        """Unify time slots if possible; if there are still several, switch to the next."""
        self._quantum = None
        if self.journal is not None:
            self.journal.because(0, None)
        self._watch_for_stall()
        self._unify()
        if len(self.matrix.filled()) > 1:
            self._switch()
        if self.looks_after_quanta:
            self._dispatch()
        self._settle()

    def _pcs_ends(self, _: None) -> None:
        self._switching = None
        if self.journal is not None:
            self.journal.because(0, None)
            self.journal.scheduled("switched", slot=self.slot)
        self._settle()

    def _watch_for_stall(self) -> None:
        """Raise Stalled if a quantum of each time slot has passed with no other event pending.

        With faults the watchdog decides, after a longer time: a stall is a result then, and what is
        still pending differs between the planes for as long as a message takes.
        """
        if self.model.faults is not None or self.clock.pending_work():
            self._fruitless_quanta = 0
            return
        self._fruitless_quanta += 1
        if self._fruitless_quanta > len(self.matrix.rows):
            raise Stalled(self.model.stall_story())

    def _timer(
        self, event_class: int, delay_ns: int, action: Callable[[None], None]
    ) -> tuple[int, ...]:
        self._timers += 1
        key = (self.clock.now_ns + delay_ns, event_class, 0, 0, self._timers)
        self.clock.schedule((*key, action, None))
        return key

    def _cancel_timers(self) -> None:
        for key in (self._switching, self._quantum):
            if key:
                self.clock.cancel(*key)
        self._switching = self._quantum = None

    def _journal_job(self, kind: str, job: Job) -> None:
        if self.journal is not None:
            self.journal.scheduled(kind, job.number, self.slot)
