"""A workstation: a node that runs sequential jobs round robin, and sends some of them away."""

from numbers import Integral

from agents.messages import Message
from agents.node import Node
from agents.sharing.job import (
    ENDED,
    HELD,
    IO,
    KILLED,
    MOVING,
    PAGING,
    READY,
    SUBMITTED,
    Resize,
    SequentialJob,
)
from agents.sharing.messages import JobSent, JobTransfer, LoadReport
from agents.sharing.node_memory import Load, NodeMemory
from agents.sharing.policy import Answer, Hold, Kill, Move, View
from agents.sharing.round_robin import RoundRobin
from agents.sharing.surroundings import SharingSurroundings
from model.ground.clock import ARRIVAL, PROCESS
from model.ground.errors import InputError, shown
from model.ground.units import seconds


class Workstation(Node):
    """A node whose jobs share the CPU and queue at the disk; it does what the policy answers."""

    model: SharingSurroundings

    def __init__(self, model: SharingSurroundings, index: int) -> None:
        super().__init__(model, index, model.constants.disk(model, index))
        constants = model.constants
        self.memory: NodeMemory = model.memory_of(index)
        self.residents: dict[int, SequentialJob] = {}  # by number
        self.cpu = RoundRobin[SequentialJob](constants.slice_ns, constants.context_switch_ns)
        self.speed = constants.speeds[index]
        #: Jobs on their way here, if it has heard of them.
        self.expected: dict[int, SequentialJob] = {}
        self.formula = model.parameters.transfer == "formula"
        self._regime = self.memory.regime  # that its jobs' intervals were worked out under
        self._stops_ns: int | None = None  # when a job on the CPU next stops by itself
        self._stopping: SequentialJob | None = None  # which job that is
        self._plans = 0  # plans of stops so far; the newest one holds
        self.held: list[SequentialJob] = []  # held back here, in the order of arrival
        self.coming: dict[int, SequentialJob] = {}  # jobs that will come from other nodes
        self._leaving: dict[int, int] = {}  # targets of jobs that wait for a page first
        self.takes = {"node": self._hear}

    def states(self) -> Load:
        """Its load, in the form that the policy gives it; jobs that it expects count."""
        load = self.model.policy.states(self)
        for job in self.expected.values():
            load = self.model.policy.expecting(load, job)
        return load

    def running_jobs(self) -> list[SequentialJob]:
        self._settle()
        return list(self.cpu.circle)

    def movable_jobs(self, settled: bool = True) -> list[SequentialJob]:
        if settled:
            self._settle()
        return [job for job in self.residents.values() if job.number not in self._leaving]

    def submit(self, job: SequentialJob) -> None:
        """Take a job that arrives at its home: it stays or goes, or another one makes room."""
        if self.journal is not None:
            self.journal.scheduled("submitted", job.number, nodes=[self.index], memory=job.memory)
        answer = self._checked(self.model.policy.arrived(self._view(), job), job)
        if answer is None or answer.job is not job:
            self.place(job)
        self._carry_out(answer)

    def reports(self) -> None:
        """Let the policy act before the load is reported, if there is a job to act on."""
        if self.residents or self.held:
            self._do(self.model.policy.reported(self._view()))

    def set_buffer(self, size: int) -> None:
        self._advance()
        self.memory.set_buffer(size)
        self._memory_changed()
        self._plan()

    def page_loaded(self, job: SequentialJob) -> None:
        self._advance()
        if job.number in self._leaving:
            self._send_job(job, self._leaving.pop(job.number), data=self._withdraw(job))
            return
        self._ready(job)
        self._plan()

    def place(self, job: SequentialJob) -> None:
        if self.journal is not None:
            self.journal.scheduled("placed", job.number, nodes=[self.index])
        self._advance()
        job.node = self
        if job.started_ns is None:
            job.started_ns = self.clock.now_ns
        job.run_at(self.speed)
        self.expected.pop(job.number, None)
        self.coming.pop(job.number, None)
        self.residents[job.number] = job
        self.memory.hold(job)
        self._memory_changed()
        self._ready(job)
        self._plan()

    def _view(self) -> View:
        return View(self, self.model.reports.table(self.index), self.model.parameters.seed)

    def _do(self, answer: Answer) -> None:
        if answer is not None:
            self._carry_out(self._checked(answer))

    def _checked(self, answer: Answer, arriving: SequentialJob | None = None) -> Answer:
        """The answer with an int as its target; raises InputError if it is not allowed here."""
        if answer is None:
            return None
        if not isinstance(answer, Move | Hold | Kill):
            raise self._refused(f"answers {shown(answer)}", "take Move, Hold, Kill or None")
        job = answer.job
        if not isinstance(job, SequentialJob):
            raise self._refused(f"names the job {shown(job)}", "give one of the view's jobs")
        wish = f"{type(answer).__name__} of job {job.number}"
        if isinstance(answer, Hold):
            if job is not arriving:
                raise self._refused(wish, "only a job that has just arrived is held back")
            return answer
        resident = self.residents.get(job.number) is job
        if not (job is arriving or resident or job in self.held):
            raise self._refused(wish, "the job is not on this node")
        if isinstance(answer, Kill):
            return answer
        nodes, target = len(self.model.nodes), answer.target
        if isinstance(target, bool) or not isinstance(target, Integral) or not 0 <= target < nodes:
            raise self._refused(
                f"{wish} to node {shown(target)}", f"the nodes are the numbers 0 to {nodes - 1}"
            )
        if resident and (target == self.index or job.number in self._leaving or job.state == IO):
            why = "is there" if target == self.index else "leaves already or waits for its I/O"
            raise self._refused(f"{wish} to node {target}", f"the job {why}")
        return Move(job, int(target))

    def _refused(self, answer: str, why: str) -> InputError:
        """The error of a wrong policy, with its name, the node, the time and its answer."""
        return InputError(
            f"{self.model.name} at node {self.index}, {seconds(self.clock.now_ns):.9g} s: "
            f"{answer}: {why}"
        )

    def _carry_out(self, answer: Answer) -> None:
        match answer:
            case Hold(job):
                self._hold(job)
            case Kill(job):
                self._kill(job)
            case Move(job, target):
                if job.state in (SUBMITTED, HELD):
                    self._begin(job, target)
                else:
                    self._migrate(job, target)

    def _hold(self, job: SequentialJob) -> None:
        if self.journal is not None:
            self.journal.scheduled("held", job.number, nodes=[self.index])
        job.enter(HELD, self.clock.now_ns)
        self.held.append(job)

    def _begin(self, job: SequentialJob, target: int) -> None:
        """Let a job that has just arrived or was held back begin, here or elsewhere."""
        if job.state == HELD:
            self.held.remove(job)
        if target == self.index:
            self.place(job)
        else:
            job.remote_submissions += 1
            self.model.nodes[target].coming[job.number] = job
            self._send_job(job, target, data=self.model.constants.submission_data(job))

    def _kill(self, job: SequentialJob) -> None:
        if job.state == HELD:
            self.held.remove(job)
        elif job.state != SUBMITTED:
            if (target := self._leaving.pop(job.number, None)) is not None:
                del self.model.nodes[target].coming[job.number]
            self._withdraw(job)
        self._finish(job, KILLED, "killed")

    def _finish(self, job: SequentialJob, state: int, kind: str) -> None:
        """Close a job's accounts; `kind` is how the journal calls its end."""
        job.enter(state, self.clock.now_ns)
        job.end_ns = self.clock.now_ns
        if self.journal is not None:
            spent_ns = {part: time_ns for part, time_ns in job.parts_ns().items() if time_ns}
            self.journal.scheduled(
                kind, job.number, nodes=[self.index], processes=1, spent_ns=spent_ns
            )
        self.model.job_ended()

    def _remove(self, job: SequentialJob) -> None:
        job.node = None
        del self.residents[job.number]
        self.memory.release(job)
        self._memory_changed()

    def _memory_changed(self) -> None:
        """The load has changed, so jobs may fault and do I/O more or less often from now on."""
        self.model.reports.changed(self.index)
        if self.memory.regime == self._regime:
            return
        self._regime = self.memory.regime
        for job in self.cpu.circle:
            job.settle()
            self._begin_stint(job)

    def _ready(self, job: SequentialJob) -> None:
        job.enter(READY, self.clock.now_ns)
        self._begin_stint(job)
        self.cpu.join(job)

    def _begin_stint(self, job: SequentialJob) -> None:
        job.begin_stint(self.memory.fault_every_ns(job), self.memory.requests_every_ns(job))

    def _advance(self) -> None:
        self.cpu.advance(self.clock.now_ns)

    def _settle(self) -> None:
        self._advance()
        for job in self.cpu.circle:
            job.settle()

    def _plan(self) -> None:
        """Schedule the next stop on the CPU, unless the old plan holds or is due right now."""
        if self._stops_ns == self.clock.now_ns:
            return
        stops_ns, stopping = self.cpu.next_stop() if self.cpu.circle else (None, None)
        if stops_ns != self._stops_ns or stopping is not self._stopping:
            self._stops_ns, self._stopping = stops_ns, stopping
            self._plans += 1
            if stops_ns is not None:
                key = (stops_ns, PROCESS, self.index, self.index, self._plans)
                self.clock.schedule((*key, self._stop, self._plans))

    def _stop(self, plan: int) -> None:
        """A job on the CPU ends, faults, does I/O or changes its memory, unless the plan is old."""
        if plan != self._plans:
            return  # something changed meanwhile
        self._advance()
        job, self._stops_ns = self._stopping, None
        assert job is not None
        job.settle()
        if not job.cpu_left_ns:
            self._end(job)
        elif job.fault_is_due():
            self._fault(job)
        elif (size := job.request_due()) is not None:
            self._request(job, size)
        else:
            event = job.event_due()
            if isinstance(event, Resize):
                self._resize(job, event.memory)
            self._begin_stint(job)
            if isinstance(event, Resize):
                self._do(self.model.policy.resized(self._view(), job))
        self._plan()

    def _leave_for_disk(self, job: SequentialJob, state: int, kind: str) -> None:
        self.cpu.leave(job)
        job.enter(state, self.clock.now_ns)
        if self.journal is not None:
            self.journal.process(kind, job)

    def _fault(self, job: SequentialJob) -> None:
        self._leave_for_disk(job, PAGING, "fault")
        self.faults_disk += 1
        self.disk.read(job)

    def _request(self, job: SequentialJob, size: int) -> None:
        self._leave_for_disk(job, IO, "io")
        self.disk.serve(job, self.model.constants.request_ns(size), size)

    def _resize(self, job: SequentialJob, memory: int) -> None:
        self.memory.release(job)
        job.resize(memory)
        self.memory.hold(job)
        if self.journal is not None:
            self.journal.resized(job, memory)
        self._memory_changed()

    def _end(self, job: SequentialJob) -> None:
        self.cpu.leave(job)
        self._remove(job)
        self._finish(job, ENDED, "ended")
        self._do(self.model.policy.ended(self._view(), job))

    def _migrate(self, job: SequentialJob, target: int) -> None:
        """Move a job with its data, after its page has come if it waits for one."""
        self._advance()  # its state may be of its last account
        job.migrations += 1
        self.model.nodes[target].coming[job.number] = job
        if job.state == PAGING:
            self._leaving[job.number] = target
        else:
            self._send_job(job, target, data=self._withdraw(job))

    def _withdraw(self, job: SequentialJob) -> int:
        """Stop a job here; returns how many bytes it held."""
        self._advance()
        job.settle()
        if job.state == READY:
            self.cpu.leave(job)
        self._remove(job)
        if job is self._stopping:
            self._stops_ns = None
        self._plan()
        return job.memory

    def _send_job(self, job: SequentialJob, target: int, data: int) -> None:
        """Send a job: it takes r + D/B, or r and as long as the network takes."""
        job.enter(MOVING, self.clock.now_ns)
        if self.journal is not None:
            self.journal.scheduled("moved", job.number, nodes=[self.index, target], memory=data)
        self.model.reports.sent(self.index, target, job)
        constants = self.model.constants
        cost_ns = constants.migration_ns(data) if self.formula else constants.moving_ns(data)
        key = (self.clock.now_ns + cost_ns, ARRIVAL, target, self.index + 1, job.first_process)
        if self.formula:
            self.clock.schedule((*key, self.model.nodes[target].place, job))
        else:
            self.clock.schedule((*key, self._transfer, (target, JobTransfer(job.number, data))))

    def _transfer(self, what: tuple[int, JobTransfer]) -> None:
        self.send(*what)

    def _hear(self, message: Message) -> None:
        match message.content:
            case LoadReport(load):
                self.model.reports.arrived(self.index, message.source, load)
            case JobSent():
                self.model.reports.announced(self.index, message.content)
            case JobTransfer(number):
                self.place(self.model.job(number))
