"""The constants of WAL-FC in addition to the shared ones."""

from dataclasses import dataclass
from typing import Self

from agents.sharing.job import SequentialJob, SequentialSpec
from agents.sharing.requests import Requests
from model.ground.errors import InputError
from model.ground.units import BYTES_PER_KB, BYTES_PER_MB, NS_PER_MS, NS_PER_S, exact, round_half_up
from model.sharing.constants import SharingConstants
from model.sharing.wal_fc import indices
from model.sharing.wal_fc.scenario import WalFcScenario


@dataclass(frozen=True, slots=True, kw_only=True)
class WalFcConstants(SharingConstants):
    """The shared constants, and those of WAL-FC. `remote_ns` is e."""

    buffer: int  # of every node at the beginning, in bytes
    reference_buffer: int  # with which a job's I/O alone is timed, in bytes
    user_least: int  # bytes
    faults_per_ms: float  # mu
    reaccess: float  # r
    size: float  # E(d), bytes
    size_sd: float
    seek_ns: int
    byte_ns: float  # the disk's transfer time of a byte
    data: int | None  # d, in bytes; None: each job's own
    counts_faults: bool  # whether misses and faults load the disk, instead of all requests
    guard: bool
    io_weight: float
    overload: float
    history: int
    feedback_window: str
    weight_gain: float
    buffer_gain: float

    @classmethod
    def of(cls, scenario: WalFcScenario) -> Self:
        """Derive the constants; raises InputError if the buffer leaves jobs too little memory."""
        if scenario.buffer_mb + scenario.user_least_mb > scenario.ram_mb:
            raise InputError(
                f"--buffer-mb {scenario.buffer_mb:g}: leaves less than the "
                f"--user-least-mb {scenario.user_least_mb:g} of the {scenario.ram_mb:g} MB of RAM"
            )
        data_mb = scenario.data_mb
        return cls(
            **cls.shared(scenario),
            buffer=_bytes(scenario.buffer_mb),
            reference_buffer=_bytes(scenario.reference_buffer_mb),
            user_least=_bytes(scenario.user_least_mb),
            faults_per_ms=scenario.faults_per_ms,
            reaccess=scenario.reaccess,
            size=scenario.io_kb * BYTES_PER_KB,
            size_sd=scenario.io_sd_kb * BYTES_PER_KB,
            seek_ns=round_half_up(exact(scenario.seek_ms) * NS_PER_MS),
            byte_ns=float(exact(NS_PER_S) / (exact(scenario.disk_mb_s) * BYTES_PER_MB)),
            data=None if data_mb is None else _bytes(data_mb),
            counts_faults=scenario.disk_load == "misses+faults",
            guard=scenario.guard,
            io_weight=scenario.io_weight,
            overload=scenario.overload,
            history=scenario.history,
            feedback_window=scenario.feedback_window,
            weight_gain=scenario.weight_gain,
            buffer_gain=scenario.buffer_gain,
        )

    @property
    def service_ms(self) -> float:
        """E(s): the mean service time of an I/O request at the disk, in ms."""
        return (self.seek_ns + self.size * self.byte_ns) / NS_PER_MS

    @property
    def square_service_ms2(self) -> float:
        """E(s²): the mean square of the service time, in ms²."""
        return self.service_ms**2 + (self.size_sd * self.byte_ns / NS_PER_MS) ** 2

    @property
    def fault_ms(self) -> float:
        """The service time of a page fault, in ms."""
        return self.disk_ns / NS_PER_MS

    def submission_data(self, job: SequentialJob | SequentialSpec) -> int:
        """d: the bytes that go with a job."""
        return round(indices.data(indices.io_of(job), self)) if self.data is None else self.data

    def moving_ns(self, data: int) -> int:
        """The part of c that is not the network's: e, and d at both disks."""
        return self.remote_ns + round(2 * data * self.byte_ns)

    def move_ms(self, job: SequentialJob | SequentialSpec) -> float:
        """c = e + d (1/bnet + 1/bdisk + 1/bdisk): the cost of moving a job, in ms."""
        return self.migration_ns(self.submission_data(job)) / NS_PER_MS

    def request_ns(self, size: int) -> int:
        """Service time of an I/O request: seek, rotation and transfer."""
        return self.seek_ns + round(size * self.byte_ns)

    def requests_of(self, spec: SequentialSpec, seed: int) -> Requests | None:
        if not spec.io_per_ms:
            return None
        return Requests(seed, spec.number, self.size, self.size_sd)

    def unshared_io_ns(self, spec: SequentialSpec) -> int:
        """Mean time of the job's I/O if it is alone on a node with the reference buffer."""
        alone = indices.LoadIndices(self)
        alone.buffer = self.reference_buffer
        io = indices.io_of(spec)
        missing = 1 - alone.hit(io, io.per_ms)
        return round(io.cpu_ms * io.per_ms * missing * self.service_ms * NS_PER_MS)


def _bytes(size_mb: float) -> int:
    return round_half_up(exact(size_mb) * BYTES_PER_MB)
