"""Nodes, servents, jobs and processes as the head of a live run sees them: they are elsewhere.

The scheduler, crashes and measures of the emulation know them as their own; what they do to them
is told to the nodes, and what nodes tell becomes of them.
"""

from typing import Protocol, cast

from agents.pnr.hosting import Crashed, Fault, Input, NodeLost, Paused, Restarted, Resumed
from agents.pnr.messages import Request
from agents.pnr.process import COMPUTING, FINISHED, MOVING, READY, Process
from agents.pnr.processing_element import ProcessingElement
from agents.pnr.servent import Servent
from agents.pnr.surroundings import PlacedProcess
from model.ground.memory import Memory
from model.live import telling
from model.pnr.job import Job
from model.pnr.job_spec import JobSpec

_STEPS_OF_ONE_ATTEMPT = 2**20


class Telling(Protocol):
    """The head, to what is here of nodes."""

    def tell(self, node: int, what: telling.Told) -> None:
        """Tell a node something."""

    def kill_node(self, node: int, for_ever: bool) -> None:
        """Kill a node's process."""

    def start_node(self, node: int) -> bool:
        """Start a node's process again; False if it runs."""

    def stop_node(self, node: int) -> None:
        """Have a node's process do nothing."""

    def continue_node(self, node: int) -> None:
        """Let it go on."""


class RemoteMemory(Memory[Request]):
    """The ledger of a node as it last told; of the jobs there it knows at once."""

    def allocate(self, job: int, size: int, limit: int | None = None) -> None:
        """A process is there."""
        self.processes[job] = size

    def free(self, job: int) -> None:
        """A process is there no more."""
        self.processes.pop(job, None)

    def give_back(self, server: int, amount: int) -> list[tuple[Request | None, int]]:
        """Nothing is borrowed from a server any more, which is gone."""
        self.loans.pop(server, None)
        return []

    def clear(self) -> None:
        """The node has lost everything."""
        self.processes.clear()
        self.stands(telling.Ledger(0, 0, 0, 0, 0, 0, {}, [], 0))

    def stands(self, told: telling.Ledger) -> None:
        """Be as the node tells."""
        self.demand, self.lent, self.borrowed = told.demand, told.lent, told.borrowed
        self.over, self.beyond_ram = told.over, told.beyond_ram
        self.asked = {None: told.asked} if told.asked else {}
        self.loans = dict(told.loans)


class RemoteNode(ProcessingElement):
    """A node that is a process of its own."""

    memory_type = RemoteMemory

    def lose_memory(self) -> None:
        """Tell it to hold nothing and to answer nobody."""
        super().lose_memory()
        _head(self).tell(self.index, telling.LoseMemory())

    def come_back(self) -> None:
        """Tell it to answer again."""
        super().come_back()
        _head(self).tell(self.index, telling.ComeBack())


class RemoteServent(Servent):
    """A servent whose roles are in another process."""

    def start(self, _: None = None) -> None:
        """It starts by itself."""

    def process_placed(self, process: PlacedProcess) -> None:
        """Have the process placed, whose client then asks."""
        placed = cast(RemoteProcess, process)
        placed.placed = self._about(process)
        _head(self).tell(self.node.index, placed.place())

    def process_ended(self, process: PlacedProcess) -> None:
        """Have a process killed, unless it has ended by itself."""
        if process.state != FINISHED:
            _head(self).tell(self.node.index, telling.Kill(process.job.number))

    def leaving(self, deadline_ns: int) -> None:
        """Have its roles told."""
        _head(self).tell(self.node.index, telling.Leave(deadline_ns))

    def _happens(self, what: Input, _: object = None) -> None:
        """Do to the node's process what is to happen to it."""
        head, node = _head(self), self.node.index
        match what:
            case Crashed(for_ever):
                head.tell(node, telling.CrashServent(for_ever))
            case NodeLost(for_ever):
                head.kill_node(node, for_ever)
            case Restarted() if self.node.is_down or not head.start_node(node):
                head.tell(node, telling.RestartServent())
            case Paused():
                head.stop_node(node)
            case Resumed() if self.host.pauses == 1:  # else another pause lasts
                head.continue_node(node)
        if isinstance(what, Fault):
            self.host.happens(what, self.model.clock.now_ns)  # which counts; nobody is asked here


class RemoteProcess(Process):
    """A process on another node, which tells where it stands."""

    def place(self) -> telling.Place:
        """What its node must know."""
        job, model = cast(RemoteJob, self.job), cast(Job, self.job)
        journal = self.journal
        assert self.placed is not None
        return telling.Place(
            job.spec,
            job.first_process,
            self.rank,
            list(job.nodes),
            self.placed,
            (model.attempt - 1) * _STEPS_OF_ONE_ATTEMPT,
            self.clock.now_ns,
            job.running,
            0 if journal is None else journal.cause,
        )

    def overallocation_changed(self) -> None:
        """That is its node's matter."""

    def switch_in(self) -> None:
        """Let it compute."""
        if self.state == FINISHED:
            super().switch_in()
        else:
            _head(self.node).tell(self.node.index, telling.Switch(self.job.number, True))

    def switch_out(self) -> None:
        """Have it stop."""
        if self.state == FINISHED:
            super().switch_out()
        else:
            _head(self.node).tell(self.node.index, telling.Switch(self.job.number, False))
            if self.state == COMPUTING:
                self.state = READY  # which its node will tell; those that may move are asked now

    def move_to(self, target: ProcessingElement) -> None:
        """Have it leave for another node, which expects it."""
        source, job, head = self.node, self.job.number, _head(self.node)
        self.left, self.node, self.memory = source, target, target.memory
        self.state = MOVING
        target.memory.allocate(job, self.size, self.job.limit)
        del source.residents[job]
        target.residents[job] = self
        head.tell(target.index, telling.Expect(self.place(), source.index))
        head.tell(source.index, telling.Depart(job, target.index))
        for process in self.job.processes:
            if process is not self:
                head.tell(process.node.index, telling.Moved(job, self.rank, target.index))

    def has_arrived(self) -> None:
        """It is where it was to move to."""
        source, self.left = self.left, None
        assert source is not None
        source.memory.free(self.job.number)
        _head(source).tell(source.index, telling.Left(self.job.number))

    def stands(self, told: telling.Standing) -> None:
        """Be as its node tells."""
        if self.state not in (FINISHED, MOVING):
            self.state, self.cpu_ns, self.spent_ns = told.state, told.cpu_ns, told.spent_ns

    def has_finished(self, told: telling.Finished) -> None:
        """It has computed its demand."""
        self.cpu_ns, self.spent_ns, self.steps = told.cpu_ns, told.spent_ns, told.steps
        self.since_ns, self.state = told.time_ns, FINISHED
        for process, awaited_ns in zip(self.job.processes, told.awaited_ns, strict=False):
            process.awaited_ns = awaited_ns
        self.node.residents.pop(self.job.number, None)
        self.node.memory.free(self.job.number)
        self.job.process_finished(self)


class RemoteJob(Job):
    """A job whose processes are on other nodes."""

    process_type = RemoteProcess

    def __init__(self, spec: JobSpec, first_process: int) -> None:
        super().__init__(spec, first_process)
        self.spec = spec


def _head(agent: ProcessingElement | Servent) -> Telling:
    return cast(Telling, agent.model)
