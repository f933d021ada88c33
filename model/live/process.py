"""A process as it runs for real: it waits instead of computing, and its pages are bytes."""

from collections.abc import Iterator
from typing import Protocol, cast

from agents.messages import Message
from agents.pnr.moving import ProcessTransfer
from agents.pnr.process import (
    COMPUTING,
    MOVING,
    NETWORK_FAULT,
    READY,
    SWITCHED_OUT,
    ParallelJob,
    Process,
)
from agents.pnr.processing_element import ProcessingElement
from agents.pnr.surroundings import PnrSurroundings
from model.ground.randomness import DISK_OR_NETWORK, FAULT_TIME, LENDER, RELOCALITY, Stream
from model.live import telling
from model.live.pages import PageFile, Pages
from model.pnr.job import Hosts, Job

_STREAMS = (FAULT_TIME, DISK_OR_NETWORK, LENDER, RELOCALITY)
LENDER_SILENT_NS = 2 * 10**9  # after which a page is read from the disk instead


class LiveSurroundings(Hosts, Protocol):
    """The node that a process is on."""

    page_file: PageFile
    progress: int

    def tell(self, what: telling.Told) -> None:
        """Tell the head something."""

    def ends(self, process: "LiveProcess") -> None:
        """Count what became of the pages of a process that is here no longer."""


class LiveProcess(Process):
    """A process of the emulation whose stretches of computing pass on the wall's clock.

    Whatever leaves its RAM, and comes back, are the bytes of `pages`.
    """

    def __init__(
        self, model: PnrSurroundings, job: ParallelJob, rank: int, node: ProcessingElement
    ) -> None:
        super().__init__(model, job, rank, node)
        seed = model.parameters.seed
        #: In place of generators, since a process that moves takes along where they are.
        self.streams = [Stream.of(seed, purpose, job.number, rank) for purpose in _STREAMS]
        draws = cast(list[Iterator[float]], self.streams)
        self.fault_times, self.media, self.lenders, self.relocations = draws
        assert isinstance(job, LocalJob)
        self.home = job.home
        self.pages = Pages(job.home.page_file, model.constants.page, job.number, rank)
        self.numbers_pages = True  # a page may come too late
        self.came: bytes = b""  # the page in the reply that has just come
        self.arrivals_ns: dict[
            int, int
        ] = {}  # the master's: when each rank reached this barrier, less the time switched out
        self.others_waited_ns: list[int] = []  # by rank, at barriers that it reached last
        self.asked: Message | None = None  # the page request that it waits for, or waited last
        self.departs_to: int | None = None  # as soon as it is ready
        self.comes_from: int | None = None  # of a process that moves here
        self.fit()

    def fit(self) -> None:
        """Have no more in RAM than there is room for."""
        self.pages.hold(self.size, self.memory.outside(self.job.number))

    def start(self) -> None:
        """Begin: something goes on."""
        self.home.progress += 1
        super().start()

    def overallocation_changed(self) -> None:
        """Take pages out of RAM, if there is less room, before the emulation's rules."""
        self.fit()
        super().overallocation_changed()

    def resize(self, size: int) -> int:
        """Have more pages, or fewer."""
        change = super().resize(size)
        self.fit()
        return change

    def page_loaded(self) -> None:
        """Have the page in RAM, from the lender or from the disk."""
        self.home.progress += 1
        if self.state == NETWORK_FAULT:
            self.pages.comes_back(self.came)
            self.came = b""
        else:
            self.pages.read_one()
        super().page_loaded()
        self.fit()
        self.depart_if_ready()

    def asks(self, request: Message) -> None:
        """Wait for the page that is asked for now, but not for ever."""
        self.asked = request
        self.give_up_page(self.clock.now_ns + LENDER_SILENT_NS, request)

    def lender_gone(self, lender: int) -> None:
        """A lender has nothing any more: what is asked of it comes from the disk."""
        self.pages.lender_gone(lender)
        if self.asked is not None and self.asked.target == lender:
            self.give_up_page(self.clock.now_ns, self.asked)

    def end_stretch(self) -> None:
        """Compute no longer: the process is killed."""
        if self.state == COMPUTING:
            self.clock.cancel(*self._event)

    def standing(self) -> telling.Standing:
        """Where it stands."""
        return telling.Standing(self.job.number, self.state, self.cpu_ns, self.spent_ns)

    def switch_out(self) -> None:
        """Stop, and move if that was asked for."""
        super().switch_out()
        self.depart_if_ready()

    def hear_arrival(self, other: int, barrier_ns: int) -> None:
        """Note when a worker has reached the barrier."""
        self.arrivals_ns[other] = self.clock.now_ns - self.spent_ns[SWITCHED_OUT]
        super().hear_arrival(other, barrier_ns)

    def pass_barrier(self) -> None:
        """Go on, with the memory that the job's processes have from here on."""
        self.home.progress += 1
        if self.rank:
            self.job.all_at_barrier(self.pause_ns)
        else:
            self._count_waits()
        super().pass_barrier()

    def _count_waits(self) -> None:
        """At the master: whoever came last is whom the others waited for."""
        came_ns = {0: self.reached_ns, **self.arrivals_ns}
        last = max(came_ns, key=lambda rank: came_ns[rank])
        waited_ns = sum(came_ns[last] - one for one in came_ns.values())
        self.others_waited_ns = self.others_waited_ns or [0] * len(self.job.nodes)
        self.others_waited_ns[last] += waited_ns
        self.arrivals_ns = {}

    # Moving

    def depart_if_ready(self) -> None:
        """Leave for another node, if that is wanted and the process may."""
        if self.departs_to is None or self.state != READY or self.job.running:
            return
        target, self.departs_to = self.departs_to, None
        job, node = self.job.number, self.node
        if self.journal is not None:
            self.journal.moved("departed", self, node, self.home.nodes[target])
        node.send(target, ProcessTransfer(job, self.rank, self.size))

    def luggage(self) -> telling.Luggage:
        """What it takes along besides its pages."""
        drawn = [stream.state for stream in self.streams]
        times = self.cpu_ns, self.pause_ns, self.spent_ns, self.since_ns
        return telling.Luggage(self.job.number, *times, self.steps, drawn, self.reached_ns)

    def _arrive(self) -> None:
        """The message that it moves is here: it goes on when all of it is (`arrive`)."""

    def arrive(self, brought: telling.Luggage) -> None:
        """Go on here as the process that was on another node."""
        assert self.comes_from is not None
        self.reached_ns = brought.reached_ns
        self.cpu_ns, self.pause_ns = brought.cpu_ns, brought.pause_ns
        self.spent_ns, self.since_ns = brought.spent_ns, brought.since_ns
        self.steps, self.state = brought.steps, MOVING
        for stream, state in zip(self.streams, brought.drawn, strict=True):
            stream.state = state
        if self.journal is not None:
            self.journal.moved("arrived", self, self.node, self.home.nodes[self.comes_from])
        self.comes_from = None
        self._begin()


