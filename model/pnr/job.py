"""The life of a parallel job on the cluster."""

from collections.abc import Callable, Sequence
from typing import Protocol

from agents.pnr.process import FINISHED, PARTS, STATES, Process
from agents.pnr.processing_element import ProcessingElement
from agents.pnr.servent import Servent
from agents.pnr.surroundings import PnrSurroundings
from model.pnr.job_spec import JobSpec, Mark

NEVER = 2**63 - 1  # the CPU time of a mark that will not come

# What the table of jobs has of each:

BREAKDOWN = {f"{part}_s": states for part, states in PARTS.items()}
# Where the design moves processes: how long they were on their way while their job ran (a mean,
# like the other parts of the response time), and how many there were.
OF_MOVES = ("moving_s", "migrations")
COLUMNS = (
    *("design", "job", "submit_s", "start_s", "end_s", "response_s", "wait_s", "processes"),
    *("memory_mb", "demand_s", "slowdown", "bounded_slowdown"),
    *(name for name in BREAKDOWN if name not in OF_MOVES),
)
# Of jobs, where nodes may crash: how often they were begun, and how long those were placed that a
# crash has killed.
OF_ATTEMPTS = ("attempts", "lost_s")
OF_ESTIMATES = ("estimated_mb",)  # where the scheduler places jobs by what it believes they need


class Hosts(PnrSurroundings, Protocol):
    """An emulation of nodes with servents."""

    nodes: Sequence[ProcessingElement]
    servents: Sequence[Servent]  # by node


