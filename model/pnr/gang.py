"""Gang scheduling in time slots; with one slot it is space sharing (thesis, section 3.1.4).

This scheduler knows nothing about memory; that of `gang_memory.py` does.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from model.ground.clock import PCS, QUANTUM
from model.pnr.ousterhout import OusterhoutMatrix
from model.pnr.scheduler import ONLY_SLOT, ScheduledCluster, Scheduler
from model.pnr.stand_still import StandStill

if TYPE_CHECKING:
    from model.pnr.job import Job


class GangScheduler(Scheduler):
    """Places jobs, first come, first served, in time slots that run in turn for a quantum each.

    A parallel context switch (PCS) suspends the outgoing jobs when it begins, and resumes the
    incoming ones when it ends.
    """

    about = "gang scheduling"
    looks_after_quanta = False  # whether a job may be placed at the end of a quantum

    def __init__(self, model: ScheduledCluster) -> None:
        super().__init__(model)
        self.quantum_ns = model.constants.quantum_ns
        self.pcs_ns = model.constants.pcs_ns
        self.matrix: OusterhoutMatrix[Job] = OusterhoutMatrix(model.constants.slots, self.up)
        self.slot = ONLY_SLOT  # the time slot whose turn it is
        self.switches = 0
        self._switching: tuple[int, ...] | None = None  # the event that ends the present PCS
        self._quantum: tuple[int, ...] | None = None  # the event that ends the quantum
        self._timers = 0
        self._stand_still = StandStill(model, self)

    @classmethod
    def slots(cls, mpl: int) -> int:
        return mpl

    def free_beside(self, job: "Job") -> list[int]:
        return list(dict.fromkeys(map(self.node_of, self.matrix.free_beside(job))))

    def move(self, job: "Job", source: int, target: int) -> None:
        held, free = self.matrix.seats[job], self.matrix.free_beside(job)
        taken = next(seat for seat in free if self.node_of(seat) == target)
        self.matrix.move(job, next(it for it in held if self.node_of(it) == source), taken)

    def _fit(self, job: "Job") -> tuple[int, list[int]] | None:
        return self.matrix.best_fit(job.size)

    def _hold(self, job: "Job", slot: int, seats: list[int]) -> None:
        if not self.matrix.filled():
            self.slot = slot
        self.matrix.place(job, slot, seats)

    def _release(self, job: "Job") -> None:
        self.matrix.remove(job)

    def _nodes_changed(self) -> None:
        """Unify slots; switch at once if the present one is empty now; place jobs."""
        self._unify()
        filled = self.matrix.filled()
        if filled and self.slot not in filled:
            self._switch()
        super()._nodes_changed()

    def _unify(self) -> None:
        for low, high, jobs in self.matrix.unify():
            if self.slot == high:
                self.slot = low
            if self.journal is not None:
                moved = [(job.number, high, low) for job in jobs]
                self.journal.scheduled("unified", slot=low, moved=moved)

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

    def _suspend(self, jobs: "list[Job]") -> bool:
        """Suspend jobs; returns whether processes of them move to other nodes."""
        suspended = []
        for job in jobs:
            self.running.remove(job)
            self._journal_job("suspended", job)
            suspended.append((job, 0 if self.journal is None else self.journal.cause))
            job.suspend()
        return self.migration is not None and self.migration.suspended(suspended)

    def _quantum_ends(self, _: None) -> None:
        """Unify time slots if possible; if there are still several, switch to the next.

        If nothing but turns happens, `stand_still.py` passes over them first.
        """
        self._quantum = None
        if self.journal is not None:
            self.journal.because(0, None)
        self._stand_still.look()
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

    def _journal_job(self, kind: str, job: "Job") -> None:
        if self.journal is not None:
            self.journal.scheduled(kind, job.number, self.slot)


class SpaceScheduler(GangScheduler):
    """Gives each job nodes of its own from start to end: there is one slot, and no turns."""

    about = "space sharing (one time slot)"

    @classmethod
    def slots(cls, mpl: int) -> int:
        return 1