class LocalJob(Job):
    """A job as a node sees it that has one of its processes."""

    process_type = LiveProcess

    def __init__(self, place: telling.Place, home: LiveSurroundings) -> None:
        super().__init__(place.spec, place.first_process)
        self.home = home
        self.attempt = place.placed.attempt
        self.nodes, self.running = place.nodes, place.runs

    def begin(self, place: telling.Place, node: ProcessingElement) -> LiveProcess:
        """Put its process on this node; returns it."""
        self._model = self.home
        self.start_ns = place.start_ns
        node.memory.allocate(self.number, self.held, self.limit)
        process = self.process_type(self.home, self, place.rank, node)
        process.since_ns = place.start_ns
        process.steps, process.placed = place.steps, place.placed
        self.processes = [process]
        node.residents[self.number] = process
        node.overallocation_changed()
        return process

    @property
    def here(self) -> LiveProcess:
        """Its process on this node."""
        process = self.processes[0]
        assert isinstance(process, LiveProcess)
        return process

    def process_finished(self, process: Process) -> None:
        """Let the servent give back what is no longer needed, and tell the head."""
        process = self.here
        self.home.ends(process)
        self.home.servents[process.node.index].process_ended(process)
        self.home.progress += 1
        self.home.tell(
            telling.Finished(
                self.number,
                self.attempt,
                process.rank,
                process.since_ns,
                process.cpu_ns,
                process.spent_ns,
                process.steps,
                process.others_waited_ns,
            )
        )
