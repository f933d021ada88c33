"""The Mesa model on the compiled plane: the same servents and scheduler, different processes."""

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from agents.messages import Message
from agents.pnr.messages import Request
from agents.pnr.process import Process
from agents.pnr.processing_element import ProcessingElement
from model.core.network import Network
from model.ground.clock import Clock
from model.ground.memory import Memory
from model.pnr.cluster import Cluster
from model.pnr.compiled.arrays import Arrays
from model.pnr.compiled.records import (
    BUDGET_SPENT,
    LETTER_ARRIVED,
    LETTERS_RUN_OUT,
    MEMORY_CHANGES,
    NEVER,
    PAGE_UNHEARD,
    PROCESS_FINISHED,
)
from model.pnr.job import Job

_NOTHING_PLANNED = (NEVER, 0, 0, 0, 0)


class CompiledClock(Clock):
    """Executes Python's events and those of the compiled plane in one order."""

    events_between_reports = 4_000_000
    arrays: Arrays

    def __init__(self) -> None:
        super().__init__()
        self._executed_by_python = 0

    def run(self, events: int) -> bool:
        """Execute about `events` events in order; returns whether any are left."""
        arrays = self.arrays
        while events > 0:
            key = self.next_key() or _NOTHING_PLANNED
            ends = min(key, arrays.border)
            why, who, events, self.now_ns = arrays.advance(events, ends)
            if why == BUDGET_SPENT:
                continue
            if why == PROCESS_FINISHED:
                arrays.processes[who].finish()
            elif why == MEMORY_CHANGES:
                arrays.pass_barrier(who)
            elif why == PAGE_UNHEARD:
                arrays.model.network.deliver(arrays.message_of(who))
            elif why == LETTER_ARRIVED:
                arrays.model.network.deliver(arrays.take(who))
            elif why == LETTERS_RUN_OUT:
                arrays.add_spare_letters()
            elif key is _NOTHING_PLANNED and not arrays.pending():
                break
            elif ends != key:
                arrays.next_window()
            else:
                self._executed_by_python += 1
                events -= 1
                self.execute_next()
        left = self.pending()
        if not left:
            self.settle()
        return left

    def settle(self) -> None:
        """Copy what was counted in the arrays to the agents; jobs that are stuck stop first."""
        arrays = self.arrays
        for job in cast("Sequence[CompiledJob]", arrays.model.jobs):
            if job.running:
                arrays.suspend(job.processes[0].seat)
        self.executed = self._executed_by_python + arrays.executed()
        arrays.write_back()

    def pending(self) -> bool:
        """Whether any event is left."""
        return super().pending() or self.arrays.pending()

    def next_ns(self, *passing: int) -> int | None:
        """When the next event is that is of none of these classes, or of a process."""
        times = [super().next_ns(*passing), self.arrays.next_ns()]
        return min((time for time in times if time is not None), default=None)

    def pass_over(self, time_ns: int, events: int) -> None:
        """Let this time pass, and count what happens in it without being executed."""
        self.now_ns += time_ns
        self.arrays.run["time"] = self.now_ns
        self._executed_by_python += events


class CompiledNetwork(Network):
    """Has the same links and switches, but messages pass them in the arrays."""

    model: "CompiledCluster"

    def connect(self) -> None:
        """Lay out the arrays, now that all nodes exist."""
        self.model.arrays = self.model.clock.arrays = Arrays(self.model)

    def carry(self, message: Message) -> None:
        """Put a protocol message on its way."""
        self.model.arrays.post(message)


class MirroredMemory(Memory[Request]):
    """A ledger that reports changed loans; changes of O are reported to the node anyway."""

    changed: Callable[[], None]

    def borrow(self, server: int, amount: int, request: Request | None = None) -> None:
        """Borrow as any node does, and update the arrays."""
        super().borrow(server, amount, request)
        self.changed()

    def give_back(self, server: int, amount: int) -> list[tuple[Request | None, int]]:
        """Give back as any node does, and update the arrays."""
        parts = super().give_back(server, amount)
        self.changed()
        return parts


class CompiledNode(ProcessingElement):
    """A node whose processes, disk and messages are in the arrays."""

    model: "CompiledCluster"
    memory: MirroredMemory
    memory_type = MirroredMemory

    def __init__(self, model: "CompiledCluster", index: int) -> None:
        super().__init__(model, index)
        self.memory.changed = self.loans_changed

    def next_number(self) -> int:
        """Count a message that its servent sends now; returns its number."""
        return self.model.arrays.next_number(self.index)

    def page_faults(self) -> int:
        return self.model.arrays.page_faults(self.index)

    def overallocation_changed(self) -> None:
        """Update the arrays: the node's memory has changed."""
        if self.cores > 1:
            self.share_ram()
        self.model.arrays.memory_changed(self.index, self.memory)

    def loans_changed(self) -> None:
        """Update the arrays: the node's loans have changed."""
        self.model.arrays.loans_changed(self.index, self.memory)

    def lose_memory(self) -> None:
        self.model.arrays.nodes[self.index]["down"] = 1
        super().lose_memory()

    def come_back(self) -> None:
        self.model.arrays.nodes[self.index]["down"] = 0
        super().come_back()