class Job:
    """One job of the run: queued, then placed on nodes, running or suspended, then ended."""

    process_type: type[Process] = Process
    _has_cores = False  # whether any node of the cluster has several

    def __init__(self, spec: JobSpec, first_process: int) -> None:
        self.number = spec.number
        self.submit_ns = spec.submit_ns
        self.size = spec.processes
        self.memory = spec.memory  # of each process, at its largest
        self.limit = spec.limit  # what each process may hold in RAM
        self.in_ram = spec.in_ram  # the most that each process holds there
        self.marks = spec.marks or (Mark(0, spec.memory),)
        self._mark = 0  # the one in effect
        self.requested = spec.requested
        self.user = spec.user
        self.demand_ns = spec.demand_ns
        self.first_process = first_process  # the cluster-wide index of its rank 0
        self.attempt = 0  # to run it, once it is placed; a crash makes it begin again
        self.lost_spent_ns = [0] * len(STATES)  # what processes that were killed did, by state
        self.lost_ns = 0  # for which earlier attempts were placed
        self.failed = False  # whether it was given up
        self.migrations = 0  # of its processes to other nodes
        self._steps: list[int] = []  # journaled by earlier attempts, by rank
        self.nodes: list[int] = []  # by rank
        self.processes: list[Process] = []  # by rank
        self.running = False  # whether its processes may compute now
        self.start_ns: int | None = None  # when it was placed
        self.end_ns: int | None = None
        self.finished = 0  # processes that have finished
        self.last: int | None = None  # the rank that has finished last
        self.on_end: Callable[[Job], None] | None = None

    @property
    def held(self) -> int:
        """The bytes that each of its processes holds now, or will when it is placed."""
        return self.marks[self._mark].size

    @property
    def next_mark_ns(self) -> int:
        """The CPU time from which its processes hold what the next mark states."""
        later = self._mark + 1
        return self.marks[later].cpu_ns if later < len(self.marks) else NEVER

    def place(self, model: Hosts, nodes: list[int], on_end: "Callable[[Job], None]") -> None:
        """Place all processes at one instant; then let each client ask for what it lacks."""
        self._model = model
        self.attempt += 1
        self.start_ns = model.clock.now_ns
        self._has_cores = model.constants.most_cores > 1
        self.nodes = nodes
        self.on_end = on_end
        held = self.held
        for rank, index in enumerate(nodes):
            node = model.nodes[index]
            node.memory.allocate((self.number, rank), held, self.limit)
            process = self.process_type(model, self, rank, node)
            if self._steps:
                process.steps = self._steps[rank]
            self.processes.append(process)
            node.residents[process.key] = process
            node.overallocation_changed()
        journal = model.journal
        placing = 0 if journal is None else journal.cause
        for process in self.processes:
            if journal is not None:
                journal.because(placing, self.number)  # not that the one before has begun
            model.servents[process.node.index].process_placed(process)

    def resume(self) -> None:
        self.running = True
        self._share_ram()
        for process in self.processes:
            process.switch_in()

    def suspend(self) -> None:
        for process in self.processes:
            process.switch_out()
        self.running = False
        self._share_ram()

    def _share_ram(self) -> None:
        """Where others compute beside its processes, they have another share of the RAM now."""
        if self._has_cores:
            for node in dict.fromkeys(process.node for process in self.processes):
                node.overallocation_changed()

    def all_at_barrier(self, cpu_ns: int) -> None:
        """Let memory change if a mark lies behind: all processes have computed for `cpu_ns`.

        It changes on all nodes at one instant, by rank; then each servent hears of it.
        """
        if cpu_ns < self.next_mark_ns:
            return
        before = self.held
        while self.next_mark_ns <= cpu_ns:
            self._mark += 1
        if self.held == before:
            return
        journal = self._model.journal
        cause = 0 if journal is None else journal.cause
        changes = [process.resize(self.held) for process in self.processes]
        for process, change in zip(self.processes, changes, strict=True):
            if journal is not None:
                journal.because(change, self.number)
            self._model.servents[process.node.index].process_resized()
        if journal is not None:
            journal.because(cause, self.number)

    def move(self, rank: int, target: ProcessingElement) -> None:
        """Let a process of the suspended job move to another node, which holds its memory now."""
        self.migrations += 1
        self.nodes[rank] = target.index
        process = self.processes[rank]
        process.move_to(target)
        self._model.servents[target.index].process_resized()

    def process_moved(self, process: Process, source: ProcessingElement) -> None:
        """Let the servents of the node that a process has left and of its new one hear of it."""
        self._model.servents[source.index].process_left(process)
        self._model.servents[process.node.index].process_arrived(process)

    def process_finished(self, process: Process) -> None:
        """Let the servent of a finished process give back what is no longer needed.

        With its last process, the job ends.
        """
        self._model.servents[process.node.index].process_ended(process)
        self.finished += 1
        if self.finished < self.size:
            return
        self.end_ns = self.processes[0].clock.now_ns
        self.last = process.rank
        self.suspend()
        assert self.on_end is not None
        self.on_end(self)

    def kill(self) -> list[Process]:
        """Let all that it has done be lost; returns its processes, which still hold memory."""
        if self.running:
            self.suspend()
        killed, self.processes, self.nodes = self.processes, [], []
        for process in killed:
            process.node.residents.pop(process.key, None)
            for state, time_ns in enumerate(process.spent_ns):
                self.lost_spent_ns[state] += time_ns
        self._steps = [process.steps for process in killed]
        assert self.start_ns is not None
        self.lost_ns += self._model.clock.now_ns - self.start_ns
        self.start_ns = None
        self.finished = 0
        self._mark = 0
        return killed

    def spent_ns(self) -> dict[str, int]:
        """Where the time of its processes went, in ns summed over all of them, if it has ended.

        The parts, of which those of 0 are left out, add up to the response time of the job times
        its processes.
        """
        assert self.start_ns is not None
        waiting_ns = self.start_ns - self.submit_ns - self.lost_ns
        parts = {"waiting": self.size * waiting_ns, "lost": self.size * self.lost_ns}
        spent = [process.spent_ns for process in self.processes]
        for part, states in PARTS.items():
            parts[part] = sum(of_one[state] for of_one in spent for state in states)
        return {part: time_ns for part, time_ns in parts.items() if time_ns}

    def behind(self) -> dict[str, int] | None:
        """The node for whose process the others waited longest, at barriers and at the end.

        And for how long they did while the job ran, in ns summed over them; messages about barriers
        are not counted. None if nobody waited.
        """
        awaited_ns = [process.awaited_ns for process in self.processes]
        assert self.last is not None
        awaited_ns[self.last] += sum(process.spent_ns[FINISHED] for process in self.processes)
        longest_ns = max(awaited_ns)
        node = self.nodes[awaited_ns.index(longest_ns)]
        return {"node": node, "waited_ns": longest_ns} if longest_ns else None

    def story(self) -> str:
        if self.start_ns is None:
            nodes = "a free node" if self.size == 1 else f"{self.size} free nodes"
            return f"job {self.number} waits for {nodes}"
        waits = [
            f"rank {process.rank} on node {process.node.index}: {STATES[process.state]}"
            for process in self.processes
            if process.state != FINISHED
        ]
        return f"job {self.number} ({'running' if self.running else 'suspended'}): " + ", ".join(
            waits
        )
