"""A processing element (PE): a node with RAM that runs the processes of parallel jobs."""

from functools import lru_cache, partial
from typing import Any

from agents.messages import Message
from agents.node import Node
from agents.pnr.messages import PageReply, Request
from agents.pnr.surroundings import PlacedProcess, PnrSurroundings
from model.ground.memory import Memory
from model.ground.speed import computed_ns, time_taken_ns

_reply = lru_cache(1024)(PageReply)  # found sooner than made


class ProcessingElement(Node):
    """Runs a process on each core at a time; several may reside on it. Answers page requests."""

    memory_type: type[Memory[Request]] = Memory

    def __init__(self, model: PnrSurroundings, index: int) -> None:
        super().__init__(model, index, model.constants.disk(model, index))
        on_loan = partial(model.journal.loan, index) if model.journal is not None else None
        constants = model.constants
        self.memory = self.memory_type(constants.rams[index], on_loan)
        self._speed, self._reference = constants.speeds[index], constants.reference_speed
        self.cores = constants.cores[index]
        self.residents: dict[tuple[int, int], PlacedProcess] = {}  # by job number and rank
        #: Processes that have run since any that did not run beside them has.
        self.ran: list[PlacedProcess] = []
        self.stretches = 0  # of computing, begun by processes here
        self.faults_network = 0
        self.is_down = False  # after a crash: nobody answers page requests
        self.takes = {"node": self._serve_page, "process": self._process_hears}

    @property
    def load(self) -> int:
        """RAM - demand by its ledger; nobody can have any RAM of a node that is down."""
        return 0 if self.is_down else self.memory.load

    def time_taken_ns(self, cpu_ns: int) -> int:
        return time_taken_ns(cpu_ns, self._speed, self._reference)

    def computed_ns(self, time_ns: int) -> int:
        return computed_ns(time_ns, self._speed, self._reference)

    def page_faults(self) -> int:
        """How many pages its processes have asked for so far, of its disk and of lenders."""
        return self.faults_disk + self.faults_network

    def overallocation_changed(self) -> None:
        """Tell the node's processes that its memory, and with it their limits L, have changed."""
        if self.cores > 1:
            self.share_ram()
        for process in self.residents.values():
            process.overallocation_changed()

    def share_ram(self) -> None:
        """Let the ledger know what processes hold that compute at once, on several cores."""
        running = [key for key, process in self.residents.items() if process.job.running]
        self.memory.together = sum(map(self.memory.in_ram, running))

    def free(self, process: tuple[int, int]) -> None:
        self.memory.free(process)
        self.overallocation_changed()

    def lose_memory(self) -> None:
        """Crash: hold, lend and borrow nothing any more, and answer no page requests."""
        self.is_down = True
        self.memory.clear()
        self.overallocation_changed()

    def come_back(self) -> None:
        """Answer page requests again after a crash; the node is empty."""
        self.is_down = False

    def _serve_page(self, message: Message) -> None:
        request: Any = message.content  # a PageRequest
        self.send(message.source, _reply(request.job, request.rank, request.page))

    def _process_hears(self, message: Message) -> None:
        content: Any = message.content  # one of ToProcess
        process = self.residents.get(content.receiver)
        if process is not None:  # a second copy of a message may come too late
            process.receive(content)
