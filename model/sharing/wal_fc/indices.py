"""The paper's formulas for the load of a node (Qin, Jiang, Zhu, Swanson: 4.1, 5.1).

Times are in ms and rates per ms of CPU time, as in the paper. The requests of all jobs have the
same mean size.
"""

from typing import Any, NamedTuple

from agents.sharing.job import SequentialJob, SequentialSpec
from model.ground.units import NS_PER_MS

HIGHEST_UTILIZATION = 0.99  # of a disk in the formula; with the paper's rates it exceeds 1


class IO(NamedTuple):
    """The I/O of a job: its rate lambda, and t, the CPU time for which it computes."""

    per_ms: float
    cpu_ms: float


def io_of(job: SequentialJob | SequentialSpec) -> IO:
    """The rate and the duration of a job's I/O."""
    return IO(job.io_per_ms, job.demand_ns / NS_PER_MS)


def data(io: IO, constants: Any) -> float:
    """ddata: the bytes that a job processes, each counted once however often it asks (5.3)."""
    return io.cpu_ms * io.per_ms * constants.size / (constants.reaccess + 1)


class Load(NamedTuple):
    """The load of a node, as it states it to others."""

    jobs: int
    memory: int  # bytes that they request
    io: tuple[IO, ...]  # of each job

    def plus(self, job: SequentialJob) -> "Load":
        return Load(self.jobs + 1, self.memory + job.memory, (*self.io, io_of(job)))

    def minus(self, job: SequentialJob) -> "Load":
        place = self.io.index(io_of(job))
        rest = self.io[:place] + self.io[place + 1 :]
        return Load(self.jobs - 1, self.memory - job.memory, rest)

    @property
    def io_per_ms(self) -> float:
        """Lambda: the rate of requests of all jobs if each computed all the time."""
        return sum(io.per_ms for io in self.io)


class LoadIndices:
    """The formulas for nodes with I/O buffers of `buffer` bytes, which may change."""

    def __init__(self, constants: Any) -> None:
        self.constants = constants
        self.buffer = constants.buffer

    def hit(self, io: IO, total_per_ms: float) -> float:
        """h: the share of a job's requests that the buffer, shared by all jobs, answers (5.4)."""
        reaccess = self.constants.reaccess
        wanted = data(io, self.constants)
        share = self.buffer * io.per_ms / total_per_ms if io.per_ms else 0.0
        return reaccess / (reaccess + 1) * (1.0 if share >= wanted else share / wanted)

    def faults_per_ms(self, load: Load) -> float:
        """page: the fault rate of each job (4.3)."""
        user = self.constants.ram - self.buffer
        if load.memory <= user:
            return 0.0
        return self.constants.faults_per_ms * load.memory / user

    def implicit_io(self, load: Load) -> float:
        """The rate of page faults of all jobs."""
        return load.jobs * self.faults_per_ms(load)

    def explicit_io(self, load: Load) -> float:
        """The rate of all jobs' requests that reach the disk (4.4)."""
        total = load.io_per_ms
        return sum(io.per_ms * (1 - self.hit(io, total)) for io in load.io)

    def load_io(self, load: Load) -> float:
        """The sum of implicit and explicit I/O (4.2)."""
        return self.implicit_io(load) + self.explicit_io(load)

    def response_ms(self, io: IO, load: Load) -> float:
        """r: a job's expected response time on a node with this load, which includes it (4.5)."""
        constants = self.constants
        if constants.counts_faults:
            faults_per_ms = self.faults_per_ms(load)
            own = io.per_ms * (1 - self.hit(io, load.io_per_ms)) + faults_per_ms
            faults, requests = load.jobs * faults_per_ms, self.explicit_io(load)
        else:
            own, faults, requests = io.per_ms, 0.0, load.io_per_ms
        total = faults + requests  # Lambda
        if not total:
            return io.cpu_ms * load.jobs
        utilization = faults * constants.fault_ms + requests * constants.service_ms
        square = faults * constants.fault_ms**2 + requests * constants.square_service_ms2
        wait_ms = square / (2 * (1 - min(HIGHEST_UTILIZATION, utilization)))
        return io.cpu_ms * (load.jobs + own * (utilization / total + wait_ms))
