"""What the load of a node means: the paper's formulas (Qin, Jiang, Zhu, Swanson: 4.1, 5.1).

Times are ms, rates per ms of CPU time, as in the paper. All jobs' requests have the same mean size.
"""

from typing import Any, NamedTuple

from agents.sharing.job import SequentialJob
from model.ground.units import NS_PER_MS

HIGHEST_UTILIZATION = 0.99  # of a disk in a formula; the paper's rates exceed 1


class IO(NamedTuple):
    """The I/O of a job: lambda, and t, for how long it computes."""

    per_ms: float
    cpu_ms: float


def io_of(job: SequentialJob) -> IO:
    """The rate and the duration of a job's I/O."""
    return IO(job.io_per_ms, job.demand_ns / NS_PER_MS)


class Load(NamedTuple):
    """The jobs of a node, as it states them to others."""

    jobs: int
    memory: int  # bytes they request
    io: tuple[IO, ...]  # of each

    def plus(self, job: SequentialJob) -> "Load":
        """With one more job."""
        return Load(self.jobs + 1, self.memory + job.memory, (*self.io, io_of(job)))

    def minus(self, job: SequentialJob) -> "Load":
        """With one job less."""
        place = self.io.index(io_of(job))
        rest = self.io[:place] + self.io[place + 1 :]
        return Load(self.jobs - 1, self.memory - job.memory, rest)

    @property
    def io_per_ms(self) -> float:
        """Lambda: the requests of all jobs, as if each computed all the time."""
        return sum(io.per_ms for io in self.io)


class LoadIndices:
    """The formulas for nodes with I/O buffers of so many bytes, which may change."""

    def __init__(self, constants: Any) -> None:
        self.constants = constants
        self.buffer = constants.buffer

    def hit(self, io: IO, total_per_ms: float) -> float:
        """h: what share of a job's requests the buffer answers, beside all on the node (5.4)."""
        reaccess = self.constants.reaccess
        data = io.cpu_ms * io.per_ms * self.constants.size / (reaccess + 1)
        share = self.buffer * io.per_ms / total_per_ms if io.per_ms else 0.0
        return reaccess / (reaccess + 1) * (1.0 if share >= data else share / data)

    def faults_per_ms(self, load: Load) -> float:
        """page: how often each job faults (4.3)."""
        user = self.constants.ram - self.buffer
        if load.memory <= user:
            return 0.0
        return self.constants.faults_per_ms * load.memory / user

    def implicit_io(self, load: Load) -> float:
        """The page faults of all jobs."""
        return load.jobs * self.faults_per_ms(load)

    def explicit_io(self, load: Load) -> float:
        """The requests of all jobs that reach the disk (4.4)."""
        total = load.io_per_ms
        return sum(io.per_ms * (1 - self.hit(io, total)) for io in load.io)

    def load_io(self, load: Load) -> float:
        """Implicit and explicit I/O (4.2)."""
        return self.implicit_io(load) + self.explicit_io(load)

    def response_ms(self, io: IO, load: Load) -> float:
        """r: what is expected of a job on a node whose load has it counted (4.5)."""
        service_ms = self.constants.service_ms
        total_per_ms = load.io_per_ms
        utilization = min(HIGHEST_UTILIZATION, total_per_ms * service_ms)
        wait_ms = total_per_ms * self.constants.square_service_ms2 / (2 * (1 - utilization))
        return io.cpu_ms * (load.jobs + io.per_ms * (service_ms + wait_ms))
