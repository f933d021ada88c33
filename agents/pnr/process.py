"""A process of a parallel job: it computes, faults and synchronizes (thesis, section 3.1.3).

Its life, once its client lets it start and whenever its job runs:
- compute up to the next page fault, barrier or finish, whichever comes first: one stretch;
- on a fault, wait for the page, from a lender or from the disk;
- at a barrier, wait for all other processes of the job, or for some (`synchronization.py`);
- at the finish, free the memory.

While its job is suspended, it may move to another node, if the design migrates processes.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Protocol

from agents.messages import Content, Message
from agents.pnr.messages import BarrierArrive, BarrierRelease, PageReply, PageRequest, Placed
from agents.pnr.moving import ProcessTransfer
from agents.pnr.processing_element import ProcessingElement
from agents.pnr.surroundings import PlacedJob, PnrSurroundings
from agents.pnr.synchronization import Exchange, beside
from model.ground.clock import PROCESS
from model.ground.paging import fault_time_ns, relocated_bytes
from model.ground.randomness import DISK_OR_NETWORK, FAULT_TIME, LENDER, RELOCALITY, draws

if TYPE_CHECKING:
    from agents.pnr.page_costs import PageCosts  # whose disk's Mesa is slow to import

# What a process does. All but the first two name a wait; a READY process waits for its job to run.
READY, COMPUTING, GRANT, DISK_FAULT, NETWORK_FAULT, BARRIER, FINISHED, SWITCHED_OUT = range(8)
MOVING = 8
STATES = (
    "ready to compute",
    "computing",
    "waiting for a grant",
    "waiting for the disk",
    "waiting for a page from the network",
    "waiting at a barrier",
    "finished",
    "switched out",
    "moving to another node",
)
#: Where its time goes from its job's start to its end; a finished process waits for the others.
PARTS = {
    "switched_out": (SWITCHED_OUT,),
    "computing": (COMPUTING,),
    "disk_faults": (DISK_FAULT,),
    "network_faults": (NETWORK_FAULT,),
    "barriers": (BARRIER, FINISHED),
    "grant": (GRANT,),
    "moving": (MOVING,),
}


class ParallelJob(PlacedJob, Protocol):
    """The job that a process belongs to (`model/pnr/job.py`)."""

    size: int
    limit: int | None  # what each of its processes may hold in RAM, in bytes
    demand_ns: int

    @property
    def held(self) -> int:
        """The bytes that each of its processes holds."""

    @property
    def processes(self) -> "Sequence[Process]":
        """Its processes, by rank."""

    def all_at_barrier(self, cpu_ns: int) -> None:
        """All of its processes have computed for `cpu_ns`; they go on afterwards."""

    def process_finished(self, process: "Process") -> None:
        """This process has computed its demand and freed its memory."""

    def process_moved(self, process: "Process", source: ProcessingElement) -> None:
        """This process has come from that node, which has freed its memory."""


class Process:
    """One process on one node. Rank 0 is the job's master, the others are its workers.

    It has at most 30 attributes: of objects with more, CPython finds each more slowly.
    """

    #: The node that it has moved away from, and that holds its memory until it has arrived.
    left: ProcessingElement | None = None
    numbers_pages = False  # whether each page request has a number: pages may be lost
    costs: "PageCosts | None" = None  # counts or draws what pages cost, if anything does

    def __init__(
        self, model: PnrSurroundings, job: ParallelJob, rank: int, node: ProcessingElement
    ) -> None:
        self.job = job
        self.rank = rank
        self.node = node
        self.clock = model.clock
        self.journal = model.journal
        self.memory = node.memory
        self.constants = model.constants
        seed, number = model.parameters.seed, job.number
        self.fault_times = draws(seed, FAULT_TIME, number, rank)
        self.media = draws(seed, DISK_OR_NETWORK, number, rank)
        self.lenders = draws(seed, LENDER, number, rank)
        self.relocations = draws(seed, RELOCALITY, number, rank)

        self.placed: Placed | None = None  # what its client must know about it
        self.state = GRANT
        self.since_ns = model.clock.now_ns  # when it entered its state, or was switched in or out
        self.spent_ns = [0] * len(STATES)  # wall-clock time by state, while its job existed
        self.reached_ns = 0  # when it reached its latest barrier, less the time switched out before
        self.awaited_ns = 0  # for how long all others waited at barriers that it reached last
        self.size = job.held
        self.outside = 0  # L: bytes of it that can be out of RAM
        self.loaded = 0  # D: bytes loaded since it was last switched in
        self.cpu_ns = 0  # computed so far
        self.until_ns = 0  # the CPU time at the end of its present stretch
        #: The CPU time at its next barrier or finish.
        self.pause_ns = min(model.constants.barrier_ns, job.demand_ns)
        #: The ranks that it waits for and that are at this barrier, with the CPU time at it; one
        #: beside it may be at the next barrier already.
        self.arrived: dict[int, int] = {}
        self.cause = 0  # the record that let it compute, for the journal
        self.steps = 0  # journaled so far
        self._event: tuple[int, ...] = ()  # the key of the end of its present stretch
        self._drawn = False  # whether a fault was drawn for this stretch
        self.request = PageRequest(number, rank)
        #: Which of its node's events at one time are its own; without cores, all are.
        self._sender = node.index if node.cores == 1 else job.first_process + rank
        if model.page_costs is not None:
            self.costs = model.page_costs
        if model.network.faults is not None and model.network.faults.touch_data:
            self.numbers_pages = True

    def start(self) -> None:
        if self.journal is not None:
            self.journal.process("started", self)
        self._begin()

    def switch_in(self) -> None:
        now_ns = self.clock.now_ns
        self.spent_ns[SWITCHED_OUT] += now_ns - self.since_ns
        self.since_ns = now_ns
        if self.state not in (GRANT, MOVING, FINISHED):
            self._switched_in()

    def switch_out(self) -> None:
        """Stop computing: the job is suspended. A fault in flight completes meanwhile."""
        now_ns = self.clock.now_ns
        if self.state == COMPUTING:
            self._stop_computing()
            self._enter(READY)
        else:
            self.spent_ns[self.state] += now_ns - self.since_ns
        self.since_ns = now_ns

    @property
    def key(self) -> tuple[int, int]:
        """Its job's number and its rank, by which its node knows it."""
        return self.job.number, self.rank

    @property
    def may_compute(self) -> bool:
        """Whether it computes, or will when its job runs, before anything else happens."""
        return self.state in (READY, COMPUTING)

    def pass_over(self, rounds: int, spent_ns: Sequence[int], since_ns: int) -> None:
        """Be in and out so many rounds more, as in the one before which it had these."""
        self.spent_ns = [
            now + rounds * (now - before)
            for now, before in zip(self.spent_ns, spent_ns, strict=True)
        ]
        self.since_ns += rounds * (self.since_ns - since_ns)

    def overallocation_changed(self) -> None:
        """Cap D to L: the node's O has changed, and L with it.

        A fault already drawn stands; if none could be drawn before but one can now, it is.
        """
        self.outside = self.memory.outside(self.key)
        self.loaded = min(self.loaded, self.outside)
        if self.state == COMPUTING and not self._drawn and self.loaded < self.outside:
            self._stop_computing()
            self._compute()

    def _stop_computing(self) -> None:
        """End its present stretch before its time, with what has been computed so far."""
        done_ns = self.node.computed_ns(self.clock.now_ns - self.since_ns)
        self.cpu_ns = min(self.until_ns, self.cpu_ns + done_ns)
        self.clock.cancel(*self._event)

    def resize(self, size: int) -> int:
        """Hold `size` bytes from now on; returns the id of the journal's record, or 0."""
        self.size = size
        self.memory.resize(self.key, size)
        change = 0 if self.journal is None else self.journal.resized(self, size)
        self.node.overallocation_changed()
        return change

    def move_to(self, target: ProcessingElement) -> None:
        """Leave for another node, in one message, while the process is ready and its job suspended.

        The target holds its memory from now on; the node that it leaves, until it has arrived.
        """
        source, job = self.node, self.job.number
        self.left = source
        target.memory.allocate(self.key, self.size, self.job.limit)
        del source.residents[self.key]
        source.ran = [other for other in source.ran if other is not self]
        target.residents[self.key] = self
        if self.journal is not None:
            self.journal.moved("departed", self, source, target)
        self._sit_on(target)
        source.send(target.index, ProcessTransfer(job, self.rank, self.size))

    def receive(self, content: Content) -> None:
        """React to a page or a barrier message, unless it is a second copy of one; or arrive."""
        match content:
            case PageReply(page=page):
                if self.state == NETWORK_FAULT and page == self.request.page:
                    self.page_loaded()
            case BarrierArrive(rank=other, barrier_ns=barrier_ns):
                if barrier_ns >= max(self.pause_ns, self.arrived.get(other, 0) + 1):
                    self.hear_arrival(other, barrier_ns)
            case BarrierRelease(barrier_ns=barrier_ns):
                if self.state == BARRIER and barrier_ns == self.pause_ns:
                    self._release()
            case ProcessTransfer():
                self._arrive()

    def page_loaded(self) -> None:
        if self.costs is not None:
            self.costs.come(self)
        if not self.constants.drifts:
            self.loaded = min(self.loaded + self.constants.page, self.outside)
        self._go_on()

    def hear_arrival(self, other: int, barrier_ns: int) -> None:
        self.arrived[other] = barrier_ns
        if self.state == BARRIER:
            self._meet()

    def pass_barrier(self) -> None:
        """Go on: all that the process waits for have reached the barrier."""
        if self.arrived:
            self.arrived = {rank: at for rank, at in self.arrived.items() if at > self.pause_ns}
        self.pause_ns = min(self.pause_ns + self.constants.barrier_ns, self.job.demand_ns)
        self._go_on()

    def _sit_on(self, target: ProcessingElement) -> None:
        """Belong to this node from now on, where nothing is loaded."""
        self.node, self.memory = target, target.memory
        self._sender = target.index if target.cores == 1 else self.job.first_process + self.rank
        self.outside = self.memory.outside(self.key)
        self.loaded = 0
        self._enter(MOVING)

    def _arrive(self) -> None:
        """Go on where the process is now; the node that it has left frees its memory."""
        source, self.left = self.left, None
        assert source is not None
        if self.journal is not None:
            self.journal.moved("arrived", self, self.node, source)
        source.free(self.key)
        self._begin()
        self.job.process_moved(self, source)

    def _begin(self) -> None:
        self._enter(READY)
        if self.job.running:
            self._switched_in()

    def _switched_in(self) -> None:
        node = self.node
        if self not in node.ran:
            node.ran = [*(other for other in node.ran if other.job.running), self]
            self.loaded = 0
        if self.state == READY:
            self._compute()

    def _go_on(self) -> None:
        if self.job.running:
            self._compute()
        else:
            self.state = READY

    def _compute(self) -> None:
        """Begin a stretch: draw the next fault; schedule it, or the next barrier or finish."""
        self._enter(COMPUTING)
        stretch_ns = self.pause_ns - self.cpu_ns
        action = self._pause
        self._drawn = False
        limit, constants = self.outside, self.constants
        if limit:
            if self.loaded == limit:
                excess = self.size - self.memory.room_of(self.key)
                if excess > constants.relocates_above:
                    unloaded = relocated_bytes(
                        next(self.relocations), constants.page, excess, constants.relocality_unit
                    )
                    self.loaded = max(0, self.loaded - unloaded)
            if self.loaded < limit:
                self._drawn = True
                touched = self.size if constants.drifts else limit
                there = touched - limit + self.loaded
                fault_ns = fault_time_ns(
                    next(self.fault_times), constants.page_walk_ns, touched, there
                )
                if fault_ns < stretch_ns:
                    stretch_ns, action = fault_ns, self._fault
        if self.journal is not None:
            self.cause = self.journal.cause
        node = self.node
        node.stretches += 1
        self.until_ns = self.cpu_ns + stretch_ns
        end_ns = self.since_ns + node.time_taken_ns(stretch_ns)
        self._event = (end_ns, PROCESS, node.index, self._sender, node.stretches)
        self.clock.schedule((*self._event, action, None))

    def _fault(self, _: None) -> None:
        """Get the missing page over the network with probability borrowed / O, else from the disk.

        If nothing of the process can be out of RAM any longer, there is no fault.
        """
        self.cpu_ns = self.until_ns
        over, borrowed = self.memory.over, self.memory.borrowed
        if not self.outside:
            if self.journal is not None:
                self.journal.because(self.cause, self.job.number)
            self._compute()
            return
        if self.journal is not None:
            self.journal.process("fault", self)
        if borrowed and next(self.media) * over < borrowed:
            self._enter(NETWORK_FAULT)
            if self.costs is not None:
                self.costs.ask(self, 1)
            self.node.faults_network += 1
            if self.numbers_pages:
                job, rank, page = self.job.number, self.rank, self.request.page
                self.request = PageRequest(job, rank, page + 1)
            self.node.send(self.memory.lender(next(self.lenders)), self.request)
        else:
            self._enter(DISK_FAULT)
            if self.costs is not None:
                self.costs.ask(self, 0)
            self.node.faults_disk += 1
            self.node.disk.read(self)

    def _pause(self, _: None) -> None:
        """Stop at a barrier or at the finish; where there are no barriers, go on at once."""
        self.cpu_ns = self.until_ns
        if self.cpu_ns == self.job.demand_ns:
            self.finish()
            return
        synchronization = self.constants.synchronization
        if not synchronization.meets:
            if self.journal is not None:
                self.journal.because(self.cause, self.job.number)
            self._exchange()
            self.pass_barrier()
            return
        if self.journal is not None:
            self.journal.process("barrier", self)
        self._enter(BARRIER)
        self.reached_ns = self.clock.now_ns - self.spent_ns[SWITCHED_OUT]
        self._exchange()
        if synchronization.in_ring:
            self._count_waits_in_ring()
            for other in beside(self.rank, self.job.size):
                self._tell(other)
        self._meet()

    def _exchange(self) -> None:
        """Send data to the processes beside this one, if the job's processes exchange any."""
        if self.constants.sizes.exchange:
            job = self.job
            for other in beside(self.rank, job.size):
                self.node.send(job.nodes[other], Exchange(job.number, self.rank))

    def _tell(self, other: int) -> None:
        arrival = BarrierArrive(self.job.number, self.rank, self.pause_ns, other)
        self.node.send(self.job.nodes[other], arrival)

    def _count_waits_in_ring(self) -> None:
        """Count for how long those beside this process waited for it, of the two that each awaits.

        It is the last of these that has come to the barrier; how long its word takes is no matter.
        """
        processes, size = self.job.processes, self.job.size
        for rank in beside(self.rank, size):
            if all(processes[it]._has_reached(self.pause_ns) for it in (rank, *beside(rank, size))):
                self.awaited_ns += self.reached_ns - processes[rank].reached_ns

    def _has_reached(self, barrier_ns: int) -> bool:
        at_it = self.pause_ns == barrier_ns and self.state == BARRIER
        return at_it or self.pause_ns > barrier_ns

    def _meet(self) -> None:
        job, synchronization = self.job, self.constants.synchronization
        if len(self.arrived) < len(synchronization.awaited(self.rank, job.size)):
            return
        parent = synchronization.parent(self.rank, job.size)
        if parent is not None:
            self._tell(parent)
        elif synchronization.in_ring and job.size > 1:
            if self.journal is not None:
                self.journal.process("passed", self)
            self.pass_barrier()
        else:
            reached_ns = [process.reached_ns for process in job.processes]
            last_ns = max(reached_ns)
            latest = job.processes[reached_ns.index(last_ns)]
            latest.awaited_ns += last_ns * len(reached_ns) - sum(reached_ns)
            job.all_at_barrier(self.pause_ns)
            self._release()

    def _release(self) -> None:
        """Let those that have told this process of their arrivals go on, and then itself."""
        job = self.job
        for rank in self.constants.synchronization.awaited(self.rank, job.size):
            release = BarrierRelease(job.number, rank, self.pause_ns)
            self.node.send(job.nodes[rank], release)
        self.pass_barrier()

    def give_up_page(self, when_ns: int, request: Message) -> None:
        self._later(when_ns, partial(self._read_instead, request))

    def send_again(self, when_ns: int, lost: Message) -> None:
        self._later(when_ns, partial(self._repeat, lost))

    def _later(self, when_ns: int, action: "Callable[[Process], None]") -> None:
        node = self.node
        node.stretches += 1
        key = (when_ns, PROCESS, node.index, self._sender, node.stretches)
        self.clock.schedule((*key, action, self))

    def _read_instead(self, request: Message, _: "Process") -> None:
        """Read from the disk; if the job does not run now, the fault is void and drawn anew."""
        if not self._waits_for(request):
            return
        if not self.job.running:
            self.state = READY
            return
        if self.journal is not None:
            self.journal.because(request.cause, self.job.number)
        self._enter(DISK_FAULT)
        self.node.faults_disk += 1
        self.node.disk.read(self)

    def _repeat(self, lost: Message, _: "Process") -> None:
        if not self._waits_for(lost):
            return
        if self.journal is not None:
            self.journal.because(lost.cause, self.job.number)
        if isinstance(lost.content, PageReply):
            self.node.send(lost.source, self.request)
        else:
            self.node.send(lost.target, lost.content)

    def _waits_for(self, lost: Message) -> bool:
        """Whether a lost message has not been overtaken by another copy of it."""
        if isinstance(lost.content, PageRequest | PageReply):
            return self.state == NETWORK_FAULT and lost.content.page == self.request.page
        assert isinstance(lost.content, BarrierArrive | BarrierRelease)
        if self.state == FINISHED:
            rank: int = lost.content.receiver[1]
            return self.job.processes[rank].pause_ns == lost.content.barrier_ns
        if isinstance(lost.content, BarrierArrive) and not self.constants.synchronization.in_ring:
            return self.state == BARRIER
        return True  # others wait for it, where this one may have gone on

    def finish(self) -> None:
        if self.journal is not None:
            self.journal.process("finished", self)
        self._enter(FINISHED)
        del self.node.residents[self.key]
        self.node.free(self.key)
        self.job.process_finished(self)

    def _enter(self, state: int) -> None:
        now_ns = self.clock.now_ns
        if self.job.running:
            self.spent_ns[self.state] += now_ns - self.since_ns
            self.since_ns = now_ns
        self.state = state
