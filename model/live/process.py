"""A process as it runs for real: it waits instead of computing, and its pages are bytes."""

from collections.abc import Callable
from typing import Protocol

from agents.messages import Message
from agents.pnr.process import COMPUTING, NETWORK_FAULT, ParallelJob, Process
from agents.pnr.processing_element import ProcessingElement
from agents.pnr.surroundings import PnrSurroundings
from model.live import wire
from model.live.pages import Pages
from model.pnr.job import Hosts, Job

_LENDER_SILENT_NS = 2 * 10**9  # after which a page is read from the disk instead


class Home(Hosts, Protocol):
    """The node that a process is on."""

    progress: int
    tell: Callable[[wire.Packet], None]  # the head

    def ends(self, process: "LiveProcess") -> None: ...


class LiveProcess(Process):
    """A process of the emulation whose stretches of computing pass on the wall's clock.

    Whatever leaves its RAM, and comes back, are the bytes of `pages`.
    """

    def __init__(
        self, model: PnrSurroundings, job: ParallelJob, rank: int, node: ProcessingElement
    ) -> None:
        super().__init__(model, job, rank, node)
        assert isinstance(job, LocalJob)
        self.home = job.home
        self.pages = Pages(model.constants.page, job.number, rank)
        self.numbers_pages = True  # a page may come too late
        self.came = b""  # the page in the reply that has just come
        self.asked: Message | None = None  # the page request that it waits for, or waited last
        self._fit()

    def _fit(self) -> None:
        """Have no more in RAM than there is room for."""
        self.pages.hold(self.size, self.memory.outside(self.key))

    def start(self) -> None:
        """Begin: something goes on."""
        self.home.progress += 1
        super().start()

    def overallocation_changed(self) -> None:
        """Take pages out of RAM, if there is less room, before the emulation's rules."""
        self._fit()
        super().overallocation_changed()

    def resize(self, size: int) -> int:
        change = super().resize(size)
        self._fit()
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
        self._fit()

    def asks(self, request: Message) -> None:
        """Wait for the page that is asked for now, but not for ever."""
        self.asked = request
        self.give_up_page(self.clock.now_ns + _LENDER_SILENT_NS, request)

    def lender_gone(self, lender: int) -> None:
        """A lender has nothing any more: what is asked of it comes from the disk."""
        self.pages.lender_gone(lender)
        if self.asked is not None and self.asked.target == lender:
            self.give_up_page(self.clock.now_ns, self.asked)

    def end_stretch(self) -> None:
        if self.state == COMPUTING:
            self.clock.cancel(*self._event)

    def state_now(self) -> wire.ProcessState:
        return wire.ProcessState(self.job.number, self.state, self.cpu_ns, self.spent_ns)

    def pass_barrier(self) -> None:
        """Go on, with the memory that the job's processes have from here on."""
        self.home.progress += 1
        if self.rank:
            self.job.all_at_barrier(self.pause_ns)
        super().pass_barrier()


class LocalJob(Job):
    """A job as a node sees it that has one of its processes."""

    process_type = LiveProcess

    def __init__(self, place: wire.Place, home: Home) -> None:
        super().__init__(place.spec, place.first_process)
        self.home = self._model = home
        self.attempt = place.placed.attempt
        self.nodes, self.running = place.nodes, place.runs

    def begin(self, place: wire.Place, node: ProcessingElement) -> LiveProcess:
        """Put its process on this node; returns it."""
        self.start_ns = place.start_ns
        node.memory.allocate((self.number, place.rank), self.held, self.limit)
        process = self.process_type(self.home, self, place.rank, node)
        process.since_ns = place.start_ns
        process.steps, process.placed = place.steps, place.placed
        self.processes = [process]
        node.residents[process.key] = process
        node.overallocation_changed()
        return process

    @property
    def here(self) -> LiveProcess:
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
            wire.Finished(
                self.number,
                self.attempt,
                process.rank,
                process.since_ns,
                process.cpu_ns,
                process.spent_ns,
                process.steps,
            )
        )