class CompiledProcess(Process):
    """A process whose state is in the arrays; servents, job and journal see this object.

    What others count as attributes, it reads there.
    """

    def __init__(
        self, model: "CompiledCluster", job: "CompiledJob", rank: int, node: ProcessingElement
    ) -> None:
        self.job = job
        self.rank = rank
        self.node = node
        self.clock = model.clock
        self.journal = model.journal
        self.memory = node.memory
        self.placed: Any = None
        self.arrays = model.arrays
        self.seat = model.arrays.seat(self)
        self._record = model.arrays.seats[self.seat]

    def give_up_page(self, when_ns: int, request: Message) -> None:
        self.arrays.give_up_page(self.seat, when_ns)

    def leave(self) -> None:
        """Give up the seat at the end of the job, but keep a copy of its record."""
        self._record = self.arrays.leave(self.seat)

    @property
    def size(self) -> int:
        """The bytes that it holds."""
        return int(self._record["memory"])

    @size.setter
    def size(self, size: int) -> None:
        self._record["memory"] = size

    @property
    def state(self) -> int:  # type: ignore[override]
        """What it does now: one of the states of `agents/pnr/process.py`."""
        return int(self._record["state"])

    @property
    def may_compute(self) -> bool:
        """Whether it computes, or will when its job runs, before anything else happens.

        One that runs ahead of the clock does.
        """
        return bool(self._record["ahead"]) or super().may_compute

    @property
    def cpu_ns(self) -> int:  # type: ignore[override]
        """The CPU time computed so far, including what it has run ahead."""
        return int(self._record["cpu_ns"])

    @property
    def spent_ns(self) -> list[int]:  # type: ignore[override]
        """The wall-clock time spent in each state while its job existed, in ns."""
        spent_ns: list[int] = self._record["spent_ns"].tolist()
        return spent_ns

    @property
    def since_ns(self) -> int:  # type: ignore[override]
        """When it entered its state, or was switched in or out."""
        return int(self._record["since_ns"])

    def pass_over(self, rounds: int, spent_ns: Sequence[int], since_ns: int) -> None:
        record = self._record
        record["spent_ns"] += rounds * (record["spent_ns"] - np.array(spent_ns))
        record["since_ns"] += rounds * (record["since_ns"] - since_ns)

    @property
    def awaited_ns(self) -> int:  # type: ignore[override]
        """For how long all others waited at barriers that it reached last, in ns."""
        return int(self._record["awaited_ns"])

    @property
    def cause(self) -> int:  # type: ignore[override]
        """The id of the journal's record that let it compute."""
        return int(self._record["cause"])

    @property
    def steps(self) -> int:
        """The number of its steps journaled so far."""
        return int(self._record["steps"])

    @steps.setter
    def steps(self, steps: int) -> None:
        self._record["steps"] = steps

    def _begin(self) -> None:
        self.arrays.start(self.seat)

    def _sit_on(self, target: ProcessingElement) -> None:
        self.node, self.memory = target, target.memory
        self.seat = self.arrays.move(self)
        self._record = self.arrays.seats[self.seat]

    def _enter(self, state: int) -> None:
        self.arrays.finish(self.seat)


class CompiledJob(Job):
    """A job whose processes are in the arrays; one call resumes or suspends all of them."""

    process_type = CompiledProcess
    processes: list[CompiledProcess]  # type: ignore[assignment]  # its processes alone

    def resume(self) -> None:
        """Let its processes compute, with one call for all of them."""
        self.running = True
        self._share_ram()
        first = self.processes[0]
        first.arrays.resume(first.seat)

    def suspend(self) -> None:
        """Stop its processes from computing; when the job has ended, they leave their seats."""
        first = self.processes[0]
        first.arrays.suspend(first.seat)
        self.running = False
        self._share_ram()
        if self.finished == self.size:
            for process in self.processes:
                process.leave()


class CompiledCluster(Cluster):
    """A cluster on the compiled plane: the same journal and results as `Cluster`, but faster."""

    clock_type = CompiledClock
    network_type = CompiledNetwork
    node_type = CompiledNode
    job_type = CompiledJob
    clock: CompiledClock
    arrays: Arrays

    def journal_every_hop(self, _: None = None) -> None:
        """From now on journal whatever happens, in the arrays too."""
        super().journal_every_hop()
        self.arrays.log_every_hop()

    def tell_queues(self) -> None:
        if self.journal is not None:
            self.journal.queues = self.arrays.queues()
        super().tell_queues()

    def vanish(self, processes: list[Process]) -> list[Message]:
        """Free the processes' seats; returns their messages that are under way."""
        seated = cast(list[CompiledProcess], processes)
        messages = [self.arrays.vanish(process.seat) for process in seated]
        posted = self.arrays.vanish_posted({process.job.number for process in processes})
        for process in seated:
            process.leave()
        return [*(message for message in messages if message is not None), *posted]

    def data_plane_pending(self) -> bool:
        """Whether anything is scheduled for a process in the arrays."""
        return self.arrays.processes_pending()
