"""Nodes, servents, jobs and processes as the head of a live run sees them: they are elsewhere.

The scheduler, crashes and measures of the emulation know them as their own; what they do to them
is told to the nodes, and what nodes tell becomes of them.
"""

from typing import Protocol, cast

from agents.pnr.hosting import Fault, Input, NodeLost, Paused, Restarted, Resumed
from agents.pnr.messages import Request
from agents.pnr.process import FINISHED, Process
from agents.pnr.processing_element import ProcessingElement
from agents.pnr.servent import Servent
from agents.pnr.surroundings import PlacedProcess
from model.ground.memory import Key, Memory
from model.live import wire
from model.pnr.job import Job
from model.pnr.job_spec import JobSpec

_STEPS_OF_ONE_ATTEMPT = 2**20


class Head(Protocol):
    """The head, to what is here of nodes."""

    def tell(self, node: int, packet: wire.Packet) -> None: ...
    def start_node(self, node: int) -> None: ...
    def kill_node(self, node: int) -> None: ...
    def stop_node(self, node: int) -> None: ...
    def continue_node(self, node: int) -> None: ...


class RemoteMemory(Memory[Request]):
    """The ledger of a node as it last told; of the jobs there it knows at once."""

    def allocate(self, process: Key, size: int, limit: int | None = None) -> None:
        self.processes[process] = size

    def free(self, process: Key) -> None:
        self.processes.pop(process, None)

    def give_back(self, server: int, amount: int) -> list[tuple[Request | None, int]]:
        """Nothing is borrowed from a server any more, which is gone."""
        self.loans.pop(server, None)
        return []

    def clear(self) -> None:
        self.processes.clear()
        self.becomes(wire.NodeState([0] * len(wire.OF_MEMORY), 0, {}, [], 0))

    def becomes(self, state: wire.NodeState) -> None:
        for name, amount in zip(wire.OF_MEMORY, state.memory, strict=True):
            setattr(self, name, amount)
        self.asked = {None: state.asked} if state.asked else {}
        self.loans = dict(state.loans)


class RemoteNode(ProcessingElement):
    """A node that is a process of its own."""

    memory_type = RemoteMemory


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
            _head(self).tell(self.node.index, wire.Kill(process.job.number))

    def _happens(self, what: Input, _: object = None) -> None:
        """Do to the node's process what is to happen to it."""
        head, node = _head(self), self.node.index
        match what:
            case NodeLost():
                head.kill_node(node)
            case Restarted() if not self.node.is_down:  # else another crash lasts
                head.start_node(node)
            case Paused():
                head.stop_node(node)
            case Resumed() if self.host.pauses == 1:  # else another pause lasts
                head.continue_node(node)
        if isinstance(what, Fault):
            self.host.happens(what, self.model.clock.now_ns)  # which counts; nobody is asked here


class RemoteProcess(Process):
    """A process on another node, which tells how far it is."""

    def place(self) -> wire.Place:
        job = cast(RemoteJob, self.job)
        assert self.placed is not None
        return wire.Place(
            job.spec,
            job.first_process,
            self.rank,
            job.nodes,
            self.placed,
            (job.attempt - 1) * _STEPS_OF_ONE_ATTEMPT,
            self.clock.now_ns,
            job.running,
            0 if self.journal is None else self.journal.cause,
        )

    def overallocation_changed(self) -> None:
        pass

    def switch_in(self) -> None:
        if self.state == FINISHED:
            super().switch_in()
        else:
            _head(self.node).tell(self.node.index, wire.Switch(self.job.number, True))

    def switch_out(self) -> None:
        if self.state == FINISHED:
            super().switch_out()
        else:
            _head(self.node).tell(self.node.index, wire.Switch(self.job.number, False))

    def becomes(self, state: wire.ProcessState) -> None:
        if self.state != FINISHED:
            self.state, self.cpu_ns, self.spent_ns = state.state, state.cpu_ns, state.spent_ns

    def has_finished(self, end: wire.Finished) -> None:
        self.cpu_ns, self.spent_ns, self.steps = end.cpu_ns, end.spent_ns, end.steps
        self.since_ns, self.state = end.time_ns, FINISHED
        self.node.residents.pop(self.key, None)
        self.node.memory.free(self.key)
        self.job.process_finished(self)


class RemoteJob(Job):
    """A job whose processes are on other nodes."""

    process_type = RemoteProcess

    def __init__(self, spec: JobSpec, first_process: int) -> None:
        super().__init__(spec, first_process)
        self.spec = spec

    def behind(self) -> None:
        """For real, nobody counts for whom others have waited at barriers."""


def _head(agent: ProcessingElement | Servent) -> Head:
    return cast(Head, agent.model)
