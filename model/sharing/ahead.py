"""A workstation that runs ahead of the clock through the faults of its jobs.

Where nodes page, almost all events are faults and pages that concern only one node. This
workstation makes no events of them: whenever its jobs or its memory have changed, it works out what
happens up to its next decision (`ahead_steps.py`), and schedules an event for that. If anything
happens to it before, it works that stretch out again, up to that instant. Its results equal those
of a `Workstation` to the nanosecond (`tests/model/sharing/test_ahead.py`). It keeps no journal and
does no I/O for its jobs.
"""

from collections import deque

import numpy as np

from agents.sharing.job import PAGING, READY, SequentialJob
from agents.sharing.surroundings import SharingSurroundings
from agents.sharing.workstation import Workstation
from model.ground.clock import DISK, PROCESS
from model.ground.units import NS_PER_S
from model.sharing.ahead_steps import GOES_ON, JOB, NEVER, NODE, PAGE, STOPS, Node, go_on

FAR_NS = 10 * NS_PER_S  # how far it runs ahead at a time

Stretch = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]  # as `go_on` takes it


class AheadWorkstation(Workstation):
    """Its jobs' accounts are as of `cpu.now_ns`; `_advance` brings them up to date."""

    def __init__(self, model: SharingSurroundings, index: int) -> None:
        super().__init__(model, index)
        constants = model.constants
        self._times_ns = constants.slice_ns, constants.context_switch_ns, constants.disk_ns
        self._reading: deque[SequentialJob] = deque()  # jobs that wait for a page, in order
        self._rows: list[SequentialJob] = []
        self._begun: Stretch | None = None  # the state from which it has run ahead
        self._reached: Stretch | None = None  # the state that it has reached, if known
        self._reaches_ns = 0  # the time of that state

    def _migrate(self, job: SequentialJob, target: int) -> None:
        super()._migrate(job, target)
        self._plan()  # it may leave with its page

    def _advance(self) -> None:
        now_ns = self.clock.now_ns
        if self._begun is None or self.cpu.now_ns == now_ns:
            self.cpu.advance(now_ns)
            return
        if self._reached is not None and self._reaches_ns == now_ns:
            self._begun = self._reached
        else:
            go_on(*self._begun, *self._times_ns, now_ns)
        self._account(now_ns)

    def _plan(self) -> None:
        """Run ahead from here, and schedule the instant at which there is something to do."""
        self._plans += 1
        self._begun = self._stretch()
        if self._begun is not None:
            self._run_ahead()

    def _run_ahead(self) -> None:
        assert self._begun is not None
        node, jobs, circle, queue = self._begun
        self._reached = node.copy(), jobs.copy(), circle.copy(), queue.copy()
        now_ns = self.clock.now_ns
        ends_with = go_on(*self._reached, *self._times_ns, now_ns + FAR_NS)
        reached = self._reached[0][0]
        self._reaches_ns = int(reached["now"])
        if ends_with == GOES_ON and not reached["ready"] and not reached["waiting"]:
            return  # only a page that nobody wants any longer is left
        then = {STOPS: self._stop, PAGE: self._page_of_leaving}.get(ends_with, self._go_on)
        kind = DISK if ends_with == PAGE else PROCESS
        key = (self._reaches_ns, kind, self.index, self.index, self._plans)
        self.clock.schedule((*key, then, self._plans))

    def _go_on(self, plan: int) -> None:
        """Run further ahead: nothing has happened to the node."""
        if plan == self._plans:
            self._plans += 1
            self._advance()
            self._run_ahead()

    def _page_of_leaving(self, plan: int) -> None:
        if plan == self._plans:
            self._advance()
            self.page_loaded(self._left_with_page)

    def _stop(self, plan: int) -> None:
        if plan == self._plans:
            self._advance()
            super()._stop(plan)

    def _stretch(self) -> Stretch | None:
        """The node and its jobs as arrays; None if it has no jobs."""
        circle, reading = self.cpu.circle, self._reading
        self._rows = rows = [*circle, *reading]
        if not rows:
            return None
        loaded, switch_left, slice_left = self.cpu.turn()
        place = {id(job): row for row, job in enumerate(rows)}
        stopping = self._stopping if self._stops_ns is not None else None
        node = np.array(
            [
                (
                    *(self.cpu.now_ns, switch_left, slice_left),
                    *(place.get(id(job), -1) for job in (loaded, stopping)),
                    *(0, len(circle), len(circle) % len(rows), len(reading), self.disk.free_ns),
                    *(0, 0, 0, 0),
                )
            ],
            NODE,
        )
        jobs = np.array([self._row(job) for job in rows], JOB)
        return node, jobs, np.arange(len(rows)), np.arange(len(rows))

    def _row(self, job: SequentialJob) -> tuple[int, ...]:
        """A job as a row; if it waits for a page, its next fault is the one after it."""
        if job.node is not self:  # killed meanwhile
            return (0, 0, 0, 0, 0, 0, 0, 0, True, False, True)
        job.settle()
        every_ns = self.memory.fault_every_ns(job)
        fault_left_ns = NEVER if every_ns is None else job.fault_left_ns(every_ns)
        event_left_ns = job.event_left_ns
        return (
            job.cpu_left_ns,
            fault_left_ns,
            NEVER if event_left_ns is None else event_left_ns,
            every_ns or 0,
            *(0, 0, 0, job.since_ns),
            *(job.state == PAGING, job.number in self._leaving, False),
        )

    def _account(self, now_ns: int) -> None:
        """Account for what jobs, CPU and disk did in the stretch, and begin a new one."""
        assert self._begun is not None
        nodes, jobs, circle, queue = self._begun
        node, rows = Node(*nodes[0].item()), self._rows
        for job, row in zip(rows, jobs.tolist(), strict=True):
            cpu_left, fault_left, _, every, faults, ready, paging, since, waits, _, gone = row
            if gone or (job.state == PAGING and waits and not faults):
                continue  # still the same page
            if job.state == PAGING:
                job.begin_stint(every or None)
            job.faults += faults
            job.spent_ns[READY] += ready
            job.spent_ns[PAGING] += paging
            job.state, job.since_ns = PAGING if waits else READY, since
            job.ran_ahead(cpu_left, fault_left)
        reading = _ring(queue, node.oldest, node.waiting)
        self._reading = deque(rows[row] for row in reading)
        self._left_with_page = rows[queue[node.oldest - 1]]
        loaded = rows[node.loaded] if node.loaded >= 0 else self.cpu.turn()[0]
        turns = [rows[row] for row in _ring(circle, node.first, node.ready)]
        self.cpu.resume(now_ns, turns, (loaded, node.switch_left, node.slice_left))
        self._stopping = rows[node.stopping] if node.stopping >= 0 else None
        self._stops_ns = None if self._stopping is None else now_ns
        disk, served = self.disk, node.served
        disk.free_ns = node.free
        disk.served += served
        disk.bytes += served * disk.page_bytes
        disk.busy_ns += served * disk.page_ns
        disk.wait_ns += node.waited
        disk.max_wait_ns = max(disk.max_wait_ns, node.longest)
        self.faults_disk += served
        self.clock.executed += node.steps
        self._reached = None  # it counts from the old beginning
        for name in ("served", "waited", "steps"):
            nodes[name] = 0
        for name in ("faults", "ready", "paging"):
            jobs[name] = 0


def _ring(places: np.ndarray, first: int, count: int) -> list[int]:
    return [*places[first:], *places[:first]][:count]
